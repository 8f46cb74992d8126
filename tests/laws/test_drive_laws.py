#!/usr/bin/env python3
"""What a drive does is independent of how it is written: of the function of the time that is called q0, and of the coordinates.

usage: test_drive_laws.py PROGRAM [--seeds N]
       test_drive_laws.py PROGRAM --mutants

Random driven models are written several times: with q0 = t, 2*t, exp(t), t + t^3 or without a name, the drive as a coordinate with a constraint, and in
other coordinates. Positions of the particles, T, V and the power of the drive agree along a run; R_0 of each is R_0 of the first times the derivative of
the first q0 by its own (a covector). So the extended theory has the motions of the classical one, and R_0 besides (row V.terminology). With --mutants each of these rules is broken on purpose, and the judge has to see it.
"""

import csv
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

TOLERANCE = 1e-7  # of runs to 1e-11, against the largest value of a column
# the name of a choice of q0: (its law, the time by it, its rate at t)
CHOICES = {"t": ("t", "{s}", lambda t: 1),
           "twice": ("2*t", "({s}/2)", lambda t: 2),
           "exp": ("exp(t)", "log({s})", math.exp),
           "shifted": ("3 - t/2", "(6 - 2*{s})", lambda t: -0.5),
           "root": ("sqrt(1 + t)", "({s}^2 - 1)", lambda t: 0.5 / math.sqrt(1 + t))}


def number(generator, low, high):
    return round(generator.uniform(low, high), 3)


def random_model(generator):
    """Two particles on arms that a drive tau moves; texts in q1, q2 and the function tau = f(u) of the time u."""
    n = lambda low, high: number(generator, low, high)
    law = generator.choice([f"{n(0.1, 0.4)}*sin({n(1, 3)}*U) + {n(-1, 1)}*U", f"U + U^3/{n(3, 9)}", f"{n(0.2, 0.6)}*U^2 - {n(0.1, 1)}*U",
                            f"{n(0.1, 0.5)}*cos({n(1, 3)}*U)"])
    a, b, c = n(0.3, 1), n(0.3, 1), n(-0.6, 0.6)
    first = [f"{a}*sin(X1) + {n(-1, 1)}*S", f"-{a}*cos(X1) + {n(-1, 1)}*S^2", f"{c}*S*X1"]
    second = [f"{first[0]} + {b}*sin(X2)*cos(S)", f"{first[1]} - {b}*cos(X2)", f"{first[2]} + {b}*sin(X2)*sin(S)"]
    return {"law": law, "first": first, "second": second, "masses": (n(0.5, 2), n(0.5, 2)), "drag": n(0, 0.4), "spring": n(0, 3),
            "start": (n(-1, 1), n(-1, 1)), "rates": (n(-1, 1), n(-1, 1))}


def written(model, drive, coordinates="plain", broken=None):
    """The text with the drive as a choice of q0, "none" (the time itself), "own" (q0 is the law itself) or "motor" (a constraint)."""
    x1, x2, lines = "q1", "q2", []
    y, v = list(model["start"]), list(model["rates"])
    if coordinates == "bent":  # q1 = p1 + p1^3/5, q2 = p2 + p1/2
        lines.append("coord p1, p2")
        x1, x2 = "(p1 + p1^3/5)", "(p2 + p1/2)"
        p1 = y[0]
        for _ in range(60):
            p1 -= (p1 + p1**3 / 5 - y[0]) / (1 + 3 * p1**2 / 5)
        rate = v[0] / (1 + 3 * p1**2 / 5)
        if broken == "velocities":
            rate = v[0]
        start = f"start p1 = {p1!r}, p2 = {y[1] - p1 / 2!r}, p1' = {rate!r}, p2' = {v[1] - rate / 2!r}"
    else:
        lines.append("coord q1, q2")
        start = f"start q1 = {y[0]}, q2 = {y[1]}, q1' = {v[0]}, q2' = {v[1]}"
    if drive == "none":
        s, asked = f"({model['law'].replace('U', 't')})", "t"
    elif drive == "own":
        lines.append(f"rheonomic s = {model['law'].replace('U', 't')}")
        s, asked = "s", "s"
    elif drive == "motor":
        lines[0] += ", s"
        lines.append(f"constraint motor: s = {model['law'].replace('U', 't')}")
        s, asked = "s", "motor"
    else:
        law, back, _ = CHOICES[drive]
        lines.append(f"rheonomic s = {law}")
        s, asked = f"({model['law'].replace('U', back.format(s='s'))})", "s"
    put = lambda text: re.sub(r"\b(X1|X2|S)\b", lambda found: {"X1": x1, "X2": x2, "S": s}[found.group(1)], text)
    for name, place, mass in (("P", model["first"], model["masses"][0]), ("R", model["second"], model["masses"][1])):
        lines.append(f"particle {name} mass {mass} at [{', '.join(map(put, place))}]")
        lines += [f"output {name}_{k} = {put(part)}" for k, part in enumerate(place)]
    k = 2 if broken == "potential" else 1
    lines += ["gravity [0, -9.81, 0]", f"potential {k * model['spring']}/2*{x1}^2"]
    # drag on the second particle: it pushes the drive too
    lines += [f"let v{k} = {put(part)}" for k, part in enumerate(model["second"])]
    drag = ", ".join(f"-{model['drag']}*v{k}'" for k in range(3))
    lines.append(f"force [{drag}] at R")
    power = "drive_force" if broken == "power" else "drive_power"
    lines += [f"output force = drive_force({asked})", f"output power = {power}({asked})", "output kinetic = T", "output stored = V", start]
    return "\n".join(lines) + "\n"


