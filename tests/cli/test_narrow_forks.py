#!/usr/bin/env python3
"""`orbits --follow`: branches that nearly cross are not mixed up, however near they come, against closed forms.

usage: test_narrow_forks.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder

ONE = "param h = {h}, p = {p}\ncoord x\nkinetic x'^2/2\npotential {potential}\nforce x = -x'/5\nstart x = {x}\n"
# the same in two variables, turned, and bent along a parabola
TWO = ("param h = {h}, p = {p}\ncoord u, v\nlet x = (3*u + 4*v)/5\nlet y = (4*u - 3*v)/5\nkinetic (u'^2 + v'^2)/2\npotential {potential} + (y - x^2/4)^2\n"
       "force u = -u'/5\nforce v = -v'/5\nstart u = {u}, v = {v}\n")
KAPITZA = """param h = {h}, A = 0.2, w = 60, g = 9.81
coord th
rheonomic s = A*sin(w*t)
particle P mass 1 at [sin(th), -cos(th) + s]
gravity [h*g, -g]
force th = -th'/2
start th = pi - h
"""
# beside a ball that bounces once in each period of a floor that shakes
BOUNCING = """param h = {h}, p = {p}
coord z, x
kinetic (z'^2 + x'^2)/2
potential 9.81*z + {potential}
force x = -x'/5
unilateral floor: z - sin(20*t)/100 >= 0 restitution 4/5
start t = 0.1, z = 0.1, z' = 0.5, x = {x}
"""


class Forks(InFolder):
    def branches(self, model, *options):
        code, out, err = self.run_model(model, "orbits", "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)["branches"]

    def rest(self, potential, h, x, ends):
        """In one variable and in two: the special points by their parameters and x, and the last x."""
        p = ends.split()[0]
        y = x * x / 4
        models = (ONE.format(h=h, p=p, potential=potential, x=x), TWO.format(h=h, p=p, potential=potential, u=(3 * x + 4 * y) / 5, v=(4 * x - 3 * y) / 5))
        for model in models:
            found = self.branches(model, "--rest", "--follow", f"p = {ends}")
            self.assertEqual(len(found), 1, (potential, h))
            self.assertEqual(found[0]["end"], "the end of the range")

            def place(state):
                return state["x"] if "x" in state else (3 * state["u"] + 4 * state["v"]) / 5

            last = found[0]["points"][-1]
            yield [(one["kind"], one["p"], place(one["state"])) for one in found[0]["special"]], (last["p"], place(last["state"]))

    def assert_folds(self, special, expected, h):
        self.assertEqual([one[0] for one in special], ["fold"] * len(expected), h)
        for (_, p, x), (q, y) in zip(special, expected):
            self.assertAlmostEqual(p, q, places=9, msg=str(h))
            self.assertAlmostEqual(x, y, places=6, msg=str(h))

    def test_two_lines_that_miss_each_other(self):
        """x^2 - p*x = h < 0: nothing rests between p = -2*sqrt(-h) and 2*sqrt(-h), where the branch turns back."""
        for h in (-1e-4, -1e-6, -1e-7, -1e-8, -1e-9):
            for special, last in self.rest("x^3/3 - p*x^2/2 - h*x", h, 1, "1 .. -1"):
                self.assert_folds(special, [(2 * math.sqrt(-h), math.sqrt(-h))], h)
                self.assertEqual(last[0], 1)
                self.assertAlmostEqual(last[1], 0.5 - math.sqrt(0.25 + h), places=9)

    def test_two_lines_that_bend_away(self):
        """The same with h > 0: from x = p to x = h/p, without a fold."""
        for h in (1e-4, 1e-6, 1e-8, 1e-9):
            for special, last in self.rest("x^3/3 - p*x^2/2 - h*x", h, 1, "1 .. -1"):
                self.assert_folds(special, [], h)
                self.assertEqual(last[0], -1)
                self.assertAlmostEqual(last[1], -0.5 + math.sqrt(0.25 + h), places=9)

    def test_digits_of_periodic_points(self):
        """x^3 - p*x = h beside something that is driven: every point of the branch is as good as at its ends."""
        h = 1e-6
        model = (f"param h = {h}, p = -1, w = 3\ncoord x, z\nkinetic (x'^2 + z'^2)/2\npotential -p*x^2/2 + x^4/4 - h*x + z^2/2\n"
                 "force x = -x'/5\nforce z = cos(w*t) - z'\nstart x = h\n")
        points = self.branches(model, "--period", "2*pi/w", "--follow", "p = -1 .. 1/2")[0]["points"]
        self.assertGreater(len(points), 20)
        for point in points:
            p, x = point["p"], point["state"]["x"]
            self.assertLess(abs((x**3 - p * x - h) / (3 * x * x - p)), 1e-11 * abs(x), point)

    def test_a_gap(self):
        """x^2 = p^2 - h."""
        for h in (1e-2, 1e-4, 1e-6, 1e-8):
            for special, last in self.rest("x^3/3 - (p^2 - h)*x", h, 1, "1 .. -1"):
                self.assert_folds(special, [(math.sqrt(h), 0)], h)
                self.assertEqual(last[0], 1)
                self.assertAlmostEqual(last[1], -math.sqrt(1 - h), places=9)

    def test_two_folds_within_a_step(self):
        """x^3 - h*x = p: folds at x = +-sqrt(h/3)."""
        for h in (1e-2, 1e-4, 1e-6, 1e-7):
            for special, last in self.rest("x^4/4 - h*x^2/2 - p*x", h, -1, "-1 .. 1"):
                x = math.sqrt(h / 3)
                self.assert_folds(special, [(2 * h * x / 3, -x), (-2 * h * x / 3, x)], h)
                self.assertEqual(last[0], 1)

    def test_lines_that_cross_are_told(self):
        """h = 0: the other line is followed from there, on both sides."""
        found = self.branches(ONE.format(h=0, p=1, potential="x^3/3 - p*x^2/2 - h*x", x=1), "--rest", "--follow", "p = 1 .. -1")
        self.assertEqual(len(found), 3)
        [special] = found[0]["special"]
        self.assertEqual(special["kind"], "branching")
        self.assertAlmostEqual(special["p"], 0, places=9)
        for branch in found[1:]:
            self.assertTrue(all(abs(point["state"]["x"]) < 1e-9 for point in branch["points"]))

    def test_periodic_motions(self):
        """Kapitza's pendulum in a wind, SciPy: the branch turns back at w = 22.5065523 for h = 1e-3 and at 22.3435697 for h = 1e-6; no other crosses."""
        for h, w in ((1e-3, 22.5065523), (1e-6, 22.3435697)):
            [branch] = self.branches(KAPITZA.format(h=h), "--follow", "w = 60 .. 15")
            [special] = branch["special"]
            self.assertEqual(special["kind"], "fold")
            self.assertAlmostEqual(special["w"], w, places=6)
            self.assertEqual(branch["points"][-1]["w"], 60)

    def test_beside_impacts(self):
        """As the first two, in a motion with an impact in each period; where lines cross they are told."""
        potential = "x^3/3 - p*x^2/2 - h*x"
        for h in (-1e-4, -1e-7, 1e-4, 1e-7):
            [branch] = self.branches(BOUNCING.format(h=h, p=1, potential=potential, x=0.5 + math.sqrt(0.25 + h)), "--follow", "p = 1 .. -1")
            self.assertEqual(branch["end"], "the end of the range")
            special = [(one["kind"], one["p"], one["state"]["x"]) for one in branch["special"]]
            self.assert_folds(special, [(2 * math.sqrt(-h), math.sqrt(-h))] if h < 0 else [], h)
            last = branch["points"][-1]
            self.assertEqual(last["p"], 1 if h < 0 else -1)
            self.assertAlmostEqual(last["state"]["x"], (1 if h < 0 else -1) * (0.5 - math.sqrt(0.25 + h)), places=9)
        found = self.branches(BOUNCING.format(h=0, p=1, potential=potential, x=1), "--follow", "p = 1 .. -1")
        self.assertEqual(len(found), 3)
        [special] = found[0]["special"]
        self.assertEqual(special["kind"], "branching")
        self.assertAlmostEqual(special["p"], 0, places=8)


if __name__ == "__main__":
    unittest.main()
