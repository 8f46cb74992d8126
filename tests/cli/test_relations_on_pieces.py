#!/usr/bin/env python3
"""Relations that ask nothing where the motion is: their numbers are rounding there, and decide nothing.

usage: test_relations_on_pieces.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder

FREE = "coord x, th\nkinetic (x'^2 + th'^2)/2\n"
WHEEL = "body disc mass 1 inertia [1, 2, 1] at [x, y, {z}] turned z ps, x th, y ph\nwheel roll: disc axis [0, 1, 0] radius 1\ngravity [0, 0, -9.81]\n"


class OnAPiece(InFolder):
    def final(self, text, *options):
        code, out, err = self.run_model(text, "simulate", "--json", *options)
        self.assertEqual((code, err), (0, ""), text)
        return json.loads(out)["final"]

    def test_a_relation_that_always_holds_keeps_nothing(self):
        for relation in ("cos(th) = sqrt(1 - sin(th)^2)", "cos(2*th) = 1 - 2*sin(th)^2", "abs(cos(th)) = sqrt(1 - sin(th)^2)"):
            for start in (0.1, 0.2, 0.3, 0.7, 0.9, -0.7):
                model = FREE + f"constraint b: {relation}\nstart th = {start}, th' = 1\n"
                end = self.final(model, "--until", "0.5")
                self.assertAlmostEqual(end["th"], start + 0.5, delta=1e-12, msg=model)
                self.assertEqual(end["th'"], 1, model)

    def test_it_is_redundant_and_not_contradictory(self):
        code, out, err = self.run_model(FREE + "constraint b: cos(th) = sqrt(1 - sin(th)^2)\nstart th = 0.2, th' = 1\n", "eval")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("redundant but consistent", out)
        self.assertRegex(out, r"b +0 +not determined")

    def test_it_ends_the_motion_where_it_begins_to_ask(self):
        code, out, err = self.run_model(FREE + "constraint b: cos(th) = sqrt(1 - sin(th)^2)\nstart th = 0.2, th' = 1\n", "simulate", "--until", "3", "--json")
        self.assertEqual(code, 3)
        self.assertIn("the state left the constraints", err)
        self.assertAlmostEqual(json.loads(out)["t"], math.pi/2 - 0.2, delta=1e-3)

    def test_a_wheel_whose_height_is_written(self):
        """As the wheel whose centre is free to rise, and is kept by the ground."""
        start = "start th = 0.2, ph' = 6, ps' = 0.5{}\n"
        written = self.final("coord x, y, ps, th, ph\n" + WHEEL.format(z="cos(th)") + start.format(""), "--until", "1")
        free = self.final("coord x, y, z, ps, th, ph\n" + WHEEL.format(z="z") + start.format(""), "--until", "1")
        for name in ("x", "y", "ps", "th", "ph", "x'", "y'", "ps'", "th'", "ph'"):
            self.assertAlmostEqual(written[name], free[name], delta=1e-8, msg=name)
        for start in ("th = 0.3", "th = 0.5", "th = -0.4"):
            self.final("coord x, y, ps, th, ph\n" + WHEEL.format(z="cos(th)") + f"start {start}, ph' = 6, ps' = 0.5\n", "--until", "1")


if __name__ == "__main__":
    unittest.main()
