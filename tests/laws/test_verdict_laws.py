#!/usr/bin/env python3
"""Random questions of known truth: the program answers none of them wrongly, and programs that are wrong on purpose are caught.

usage: test_verdict_laws.py PROGRAM --count N --seeds N...
       test_verdict_laws.py --mutants

Every question repeats: `bench/verdicts/run.py --seed SEED --class NAME --only K`.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

JUDGE = pathlib.Path(__file__).resolve().parents[2] / "bench" / "verdicts"
MUTANT = JUDGE / "mutant.py"
MUTANT_SEED, MUTANT_COUNT = 1, 2
MUTANTS = (("proved", ""), ("refuted", ""), ("by spelling", "law "))  # what it answers, and to which classes


def run(program, seed, count, kind="", **environment):
    """(exit code, what was counted)"""
    with tempfile.TemporaryDirectory() as folder:
        found = pathlib.Path(folder) / "found.json"
        command = [sys.executable, str(JUDGE / "run.py"), "--program", str(program), "--seed", str(seed), "--count", str(count),
                   "--class", kind, "--json", str(found)]
        done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, encoding="utf-8")
        if not found.exists():
            sys.exit(f"the judge did not run:\n{done.stdout}{done.stderr}")
        return done.returncode, done.stdout, json.loads(found.read_text(encoding="utf-8"))


def try_program(program, seeds, count):
    failed = []
    for seed in seeds:
        code, text, _ = run(program, seed, count)
        print(f"seed {seed}, {count} of each class\n{text}", flush=True)
        failed += [seed] if code else []
    return f"wrong answers with seed {', '.join(map(str, failed))}" if failed else ""


def try_mutants():
    """Every class of questions has been seen to fail."""
    asked, caught = set(), set()
    for answer, kind in MUTANTS:
        code, text, found = run(MUTANT, MUTANT_SEED, MUTANT_COUNT, kind, LIAISON_MUTANT=answer)
        print(f"a program that answers `{answer}`, seed {MUTANT_SEED}\n{text.split(chr(10) * 2)[0]}", flush=True)
        if code != 1:
            return f"a program that answers `{answer}` was not noticed"
        asked |= set(found["counts"])
        caught |= {wrong["class"] for wrong in found["wrong"] if wrong["outcome"] != "judge failed"}
    return f"no wrong answer was noticed in: {', '.join(sorted(asked - caught))}" if asked - caught else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--mutants", action="store_true")
    options = parser.parse_args()
    failure = try_mutants() if options.mutants else try_program(options.program, options.seeds, options.count)
    sys.exit(failure or 0)


if __name__ == "__main__":
    main()
