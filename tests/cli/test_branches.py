#!/usr/bin/env python3
"""`orbits --follow`: places of rest and periodic motions over a parameter, with their special points, against closed forms and published numbers.

usage: test_branches.py PROGRAM
"""

import json
import math
import subprocess
import sys
import unittest

from program import PROGRAM, ROOT, InFolder, run

LINEAR = """param k = 4, c = 0.3, F = 2, w = 3
coord x
kinetic x'^2/2
potential k/2*x^2
force x = -c*x' + F*cos(w*t)
"""
TURNING = """param g = 9.81, l = 0.5
coord theta
kinetic l^2/2*theta'^2
potential -g*l*cos(theta)
start theta' = 12
"""


def complete_elliptic(m):
    """K of the parameter m = k^2, by the mean of Gauss."""
    a, b = 1.0, math.sqrt(1 - m)
    for _ in range(30):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


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


class Branches(InFolder):
    def branches(self, *arguments):
        code, out, err = run("orbits", *arguments, "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertEqual(result["schema"], 1)
        return result["branches"]

    def test_bead_on_a_hoop(self):
        """It leaves the lowest point at w = sqrt(g/R), to cos(theta) = g/(R w^2) on either side."""
        found = self.branches("models/driven/bead_on_turning_hoop.lia", "--rest", "--start", "theta = 0", "--follow", "w = 4 .. 9")
        self.assertEqual(len(found), 3)
        [special] = found[0]["special"]
        self.assertEqual(special["kind"], "branching")
        self.assertAlmostEqual(special["w"], math.sqrt(9.81 / 0.3), places=8)
        for point in found[0]["points"]:
            self.assertAlmostEqual(point["state"]["theta"], 0, places=10)
            self.assertEqual(point["stability"], "stable" if point["w"] < special["w"] else "unstable")
        sides = set()
        for branch in found[1:]:
            self.assertEqual((branch["special"], branch["end"]), ([], "the end of the range"))
            for point in branch["points"]:
                self.assertAlmostEqual(math.cos(point["state"]["theta"]), 9.81 / (0.3 * point["w"] ** 2), places=9)
                self.assertEqual(point["stability"], "stable")
            self.assertAlmostEqual(branch["points"][-1]["w"], 9, places=12)
            sides.add(branch["points"][-1]["state"]["theta"] > 0)
        self.assertEqual(sides, {True, False})

    def test_folds_of_duffing(self):
        """The period follows the drive. SciPy: y(T) = y with a multiplier 1 at these w."""
        [branch] = self.branches("models/driven/duffing.lia", "--follow", "w = 0.8 .. 2.2")
        self.assertEqual([s["kind"] for s in branch["special"]], ["fold", "fold"])
        self.assertAlmostEqual(branch["special"][0]["w"], 1.77971952, places=7)
        self.assertAlmostEqual(branch["special"][1]["w"], 1.3242362, places=6)
        for point in branch["points"]:
            self.assertAlmostEqual(point["period"], 2 * math.pi / point["w"], places=10)
        self.assertEqual({p["stability"] for p in branch["points"]}, {"stable", "unstable"})

    def test_period_doubling(self):
        """SciPy: a multiplier -1 at F = 0.26558179."""
        branches = self.branches("models/driven/duffing.lia", "--set", "a = -1, c = 0.3, w = 1.2", "--start", "x = 1", "--follow", "F = 0.1 .. 0.4")
        [special] = branches[0]["special"]
        self.assertEqual(special["kind"], "period doubling")
        self.assertAlmostEqual(special["F"], 0.26558179, places=7)
        # beyond it the simple motion is unstable, and one of twice the period is stable: it is another one, half of a period later too
        options = ("--set", "a = -1, c = 0.3, w = 1.2, F = 0.28", "--start", "x = 0.5", "--json")
        results = []
        for period in ((), ("--period", "4*pi/w")):
            code, out, err = run("orbits", "models/driven/duffing.lia", *options, *period)
            self.assertEqual(code, 0, err)
            results.append(json.loads(out))
        simple, doubled = results
        self.assertEqual((simple["stability"], doubled["stability"]), ("unstable", "stable"))
        self.assertAlmostEqual(doubled["period"], 2 * simple["period"], places=12)
        half = runge_kutta(lambda t, y: [y[1], -0.3 * y[1] + y[0] - y[0]**3 + 0.28 * math.cos(1.2 * t)],
                           [doubled["start"]["x"], doubled["start"]["x'"]], simple["period"], 4000)
        self.assertGreater(abs(half[0] - doubled["start"]["x"]), 0.1)
        # its branch goes back to where it left the simple one
        found = self.branches("models/driven/duffing.lia", "--set", "a = -1, c = 0.3, w = 1.2", "--start", "x = 0.5",
                              "--period", "4*pi/w", "--follow", "F = 0.28 .. 0.26")
        self.assertLess(abs(min(p["F"] for p in found[0]["points"]) - 0.26558179), 1e-4)

    def test_a_branch_begins_where_a_motion_is_found(self):
        """Newton's method without damping leaves the branch from these starts; `orbits` finds a motion."""
        for ends in ("1.4 .. 1.5", "1.3 .. 1.5", "1.4 .. 2"):
            first = ends.split()[0]
            code, out, err = run("orbits", "models/driven/duffing.lia", "--set", f"w = {first}", "--json")
            self.assertEqual((code, err), (0, ""))
            start = json.loads(out)["start"]
            begin = self.branches("models/driven/duffing.lia", "--follow", f"w = {ends}")[0]["points"][0]
            self.assertEqual(begin["w"], float(first))
            for name, value in start.items():
                self.assertAlmostEqual(begin["state"][name], value, delta=1e-8)

    def test_a_given_period_follows_the_parameter(self):
        found = self.branches("models/driven/duffing.lia", "--set", "F = 0.1", "--period", "4*pi/w", "--follow", "w = 1.6 .. 2.2")
        self.assertEqual(found[0]["end"], "the end of the range")
        for point in found[0]["points"]:
            self.assertAlmostEqual(point["period"], 4 * math.pi / point["w"], places=10)
        # the period of the first value alone: no motion has it at the next
        found = self.branches("models/driven/duffing.lia", "--set", "F = 0.1", "--period", "4*pi/1.6", "--follow", "w = 1.6 .. 2.2")
        self.assertEqual(len(found[0]["points"]), 1)
        self.assertIn("not the period of the drive", found[0]["end"])

    def test_the_first_point_has_the_first_value(self):
        self.write("param k = 1\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2 + y'*z' + 0.3*x'*y' + 0.2*x^2*y'^2)/2\n"
                   "potential k*x^2/2 + x^4/4\nstart x = 0.7\n")
        code, out, err = self.run_in("orbits", "m.lia", "--hold", "x, y, z, y', z'", "--period", "5.5", "--follow", "k = 1 .. 1.5", "--json")
        self.assertEqual(code, 0, err)
        [branch] = json.loads(out)["branches"]
        self.assertAlmostEqual(branch["points"][0]["k"], 1, places=8)
        self.assertAlmostEqual(branch["points"][-1]["k"], 1.5, places=8)
        self.assertEqual((branch["special"], {p["stability"] for p in branch["points"]}), ([], {"neutral"}))

    def test_a_drive_that_begins_with_nothing(self):
        """At F = 0 the drive is absent, and on the branch it is not."""
        self.write(LINEAR)
        code, out, err = self.run_in("orbits", "m.lia", "--follow", "F = 0 .. 1", "--json")
        self.assertEqual(code, 0, err)
        [branch] = json.loads(out)["branches"]
        steady = 1 / complex(4 - 9, 0.3 * 3)
        self.assertAlmostEqual(branch["points"][-1]["F"], 1, places=12)
        for point in branch["points"]:
            self.assertAlmostEqual(point["period"], 2 * math.pi / 3, places=12)
            self.assertAlmostEqual(point["state"]["x"], point["F"] * steady.real, places=9)
        code, _, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "F = 0 .. 1")
        self.assertEqual(code, 2)
        self.assertIn("the time enters", err)

    def test_real_exponents_that_meet(self):
        """x'' = mu*x' - x: at mu = 2 two real exponents become of a pair, and both grow before and after."""
        [branch] = self.branches("models/driven/van_der_pol.lia", "--rest", "--start", "x = 0, x' = 0", "--follow", "mu = 1 .. 3")
        self.assertEqual(branch["special"], [])
        self.assertEqual({p["stability"] for p in branch["points"]}, {"unstable"})

    def test_two_real_exponents_at_once(self):
        self.write("param k = -1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential -k*(x^2 + y^2)/2 + (x^2 + y^2)^2/4\n"
                   "dissipation (x'^2 + y'^2)/10\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "k = -1 .. 1", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual([s["kind"] for s in json.loads(out)["branches"][0]["special"]], ["branching"])

    def test_rest_with_a_symmetry(self):
        """y is free: an exponent 0 of a symmetry does not branch, and places of rest are a family unless y is held."""
        self.write("param k = -1\ncoord x, y\nkinetic (x'^2 + y'^2 + x'*y')/2\npotential -k*x^2/2 + x^4/4\ndissipation x'^2/10\n")
        code, _, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "k = -1 .. 1")
        self.assertEqual(code, 3)
        self.assertIn("--hold", err)
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--hold", "y", "--follow", "k = -1 .. 1", "--json")
        self.assertEqual(code, 0, err)
        first = json.loads(out)["branches"][0]
        [special] = first["special"]
        self.assertAlmostEqual(special["k"], 0, places=7)
        for point in first["points"]:
            self.assertEqual(point["stability"], "neutral" if point["k"] < 0 else "unstable")
        for option in (("--turns", "x = 1"), ("--period", "2")):
            code, _, err = self.run_in("orbits", "m.lia", "--rest", *option, "--follow", "k = -1 .. 1")
            self.assertEqual(code, 2)
            self.assertIn("a place of rest", err)

    def test_special_points_before_the_end(self):
        self.write("param e = -0.5\ncoord x\nkinetic x'^2/2\npotential -e*x^2/2 + x^4/4\ndissipation x'^2/20\n")
        for end in ("0.0005", "0.002", "0.005", "0.01"):
            code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", f"e = -0.5 .. {end}", "--json")
            self.assertEqual(code, 0, err)
            [special] = json.loads(out)["branches"][0]["special"]
            self.assertEqual(special["kind"], "branching")
            self.assertAlmostEqual(special["e"], 0, places=8)

    def test_kapitza_over_the_drive(self):
        branches = self.branches("models/driven/kapitza_upright.lia", "--follow", "w = 50 .. 90")
        [special] = branches[0]["special"]
        self.assertEqual(special["kind"], "branching")
        self.assertLess(abs(special["w"] / 62.7780640228597603 - 1), 1e-7)
        for point in branches[0]["points"]:
            self.assertEqual(point["stability"], "unstable" if point["w"] < special["w"] else "neutral")

    def test_the_picture_of_kapitza(self):
        """The boundary over the amplitude lies on Mathieu's curve, and the picture in the documentation shows it."""
        done = subprocess.run([sys.executable, ROOT / "tools" / "make_kapitza_picture.py", PROGRAM, "--check"], capture_output=True, text=True,
                              encoding="utf-8", timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_family_that_is_held_has_no_branchings(self):
        """A bead on a hoop that turns slowly swings about its lowest point at every rate."""
        self.write("param g = 9.81, w = 2\ncoord q\nrheonomic p = w*t\nparticle P mass 1 at [sin(q)*cos(p), sin(q)*sin(p), -cos(q)]\n"
                   "gravity [0, 0, -g]\n")
        code, out, err = self.run_in("orbits", "m.lia", "--start", "q = 0.5", "--hold", "q", "--follow", "w = 1 .. 2.9")
        self.assertEqual(code, 0, err)
        self.assertNotIn("branching", out)
        self.assertIn("the end of the range", out)

    def test_special_points_to_their_digits(self):
        """Where what grows is zero, and not where it is more than its doubt."""
        cases = (("param mu = -1\ncoord x\nkinetic x'^2/2\nforce x = (mu - 1/3)/1000*x' - x - x^2*x'\n", "mu = -1 .. 1", ["--rest"], "Hopf", 1 / 3),
                 ("param mu = -1\ncoord x\nkinetic x'^2/2\nforce x = (mu - 1/3)*x'/1000 - 2*x + sin(t)\n", "mu = -1 .. 1", [], "torus", 1 / 3),
                 ("param v = 0.5\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (x' - v) - (x' - v)^3 - x'/5\nstart x = 0.2\n",
                  "v = 0.1 .. 1", ["--rest"], "Hopf", math.sqrt(0.8 / 3)),
                 ("param w = 2, g = 9.81, c = 1/5\ncoord x, y\nkinetic (x'^2+y'^2)/2\npotential (g - w^2)*(x^2+y^2)/2 + (x^2+y^2)^2\n"
                  "dissipation c/2*(x'^2+y'^2)\n", "w = 2 .. 5", ["--rest"], "branching", math.sqrt(9.81)))
        for model, over, more, kind, value in cases:
            self.write(model)
            code, out, err = self.run_in("orbits", "m.lia", "--follow", over, *more)
            self.assertEqual(code, 0, err)
            found = [float(line.split("=")[1].split(",")[0]) for line in out.splitlines() if line.split()[:1] == [kind]]
            self.assertTrue(found, out)
            self.assertAlmostEqual(found[0], value, delta=3e-9 * (1 + abs(value)), msg=model)

    def test_hopf(self):
        self.write("param e = -0.5\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (e - x^2)*x'\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "e = -0.5 .. 0.5")
        self.assertEqual(code, 0, err)
        self.assertIn("Hopf", out)
        code, out, _ = self.run_in("orbits", "m.lia", "--rest", "--follow", "e = -0.5 .. 0.5", "--json")
        [special] = json.loads(out)["branches"][0]["special"]
        self.assertAlmostEqual(special["e"], 0, places=6)

    def test_motions_that_shrink_to_rest(self):
        """The cycle ends at the Hopf point, with the period of its exponents: it does not turn back."""
        self.write("param mu = 0.5, k = 4\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\nforce x = (mu - 1/10 - x^2)*x'\nstart x = 1.3\n")
        code, out, err = self.run_in("orbits", "m.lia", "--follow", "mu = 0.5 .. -0.5", "--json")
        self.assertEqual(code, 0, err)
        [branch] = json.loads(out)["branches"]
        [special] = branch["special"]
        self.assertEqual((special["kind"], branch["end"]), ("Hopf", "the motions shrink to a place of rest"))
        self.assertAlmostEqual(special["mu"], 0.1, places=10)
        self.assertAlmostEqual(special["period"], math.pi, places=9)
        self.assertGreater(min(point["mu"] for point in branch["points"]), 0.1 - 1e-9)

    def test_a_closed_branch_is_followed_once(self):
        """x = 0 and x^2 = p (1 - p): the loop comes back, and no part of it is listed again."""
        self.write("param p = -0.5\ncoord x\nkinetic x'^2/2\nforce x = x*(p*(1 - p) - x^2) - x'\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "p = -0.5 .. 1.5", "--json")
        self.assertEqual(code, 0, err)
        line, loop = json.loads(out)["branches"]
        self.assertEqual(loop["end"], "the branch comes back to its first point")
        self.assertEqual([(s["kind"], s["note"]) for s in line["special"]], 2 * [("branching", "followed as branch 2")])
        for point in loop["points"]:
            self.assertAlmostEqual(point["state"]["x"] ** 2, point["p"] * (1 - point["p"]), places=9)
        self.assertEqual({point["state"]["x"] > 0.3 for point in loop["points"]}, {True, False})

    def test_a_circle_that_is_crossed_at_its_folds(self):
        """x = 0 and x^2 + mu^2 = 1: once round for each range, and no fold beside the branchings."""
        self.write("param mu = 0, c = 0.5\ncoord x\nkinetic x'^2/2\nforce x = x*(1 - mu^2 - x^2) - c*x'\n")
        for over in ("mu = -2 .. 2", "mu = -3 .. 2", "mu = -1.5 .. 1.5"):
            code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", over, "--json")
            self.assertEqual(code, 0, err)
            line, circle = json.loads(out)["branches"]
            self.assertEqual(circle["end"], "the branch comes back to its first point", over)
            for special in circle["special"]:
                self.assertAlmostEqual(abs(special["mu"]), 1, places=7)
            for point in circle["points"]:
                self.assertAlmostEqual(point["state"]["x"] ** 2 + point["mu"] ** 2, 1, places=8)
            self.assertLess(len(circle["points"]), 250)

    def test_a_family_at_one_value(self):
        self.write("param mu = -1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -2*x - x' + cos(t)\nforce y = -mu*y + 0.6*y'\nstart x = 0\n")
        code, out, err = self.run_in("orbits", "m.lia", "--follow", "mu = -0.5 .. 0.5", "--json")
        self.assertEqual(code, 0, err)
        for branch in json.loads(out)["branches"][1:]:
            self.assertEqual((branch["end"], branch["special"]), ("a family at one value of the parameter", []))
            self.assertNotIn("mirror_image_of", branch)

    def test_a_branch_through_a_family(self):
        """At mu = 0 van der Pol's cycle, of amplitude 2, crosses the circles of the oscillator, of every amplitude."""
        self.write("param mu = 1\ncoord x\nkinetic x'^2/2\nforce x = -x + mu*(1 - x^2)*x'\nstart x = 2\n")
        model = str(self.folder / "m.lia")
        for low in ("-1", "-0.3"):
            first = self.branches(model, "--follow", f"mu = 1 .. {low}")[0]
            [special] = first["special"]
            self.assertEqual(special["kind"], "branching")
            self.assertLess(abs(special["mu"]), 1e-9)
            self.assertLess(abs(math.hypot(*special["state"].values()) - 2), 1e-6)
        for high in ("0.5", "1"):
            [branch] = self.branches(model, "--follow", f"mu = {high} .. 0")
            self.assertEqual(branch["special"], [])
            self.assertLess(abs(math.hypot(*branch["points"][-1]["state"].values()) - 2), 1e-6)

    def test_branches_across_branches(self):
        """From x = y = 0 goes x^2 = p at p = 0, and from that y^2 = p - 1 at p = 1."""
        self.write("param p = -0.5\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = x*(p - x^2) - x'\nforce y = y*(x^2 - 1 - y^2) - y'\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "p = -0.5 .. 2", "--json")
        self.assertEqual(code, 0, err)
        found = json.loads(out)["branches"]
        self.assertEqual(len(found), 5)
        self.assertEqual([special["note"] for special in found[0]["special"]], ["followed as branches 2 and 3"])
        [second], [third] = found[1]["special"], found[2]["special"]
        self.assertAlmostEqual(second["p"], 1, places=8)
        self.assertEqual(second["note"], "followed as branches 4 and 5")
        self.assertEqual(third["note"], "followed from branch 2 alone")
        for branch in found[3:]:
            for point in branch["points"]:
                self.assertAlmostEqual(point["state"]["x"] ** 2, point["p"], places=9)
                self.assertAlmostEqual(point["state"]["y"] ** 2, point["p"] - 1, places=9)

    def test_mirror_images(self):
        """Both sides of a pitchfork have one spectrum; those of a pitchfork that leans have two."""
        for lean, images in (("", [2]), (" + x^2/4", [])):
            self.write(f"param e = -0.5\ncoord x\nkinetic x'^2/2\nforce x = e*x - x^3{lean} - x'/10\n")
            code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "e = -0.5 .. 0.5", "--json")
            self.assertEqual(code, 0, err)
            found = json.loads(out)["branches"]
            self.assertEqual([b["mirror_image_of"] for b in found if "mirror_image_of" in b], images)
        code, out, _ = run("orbits", "models/driven/kapitza_upright.lia", "--follow", "w = 50 .. 90")
        self.assertIn("mirror image of branch 2", out)
        self.assertIn("followed as branches 2 and 3", out)

    def test_what_is_not_followed_is_named(self):
        self.write("param e = 0.2\ncoord x\nkinetic x'^2/2\npotential x^4/4 - x^2/2\nforce x = -0.15*x' + e*cos(1.2*t)\nstart x = 1\n")
        code, out, err = self.run_in("orbits", "m.lia", "--follow", "e = 0.01 .. 0.4")
        self.assertEqual(code, 0, err)
        for line in out.splitlines():
            if line.split()[:2] == ["period", "doubling"]:
                self.assertIn("not followed", line)
        self.assertIn("period doubling", out)

    def test_what_is_held_on_a_constraint(self):
        """A pendulum in two coordinates over its weight: its start stays, so that the period is that of one amplitude."""
        self.write("param g = 9.81\ncoord x, y\nparticle P mass 1 at [x, y]\ngravity [0, -g]\nconstraint rod: x^2 + y^2 = 1\n"
                   "start x = 0.6, y = -0.8\n")
        code, out, err = self.run_in("orbits", "m.lia", "--hold", "x, y", "--follow", "g = 9 .. 10", "--json")
        self.assertEqual(code, 0, err)
        [branch] = json.loads(out)["branches"]
        period = 4 * complete_elliptic(math.sin(math.asin(0.6) / 2) ** 2)
        for point in branch["points"]:
            self.assertAlmostEqual(point["state"]["x"], 0.6, places=12)
            self.assertAlmostEqual(point["period"], period / math.sqrt(point["g"]), places=8)

    def test_two_pairs_at_once(self):
        self.write("param mu = -0.5\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -x + mu*x' - x'^3\nforce y = -2*y + mu*y' - y'^3\nstart x = 0\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "mu = -0.5 .. 0.5")
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"Hopf +at mu = .*; 2 pairs pass here")

    def test_two_points_within_a_step(self):
        """A Hopf point at 0 and a branching at 1/20, 1/50, 1/1000: each at its place."""
        for apart in (0.05, 0.02, 0.001):
            self.write("param mu = -1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -x + mu*x' - x'^3\n"
                       f"force y = (mu - {apart})*y - y' - y^3\nstart x = 0\n")
            [branch, *_] = self.branches(str(self.folder / "m.lia"), "--rest", "--follow", "mu = -1 .. 1")
            found = {special["kind"]: special["mu"] for special in branch["special"]}
            self.assertAlmostEqual(found["Hopf"], 0, places=6)
            self.assertAlmostEqual(found["branching"], apart, places=6)

    def test_the_unit_that_was_asked(self):
        """A bead on a hoop, followed in turns a minute: that is what the answer is in."""
        model = ("param n = 40 [rpm], R = 0.3 [m], g = 9.81 [m/s^2], m = 1 [kg]\ncoord theta\nrheonomic phi = n*t\n"
                 "particle P mass m at [R*sin(theta)*cos(phi), R*sin(theta)*sin(phi), -R*cos(theta)]\ngravity [0, 0, -g]\nstart theta = 0\n")
        self.write(model)
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "n = 40 .. 80", "-o", "b.csv")
        self.assertEqual(code, 0, err)
        self.assertIn("places of rest over n [rpm]", out)
        self.assertIn("n = 40 to 80", out)
        at = math.sqrt(9.81 / 0.3) * 30 / math.pi
        self.assertIn(f"at n = {at:.9g}"[:16], out)
        self.assertTrue((self.folder / "b.csv").read_text(encoding="utf-8").startswith("branch,n [rpm],"))
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "n = 4 [1/s] .. 8 [1/s]")
        self.assertEqual(code, 0, err)
        self.assertIn("n = 4 to 8", out)

    def test_files(self):
        self.write("param e = -0.5\ncoord x\nkinetic x'^2/2\npotential -e*x^2/2 + x^4/4\ndissipation x'^2/20\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "e = -0.5 .. 0.5", "-o", "b.csv", "--plot", "b.svg")
        self.assertEqual(code, 0, err)
        self.assertIn("branching", out)
        lines = (self.folder / "b.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "branch,e,x,x',unstable")
        for line in lines[1:]:
            _, e, x, _, _ = map(float, line.split(","))
            self.assertLess(abs(x * (x * x - e)), 1e-9)
        self.assertIn("branching", (self.folder / "b.svg").read_text(encoding="utf-8"))

    def test_what_is_refused(self):
        self.write(LINEAR)
        for options, words in ((("--rest",), "need a parameter"), (("--follow", "k = 4"), "from one value to another"),
                               (("--follow", "k = 4 .. 4"), "both ends are one"), (("--follow", "q = 1 .. 2"), "q"),
                               (("--follow", "k = 1 .. 2", "-o", "b.txt"), "written as .csv")):
            code, _, err = self.run_in("orbits", "m.lia", *options)
            self.assertEqual(code, 2, err)
            self.assertIn(words, err)
        code, _, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "k = 1 .. 2")  # driven: it never rests
        self.assertEqual(code, 2)
        self.assertIn("the time enters", err)
        self.write(TURNING + "force theta = 100\n")  # a torque that no weight holds
        code, _, err = self.run_in("orbits", "m.lia", "--rest", "--start", "theta' = 0", "--follow", "l = 0.5 .. 0.6")
        self.assertEqual(code, 3)
        self.assertIn("no place of rest", err)

    def test_a_relation_that_asks_for_a_motion(self):
        self.write("param w = 5\ncoord phi, x\nkinetic (phi'^2 + x'^2)/2\npotential x^2/2\nconstraint motor: phi' = w\n")
        code, _, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "w = 5 .. 6")
        self.assertEqual(code, 2)
        self.assertIn("`motor` asks for a motion", err)

    def test_small_units(self):
        """Rest is (x/s)^3 - p*x/s = 1/50: two roots meet at p = 3*(1/100)^(2/3), whatever s is."""
        fold = 3 * 0.01**(2 / 3)
        for s in (1, 1e-3, 1e-6, 1e-10):
            self.write(f"param s = {s}, p = 1\ncoord x\nkinetic x'^2/2\npotential x^4/4/s^2 - p*x^2/2 - s*x/50\nforce x = -x'/5\nstart x = -s\n")
            code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "p = 1 .. -1", "--json")
            self.assertEqual(code, 0, err)
            branch = json.loads(out)["branches"][0]
            self.assertEqual([one["kind"] for one in branch["special"]], ["fold"], s)
            self.assertAlmostEqual(branch["special"][0]["p"], fold, places=6)
            self.assertAlmostEqual(branch["points"][-1]["p"], 1, places=9)  # back along the middle root

    def test_folds_of_a_response_in_small_units(self):
        for s in (1, 1e-6):
            self.write(f"param s = {s}, w = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2 + x^4/4/s^2\nforce x = -x'/5 + s*cos(w*t)/2\nstart x = 0.3*s\n")
            code, out, err = self.run_in("orbits", "m.lia", "--follow", "w = 0.9 .. 3", "--json")
            self.assertEqual(code, 0, err)
            branch = json.loads(out)["branches"][0]
            folds = [one["w"] for one in branch["special"] if one["kind"] == "fold"]
            self.assertEqual(len(folds), 2, s)
            self.assertAlmostEqual(folds[0], 1.65767, places=4)
            self.assertAlmostEqual(folds[1], 1.42306, places=4)
            self.assertEqual(branch["end"], "the end of the range")

    def test_an_imperfect_fork(self):
        """x^3 - p*x = h has one root below p = 3*(h/2)^(2/3): the branch of the negative ones turns back there, and meets no other."""
        for h in (1e-2, 1e-4):
            self.write(f"param h = {h}, p = 1\ncoord x\nkinetic x'^2/2\npotential x^4/4 - p*x^2/2 - h*x\nforce x = -x'/5\nstart x = -1\n")
            code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "p = 1 .. -1", "--json")
            self.assertEqual(code, 0, err)
            branches = json.loads(out)["branches"]
            self.assertEqual([one["kind"] for one in branches[0]["special"]], ["fold"], h)
            self.assertAlmostEqual(branches[0]["special"][0]["p"], 3 * (h / 2)**(2 / 3), places=6)
            self.assertTrue(all(point["state"]["x"] < 0 for point in branches[0]["points"]))

    def test_the_unit_of_a_range(self):
        self.write("param n = 300 [rpm], m = 1 [kg], k = 1 [N/m], c = 0.2 [N*s/m], F = 1 [N]\ncoord x [m]\nkinetic m*x'^2/2\n"
                   "force x = -k*x - c*x' + F*cos(n*t)\n")
        code, out, err = self.run_in("orbits", "m.lia", "--follow", "n = 30 .. 40 [rpm]", "--json")
        self.assertEqual(code, 0, err)
        points = json.loads(out)["branches"][0]["points"]
        self.assertAlmostEqual(points[0]["n"], 30, places=9)
        self.assertAlmostEqual(points[-1]["n"], 40, places=9)
        self.assertAlmostEqual(points[0]["period"], 2, places=9)


if __name__ == "__main__":
    unittest.main()
