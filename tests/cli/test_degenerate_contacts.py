#!/usr/bin/env python3
"""Contacts at their limits: touching without force, at the limit of friction, dependent on each other at one place.

usage: test_degenerate_contacts.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder


class AfterImpacts(InFolder):
    """Contacts that an impact brings to rest, and that nothing presses: rounding of the velocities opens and closes nothing."""

    def end_of(self, model, *options):
        code, out, err = self.run_model(model, "simulate", "--until", "1e-6", "--json", *options)
        self.assertEqual(code, 0, out + err)
        return json.loads(out)

    def test_a_gap_beside_one_that_is_kept(self):  # what is done to keep `c0` moves the gap of `c2` by a last digit
        end = self.end_of("coord q0, q1, q2, q3, q4\n"
                          "kinetic 4*q0'^2 - 4*q0'*q1' + 2*q0'*q2' + 2*q0'*q3' + 6*q0'*q4' + 45/8*q1'^2 + 2*q1'*q2' + 5*q1'*q3' + 3*q1'*q4' + 9/2*q2'^2"
                          " + 9*q2'*q3' + 3*q2'*q4' + 53/8*q3'^2 + 8*q3'*q4' + 15/2*q4'^2\n"
                          "unilateral c0: -q1 + q3 - q4 >= 0 friction 1 on 3*q1' + 3*q2' - q4' restitution 0\n"
                          "unilateral c1: -q1 - 3*q2 - 2*q3 + q4 >= 0 friction 2/3 on 3*q0' + 2*q1' - q2' - q3'/2 - q4' restitution 1/10\n"
                          "unilateral c2: -q0 >= 0 restitution 1/10\n"
                          "unilateral c3: -3*q1 - 3*q2 - q3 >= 0 friction 3 on -3*q2' - 3/2*q4' restitution 3/10\n"
                          "start q0' = -3, q1' = 4, q2' = -4, q3' = -3, q4' = 3\n", "--in-sequence")
        self.assertLess(end["steps"], 50)
        self.assertAlmostEqual(end["final"]["q1'"], 4.83296104925, 9)

    def test_a_contact_that_newtons_law_leaves_touching(self):
        end = self.end_of("coord q0, q1, q2, q3, q4\n"
                          "kinetic 33/8*q0'^2 - 4*q0'*q1' - 3*q0'*q2' + q0'*q3' - 3*q0'*q4' + 15/2*q1'^2 - 7*q1'*q2' + 3*q1'*q3' + 6*q1'*q4' + 41/8*q2'^2"
                          " - q2'*q4' + 15/2*q3'^2 - q3'*q4' + 7/2*q4'^2\n"
                          "unilateral c0: q2 - q3 + 2/3*q4 >= 0 friction 3/2 on -q0' - 2/3*q3' restitution 3/5\n"
                          "unilateral c1: 3*q1 + q4 >= 0 friction 2/5 on -q0' - q2' - 3*q3' - q4' restitution 3/10\n"
                          "unilateral c2: q0/2 - 2/3*q1 - q3/3 >= 0 friction 4/3 sticking 11/6 on -3*q2' + 2*q3' + q4' restitution 1/2\n"
                          "unilateral c3: q0 >= 0 friction 1 sticking 5/2 on q1' - q3'/2 + q4'/3 restitution 4/5\n"
                          "start q0' = -1, q1' = 4, q2' = 3, q3' = -4, q4' = -4\n", "--impact", "newton", "--allow-gain")
        self.assertEqual(len(end["impacts"]), 1)
        self.assertAlmostEqual(end["final"]["q0'"], 0.8, 12)
        self.assertAlmostEqual(3 * end["final"]["q1'"] + end["final"]["q4'"], 0, 12)

    def test_an_impact_at_the_start_leaves_no_rounding_of_the_velocities_before_it(self):
        """A block falls flat on two feet, without gravity: all of its energy goes, and nothing moves or presses from then on."""
        foot = ("unilateral {}: -({s})*(x {u} 19/20*cos(th) + 12/25*sin(th)) + {c}*(y {u} 19/20*sin(th) - 12/25*cos(th)) >= 0 friction 4/5 restitution 0"
                " on ({c})*(x' {v} 19/20*sin(th)*th' + 12/25*cos(th)*th') + ({s})*(y' {u} 19/20*cos(th)*th' + 12/25*sin(th)*th')\n")
        for angle in (0.14, 0.5729, -0.7722, 1.1):
            c, s = repr(math.cos(angle)), repr(math.sin(angle))
            model = ("coord x, y, th\nkinetic (x'^2 + y'^2 + 0.416*th'^2)/2\n" + foot.format("l", s=s, c=c, u="-", v="+") + foot.format("r", s=s, c=c, u="+", v="-")
                     + f"start x = {-0.48 * math.sin(angle)!r}, y = {0.48 * math.cos(angle)!r}, th = {angle!r}, x' = 1.4*({c}) + 2.7*({s}), y' = 1.4*({s}) - 2.7*({c}), th' = 0.5\n")
            end = self.end_of(model)
            self.assertEqual([end["final"][name] for name in ("x'", "y'", "th'")], [0, 0, 0], angle)
            self.assertEqual(end["impacts"][0]["t"], 0)
            if len(end["impacts"]) == 1:
                self.assertAlmostEqual(end["impacts"][0]["energy"], -(1.4**2 + 2.7**2 + 0.416 * 0.25) / 2, 12)


PRESSED, PRESSED_SPEED = 1 / 12 - 1 / 40, 1 / 4 - 1 / 8  # of y'' = (t - t^3)/2, where x + y is kept
PARTICLE = "coord x, y\nkinetic (x'^2 + y'^2)/2\n"


class HigherDerivatives(InFolder):
    """Where accelerations leave contacts at their limits, the next derivatives decide, in `motions` and in runs alike."""

    def motions(self, text, *options):
        code, out, err = self.run_model(PARTICLE + text, "motions", "--json", *options)
        self.assertEqual(code, 0, out + err)
        return json.loads(out)

    def expect(self, text, *modes):
        found = self.motions(text)
        self.assertEqual(found["verdict"], "none" if not modes else "unique" if len(modes) == 1 else "several", (text, found))
        self.assertCountEqual([" ".join(motion["modes"].values()) for motion in found["motions"]], modes, (text, found))
        self.assertNotIn("undecided", found, text)
        return found["motions"]

    def test_the_limit_of_friction(self):  # 5 = 10/2: the next derivative of the push
        floor = "force y = -10\nunilateral a: y >= 0 friction 1/2 on x'\n"
        self.expect("force x = 5 + t\n" + floor, "slips")
        self.expect("force x = -5 - t\n" + floor, "slips")
        self.expect("force x = 5 - t\n" + floor, "sticks")
        self.expect("force x = 5 + t^4\n" + floor, "slips")
        self.expect("force x = 5\n" + floor, "sticks")
        # of the pressure, and of the coefficient
        self.expect("force x = 5\nforce y = -10 + t\nunilateral a: y >= 0 friction 1/2 on x'\n", "slips")
        self.expect("force x = 5\nforce y = -10 - t\nunilateral a: y >= 0 friction 1/2 on x'\n", "sticks")
        self.expect("force x = 5\nforce y = -10\nunilateral a: y >= 0 friction 1/2 - t on x'\n", "slips")
        self.expect("force x = 5\nforce y = -10\nunilateral a: y >= 0 friction 1/2 + t on x'\n", "sticks")
        # it sticks better than it slips: at the limit of slipping both go on
        sticky = "force y = -10\nunilateral a: y >= 0 friction 1/2 sticking 1 on x'\n"
        self.expect("force x = 5 + t\n" + sticky, "sticks", "slips")
        self.expect("force x = 5 - t\n" + sticky, "sticks")

    def test_a_limit_that_is_shared(self):  # by two feet, each with half of the weight: 5 in all
        feet = "coord z\nkinetic z'^2/2\nforce y = -5\nforce z = -5\nunilateral a: y >= 0 friction 1/2 on x'\nunilateral b: z >= 0 friction 1/2 on x'\n"
        self.expect("force x = 5 + t\n" + feet, "slips slips")
        self.expect("force x = 5 - t\n" + feet, "sticks sticks")
        self.expect("force x = -5 - t^3\n" + feet, "slips slips")
        self.expect("force x = -5 + t^3\n" + feet, "sticks sticks")
        # the one presses less by what the other presses more, and with another coefficient the limit grows
        shifted = feet.replace("force y = -5", "force y = -5 + t").replace("force z = -5", "force z = -5 - t")
        self.expect("force x = 5\n" + shifted, "sticks sticks")
        rougher = shifted.replace("z >= 0 friction 1/2", "z >= 0 friction 1/4")
        self.expect("force x = 15/4\n" + rougher, "slips slips")
        self.expect("force x = 15/4 - t/2\n" + rougher, "sticks sticks")
        sticky = feet.replace("friction 1/2 on", "friction 1/4 sticking 1/2 on")
        self.expect("force x = 5 - t\n" + sticky, "sticks sticks", "slips slips")

    def test_a_pressure_to_come(self):  # without force at first
        self.expect("force y = -t\nforce x = t\nunilateral a: y >= 0 friction 2 on x'\n", "sticks")
        self.expect("force y = -t\nforce x = t\nunilateral a: y >= 0 friction 1/2 on x'\n", "slips")
        self.expect("force y = t\nforce x = t\nunilateral a: y >= 0 friction 1/2 on x'\n", "opens")

    def test_walls_that_move(self):
        self.expect("constraint c: y = 0\nunilateral b: y - t^3 >= 0\nforce y = -1\n")  # it comes through what is held
        self.expect("constraint c: y = 0\nunilateral b: y + t^3 >= 0\nforce y = -1\n", "opens")
        self.expect("unilateral a: y >= 0\nunilateral b: y - t^3 >= 0\nforce y = -1\n", "opens kept")
        self.expect("unilateral a: y >= 0\nunilateral b: -y + t^3 >= 0\nforce y = -5\n", "kept opens")
        self.expect("unilateral a: y + t^3 >= 0\nunilateral b: -y + t^3 >= 0\n", "opens opens")
        self.expect("unilateral a: y - t^3 >= 0\nunilateral b: t^4 - y >= 0\n")

    def test_friction_on_walls_that_move(self):  # the pressure is 10 + 2, the limit 6
        wall = "force y = -10\nunilateral a: y - t^2 >= 0 friction 1/2 on x'\n"
        self.expect("force x = 6 + t\n" + wall, "slips")
        self.expect("force x = 6 - t\n" + wall, "sticks")
        self.expect("force x = 7\n" + wall, "slips")
        belt = "force y = -10\nunilateral a: y >= 0 friction 1/2 on x' - t\n"  # 1 carries it along, 4 are left
        self.expect("force x = -4 + t^2\n" + belt, "sticks")
        self.expect("force x = -4 - t^2\n" + belt, "slips")
        code, out, err = self.run_model(PARTICLE + "force x = 6 + t\n" + wall, "simulate", "--until", "1", "--json")
        self.assertEqual(code, 0, err)
        self.assertAlmostEqual(json.loads(out)["final"]["x"], 1 / 6, 8)
        chart = PARTICLE.replace("kinetic", "velocity u, w: x' = u, y' = w\nkinetic")
        moving = "force x = 7\nforce y = -10\nunilateral a: y - t^2 >= 0 friction 1/2 on x' - 1\nstart x' = 1\n"
        code, out, err = self.run_model(chart + moving, "simulate", "--until", "1", "--json")
        self.assertEqual(code, 0, err)
        self.assertAlmostEqual(json.loads(out)["final"]["x"], 3 / 2, 8)  # 7 less 6 carries it beyond the belt

    def test_a_load_that_is_shared(self):
        motion, = self.expect("unilateral a: y >= 0\nunilateral b: 2*y >= 0\nforce y = -t\n", "kept kept")
        self.assertEqual(motion["settled"], {"a": "the derivative of order 1 of its factor is 0 to 1", "b": "the derivative of order 1 of its factor is 0 to 1/2"})

    def test_runs_take_the_same_motions(self):
        def run(text):
            code, out, err = self.run_model(PARTICLE + text, "simulate", "--until", "1", "--json")
            return code, json.loads(out) if code == 0 else err

        beside = "unilateral a: x >= 0\nunilateral b: -x >= 0\nunilateral c: y >= 0\n"  # of a and b one presses as much as the other
        for text, y, speed in ((beside + "force y = -t\n", 0, 0),
                               (beside + "force y = t\n", 1 / 6, 1 / 2),
                               (beside + "force y = -max(0, t - 1/2)\n", 0, 0),
                               (beside + "force y = max(0, t - 1/2)\n", 1 / 48, 1 / 8),
                               (beside + "unilateral d: y + x >= 0\nforce y = -t\n", 0, 0),
                               # what has the gap of another, or nearly: its sign is rounding
                               ("unilateral a: x + y >= 0\nunilateral b: x + y >= 0\nforce x = -t\nforce y = -t^3\n", PRESSED, PRESSED_SPEED),
                               ("unilateral a: y - t^2 >= 0\nunilateral b: y - t^2 + t^3/2 >= 0\nforce y = -t\n", 1, 2),
                               # a pressure 4 t^3/3 of terms that cancel
                               ("unilateral a: y - t^2 >= 0\nforce y = 2 - 4*t^3\n", 1, 2),
                               # beside a pressure of 3 the one that begins is rounding at first
                               ("unilateral a: y - x >= 0\nunilateral b: 2*x - t^3 >= 0\nforce x = -3\n", 1 / 2, 3 / 2),
                               ("unilateral a: y >= 0\nunilateral b: 2*y + t^3 >= 0\nforce y = -t\n", 0, 0),
                               ("unilateral a: y + t^3 >= 0\nunilateral b: -y + t^3 >= 0\n", 0, 0),
                               ("unilateral a: y >= 0\nunilateral b: -y + t^3 >= 0\nforce y = -5\n", 0, 0),
                               ("unilateral a: y >= 0\nunilateral b: y - t^3 >= 0\nforce y = -1\n", 1, 3),
                               ("unilateral a: y + x^3 >= 0\nunilateral b: -y + x^3 >= 0\nstart x' = 1\n", 0, 0),
                               ("constraint c: y = 0\nunilateral b: y + t^3 >= 0\nforce y = -1\n", 0, 0),
                               ("force x = 5 + t\nforce y = -10\nunilateral a: y >= 0 friction 1/2 on x'\n", 0, 0)):
            code, end = run(text)
            self.assertEqual(code, 0, (text, end))
            self.assertAlmostEqual(end["final"]["y"], y, 8, text)
            self.assertAlmostEqual(end["final"]["y'"], speed, 8, text)
        for text in ("constraint c: y = 0\nunilateral b: y - t^3 >= 0\nforce y = -1\n", "unilateral a: y - t^3 >= 0\nunilateral b: -y + t^3/2 >= 0\n"):
            code, end = run(text)
            self.assertEqual(code, 3, (text, end))
            self.assertRegex(end, "no motion (is possible|was found)", text)


class JumpsOfCoefficients(InFolder):
    """An impact where its restitution jumps: no side is taken silently."""

    MODEL = "coord x, y\nkinetic (x'^2 + y'^2)/2\nunilateral wall: x >= 0 restitution {}\nstart x = 1, x' = -1, y' = {}\n"

    def run_of(self, restitution, speed, *options):
        code, out, err = self.run_model(self.MODEL.format(restitution, speed), "simulate", "--until", "2", "--json", *options)
        return code, json.loads(out), err

    def test_sides(self):
        step = "if y > 1 then 9/10 else 1/5"
        for speed, after in (("11/10", 0.9), ("9/10", 0.2)):
            code, end, err = self.run_of(step, speed)
            self.assertEqual(code, 0, err)
            self.assertAlmostEqual(end["final"]["x'"], after, 9)
        code, end, err = self.run_of(step, "1")
        self.assertEqual((code, end["outcome"]), (3, "several"), err)
        self.assertIn("jump where", err)
        self.assertEqual(len(end["possible"]), 2)
        code, end, err = self.run_of(step, "1", "--on-indeterminate", "branch")
        self.assertEqual(code, 0, err)
        self.assertEqual(sorted(round(branch["final"]["x'"], 9) for branch in end["branches"]), [0.2, 0.9])

    def test_contacts_that_jump_with_the_same_are_on_one_side_of_it(self):
        corner = ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nunilateral a: x >= 0 restitution {0}\nunilateral b: y >= 0 restitution {0}\n"
                  "start x = 1, y = 1, x' = -1, y' = -1, z' = 1\n").format("if z > 1 then 9/10 else 1/5")
        code, out, err = self.run_model(corner, "simulate", "--until", "2", "--json", "--on-indeterminate", "branch")
        self.assertEqual(code, 0, err)
        ends = sorted((round(end["final"]["x'"], 9), round(end["final"]["y'"], 9)) for end in json.loads(out)["branches"])
        self.assertEqual(ends, [(0.2, 0.2), (0.9, 0.9)])

    def test_what_has_one_value(self):
        for restitution, speed, after in (("(1 + sign(y))/4", "0", 0.25),  # it stays where it jumps: the value there
                                          ("1/2 + abs(y - 1)/4", "1", 0.5),  # it bends and does not jump
                                          ("if t > 3 then 1 else 1/2", "1", 0.5)):
            code, end, err = self.run_of(restitution, speed)
            self.assertEqual(code, 0, (restitution, err))
            self.assertAlmostEqual(end["final"]["x'"], after, 9)


if __name__ == "__main__":
    unittest.main()
