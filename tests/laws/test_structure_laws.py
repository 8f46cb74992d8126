#!/usr/bin/env python3
"""What `analyze` finds holds along motions that it did not compute, and does not depend on the coordinates.

usage: test_structure_laws.py PROGRAM [--only NAME]
       test_structure_laws.py PROGRAM --mutants    findings that are wrong on purpose must be caught

SymPy writes Lagrange's equations with factors, mpmath integrates them to 30 digits. Then
  - every integral that was found keeps its value,
  - every symmetry maps motions to motions: its finite flow before and after a motion gives the same state,
  - in other coordinates, q = P Q + b with random fractions, as many integrals and symmetries are found, the same verdicts come out, and each
    integral of the new model, taken back, is constant along motions of the old one.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import mpmath
import sympy

DIGITS = 30
LIMIT = 300  # seconds of one analysis


class Mechanism:
    """Coordinates, T, V and linear constraints as text in the notation of models."""

    def __init__(self, coordinates, kinetic, potential="0", constraints=(), degree=2, linear=True):
        self.coordinates, self.kinetic, self.potential, self.constraints = coordinates, kinetic, potential, constraints
        self.degree, self.linear = degree, linear  # linear: searched forms are the same in coordinates that are changed linearly

    def model(self):
        lines = [f"coord {', '.join(self.coordinates)}", f"kinetic {self.kinetic}"]
        lines += [f"potential {self.potential}"] if self.potential != "0" else []
        lines += [f"constraint c{i}: {text} = 0" for i, text in enumerate(self.constraints)]
        return "\n".join(lines) + "\n"

    def in_other_coordinates(self, matrix, shift):
        """q_i = sum P_ij Q_j + b_i; the new coordinates have the names of the old ones."""
        def changed(text):
            def new(match):
                i, prime = self.coordinates.index(match[1]), match[2]
                terms = [f"({matrix[i][j]})*{name}{prime}" for j, name in enumerate(self.coordinates)]
                return "(" + " + ".join(terms + ([] if prime else [f"({shift[i]})"])) + ")"
            return re.sub(rf"(?<![\w'])({'|'.join(self.coordinates)})('?)(?![\w'])", new, text)
        return Mechanism(self.coordinates, changed(self.kinetic), changed(self.potential), [changed(c) for c in self.constraints], self.degree)


MECHANISMS = {
    "Kepler": Mechanism(["x", "y"], "(x'^2 + y'^2)/2", "-1/sqrt(x^2 + y^2)", linear=False),
    "Henon and Heiles": Mechanism(["x", "y"], "(x'^2 + y'^2)/2", "x^2*y + 2*y^3"),
    "Toda": Mechanism(["x", "y", "z"], "(x'^2 + y'^2 + z'^2)/2", "exp(x - y) + exp(y - z) + exp(z - x)", degree=3, linear=False),
    "oscillator": Mechanism(["x", "y"], "(x'^2 + y'^2)/2", "(x^2 + y^2)/2"),
    "falling": Mechanism(["x", "y"], "x'^2 + y'^2/2", "3*y"),
    "disc": Mechanism(["x", "y", "a", "b"], "(x'^2 + y'^2)/2 + a'^2/8 + b'^2/4", "0", ["x' - b'*cos(a)", "y' - b'*sin(a)"], linear=False),
    "contact form": Mechanism(["x", "y", "z"], "(x'^2 + y'^2 + z'^2)/2", "0", ["z' - y*x'"], degree=1),
}


def analyze(program, mechanism):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.lia"
        path.write_text(mechanism.model(), encoding="utf-8")
        done = subprocess.run([program, "analyze", str(path), "--json", "--degree", str(mechanism.degree), "--only",
                               "constraints,symmetries,integrals,integrability"], capture_output=True, text=True, timeout=LIMIT)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def symbolic(text):
    """x' is the symbol x_v."""
    names = set(re.findall(r"[^\W\d]\w*", text)) - {"sqrt", "exp", "sin", "cos", "log"}
    local = {name: sympy.Symbol(name) for name in names} | {f"{name}_v": sympy.Symbol(f"{name}_v") for name in names}
    return sympy.sympify(re.sub(r"([^\W\d]\w*)'", r"\1_v", text).replace("^", "**"), locals=local, rational=True)


