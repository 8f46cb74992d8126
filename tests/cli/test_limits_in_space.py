#!/usr/bin/env python3
"""Slips along surfaces in space that begin from the limit of sticking: the next derivatives of the pull decide.

usage: test_limits_in_space.py PROGRAM
"""

import json
import unittest

from program import InFolder

POINT = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
FLOOR = "force z = -10\nunilateral floor: z >= 0 friction 1/2 on [x', y']\n"
# v' = pull - 5 v/|v| from v = 0, by 70 terms of its power series to 60 digits.
GROWING = {0.1: (0.0023693344264263186954, 0.0032374762003176237315), 0.2: (0.0093587591828752389513, 0.013092817882921261183)}
ACROSS = {0.1: (0.00056291101099420350298, 0.00061278026849005265653), 0.2: (0.0049333731388689679581, 0.0044249823806522427808)}


class AtAState(InFolder):
    def motions(self, text):
        code, out, err = self.run_model(text, "motions", "--json")
        self.assertEqual(code, 0, out + err)
        return json.loads(out)

    def expect(self, text, modes, how=None, verdict="unique"):
        found = self.motions(text)
        self.assertEqual((found["verdict"], found.get("undecided")), (verdict, None), found)
        self.assertEqual([" ".join(motion["modes"].values()) for motion in found["motions"]], modes, found)
        if how:
            self.assertEqual(found["motions"][-1]["settled"], how)

    def test_a_pull_that_grows_along_itself_across_itself_or_not_at_all(self):
        """[3, 4 + t]: 4/5 of its growth lies along it. [3 + 4 t, 4 - 3 t] grows across itself: its length only with t^2."""
        self.expect(POINT + "force x = 3\nforce y = 4 + t\n" + FLOOR, ["slips"], {"floor": "the derivative of order 2 of its slip is [12/25, 16/25]"})
        self.expect(POINT + "force x = 3\nforce y = 4 - t\n" + FLOOR, ["sticks"])
        self.expect(POINT + "force x = 3 + 4*t\nforce y = 4 - 3*t\n" + FLOOR, ["slips"], {"floor": "the derivative of order 3 of its slip is [3, 4]"})
        self.expect(POINT + "force x = 3 - 4*t - t^2\nforce y = 4 + 3*t - 3*t^2\n" + FLOOR, ["sticks"])  # 25 - 5 t^2
        self.expect(POINT + "force x = 5*cos(t)\nforce y = 5*sin(t)\n" + FLOOR, ["sticks"], {"floor": "its friction stays at the limit"})
        self.expect(POINT + "force x = 5*cos(t)\nforce y = 5*sin(t) + t^4\n" + FLOOR, ["slips"])

    def test_a_pressure_that_falls_and_a_coefficient_that_does(self):
        pull = POINT + "force x = 3\nforce y = 4\n"
        self.expect(pull + "force z = -10 + t\nunilateral floor: z >= 0 friction 1/2 on [x', y']\n", ["slips"],
                    {"floor": "the derivative of order 2 of its slip is [3/10, 2/5]"})
        self.expect(pull + "force z = -10 - t\nunilateral floor: z >= 0 friction 1/2 on [x', y']\n", ["sticks"])
        self.expect(pull + "force z = -10\nunilateral floor: z >= 0 friction 1/2 - t on [x', y']\n", ["slips"],
                    {"floor": "the derivative of order 2 of its slip is [6, 8]"})

    def test_masses_that_differ_by_direction_turn_the_slip(self):
        """V'' = [4 u, (1 - 3 u)/4] is along [3, 4] where 73 u = 3."""
        self.expect("coord x, y, z\nkinetic (x'^2 + 4*y'^2 + z'^2)/2\nforce x = 3\nforce y = 4 + t\n" + FLOOR, ["slips"],
                    {"floor": "the derivative of order 2 of its slip is [12/73, 16/73]"})

    def test_what_sticks_better_than_it_slips(self):
        """At the limit of slipping both go on, as in the plane; at that of sticking it slips at once, or sticks on where the pull falls."""
        sticky = "force z = -10\nunilateral floor: z >= 0 friction 1/2 sticking 1 on [x', y']\n"
        self.expect(POINT + "force x = 3\nforce y = 4 + t\n" + sticky, ["sticks", "slips"], verdict="several")
        self.expect(POINT + "force x = 3\nforce y = 4 - t\n" + sticky, ["sticks"])
        self.expect(POINT + "force x = 6\nforce y = 8 + t\n" + sticky, ["slips"])
        self.expect(POINT + "force x = 6\nforce y = 8 - t\n" + sticky, ["sticks", "slips"], verdict="several")

    def test_two_contacts_of_which_each_is_at_its_limit(self):
        two = ("coord x, y, z, u, v, w\nkinetic (x'^2 + y'^2 + z'^2 + u'^2 + v'^2 + w'^2)/2\nforce x = 3\nforce y = 4 + t\nforce u = -4\nforce v = 3 + {}\n"
               "force z = -10\nforce w = -10\nunilateral a: z >= 0 friction 1/2 on [x', y']\nunilateral b: w >= 0 friction 1/2 on [u', v']\n")
        self.expect(two.format("t"), ["slips slips"], {"a": "the derivative of order 2 of its slip is [12/25, 16/25]", "b": "the derivative of order 2 of its slip is [-12/25, 9/25]"})
        self.expect(two.format("-t"), ["slips sticks"], {"a": "the derivative of order 2 of its slip is [12/25, 16/25]"})

    def test_what_is_not_asked_is_said(self):
        found = self.motions(POINT + "force x = 3\nforce y = 4 + t\n" + FLOOR + "unilateral wall: x >= -y\n")
        self.assertIn("beside other conditions at theirs", found["undecided"])
        found = self.motions(POINT + "force x = 3\nforce y = 4 + abs(t)\n" + FLOOR)
        self.assertIn("a function with a kink", found["undecided"])


