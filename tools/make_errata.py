#!/usr/bin/env python3
"""Collects what is printed wrongly in the sources into docs/errata.md: every `misprint` of the models, and what the tests
of the catalogue record, with their witnesses.

usage: make_errata.py PROGRAM TESTS [--check]     writes the page, or says that it is not up to date

PROGRAM is liaison, TESTS the folder of the test programs. A test records if its name contains "misprint":
tests/catalogue/misprint.hpp.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "errata.md"
HEAD = """# Formulas that are printed wrongly

Each of these stands in a published source, or is a slip that is easily made, and is refuted by a model or by a test of this
repository: both sides of the statement were derived, and computed at the state given. The models and the tests are run by the test
suite; this page is made from them by `./dev docs`. A row is named as in the catalogue of examples, whose order is kept.

"""
FOLDERS = {
    "classics": "Textbook systems",
    "gallissot": "Gallissot, exterior forms in mechanics",
    "taylor": "Taylor, integral invariants of non-holonomic systems",
    "morera": "Morera, relations that enter before differentiating",
    "massa_pagani": "Massa and Pagani, jet-bundle geometry of constrained systems",
    "vujicic": "Vujicic, dynamics of rheonomic systems",
}

SOURCES = {"MP": "massa_pagani", "TA": "taylor", "MO": "morera", "V": "vujicic"}  # by the beginning of a row

TESTS = ("catalogue_tests", "one_constraint_tests", "several_constraints_tests", "massa_pagani_tests")
# The rows of the catalogue that have an entry, in its order.
ROWS = """
G1.I-invariant-forms G1.I-change-of-variables G1.I-typeA-claim G1.I-integral-invariant G1.I-newton G1.ex2 G1.ex3
G1.II-omega-c G1.II-Hamilton G1.II-Lagrange G1.II-metric G1.II-rigid G1.II-trihedron-general G1.II-trihedron-space
G1.II-trihedron-revolution G2.IV-degenerate G2.V-Appell G2.VI-kinematics G2.VI-power G2.VI-l-components G2.VI-ThII
G2.VI-bar-4-3 G3.II-bar G3.IV-ThII G3.ex1-roll G3.ex2-slip G3.ex2-point G3.ex3-slip G3.ex3-roll G3.ex4 G3.ex5-reduced
G3.ex6 G4.II-formula-II2 G5.I-V1 G6.I-composition G6.I-VI3 G6.II-involution G6.II-thmIII G6.II-power-identity
G6.II-point-canonical G6.II-exII-linear-quadratic G6.II-liouville G6.II-exIV-riccati G6.II-riccati-ex1 G6.II-riccati-ex2
G6.II-thmVI G6.III.I-forms G6.III.II-cylindrical G6.III.III-A-ode
G6.III.III-B-ode G6.III.III-C G6.III.IV-setup G6.III.IV-roll-reactions G6.III.IV-roll-reduced G6.III.IV-slip
MP2.1-fibre-metric MP2.2-contact MP2.3-G-PA MP2.3-prop2.1 MP3.1-momenta MP3.3-Gauss MP-F3-speed
TA4-holonomic MO4-general MO6-count-general
V0.survey V0.time-equation V1.implicit V1.plane-lift V1.plane-lift-skew V1.plane-rotating V1.plane-rotating-tan
V1.plane-rotating-tan-c2 V1.base-inertial V2.variable-mass V2.reaction-split V2.sphere V2.cylinder
V2.velocity-condition V2.g0-table V6.multipliers V2.connection V2.normal-reaction V2.R0-definition V2.incline
V2.incline-energy V2.incline-accelerated V2.energy-multiplier V2.energy-law V2.first-integral-test
V2.energy-explicit-time V7.absolute-rest V7.relative-equilibrium V2.ellipsoid-rest V3.ext-manifold V3.momenta
V3.ambient-acceleration V3.acceleration-components V3.gibbs-appell V4.homogenise V5.virtual-work V6.extended-equations
V6.gallissot-map V6.invariance V7.dpend-rest V7.dpend-power V7.pend-moving V7.nonholonomic-rest V8.dalembert-lagrange
V8.lost-forces V9.gauss V9.gauss-split V9.dpend-tensor V9.dpend-eom V9.reactions-fixed V9.ball-constraints V9.ball-eom
V9.Z-and-S V10.least-action V10.legendre V10.stationary-action V10.jacobi V10.energy-balance V10.cyclic-claim
V10.cocyclic V10.hamilton V10.poincare-cartan V10.perturbation-limits
""".split()


def comment_above(lines, number):
    """The comment lines that stand directly above a statement."""
    found = []
    for line in reversed(lines[: number - 1]):
        if not line.startswith("#"):
            break
        found.insert(0, line.lstrip("# ").rstrip())
    return " ".join(found)


def rows_of(text):
    return sorted(set(re.findall(r"\b(?:G\d|MP|TA|MO|V\d+)[\w.]*-[\w.-]*\w|\b(?:G\d|V\d+)\.[\w-]*\w", text)))


def number(value):
    return f"{value:.6g}"


def prose(text):
    """A sentence in which a star is a star."""
    text = text.replace(". printed: ", ". Printed: ").replace("*", "\\*")
    if text.split(" ")[0].strip(":,").isalpha():
        text = text[0].upper() + text[1:]
    return text if text.endswith(".") else text + "."


def model_entry(claim):
    path = ROOT / claim["model"]
    lines = path.read_text(encoding="utf-8").splitlines()
    header = "\n".join(line for line in lines[:12] if line.startswith("#"))
    title = (claim["name"] or "unnamed").replace("_", " ")
    text = [f"### {title[0].upper() + title[1:]}", ""]
    said = comment_above(lines, claim["line"]) or lines[claim["line"] - 1].partition("#")[2].strip()
    if said:
        text += [prose(said), ""]
    text.append(f"- refuted: `{claim['text']}`")
    witness = claim["witness"]
    if witness:
        state = ", ".join(f"{name} = {number(value)}" for name, value in witness["state"].items())
        if witness["left"] is None:  # a claim without sides
            text.append(f"- witness: {state}" + (f" ({claim['detail']})" if claim.get("detail") else ""))
        else:
            text.append(f"- witness: at {state} the left side is {number(witness['left'])}, the right side {number(witness['right'])}")
    elif claim.get("detail"):
        text.append(f"- why: {claim['detail']}")
    rows = rows_of(said + " " + header)
    named = ", ".join(f"`{row}`" for row in rows)
    text.append(f"- model: [{claim['model']}](../{claim['model']})" + (f", rows {named}" if rows else ""))
    return place_of(rows), "\n".join(text) + "\n"


def test_entry(found):
    lines = [
        f"### {found['title']}",
        "",
        prose(f"Printed: {found['printed']}; right: {found['right']}"),
        "",
        f"- refuted: `{found['refuted']}`",
        f"- {found['evidence']}",
        f"- test: `{found['test']}` in [{found['file']}](../{found['file']}), row `{found['row']}`",
    ]
    return place_of([found["row"]]), "\n".join(lines) + "\n"


def place_of(rows):
    """Where an entry stands: with the first of its rows."""
    return min((ROWS.index(row) for row in rows if row in ROWS), default=len(ROWS))


def recorded(tests):
    """What the tests of the catalogue refute, in the order in which they run."""
    with tempfile.TemporaryDirectory() as folder:
        lines = pathlib.Path(folder) / "lines"
        lines.touch()
        for name in TESTS:
            program = pathlib.Path(tests).resolve() / name
            if not program.exists():
                sys.exit(f"no test program {program}: build it first")
            done = subprocess.run([program, "--gtest_filter=*misprint*", "--gtest_brief=1"], cwd=ROOT, capture_output=True,
                                  text=True, check=False, env={**os.environ, "LIAISON_ERRATA": str(lines)})
            if done.returncode != 0:
                sys.exit(done.stdout + done.stderr)
        return [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]


def verdicts_of(program):
    done = subprocess.run([program, "check", "--json", "models"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return done.stdout


def make_page(verdicts, tests):
    misprints = [claim for claim in json.loads(verdicts)["claims"] if claim["misprint"] and claim["passed"]]
    entries = {folder: [] for folder in FOLDERS}
    for claim in misprints:
        folder = pathlib.PurePath(claim["model"]).parts[1]
        if folder in FOLDERS:
            entries[folder].append(model_entry(claim))
    for found in recorded(tests):
        folder = next((name for prefix, name in SOURCES.items() if found["row"].startswith(prefix)), "gallissot")
        entries[folder].append(test_entry(found))
    page = HEAD
    for folder, title in FOLDERS.items():
        if entries[folder]:
            ordered = sorted(entries[folder], key=lambda pair: pair[0])
            page += f"## {title}\n\n" + "\n".join(text for _, text in ordered) + "\n"
    return page.rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("tests")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--verdicts", type=pathlib.Path, help="what `check --json models` has said before")
    arguments = parser.parse_args()
    verdicts = arguments.verdicts.read_text(encoding="utf-8") if arguments.verdicts else verdicts_of(arguments.program)
    page = make_page(verdicts, arguments.tests)
    if not arguments.check:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        sys.exit("docs/errata.md is not what the models and the tests say: run ./dev docs")


if __name__ == "__main__":
    main()
