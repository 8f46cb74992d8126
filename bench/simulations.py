"""Cases of the group "simulate": models in the language .lia, the state at which results are compared, and who takes part.

  first-step  from the file of a model to the state after one thousandth of a second
  evaluate    accelerations and factors at a state
  trajectory  the state at a later time, at a tolerance
  growth      one evaluation and one step of long chains in absolute coordinates

The peers build the same systems with the same names from `family` and `size`.
"""

import importlib.util
import pathlib
import random
from math import cos, pi, sin

from cases import Case, names
from derivations import chain_accelerations, random_values, rates

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOLERANCES = (1e-6, 1e-9, 1e-12)


class Simulation(Case):
    """A case with the file of a model beside it; `facts` are further lines of the case."""

    def __init__(self, task, family, size, model, values, series, expected=()):
        super().__init__(f"{task}-{family}", size, task, [], list(values))
        self.model, self.values, self.expected = model, values, dict(expected)
        self.series = [("liaison", "work"), *series]
        self.facts = []

    def point(self):
        return self.values

    def write(self, folder):
        path = folder.resolve() / f"{self.name}.lia"
        path.write_text(self.model, encoding="utf-8")
        self.lines = [f"model {path}", *self.facts]
        super().write(folder)


def classic(name):
    return (ROOT / f"models/classics/{name}.lia").read_text(encoding="utf-8")


def rod_chain(n):
    specification = importlib.util.spec_from_file_location("make_chain", ROOT / "tools/make_chain.py")
    tool = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(tool)
    return tool.model(n, "chain")


def particle_chain(n, values, start=()):
    """Particles on massless rods, absolute angles from the downward vertical, all numbers in the text."""
    q, m, l = (names(letter, n) for letter in "qml")
    given = ", ".join(f"{p} > 0 = {values[p]!r}" for p in m + l)
    lines = [f'system "Chain of {n} particles"', f"param {given}, g = {values['g']!r}", f"coord {', '.join(q)}", "gravity [0, -g]"]
    x, y = "", ""
    for k in range(n):
        lines.append(f"let x{k + 1} = {x}{l[k]}*sin({q[k]})")
        lines.append(f"let y{k + 1} = {y}-{l[k]}*cos({q[k]})")
        lines.append(f"particle P{k + 1} mass {m[k]} at [x{k + 1}, y{k + 1}]")
        x, y = f"x{k + 1} + ", f"y{k + 1} "
    if start:
        lines.append("start " + ", ".join(f"{name} = {values[name]!r}" for name in start))
    return "\n".join(lines) + "\n"


def chain_values(seed, n):
    q = names("q", n)
    return random_values(seed, q + rates(q) + names("m", n) + names("l", n)) | {"g": 9.81}


# One evaluation.


def chain_evaluation(n):
    values = chain_values(f"evaluate {n}", n)
    methods = [("casadi", "schur"), ("casadi", "plain" if n <= 20 else "ldl")]
    if 5 <= n <= 10:
        methods.append(("casadi", "qr"))
    expected = zip(names("q", n), chain_accelerations(n, values))
    return Simulation("evaluate", "chain", n, particle_chain(n, values), values, [*methods, ("pinocchio", "aba")], expected)


def disc_values():
    values = random_values("evaluate disc", ["x", "y", "psi", "theta", "phi", "psi'", "theta'", "phi'"])
    values |= {"m": 1, "R": 0.3, "g": 9.81}
    return values | rolling_speeds(values)


def rolling_speeds(values):
    along = values["R"] * (values["phi'"] + values["psi'"] * sin(values["theta"]))
    across = values["R"] * values["theta'"] * cos(values["theta"])
    s, c = sin(values["psi"]), cos(values["psi"])
    return {"x'": along * c + across * s, "y'": along * s - across * c}


def disc_evaluation():
    methods = [("casadi", method) for method in ("schur", "plain", "qr")]
    return Simulation("evaluate", "tilting-disc", None, classic("tilting_disc"), disc_values(), methods)


