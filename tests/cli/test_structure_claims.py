#!/usr/bin/env python3
"""Claims about all motions together: growth vectors, flags, invariant measures.

Growth vectors of the snakeboard (3, 4, 5) and of cars with one and two trailers were computed by SymPy from the null spaces of their
relations; densities are those of the books.

usage: test_structure_claims.py PROGRAM
"""

import json
import unittest

from program import InFolder, run

SLEIGH = """param m > 0, J > 0, a
coord x, y, phi
velocity u, n, w: x' = u*cos(phi) - n*sin(phi), y' = u*sin(phi) + n*cos(phi), phi' = w
body S mass m inertia J at [x + a*cos(phi), y + a*sin(phi)] angle phi
constraint blade: n = 0
"""


class StructureClaims(InFolder):
    def grades(self, text):
        code, out, err = self.run_model(text, "check", "--json")
        self.assertIn(code, (0, 1), err)
        return {claim["name"]: claim["status"] for claim in json.loads(out)["claims"]}

    def test_growth_and_flag(self):
        grades = self.grades(SLEIGH + """claim right: growth == (2, 3)
claim flag: flag == (2, 3)
claim short: growth == (2)
claim long: growth == (2, 3, 4)
misprint wrong: flag == (3)
misprint true_one: growth == (2, 3)
claim there: growth == (2, 3) at (x = 1)
claim no_plane: growth == (2) == false
claim not_so: flag == (2, 3) == false
""")
        self.assertEqual(grades, {"right": "proved", "flag": "proved", "short": "refuted", "long": "refuted", "wrong": "refuted",
                                  "true_one": "proved", "there": "unknown",
                                  "no_plane": "proved", "not_so": "refuted"})

    def test_relations_that_lose_rank_at_single_places_and_no_relations(self):
        # At y = 0 the relation says nothing: at a general place it does.
        self.assertEqual(self.grades("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: z'*cos(x) - y*x' = 0\nclaim g: growth == (2, 3)\n"),
                         {"g": "proved"})
        self.assertEqual(self.grades("coord x, y\nkinetic (x'^2 + y'^2)/2\nclaim g: growth == (2)\n"), {"g": "proved"})
        # An integrable relation: one of the places is reached, no more.
        self.assertEqual(self.grades("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x*y' - y*x' = 0\nclaim g: growth == (1)\nclaim f: flag == (1)\n"),
                         {"g": "proved", "f": "proved"})
        # The time counts where the relation has it.
        self.assertEqual(self.grades("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y' - t*x' = 0\nclaim g: growth == (2, 3)\n"), {"g": "proved"})
        # Coordinates that are not independent have no brackets.
        self.assertEqual(self.grades("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = 1\nclaim g: growth == (1)\n"), {"g": "unknown"})

    def test_without_closed_forms_of_the_motion(self):
        # Friction that depends on its own reaction: no field, and the same directions.
        text = "param f > 0 = 0.1\ncoord x, y, p\nkinetic (x'^2 + y'^2 + p'^2)/2\nconstraint c: x'*sin(p) - y'*cos(p) = 0\n"
        self.assertEqual(self.grades(text + "function g(v)\nforce p = -g(p')\nclaim r: growth == (2, 3)\n"), {"r": "proved"})

    def test_measures_of_a_sleigh(self):
        grades = self.grades(SLEIGH + """claim none: measure == false
claim some: measure
misprint misprinted: measure
claim volume: measure(1)
claim not_the_volume: measure(1) == false
claim behind: measure(1/w)
claim zero: measure(0)
""")
        # 1/w is kept where the sleigh turns.
        self.assertEqual(grades, {"none": "proved", "some": "refuted", "misprinted": "refuted", "volume": "refuted", "not_the_volume": "proved",
                                  "behind": "proved", "zero": "refuted"})
        # With its centre of mass on the blade it keeps the volume.
        self.assertEqual(self.grades(SLEIGH.replace(", a\n", "\n").replace("a*cos", "0*cos").replace("a*sin", "0*sin")
                                     + "claim some: measure\nclaim volume: measure(1)\nclaim none: measure == false\n"),
                         {"some": "proved", "volume": "proved", "none": "refuted"})

    def test_densities(self):
        # div X = -2 x x'/(1 + x^2) - y'/(1 + y^2): by the product of powers 1 and 1/2.
        text = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = -2*x*x'*y'/(1 + x^2) - y*y'^2/(1 + y^2)/2\n"
        grades = self.grades(text + "claim right: measure((1 + x^2)*sqrt(1 + y^2))\nclaim wrong: measure((1 + x^2)*(1 + y^2))\nclaim some: measure\n")
        self.assertEqual(grades, {"right": "proved", "wrong": "refuted", "some": "proved"})
        # Friction shrinks every volume; as a density of the time alone exp(2*k*t) would do.
        drag = "param k > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -k*x'\nforce y = -k*y'\n"
        self.assertEqual(self.grades(drag + "claim none: measure == false\nclaim grows: measure(exp(2*k*t))\nclaim other: measure(exp(k*t))\n"),
                         {"none": "proved", "grows": "proved", "other": "refuted"})
        # A form that is not closed has no density: -(y dx) is the rate of its logarithm.
        turned = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = -y*x'^2/2\n"
        self.assertEqual(self.grades(turned + "claim none: measure == false\nclaim some: measure\n"), {"none": "proved", "some": "refuted"})
        # On a surface: Liouville's density, against the volume divided by the differentials of the relation.
        ball = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential z*x\nconstraint c: x^2 + 2*y^2 + 3*z^2 = 1\n"
        self.assertEqual(self.grades(ball + "claim some: measure\nclaim it: measure(x^2 + 4*y^2 + 9*z^2)\nclaim other: measure(x^2 + y^2)\n"),
                         {"some": "proved", "it": "proved", "other": "refuted"})

    def test_measures_of_the_books(self):
        # A ball that neither slides nor twists (Ehlers, Koiller, Montgomery, Rios 2005) has one of positions; Suslov's body where the blade is a
        # principal axis keeps the volume.
        ball = """param m > 0, a > 0, A > 0, B > 0, C > 0
coord x, y
rotation S (p, q, r) in body
kinetic m*(x'^2 + y'^2)/2 + (A*p^2 + B*q^2 + C*r^2)/2
constraint roll_x: x' - a*(S21*p + S22*q + S23*r) = 0
constraint roll_y: y' + a*(S11*p + S12*q + S13*r) = 0
constraint twist: S31*p + S32*q + S33*r = 0
claim some: measure
claim reaches: growth == (2, 3, 5)
"""
        self.assertEqual(self.grades(ball), {"some": "proved", "reaches": "proved"})
        body = "param A > 0, B > 0, C > 0, D\nrotation R (p, q, r) in body\nkinetic (A*p^2 + B*q^2 + C*r^2)/2 + {}*p*r\nconstraint blade: r = 0\n"
        self.assertEqual(self.grades(body.format("0") + "claim volume: measure(1)\n"), {"volume": "proved"})
        self.assertEqual(self.grades(body.format("D") + "claim some: measure\n"), {"some": "refuted"})
        # By hand: u' = a w^2/2 and w' = -a u w/(1 + a^2), with s' = u; the volume shrinks as the way grows.
        counted = """param a > 0
coord x, y, phi, s
velocity u, n, w, v: x' = u*cos(phi) - n*sin(phi), y' = u*sin(phi) + n*cos(phi), phi' = w, s' = v
kinetic (x'^2 + y'^2 + phi'^2 + s'^2)/2
constraint c: n = a*w
constraint d: v = u
claim way: measure(exp(a*s/(1 + a^2)))
claim other: measure(exp(a*s))
claim some: measure
"""
        self.assertEqual(self.grades(counted), {"way": "proved", "other": "refuted", "some": "proved"})

    def test_names_that_are_the_models_own(self):
        text = "param growth = 2, measure > 0 = 3, flag = 1\ncoord x\nkinetic measure*x'^2/2\n"
        grades = self.grades(text + "claim a: growth == growth\nclaim b: measure == 3*measure/3\nclaim c: flag == (flag)\nclaim d: x''*measure == 0\nclaim e: measure == true\n")
        self.assertEqual(grades, {"a": "proved", "b": "proved", "c": "proved", "d": "proved", "e": "proved"})

    def test_the_page_says_why_there_is_none(self):
        self.write(SLEIGH)
        page = " ".join(run("analyze", "m.lia", "--only", "measure", cwd=self.folder)[1].split())
        self.assertIn("two rates (proved). Nor is one that depends on velocities too and is positive at rest.", page)
        # With a spring the accelerations are no longer quadratic in the velocities: nothing is said of other densities.
        self.write(SLEIGH + "potential x^2/2\n")
        page = " ".join(run("analyze", "m.lia", "--only", "measure", cwd=self.folder)[1].split())
        self.assertIn("two rates (proved).", page)
        self.assertNotIn("positive at rest", page)


if __name__ == "__main__":
    unittest.main()
