#!/usr/bin/env python3
"""Runs of random models whose motions are known in closed form, by every method: no event is missed, kinks and resets come where they should.

usage: test_run_laws.py PROGRAM [--seed N] [--models N]

The judge shares nothing with the program: roots and motions are written down by formulas, piece by piece.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

METHODS = ("dop853", "taylor", "arkode", "adams", "bdf", "ida")


def simulate(program, text, until, method="dop853", tolerance=1e-10, extra=()):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.lia"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([program, "simulate", str(path), "--until", repr(until), "--tol", repr(tolerance), "--integrator", method, "--json",
                               *extra], capture_output=True, text=True, encoding="utf-8", timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"exit code {done.returncode} by {method}: {done.stderr}\n{text}")
    return json.loads(done.stdout)


# ---- event functions of which every root is known; x is the time, by a motion that needs three steps ----


def sine(rng, end):
    w, p, c = rng.uniform(0.5, 40), rng.uniform(0, 6), rng.uniform(-0.95, 0.95)
    roots = []
    for base in (math.asin(c), math.pi - math.asin(c)):
        k = math.ceil((p - base) / (2 * math.pi)) - 1
        while (t := (base + 2 * math.pi * k - p) / w) < end:
            roots += [t] if t > 0 else []
            k += 1
    return f"sin({w!r}*SLOT + {p!r}) = {c!r}", roots, []


def chirp(rng, end):
    w, c = rng.uniform(0.2, 3), rng.uniform(-0.9, 0.9)
    roots = []
    for base in (math.asin(c), math.pi - math.asin(c)):
        k = -1
        while (square := (base + 2 * math.pi * k) / w) < end * end:
            roots += [math.sqrt(square)] if square > 0 else []
            k += 1
    return f"sin({w!r}*SLOT^2) = {c!r}", roots, []


def polynomial(rng, end):
    roots = []
    while len(roots) < rng.randint(1, 7):
        r = round(rng.uniform(0.05, 0.98) * end, 6)
        roots += [r] if all(abs(r - other) > 1e-3 for other in roots) else []
    return "*".join(f"(SLOT - {r!r})" for r in roots) + " = 0", roots, []


def pulse(rng, end):
    c, w, v = rng.uniform(0.2, 0.8) * end, 10 ** rng.uniform(-3, -0.5), rng.uniform(0.1, 0.9)
    d = w * math.sqrt(-math.log(v))
    return f"exp(-((t - {c!r})/{w!r})^2) = {v!r}", [c - d, c + d], []


def front(rng, end):
    c, w = rng.uniform(0.1, 0.9) * end, 10 ** rng.uniform(-2, 0)
    return f"tanh((t - {c!r})/{w!r}) = 0", [c], []


def kinked(rng, end):
    c, d = rng.uniform(0.3, 0.7) * end, rng.uniform(0.01, 0.2) * end
    return f"abs(SLOT - {c!r}) = {d!r}", [c - d, c + d], []


def touching(rng, end):
    w = rng.uniform(0.6, 10)
    # It leaves zero at the start: that is an event there.
    return f"cos({w!r}*SLOT) = 1", [0.0], [2 * math.pi * k / w for k in range(1, int(end * w / (2 * math.pi)) + 1)]


def square(rng, end):
    r = rng.uniform(0.1, 0.9) * end
    s = round(r, 3)
    return f"(SLOT - {s!r})^2*(1 + SLOT) = 0", [], [s]


FAMILIES = (sine, sine, chirp, polynomial, pulse, front, kinked, touching, square)


def check_events(program, rng, count, methods):
    end = 10.0
    functions = [rng.choice(FAMILIES)(rng, end) for _ in range(count)]
    slots = [rng.choice(("t", "x")) for _ in functions]
    text = "coord x\nkinetic x'^2/2\nstart x' = 1\n" + "".join(
        f"event e{i}: {f[0].replace('SLOT', slot)}\n" for i, (f, slot) in enumerate(zip(functions, slots)))
    total = 0
    for method in methods:
        found = simulate(program, text, end, method)
        for i, (formula, roots, touches) in enumerate(functions):
            mine = [(e["t"], bool(e.get("touches"))) for e in found["events"] if e["name"] == f"e{i}"]
            want = sorted([(t, False) for t in roots] + [(t, True) for t in touches])
            near_end = [t for t, _ in want if end - t < 1e-5]
            # A double root is known to the root of what the motion is known to.
            close = len(mine) == len(want) and all(a[1] == b[1] and abs(a[0] - b[0]) < (1e-4 if b[1] or b[0] == 0 else 1e-8) for a, b in zip(mine, want))
            if not close and not near_end:
                raise AssertionError(f"{method}: `{formula}` along {slots[i]}\n found {mine}\n known {want}\n{text}")
        total += len(functions)
    return total


# ---- oscillators with kinks in the state and in the time, walls and boosts: pieces of sines ----


class Piece:
    """x'' = -k*x + d from (t0, x0, v0)."""

    def __init__(self, t0, x0, v0, k, d):
        self.t0, self.middle, self.w = t0, d / k, math.sqrt(k)
        self.a, self.b = x0 - self.middle, v0 / self.w

    def at(self, t):
        s = self.w * (t - self.t0)
        return (self.middle + self.a * math.cos(s) + self.b * math.sin(s), self.w * (self.b * math.cos(s) - self.a * math.sin(s)))

    def reaches(self, level, rising=None):
        """Times after t0 at which x = level, in one direction or both, in order, of one period."""
        size, c = math.hypot(self.a, self.b), level - self.middle
        if abs(c) >= size:
            return []
        phase, turn = math.atan2(self.b, self.a), math.acos(c / size)
        times = []
        for s, up in ((phase + turn, False), (phase - turn, True)):
            s %= 2 * math.pi
            if s * 1e9 < 1 or 2 * math.pi - s < 1e-9:
                s = 2 * math.pi
            if rising is None or rising == up:
                times.append(self.t0 + s / self.w)
        return sorted(times)


def follow(m, end):
    """The motion of a model: its events, and the state at the end."""
    t, x, v, events = 0.0, m["x0"], m["v0"], []
    side = 1 if x > 0 else -1
    n = 0  # half periods of the square wave that are over
    while True:
        force = m["A"] * (1 if n % 2 == 0 else -1)
        k = m["k_right"] if side > 0 else m["k_left"]
        piece = Piece(t, x, v, k, force - m["c"] * side)
        wave = (n + 1) * math.pi / m["w"]
        zero = piece.reaches(0.0, rising=side < 0)
        wall = piece.reaches(m["wall"], rising=True)
        gate = piece.reaches(m["gate"], rising=False)
        nexts = [(wave, "wave"), (end, "end")] + [(s, "zero") for s in zero[:1]] + [(s, "wall") for s in wall[:1]] + [(s, "gate") for s in gate[:1]]
        when, what = min(nexts)
        x, v = piece.at(when)
        t = when
        if what == "end":
            return events, x, v
        if what == "wave":
            n += 1
        elif what == "zero":
            side, x = -side, 0.0
            if (force - m["c"] * side) * side < 0 and abs(v) < 1e-3:
                return None  # nearly stuck at the kink: the judge does not know better
        elif what == "wall":
            events.append((t, "wall"))
            x, v = m["wall"], -m["e"] * v
        else:
            events.append((t, "gate"))
            x, v = m["gate"], m["boost"] * v
        if abs(v) < 1e-2 and what in ("wall", "zero", "gate"):
            return None  # too near a grazing


def random_model(rng):
    return {"k_right": rng.uniform(0.5, 9), "k_left": rng.uniform(0.5, 9), "c": rng.choice((0.0, rng.uniform(0.05, 0.5))), "A": rng.uniform(0, 1.5),
            "w": rng.uniform(0.7, 5), "wall": rng.uniform(0.5, 1.2), "e": rng.uniform(0.5, 1.1), "gate": -rng.uniform(0.3, 0.9),
            "boost": rng.uniform(0.8, 1.2), "x0": rng.uniform(0.1, 0.4), "v0": rng.uniform(0.2, 1)}


def text_of(m):
    # k_right*max(x, 0) + k_left*min(x, 0), with a jump c*sign(x)
    return (f"coord x\nkinetic x'^2/2\nforce x = -{m['k_right']!r}*max(x, 0) - {m['k_left']!r}*min(x, 0) - {m['c']!r}*sign(x) "
            f"+ {m['A']!r}*sign(sin({m['w']!r}*t))\nstart x = {m['x0']!r}, x' = {m['v0']!r}\n"
            f"event wall: x = {m['wall']!r} rising then reset x' = -{m['e']!r}*x'\n"
            f"event gate: x = {m['gate']!r} falling then reset x' = {m['boost']!r}*x'\n")


def check_hybrid(program, rng, methods):
    end = 12.0
    while True:
        m = random_model(rng)
        known = follow(m, end)
        if known is not None:
            break
    events, x, v = known
    # What a difference becomes along the motion, measured on the judge itself.
    shifted = follow({**m, "x0": m["x0"] + 1e-7}, end)
    growth = 1e3 if shifted is None else max(1.0, abs(shifted[1] - x) / 1e-7, abs(shifted[2] - v) / 1e-7)
    if growth > 1e3 or (shifted is not None and len(shifted[0]) != len(events)):
        return check_hybrid(program, rng, methods)
    for method in methods:
        found = simulate(program, text_of(m), end, method)
        mine = [(e["t"], e["name"]) for e in found["events"]]
        tolerance = 2e-7 * growth
        if [name for _, name in mine] != [name for _, name in events] or any(abs(a[0] - b[0]) > tolerance for a, b in zip(mine, events)):
            raise AssertionError(f"{method}: events\n found {mine}\n known {events}\n{text_of(m)}")
        if abs(found["final"]["x"] - x) > tolerance or abs(found["final"]["x'"] - v) > tolerance:
            raise AssertionError(f"{method}: found {found['final']}, known {x!r}, {v!r}, growth {growth:.3g}\n{text_of(m)}")
    return len(events)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=int, default=12)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    functions = sum(check_events(arguments.program, rng, 50, ("dop853",)) for _ in range(20))
    functions_by_all = sum(check_events(arguments.program, rng, 20, METHODS) for _ in range(2))
    events = sum(check_hybrid(arguments.program, rng, METHODS) for _ in range(arguments.models))
    print(f"{functions} event functions, {functions_by_all} by {len(METHODS)} methods; {arguments.models} models with kinks and resets, {events} resets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
