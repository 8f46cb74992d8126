#!/usr/bin/env python3
"""Claims about growth vectors and invariant measures of random systems, against what SymPy finds by itself.

usage: test_structure_claim_laws.py PROGRAM [--count N] [--seed S]
       test_structure_claim_laws.py PROGRAM --mutants     a judge that is wrong on purpose must disagree

A system is made backwards. Free ones have the forces of a known density, or of a form that is not closed. Others move along two random fields;
SymPy reduces d'Alembert's equations, takes the brackets and their ranks at random places. Each is asked again in other coordinates, which are
polynomials of the old ones: the same verdicts.
"""

import argparse
import collections
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import sympy

LIMIT = 240  # seconds of one check


def symbols_of(n):
    return sympy.symbols(f"x1:{n + 1}"), sympy.symbols(f"v1:{n + 1}")


def text(e):
    return re.sub(r"\bv(\d+)\b", r"x\1'", str(e)).replace("**", "^")


def small_polynomial(generator, variables, degree=2, terms=2):
    result = sympy.Integer(0)
    for _ in range(terms):
        monomial = sympy.Integer(generator.choice([-2, -1, 1, 2]))
        for _ in range(generator.randint(1, degree)):
            monomial *= generator.choice(variables)
        result += monomial
    return result


class System:
    """T = v.M v/2, forces, constraints v_k = A_k1 v_1 + A_k2 v_2 for k > 2; all as expressions in x and v."""

    def __init__(self, x, v, kinetic, forces, constraints):
        self.x, self.v, self.kinetic, self.forces, self.constraints = x, v, kinetic, forces, constraints

    def model(self):
        lines = [f"coord {', '.join(map(str, self.x))}", f"kinetic {text(self.kinetic)}"]
        lines += [f"force {x} = {text(f)}" for x, f in zip(self.x, self.forces) if f != 0]
        lines += [f"constraint c{k}: {text(c)} = 0" for k, c in enumerate(self.constraints)]
        return "\n".join(lines) + "\n"

    def in_other_coordinates(self, generator):
        """x_i = X_i + p_i(X_1 .. X_i-1), solved order by order; powers of forces are kept."""
        x, v = self.x, self.v
        new = [x[0]] + [x[i] + generator.randint(0, 1) * small_polynomial(generator, x[:i], 2, 1) for i in range(1, len(x))]
        rates = [sum(sympy.diff(e, xj) * vj for xj, vj in zip(x, v)) for e in new]
        put = dict(zip(x, new)) | dict(zip(v, rates))
        forces = [sum(sympy.sympify(f).subs(put, simultaneous=True) * sympy.diff(e, xj) for f, e in zip(self.forces, new)) for xj in x]
        return System(x, v, sympy.expand(self.kinetic.subs(put, simultaneous=True)), [sympy.expand(f) for f in forces],
                      [sympy.expand(c.subs(put, simultaneous=True)) for c in self.constraints])


def reduced(system):
    """Fields F_a on the positions, and the coefficients of div X in the free velocities, from M v' + Gamma = Q + A^T lambda."""
    x, v, n, m = system.x, system.v, len(system.x), len(system.constraints)
    mass = sympy.hessian(system.kinetic, v)
    r = n - m
    if m:
        rows = sympy.Matrix([[sympy.diff(c, vj) for vj in v] for c in system.constraints])
        bound = rows[:, r:].inv() * -rows[:, :r]
        fields = sympy.eye(r).col_join(sympy.simplify(bound))
    else:
        fields = sympy.eye(n)
    free = sympy.Matrix(v[:r])
    velocity = fields * free
    rate_of_fields = fields.applyfunc(lambda e: sum(sympy.diff(e, x[j]) * velocity[j] for j in range(n)))
    momentum = mass * velocity
    # A^T (d/dt(M v) - dT/dx - Q) = 0 at v = A u, d/dt(M v) = M (A u' + A' u) + M' v
    mass_rate = mass.applyfunc(lambda e: sum(sympy.diff(e, x[j]) * velocity[j] for j in range(n)))
    on_states = dict(zip(v, velocity))
    push = sympy.Matrix([sympy.diff(system.kinetic, xi).subs(on_states, simultaneous=True) for xi in x])
    push += sympy.Matrix([sympy.sympify(f).subs(on_states, simultaneous=True) for f in system.forces])
    load = fields.T * (push - mass * rate_of_fields * free - mass_rate * velocity)
    rates = (fields.T * mass * fields).inv() * load
    divergence = sum(sympy.diff(rates[a], v[a]) for a in range(r)) + sum(sympy.diff(velocity[i], x[i]) for i in range(n))
    slopes = [sympy.together(sympy.diff(divergence, v[a])) for a in range(r)]
    del momentum
    return [list(fields[:, a]) for a in range(r)], slopes


