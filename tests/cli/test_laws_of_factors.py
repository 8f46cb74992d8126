#!/usr/bin/env python3
"""Friction whose coefficient depends on factors: of the contact itself, of another one, of a constraint that cannot open.

usage: test_laws_of_factors.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder

PLANE = "coord x, y\nkinetic (x'^2 + y'^2)/2\n"
EDGE = PLANE + "force x = {}\nforce y = -10\nunilateral wall: x >= 0\nunilateral floor: y >= 0 friction {} on x'\n"


class AtAState(InFolder):
    def motions(self, text, *options):
        code, out, err = self.run_model(text, "motions", "--json", *options)
        self.assertEqual(code, 0, out + err)
        return json.loads(out)

    def test_its_own_pressure(self):
        """A block pressed by 10 + N x-pull: friction N/40 * N. Pushed by 4 it slips with 4 - 100/40; by 2 it sticks."""
        block = PLANE + "force x = {}\nforce y = -10\nunilateral floor: y >= 0 friction lambda(floor)/40 on x'\n"
        found = self.motions(block.format(4))
        self.assertEqual((found["verdict"], found["motions"][0]["modes"]), ("unique", {"floor": "slips"}))
        self.assertEqual(found["motions"][0]["acceleration"], {"x": 1.5, "y": 0})
        self.assertEqual(found["motions"][0]["friction"], {"floor": [-2.5]})
        found = self.motions(block.format(2))
        self.assertEqual((found["verdict"], found["motions"][0]["modes"]), ("unique", {"floor": "sticks"}))

    def test_a_quadratic_law_with_two_pressures(self):
        """Friction lifts what it slows: N - N^2/50 = 10 has N = 25 - sqrt(125) and N = 25 + sqrt(125)."""
        text = ("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -10\nunilateral floor: y >= 0 power y' - lambda(floor)/50*abs(y' + x')\n"
                "start x' = 1\n")
        code, out, err = self.run_model(text, "motions", "--json")
        self.assertEqual(code, 0, out + err)
        found = json.loads(out)
        self.assertEqual((found["verdict"], len(found["motions"])), ("several", 2), out)
        factors = sorted(motion["multiplier"]["floor"] for motion in found["motions"])
        self.assertAlmostEqual(factors[0], 25 - math.sqrt(125), delta=1e-12)
        self.assertAlmostEqual(factors[1], 25 + math.sqrt(125), delta=1e-12)
        for motion in found["motions"]:
            self.assertAlmostEqual(motion["acceleration"]["x"], -motion["multiplier"]["floor"] ** 2 / 50, delta=1e-12)

    def test_the_pressure_of_another_contact(self):
        """In a corner the wall presses with what the push gives it: friction lambda(wall)/4 * 10 on the floor, where the wall is kept."""
        text = ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = -2\nforce y = -10\nforce z = {}\nunilateral wall: x >= 0\n"
                "unilateral floor: y >= 0 friction lambda(wall)/4 on z'\n")
        for push, mode, acceleration in ((4, "sticks", 0), (7, "slips", 2), (-7, "slips", -2)):
            found = self.motions(text.format(push))
            self.assertEqual((found["verdict"], found["motions"][0]["modes"]), ("unique", {"wall": "kept", "floor": mode}), push)
            self.assertEqual(found["motions"][0]["acceleration"]["z"], acceleration)
        # an open wall has no factor: the floor is smooth
        found = self.motions(text.format(7), "--at", "x = 1")
        self.assertEqual((found["verdict"], found["motions"][0]["acceleration"]["z"]), ("unique", 7))

    def test_the_factor_of_a_constraint_that_cannot_open(self):
        text = ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = -3\nforce y = -10\nforce z = {}\nconstraint pin: x = 0\n"
                "unilateral floor: y >= 0 friction lambda(pin)/10 on z'\n")
        for push, mode, acceleration in ((2, "sticks", 0), (4, "slips", 1)):
            found = self.motions(text.format(push))
            self.assertEqual((found["verdict"], found["motions"][0]["modes"], found["motions"][0]["acceleration"]["z"]), ("unique", {"floor": mode}, acceleration))

    def test_two_laws_that_enter_each_other(self):
        """z slips on a and on b, whose pressures come from each other's friction: N_a = 10 + p/80 and N_b = 8 + p/40 with p = N_a N_b."""
        text = ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = -10\nforce y = -8\nforce z = 30\n"
                "unilateral a: x >= 0 friction lambda(b)/20 on z' + y'/2\nunilateral b: y >= 0 friction lambda(a)/40 on z' + x'/2\nstart z' = 1\n")
        found = self.motions(text)
        real = []
        a, b, c = 1 / 3200, 10 / 40 + 8 / 80 - 1, 80
        for sign in (1, -1):
            p = (-b + sign * math.sqrt(b * b - 4 * a * c)) / (2 * a)
            real.append((10 + p / 80, 8 + p / 40))
        self.assertEqual((found["verdict"], len(found["motions"])), ("several", 2), found)
        for (na, nb), motion in zip(sorted(real), sorted(found["motions"], key=lambda one: one["multiplier"]["a"])):
            self.assertAlmostEqual(motion["multiplier"]["a"], na, delta=1e-9)
            self.assertAlmostEqual(motion["multiplier"]["b"], nb, delta=1e-9)

    def test_a_law_that_is_not_rational_and_one_in_space(self):
        found = self.motions(PLANE + "force x = 4\nforce y = -10\nunilateral floor: y >= 0 friction 1/(1 + exp(-lambda(floor))) on x' + y'\nstart x' = 1\n")
        self.assertIsNone(found["verdict"])
        self.assertIn("not all found", found["undecided"])
        code, out, err = self.run_model("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce z = -10\nunilateral floor: z >= 0 friction lambda(floor)/40 on [x', y']\n", "motions")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("the friction of `floor` depends on a factor, and a contact rests along a surface in space", err)


