#!/usr/bin/env python3
"""Joints by constraints: the motion of the same joint by coordinates, and reactions by the laws of Newton and Euler on the body.

usage: test_joint_relations.py PROGRAM
"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]

# the joint by constraints, by coordinates, and these
IN_SPACE = {
    "hinge": ("hinge axis [0, 0.6, 0.8]", "by hinge u axis [0, 0.6, 0.8]", "coord u"),
    "slider": ("slider axis [1, 2, 2]", "by slider u axis [1, 2, 2]", "coord u"),
    "cylindrical": ("cylindrical axis [0, 0, 1]", "by cylindrical (u, v) axis [0, 0, 1]", "coord u, v"),
    "screw": ("screw axis [1, 0, 0] pitch 0.3", "by screw u axis [1, 0, 0] pitch 0.3", "coord u"),
    "universal": ("universal axis [1, 0, 0] axis [0.6, 0, 0.8]", "by universal (u, v) axis [1, 0, 0] axis [0.6, 0, 0.8]", "coord u, v"),
    "planar": ("planar", "by planar (u, v, w)", "coord u, v, w"),
    "ball": ("ball", "by ball S", "rotation S (u, v, w) in body"),
    "weld": ("weld", "by weld", ""),
}
IN_PLANE = {
    "hinge": ("hinge", "by hinge u", "coord u"),
    "slider": ("slider axis [3, 4]", "by slider u axis [3, 4]", "coord u"),
    "weld": ("weld", "by weld", ""),
}
MASS, INERTIA, CENTRE, GRAVITY = 1.5, (0.2, 0.3, 0.45), (0.3, 0.1, 0.2), (0.5, 0, -9.81)
SPACE = """coord a, b
body A mass 2 inertia [0.3, 0.5, 0.4] on ground at [0.1, 0, 0.2] by universal (a, b) axis [0, 0, 1] axis [0, 1, 0] centre [0.2, 0.1, -0.3]
gravity [0.5, 0, -9.81]
"""
SOLID = "body B mass 1.5 inertia [0.2, 0.3, 0.45]"
PLACE = "at [0.5, -0.2, 0.4] turned x 0.3, z 0.2"
END = """moment [0.1, 0.2, -0.3] on B
output bx = B.x
output by = B.y
output bz = B.z
output wx = B.omega.x
output wy = B.omega.y
output wz = B.omega.z
"""
REACTIONS = "".join(f"output {kind[0]}{c} = J.{kind}.{c}\n" for kind in ("force", "moment") for c in "xyz")
ACCELERATIONS = "output ax = B.x''\noutput ay = B.y''\noutput az = B.z''\noutput dp = p'\noutput dq = q'\noutput dr = r'\n"


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def matrix(e0, e1, e2, e3):
    """Axes of the body to those of space."""
    return [[1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)]]


def on_body(m, v):
    return [sum(m[i][k] * v[i] for i in range(3)) for k in range(3)]


def start_in_space():
    """B as it stands on A, moving with A: a' = 0.5, b' = -0.3."""
    c, s, d, f = math.cos(0.15), math.sin(0.15), math.cos(0.1), math.sin(0.1)
    e = (c * d, s * d, -s * f, c * f)
    w = (0, -0.3, 0.5)
    v = cross(w, (0.5, -0.2, 0.4))
    rates = on_body(matrix(*e), w)
    values = dict(zip(("x", "y", "z"), (0.6, -0.2, 0.6))) | {f"R_e{k}": e[k] for k in range(4)}
    values |= dict(zip(("x'", "y'", "z'", "p", "q", "r"), (*v, *rates))) | {"a'": 0.5, "b'": -0.3}
    return ", ".join(f"{name} = {value!r}" for name, value in values.items())


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, text):
        path = pathlib.Path(self.folder.name) / "m.lia"
        path.write_text(text)
        return path

    def last_row(self, text, *options):
        rows = pathlib.Path(self.folder.name) / "rows.csv"
        rows.unlink(missing_ok=True)
        done = subprocess.run([PROGRAM, "simulate", self.file(text), "--until", "0.6", "--tol", "1e-11", "-o", rows, *options],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, text + done.stdout + done.stderr)
        with open(rows) as table:
            last = list(csv.DictReader(line for line in table if not line.startswith("#")))[-1]
        return {name: float(value) for name, value in last.items()}

    def errors(self, text):
        done = subprocess.run([PROGRAM, "derive", self.file(text)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stdout)
        return done.stderr

    def assert_same(self, one, other, names, kind):
        for name in names:
            self.assertAlmostEqual(one[name], other[name], delta=1e-8, msg=f"{kind} {name}")


class InSpace(Run):
    def test_the_motion_is_that_by_coordinates(self):
        for kind, (relations, coordinates, declared) in IN_SPACE.items():
            by_coordinates = self.last_row(
                f"{SPACE}{declared}\n{SOLID} on A {PLACE} {coordinates} centre [0.3, 0.1, 0.2]\n{END}start a' = 0.5, b' = -0.3\n")
            by_relations = self.last_row(
                f"{SPACE}coord x, y, z\nrotation R (p, q, r) in body\n{SOLID} at [x, y, z] turned R centre [0.3, 0.1, 0.2]\n"
                f"joint J: A {PLACE} to B {relations}\n{END}", "--start", start_in_space())
            self.assert_same(by_coordinates, by_relations, ("bx", "by", "bz", "wx", "wy", "wz"), kind)

    def test_reactions_obey_newton_and_euler(self):
        """On the axes of B, where the centre lies at a fixed place from the joint."""
        for kind, (relations, _, _) in IN_SPACE.items():
            row = self.last_row(
                f"{SPACE}coord x, y, z\nrotation R (p, q, r) in body\n{SOLID} at [x, y, z] turned R centre [0.3, 0.1, 0.2]\n"
                f"joint J: A {PLACE} to B {relations} in B\n{END}{REACTIONS}{ACCELERATIONS}", "--start", start_in_space())
            turning = matrix(*(row[f"R_e{k}"] for k in range(4)))
            pull = on_body(turning, [MASS * (row[f"a{c}"] - g) for c, g in zip("xyz", GRAVITY)])
            rates, rises = [row[n] for n in "pqr"], [row[f"d{n}"] for n in "pqr"]
            spin = cross(rates, [j * w for j, w in zip(INERTIA, rates)])
            applied = (0.1, 0.2, -0.3)  # on the axes of B
            turn = [j * rise + g - m for j, rise, g, m in zip(INERTIA, rises, spin, applied)]
            arm = cross(CENTRE, pull)  # the force acts at the joint, -CENTRE from the centre of mass
            for k, c in enumerate("xyz"):
                self.assertAlmostEqual(row[f"f{c}"], pull[k], delta=1e-7, msg=kind)
                self.assertAlmostEqual(row[f"m{c}"], turn[k] + arm[k], delta=1e-7, msg=kind)


class InThePlane(Run):
    GROUND = "coord a\nbody A mass 2 inertia 0.3 on ground at [0.1, 0.2] by hinge a centre [0.2, 0.1]\ngravity [0.5, -9.81]\n"
    OUT = "output bx = B.x\noutput by = B.y\noutput w = B.omega\n"

    def test_the_motion_and_the_reaction(self):
        for kind, (relations, coordinates, declared) in IN_PLANE.items():
            solid = "body B mass 1.5 inertia 0.2"
            by_coordinates = self.last_row(
                f"{self.GROUND}{declared}\n{solid} on A at [0.5, -0.2] turned 0.3 {coordinates} centre [0.3, 0.1]\n{self.OUT}start a' = 0.5\n")
            row = self.last_row(
                f"{self.GROUND}coord x, y, c\n{solid} at [x, y] angle c centre [0.3, 0.1]\n"
                f"joint J: A at [0.5, -0.2] turned 0.3 to B {relations}\n{self.OUT}output fx = J.force.x\noutput fy = J.force.y\n"
                "output m = J.moment\noutput ax = B.x''\noutput ay = B.y''\noutput dc = B.omega'\n",
                "--start", "x = 0.6, y = 0, c = 0.3, a' = 0.5, x' = 0.1, y' = 0.25, c' = 0.5")
            self.assert_same(by_coordinates, row, ("bx", "by", "w"), kind)
            pull = (1.5 * (row["ax"] - 0.5), 1.5 * (row["ay"] + 9.81))
            arm = (row["bx"] - row["x"], row["by"] - row["y"])
            self.assertAlmostEqual(row["fx"], pull[0], delta=1e-8)
            self.assertAlmostEqual(row["fy"], pull[1], delta=1e-8)
            self.assertAlmostEqual(row["m"], 0.2 * row["dc"] + arm[0] * pull[1] - arm[1] * pull[0], delta=1e-8)

    def test_a_particle_on_a_hinge(self):
        row = self.last_row(f"{self.GROUND}coord x, y\nparticle P mass 1.5 at [x, y]\njoint J: A at [0.5, -0.2] to P hinge\noutput fx = J.force.x\n"
                            "output ax = x''\nstart a' = 0.5\n", "--start", "x = 0.6, y = 0, x' = 0.1, y' = 0.25")
        fixed = self.last_row(f"{self.GROUND}body P mass 1.5 inertia 0 on A at [0.5, -0.2] by weld\noutput x = P.x\nstart a' = 0.5\n")
        self.assertAlmostEqual(row["x"], fixed["x"], delta=1e-8)
        self.assertAlmostEqual(row["fx"], 1.5 * (row["ax"] - 0.5), delta=1e-8)


class Loops(Run):
    def test_a_plane_linkage_in_space_is_overconstrained(self):
        """What holds by itself is no relation, and a reaction that it would have is refused."""
        text = ("coord q1, q2, q3\n"
                "body crank mass 1 inertia [0.1, 0.1, 0.1] on ground by hinge q1 axis [0, 0, 1] centre [0.5, 0, 0]\n"
                "body coupler mass 1 inertia [0.1, 0.1, 0.1] on crank at [1, 0, 0] by hinge q2 axis [0, 0, 1] centre [1, 0, 0]\n"
                "body rocker mass 1 inertia [0.1, 0.1, 0.1] on ground at [2.2, 0, 0] by hinge q3 axis [0, 0, 1] centre [0.7, 0, 0]\n"
                "gravity [0, -9.81, 0]\njoint pin: coupler at [2, 0, 0] to rocker at [1.5, 0, 0] hinge axis [0, 0, 1]\nstart q1 = 1.2\n")
        done = subprocess.run([PROGRAM, "eval", self.file(text)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("pin_x", done.stdout)
        self.assertNotIn("pin_z", done.stdout)
        self.assertNotIn("pin_m1", done.stdout)
        self.assertIn("not determined", self.errors(text + "output m = pin.moment.x\n"))
        self.assertIn("not determined", self.errors(text + "output f = pin.force.z\n"))
        row = self.last_row(text + "output f = pin.force.x\noutput g = lambda(pin_x)\n")
        self.assertEqual(row["f"], row["g"])
        self.assertIn("there is no constraint `pin_z`", self.errors(text + "output m = lambda(pin_z)\n"))

    def test_the_other_way_round_is_another_machine(self):
        """The relations hold too where the axis of B is opposite to that of A: claims do not speak of it."""
        text = ("param m > 0 = 2, l > 0 = 0.7, g > 0 = 9.81, A > 0 = 0.1\ncoord x, y, z\nrotation R (p, q, r) in body\n"
                "body B mass m inertia [A, A, A] at [x, y, z] rotation R\ngravity [0, 0, -g]\n"
                "joint H: ground to B at [0, 0, l] hinge axis [0, 1, 0]\nclaim R22 == 1\n")
        done = subprocess.run([PROGRAM, "check", self.file(text.replace("R22", "R_e0^2 - R_e1^2 + R_e2^2 - R_e3^2"))], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Errors(Run):
    START = "coord x, y, z, s\nrotation R (p, q, r) in body\nbody B mass 1 inertia [1, 1, 1] at [x, y, z] rotation R\nparticle P mass 1 at [s, 0, 0]\n"

    def test_what_is_wrong_is_said_once(self):
        for line, said in (
                ("joint J: ground to B", "the kind of the joint is missing"),
                ("joint J: ground to B knee", "the kind of the joint is missing"),
                ("joint J: ground hinge axis [0, 0, 1]", "`to` and the other place are missing"),
                ("joint J: ground to B hinge", "has one axis, and none is given"),
                ("joint J: ground to B ball axis [0, 0, 1]", "has no axis, and 1 is given"),
                ("joint J: ground to B screw axis [0, 0, 1]", "a screw has a pitch"),
                ("joint J: ground to B hinge axis [0, 0, 1] pitch 2", "has no pitch"),
                ("joint J: ground to B hinge axis [0, 0, 0]", "no direction"),
                ("joint J: ground to B universal axis [0, 0, 1] axis [0, 0, 2]", "parallel"),
                ("joint J: ground to C ball", "there is no body or frame `C`"),
                ("joint J: ground to P weld", "`P` is a particle: it has no axes"),
                ("coord u\nbody C mass 1 inertia [1, 1, 1] on ground turned x pi by hinge u axis [0, 0, 1]\njoint J: ground at [1, 0, 0] to C hinge axis [0, 0, 1]",
                 "never parallel"),
                ("joint J: B to B at [1, 0, 0] ball", "both places of the joint `J` are on `B`"),
                ("frame F on B at [1, 0, 0]\nframe G on F\njoint J: G to B weld", "both places of the joint `J` are on `B`"),
                ("joint J: ground at [1, 0, 0] to ground ball", "both places of the joint `J` are on `ground`"),
                ("coord u\nbody C mass 1 inertia [1, 1, 1] on B by hinge u axis [0, 0, 1]\njoint J: B to C ball", "holds nothing"),
                ("coord u\nbody C mass 1 inertia [1, 1, 1] on ground by hinge u axis [0, 0, 1]\njoint J: ground at [0, 0, 1] to C ball",
                 "do not move against each other"),
                ("joint J: ground to B ball in C", "there is no body or frame `C`"),
                ("joint J: ground to B ball\njoint J: ground to B at [1, 0, 0] ball", "declared twice"),
                ("joint J: ground to B ball\noutput o = J.x", "`J` is a joint: it has no points"),
                ("joint J: ground to B ball\noutput o = J.force.w", "there is no `J.force.w`"),
                ("joint J: ground to B ball\noutput o = J.force.x'", "the rate of a reaction"),
                ("joint J: ground to B ball\npotential J.force.x", "cannot stand in"),
                ("output o = B.force.x", "`B` is no joint"),
                ("joint J: ground to B hinge axis\noutput o = J.force.x", "axis")):
            errors = self.errors(self.START + line + "\n")
            self.assertIn(said, errors)
            self.assertEqual(errors.count("error:"), 1, errors)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
