#!/usr/bin/env python3
"""Every state of a simulated motion satisfies every proved claim.

usage: test_motion_laws.py PROGRAM MODELS...

The claims of a model that `check` calls proved become outputs of a run from its start: both sides of an equality agree in every row, and
what is conserved keeps its value. A checker that would call a refuted claim proved is caught by the same judge.
"""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 1e-6  # of runs to 1e-12, against the largest value of a side


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, encoding="utf-8", timeout=300)


def claims_of(program, model, status):
    """[(kind, left, right)] of the claims about all states that have this status and no condition."""
    done = run(program, "check", model, "--json")
    result = []
    for claim in json.loads(done.stdout)["claims"]:
        text = claim["text"]
        if claim["status"] != status or " at (" in text or " within " in text or " after " in text or "!= 0" in claim["how"]:
            continue
        if text.startswith("conserved(") and text.endswith(")"):
            result.append(("conserved", text[len("conserved("):-1], None))
        elif "equations" not in text and text.count(" == ") == 1 and not text.endswith(("== false", "== true")):
            result.append(("equality", *text.split(" == ")))
    return result


def columns(program, model, expressions):
    """{name: numbers} of a run with the expressions as outputs; None where the model has no run or no such outputs."""
    text = pathlib.Path(model).read_text(encoding="utf-8")
    text += "".join(f"\noutput law_{i} = {expression}" for i, expression in enumerate(expressions)) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        path, table = pathlib.Path(folder) / "m.lia", pathlib.Path(folder) / "m.csv"
        path.write_text(text, encoding="utf-8")
        done = run(program, "simulate", path, "--until", 0.5, "--every", 0.05, "--tol", 1e-12, "-o", table)
        if done.returncode != 0:
            return None
        with open(table, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    return [[float(row[f"law_{i}"]) for row in rows] for i in range(len(expressions))]


def judge(program, model, claim):
    """None: not run; True: every state is as claimed."""
    kind, left, right = claim
    found = columns(program, model, [left] if right is None else [left, right])
    if found is None or len(found[0]) < 3 or not all(math.isfinite(value) for column in found for value in column):
        return None
    first = found[0]
    second = [first[0]] * len(first) if kind == "conserved" else found[1]
    size = max(1e-3, *(abs(value) for value in first + second))
    return all(abs(a - b) <= TOLERANCE * size for a, b in zip(first, second))


def main():
    program, models = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    judged, caught, wrong = 0, 0, []
    for model in models:
        for claim in claims_of(program, model, "proved"):
            verdict = judge(program, model, claim)
            judged += verdict is not None
            if verdict is False:
                wrong.append((model, claim))
        for claim in claims_of(program, model, "refuted"):
            caught += judge(program, model, claim) is False
    print(f"{judged} proved claims hold along their motions; {caught} refuted ones fail along theirs")
    for model, claim in wrong:
        print(f"proved, and fails along a motion: {model}: {claim}")
    if not judged:
        print("no proved claim was judged")
    if not caught:
        print("the law caught no false claim")
    return 1 if wrong or not judged or not caught else 0


if __name__ == "__main__":
    sys.exit(main())
