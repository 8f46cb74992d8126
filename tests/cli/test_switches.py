#!/usr/bin/env python3
"""Deviations and balances across changes of form: ramps of drives, cams with dwell, atan2, several sides at one time, sides at events;
energies that the time switches. Against closed forms and differences of plain runs.

usage: test_switches.py PROGRAM
"""

import csv
import json
import math
import unittest

from program import InFolder

WINCH = """param m > 0 = 500, l0 > 0 = 10, v = 0.5, ta = 2, g = 9.81
coord th
rheonomic l = l0 - v*({})
particle P mass m at [l*sin(th), -l*cos(th)]
gravity [0, -g]
start th = 0.2
"""
RAMP = "min(t, ta)^2/(2*ta) + max(0, t - ta)"


class Switches(InFolder):
    def derivatives(self, model, until, of, *options):
        code, out, err = self.run_model(model, "simulate", "--until", str(until), "--tol", "1e-11", "--sensitivity", of, "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def refused(self, model, until, of, *words):
        code, _, err = self.run_model(model, "simulate", "--until", str(until), "--sensitivity", of)
        self.assertEqual(code, 3, err)
        for word in words:
            self.assertIn(word, err)
        return err

    def differences(self, model, until, name, value, option, step=1e-5):
        """Of plain runs, extrapolated."""
        self.write(model)
        quotients = []
        for h in (step, step / 2):
            ends = []
            for side in (1, -1):
                code, out, err = self.run_in("simulate", "m.lia", "--until", str(until), "--tol", "1e-13", option, f"{name} = {value + side * h!r}", "--json")
                self.assertEqual(code, 0, err)
                ends.append(json.loads(out)["final"])
            quotients.append({state: (ends[0][state] - ends[1][state]) / (2 * h) for state in ends[0]})
        return {state: (4 * quotients[1][state] - quotients[0][state]) / 3 for state in quotients[0]}

    def compare(self, model, until, values, option, places=6):
        result = self.derivatives(model, until, ", ".join(values))
        for name, value in values.items():
            expected = self.differences(model, until, name, value, option)
            for state, slope in expected.items():
                self.assertAlmostEqual(result["sensitivity"][name][state], slope, delta=10**-places * (1 + abs(slope)), msg=f"d({state})/d({name})")
        return result

    def test_a_relation_that_jumps_is_told_in_any_scale(self):
        """What stands in front of a relation does not make its jump small."""
        for scale in ("1", "10^(-12)", "10^12"):
            self.write(f"coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: {scale}*(x - y - sign(t - 1)/10) = 0\nstart y = 1\n")
            code, _, err = self.run_in("simulate", "m.lia", "--until", "2")
            self.assertEqual(code, 3, (scale, err))
            self.assertIn("the relation `c` jumps", err)

    def test_sides_that_are_open_behind_an_event(self):
        """Two that are zero behind a reset, and one force in a thousand others: no derivative is told where there is no limit."""
        for force in ("force z = sign(x)*sign(y)\n", "force z = 10^(-9)*sign(x)\nforce w = 10^6\n"):
            self.write("coord x, y, z, u, v, w\nkinetic (x'^2 + y'^2 + z'^2 + u'^2 + v'^2 + w'^2)/2\n" + force +
                       "event b: t = 1 then reset x = u, y = v\nstart x = 0.5, x' = 0.5, y = 0.5, y' = 0.5\n")
            code, _, err = self.run_in("simulate", "m.lia", "--until", "2", "--sensitivity", "u")
            self.assertEqual(code, 3, (force, err))
            self.assertIn("deviations", err)

    def test_a_start_at_rest_on_a_change(self):
        """y = x^2 at the start, with no velocity: the acceleration decides, y falls below. Differences of plain runs to that side, extrapolated; to the other they come with the root of the step."""
        model = "coord x, y\nkinetic (x'^2 + y'^2 + x'*y')/2\nforce x = -3*sign(x) - x'/5\nforce y = -2*abs(y - x^2) - 3*y\nstart x = 1, y = 1\n"
        result = self.derivatives(model, 2, "x, y")
        self.assertLess(result["steps"], 2000)

        def end(x, y):
            code, out, err = self.run_model(model, "simulate", "--until", "2", "--tol", "1e-13", "--start", f"x = {x!r}, y = {y!r}", "--json")
            self.assertEqual(code, 0, err)
            return json.loads(out)["final"]["x"]

        h, middle = 1e-4, end(1.0, 1.0)
        for name, (dx, dy) in {"x": (-1, 0), "y": (0, 1)}.items():
            one, two = [(end(1 + step * dx, 1 + step * dy) - middle) / (step * (dx + dy)) for step in (h, h / 2)]
            self.assertAlmostEqual(result["sensitivity"][name]["x"], 2 * two - one, places=5, msg=name)

    def test_a_cam_with_dwell(self):
        """x = h max(0, sin)^2 and its rate vanish where the sine does: no impulse, from the very zero and on; linear in h, by SciPy y = 0.01096357."""
        self.write("param h = 0.02, T1 = 0.5\ncoord x, y\nkinetic 2/5*y'^2 + x'^2/10\npotential 150*(y - x)^2\ndissipation 3/2*(y' - x')^2\n"
                   "constraint cam: x = h*max(0, sin(2*pi*t/T1))^2\n")
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1.1", "--json")
        self.assertEqual(code, 0, err)
        self.assertAlmostEqual(json.loads(out)["final"]["y"], 0.01096357, delta=1e-8)

    def test_the_end_of_a_ramp_of_a_drive(self):
        """A trapezoidal speed of a winch: law and rate are continuous. Numbers of SciPy, with steps that end at the end of the ramp."""
        known = {"v": (1.17268837, 0.63816837), "ta": (-0.05520988, -0.01736842), "l0": (-0.23174561, -0.01554466)}
        for law in (RAMP, "(t^2 - max(0, t - ta)^2)/(2*ta)"):
            result = self.derivatives(WINCH.format(law), 10, "v, ta, l0")
            self.assertEqual(result["jumps"], 1)
            for name, (angle, rate) in known.items():
                self.assertAlmostEqual(result["sensitivity"][name]["th"], angle, places=7)
                self.assertAlmostEqual(result["sensitivity"][name]["th'"], rate, places=7)

    def test_a_ramp_in_a_constraint(self):
        model = """param a = 1, ta = 1, k = 4
coord x, s
kinetic x'^2/2 + s'^2/2
potential k/2*(x - s)^2
constraint c: s = a*(t^2 - max(0, t - ta)^2)
start x = 0.1
"""
        result = self.compare(model, 4, {"a": 1, "ta": 1, "k": 4}, "--set")
        self.assertAlmostEqual(result["sensitivity"]["ta"]["s"], 2 * 3, places=9)

    def test_a_drive_that_jumps_is_refused(self):
        """The rate of the drive jumps: an impulse, also where the momentum jumps beside this motion alone."""
        self.refused("coord x\nrheonomic s = max(t, 1)\nkinetic (x' + s')^2/2\npotential x^2/2\nstart x = 1\n", 2, "x", "momentum", "impulse")
        self.refused("coord x, s\nkinetic (x'^2 + s'^2)/2\npotential (x - s)^2/2\nconstraint c: s = abs(t - 1)\nstart x = 1\n", 2, "x", "impulse")
        beside = "coord x, y\nkinetic (x'^2*(3 + sign(t - 1)*(y - 1)) + y'^2)/2\nstart x' = 1, y = 0, y' = 1\n"
        self.refused(beside, 2, "y", "impulse")

    def test_a_cam_with_dwell(self):
        for power, start in ((2, (-0.07337325, -0.0162733)), (3, (-0.07323252, 0.03805877))):
            self.write("param m > 0 = 1, k = 40, c = 0.6, A = 0.05, w = 3\ncoord x\n"
                       f"rheonomic s = A*max(0, sin(w*t))^{power}\nparticle P mass m at [x + s, 0]\n"
                       "potential k/2*x^2\ndissipation c/2*x'^2\nstart x = 0.01, t = 0.1\n")
            code, out, err = self.run_in("orbits", "m.lia", "--json")
            self.assertEqual(code, 0, err)
            found = json.loads(out)
            self.assertAlmostEqual(found["start"]["x"], start[0], places=7)
            self.assertAlmostEqual(found["start"]["x'"], start[1], places=7)

    def test_an_angle_that_is_smooth(self):
        """atan2(y, x) jumps where y = 0 and x < 0, and nowhere else."""
        of_time = "param w = 1.3\ncoord x\nkinetic x'^2/2\npotential 2*x^2\nforce x = -0.2*x' + atan2(sin(w*t), 2 + cos(w*t))\nstart x = 0.1\n"
        for start in ("t = 0", "t = 0.1"):
            model = of_time + f"start {start}\n"
            result = self.compare(model, 10, {"w": 1.3}, "--set")
            self.assertEqual(result["jumps"], 0)
        of_state = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 2*x^2 + 2*y^2\nforce x = -0.2*x' + 0.1*atan2(y, 2 + x)\nstart x = 0.1, y = 0.3\n"
        self.compare(of_state, 10, {"x": 0.1, "y": 0.3}, "--start")
        cut = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 2*x^2 + 2*y^2\nforce x = 0.1*atan2(y, x - 2)\nstart x = 0.1, y = 0.3\n"
        err = self.refused(cut, 3, "x", "where `y` changes its sign")
        self.assertIn("t = 0.7853981", err)  # y = 0.3*cos(2*t)

    def test_two_sides_at_one_time(self):
        """By symmetry, by one surface that is written twice, and by the time: each has its part."""
        pair = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -sign(x)\nforce y = -sign(y)\nstart x = 1, y = 1\n"
        result = self.derivatives(pair, 2, "x, y")["sensitivity"]
        for name in ("x", "y"):
            self.assertAlmostEqual(result[name][name], 3 - 2 * math.sqrt(2), places=9)
            self.assertAlmostEqual(result[name][name + "'"], -math.sqrt(2), places=9)
        twice = "param c = 0\ncoord x\nkinetic x'^2/2\nforce x = -sign(x - c)/2 - sign(x^3 - c^3 + x - c)/2\nstart x = 1\n"
        self.assertAlmostEqual(self.derivatives(twice, 2, "x, c")["sensitivity"]["x"]["x"], 3 - 2 * math.sqrt(2), places=9)
        waves = "param w = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = sign(sin(w*t))\nforce y = sign(sin(2*w*t))\nstart t = {}\n"
        for begin in ("0", "0.1"):
            result = self.derivatives(waves.format(begin), 2.5, "w")["sensitivity"]["w"]
            turns = [math.pi / 4, math.pi / 2, 3 * math.pi / 4]
            self.assertAlmostEqual(result["x"], -2 * (2.5 - turns[1]) * turns[1] / 2, places=8)
            self.assertAlmostEqual(result["y"], sum(sign * 2 * (2.5 - turn) * turn / 2 for sign, turn in zip((-1, 1, -1), turns)), places=8)

    def test_an_order_that_decides(self):
        """Which of two slips ends first changes the force on the other."""
        self.refused("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -1 + 0.3*sign(y')\nforce y = -1 + 0.3*sign(x')\nstart x' = 1, y' = 1\n",
                     2, "x'", "at one time", "which is first")

    def test_a_side_within_an_argument(self):
        self.compare("param w = 0.5\ncoord x\nkinetic x'^2/2\npotential 2*x^2\nforce x = -x'/10 + max(0, abs(sin(w*t)) - 0.9)\nstart x = 0.25\n",
                     12, {"w": 0.5}, "--set", 5)
        self.compare("param w = 0.1\ncoord x\nkinetic x'^2/2\npotential 2*x^2\nforce x = -x'/10 + max(0, sin(w*t) - 0.999)\nstart x = 0.25\n",
                     20, {"w": 0.1}, "--set", 5)

    def test_a_side_that_changes_at_an_event(self):
        """One surface for both; a side of the time; a force that is continuous there."""
        self.compare("coord x\nkinetic x'^2/2\nforce x = -1 - sign(x)/2\nevent b: x = 0 falling then reset x' = -0.8*x'\nstart x = 1\n",
                     2.5, {"x": 1, "x'": 0}, "--start")
        self.compare("coord x\nkinetic x'^2/2\nforce x = -sign(x)\nevent b: x = 0 falling then reset x' = x'/2\nstart x = 1, x' = -1\n",
                     3, {"x": 1, "x'": -1}, "--start")
        self.compare("param T = 1\ncoord x\nkinetic x'^2/2\nforce x = sign(t - T) - x\nevent b: t = T then reset x' = -x'/2\nstart x = 1.5, x' = -2\n",
                     3, {"T": 1}, "--set")
        result = self.derivatives("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = abs(y)\nevent b: t = 1 then reset x' = -x'/2\n"
                                  "start x = 1.5, y = 1, x' = -2, y' = -1\n", 3, "x, y")["sensitivity"]
        self.assertAlmostEqual(result["y"]["x'"], -2.5, places=7)
        self.assertAlmostEqual(result["y"]["x"], -2.5, places=7)

    def test_an_event_and_a_side_whose_order_decides(self):
        """x comes to the event with another speed on either side of y = 0: the derivatives of the two sides are opposite."""
        self.refused("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = sign(y)\nevent b: x = 0 falling then reset x' = -x'/2\n"
                     "start x = 1.5, y = 1, x' = -2, y' = -1\n", 2, "x", "which is first")

    def test_impacts_of_light_bodies(self):
        """M^-1 l = (10/9, -2/9)/m, whatever m is."""
        for mass in ("1", "1.66e-27", "1e12"):
            result = self.derivatives(f"param m = {mass}\ncoord x, y\nkinetic m*(x'^2 + y'^2 + x'*y')/2\nunilateral wall: x + y/3 >= 0 restitution 1/2\n"
                                      "start x = 1, x' = -1\n", 2, "x'")
            self.assertAlmostEqual(result["final"]["x'"], 17 / 28, places=8, msg=mass)
            self.assertAlmostEqual(result["final"]["y'"], -9 / 28, places=8, msg=mass)
            self.assertAlmostEqual(result["sensitivity"]["x'"]["x"], -17 / 14, places=8, msg=mass)
        beside = "param m = {}\ncoord x, y, z\nkinetic m*(x'^2 + y'^2 + x'*y' + 2*z'^2)/2\nconstraint k: z = x*y + sin(t)\n" \
                 "unilateral wall: x >= 0 restitution 1/2\nstart x = 1, x' = -1\n"
        heavy, light = (self.derivatives(beside.format(mass), 2, "x'") for mass in ("1", "1.66e-27"))
        for state, value in heavy["sensitivity"]["x'"].items():
            self.assertAlmostEqual(light["sensitivity"]["x'"][state], value, delta=1e-6 * (1 + abs(value)))

    def test_a_parameter_that_is_small(self):
        """The mass falls out of the motion: the derivative by it is zero, and the steps are those of the motion."""
        for mass in ("1e-3", "1e-12", "1e-30"):
            result = self.derivatives(f"param m = {mass}\ncoord x\nkinetic m*x'^2/2\npotential m*x^2/2 + m*x^4\nstart x = 1\n", 2, "m")
            self.assertLess(result["steps"], 100, mass)
            self.assertLess(abs(result["sensitivity"]["m"]["x"]) * float(mass), 1e-9)


class Balance(InFolder):
    def monitors(self, model, until, code=0):
        found, out, err = self.run_model(model, "simulate", "--until", str(until), "--json")
        self.assertEqual(found, code, err)
        return {monitor["name"]: monitor for monitor in json.loads(out)["monitors"]}

    def kept(self, monitors, name="T + V - work"):
        self.assertIn(name, monitors)
        self.assertLess(monitors[name]["largest"], 1e-8, monitors[name])

    def test_a_potential_that_the_time_switches(self):
        """V jumps, and what switches it does that work: no potential P of the drive keeps T + V."""
        for potential in ("x^2*(2 + sign(t - 1))/2", "-0.3*x*sign(cos(2*t))", "x^2/2 + sign(t - 1)"):
            monitors = self.monitors(f"coord x\nkinetic x'^2/2\npotential {potential}\nstart x = 1\n", 5)
            self.kept(monitors)
            self.assertNotIn("T + V + P", monitors)
            self.assertNotIn("drive_power(t)", monitors)  # "no work" would not be true
        code, out, err = self.run_model("coord x\nkinetic x'^2/2\npotential x^2*(2 + sign(t - 1))/2\nstart x = 1\n", "derive")
        self.assertEqual(code, 0, err)
        self.assertNotIn("T + V + P", out)

    def test_the_last_state_before_an_impulse(self):
        """The run ends where the drive jumps; what was done until then is counted on the side from which it comes."""
        for drive, start in (("0.1*abs(sin(2*t))", "x = 0, t = 0.1"), ("max(t, 1)", "x = 1")):
            monitors = self.monitors(f"coord x\nrheonomic s = {drive}\nkinetic (x' + s')^2/2\npotential x^2/2\nstart {start}\n", 3, 3)
            self.kept(monitors)

    def test_a_drive_that_works_through_a_damper(self):
        monitors = self.monitors("param c = 0.4, v = 0.5\ncoord x\nrheonomic s = v*t\nkinetic x'^2/2\npotential x^2/2\ndissipation c/2*(s' - x')^2\n"
                                 "start x = 0.1\n", 4)
        self.kept(monitors)
        self.assertGreater(monitors["drive_power(s)"]["largest"], 0.01)

    def test_a_row_at_the_end_of_a_ramp(self):
        """The row has one side of the change, in its accelerations and in the law of the drive."""
        self.write("param m = 3, t1 = 1/2, a = 2\ncoord y\nrheonomic s = a/2*(t^2 - max(0, t - t1)^2)\nparticle P mass m at [s + y, 0]\n"
                   "particle Q mass m at [s, 0]\nspring S: y stiffness 40\noutput F = drive_force(s)\noutput ss = s''\n"
                   "output left = drive_force(s) - 2*m*s'' - m*y''\nstart y = 0.02\n")
        for every in (["--every", "0.125"], []):
            code, _, err = self.run_in("simulate", "m.lia", "--until", "1", *every, "-o", "r.csv")
            self.assertEqual(code, 0, err)
            with (self.folder / "r.csv").open(encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertIn(0.5, [float(row["t"]) for row in rows])
            for row in rows:
                self.assertIn(round(float(row["ss"]), 9), (0, 2))
                self.assertLess(abs(float(row["left"])), 1e-9)

    def test_the_time_moves_a_wall(self):
        """What moves a wall that can open is an output of a run, and no formula at all states."""
        model = "param g = 9.81, A = 0.1, w = 3\ncoord z\nkinetic z'^2/2\npotential g*z\nunilateral floor: z - A*sin(w*t) >= 0 restitution 1/2\nstart z = 1\n"
        for asked in ("claim drive_power(t) == 0", "claim drive_power(floor) == 0"):
            code, _, err = self.run_model(model + asked + "\n", "check")
            self.assertEqual(code, 2, err)
            self.assertIn("no formula holds for its reaction at all states", err)
        code, _, err = self.run_model(model + "output P = drive_power(floor)\noutput F = drive_force(floor)\n", "check")
        self.assertEqual((code, err), (0, ""))


METHODS = ("dop853", "taylor", "arkode", "adams", "bdf")


class SidesWithinSides(InFolder):
    def end(self, model, until, method="dop853"):
        code, out, err = self.run_model(model, "simulate", "--until", str(until), "--integrator", method, "--tol", "1e-10", "--json")
        self.assertEqual((code, err), (0, ""), method)
        return json.loads(out)

    def test_a_friction_table_that_begins_at_the_zero_of_its_argument(self):
        """The numbers are those of DOP853 and Radau of SciPy, with steps of 1/1000 at most."""
        model = "param k = 25, v = 0.3, N = 10\ncoord x\nkinetic x'^2/2\npotential k/2*x^2\ntable mu points {} linear\n" \
                "force x = N*mu(abs(v - x'))*tanh(50*(v - x')/v)\n"
        for points, x, v in (("(0, 0.3), (1, 0.1), (3, 0.1)", 0.12401779, 0.28581348), ("(0, 0.3), (0.1, 0.2), (1, 0.1), (3, 0.1)", 0.13221332, 0.26977921)):
            for method in METHODS:
                with self.subTest(points=points, method=method):
                    final = self.end(model.format(points), 2, method)["final"]
                    self.assertAlmostEqual(final["x"], x, delta=1e-7)
                    self.assertAlmostEqual(final["x'"], v, delta=1e-7)

    def test_what_touches_zero_keeps_its_side(self):
        """x'' = -|x|: hyperbolic until x = 0 at atanh(1/2), then a sine; sign(|x|) is 1 on both sides of x = 0."""
        passed = math.sqrt(3) * math.sin(2 - math.atanh(0.5))
        for force, until, x in (("-max(0, abs(x))", 2, passed), ("-sign(abs(x))", 3, 0.5)):
            for method in METHODS:
                with self.subTest(force=force, method=method):
                    final = self.end(f"coord x\nkinetic x'^2/2\nforce x = {force}\nstart x = -1, x' = 2\n", until, method)["final"]
                    self.assertAlmostEqual(final["x"], x, delta=1e-7)

    def test_the_last_digits_of_an_energy_at_rest_are_no_change(self):
        model = "param m = 2, b = 0.5, l = 1, g = 9.81\ncoord x, y, phi\nbody B mass m inertia m*b^2/3 at [x, y] angle phi\ngravity [0, -g]\n" \
                "unilateral r1: l >= distance(B [-b, 0], [-b, 0])\nunilateral r2: l >= distance(B [b, 0], [b, 0])\nstart y = -l\n"
        energy = next(m for m in self.end(model, 2)["monitors"] if m["name"] == "T + V")
        self.assertTrue(energy["verdict"].startswith("kept "), energy)


if __name__ == "__main__":
    unittest.main()
