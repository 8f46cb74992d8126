#!/usr/bin/env python3
"""Collects what is printed wrongly in the sources into docs/errata.md: every `misprint` of the models, with its witness.

usage: make_errata.py PROGRAM [--check]     writes the page, or says that it is not up to date
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "errata.md"
HEAD = """# Formulas that are printed wrongly

Each of these stands in a published source, or is a slip that is easily made, and is refuted by a model of this repository: the
motion was derived, and at the state given both sides were computed. The models are run by the test suite; this page is made from them
by `./dev docs`. A row is named as in the catalogue of examples.

"""
FOLDERS = {
    "classics": "Textbook systems",
    "gallissot": "Gallissot, exterior forms in mechanics",
    "massa_pagani": "Massa and Pagani, jet-bundle geometry of constrained systems",
}


def comment_above(lines, number):
    """The comment lines that stand directly above a statement."""
    found = []
    for line in reversed(lines[: number - 1]):
        if not line.startswith("#"):
            break
        found.insert(0, line.lstrip("# ").rstrip())
    return " ".join(found)


def rows_of(text):
    return sorted(set(re.findall(r"\b(?:G\d|MP|TA|MO)[\w.]*-[\w.-]*\w|\bG\d\.[\w-]*\w", text)))


def number(value):
    return f"{value:.6g}"


def entry(claim):
    path = ROOT / claim["model"]
    lines = path.read_text(encoding="utf-8").splitlines()
    header = "\n".join(line for line in lines[:12] if line.startswith("#"))
    title = (claim["name"] or "unnamed").replace("_", " ")
    text = [f"### {title[0].upper() + title[1:]}", ""]
    said = comment_above(lines, claim["line"])
    if said:
        text += [said[0].upper() + said[1:] + ("" if said.endswith(".") else "."), ""]
    text.append(f"- refuted: `{claim['text']}`")
    witness = claim["witness"]
    if witness:
        state = ", ".join(f"{name} = {number(value)}" for name, value in witness["state"].items())
        text.append(f"- witness: at {state} the left side is {number(witness['left'])}, the right side {number(witness['right'])}")
    elif claim.get("detail"):
        text.append(f"- why: {claim['detail']}")
    rows = ", ".join(f"`{row}`" for row in rows_of(said + " " + header))
    text.append(f"- model: [{claim['model']}](../{claim['model']})" + (f", rows {rows}" if rows else ""))
    return "\n".join(text) + "\n"


def make_page(program):
    done = subprocess.run([program, "check", "--json", "models"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    misprints = [claim for claim in json.loads(done.stdout)["claims"] if claim["misprint"] and claim["passed"]]
    page = HEAD
    for folder, title in FOLDERS.items():
        mine = [claim for claim in misprints if pathlib.PurePath(claim["model"]).parts[1] == folder]
        if mine:
            page += f"## {title}\n\n" + "\n".join(entry(claim) for claim in mine) + "\n"
    return page.rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args()
    page = make_page(arguments.program)
    if not arguments.check:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        sys.exit("docs/errata.md is not what the models say: run ./dev docs")


if __name__ == "__main__":
    main()