class InTime(InFolder):
    def end(self, text, until, *options):
        code, out, err = self.run_model(text, "simulate", "--until", str(until), "--tol", "1e-12", "--json", *options)
        self.assertEqual(code, 0, out + err)
        return json.loads(out)

    def expect(self, text, until, velocity, delta=1e-10):
        end = self.end(text, until)
        self.assertAlmostEqual(end["final"]["x'"], velocity[0], delta=delta, msg=text)
        self.assertAlmostEqual(end["final"]["y'"], velocity[1], delta=delta, msg=text)
        return end

    def test_slips_that_begin_at_the_start(self):
        for until, velocity in GROWING.items():
            self.expect(POINT + "force x = 3\nforce y = 4 + t\n" + FLOOR, until, velocity)
        for until, velocity in ACROSS.items():
            self.expect(POINT + "force x = 3 + 4*t\nforce y = 4 - 3*t\n" + FLOOR, until, velocity, 1e-9)

    def test_a_body_that_neither_rolls_nor_pivots(self):
        """A sphere that is pulled at its centre: what resists its rolling is not at its limit, and it slips as a point does."""
        sphere = ("coord x, y, z\nrotation (p, q, r) in space\nbody B mass 1 inertia [1/10, 1/10, 1/10] at [x, y, z] rotation (p, q, r)\ngravity [0, 0, -10]\n"
                  "force x = 3\nforce y = 4 + t\ncontact floor: B on ground at [x, y, z - 1/2] normal [0, 0, 1] unilateral friction 1/2 rolling 1/2 pivoting 1/100\nstart z = 1/2\n")
        code, out, err = self.run_model(sphere, "motions", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out)["motions"][0]["settled"], {"floor": "the derivative of order 2 of its slip is [12/25, 16/25]"})
        end = self.expect(sphere, 0.1, GROWING[0.1])
        self.assertEqual((end["final"]["p"], end["final"]["q"], end["final"]["r"]), (0, 0, 0))

    def test_two_contacts_at_once(self):
        end = self.end("coord x, y, z, u, v, w\nkinetic (x'^2 + y'^2 + z'^2 + u'^2 + v'^2 + w'^2)/2\nforce x = 3\nforce y = 4 + t\nforce u = 3 + 4*t\nforce v = 4 - 3*t\n"
                       "force z = -10\nforce w = -10\nunilateral a: z >= 0 friction 1/2 on [x', y']\nunilateral b: w >= 0 friction 1/2 on [u', v']\n", 0.2)["final"]
        for value, expected in zip((end["x'"], end["y'"], end["u'"], end["v'"]), GROWING[0.2] + ACROSS[0.2]):
            self.assertAlmostEqual(value, expected, delta=1e-9)

    def test_slips_that_begin_later(self):
        end = self.expect(POINT + "force x = 3\nforce y = t\n" + FLOOR, 4.2, GROWING[0.2])
        self.assertEqual([span["mode"] for span in end["contacts"]], ["sticks", "slips"])
        self.assertAlmostEqual(end["contacts"][1]["begin"], 4, delta=1e-9)

    def test_what_sticks_at_its_limit_sticks(self):
        for pull in ("force x = 3\nforce y = 4 - t\n", "force x = 3\nforce y = 4\n"):
            end = self.end(POINT + pull + FLOOR, 1)
            self.assertEqual([span["mode"] for span in end["contacts"]], ["sticks"], pull)
            self.assertEqual((end["final"]["x'"], end["final"]["y'"]), (0, 0), pull)

    def test_claims_hold_whose_slip_begins_at_its_limit(self):
        out = self.run_model(POINT + "force x = 3\nforce y = 4 + t\n" + FLOOR + f"claim x' == {GROWING[0.2][0]:.12f} after 1/5 within 1e-8\n"
                             "claim motions == unique at (z = 0)\n", "check")[1]
        self.assertIn("2 ", out)
        self.assertNotIn("unknown", out)
        self.assertNotIn("REFUTED", out)