class Motion:
    """Lagrange's equations of a mechanism with their factors, by SymPy; states are lists q, v."""

    def __init__(self, mechanism):
        names = mechanism.coordinates
        self.q = [sympy.Symbol(name) for name in names]
        self.v = [sympy.Symbol(f"{name}_v") for name in names]
        self.time = sympy.Symbol("t")
        n, symbols = len(names), self.q + self.v
        lagrangian = symbolic(mechanism.kinetic) - symbolic(mechanism.potential)
        mass = sympy.hessian(lagrangian, self.v)
        load = [sympy.diff(lagrangian, self.q[i]) - sum(sympy.diff(lagrangian, self.v[i], self.q[j]) * self.v[j] for j in range(n)) for i in range(n)]
        rows = [[sympy.diff(symbolic(c), v) for v in self.v] for c in mechanism.constraints]
        bias = [sum(sympy.diff(row[i], self.q[j]) * self.v[i] * self.v[j] for i in range(n) for j in range(n)) for row in rows]
        self.rows = sympy.lambdify(symbols, rows, "mpmath")
        self.parts = sympy.lambdify(symbols, [mass.tolist(), load, rows, bias], "mpmath")
        self.n, self.m = n, len(rows)

    def rate(self, state):
        n, m = self.n, self.m
        mass, load, rows, bias = self.parts(*state)
        matrix, right = mpmath.matrix(n + m), mpmath.matrix(n + m, 1)
        for i in range(n):
            right[i] = load[i]
            for j in range(n):
                matrix[i, j] = mass[i][j]
        for k in range(m):
            right[n + k] = -bias[k]
            for i in range(n):
                matrix[n + k, i] = matrix[i, n + k] = rows[k][i]
        solved = mpmath.lu_solve(matrix, right)
        return list(state[n:]) + [solved[i] for i in range(n)]

    def start(self, generator):
        """A random state that satisfies the constraints."""
        q = [mpmath.mpf(generator.randint(20, 90)) / 100 for _ in range(self.n)]
        v = mpmath.matrix([mpmath.mpf(generator.randint(-90, 90)) / 100 for _ in range(self.n)])
        if self.m:
            a = mpmath.matrix(self.rows(*q, *v))
            v = v - a.T * mpmath.lu_solve(a * a.T, a * v)
        return q + list(v)


def follow(rate, state, length, steps=8, columns=13):
    """Gragg's steps extrapolated (Bulirsch and Stoer)."""
    size = mpmath.mpf(length) / steps
    for _ in range(steps):
        table = []
        for k in range(columns):
            parts = 2 * (k + 1)
            h = size / parts
            before, now = state, [s + h * r for s, r in zip(state, rate(state))]
            for _ in range(parts - 1):
                before, now = now, [b + 2 * h * r for b, r in zip(before, rate(now))]
            row = [[(a + b + h * r) / 2 for a, b, r in zip(now, before, rate(now))]]
            for j in range(k):
                factor = (mpmath.mpf(parts) / (2 * (k - j)))**2 - 1
                row.append([a + (a - b) / factor for a, b in zip(row[j], table[-1][j])])
            table.append(row)
        state = table[-1][-1]
    return state


def distance(first, second):
    return max(abs(a - b) for a, b in zip(first, second)) / max(1, *(abs(a) for a in first))


def wrong_integrals(motion, integrals, generator, to_old=None):
    """Those that change along a motion. to_old: texts of the old coordinates by new ones are put in by the caller."""
    start = motion.start(generator)
    length = mpmath.mpf(1) / 2
    end = follow(motion.rate, start, length)
    for text in integrals:
        function = sympy.lambdify(motion.q + motion.v + [motion.time], (to_old or symbolic)(text), "mpmath")
        first, last = function(*start, mpmath.mpf(0)), function(*end, length)
        if abs(first - last) > mpmath.mpf(10)**-(DIGITS - 6) * max(1, abs(first)):
            yield text


def wrong_symmetries(motion, fields, generator):
    """Those whose flow, on positions, velocities and time, does not take motions to motions. None of the equations has the time."""
    start = motion.start(generator)
    length = mpmath.mpf(1) / 4
    end = follow(motion.rate, start, length, 4)
    for text in fields:
        bases = {}

        def base(match):
            name = match[1] + ("_v" if match[2] else "")
            bases[name] = sympy.Symbol(f"along_{name}")
            return f"along_{name}"

        field = sympy.expand(symbolic(re.sub(r"\bd/d([^\W\d]\w*)('?)", base, text)))
        clock = field.coeff(bases["t"]) if "t" in bases else sympy.Integer(0)
        components = [field.coeff(bases[s.name]) if s.name in bases else sympy.Integer(0) for s in motion.q + motion.v]
        function = sympy.lambdify(motion.q + motion.v + [motion.time], [*components, clock], "mpmath")

        def flow(state, time):
            return follow(lambda s: [mpmath.mpf(x) for x in function(*s)], [*state, time], mpmath.mpf(3) / 10, 4)[:-1]

        before = follow(motion.rate, flow(start, mpmath.mpf(0)), length, 4)
        if distance(before, flow(end, length)) > mpmath.mpf(10)**-(DIGITS - 8):
            yield text


