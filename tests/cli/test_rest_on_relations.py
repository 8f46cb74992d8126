#!/usr/bin/env python3
"""Places of rest and steady motions where coordinates satisfy relations, and with rotations: against frequencies worked out by hand.

usage: test_rest_on_relations.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder

PENDULUM = ("param g = 9.81, l = 2, m = 3", "coord x, y", "kinetic m*(x'^2 + y'^2)/2", "potential m*g*y", "constraint rod: x^2 + y^2 = l^2")
DOUBLE = ("param g = 9.81, l = 1", "coord x1, y1, x2, y2", "kinetic (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2", "potential g*(y1 + y2)",
          "constraint a: x1^2 + y1^2 = l^2", "constraint b: (x2 - x1)^2 + (y2 - y1)^2 = l^2")
TOP = ("param A = 2, C = 1, m = 1, g = 10, l = 1, n = 10", "rotation R (p, q, r) in body", "kinetic (A*p^2 + A*q^2 + C*r^2)/2", "potential m*g*l*R33")


def frequencies(eigenvalues):
    return sorted(im for re, im in eigenvalues if im > 1e-9)


class OnRelations(InFolder):
    def near(self, found, wanted, places=9):
        self.assertEqual(len(found), len(wanted), found)
        for one, two in zip(found, wanted, strict=True):
            self.assertAlmostEqual(one, two, places)

    def places(self, *lines):
        code, out, err = self.run_model("\n".join(lines) + "\n", "analyze", "--json", "--only", "equilibria")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        return result["equilibria"], result["equilibria_searched"]

    def test_a_relation_that_fixes_a_coordinate(self):
        """Also where the search comes to its value at once, to the last digit."""
        for value in (0, 1, -2, 1.1):
            found, searched = self.places("coord x, y", "kinetic (x'^2 + y'^2)/2", "potential (y - x)^2/2", f"constraint c: x = {value}")
            self.assertTrue(searched["all"])
            self.near([place["position"]["y"] for place in found], [value])

    def test_a_factor_of_the_time(self):
        """(x - 1)*(2 + sin(t)) = 0 holds x at 1: it does not go on."""
        found, searched = self.places("coord x, y", "kinetic (x'^2 + y'^2)/2", "potential (y - x)^2/2", "constraint c: (x - 1)*(2 + sin(t)) = 0")
        self.assertTrue(searched["all"])
        self.near([place["position"]["y"] for place in found], [1])

    def test_what_turns_freely_has_no_stability(self):
        """Damping that depends on the heading: no stability is told, nor spoken of."""
        code, out, err = self.run_model("param A = 1, B = 2, C = 3, c = 0.3\nrotation R (p, q, r) in body\nkinetic A/2*p^2 + B/2*q^2 + C/2*r^2\npotential 10*R33\n"
                                        "force p = -c*R11*p\nforce q = -c*R11*q\nforce r = -c*r\n", "analyze", "--only", "equilibria")
        self.assertEqual(code, 0, err)
        self.assertIn("what turns freely at rest", out)
        self.assertIn("Turning R about axis 3 of space changes nothing", " ".join(out.split()))
        self.assertNotIn("stability is that of", " ".join(out.split()))

    def steady(self, lines, *arguments):
        self.write("\n".join(lines) + "\n")
        code, out, err = self.run_in("stability", "m.lia", "--json", *arguments)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_a_pendulum(self):  # y = 0 is no exception: no coordinate of the circle is chosen
        found, searched = self.places(*PENDULUM)
        self.assertTrue(searched["all"], searched)
        self.assertEqual([entry["exact"] for entry in found], [{"x": "0", "y": "-2"}, {"x": "0", "y": "2"}])
        self.assertEqual([entry["stability"] for entry in found], ["stable", "unstable"])
        self.near(frequencies(found[0]["eigenvalues"]), [math.sqrt(9.81 / 2)], 12)

    def test_the_multiplier_has_its_part_in_the_second_variation(self):  # V is linear: all curvature is that of the surface
        found, searched = self.places("param g = 10", "coord x, y, z", "kinetic (x'^2 + y'^2 + z'^2)/2", "potential g*z",
                                      "constraint surface: x^2 + 2*y^2 + 3*z^2 + x*y = 4")
        self.assertTrue(searched["all"])
        self.assertEqual([entry["stability"] for entry in found], ["stable", "unstable"])
        factor = 10 / (6 * 2 / math.sqrt(3))  # g/(6 |z|) times the eigenvalues of [[2, 1], [1, 4]]
        self.near(frequencies(found[0]["eigenvalues"]), [math.sqrt(factor * (3 - math.sqrt(2))), math.sqrt(factor * (3 + math.sqrt(2)))])

    def test_two_rods(self):
        found, searched = self.places(*DOUBLE)
        self.assertTrue(searched["all"], searched)
        self.assertEqual([(entry["position"]["y1"], entry["position"]["y2"]) for entry in found], [(-1, -2), (-1, 0), (1, 0), (1, 2)])
        self.assertEqual([entry["stability"] for entry in found], ["stable"] + ["unstable"] * 3)
        self.near(frequencies(found[0]["eigenvalues"]), [math.sqrt(9.81 * (2 - math.sqrt(2))), math.sqrt(9.81 * (2 + math.sqrt(2)))])

    def test_friction_makes_it_asymptotic(self):
        found, _ = self.places(*PENDULUM, "force x = -x'", "force y = -y'")
        self.assertEqual([entry["stability"] for entry in found], ["asymptotically stable", "unstable"])

    def test_where_the_relations_lose_rank(self):  # a figure of eight crosses itself at 0
        found, searched = self.places("coord x, y", "kinetic (x'^2 + y'^2)/2", "potential y", "constraint eight: x^4 - x^2 + y^2 = 0",
                                      "start x = 1")
        self.assertFalse(searched["all"])
        self.assertIn("lose rank", searched["reason"])
        self.assertEqual([round(entry["position"]["y"], 12) for entry in found], [-0.5, 0.5, -0.5, 0.5])
        self.assertEqual(sorted(entry["stability"] for entry in found), ["stable"] * 2 + ["unstable"] * 2)

    def test_a_body_under_gravity(self):  # modulo turns about the vertical: with the centre below, and above
        found, searched = self.places("param A = 2, B = 3, C = 1, g = 10", "rotation R (p, q, r) in body", "kinetic (A*p^2 + B*q^2 + C*r^2)/2",
                                      "potential g*R33")
        self.assertTrue(searched["all"], searched)
        self.assertEqual(searched["turned"], ["R about axis 3 of space"])
        self.assertEqual(sorted(entry["stability"] for entry in found), ["stable", "unstable"])
        below = next(entry for entry in found if entry["stability"] == "stable")
        self.near(frequencies(below["eigenvalues"]), [math.sqrt(10 / 3), math.sqrt(10 / 2)])

    def test_on_the_axes_of_space(self):  # the same body, a ball, by rates in space
        found, searched = self.places("rotation R (p, q, r) in space", "kinetic (p^2 + q^2 + r^2)/2", "potential 10*R33")
        self.assertTrue(searched["all"], searched)
        kinds = {round(entry["position"]["R_e0"]): entry["stability"] for entry in found}
        self.assertEqual((len(found), kinds[0]), (2, "stable"))
        self.assertIn(kinds[1], ("unstable", "undecided"))  # two roots on the right fall together

    def test_a_motor_that_is_a_relation(self):  # a bead on a hoop that turns: w^2 - g/R on top of the axis, not -g/R
        found, _ = self.places("param m = 1, R = 1, g = 10, w = 5, J = 1", "coord rho, z, phi",
                               "kinetic m/2*(rho'^2 + z'^2 + rho^2*phi'^2) + J/2*phi'^2", "potential m*g*z",
                               "constraint ring: rho^2 + z^2 = R^2", "constraint motor: phi' = w")
        below = next(one for one in found if round(one["position"]["z"], 3) == -1)
        self.assertEqual(below["stability"], "unstable")
        self.assertAlmostEqual(max(re for re, _ in below["eigenvalues"]), math.sqrt(15), places=9)
        beside = next(one for one in found if round(one["position"]["z"], 3) == -0.4 and one["position"]["rho"] > 0)
        self.near(frequencies(beside["eigenvalues"]), [math.sqrt(25 * (1 - 0.16))])

    def test_a_turn_that_changes_the_motion(self):  # the damping depends on the heading, and pushes where R11 < 0
        found, searched = self.places("param c = 0.3", "rotation R (p, q, r) in body", "kinetic p^2/2 + q^2 + 3*r^2/2", "potential 10*R33",
                                      "force p = -c*R11*p", "force q = -c*R11*q", "force r = -c*r")
        self.assertTrue(searched["all"], searched)
        self.assertEqual([one["stability"] for one in found], ["undecided"] * 2)

    def test_two_bodies(self):  # zeros that fall together hide no root on the right
        found, searched = self.places("rotation R (p, q, r) in body", "rotation S (u, v, w) in body",
                                      "kinetic (2*p^2 + 3*q^2 + r^2 + 2*u^2 + 3*v^2 + w^2)/2", "potential R33 + 2*S33 + S31")
        self.assertTrue(searched["all"], searched)
        self.assertEqual(sorted(entry["stability"] for entry in found), ["stable"] + ["unstable"] * 3)

    def test_a_satellite(self):  # principal axes along three directions: 24 attitudes, e and -e are one
        found, searched = self.places("param A = 2, B = 3, C = 4", "rotation R (p, q, r) in body", "kinetic (A*p^2 + B*q^2 + C*r^2)/2",
                                      "potential A*R31^2 + B*R32^2 + C*R33^2 - A*R11^2 - B*R12^2 - C*R13^2")
        self.assertTrue(searched["all"], searched)
        self.assertEqual(len(found), 24)
        self.assertEqual(sum(entry["stability"] == "stable" for entry in found), 4)  # A along 3 and C along 1, and turns by pi

    def test_a_formula_on_the_circle(self):
        result = self.steady((*PENDULUM, "start x = 0, y = -l"))
        self.assertEqual(result["polynomial"], ["g/l", "0", "1"])
        self.assertEqual(result["variables"], ["x", "x'"])
        self.assertEqual((result["stability"], result["energy_minimum"]), ("neutral", True))
        # the same with other means: a coordinate of its own; with a force that takes energy, and one that turns, there is none
        free = ("coord a", "kinetic a'^2/2", "potential -cos(a)")
        self.assertTrue(self.steady(free)["energy_minimum"])
        plane = ("coord x, y", "kinetic (x'^2 + y'^2)/2", "potential x^2 + y^2")
        self.assertTrue(self.steady((*plane, "force x = y'", "force y = -x'"))["energy_minimum"])
        self.assertFalse(self.steady((*plane, "force x = y^3", "force y = -x^3"))["energy_minimum"])

    def test_outputs_and_inputs(self):  # the tension of the lower rod, and the fall of its end, do not change in the first order
        result = self.steady((*DOUBLE, "param u = 0", "force x2 = u", "output tension = lambda(b)", "output side = x2 - x1", "output out = x2''"),
                             "--at", "x1 = 0, y1 = -l, x2 = 0, y2 = -2*l", "--input", "u")
        self.assertEqual(result["outputs"], ["tension", "side", "out"])
        self.near(frequencies(result["eigenvalues"]), [math.sqrt(9.81 * (2 - math.sqrt(2))), math.sqrt(9.81 * (2 + math.sqrt(2)))])
        rows = [dict(zip(result["variables"], row, strict=True)) for row in result["C"]["value"]]
        self.assertEqual(rows[0], dict.fromkeys(result["variables"], 0))
        self.assertEqual((rows[1]["x1"], rows[1]["x2"]), (-1, 1))
        self.near([rows[2]["x1"], rows[2]["x2"]], [9.81, -9.81])  # x2'' = -g (x2 - x1)
        self.assertEqual([row[0] for row in result["D"]["value"]], [0, 0, 1])

    def test_a_conical_pendulum(self):  # s^2 + w^2 (1 + 3 cos^2), and the two zeros of the turn
        lines = ("param g = 10, l = 5, m = 2", "coord x, y, z", "kinetic m*(x'^2 + y'^2 + z'^2)/2", "potential m*g*z",
                 "constraint rod: x^2 + y^2 + z^2 = l^2", "output height = z", "output place = x")
        result = self.steady(lines, "--at", "x = 3, y = 0, z = -4, y' = 3*sqrt(g/4)")
        self.near(frequencies(result["eigenvalues"]), [math.sqrt(2.5 * (1 + 3 * 16 / 25))])
        self.assertEqual(result["axis"], 4)
        self.assertEqual((result["outputs"], result["outputs_left_out"]), (["height"], ["place"]))

    def test_a_sleeping_top(self):  # stable where C^2 n^2 > 4 A m g l, here n = 4 sqrt(5)
        for spin, kind in (("9", "neutral"), ("8", "unstable")):
            result = self.steady(TOP, "--at", "r = n", "--set", f"n = {spin}")
            self.assertEqual(result["stability"], kind, spin)

    def test_what_is_refused(self):
        for at, words in (("x = 1, y = 1", "`rod` is not kept there"), ("x = l, y = 0", "not steady")):
            self.write("\n".join(PENDULUM) + "\n")
            code, _, err = self.run_in("stability", "m.lia", "--at", at)
            self.assertEqual(code, 2, at)
            self.assertIn(words, err)
        self.write("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential y\nconstraint eight: x^4 - x^2 + y^2 = 0\nstart x = 0, y = 0\n")
        self.assertIn("lose rank", self.run_in("stability", "m.lia")[2])


if __name__ == "__main__":
    unittest.main()
