#!/usr/bin/env python3
"""What plots of a run show is chosen by options, and what is no column is said.

usage: test_plots.py PROGRAM
"""

import json
import math
import re
import unittest

from program import InFolder

OSCILLATOR = """system "Oscillator"
param m = 1 [kg], c = 1 [N/m]
coord x [m]
kinetic m/2*x'^2
potential c/2*x^2
output pull = c*x
output half = x/2
start x = 1
"""
CIRCLE = """coord x, y
kinetic (x'^2 + y'^2)/2
potential (x^2 + y^2)/2
start x = 1, y' = 1
"""
TOP = """rotation (p, q, r) in body
kinetic (p^2 + q^2 + 2*r^2)/2
start r = 1000, p = 1
"""
STONE = """param g = 9.81
coord x, y
particle P mass 1 at [x, y]
gravity [0, -g]
start y = 1, x' = 1, y' = 3
"""
PENDULUM = """param m = 1 [kg], l = 1 [m], g = 9.81 [m/s^2]
coord theta
particle P mass m at [l*sin(theta), -l*cos(theta)]
gravity [0, -g]
start theta = 1
"""
BALL = """coord y
kinetic y'^2/2
potential 9.81*y
unilateral floor: y >= 0 restitution 0.8
start y = 1
"""
RUN = ("--until", "20", "--every", "0.05")