def four_bar_state():
    """By Newton's method for the angles of coupler and rocker."""
    values = {"a": 0.3, "b": 0.7, "c": 0.5, "d": 0.6, "m1": 1, "m2": 2, "m3": 1.5, "g": 9.81, "th1": 1.0, "th1'": 2.0}
    a, b, c, d = (values[name] for name in "abcd")
    th1, th2, th3 = 1.0, 0.3, 1.3
    for _ in range(50):
        x = a * cos(th1) + b * cos(th2) - d - c * cos(th3)
        y = a * sin(th1) + b * sin(th2) - c * sin(th3)
        det = b * c * sin(th3 - th2)
        th2, th3 = th2 - c * (x * cos(th3) + y * sin(th3)) / det, th3 - b * (x * cos(th2) + y * sin(th2)) / det
    speed = values["th1'"]
    det = b * c * sin(th3 - th2)
    values |= {"th2": th2, "th3": th3, "th2'": a * c * sin(th1 - th3) * speed / det, "th3'": a * b * sin(th1 - th2) * speed / det}
    return values


def four_bar_evaluation():
    methods = [("casadi", method) for method in ("schur", "plain", "qr")]
    return Simulation("evaluate", "four-bar", None, classic("four_bar"), four_bar_state(), methods)


def rod_values(n):
    rng = random.Random(f"rods {n}")
    values = {"m": 1, "l": 1, "g": 9.81, "a": 1.2}
    for i in range(1, n + 1):
        values |= {f"phi{i}": -pi / 2 + rng.randint(-700, 700) / 1000, f"phi{i}'": rng.randint(-500, 500) / 1000}
    return values


def rod_evaluation(n):
    methods = [("casadi", method) for method in (("schur", "linqr") if n <= 100 else ("schur",))]
    if n <= 100:  # its Data has tensors of n^3 numbers: 32 GB for 1000 joints
        methods.append(("pinocchio", "aba"))
    return Simulation("evaluate", "rods", n, rod_chain(n), rod_values(n), methods)


def growth(n):
    return Simulation("growth", "rods", n, rod_chain(n), rod_values(n), [])


# Trajectories.


PEERS_IN_TIME = [("liaison", "bare"), ("liaison", "taylor"), ("heyoka", "taylor"), ("sundials", "arkode"), ("sundials", "adams"), ("scipy", "dop853")]


class Trajectory(Simulation):
    def __init__(self, family, model, values, end, tolerance, size=None):
        super().__init__("trajectory", family, size, model, values, PEERS_IN_TIME)
        self.name += f"-{tolerance:.0e}"
        self.tolerance, self.agreement = tolerance, 1e5 * tolerance
        self.facts = [f"until {end!r}", f"tolerance {tolerance!r}"]


def pendulum(n, end, tolerance):
    values = {"g": 9.81}
    for i in range(1, n + 1):
        values |= {f"q{i}": 1.0 - 0.5 * (i - 1) / max(1, n - 1), f"q{i}'": 0.0, f"m{i}": 1.0 + 0.25 * i, f"l{i}": 1.1 - 0.1 * i}
    return Trajectory("chain", particle_chain(n, values, names("q", n)), values, end, tolerance, n)


def disc_motion(end, tolerance):
    values = {"x": 0.0, "y": 0.0, "psi": 0.0, "theta": 0.2, "phi": 0.0, "psi'": 0.0, "theta'": 0.0, "phi'": 10.0}
    values |= {"m": 1.0, "R": 0.3, "g": 9.81}
    return Trajectory("tilting-disc", classic("tilting_disc"), values | rolling_speeds(values), end, tolerance)


# From the file to the first step.


def first_steps(quick):
    peers = [("sympy", "kane"), ("sympy", "lagrange")]
    for n in (2,) if quick else (2, 5, 10):
        values = chain_values(f"first step {n}", n)
        start = names("q", n) + rates(names("q", n))
        yield Simulation("first-step", "chain", n, particle_chain(n, values, start), values, peers)
    values = {"x": 0.0, "y": 0.0, "phi": 0.0, "theta": 0.0, "phi'": 1.0, "theta'": 2.0, "m": 1.0, "R": 0.5, "x'": 0.0, "y'": 1.0}
    yield Simulation("first-step", "rolling-disc", None, classic("rolling_disc"), values, peers)


def simulations(quick):
    yield from first_steps(quick)
    for n in (2, 5) if quick else (2, 5, 10, 20, 50):
        yield chain_evaluation(n)
    yield disc_evaluation()
    yield four_bar_evaluation()
    for n in (100,) if quick else (100, 1000):
        yield rod_evaluation(n)
    for tolerance in TOLERANCES:
        yield pendulum(2, 10.0, tolerance)
    for tolerance in TOLERANCES:
        yield pendulum(5, 5.0, tolerance)
    for tolerance in TOLERANCES:
        yield disc_motion(10.0, tolerance)
    for n in (100, 300) if quick else (100, 300, 1000, 3000, 10000):
        yield growth(n)
