#!/usr/bin/env python3
"""`stability`: steady motions, their linear equations and charts, against values in the literature.

usage: test_stability.py PROGRAM
"""

import csv
import json
import math
import unittest

from program import ROOT, InFolder, run

BICYCLE = "models/classics/bicycle.lia"
DISC = "models/classics/tilting_disc.lia"


def answer(*arguments):
    code, out, err = run("stability", *arguments, "--json")
    if code != 0:
        raise AssertionError(err)
    return json.loads(out)


class Stability(InFolder):
    def test_the_length_of_a_spring_along_a_line_has_a_hint_that_leads_on(self):
        text = "param k = 2, l = 1\ncoord x\nparticle P mass 1 at [x, 0]\nspring S: {} stiffness k length l\nstart x = 1\n"
        code, out, err = self.run_model(text.format("P to [0, 0]"), "stability")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("`abs(x)` is not a function of one piece [L0514]\n   hint: write the piece that holds", err)
        code, out, err = self.run_model(text.format("x"), "stability")  # what the hint says
        self.assertEqual((code, err), (0, ""))
        self.assertIn("0 +- 1.414213562 i", out)  # w^2 = k/m

    def test_rest_on_a_turning_rod_is_one_decision(self):  # 9 r = 10 (r - 1); 10 - 9 > 0 (Jacobi's function)
        text = ("param w = 3\ncoord r\nrheonomic s = w*t\nparticle P mass 1 at [r*cos(s), r*sin(s)]\npotential {}*(r - 1)^2\n"
                "claim motions == stable at (r = {})\n")
        code, out, err = self.run_model(text.format(5, 10), "analyze", "--only", "equilibria", "--json")
        self.assertEqual([place["stability"] for place in json.loads(out)["equilibria"]], ["stable"])
        code, out, err = self.run_in("stability", "m.lia", "--at", "r = 10", "--json")
        self.assertEqual((json.loads(out)["stability"], json.loads(out)["energy_minimum"]), ("neutral", True))
        code, out, err = self.run_in("check", "m.lia")
        self.assertEqual(code, 0, out)
        code, out, err = self.run_model(text.format(2, "-4/5"), "check")  # 4 - 9 < 0
        self.assertEqual(code, 1)
        self.assertIn("REFUTED", out)

    def test_a_bicycle_is_stable_between_weave_and_capsize(self):  # Meijaard et al. 2007, to the digits of their table
        chart = answer(BICYCLE, "--scan", "v = 0:10:101")["chart"]
        found = [(b["at"][0], chart["kinds"][b["from"]]["right"], chart["kinds"][b["to"]]["right"]) for b in chart["boundaries"]]
        self.assertEqual([entry[1:] for entry in found], [(2, 0), (0, 1)])
        self.assertAlmostEqual(found[0][0], 4.292382536341112, 12)
        self.assertAlmostEqual(found[1][0], 6.024262015388369, 12)
        for boundary in chart["boundaries"]:
            low, high = boundary["between"]
            self.assertLess(high - low, 1e-13)

    def test_its_eigenvalues(self):  # at 5 m/s
        result = answer(BICYCLE)
        self.assertEqual(result["stability"], "asymptotically stable")
        found = sorted(map(tuple, result["eigenvalues"]))
        wanted = [(-14.07838969279822, 0), (-0.77534188219585, -4.46486771378823), (-0.77534188219585, 4.46486771378823), (-0.32286642900409, 0)]
        for (re, im), (re0, im0) in zip(found, wanted, strict=True):
            self.assertAlmostEqual(re, re0, 12)
            self.assertAlmostEqual(im, im0, 12)

    def test_matrices_with_inputs_and_outputs(self):
        result = answer(BICYCLE, "--input", "torque")
        self.assertEqual((result["inputs"], result["outputs"]), (["torque"], ["lean_angle", "steer_angle"]))
        a, b, c, d = (result[name]["value"] for name in "ABCD")
        self.assertEqual((len(a), len(a[0]), len(b), len(b[0]), len(c), len(d)), (4, 4, 4, 1, 2, 2))
        self.assertEqual((c, d), ([[1, 0, 0, 0], [0, 1, 0, 0]], [[0], [0]]))
        # M^-1 (0, 1)
        determinant = 80.81722 * 0.29784188199686 - 2.31941332208709**2
        self.assertAlmostEqual(b[2][0], -2.31941332208709 / determinant, 12)
        self.assertAlmostEqual(b[3][0], 80.81722 / determinant, 12)

    def test_a_disc_rolls_upright_when_it_is_fast(self):  # v^2 > g R/3 (Routh)
        chart = answer(DISC, "--at", "theta = 0", "--scan", "phi' = 0:10:11")["chart"]
        self.assertEqual(len(chart["boundaries"]), 1)
        self.assertAlmostEqual(chart["boundaries"][0]["at"][0], math.sqrt(9.81 / (3 * 0.3)), 11)
        self.assertEqual([chart["kinds"][k]["stability"] for k in chart["at"][0]], ["unstable"] * 4 + ["neutral"] * 7)

    def test_a_chart_is_written_and_drawn(self):
        self.write((ROOT / BICYCLE).read_text(encoding="utf-8"))
        code, out, err = self.run_in("stability", "m.lia", "--scan", "v = 0:10:11, g = 5:15:6", "-o", "chart.csv", "--plot", "chart.svg")
        self.assertEqual(code, 0, err)
        with open(self.folder / "chart.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 66)
        for row in rows:  # in another unit of time the equations contain v^2/g alone
            speed = float(row["v"]) * math.sqrt(9.81 / float(row["g"]))
            self.assertEqual(row["stability"] == "asymptotically stable", 4.292382536341112 < speed < 6.024262015388369, row)
        self.assertIn("<svg", (self.folder / "chart.svg").read_text(encoding="utf-8"))

    def test_numbers_that_are_no_fractions(self):  # the balls of a governor at acos(g/(l w^2))
        self.write("param l = 1, g = 9.81, w = 5, c = 1/10\ncoord a\nkinetic l^2*(a'^2 + w^2*sin(a)^2)/2\n"
                   "potential -g*l*cos(a)\nforce a = -c*a'\nstart a = acos(g/(l*w^2))\n")
        code, out, err = self.run_in("stability", "m.lia", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out)["stability"], "asymptotically stable")
        out = self.run_in("stability", "m.lia", "--json", "--at", "a = 0")[1]
        self.assertEqual(json.loads(out)["stability"], "unstable")

    def test_a_coordinate_that_may_drift_is_not_claimed_stable(self):
        drag = "param m = 2, c = 3\ncoord x\nkinetic m/2*x'^2\nforce x = -c*x'\n"
        spring = drag + "potential x^2/2\n"
        for text, word in ((drag, "unknown"), (spring, "proved")):
            self.write(text + "claim holds: motions == asymptotically stable at (x = 0)\n")
            code, out, err = self.run_in("check", "m.lia", "--json")
            self.assertEqual([claim["status"] for claim in json.loads(out)["claims"]], [word], out + err)

    def test_a_boundary_on_the_way(self):  # x'' + (k - 1/2) x' + x = 0: the middle of the grid is the boundary itself
        self.write("param k = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -(k - 1/2)*x'\noutput place = x\noutput clock = t\n")
        code, out, err = self.run_in("stability", "m.lia", "--scan", "k = 0:1:2", "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        chart = result["chart"]
        steps = [(chart["kinds"][b["from"]]["stability"], chart["kinds"][b["to"]]["stability"]) for b in chart["boundaries"]]
        self.assertEqual(steps, [("unstable", "neutral"), ("neutral", "asymptotically stable")])
        self.assertTrue(all(abs(b["at"][0] - 0.5) < 1e-12 for b in chart["boundaries"]))
        self.assertEqual(result["outputs"], ["place"])

    def test_outputs_of_ignored_positions_are_left_out(self):
        self.write((ROOT / DISC).read_text(encoding="utf-8") + "output heading = psi\noutput leaning = theta\n")
        out = self.run_in("stability", "m.lia", "--at", "theta = 0", "--json")[1]
        self.assertEqual(json.loads(out)["outputs"], ["leaning"])

    def test_outputs_on_the_motion(self):  # accelerations, factors and energies are functions of the deviations
        self.write("param m = 300, n = 40, k = 20000, c = 1500, K = 180000, u = 0\ncoord x, y\nkinetic (m*x'^2 + n*y'^2)/2\n"
                   "potential k*(x - y)^2/2 + K*(y - u)^2/2\nforce x = -c*(x' - y')\nforce y = c*(x' - y')\n"
                   "output acc = x''\noutput unsprung = y''\noutput energy = T + V\n")
        result = answer(str(self.folder / "m.lia"), "--input", "u")
        self.assertEqual((result["outputs"], result["outputs_left_out"]), (["acc", "unsprung", "energy"], []))
        wanted = [[-20000 / 300, 20000 / 300, -5, 5], [500, -5000, 37.5, -37.5], [0, 0, 0, 0]]
        for found, row in zip(result["C"]["value"], wanted, strict=True):
            for one, two in zip(found, row, strict=True):
                self.assertAlmostEqual(one, two, 10)
        self.assertEqual(result["D"]["value"], [[0], [4500], [0]])

    def test_a_force_as_output(self):  # of a rod that keeps x = y: m x'' = -k x + lambda, m y'' = -lambda
        self.write("param m = 2, k = 3\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential k*x^2/2\nconstraint c: x' - y' = 0\n"
                   "output force = lambda(c)\n")
        result = answer(str(self.folder / "m.lia"))
        self.assertEqual(result["outputs"], ["force"])
        row = dict(zip(result["variables"], result["C"]["value"][0], strict=True))
        self.assertAlmostEqual(abs(row["x"]), 1.5, 12)

    def test_values_are_put_into_outputs(self):  # with a = 0 nothing is driven
        self.write("param m = 2, k = 3, a = 1, w = 5\ncoord x\nkinetic m*x'^2/2\npotential k*(x - a*sin(w*t))^2/2\n"
                   "output pull = k*(x - a*sin(w*t))\n")
        result = answer(str(self.folder / "m.lia"), "--set", "a = 0")
        self.assertEqual((result["outputs"], result["C"]["value"]), (["pull"], [[3, 0]]))

    def test_a_steady_motion_in_decimals(self):  # the value tells that it is nearly steady
        self.write("coord x, y\nkinetic (x'^2 + x^2*y'^2)/2\npotential x^3/3\nstart x = 2, y' = 1.41421356\n")
        err = self.run_in("stability", "m.lia")[2]
        self.assertIn("not steady: x' changes at the rate", err)
        code, out, err = self.run_in("stability", "m.lia", "--at", "x = 2, y' = sqrt(2)")
        self.assertEqual(code, 0, err)
        self.assertNotIn("sqrt(2)\n", out.split("not zero")[-1].split("eigenvalues")[0])
        self.write("coord x, y\nkinetic (x'^2 + x^2*y'^2)/2\npotential x^3/sqrt(3)\nstart x = 2, y' = 1.8612\n")
        self.assertRegex(self.run_in("stability", "m.lia")[2], "which is -?[0-9.e-]+")

    def test_velocities_of_a_model_with_parameters_of_its_own(self):  # the field holds the speed at 1
        self.write("coord x, y\nvelocity u, w: x' = u, y' = 2*w\nkinetic (x'^2 + y'^2)/2\nforce x = 1 - x'\nforce y = -y'\n")
        self.assertEqual(self.run_in("stability", "m.lia", "--at", "x' = 1")[0], 0)
        self.assertIn("not steady", self.run_in("stability", "m.lia", "--at", "x' = 2")[2])

    def test_the_unknown_has_a_name_of_its_own(self):
        self.write("param s = 2\ncoord x\nkinetic s*x'^2/2\npotential x^2/2\n")
        self.assertIn("s_^2 + (1/s)", self.run_in("stability", "m.lia")[1])

    def test_a_disc_that_runs_in_a_circle(self):  # a steady turning: its lean is no fraction
        at = "theta = asin(3/5), psi' = -5, phi' = (9/400*25*(12/25) - 981/100*3/10*3/5)/(27/200*(-5)*4/5) + 3"
        result = answer(DISC, "--at", at)
        self.assertEqual((result["stability"], result["axis"]), ("neutral", 4))
        self.assertEqual(len(result["eigenvalues"]), 4)
        self.assertAlmostEqual(max(im for _, im in result["eigenvalues"])**2, 705437 / 12500 - 654 * 0.8 / 25, 9)

    def test_where_something_is_divided_by_zero(self):  # the mass vanishes at m = 0, and cancels in the polynomial
        self.write("param m = 1, k = 1\ncoord x\nkinetic m*x'^2/2\npotential m*k*x^2/2\nforce x = -m*x'\n")
        out = self.run_in("stability", "m.lia", "--json", "--scan", "m = -1:1:3")[1]
        chart = json.loads(out)["chart"]
        self.assertEqual([chart["kinds"][k]["stability"] for k in chart["at"][0]], ["asymptotically stable", None, "asymptotically stable"])

    def test_there_is_such_a_state(self):  # a = acos(k)
        self.write("param k = 1/2\ncoord a\nkinetic a'^2/2\nforce a = -(cos(a) - k)*sin(a) - a'\nstart a = acos(k)\n")
        self.assertEqual(self.run_in("stability", "m.lia")[0], 0)
        code, _, err = self.run_in("stability", "m.lia", "--set", "k = 2")
        self.assertEqual(code, 2)
        self.assertIn("there is no such state", err)
        chart = json.loads(self.run_in("stability", "m.lia", "--json", "--scan", "k = 0:2:5")[1])["chart"]
        self.assertEqual([chart["kinds"][k]["stability"] for k in chart["at"][0]][3:], [None, None])
        self.write("coord x\nkinetic x'^2/2\nforce x = -sqrt(x)^2 - 1 - x'\n")
        code, _, err = self.run_in("stability", "m.lia", "--at", "x = -1")
        self.assertEqual(code, 2)
        self.assertIn("there is no such state: ", err)
        self.write("param k = 1\ncoord x\nkinetic x'^2/2\nforce x = -sqrt(k)^2*x - x'\n")
        self.assertEqual(self.run_in("stability", "m.lia", "--set", "k = -1")[0], 2)

    def test_kinds_within_a_cell(self):  # damping with seven zeros: at each integer neutral, another kind between them
        self.write("param a = 0\ncoord x\nkinetic x'^2/2\n"
                   "force x = -x - (a - 1)*(a - 2)*(a - 3)*(a - 4)*(a - 5)*(a - 6)*(a - 7)*x'\nstart x = 0\n")
        out = self.run_in("stability", "m.lia", "--json", "--scan", "a = 0:8:9")[1]
        self.assertGreaterEqual(len(json.loads(out)["chart"]["boundaries"]), 12)
        self.assertIn("there may be other kinds", self.run_in("stability", "m.lia", "--scan", "a = 0:8:2")[1])

    def test_nothing_that_deviates(self):
        self.write("coord x\nkinetic x'^2/2\nconstraint c: x' = 0\n")
        code, _, err = self.run_in("stability", "m.lia")
        self.assertEqual(code, 2)
        self.assertIn("nothing that could deviate", err)

    def test_what_is_refused(self):
        code, out, err = run("stability", DISC)  # it leans
        self.assertEqual((code, out), (2, ""))
        self.assertIn("not steady", err)
        code, _, err = self.run_model("param k\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\n", "stability")
        self.assertEqual(code, 2)
        self.assertIn("`k` has no value", err)
        code, _, err = run("stability", "models/tutorial/pendulum_on_a_circle.lia")
        self.assertEqual(code, 2)
        self.assertIn("not steady", err)
        kick = "coord x\nkinetic x'^2/2\nforce x = -x - x'\nevent e: x = 0 rising then reset x' = 100*x'\n"
        self.assertIn("`e` acts on the motion", self.run_model(kick, "stability")[2])
        wall = "coord x\nkinetic x'^2/2\npotential (x - 1)^2\nunilateral wall: x - 2 >= 0\nstart x = 1\n"
        self.assertIn("unilateral", self.run_model(wall, "stability")[2])
        code, _, err = run("stability", BICYCLE, "--plot", "chart.svg")
        self.assertEqual(code, 2)
        self.assertIn("--scan", err)
        code, _, err = run("stability", BICYCLE, "--input", "torq")
        self.assertEqual(code, 2)
        self.assertIn("there are v, g, torque", err)


    def test_stability_is_claimed(self):
        pendulum = """param g > 0 = 9.81
coord th
kinetic th'^2/2
potential -g*cos(th)
claim down: motions == stable at (th = 0)
claim up: motions == unstable at (th = pi)
claim wrong_up: motions == stable at (th = pi)
claim wrong_down: motions == unstable at (th = 0)
claim no_rest: motions == asymptotically stable at (th = 0)
claim not_steady: motions == stable at (th = 1)
claim nowhere: motions == stable
misprint upside: motions == stable at (th = pi)
"""
        code, out, err = self.run_model(pendulum, "check", "--json")
        self.assertEqual(code, 1, err)
        grades = {claim["name"]: claim["status"] for claim in json.loads(out)["claims"]}
        wanted = {"down": "proved", "up": "proved", "wrong_up": "refuted", "wrong_down": "refuted", "no_rest": "refuted",
                  "not_steady": "unknown", "nowhere": "unknown", "upside": "refuted"}
        self.assertEqual(grades, wanted)

    def test_claims_of_damped_neutral_and_driven_systems(self):
        text = """param c = 1, k = 1
coord x, y
kinetic (x'^2 + y'^2)/2
potential k*x^2/2
force x = -c*x'
force y = -y^3 - y'
claim damped: motions == asymptotically stable at (x = 0, y = 0)
claim pushed: motions == unstable at (c = -1)
claim other_sign: motions == unstable at (k = -1)
"""
        code, out, err = self.run_model(text, "check", "--json")
        grades = {claim["name"]: claim["status"] for claim in json.loads(out)["claims"]}
        self.assertEqual(grades, {"damped": "unknown", "pushed": "proved", "other_sign": "proved"})


if __name__ == "__main__":
    unittest.main()
