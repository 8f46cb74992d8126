"""From the file of a model to the first step, by the program `liaison`: processor time of the whole process, its start included.

usage: first_step.py PROGRAM; requests and replies as in peers/casefile.py
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "peers"))
import casefile  # noqa: E402

END = 1e-3


def run(program, model):
    process = subprocess.Popen(
        [program, "simulate", model, "--until", str(END), "--tol", "1e-9", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    text = process.stdout.read()
    problems = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise casefile.Failed(problems.decode()[:200])
    return usage.ru_utime + usage.ru_stime, json.loads(text)


def perform(method, case):
    times = []
    for _ in range(5):
        seconds, reply = run(sys.argv[1], case.one("model"))
        times.append(seconds)
    return statistics.median(times), lambda: {"values": end_state(reply), "figures": {"steps": reply["steps"]}}


def end_state(reply):
    return {name: float(value) for name, value in reply["final"].items()}


if __name__ == "__main__":
    casefile.serve(perform, repeat=False)