class SlipsThatEnd(InFolder):
    """A rod with its tip on the floor, whose slip is small beside the velocities that it is the difference of.
    Judges: Newton's and Euler's equations with Coulomb's law by Runge-Kutta's method, in steps that halve without a change of these digits."""

    ROD = ("coord x, y, z\nrotation R (p, q, r) in body\nbody rod mass 1 inertia [1/3, 1/3, 1/100] at [x, y, z] rotation R\ngravity [0, 0, -10]\n"
           "contact tip: rod on ground at [x + R13, y + R23, z + R33] normal [0, 0, 1] unilateral friction 2/5\n"
           "start R_e0 = 0.7686164615197325, R_e1 = -0.19398092761893249, R_e2 = 0.04962361310098273, R_e3 = 0.6075669772327886, z = -0.9198177934858047, "
           "p = -1.45, q = 3.53, r = 3, x' = 0.4757117282141962, y' = -3.499430823681144, z' = 1.4462924682860387\n")
    END = 5.17276165e-5
    LATER = {"x": 0.001876034511, "y": -0.013935245462, "z": -0.913935168183, "p": -1.400794732724, "q": 3.537434724963,
             "x'": 0.462307237687, "y'": -3.468058481865, "z'": 1.494828652706}

    def test_a_slip_that_was_never_fast_ends(self):
        for options in ((), ("--tol", "1e-12"), ("--integrator", "bdf")):
            with self.subTest(options=options):
                code, out, err = self.run_model(self.ROD, "simulate", "--until", "0.004", "--json", "--max-steps", "3000", *options)
                self.assertEqual(code, 0, err)
                end = json.loads(out)
                self.assertEqual([span["mode"] for span in end["contacts"]], ["slips", "sticks"])
                self.assertAlmostEqual(end["contacts"][0]["end"], self.END, delta=2e-7)
                for name, value in self.LATER.items():
                    self.assertAlmostEqual(end["final"][name], value, delta=2e-6, msg=name)

    def test_a_pencil_that_falls_sticks_and_slips_from_its_limit(self):
        """A slip that begins is far slower than the velocities that it is the difference of: the method for stiff equations has to tell it."""
        pencil = ("coord x, y, z\nrotation R (p, q, r) in body\nbody rod mass 1 inertia [1/3, 1/3, 1/100] at [x, y, z] rotation R\ngravity [0, 0, -10]\n"
                  "contact tip: rod on ground at [x - R13, y - R23, z - R33] normal [0, 0, 1] unilateral friction 2/5\n"
                  "start R axis [1, 1, 0] angle 0.4, z = cos(0.4), x' = 1/5, y' = 1/10\n")
        code, out, err = self.run_model(pencil, "simulate", "--until", "0.5", "--json", "--max-steps", "2000")
        self.assertEqual(code, 0, err)
        end = json.loads(out)
        self.assertEqual([span["mode"] for span in end["contacts"]], ["slips", "sticks", "slips"])
        for span, time in zip(end["contacts"], (0.0304033341, 0.3018555442)):
            self.assertAlmostEqual(span["end"], time, delta=1e-7)


