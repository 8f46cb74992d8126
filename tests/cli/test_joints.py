#!/usr/bin/env python3
"""Bodies on joints: accelerations against Lagrange's equations by differences of 40 digits on matrices of this file's own.

usage: test_joints.py PROGRAM
"""

import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

from mpmath import cos, eye, lu_solve, matrix, mp, mpf, norm, pi, sin, zeros

PROGRAM = sys.argv[1]
mp.dps = 40
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
JOINTS = ("hinge", "slider", "cylindrical", "screw", "universal", "planar", "weld")


def turn(axis, angle):
    """Rodrigues' matrix."""
    u = matrix(axis) / norm(matrix(axis))
    across = matrix([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    return eye(3) + sin(angle) * across + (1 - cos(angle)) * across * across


class Tree:
    """A random tree: its text, and where its bodies are by functions of the coordinates."""

    def __init__(self, rng, bodies):
        self.rng = rng
        self.names, self.lines, self.solids = [], [], []
        places = {"ground": lambda q: (zeros(3, 1), eye(3))}
        for k in range(bodies):
            parent = rng.choice(list(places))
            places[f"B{k}"] = self.add_body(f"B{k}", parent, places[parent])
            if rng.random() < 0.3:
                at, about, angle = self.vector(), rng.choice("xyz"), self.number()
                self.lines.append(f"frame F{k} on B{k} at {list(at)} turned {about} {angle}")
                places[f"F{k}"] = self.moved(places[f"B{k}"], at, turn(AXES[about], mpf(angle)))

    def number(self):
        return self.rng.randint(-20, 20) / 8

    def vector(self):
        return tuple(self.number() for _ in range(3))

    def axis(self):
        while not any(axis := tuple(self.rng.randint(-2, 2) for _ in range(3))):
            pass
        return axis

    def coordinate(self):
        self.names.append(f"q{len(self.names)}")
        return len(self.names) - 1

    @staticmethod
    def moved(place, at, matrix3):
        def there(q):
            origin, axes = place(q)
            return origin + axes * matrix([mpf(a) for a in at]), axes * matrix3
        return there

    def add_body(self, name, parent, place):
        rng, kind = self.rng, self.rng.choice(JOINTS if self.names else JOINTS[:-1])
        at, mounted, tilt = self.vector(), rng.choice("xyz"), self.number()
        mount = self.moved(place, at, turn(AXES[mounted], mpf(tilt)))
        axes = [self.axis() for _ in range({"universal": 2, "planar": 0, "weld": 0}.get(kind, 1))]
        count = {"cylindrical": 2, "universal": 2, "planar": 3, "weld": 0}.get(kind, 1)
        own = [self.coordinate() for _ in range(count)]

        def there(q):
            origin, frame = mount(q)
            values = [q[i] for i in own]
            along = [matrix(axis) / norm(matrix(axis)) for axis in axes]
            if kind == "slider":
                return origin + frame * along[0] * values[0], frame
            if kind == "cylindrical":
                return origin + frame * along[0] * values[1], frame * turn(axes[0], values[0])
            if kind == "screw":
                return origin + frame * along[0] * values[0] * mpf("0.75") / (2 * pi), frame * turn(axes[0], values[0])
            if kind == "planar":
                return origin + frame * matrix([values[0], values[1], 0]), frame * turn((0, 0, 1), values[2])
            for axis, value in zip(axes, values):
                frame = frame * turn(axis, value)
            return origin, frame

        names = [self.names[i] for i in own]
        shown = {0: "", 1: names[0] if names else ""}.get(count, f"({', '.join(names)})")
        mass, centre = rng.randint(1, 8) / 4, self.vector()
        a, b, c = (rng.randint(4, 12) / 8 for _ in range(3))
        d, e, f = (rng.randint(-2, 2) / 32 for _ in range(3))
        self.lines.append(
            f"body {name} mass {mass} inertia [{a}, {b}, {c}, {d}, {e}, {f}] on {parent} at {list(at)} turned {mounted} {tilt}"
            f" by {kind} {shown}{''.join(f' axis {list(axis)}' for axis in axes)}{' pitch 0.75' if kind == 'screw' else ''}"
            f" centre {list(centre)}")
        self.solids.append((mpf(mass), matrix([[a, -f, -e], [-f, b, -d], [-e, -d, c]]), matrix([mpf(x) for x in centre]), there))
        return there

    def energies(self, q, v):
        """(T, V) with the motion q + h v by central differences."""
        h = mpf(10) ** -12
        kinetic, potential = mpf(0), mpf(0)
        for mass, inertia, centre, there in self.solids:
            (o1, r1), (o0, r0), (o2, r2) = (there([x + s * h * w for x, w in zip(q, v)]) for s in (1, 0, -1))
            velocity = (o1 + r1 * centre - o2 - r2 * centre) / (2 * h)
            across = r0.T * (r1 - r2) / (2 * h)
            spin = matrix([across[2, 1], across[0, 2], across[1, 0]])
            kinetic += (mass * (velocity.T * velocity)[0] + (spin.T * inertia * spin)[0]) / 2
            potential += mass * mpf("9.81") * (o0 + r0 * centre)[2]
        return kinetic, potential

    def accelerations(self, q, v):
        """M a = dL/dq - (dp/dq) v, with M and p exact in the velocities, for T is quadratic in them."""
        n, h = len(q), mpf(10) ** -8
        unit = [[mpf(int(i == k)) for i in range(n)] for k in range(n)]

        def plus(x, y, s=1):
            return [a + s * b for a, b in zip(x, y)]

        def momentum(q, k):
            return (self.energies(q, plus(v, unit[k]))[0] - self.energies(q, plus(v, unit[k], -1))[0]) / 2

        single = [self.energies(q, unit[k])[0] for k in range(n)]
        mass = matrix(n, n)
        for i in range(n):
            for j in range(n):
                mass[i, j] = self.energies(q, plus(unit[i], unit[j]))[0] - single[i] - single[j]
        force = matrix(n, 1)
        for k in range(n):
            up, down = (self.energies(plus(q, unit[k], s * h), v) for s in (1, -1))
            slope = ((up[0] - up[1]) - (down[0] - down[1])) / (2 * h)
            force[k] = slope - (momentum(plus(q, v, h), k) - momentum(plus(q, v, -h), k)) / (2 * h)
        return lu_solve(mass, force)

    def tip(self, q, v, a):
        """A point of the last body and how it turns, by central differences."""
        h, there = mpf(10) ** -10, self.solids[-1][3]

        def at(s):
            origin, axes = there([mpf(x) + s * h * w + (s * h) ** 2 / 2 * b for x, w, b in zip(q, v, a)])
            return origin + axes * matrix([0.5, -0.25, 1]), axes

        (p1, r1), (p0, r0), (p2, r2) = at(1), at(0), at(-1)
        across = (r1 - r2) / (2 * h) * r0.T
        result = {"way": norm(p0 - matrix([1, 2, 3]))}
        for k, x in enumerate("xyz"):
            result |= {x: p0[k], "v" + x: (p1 - p2)[k] / (2 * h), "a" + x: (p1 - 2 * p0 + p2)[k] / h**2}
            result["w" + x] = across[(k + 2) % 3, (k + 1) % 3]
        return result


class Joints(unittest.TestCase):
    def liaison(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)

    def test_random_trees(self):
        rng = random.Random(20)
        for number in range(8):
            tree = Tree(rng, rng.randint(1, 3))
            q = [rng.randint(-30, 30) / 16 for _ in tree.names]
            v = [rng.randint(-30, 30) / 16 for _ in tree.names]
            start = ", ".join(f"{n} = {a}, {n}' = {b}" for n, a, b in zip(tree.names, q, v))
            last = f"B{len(tree.solids) - 1}"
            outputs = [f"frame tip on {last} at [0.5, -0.25, 1]", "output way = distance(tip, [1, 2, 3])"]
            outputs += [f"output {x} = tip.{x}\noutput v{x} = tip.{x}'\noutput a{x} = tip.{x}''\noutput w{x} = {last}.omega.{x}" for x in "xyz"]
            text = "\n".join([f"coord {', '.join(tree.names)}", *tree.lines, *outputs, "gravity [0, 0, -9.81]", f"start {start}"]) + "\n"
            with self.subTest(number, text=text), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, "tree.lia")
                path.write_text(text)
                done = self.liaison("eval", "--json", str(path))
                self.assertEqual(done.returncode, 0, done.stderr)
                found = json.loads(done.stdout)
                expected = tree.accelerations([mpf(x) for x in q], [mpf(x) for x in v])
                for k, name in enumerate(tree.names):
                    self.assertLess(abs(found["acceleration"][name] - expected[k]), 1e-9 * max(1, abs(expected[k])), name)
                rows = pathlib.Path(folder, "rows.csv")
                done = self.liaison("simulate", str(path), "--until", "0.001", "--every", "0.001", "-o", str(rows))
                self.assertEqual(done.returncode, 0, done.stderr)
                first = next(csv.DictReader(rows.read_text().splitlines()))
                for name, value in tree.tip(q, v, expected).items():
                    self.assertLess(abs(float(first[name]) - value), 1e-8 * max(1, abs(value)), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
