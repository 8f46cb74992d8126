#!/usr/bin/env python3
"""Places of rest: what is listed is one, and nothing is said of it that its surroundings do not bear out.

usage: test_places.py PROGRAM
"""

import json
import unittest

from program import InFolder


class Places(InFolder):
    def places(self, *lines):
        code, out, err = self.run_model("\n".join(lines) + "\n", "analyze", "--json", "--only", "equilibria")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        return result["equilibria"], result["equilibria_searched"]

    def page(self, *lines):
        return " ".join(self.run_model("\n".join(lines) + "\n", "analyze", "--only", "equilibria")[1].split())

    def test_a_wall_that_moves(self):  # its gap at every time: at z = -3 it is violated whatever the time is, at z = 0 it is open
        code, out, err = self.run_model("param A = 0.5\ncoord z\nkinetic z'^2/2\npotential z^2/2 + z^3/9\nunilateral f: z >= A*sin(t) - 1\nstart z = 2\n",
                                        "analyze", "--only", "equilibria", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual([(one["position"]["z"], one["stability"]) for one in json.loads(out)["equilibria"]], [(0, "stable")])

    def test_a_kink_in_the_velocity_has_no_linear_part(self):  # for x' > 0 the roots are 2 +- sqrt(3)
        found, _ = self.places("coord x", "kinetic x'^2/2", "force x = -x - x' + 5*abs(x')")
        self.assertEqual([entry["stability"] for entry in found], ["undecided"])

    def test_an_event_that_acts(self):
        found, _ = self.places("coord x", "kinetic x'^2/2", "force x = -x - x'", "event e: x = 0 rising then reset x' = 100*x'")
        self.assertEqual([entry["stability"] for entry in found], ["undecided"])
        page = self.page("coord x", "kinetic x'^2/2", "force x = -x - x'", "event e: x = 0 rising then reset x' = 100*x'")
        self.assertIn("said of motions between events", page)

    def test_behind_a_wall(self):
        wall = ("coord x", "kinetic x'^2/2", "unilateral wall: x - 2 >= 0")
        self.assertEqual(self.places(*wall, "force x = 1 - x - x'", "start x = 3")[0], [])
        found, _ = self.places(*wall, "force x = 3 - x - x'", "start x = 3")  # in front of it
        self.assertEqual([entry["stability"] for entry in found], ["asymptotically stable"])
        found, _ = self.places(*wall, "force x = 2 - x - x'", "start x = 3")  # at it: a place where it may be closed
        self.assertEqual([entry["stability"] for entry in found], ["undecided"])
        self.assertIn("no others without a force of contacts (proved)", self.page(*wall, "force x = 2 - x - x'", "start x = 3"))

    def test_where_the_model_has_no_value(self):  # sqrt(x)^2 is x where x >= 0
        found, _ = self.places("coord x", "kinetic x'^2/2", "force x = -sqrt(x)^2 - 1 - x'", "start x = 1")
        self.assertEqual(found, [])
        found, _ = self.places("coord x", "kinetic x'^2/2", "force x = 1 - sqrt(x)^2 - x'", "start x = 1")
        self.assertEqual([entry["stability"] for entry in found], ["asymptotically stable"])

    def test_where_the_closed_forms_divide_by_zero(self):  # the relation is none at x = 0, where y'' = 5 y
        found, searched = self.places("coord x, y", "kinetic (x'^2 + y'^2)/2", "force x = -x - x'", "force y = 5*y", "constraint c: x*y' = 0")
        self.assertEqual(found, [])
        self.assertFalse(searched["all"])
        found, searched = self.places("coord r, th", "kinetic (r'^2 + r^2*th'^2)/2", "potential r^2/2 - cos(th)", "start r = 1")
        self.assertEqual(found, [])
        self.assertFalse(searched["all"])

    def test_a_relation_with_a_factor(self):  # R th = t gives th as th = t/R does
        for relation in ("R*th = t", "th = t/R"):
            found, _ = self.places("param R = 2", "coord th, x", "kinetic (x'^2 + th'^2)/2", "potential (x - 1)^2", f"constraint d: {relation}")
            self.assertEqual([entry["position"]["x"] for entry in found], [1], relation)

    def test_all_that_are_not_isolated_are_named(self):
        found, searched = self.places("coord u", "kinetic u'^2/2", "force u = (u - 1)^2*(u + 5)^2*(u - 7)")
        self.assertEqual([entry["position"]["u"] for entry in found], [-5, 1, 7])  # each root once
        self.assertTrue(searched["all"])
        # A curve that touches a line twice: no equation has such a root several times, both together have.
        found, searched = self.places("coord u, v", "kinetic (u'^2 + v'^2)/2", "force u = v - (u - 1)^2*(u + 5)^2", "force v = v - v^3")
        self.assertFalse(searched["all"])
        self.assertIn("u = 1", searched["reason"])
        self.assertIn("u = -5", searched["reason"])

    def test_in_ascending_order(self):
        found, _ = self.places("coord x", "kinetic x'^2/2", "force x = -(x - 3)*(x - 1)*(x + 2)")
        self.assertEqual([entry["position"]["x"] for entry in found], [-2, 1, 3])

    def test_words_for_one(self):
        page = self.page("coord x, y", "kinetic (x'^2 + y'^2)/2", "potential (x^2 + y^2 - 1)^2")
        self.assertNotIn("1 coordinates", page)
        page = self.run_model("coord x\nkinetic x'^2/2\npotential x^4\n", "analyze")[1]
        self.assertNotIn("values of the parameters", " ".join(page.split()))


if __name__ == "__main__":
    unittest.main()