class Plots(InFolder):
    def plot(self, text, *options, file="p.svg"):
        self.write(text)
        code, out, err = self.run_in("simulate", "m.lia", *RUN, "--plot", file, *options)
        self.assertEqual((code, err), (0, ""), out)
        return (self.folder / file).read_text(encoding="utf-8")

    def plot_of_steps(self, text, until, *options, file="p.svg"):
        """Without --every: rows are the steps."""
        self.write(text)
        code, out, err = self.run_in("simulate", "m.lia", "--until", until, "--plot", file, "-o", "m.csv", *options)
        self.assertEqual((code, err), (0, ""), out)
        return (self.folder / file).read_text(encoding="utf-8")

    def rows(self, file="m.csv"):
        return (self.folder / file).read_text().splitlines()

    @staticmethod
    def curve(svg):
        points = re.search(r'points="([^"]*)"', svg).group(1).split()
        return [tuple(map(float, point.split(","))) for point in points]

    def refused(self, text, *options):
        self.write(text)
        code, _, err = self.run_in("simulate", "m.lia", *RUN, *options)
        self.assertEqual(code, 2)
        return err

    def test_velocities_units_and_drift_are_there(self):
        svg = self.plot(OSCILLATOR)
        for words in ("Velocities", "x\u0307 [m/s]", "pull [N]", "half [m]", "(E − E₀)/|E₀|", "t [s]"):
            self.assertIn(words, re.sub(r"<[^>]*>", "", svg.replace("</tspan>", "")))

    def test_columns_are_chosen(self):
        svg = self.plot(OSCILLATOR, "--columns", "x', pull")
        self.assertEqual(svg.count('class="curve"'), 2)
        self.assertEqual(self.refused(OSCILLATOR, "--plot", "p.svg", "--columns", "pul"),
                         "--columns: error: the run has no column `pul` [L0514]\n   hint: did you mean `pull`?\n")

    def test_a_plane_and_its_sections(self):
        svg = self.plot(CIRCLE, "--xy", "x, y")
        points = re.search(r'points="([^"]*)"', svg).group(1).split()
        across = [float(point.split(",")[0]) for point in points]
        down = [float(point.split(",")[1]) for point in points]
        self.assertAlmostEqual(max(across) - min(across), max(down) - min(down), delta=1)
        self.assertIn("points=", self.plot(CIRCLE, "--phase", "x"))
        # cos t goes down through zero at pi/2, 5 pi/2 and 9 pi/2
        svg = self.plot(CIRCLE, "--phase", "y", "--section", "x = 0, falling")
        self.assertIn("section x = 0, falling: 3 points", svg)
        self.assertEqual(svg.count("<circle"), 3)
        self.assertIn("6 points", self.plot(CIRCLE, "--xy", "x,y", "--section", "2*x + sin(0*t) = 0, either"))

    def test_a_picture_shows_the_motion_between_its_steps(self):
        curve = self.curve(self.plot_of_steps(STONE, "1", "--xy", "x, y"))
        self.assertLess(len(self.rows()), 12)
        # x = t, y = 1 + 3 t - 9.81 t^2/2: the scales are those of the first and the last point
        height = lambda x: 1 + 3 * x - 9.81 * x * x / 2
        (left, first), (right, last) = curve[0], curve[-1]
        for (a, b), (c, d) in zip(curve, curve[1:]):
            for x, y in ((a, b), ((a + c) / 2, (b + d) / 2)):
                t = (x - left) / (right - left)
                self.assertAlmostEqual(y, first + (last - first) * (height(t) - 1) / (height(1) - 1), delta=1)

    def test_a_circle_of_steps_is_round(self):
        curve = self.curve(self.plot_of_steps(CIRCLE.replace("x = 1, y' = 1", "x = 1, y = 0, y' = 1"), "7", "--xy", "x, y"))
        across, down = zip(*curve)
        middle = ((max(across) + min(across)) / 2, (max(down) + min(down)) / 2)
        radius = (max(across) - min(across)) / 2
        for a, b in zip(curve, curve[1:]):
            self.assertAlmostEqual(math.dist(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), middle), radius, delta=1)

    def test_values_of_the_page_are_those_of_the_motion(self):
        page = self.plot_of_steps(OSCILLATOR, "6", file="p.html")
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))
        series = {one["name"]: one for panel in data["panels"] for one in panel["series"]}
        for name, value in (("x", math.cos), ("T", lambda t: math.sin(t) ** 2 / 2), ("pull", math.cos)):
            times = series[name]["x"]
            self.assertGreater(len(times), 400)
            for t, found in zip(times, series[name]["values"]):
                self.assertAlmostEqual(found, value(t), delta=1e-6)

    def test_rows_and_what_a_run_goes_on_from_are_the_same_with_a_picture(self):
        # a rod in Cartesian coordinates, friction by its own pressure, an event that acts
        rod = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint rod: x^2 + y^2 = 1"
        hoop = rod + " power x*x' + y*y' - 0.1*sign(lambda(rod))*sqrt(x'^2 + y'^2)\nstart x = 0, y = -1, x' = 7\n"
        rod += "\nstart x = 1, y = 0\n"
        for text in (STONE, PENDULUM + "output way = integral(theta'^2)\n", BALL, rod,
                     rod + "event low: x = 0 then reset x' = -x'/2\n", hoop):
            self.plot_of_steps(text, "2")
            code, out, err = self.run_in("simulate", "m.lia", "--until", "2", "-o", "plain.csv")
            self.assertEqual((code, err), (0, ""), out)
            self.assertEqual(self.rows(), self.rows("plain.csv"))
            if "constraint" in text:  # else the number of evaluations is another
                self.assertEqual(self.rows("m.csv.resume"), self.rows("plain.csv.resume"))

    def test_a_ball_flies_between_its_impacts(self):
        curve = self.curve(self.plot_of_steps(BALL, "0.8", "--columns", "y"))
        # y = 1 - g t^2/2 to its fall at sqrt(2/g); up again with 0.8 of the speed
        fall = math.sqrt(2 / 9.81)
        height = lambda t: 1 - 9.81 * t * t / 2 if t < fall else 0.8 * 9.81 * fall * (t - fall) - 9.81 * (t - fall) ** 2 / 2
        left, right = curve[0][0], curve[-1][0]
        top, bottom = curve[0][1], max(y for _, y in curve)
        for (a, b), (c, d) in zip(curve, curve[1:]):
            for x, y in ((a, b), ((a + c) / 2, (b + d) / 2)):
                t = 0.8 * (x - left) / (right - left)
                self.assertAlmostEqual(y, bottom + (top - bottom) * height(t), delta=1)

    def size(self, svg):
        across, down = zip(*self.curve(svg))
        return max(across) - min(across), max(down) - min(down)

    def test_two_scales_where_columns_are_not_alike(self):
        for names in ("theta, T", "theta, theta'", "T, V", "theta', theta"):
            across, down = self.size(self.plot(PENDULUM, "--xy", names))
            self.assertGreater(across, 380, names)
            self.assertGreater(down, 320, names)
        flat = CIRCLE.replace("y' = 1", "y' = 0.03").replace("x = 1", "x = 1, y = 0")
        for text, ratio in ((flat, None), (flat.replace("0.03", "0.5"), 2), (flat.replace("0.03", "0.3"), 1 / 0.3)):
            across, down = self.size(self.plot(text, "--xy", "x, y"))
            self.assertGreater(across, 380)
            if ratio is None:
                self.assertGreater(down, 320)
            else:
                self.assertAlmostEqual(across / down, ratio, delta=0.03 * ratio)
        # a straight path stays straight: rounding has no scale of its own
        across, down = self.size(self.plot(CIRCLE.replace("y' = 1", "y = 1e-13"), "--xy", "x, y"))
        self.assertLess(down, 1)

    def test_earlier_runs_stand_beside(self):
        self.plot(CIRCLE, "-o", "first.csv")
        svg = self.plot(CIRCLE, "--start", "x = 2", "--columns", "x", "--compare", "first.csv")
        self.assertIn("x (first)", svg)
        self.assertEqual(svg.count('class="curve"'), 2)

    def test_what_is_compared_is_read_and_stays(self):
        self.plot(CIRCLE, "-o", "first.csv")
        first = (self.folder / "first.csv").read_text()
        self.assertIn("error: first.csv is written by this run [L0514]",
                      self.refused(CIRCLE, "--plot", "p.svg", "--compare", "first.csv", "-o", "./first.csv"))
        self.assertEqual((self.folder / "first.csv").read_text(), first)
        for text, why in (("t,x\n0,no\n", "cannot be read: line 2 is not a row of numbers"), ("t,x\n", "has no rows")):
            self.write(text, "other.csv")
            self.assertIn(f"--compare: error: other.csv {why} [L0514]", self.refused(CIRCLE, "--plot", "p.svg", "--compare", "other.csv"))

    def test_rotations_have_tilt_and_heading(self):
        svg = self.plot(TOP)
        self.assertIn("Orientation", svg)
        self.assertIn("tilt [rad]", svg)
        self.assertNotIn(">e0<", svg)
        self.assertIn('class="curve"', self.plot(TOP, "--columns", "tilt"))

    def test_what_cannot_be_drawn_is_refused(self):
        for options, words in ((("--columns", "x"), "there is no plot"),
                               (("--plot", "p.svg", "--xy", "x"), "a plane has two columns"),
                               (("--plot", "p.svg", "--xy", "x,z"), "no column `z`"),
                               (("--plot", "p.svg", "--xy", "x,y", "--phase", "x"), "three kinds of picture"),
                               (("--plot", "p.svg", "--section", "x = 0"), "drawn in a plane"),
                               (("--plot", "p.svg", "--xy", "x,y", "--section", "x"), "a section is an equation"),
                               (("--plot", "p.svg", "--xy", "x,y", "--section", "w = 0"), "no column `w`"),
                               (("--plot", "p.svg", "--xy", "x,y", "--section", "x = 5"), "never goes through"),
                               (("--plot", "p.svg", "--columns", ""), "--columns: error: the name of a column is missing"),
                               (("--plot", "p.svg", "--columns", "x,,y"), "the name of a column is missing"),
                               (("--plot", "p.svg", "--xy", ""), "the name of a column is missing"),
                               (("--plot", "p.svg", "--phase", ""), "the name of a column is missing"),
                               (("--columns", ""), "there is no plot"),
                               (("--plot", "p.svg", "--phase", "x", "--section", ""), "a section is an equation"),
                               (("--plot", "p.svg", "--compare", "none.csv"), "none.csv")):
            self.assertIn(words, self.refused(CIRCLE, *options), options)

    def test_a_section_is_judged_once(self):
        plane = ("--plot", "p.svg", "--phase", "x", "--section")
        self.assertEqual(self.refused(CIRCLE, *plane, "x = 0, sideways"),
                         "--section: error: `sideways` is no direction [L0514]\n"
                         "   hint: write rising, falling or either behind the comma, or nothing\n")
        self.assertRegex(self.refused(CIRCLE, *plane, "x = 0 +"), r"^--section:1:7: error: .* \[L01\d\d\]\n")
        for text, points in (("x = max(0, 0*y), rising", 3), ("x = 0,falling", 3), ("x = 0, either", 6)):
            self.assertIn(f"{points} points", self.plot(CIRCLE, "--phase", "y", "--section", text))


if __name__ == "__main__":
    unittest.main()
