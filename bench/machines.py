"""Machines of models/bodies and models/mbs against the same ones built by hand for Pinocchio: accelerations at random states."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- machines: begin -->", "<!-- machines: end -->"


def run(build, quick, commit):
    """Prints the table, and writes it to docs/benchmarks.md after a full run. Pinocchio is in the environment of the peers."""
    python, program, states = build / "venv/bin/python", build / "liaison", "2" if quick else "10"
    if not program.exists() or not python.exists():
        raise SystemExit(f"bench/run: no {program}, or no Pinocchio beside it; ./dev bench installs them")
    done = subprocess.run([python, ROOT / "bench/peers/pinocchio_machines.py", "--program", program, "--states", states],
                          stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, end="")
    if not quick and done.returncode == 0:
        page = ROOT / "docs/benchmarks.md"
        before, rest = page.read_text(encoding="utf-8").split(BEGIN)
        page.write_text(before + section(done.stdout, commit) + rest.split(END)[1], encoding="utf-8")
    return done.returncode


def section(lines, commit):
    head = "| model | largest difference |\n|---|---|\n"
    return f"{BEGIN}\n{head}{lines}\nTen random states a machine, commit {commit}.\n{END}"
