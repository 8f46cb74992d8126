#!/usr/bin/env python3
"""Classics whose integrals, growth and special parameters are in the books: `analyze` finds them by itself.

usage: test_integrable.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder, run


def analyze(model, *options):
    code, out, err = run("analyze", f"models/{model}.lia", "--json", *options)
    if code != 0:
        raise AssertionError(err)
    return json.loads(out)


class Integrable(InFolder):
    def test_a_fourth_degree_for_one_top(self):  # Kovalevskaya, 1889
        found = analyze("integrable/kovalevskaya_top", "--only", "integrals", "--degree", "4")["first_integrals"]
        self.assertEqual([entry["for_values"] for entry in found], [False, False, True])
        # On the top with A = B = 2 C it is her integral, up to energy and moment: both are kept, and there is no fourth one.
        self.write("param c > 0\nrotation R (p, q, r) in body\nkinetic p^2 + q^2 + r^2/2\npotential R31\n"
                   f"claim conserved({found[2]['expression']})\n"
                   "claim conserved((p^2 - q^2 - R31)^2 + (2*p*q - R32)^2)\n")
        code, out, _ = self.run_in("check", "m.lia")
        self.assertEqual((code, out.count("proved  ")), (0, 2), out)

    def test_which_top_it_is(self):  # A = B = k C
        self.write("param k > 0 = 3\nrotation R (p, q, r) in body\nkinetic (k*p^2 + k*q^2 + r^2)/2\npotential R31\n")
        out = self.run_in("analyze", "m.lia", "--json", "--only", "integrals", "--degree", "4", "--vary", "k",
                          "--budget", "2e8")[1]
        special = json.loads(out)["special_values"]
        self.assertEqual([entry["value"] for entry in special["values"]], ["1", "2"])
        self.assertEqual(special["values"][0]["first_integrals"][0]["expression"], "p")  # a sphere
        self.assertEqual((special["others"], special["searched"]["none_else"]), (0, "checked"))

    def test_the_free_top_keeps_its_moment(self):
        found = analyze("integrable/euler_top", "--only", "integrals")["first_integrals"]
        self.assertEqual(len(found), 4)
        self.assertIn("A*R31*p + B*R32*q + C*R33*r", [entry["expression"] for entry in found])
        self.assertTrue(all(entry["grade"] == "proved" for entry in found))

    def test_two_centres(self):
        found = analyze("integrable/two_fixed_centres", "--only", "integrals")["first_integrals"]
        self.assertEqual([entry["origin"] for entry in found], ["energy", "search"])
        self.assertTrue(all(entry["grade"] in ("proved", "checked") for entry in found))

    def test_no_measure_for_a_body_on_a_blade(self):  # Suslov's problem with products of inertia
        measure = analyze("integrable/suslov", "--only", "measure")["invariant_measure"]
        self.assertIsNone(measure["density"])

    def test_a_trailer_reaches_one_dimension_more_with_each_bracket(self):
        result = analyze("integrable/trailer", "--only", "constraints")
        self.assertEqual((result["growth_vector"], result["derived_flag"]), ([2, 3, 4], [2, 3, 4]))

    def test_the_snakeboard(self):
        result = analyze("integrable/snakeboard", "--only", "constraints,integrals", "--degree", "1")
        self.assertEqual(result["growth_vector"], [3, 4, 5])
        self.assertIn(("energy", "proved"), [(entry["origin"], entry["grade"]) for entry in result["first_integrals"]])

    def test_quadratures_of_a_planet(self):  # s2 of Kepler's problem: the integral of dr/p_r minus t
        told = analyze("integrable/kepler_in_polar_coordinates", "--only", "integrability", "--degree", "1")["integrability"]
        self.assertEqual((told["by"], told["grade"], told["involution"]), ("involution", "proved", [1, 2]))
        separation = told["separation"]
        self.assertEqual((separation["separable"], separation["family"]), (True, "Delassus"))
        self.assertEqual([entry["rate"] for entry in separation["quadratures"]], ["1", "0"])
        # Along a run the momentum is what was written, with the values of the integrals at the start.
        run_of = json.loads(run("simulate", "models/integrable/kepler_in_polar_coordinates.lia", "--until", "1", "--tol", "1e-12", "--json")[1])
        at = run_of["final"]
        energy, moment = 1.1**2 / 2 - 1, 1.1
        root = eval(separation["momenta"]["r"]["value"].replace("^", "**"),
                    {"sqrt": math.sqrt, "F1": energy, "F2": moment, "m": 1, "k": 1, "r": at["r"]})
        self.assertAlmostEqual(abs(at["r'"]), root, 9)

    def test_families(self):
        def family(model, *options):
            return analyze(model, "--only", "integrability", *options)["integrability"]

        self.assertEqual(family("integrable/liouville")["separation"]["family"], "Liouville")
        kovalevskaya = family("integrable/kovalevskaya_top", "--degree", "4")
        self.assertEqual((kovalevskaya["by"], kovalevskaya["for_values"], kovalevskaya["grade"]), ("involution", True, "proved"))
        henon = family("classics/henon_heiles")
        self.assertEqual((henon["by"], henon["for_values"]), ("involution", True))
        self.assertIsNone(family("classics/henon_heiles", "--degree", "1")["by"])

    def test_the_parameter_is_one_of_the_model(self):
        code, out, err = run("analyze", "models/classics/henon_heiles.lia", "--vary", "f")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("there is no parameter `f`", err)
        self.assertIn("there are e", err)

    def test_two_parameters_are_a_ratio(self):
        code, out, err = run("analyze", "models/integrable/kovalevskaya_top.lia", "--vary", "A,B")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("one parameter is varied at a time", err)
        self.assertIn("ratio", err)

    def test_values_are_asked_with_the_integrals(self):
        code, out, err = run("analyze", "models/classics/henon_heiles.lia", "--only", "symmetries", "--vary", "e")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("with the integrals", err)
        # Without a motion in closed form nothing is searched, and the page says so of the parameter too.
        out = run("analyze", "models/classics/appell_hamel.lia", "--json", "--only", "integrals", "--vary", "m")[1]
        self.assertTrue(json.loads(out)["special_values"]["searched"]["reason"])


if __name__ == "__main__":
    unittest.main()
