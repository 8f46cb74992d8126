#!/usr/bin/env python3
"""`reduce`: a model without the coordinates on which nothing depends is read, runs, and moves as the whole does.

usage: test_reduce.py PROGRAM
"""

import csv
import json
import math
import unittest
from fractions import Fraction

from program import InFolder

PENDULUM = ('system "Spherical pendulum"\nparam m > 0 = 2 [kg], l > 0 = 0.5 [m], g = 9.81 [m/s^2]\ncoord theta [rad], phi [rad]\n'
            "kinetic m*l^2*(theta'^2 + sin(theta)^2*phi'^2)/2\npotential -m*g*l*cos(theta)\nstart theta = 1, phi' = 3\n")
SLEIGH = ("param m > 0 = 2, a = 0.4\ncoord x, y, phi\n"
          "kinetic m*((x' - a*phi'*sin(phi))^2 + (y' + a*phi'*cos(phi))^2)/2 + phi'^2\n"
          "constraint blade: y'*cos(phi) - x'*sin(phi) = 0\nstart phi = 0.3, x' = 1, phi' = 0.7\n")


class Reduce(InFolder):
    def last_row(self, model):
        code, _, err = self.run_in("simulate", model, "--until", "0.7", "--tol", "1e-11", "-o", "run.csv")
        self.assertEqual(code, 0, err)
        with open(self.folder / "run.csv", newline="", encoding="utf-8") as file:
            return {name: float(value) for name, value in list(csv.DictReader(file))[-1].items()}

    def same_motion(self, text, names, *options):
        self.write(text)
        code, out, err = self.run_in("reduce", "m.lia", "-o", "reduced.lia", *options)
        self.assertEqual((code, out, err), (0, "", ""))
        whole, reduced = self.last_row("m.lia"), self.last_row("reduced.lia")
        for name in names:
            self.assertAlmostEqual(whole[name], reduced[name], delta=1e-8)
        return whole, reduced

    def test_routh(self):
        whole, reduced = self.same_motion(PENDULUM, ["theta", "theta'"])
        self.assertAlmostEqual(whole["phi'"], reduced["phi_rate"], delta=1e-8)
        self.assertIn("proved where sin(theta) != 0", (self.folder / "reduced.lia").read_text(encoding="utf-8"))

    def test_a_momentum_with_the_time_has_its_value_at_the_start(self):
        text = "coord a, b\nkinetic (a'^2 + (1 + a^2 + t^2)*(b' + a)^2)/2\npotential a^2\nstart a = 1, b' = 1\n"
        whole, reduced = self.same_motion(text, ["a", "a'"])
        self.assertAlmostEqual(whole["b'"], reduced["b_rate"], delta=1e-8)
        self.assertIn("param p_b = 4\n", (self.folder / "reduced.lia").read_text(encoding="utf-8"))  # (1 + 1)*(1 + 1 + 0)

    def test_chaplygin(self):
        whole, reduced = self.same_motion(SLEIGH, ["x", "phi", "x'", "phi'"], "--by", "y")
        self.assertAlmostEqual(whole["y'"], reduced["y_rate"], delta=1e-8)

    def test_json(self):
        code, out, _ = self.run_model(SLEIGH, "reduce", "--json", "--by", "x")
        result = json.loads(out)
        self.assertEqual((code, result["kind"], list(result["ignored"]), result["agrees"]), (0, "chaplygin", ["x"], "proved"))
        # What the start leaves open is what a run of the whole chooses: x' = 1 is y' = tan(0.3).
        self.assertNotIn("# The start gave", result["model"])
        at = result["model"].index("y' = ", result["model"].index("\nstart "))
        self.assertAlmostEqual(float(Fraction(result["model"][at + 5:].split(",")[0].split()[0])), math.tan(0.3), delta=1e-12)

    def test_another_time_makes_it_lagrangian(self):  # the same orbits, in the time tau
        text = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential y^2\nconstraint c: z' - y*x' = 0\nstart x = 0, y = 0.5, x' = 1, y' = 2\n"
        stop = "event there: y - 0.8 = 0 then stop\n"
        code, out, _ = self.run_model(text, "reduce", "--json")
        multiplier = json.loads(out)["reducing_multiplier"]
        self.assertEqual((code, multiplier["exists"], multiplier["grade"]), (0, True, "proved"))
        factor = multiplier["value"]
        at_start = eval(factor.replace("^", "**").replace("sqrt", "math.sqrt"), {"math": math, "y": 0.5})
        in_tau = (f"coord x, y\nkinetic ({factor})^2*((1 + y^2)*x'^2 + y'^2)/2\npotential y^2\n"
                  f"start x = 0, y = 0.5, x' = {1 / at_start!r}, y' = {2 / at_start!r}\n")
        ends = []
        for model in (text + stop, in_tau + stop):
            self.write(model)
            ends.append(json.loads(self.run_in("simulate", "m.lia", "--until", "2", "--tol", "1e-11", "--json")[1]))
        self.assertAlmostEqual(ends[0]["final"]["y"], 0.8, 9)
        self.assertAlmostEqual(ends[0]["final"]["x"], ends[1]["final"]["x"], 8)
        self.assertGreater(abs(ends[0]["t"] - ends[1]["t"]), 1e-3)

    def test_no_other_time_does_it(self):
        multiplier = json.loads(self.run_model(SLEIGH, "reduce", "--json", "--by", "x")[1])["reducing_multiplier"]
        self.assertEqual((multiplier["exists"], multiplier["grade"], multiplier["logarithmic"]), (False, "proved", {}))

    def test_a_potential_that_is_not_written(self):  # the force -2 y is that of y^2
        text = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: z' - y*x' = 0\n"
        for force, exists in (("potential y^2\n", True), ("force y = -2*y\n", True), ("force x = y\n", False)):
            multiplier = json.loads(self.run_model(text + force, "reduce", "--json", "--by", "z")[1])["reducing_multiplier"]
            self.assertEqual(multiplier["exists"], exists, force)

    def test_a_time_of_its_own(self):  # T holds the time, which is no function of tau
        text = "coord x, y, z\nkinetic (1 + t^2)*(x'^2 + y'^2 + z'^2)/2\nconstraint c: z' - y*x' = 0\n"
        multiplier = json.loads(self.run_model(text, "reduce", "--json", "--by", "z")[1])["reducing_multiplier"]
        self.assertIsNone(multiplier["exists"])

    def test_what_is_refused(self):
        for options, words in (([], "the kinetic energy depends on theta"), (["--by", "phj"], "did you mean `phi`?")):
            code, out, err = self.run_model(PENDULUM, "reduce", *(options or ["--by", "theta"]))
            self.assertEqual((code, out), (2, ""))
            self.assertIn(words, err)

    def test_events_that_act_are_not_dropped(self):
        for action in ("stop", "reset theta' = -theta'"):
            code, out, err = self.run_model(PENDULUM + f"event turn: theta = 1 then {action}\n", "reduce")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("the event `turn` acts on the motion", err)

    def test_recorded_events_are_carried_over(self):  # phi' is a function of theta there; phi is not
        code, out, err = self.run_model(PENDULUM + "event turn: theta = 1\nevent fast: phi' = 4 rising\nevent half: phi = pi\n", "reduce", "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertEqual(result["events_left_out"], ["half"])
        self.assertIn("event turn: ", result["model"])
        self.assertIn("rising", result["model"])
        self.assertNotIn("event half", result["model"])
        self.assertIn("not carried over: half", result["model"])


if __name__ == "__main__":
    unittest.main()