class WithoutOn(InFolder):
    """The velocity along a plane or another surface in space is that of the one particle. Judges as above."""

    PARTICLE = "coord x, y, z\nparticle P mass 1 at [x, y, z]\ngravity [0, 0, -10]\n"
    ENDS = [("z + x/2 >= 0", "y' = 1", 1, (1.412951172486, 0.515470451785, 2.651558758774, 0.304729177589)),
            ("2*z + x >= 0", "y' = 1", 1, (1.412951172486, 0.515470451785, 2.651558758774, 0.304729177589)),
            ("z + x/2 - y/3 >= 0", "y' = 3, z' = 1", 1, (1.424936800920, 1.152882275951, 2.577000677781, -0.322046129413)),
            ("z >= x^2 + y^2", "x = 1/2, z = 1/4, y' = 1", 0.5, (-0.030116694715, 0.142573773950, -1.436819401357, -0.623535748283))]

    def test_planes_and_a_bowl(self):
        for surface, start, until, expected in self.ENDS:
            with self.subTest(surface=surface):
                text = self.PARTICLE + f"unilateral ground: {surface} friction 1/5\nstart {start}\n"
                code, out, err = self.run_model(text, "simulate", "--until", str(until), "--json")
                self.assertEqual(code, 0, err)
                final = json.loads(out)["final"]
                for name, value in zip(("x", "y", "x'", "y'"), expected):
                    self.assertAlmostEqual(final[name], value, delta=1e-7, msg=name)

    def test_a_particle_rests_where_the_plane_is_less_steep_than_its_friction(self):
        """tan of the slope: sqrt(1/4 + 1/9) = 0.60093."""
        for friction, mode in (("3/5", "slips"), ("61/100", "sticks")):
            text = self.PARTICLE + f"unilateral ground: z + x/2 - y/3 >= 0 friction {friction}\n"
            code, out, err = self.run_model(text, "motions", "--json")
            self.assertEqual(code, 0, err)
            self.assertEqual([list(motion["modes"].values()) for motion in json.loads(out)["motions"]], [[mode]])

    def test_no_axes_turn_smoothly_round_a_ball(self):
        text = self.PARTICLE + "unilateral ball: x^2 + y^2 + z^2 >= 1 friction 1/5\nstart z = 1\n"
        code, _, err = self.run_model(text, "motions")
        self.assertEqual(code, 3)
        self.assertIn("that the model does not name", err)
        self.assertIn("`on [U, V]` in space", err)


if __name__ == "__main__":
    unittest.main()
