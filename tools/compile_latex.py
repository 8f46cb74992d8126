#!/usr/bin/env python3
"""Compiles the derivation of every model with pdflatex: no error, no box wider than the page, or taller.

usage: compile_latex.py PROGRAM [MODEL ...]

Needs `apt-get install texlive-latex-recommended`. It takes some minutes for all models, and is not of the ordinary suite.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_SECONDS = 120
TOLERATED_POINTS = 1.0  # of an overfull box: a third of a millimetre cannot be seen


def problems_of_log(log):
    """Errors and boxes that are too wide or too high, as lines of the log tell them."""
    found = [line for line in log.splitlines() if line.startswith("!")]
    for match in re.finditer(r"Overfull \\[hv]box \(([\d.]+)pt too (?:wide|high)\)[^\n]*", log):
        if float(match.group(1)) > TOLERATED_POINTS:
            found.append(match.group(0))
    return found


def problems_of(program, model):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.tex"
        derived = subprocess.run([program, "derive", str(model), "-o", str(page)], capture_output=True, text=True,
                                 timeout=MOST_SECONDS, check=False)
        if derived.returncode != 0 or not page.exists():
            return [f"derive ends with {derived.returncode}: {derived.stderr.strip()[:200]}"]
        subprocess.run(["pdflatex", "-interaction=nonstopmode", "page.tex"], cwd=folder, capture_output=True,
                       timeout=MOST_SECONDS, check=False)
        log = (page.parent / "page.log").read_text(encoding="latin-1")
        return problems_of_log(log)


def problems_within_time(program, model):
    try:
        return problems_of(program, model)
    except subprocess.TimeoutExpired as late:
        return [f"{pathlib.Path(late.cmd[0]).name} needs more than {MOST_SECONDS} s"]


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    models = [pathlib.Path(name) for name in sys.argv[2:]] or sorted((ROOT / "models").rglob("*.lia"))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for model, problems in zip(models, pool.map(lambda model: problems_within_time(program, model), models)):
            failed += bool(problems)
            for problem in problems:
                print(f"{model}: {problem}", flush=True)
    print(f"{len(models) - failed} of {len(models)} models are set without a fault")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
