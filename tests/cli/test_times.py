#!/usr/bin/env python3
"""Runs at late times, from far origins and with steps of one length: what is said of them is true.

usage: test_times.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder

OSCILLATOR = "coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n"
METHODS = ("dop853", "taylor", "arkode", "adams", "bdf", "ida")


class LateTimes(InFolder):
    def final(self, text, *arguments):
        code, out, err = self.run_model(text, "simulate", *arguments, "--json")
        return code, json.loads(out) if out else {}, err

    def test_a_motion_that_does_not_ask_for_the_time_is_as_right_late_as_early(self):
        for begin in (10**9, 10**12, 10**14):
            for method in METHODS:
                with self.subTest(begin=begin, method=method):
                    code, result, err = self.final(OSCILLATOR, "--start", f"t={begin}", "--until", str(begin + 10), "--integrator", method)
                    self.assertEqual((code, err), (0, ""))
                    self.assertAlmostEqual(result["final"]["x"], math.cos(10), delta=1e-7)

    def test_where_the_time_cannot_tell_the_steps_no_row_is_a_lie(self):
        begin = 10**15
        for method in METHODS:
            with self.subTest(method=method):
                code, result, err = self.final(OSCILLATOR, "--start", f"t={begin}", "--until", str(begin + 10), "--integrator", method, "-o", "run.csv")
                rows = [[float(x) for x in line.split(",")[:2]] for line in (self.folder / "run.csv").read_text().splitlines()[1:]]
                for t, x in rows:
                    self.assertAlmostEqual(x, math.cos(t - begin), delta=1e-7)
                if code == 0:
                    self.assertEqual(rows[-1][0], begin + 10)
                else:
                    self.assertEqual(code, 3)
                    self.assertIn("steps that the time cannot tell apart", err)

    def test_every_row_of_a_late_run_belongs_to_its_time(self):
        begin = 10**12
        for method in METHODS:
            with self.subTest(method=method):
                code, _, err = self.final(OSCILLATOR, "--start", f"t={begin}", "--until", str(begin + 10), "--integrator", method, "-o", "run.csv")
                self.assertEqual((code, err), (0, ""))
                for line in (self.folder / "run.csv").read_text().splitlines()[1:]:
                    t, x = (float(number) for number in line.split(",")[:2])
                    self.assertAlmostEqual(x, math.cos(t - begin), delta=1e-7)

    def test_steps_of_one_length_are_as_long_as_the_clock_says(self):
        for method in ("dop853", "taylor", "arkode"):
            with self.subTest(method=method):
                code, result, err = self.final(OSCILLATOR, "--start", "t=1e12", "--until", "1000000000010", "--integrator", method, "--step", "0.01")
                self.assertEqual((code, err), (0, ""))
                self.assertAlmostEqual(result["final"]["x"], math.cos(10), delta=1e-9)
        for method in ("dop853", "taylor", "arkode", "variational"):
            with self.subTest(method=method, refused=True):
                code, _, err = self.final(OSCILLATOR, "--start", "t=1e15", "--until", "1000000000000010", "--integrator", method, "--step", "0.01")
                self.assertEqual(code, 3)
                self.assertIn("the time cannot tell", err)

    def test_a_force_of_the_time_ends_or_says_its_digits_where_the_time_is_not_told(self):
        driven = OSCILLATOR.replace("start", "force x = sin(3*t)\nstart")
        for method in METHODS:
            with self.subTest(method=method):
                code, result, err = self.final(driven, "--start", "t=1e12", "--until", "1000000000010", "--integrator", method)
                if code == 0:
                    self.assertRegex(result["notes"][0], r"the time is told to 0\.00022: .* is known there to [23]\.\d digits")
                else:
                    self.assertEqual(code, 3)
                    self.assertRegex(err, "time is told to 0.000222|the time cannot tell apart")
        code, result, _ = self.final(driven, "--start", "t=0", "--until", "10")
        self.assertEqual((code, result.get("notes")), (0, None))

    def test_what_happens_at_a_late_time_has_the_digits_of_the_time(self):
        bounces = OSCILLATOR.replace("start", "event e: x = 0 then reset x' = -x'\nstart")
        code, result, _ = self.final(bounces, "--start", "t=1e12", "--until", "1000000000010")
        self.assertEqual(code, 0)
        self.assertRegex(result["notes"][0], r"the time is told to 0\.00022: what happens at a time, or by it, is known there to [23]\.\d digits")
        code, result, _ = self.final(bounces, "--until", "10")
        self.assertEqual((code, result.get("notes")), (0, None))

    def test_the_digits_of_the_time_are_told_once_with_the_worst(self):
        ball = "coord y\nkinetic y'^2/2\npotential 10*y\nunilateral floor: y >= 0 restitution 9/10\nstart y = 5\n"
        code, result, err = self.final(ball, "--until", "20")
        self.assertEqual(code, 0, err)
        late = [note for note in result["notes"] if "the time is told to" in note]
        self.assertEqual(len(late), 1, late)
        self.assertRegex(late[0], r"known there to 6\.\d digits")


class FarAway(InFolder):
    """Walls, short features and mechanisms a long way from where the run began."""

    def test_a_wall_in_a_potential_is_found_where_it_is(self):
        wall = "param a = 100000000\ncoord x, y\nkinetic x'^2/2 + y'^2/2\npotential 100*(1 - cos(y)) + {}*sign(x - a - {})\nforce y = {}\nstart x = 0, x' = 1\n"
        for height, place, force in (("3/10", 2, "60*max(1 - abs(x - a), 0)"), ("2/10", 6, "110*exp(-(3*(x - a))^2)")):
            code, out, err = self.run_model(wall.format(height, place, force), "simulate", "--until", "100000010", "--json")
            with self.subTest(place=place):
                self.assertEqual(code, 3)
                self.assertAlmostEqual(json.loads(out)["t"], 100000000 + place, delta=1e-3)
                self.assertIn(f"the energy jumps by {2 * eval(height):.4g}", err)

    def test_stiff_motions_far_away_come_on(self):
        model = "param X0 = 7500000000\ncoord x, y\nkinetic x'^2/2 + y'^2/2\npotential 10^4*y^2/2\n" \
                "force y = (1 + tanh((x - X0)/100))/2*(300*sin((x - X0)/100) - 10^5*y')\nstart x = 0, x' = 7500\n"
        code, out, err = self.run_model(model, "simulate", "--until", "1000000.05", "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertAlmostEqual(json.loads(out)["final"]["x"], 7500 * 1000000.05, delta=1)


    def test_ida_passes_numbers_that_come_to_zero_beside_large_ones(self):
        crank = "param l = 100000, o = 100000\ncoord x, y, s\nkinetic (x'^2 + y'^2)/2 + 0.1/2*s'^2\n" \
                "constraint a: (x - o)^2 + (y - o)^2 = l^2\nconstraint b: (s - x)^2 + (y - o)^2 = l^2\n" \
                "start x = o + l*cos(1), y = o + l*sin(1), s = o + 2*l*cos(1), x' = -l*sin(1), y' = l*cos(1), s' = -2*l*sin(1)\n"
        for tolerance in ("1e-8", "1e-9", "1e-10", "1e-11"):
            code, out, err = self.run_model(crank, "simulate", "--until", "6", "--integrator", "ida", "--tol", tolerance, "--json")
            self.assertEqual((code, err), (0, ""))
            self.assertAlmostEqual(json.loads(out)["final"]["x"], 159438.3554, delta=0.05)


class ChangePoints(InFolder):
    def test_steps_that_end_at_one_pass_over_it(self):
        model = "param d = 1.72, w = pi - 0.3\ncoord x, y, u, v\nkinetic (x'^2 + y'^2)/2 + 3/2*(u'^2 + v'^2)\nconstraint a: x^2 + y^2 = 1\n" \
                "constraint b: (u - d)^2 + v^2 = 1\nconstraint c: (u - x)^2 + (v - y)^2 = d^2\n" \
                "start x = cos(0.3), y = sin(0.3), u = d + cos(0.3), v = sin(0.3), x' = -w*sin(0.3), y' = w*cos(0.3), u' = -w*sin(0.3), v' = w*cos(0.3)\n"
        for method in ("dop853", "taylor", "arkode"):
            for step in ("0.125", "0.1", "0.05", "0.025", "0.01"):  # the change point is at t = 1
                with self.subTest(method=method, step=step):
                    code, out, err = self.run_model(model, "simulate", "--until", "1.9", "--integrator", method, "--step", step, "--json")
                    self.assertEqual((code, err), (0, ""))
                    result = json.loads(out)
                    self.assertAlmostEqual(result["final"]["x"], math.cos(0.3 + (math.pi - 0.3) * 1.9), delta=1e-7)
                    self.assertEqual(len(result["passed"]), 1)


class Slips(InFolder):
    SLIP = "coord x, y, z\nparticle P mass 1 at [x, y, z]\ngravity [0, 0, -10]\nconstraint f: z' = 0 power z' - 0.3*sqrt(x'^2+y'^2)\n" \
           "force x = 1 - t\nstart x' = 1, y' = 0.5\n"

    def test_steps_of_one_length_end_with_the_slip(self):
        for method in ("dop853", "taylor", "arkode"):
            for step in ("0.1", "0.05", "0.02", "0.01"):
                with self.subTest(method=method, step=step):
                    code, out, err = self.run_model(self.SLIP, "simulate", "--until", "2", "--integrator", method, "--step", step, "--json")
                    self.assertEqual(code, 3)
                    self.assertIn("`x'^2 + y'^2`, by which the equations divide, comes to zero, as where a slip ends", err)
                    self.assertAlmostEqual(json.loads(out)["t"], 0.487127, delta=2e-3)

    def test_rest_in_two_dimensions_is_named_as_in_one(self):
        code, _, err = self.run_model(self.SLIP, "simulate", "--until", "2", "--start", "x' = 0, y' = 0")
        self.assertEqual(code, 3)
        self.assertIn("`f` resists sqrt(x'^2 + y'^2), which is zero at this state", err)
        self.assertIn("[L0520]", err)


class Said(InFolder):
    def test_every_event_that_was_looked_for_at_samples_is_named(self):
        model = "coord x, y\nparticle P mass 2 at [x, y]\ngravity [0, -12]\nconstraint a: x^2 + y^2 = 1\nconstraint b: 3*x^2 + 3*y^2 = 3\n" \
                "event e1: lambda(a) + 3*lambda(b) = 0\nevent e2: lambda(a) + 3*lambda(b) = 0 then stop\n" \
                "event e3: lambda(a) + 3*lambda(b) = 0\nstart x = 1, y' = 6\n"
        _, out, _ = self.run_model(model, "simulate", "--until", "1", "--json")
        notes = " ".join(json.loads(out).get("notes", []))
        for event in ("e1", "e2", "e3"):
            self.assertIn(f"the event `{event}` was looked for at samples", notes)

    def test_an_output_has_a_name(self):
        for command in (("simulate", "--until", "1"), ("derive",)):
            code, _, err = self.run_model(OSCILLATOR, *command, "-o", "")
            self.assertEqual(code, 2)
            self.assertIn("a file needs a name", err)

    def test_a_constant_of_the_potential_keeps_no_digits_of_work(self):
        driven = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x - y)^2/2 + {}\nconstraint drive: y = sin(3*t)\nstart x = 1\n"
        digits = {}
        for constant in ("0", "10^9"):
            _, out, _ = self.run_model(driven.format(constant), "simulate", "--until", "10", "--tol", "1e-5", "--json")
            digits[constant] = next(m["digits"] for m in json.loads(out)["monitors"] if m["name"] == "T + V - work")
        self.assertAlmostEqual(digits["0"], digits["10^9"], delta=1.5)


if __name__ == "__main__":
    unittest.main()