class InTime(InFolder):
    def end(self, text, until, *options):
        code, out, err = self.run_model(text, "simulate", "--until", str(until), "--tol", "1e-12", "--json", *options)
        self.assertEqual(code, 0, out + err)
        return json.loads(out)

    def test_its_own_pressure_grows_and_stops_a_block(self):
        """N = 10 + 10 t: the friction N^2/40 stops a block from 4 where 10/4 ((1 + t)^3 - 1)/3 = 4, and then holds it."""
        text = PLANE + "force y = -10 - 10*t\nunilateral floor: y >= 0 friction lambda(floor)/40 on x'\nstart x' = 4\n"
        stop = (1 + 12 / 2.5) ** (1 / 3) - 1
        end = self.end(text, 1)
        self.assertEqual([span["mode"] for span in end["contacts"]], ["slips", "sticks"])
        self.assertAlmostEqual(end["contacts"][1]["begin"], stop, delta=1e-10)
        way = 4 * stop - 2.5 * (((1 + stop) ** 4 - 1) / 12 - stop / 3)
        self.assertAlmostEqual(end["final"]["x"], way, delta=1e-10)
        self.assertEqual(end["final"]["x'"], 0)

    def test_another_contact_lets_go(self):
        """The wall presses with 2 - t up to t = 2; the friction on the floor, a fourth of it times 10, lets a push of 3 move the block at t = 4/5."""
        text = ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = -2 + t\nforce y = -10\nforce z = 3\nunilateral wall: x >= 0\n"
                "unilateral floor: y >= 0 friction lambda(wall)/4 on z'\n")
        end = self.end(text, 3)
        spans = {(span["name"], span["mode"]): span for span in end["contacts"]}
        self.assertAlmostEqual(spans["floor", "slips"]["begin"], 0.8, delta=1e-9)
        self.assertAlmostEqual(spans["wall", "open"]["begin"], 2, delta=1e-9)
        # z'' = 3 - 10/4 (2 - t) from 4/5 to 2, then 3
        speed = 1.2 * 3 - 2.5 * (2 * 1.2 - (4 - 0.64) / 2) + 3
        self.assertAlmostEqual(end["final"]["z'"], speed, delta=1e-9)

    def test_the_force_of_a_constraint(self):
        text = ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = -3\nforce y = -10\nconstraint pin: x = 0\n"
                "unilateral floor: y >= 0 friction lambda(pin)/10 on z'\nstart z' = 6\n")
        end = self.end(text, 3)  # 3/10 * 10 = 3 stops it after two seconds
        self.assertAlmostEqual(end["final"]["z"], 6, delta=1e-9)
        self.assertEqual(end["final"]["z'"], 0)

    def test_a_pressure_that_pulls_is_none_of_several(self):
        """Friction presses what it slows: N + N^2/50 = 10 has N = sqrt(1125) - 25, and one that is negative."""
        braking = 35 - math.sqrt(1125)
        end = self.end(PLANE + "force y = -10\nunilateral floor: y >= 0 friction lambda(floor)/50 on x' - y'\nstart x' = 4\n", 5)
        self.assertEqual([span["mode"] for span in end["contacts"]], ["slips", "sticks"])
        self.assertAlmostEqual(end["contacts"][1]["begin"], 4 / braking, delta=1e-9)
        self.assertAlmostEqual(end["final"]["x"], 8 / braking, delta=1e-9)

    def test_shared_forces_under_such_a_law_end_a_run(self):
        code, out, err = self.run_model("coord x, y, th\nkinetic (x'^2 + y'^2 + th'^2/10)/2\nforce y = -10\nunilateral l: y - th/2 >= 0 friction lambda(l)/40 on x'\n"
                                        "unilateral r: y + th/2 >= 0 friction 1/2 on x'\n", "simulate", "--until", "1")
        self.assertEqual(code, 3, out)
        self.assertIn("forces that are not determined, under a law of friction in factors", out + err)

    def test_several_pressures_stop_a_run(self):
        code, out, err = self.run_model("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -10\n"
                                        "unilateral floor: y >= 0 power y' - lambda(floor)/50*abs(y' + x')\nstart x' = 1\n", "simulate", "--until", "0.1")
        self.assertEqual(code, 3, out)
        self.assertIn("motions are possible", out + err)

    def test_an_impact_under_such_a_law_is_refused(self):
        code, out, err = self.run_model(PLANE + "potential 10*y\nunilateral floor: y >= 0 friction lambda(floor)/40 on x'\nstart y = 1, x' = 1\n",
                                        "simulate", "--until", "1")
        self.assertEqual(code, 3, out)
        self.assertIn("the friction of `floor` depends on factors, and such a law says nothing of impulses", out + err)

    def test_what_is_not_followed_is_said(self):
        text = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce z = -10\nunilateral floor: z >= 0 friction lambda(floor)/40 on [x', y']\nstart x' = 1\n"
        code, out, err = self.run_model(text, "simulate", "--until", "1")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("the friction of `floor` along a surface in space depends on a factor, lambda(floor): that is not followed in time yet", err)


if __name__ == "__main__":
    unittest.main()