def summary(result):
    """What no change of coordinates changes. Which theorem gives quadratures may: coordinates that the field does not contain are left out first,
    and a velocity that is free in one chart may need a division in another, which lowers a grade to checked."""
    integrability = result["integrability"]
    return {"growth": result.get("growth_vector"), "holonomic": result["holonomic"], "symmetries": len(result["symmetries"]),
            "integrals": len(result["first_integrals"]), "by quadratures": integrability["by"] is not None, "holds": integrability["grade"] in ("proved", "checked"),
            "in involution": len(integrability.get("involution", []))}


def random_change(n, generator):
    while True:
        matrix = [[generator.randint(-2, 2) for _ in range(n)] for _ in range(n)]
        if sympy.Matrix(matrix).det() != 0:
            return matrix, [f"{generator.randint(-3, 3)}/2" for _ in range(n)]


def judge(name, mechanism, result, other, change, generator):
    """What is wrong with the findings of a mechanism, and of the same one in other coordinates, one by one."""
    if other is not None and summary(result) != summary(other):
        yield f"{name}: in other coordinates {summary(other)}, and not {summary(result)}"
    motion = Motion(mechanism)
    for text in wrong_integrals(motion, [i["expression"] for i in result["first_integrals"]], generator):
        yield f"{name}: {text} is not constant"
    for text in wrong_symmetries(motion, [s["field"] for s in result["symmetries"]], generator):
        yield f"{name}: {text} is no symmetry"
    if other is None:
        return
    matrix, shift = change
    inverse = sympy.Matrix(matrix).inv()
    old = inverse * (sympy.Matrix(motion.q) - sympy.Matrix([sympy.Rational(s) for s in shift]))
    values = dict(zip(motion.q, old)) | dict(zip(motion.v, inverse * sympy.Matrix(motion.v)))

    def to_old(text):
        return symbolic(text).xreplace(values)

    for text in wrong_integrals(motion, [i["expression"] for i in other["first_integrals"]], generator, to_old):
        yield f"{name}: {text} of the other coordinates is not constant"


def mutants(result, other):
    """Findings that are wrong in one place."""
    def changed(original, edit):
        copy = json.loads(json.dumps(original))
        edit(copy)
        return copy

    last = result["first_integrals"][-1]["expression"]
    velocity = re.search(r"[^\W\d]\w*'", last)[0]
    yield "an integral with another term", changed(result, lambda r: r["first_integrals"][-1].update(expression=f"{last} + {velocity[:-1]}/1000000")), other
    field = result["symmetries"][0]["field"]
    yield "a field with another term", changed(result, lambda r: r["symmetries"][0].update(field=f"{field} + {velocity[:-1]}*d/d{velocity[:-1]}")), other
    if other is not None:
        yield "an integral lost in other coordinates", result, changed(other, lambda r: r["first_integrals"].pop())
        yield "a symmetry lost in other coordinates", result, changed(other, lambda r: r["symmetries"].pop())
        yield "another verdict in other coordinates", result, changed(other, lambda r: r["integrability"].update(by=None))
        text = other["first_integrals"][-1]["expression"]
        yield "an integral that was not changed", result, changed(other, lambda r: r["first_integrals"][-1].update(expression=f"{text} + {velocity[:-1]}^2/1000"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only")
    parser.add_argument("--mutants", action="store_true")
    options = parser.parse_args()
    mpmath.mp.dps = DIGITS + 15
    wrong, judged, caught = [], 0, 0
    chosen = {options.only: MECHANISMS[options.only]} if options.only else MECHANISMS
    if options.mutants and not options.only:
        chosen = {name: MECHANISMS[name] for name in ("Henon and Heiles", "contact form")}
    for name, mechanism in chosen.items():
        generator = random.Random(f"laws of {name}")
        result = analyze(options.program, mechanism)
        change, other = None, None
        if mechanism.linear:
            change = random_change(len(mechanism.coordinates), generator)
            other = analyze(options.program, mechanism.in_other_coordinates(*change))
        if options.mutants:
            for kind, first, second in mutants(result, other):
                judged += 1
                if next(judge(name, mechanism, first, second, change, generator), None):
                    caught += 1
                else:
                    wrong.append(f"{name}: not caught: {kind}")
        else:
            judged += len(result["first_integrals"]) + len(result["symmetries"])
            wrong += judge(name, mechanism, result, other, change, generator)
    print(f"{judged} findings judged" + (f", {caught} wrong ones caught" if options.mutants else ""))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