def growth_and_measure(system, generator):
    """The growth vector, and whether a density can exist: by brackets of (F, rate) at a random place."""
    x = system.x
    fields, slopes = reduced(system)
    place = {xi: sympy.Rational(generator.randint(-40, 40), generator.randint(3, 17)) for xi in x}
    first = list(zip(fields, slopes))
    all_pairs, layer, growth = list(first), list(first), []

    def ranks():
        rows = sympy.Matrix([[sympy.sympify(e).subs(place) for e in [*f, s]] for f, s in all_pairs])
        return rows[:, :-1].rank(), rows.rank()

    def along(f, e):
        return sum(fi * sympy.diff(e, xi) for fi, xi in zip(f, x))

    # One round more than the dimensions grow: rates may contradict each other only there.
    quiet = 0
    growth.append(ranks()[0])
    while quiet < 2:
        next_layer = []
        for (f, s), (g, t) in itertools.product(first, layer):
            h = [sympy.together(along(f, gi) - along(g, fi)) for fi, gi in zip(f, g)]
            rate = sympy.together(along(f, t) - along(g, s))
            if any(e != 0 for e in h) or rate != 0:
                next_layer.append((h, rate))
        all_pairs += next_layer
        layer = next_layer
        plain, with_rates = ranks()
        if with_rates > plain:
            growth += [plain] if plain > growth[-1] else []
            return (growth if plain == len(x) else None), False
        if plain == growth[-1]:
            quiet += 1
            if plain == len(x) and not layer:
                break
        else:
            growth.append(plain)
    return growth, True


def free_system(generator):
    """div X = -omega.v with omega = d log rho, or with a form that is not closed added to it."""
    n = generator.choice([2, 3])
    x, v = symbols_of(n)
    rho = 1 + small_polynomial(generator, x, 1, 1) ** 2 + generator.randint(0, 1) * x[0] ** 2
    omega = [sympy.diff(sympy.log(rho), xi) for xi in x]
    has_measure = generator.random() < 0.5
    if not has_measure:
        omega[0] += x[1] * generator.choice([-1, 1, 2])
    # a_1 = -(omega_1 v_1 + omega_2 v_2/2 + ..) v_1, a_k = -omega_k v_k^2/4
    forces = [-(omega[0] * v[0] / 2 + sum(omega[k] * v[k] for k in range(1, n)) / 2) * v[0]]
    forces += [-omega[k] * v[k] ** 2 / 4 for k in range(1, n)]
    kinetic = sum(vi ** 2 for vi in v) / 2
    return System(x, v, kinetic, [sympy.together(f) for f in forces], []), has_measure, rho


def constrained_system(generator):
    n = generator.choice([3, 3, 4])
    x, v = symbols_of(n)
    kinetic = sum(generator.choice([1, 1, 2, 3]) * vi ** 2 for vi in v) / 2
    constraints = []
    for k in range(2, n):
        kind = generator.randint(0, 3)
        f = small_polynomial(generator, x[:k + 1] if kind == 0 else x[:2] + x[max(k - 1, 0):k], 2, 1)
        g = 0 if kind != 1 else small_polynomial(generator, x[:k], 1, 1)
        constraints.append(v[k] - f * v[0] - g * v[1])
    return System(x, v, kinetic, [0] * n, constraints)


def check(program, model):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.lia"
        path.write_text(model, encoding="utf-8")
        done = subprocess.run([program, "check", str(path), "--json"], capture_output=True, text=True, timeout=LIMIT)
    if done.returncode not in (0, 1):
        raise SystemExit(model + done.stderr)
    return {claim["name"]: claim["status"] for claim in json.loads(done.stdout)["claims"]}


def ask(program, system, growth, has_measure, rho=None):
    """Problems in words; what was left open."""
    claims = ""
    if growth:
        wrong = list(growth)
        wrong[-1] += 1
        right = ", ".join(map(str, growth))
        claims += f"claim right: growth == ({right})\nclaim wrong: growth == ({', '.join(map(str, wrong))})\n"
    claims += "claim measure: measure\nclaim none: measure == false\n"
    if rho is not None:
        claims += f"claim density: measure({text(rho)})\nclaim other: measure(({text(rho)})*(1 + x1^2))\n"
    model = system.model() + claims
    status = check(program, model)
    wanted = {"right": "proved", "wrong": "refuted"} if growth else {}
    wanted |= {"measure": "proved", "none": "refuted"} if has_measure else {"measure": "refuted", "none": "proved"}
    if rho is not None:
        wanted |= {"density": "proved" if has_measure else "refuted", "other": "refuted"}
    problems = [f"{name} is {status[name]}, {grade} expected\n{model}" for name, grade in wanted.items()
                if status[name] != grade and status[name] not in ("unknown", "checked")]
    return problems, [name for name, grade in wanted.items() if status[name] != grade and status[name] in ("unknown", "checked")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", action="store_true")
    options = parser.parse_args()
    problems, still_open, asked = [], collections.Counter(), 0
    for number in range(options.count):
        generator = random.Random(1000 * options.seed + number)
        if generator.random() < 0.4:
            system, has_measure, rho = free_system(generator)
            growth = [len(system.x)]
        else:
            system, rho = constrained_system(generator), None
            growth, has_measure = growth_and_measure(system, generator)
        if options.mutants:
            has_measure, growth = not has_measure, growth and [*growth[:-1], growth[-1] + 2]
        for one, density in ((system, rho), (system.in_other_coordinates(generator), None)):
            found, left = ask(options.program, one, growth, has_measure, density)
            problems += [f"seed {options.seed}, system {number}: {problem}" for problem in found]
            still_open.update(left)
            asked += 1
    if options.mutants:
        print(f"{len(problems)} of {asked} systems disagree with the wrong judge")
        return 0 if len(problems) >= asked else 1
    print("\n".join(problems) or f"{asked} systems agree; open: {dict(still_open)}")
    return 1 if problems or still_open.total() > asked // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