def rows(program, text):
    with tempfile.TemporaryDirectory() as folder:
        path, table = pathlib.Path(folder) / "m.lia", pathlib.Path(folder) / "m.csv"
        path.write_text(text, encoding="utf-8")
        command = [program, "simulate", path, "--project", "--until", 0.8, "--every", 0.1, "--tol", 1e-11, "-o", table]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, encoding="utf-8", timeout=300)
        if done.returncode != 0:
            raise RuntimeError(f"{done.stderr}\n{text}")
        with open(table, encoding="utf-8") as file:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def differs(one, two, rate_one, rate_two, covector=True):
    """The first column that does not agree; None: all do. `rate` is q0' at a time, None: the force is not compared."""
    names = [name for name in one[0] if name[:2] in ("P_", "R_")] + ["power", "kinetic", "stored"]
    for name in names:
        size = max(1e-3, *(abs(row[name]) for row in one))
        for a, b in zip(one, two, strict=True):
            if not abs(a[name] - b[name]) <= TOLERANCE * size:
                return f"{name} at t = {a['t']}: {a[name]!r} and {b[name]!r}"
    if rate_one and rate_two:
        size = max(1e-3, *(abs(row["force"] * rate_one(row["t"])) for row in one))
        for a, b in zip(one, two):
            factor = rate_one(a["t"]) / rate_two(a["t"]) if covector else 1
            if not abs(a["force"] * factor - b["force"]) * abs(rate_two(a["t"])) <= TOLERANCE * size:
                return f"force at t = {a['t']}: {a['force']!r} times {factor!r} and {b['force']!r}"
    return None


def rate_of(drive):
    return CHOICES[drive][2] if drive in CHOICES else (lambda t: 1) if drive == "none" else None


def judged(program, seed):
    """What does not agree among the ways in which a random model is written."""
    generator = random.Random(seed)
    model = random_model(generator)
    first = rows(program, written(model, "t"))
    wrong, own = [], rows(program, written(model, "own"))
    for drive in ["twice", "exp", "shifted", "root", "none"]:
        coordinates = generator.choice(["plain", "bent"])
        difference = differs(first, rows(program, written(model, drive, coordinates)), rate_of("t"), rate_of(drive))
        if difference:
            wrong.append(f"seed {seed}, {drive}, {coordinates}: {difference}")
    difference = differs(first, own, None, None)
    if difference:
        wrong.append(f"seed {seed}, own law: {difference}")
    motor = rows(program, written(model, "motor"))
    difference = differs(own, motor, None, None)
    if difference is None and any(abs(a["force"] - b["force"]) > TOLERANCE * max(1, *(abs(row["force"]) for row in own)) for a, b in zip(own, motor)):
        difference = "the force of a drive as a coordinate is not its factor"
    if difference:
        wrong.append(f"seed {seed}, motor: {difference}")
    return wrong


def mutants(program):
    """Rules that are broken on purpose, and were not seen."""
    model = random_model(random.Random(5))
    model["spring"], model["rates"] = 2, (0.7, -0.4)
    first = rows(program, written(model, "t"))
    unseen = []
    if not differs(first, rows(program, written(model, "twice")), rate_of("t"), rate_of("twice"), covector=False):
        unseen.append("R_0 that is no covector")
    for broken, drive, coordinates in (("power", "twice", "plain"), ("velocities", "t", "bent"), ("potential", "exp", "plain")):
        if not differs(first, rows(program, written(model, drive, coordinates, broken)), rate_of("t"), rate_of(drive)):
            unseen.append(broken)
    return unseen


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    if "--mutants" in sys.argv:
        unseen = mutants(program)
        print(f"4 broken rules; not seen: {', '.join(unseen) or 'none'}")
        return 1 if unseen else 0
    seeds = int(sys.argv[sys.argv.index("--seeds") + 1]) if "--seeds" in sys.argv else 8
    wrong = [line for seed in range(seeds) for line in judged(program, seed)]
    print(f"{seeds} models in eight ways; {len(wrong)} differences")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
