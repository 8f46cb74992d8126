#!/usr/bin/env python3
"""What is not computed is said: contacts that close or stay closed, contacts that pull, speeds of zero that friction resists.

usage: test_unilateral.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder

BALL = "param g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nunilateral ground: y >= 1 friction 0.3 restitution 0.5\nstart y = 2\n"


class Unilateral(InFolder):
    def test_eval_at_an_open_contact(self):
        code, out, err = self.run_model(BALL, "eval", "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(json.loads(out)["acceleration"], {"x": 0, "y": -9.81})
        self.assertEqual(self.run_in("eval", "m.lia", "--at", "y = 1, y' = 0.1")[0], 0)  # it opens

    def test_a_closed_contact_is_an_error_with_its_place(self):
        for command, option, more in (("eval", "--at", []), ("simulate", "--start", ["--until", "1"])):
            for state in ("y = 1", "y = 1, y' = -1"):
                code, out, err = self.run_model(BALL, command, option, state, *more)
                self.assertEqual((code, out), (3, ""))
                self.assertTrue(err.startswith("m.lia:5:1: error: `ground` is closed at this state: contacts that close or stay closed are "
                                               "not computed yet [L0519]\n   hint: choose a state with a gap with " + option), err)
            code, out, err = self.run_model(BALL, command, option, "y = 0.5", *more)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("m.lia:5:1: error: the state violates `ground`: y - 1 = -0.5, which is negative [L0501]", err)

    def test_a_run_ends_where_a_contact_closes(self):
        code, out, _ = self.run_model(BALL, "simulate", "--until", "10", "--json")
        result = json.loads(out)
        self.assertEqual((code, result["outcome"]), (0, "event"))
        self.assertAlmostEqual(result["t"], math.sqrt(2 / 9.81), delta=1e-9)


if __name__ == "__main__":
    unittest.main()
