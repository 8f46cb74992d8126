#!/usr/bin/env python3
"""What `analyze` finds and proves of random systems whose integrals and symmetries are known, because they were made from them.

usage: test_known_integral_laws.py PROGRAM [--count N] [--seed S]
       test_known_integral_laws.py PROGRAM --mutants     known integrals that are none must be missed

SymPy judges: every integral that is proved is constant along the motion; where no other is said to exist (proved), each known one of the form
is a function of those found; every field that is proved a symmetry keeps the Lagrangian, and each known one is a combination of those found. Systems are
written in coordinates that are polynomials of those they were made in.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import sympy

LIMIT = 300  # seconds of one analysis
Q = sympy.symbols("x y z")
V = sympy.symbols("x_v y_v z_v")
T = sympy.Symbol("t")


def as_text(e):
    return re.sub(r"\b([xyz])_v\b", r"\1'", str(e)).replace("**", "^")


def symbolic(text):
    local = {str(s): s for s in (*Q, *V)}
    return sympy.sympify(re.sub(r"\b([xyz])'", r"\1_v", text).replace("^", "**"), locals=local, rational=True)


class Known:
    """T, V, integrals of degree two at most in the velocities, and fields on the positions."""

    def __init__(self, n, kinetic, potential, integrals, fields, kind):
        self.n, self.kinetic, self.potential, self.integrals, self.fields, self.kind = n, kinetic, potential, integrals, fields, kind

    def turned(self, generator):
        """In coordinates of which the old ones are polynomials: x = X, y = Y + p(X), z = Z + p(X, Y); fields are pushed along."""
        q, v = Q[:self.n], V[:self.n]
        shift = [sympy.Integer(0)]
        for i in range(1, self.n):
            p = generator.choice([-1, 1, 2]) * generator.choice(q[:i]) ** generator.randint(1, 2)
            shift.append(p if generator.random() < 0.5 else sympy.Integer(0))
        new = [qi + s for qi, s in zip(q, shift)]
        rates = [sum(sympy.diff(e, qj) * vj for qj, vj in zip(q, v)) for e in new]
        put = dict(zip(q, new)) | dict(zip(v, rates))
        jacobian = sympy.Matrix([[sympy.diff(e, qj) for qj in q] for e in new])
        fields = [list(sympy.expand(jacobian.inv() * sympy.Matrix([sympy.sympify(c).subs(put, simultaneous=True) for c in field])))
                  for field in self.fields]
        return Known(self.n, sympy.expand(self.kinetic.subs(put, simultaneous=True)), self.potential.subs(put, simultaneous=True),
                     [f.subs(put, simultaneous=True) for f in self.integrals], fields, self.kind + ", turned")

    def model(self):
        lines = [f"coord {', '.join(map(str, Q[:self.n]))}", f"kinetic {as_text(self.kinetic)}"]
        lines += [f"potential {as_text(self.potential)}"] if self.potential != 0 else []
        return "\n".join(lines) + "\n"

    def accelerations(self):
        q, v = Q[:self.n], V[:self.n]
        lagrangian = self.kinetic - self.potential
        mass = sympy.hessian(self.kinetic, v)
        load = sympy.Matrix([sympy.diff(lagrangian, q[i]) - sum(sympy.diff(lagrangian, v[i], q[j]) * v[j] for j in range(self.n)) for i in range(self.n)])
        return mass.LUsolve(load)


def function_of_one(generator, u):
    kind = generator.randint(0, 4)
    k = generator.choice([1, 2, 3])
    return [k * u ** 2, k * u ** 4 - u ** 2, sympy.cos(k * u), u ** 3 + k * u, k * u][kind]


ORTHOGONAL = [sympy.Matrix([[3, 4], [-4, 3]]) / 5, sympy.Matrix([[1, 0], [0, 1]]), sympy.Matrix([[5, 12], [-12, 5]]) / 13]


def separated(generator):
    """Sums of functions of orthogonal combinations."""
    turn = generator.choice(ORTHOGONAL)
    if generator.random() < 0.3:
        turn = sympy.Matrix([[1, 2, 2], [2, 1, -2], [2, -2, 1]]) / 3
    n = turn.shape[0]
    along, rates = turn * sympy.Matrix(Q[:n]), turn * sympy.Matrix(V[:n])
    parts = [function_of_one(generator, u) for u in along]
    free = generator.random() < 0.3
    parts = [sympy.Integer(0) if free and i == 0 else part for i, part in enumerate(parts)]
    integrals = [rate ** 2 / 2 + part for rate, part in zip(rates, parts)]
    fields = []
    if free:  # nothing pushes along the first combination
        integrals[0] = rates[0]
        fields.append(list(turn[0, :]))
    return Known(n, sum(v ** 2 for v in V[:n]) / 2, sympy.expand(sum(parts)), integrals, fields, "separated")


def central(generator):
    k = generator.choice([1, 2, 3])
    r2 = Q[0] ** 2 + Q[1] ** 2
    potential = generator.choice([k * r2, k * r2 ** 2 - r2, 1 / (1 + k * r2), r2 ** 3])
    integrals = [Q[0] * V[1] - Q[1] * V[0]]
    if potential == k * r2:
        integrals += [V[0] ** 2 + 2 * k * Q[0] ** 2, V[0] * V[1] + 2 * k * Q[0] * Q[1]]
    return Known(2, (V[0] ** 2 + V[1] ** 2) / 2, potential, integrals, [[-Q[1], Q[0]]], "central")


def liouville(generator):
    """T = (a + b)(x'^2 + y'^2)/2, V = (c + d)/(a + b), a and c of x, b and d of y (row G6.II-liouville)."""
    a, b = 1 + generator.choice([1, 2]) * Q[0] ** 2, generator.choice([0, 1, 3]) * Q[1] ** 2 + 1
    c, d = generator.choice([0, 1, 2]) * Q[0] ** 3, generator.choice([0, 1]) * Q[1] ** 2
    energy = (a + b) * (V[0] ** 2 + V[1] ** 2) / 2 + (c + d) / (a + b)
    return Known(2, sympy.expand((a + b) * (V[0] ** 2 + V[1] ** 2) / 2), (c + d) / (a + b), [(a + b) ** 2 * V[0] ** 2 / 2 - a * energy + c], [], "Liouville")


def cyclic(generator):
    """Coefficients of x alone: the momentum of y."""
    f, g = 1 + generator.choice([1, 2]) * Q[0] ** 2, generator.choice([0, 1]) * Q[0]
    kinetic = (V[0] ** 2 + f * V[1] ** 2) / 2 + g * V[0] * V[1] / 2
    return Known(2, kinetic, function_of_one(generator, Q[0]), [f * V[1] + g * V[0] / 2], [[0, 1]], "cyclic")


def hopeless(generator):
    """A potential without an integral besides the energy, as far as is known."""
    x, y = Q[:2]
    return Known(2, (V[0] ** 2 + V[1] ** 2) / 2, generator.choice([x ** 2 * y ** 2 + x ** 3, x ** 3 + x * y ** 2 + y ** 4, x ** 4 + x ** 3 * y + y ** 2]), [], [], "hopeless")


MAKERS = [separated, separated, central, liouville, cyclic, hopeless]


def analyze(program, known):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.lia"
        path.write_text(known.model(), encoding="utf-8")
        done = subprocess.run([program, "analyze", str(path), "--json", "--degree", "2", "--only", "symmetries,integrals"], capture_output=True,
                              text=True, timeout=LIMIT)
    if done.returncode != 0:
        raise SystemExit(known.model() + done.stderr)
    return json.loads(done.stdout)


def random_place(generator, n):
    return {s: sympy.Rational(generator.randint(-30, 30), generator.randint(7, 19)) for s in (*Q[:n], *V[:n], T)}


def number(e, place):
    return sympy.N(sympy.sympify(e).subs(place), 60)


def vanishes(e, generator, n):
    return all(abs(number(e, random_place(generator, n))) < sympy.Float("1e-40", 60) for _ in range(3))


def rank_of(rows):
    return sympy.Matrix(rows).rank(iszerofunc=lambda e: abs(e) < sympy.Float("1e-35", 60))


def gradients(functions, place, n):
    return [[number(sympy.diff(f, s), place) for s in (*Q[:n], *V[:n], T)] for f in functions]


def judge(known, result, generator):
    """Problems in words, and what was left open."""
    n, problems, left = known.n, [], 0
    q, v = Q[:n], V[:n]
    rates = known.accelerations()
    found = [symbolic(integral["expression"]) for integral in result["first_integrals"] if integral["grade"] == "proved"]
    for f in found:
        change = sympy.diff(f, T) + sum(sympy.diff(f, a) * b for a, b in zip(q, v)) + sum(sympy.diff(f, a) * b for a, b in zip(v, rates))
        if not vanishes(change, generator, n):
            problems.append(f"{f} is proved, and changes")
    place = random_place(generator, n)
    before = gradients(found, place, n)
    if before and rank_of(before) < len(before):
        problems.append("the integrals depend on each other")
    searched = result["integrals_searched"]
    missed = [f for f in known.integrals if rank_of(before + gradients([f], place, n)) > len(before)]
    if missed and searched["none_else"] == "proved" and is_of_form(known, searched):
        problems.append(f"{missed} are no functions of {found}, and none else is proved")
    left += len(missed)
    fields = [fields_of(entry, n) for entry in result["symmetries"] if entry.get("grade") == "proved"]
    lagrangian = known.kinetic - known.potential
    fields = [field for field in fields if field is not None]
    for field in fields:
        lift = [sum(sympy.diff(c, qj) * vj for qj, vj in zip(q, v)) for c in field]
        change = sum(c * sympy.diff(lagrangian, qi) for c, qi in zip(field, q)) + sum(c * sympy.diff(lagrangian, vi) for c, vi in zip(lift, v))
        # up to a total derivative df/dt: linear in the velocities, and closed; a constant is that of the time
        slopes = [sympy.diff(change, vi) for vi in v]
        rest = change - sum(s * vi for s, vi in zip(slopes, v))
        closed = all(vanishes(sympy.diff(slopes[i], q[j]) - sympy.diff(slopes[j], q[i]), generator, n) for i in range(n) for j in range(i))
        if not all(vanishes(sympy.diff(rest, s), generator, n) for s in (*q, *v)) or not closed or not all(vanishes(sympy.diff(s, vi), generator, n) for s in slopes for vi in v):
            problems.append(f"{field} is proved a symmetry, and is none")
    for field in known.fields:
        rows = [[number(c, p) for p in (random_place(random.Random(7 + k), n) for k in range(4)) for c in one] for one in [*fields, field]]
        if rank_of(rows) > (rank_of(rows[:-1]) if fields else 0):
            left += 1
            is_searched = all(sympy.Poly(c, *q).total_degree() <= 2 for c in field if sympy.sympify(c).is_polynomial(*q))
            if is_searched and result["symmetries_searched"].get("none_else") == "proved":
                problems.append(f"{field} is a symmetry, and none else is proved")
    return problems, left


def is_of_form(known, searched):
    """Coefficients of the known integrals are polynomials in the coordinates, as those that were searched: of degree six at most."""
    q, v = Q[:known.n], V[:known.n]
    for f in known.integrals:
        poly = sympy.Poly(sympy.expand(f), *q, *v) if sympy.expand(f).is_polynomial(*q, *v) else None
        if poly is None or any(sum(m[:known.n]) > 5 for m in poly.monoms()):
            return False
    return bool(searched["form"])


def fields_of(entry, n):
    """The components on the positions; nothing where the time moves too."""
    text = re.sub(r"\bd/d([xyzt])('?)", lambda m: f"along_{m[1]}" + ("_v" if m[2] else ""), entry["field"])
    bases = {name: sympy.Symbol(name) for name in set(re.findall(r"along_\w+", text))}
    local = {str(s): s for s in (*Q, *V)} | bases
    field = sympy.expand(sympy.sympify(re.sub(r"\b([xyz])'", r"\1_v", text).replace("^", "**"), locals=local, rational=True))
    if "along_t" in bases:
        return None
    return [field.coeff(sympy.Symbol(f"along_{qi}")) for qi in Q[:n]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", action="store_true")
    options = parser.parse_args()
    problems, left, asked = [], 0, 0
    for index in range(options.count):
        generator = random.Random(1000 * options.seed + index)
        known = MAKERS[index % len(MAKERS)](generator)
        for one in (known, known.turned(generator)):
            if options.mutants:
                one.integrals = [one.integrals[0] + Q[0] ** 2] if one.integrals else [Q[0]]
            found, open_ones = judge(one, analyze(options.program, one), generator)
            problems += [f"seed {options.seed}, system {index} ({one.kind}): {problem}\n{one.model()}" for problem in found]
            left += open_ones
            asked += 1
    if options.mutants:
        print(f"{left} of {asked} wrong integrals were missed")
        return 0 if left >= asked else 1
    print("\n".join(problems) or f"{asked} systems agree; {left} known integrals and symmetries were not found")
    return 1 if problems or left > asked // 3 else 0


if __name__ == "__main__":
    sys.exit(main())
