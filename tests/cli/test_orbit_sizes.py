#!/usr/bin/env python3
"""`orbits`: coordinates of very different size in one state, motions that are small beside where they are, units of time. Numbers are by SciPy, or by the program below.

usage: test_orbit_sizes.py PROGRAM
"""

import json
import math
import resource
import unittest

from program import InFolder


def runge_kutta(rates, y, until, steps):
    h = until / steps
    for k in range(steps):
        t = k * h
        k1 = rates(t, y)
        k2 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
        k3 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
        k4 = rates(t + h, [a + h * b for a, b in zip(y, k3)])
        y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
    return y


class Sizes(InFolder):
    def orbit(self, model, *options):
        code, out, err = self.run_model(model, "orbits", "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def near(self, found, expected, relative):
        self.assertLess(abs(found - expected), relative * abs(expected), (found, expected))

    def test_one_coordinate_much_smaller_or_larger(self):
        """x/s, y are the same motion for every s; that of y has a closed form."""
        for s in (1, 1e-5, 1e-7, 1e-9, 1e-12, 1e7, 1e9):
            found = self.orbit(f"param s = {s}, w = 1.4\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 + x^4/4/s^2 + y^2\n"
                               "force x = -x'/5 + s*cos(w*t)/3*(1 + y/10)\nforce y = -y'/5 + cos(w*t)\nstart x = 0.3*s\n")
            start = found["start"]
            self.near(start["x"] / s, -0.347082469986, 1e-9)
            self.near(start["x'"] / s, 0.138950703144, 1e-9)
            self.near(start["y"], 0.5, 1e-9)
            self.near(start["y'"], 4.9, 1e-9)
            values = sorted((one["re"], abs(one["im"])) for one in found["multipliers"])
            for (re, im), expected in zip(values, [(0.132105530321, 0.624576322855)] * 2 + [(0.637662113825, 0.0305693114821)] * 2):
                self.assertAlmostEqual(re, expected[0], places=9)
                self.assertAlmostEqual(im, expected[1], places=8)
            self.assertEqual(found["stability"], "stable")

    def test_a_limit_cycle_beside_a_large_swing(self):
        """Van der Pol of the size s drives nothing, and y swings with it in 1:1: y'' = -y' - y + x/s."""
        for s in (1, 1e-6, 1e-10):
            found = self.orbit(f"param s = {s}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 + y^2/2\n"
                               f"force x = (1 - (x/s)^2)*x'\nforce y = -y' + x/s\nstart x = 2*s, y = 1, y' = 1\n")
            self.near(found["period"], 6.66328685932, 1e-10)
            self.assertAlmostEqual(found["multipliers"][1]["abs"], math.exp(-6.66328685932 / 2), places=8)

    def test_an_entry_that_comes_to_rest(self):
        """z has no drive: it dies out to nothing, and what is left of it is no motion to be measured by."""
        found = self.orbit("coord x, z\nkinetic (x'^2 + z'^2)/2\npotential x^2 + z^2/2\nforce x = -x'/5 + cos(t)\nforce z = -z'/3 - z*x/10\n"
                           "start x = 0.3, z = 1e-5\n")
        self.near(found["start"]["x"], 1 / 1.04, 1e-9)
        self.assertLess(abs(found["start"]["z"]), 1e-15)
        self.assertLess(found["defect"], 1e-10)

    def test_small_motions_far_from_the_origin(self):
        for offset, a in ((0, 1), (1, 1e-6), (1000, 1)):
            found = self.orbit(f"param X = {offset}, a = {a}\ncoord x\nkinetic x'^2/2\npotential (x - X)^2/2 + (x - X)^4/4\n"
                               "force x = -x'/5 + a*cos(1.4*t)\nstart x = X\n")
            y = [found["start"]["x"] - offset, found["start"]["x'"]]
            end = runge_kutta(lambda t, y: [y[1], -y[0] - y[0]**3 - y[1] / 5 + a * math.cos(1.4 * t)], y, 2 * math.pi / 1.4, 2000)
            for one, two in zip(y, end):
                self.assertLess(abs(one - two), 1e-7 * a)

    def test_a_motion_much_smaller_than_its_start(self):
        """x'' = -x - x'/10 + a cos(2 t) has a closed form."""
        for a in (1e-9, 1e-12, 1e-14):
            found = self.orbit(f"param a = {a}\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -x'/10 + a*cos(2*t)\nstart x = 1\n")
            self.near(found["start"]["x"] / a, -3 / 9.04, 1e-8)
            self.near(found["start"]["x'"] / a, 0.4 / 9.04, 1e-7)

    def test_a_tilted_pendulum_upright(self):
        """SciPy: th = 3.14143538, th' = -0.00189260395."""
        found = self.orbit("param h = 1e-3, A = 0.2, w = 60, g = 9.81\ncoord th\nrheonomic s = A*sin(w*t)\nparticle P mass 1 at [sin(th), -cos(th) + s]\n"
                           "gravity [h*g, -g]\nforce th = -th'/2\nstart th = pi - h\n")
        self.near(found["start"]["th"], 3.14143538, 1e-8)
        self.near(found["start"]["th'"], -0.00189260395, 1e-7)
        self.assertAlmostEqual(found["multipliers"][0]["re"], 0.64133161, places=7)

    def test_a_bead_that_has_far_to_go(self):
        """Newton's method alone does not come from here to any of the motions; this one, which is wild, goes past some."""
        m, R, g, c, w, b, p = 0.2, 0.3, 9.81, 0.02, 8, 0.2, 5
        model = ("param m > 0 = 0.2, R > 0 = 0.3, g = 9.81, c = 0.02, w = 8, b = 0.2, p = 5\ncoord theta\nrheonomic phi = w*t + b*sin(p*t)\n"
                 "particle b mass m at [R*sin(theta)*cos(phi), R*sin(theta)*sin(phi), -R*cos(theta)]\ngravity [0, 0, -g]\n"
                 "dissipation c/2*R^2*theta'^2\nstart theta = 1\n")
        found = self.orbit(model, "--period", "2*pi/p")

        def rates(t, y):
            turn = w + b * p * math.cos(p * t)
            return [y[1], turn**2 * math.sin(y[0]) * math.cos(y[0]) - g / R * math.sin(y[0]) - c / m * y[1]]
        y = list(found["start"].values())
        self.assertGreater(abs(y[0]), 0.1)  # no rest
        for one, two in zip(y, runge_kutta(rates, y, 2 * math.pi / p, 4000)):
            self.assertAlmostEqual(one, two, places=7)

    def test_a_rest_in_short_times(self):
        """x'' = (a + cos(t/s)/10) x/s^2 - x'/(10 s) about x = 0: the same multipliers for every s."""
        for s in (1, 1e-6, 1e6):
            found = self.orbit(f"param s = {s}, a = 0.3\ncoord x\nkinetic s^2*x'^2/2\npotential -(a + 0.1*cos(t/s))*x^2/2\nforce x = -s*x'/10\nstart x = 0\n")
            one, two = found["multipliers"]
            self.near(one["abs"] * two["abs"], math.exp(-math.pi / 5), 1e-8)
            self.assertAlmostEqual(one["abs"], 22.84, places=2)
            self.assertEqual(found["stability"], "unstable")

    def test_far_from_the_origin(self):
        """The same motion about X: thirteen digits are left at 1000, and eleven at 1e5."""
        for X, digits in ((0, 10), (1000, 9), (1e5, 7), (-3e4, 7)):
            found = self.orbit(f"param X = {X}, a = 1\ncoord x\nkinetic x'^2/2\npotential (x - X)^2/2 + (x - X)^4/4\nforce x = -x'/5 + a*cos(1.4*t)\nstart x = X\n")
            self.near(found["start"]["x"] - X, 1.32710416396, 10**-digits)
            self.near(found["start"]["x'"], 1.03696430423, 10**-digits)

    def test_a_small_circle(self):
        """A relation beside lengths of nanometres."""
        for s in (1, 1e-9):
            found = self.orbit(f"param s = {s}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = s^2\nstart x = s, y = 0, y' = s\n")
            self.near(found["period"], 2 * math.pi, 1e-9)

    def test_digits_of_what_goes_little_beside_relations(self):
        """x/s is the same motion for every s, but for the part that is lost: what the answer says is known of it is right."""
        model = ("param s = 1e-7, w = 1.4\ncoord x, u, v\nkinetic (x'^2 + u'^2 + v'^2)/2\npotential x^2/2 + x^4/4/s^2 + 2*v\n"
                 "force x = -x'/5 + s*cos(w*t)/3*(1 + u/10)\nforce u = -u' + cos(w*t)\nconstraint c: u^2 + v^2 = 4\n"
                 "start x = 0.3*s, v = -2, u = 0\n")
        exact = self.orbit(model, "--period", "2*pi/w", "--set", "s = 1", "--tol", "1e-12")["start"]
        for s, least in (("1e-7", 4), ("1e-9", 1)):
            found = self.orbit(model, "--period", "2*pi/w", "--set", f"s = {s}")
            self.assertEqual(sorted(found["digits"]), ["x", "x'"])
            for name, digits in found["digits"].items():
                self.assertGreater(digits, least)
                self.near(found["start"][name] / float(s), exact[name], 10**-digits)
            self.near(found["start"]["u"], exact["u"], 1e-9)

    def test_a_small_circle_far_away(self):
        """Rounding of the place beside the radius is no reason for short steps: they took minutes."""
        used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
        before = used()
        for X, digits in ((100, 8), (1e4, 6)):
            found = self.orbit(f"param X = {X}, r = 1e-3\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: (x - X)^2 + y^2 = r^2\nstart x = X + r, y = 0, y' = r\n")
            speed = math.hypot(found["start"]["x'"], found["start"]["y'"])
            self.near(found["period"], 2 * math.pi * 1e-3 / speed, 10**-digits)
            self.assertLess(10**-12, found["defect"])
            self.assertLess(found["defect"], 10**-digits)
        self.assertLess(used() - before, 10)
        # a swing in two directions stays where it begins
        found = self.orbit("param X = 1e4, r = 1e-3\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x - X)^2/2 + y^2/2\nstart x = X + r, y = 0, y' = r/2\n")
        self.near(found["period"], 2 * math.pi, 1e-8)
        self.assertAlmostEqual(found["start"]["x"] - 1e4, 1e-3, places=9)


if __name__ == "__main__":
    unittest.main()
