"""Benchmark programs as processes that answer requests, and rounds in which they take turns."""

import json
import os
import pathlib
import resource
import selectors
import signal
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What one program may spend on one case in all rounds, in seconds of processor time.
SPENDING = 8
MEMORY = 6 << 30

METHODS = {
    "liaison": {"derive": ("work", "default"), "zero": ("work", "canonical")},
    "sympy": {
        "derive": ("kane", "lagrange"),
        "zero": ("plain", "field"),
        "determinant": ("plain", "raw", "field", "charpoly"),
        "solve": ("plain", "raw", "field", "charpoly"),
        "frobenius": ("plain", "field"),
        "lie": ("plain", "field"),
        "null": ("plain", "field"),
    },
    "ginac": {"derive": (), "frobenius": (), "lie": (), "null": ()},
    "maxima": {"derive": (), "d": (), "dd": (), "wedge": ()},
    "sage": {"frobenius": ("plain", "field"), "lie": ("plain", "field"), "null": ("plain", "field")},
}


PEERS = {
    "exact_programs": ("sympy", "ginac", "maxima"),
    "simulate_programs": ("casadi", "pinocchio", "heyoka", "sundials", "scipy"),
    "first_step_programs": ("sympy",),
}


def processor_seconds(pid):
    """Of the process and its children."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(int(child)) for child in children)


class Program:
    """A benchmark program, started when needed and again after a limit."""

    def __init__(self, command, limit_memory=True):
        self.command, self.limit_memory, self.process = command, limit_memory, None
        self.spent, self.unread = 0.0, b""

    def start(self):
        def limits():
            if self.limit_memory:
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=limits,
        )

    def stop(self):
        if self.process is None:
            return
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process, self.unread = None, b""

    def ask(self, method, path, limit):
        """The reply; one with `limit` set if the time was up."""
        if self.process is None:
            self.start()
        self.process.stdin.write(f"{method} {path}\n".encode())
        self.process.stdin.flush()
        line = self.next_line(limit)
        if line and "timed" in json.loads(line):
            line = self.next_line(limit)
            if line is None:
                return {"seconds": 0.0, "note": "stopped while the result was evaluated"}
        if line is None:
            spent = self.spent
            return {"limit": True, "seconds": spent, "note": f"stopped after {spent:.0f} s"}
        if not line:
            self.stop()
            return {"seconds": 0.0, "note": "ended without an answer (memory)"}
        return json.loads(line)

    def next_line(self, limit):
        """Nothing, and the program is stopped, if it takes more than the limit; empty if the program ended."""
        before = processor_seconds(self.process.pid)
        deadline = time.monotonic() + 8 * limit
        with selectors.DefaultSelector() as ready:
            ready.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.unread:
                if ready.select(timeout=0.2):
                    more = os.read(self.process.stdout.fileno(), 1 << 16)
                    if not more:
                        return b""
                    self.unread += more
                self.spent = processor_seconds(self.process.pid) - before
                if b"\n" not in self.unread and (self.spent > limit or time.monotonic() > deadline):
                    self.stop()
                    return None
        line, self.unread = self.unread.split(b"\n", 1)
        return line


def exact_programs(build):
    found = {"liaison": Program([str(build / "bin/liaison_bench")], limit_memory=False)}
    python = build / "venv/bin/python"
    if python.exists():
        found["sympy"] = Program([str(python), str(ROOT / "bench/peers/sympy_bench.py")])
    if (build / "bin/ginac_bench").exists():
        found["ginac"] = Program([str(build / "bin/ginac_bench")])
    if any((pathlib.Path(folder) / "maxima").exists() for folder in os.environ["PATH"].split(":")):
        found["maxima"] = Program([sys.executable, str(ROOT / "bench/peers/maxima_bench.py")], limit_memory=False)
    return found


def simulate_programs(build):
    """For one evaluation and for motions in time."""
    found = {"liaison": Program([str(build / "bin/simulate_bench")], limit_memory=False)}
    for tool in ("sundials", "pinocchio"):
        if (build / f"bin/{tool}_bench").exists():
            found[tool] = Program([str(build / f"bin/{tool}_bench")])
    python = build / "venv/bin/python"
    for tool in ("casadi", "heyoka", "scipy"):
        if python.exists() and subprocess.run([str(python), "-c", f"import {tool}"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            found[tool] = Program([str(python), "-B", str(ROOT / f"bench/peers/{tool}_bench.py")], limit_memory=False)
    return found


def first_step_programs(build):
    found = {"liaison": Program([sys.executable, "-B", str(ROOT / "bench/first_step.py"), str(build / "liaison")], limit_memory=False)}
    python = build / "venv/bin/python"
    if python.exists():
        found["sympy"] = Program([str(python), "-B", str(ROOT / "bench/peers/sympy_first_step.py")])
    return found


class Series:
    """One program and method on one case."""

    def __init__(self, tool, method):
        self.tool, self.method = tool, method
        self.seconds, self.reply, self.skipped = [], {}, None

    def wants_more(self, rounds):
        ended = self.skipped or self.reply.get("note")
        return not ended and len(self.seconds) < rounds and sum(self.seconds) < (SPENDING if self.seconds else 1e9)

    def record(self, case, commit):
        result = {"case": case.name, "family": case.family, "size": case.size, "task": case.task, "tool": self.tool}
        result.update(method=self.method, commit=commit, seconds=None, rounds=self.seconds, note=self.reply.get("note", ""))
        if self.seconds:
            result["seconds"] = statistics.median(self.seconds)
        if self.reply.get("limit") or self.skipped:
            result["at_least"] = self.skipped or self.reply["seconds"]
        for key in ("nodes", "operations", "closed_form", "figures", "words"):
            if self.reply.get(key):
                result[key] = self.reply[key]
        if case.task == "trajectory" and case.expected and self.seconds:
            result["error"] = error(case.expected, self.reply["values"])
            result["tolerance"] = case.tolerance
        return result


def error(known, found):
    """The greatest difference, relative to values above one."""
    return max(abs(known[name] - value) / max(1, abs(known[name])) for name, value in found.items() if name in known)


def taking_part(case, tools):
    """Programs and methods: those that a case names itself, else all."""
    if case.series is not None:
        return [(tool, method) for tool, method in case.series if tool in tools]
    return [(tool, method) for tool in tools for method in METHODS[tool].get(case.task, ("work",))]


def measure(case, path, tools, beyond, rounds, limit):
    """All programs on one case, round by round. `beyond`: families whose smaller sizes were too much already."""
    series = []
    for tool, method in taking_part(case, tools):
        series.append(Series(tool, method))
        series[-1].skipped = beyond.get((tool, method, case.family))
    for _ in range(rounds):
        for one in series:
            if not one.wants_more(rounds):
                continue
            reply = tools[one.tool].ask(one.method, path, limit)
            one.reply = reply
            if reply.get("limit"):
                beyond[one.tool, one.method, case.family] = reply["seconds"]
            elif not reply["note"]:
                one.seconds.append(reply["seconds"])
                check(case, series[0], one)
    return series


def check(case, ours, theirs):
    """All programs must have found the same."""
    a, b = ours.reply.get("checksum", 0.0), theirs.reply.get("checksum", 0.0)
    if abs(a - b) > 1e-6 * (1 + abs(a)):
        theirs.reply["note"] = f"another result: {b}, ours {a}"
    if "values" in theirs.reply or case.expected:
        found = theirs.reply.get("values", {})
        close = case.agreement
        difference = disagreement(ours.reply.get("values", {}), found, close) or disagreement(case.expected or found, found, close)
        if difference:
            theirs.reply["note"] = f"another result: {difference}"
    if theirs.reply["note"]:
        theirs.seconds.clear()


def disagreement(known, found, close):
    """What differs by more than `close` of the greatest, in words; a program need not give all the values."""
    shared = known.keys() & found.keys()
    if not shared:
        return "no values to compare"
    scale = 1 + max(abs(value) for value in known.values())
    wrong = [name for name in sorted(shared) if not abs(known[name] - found[name]) <= close * scale]
    return ", ".join(f"{name}: {found[name]!r}, not {known[name]!r}" for name in wrong[:4])
