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

    def test_no_other_integral_is_proved(self):
        def searched(model, *options):
            result = analyze(model, "--only", "integrals", *options)
            return {result[key]["none_else"] for key in ("integrals_searched", "integrals_searched_for_values")}

        self.assertEqual(searched("integrable/kovalevskaya_top", "--degree", "4"), {"proved"})
        self.assertEqual(searched("integrable/goryachev_chaplygin_top", "--degree", "3"), {"proved"})
        self.assertEqual(searched("classics/kepler"), {"proved"})  # with roots
        self.assertEqual(searched("classics/rolling_disc"), {"proved"})  # theta' is a function of the energy and phi'
        self.assertEqual(analyze("integrable/suslov", "--only", "measure")["invariant_measure"]["none_of_this_form"], "proved")

    def test_which_top_it_is(self):  # A = B = k C
        self.write("param k > 0 = 3\nrotation R (p, q, r) in body\nkinetic (k*p^2 + k*q^2 + r^2)/2\npotential R31\n")
        out = self.run_in("analyze", "m.lia", "--json", "--only", "integrals", "--degree", "4", "--vary", "k",
                          "--budget", "2e8")[1]
        special = json.loads(out)["special_values"]
        self.assertEqual([entry["value"] for entry in special["values"]], ["1", "2"])
        self.assertEqual(special["values"][0]["first_integrals"][0]["expression"], "p")  # a sphere
        self.assertEqual((special["others"], special["searched"]["none_else"]), (0, "proved"))

    def test_the_free_top_keeps_its_moment(self):
        found = analyze("integrable/euler_top", "--only", "integrals")["first_integrals"]
        self.assertEqual(len(found), 4)
        self.assertIn("A*R31*p + B*R32*q + C*R33*r", [entry["expression"] for entry in found])
        self.assertTrue(all(entry["grade"] == "proved" for entry in found))

    def test_two_centres(self):
        found = analyze("integrable/two_fixed_centres", "--only", "integrals")["first_integrals"]
        self.assertEqual([entry["origin"] for entry in found], ["energy", "search"])
        # Also the second one, of the values of a, k1 and k2: it divides only by what the potential divides by.
        self.assertEqual([(entry["for_values"], entry["grade"], entry["conditions"]) for entry in found], [(False, "proved", []), (True, "proved", [])])

    def test_an_angle_hidden_in_a_sum(self):  # cos(a + 2 b) is one function of the search, and a product of three of cos(a), sin(b), ...
        model = "coord a, b\nkinetic 3*a'^2/2 + a'*b'*cos(a + 2*b)/2 + b'^2\npotential -sin(2*a + 4*b)/2 + 3*cos(a + 2*b)/2\n"
        code, out, err = self.run_model(model, "analyze", "--json", "--only", "integrals")
        self.assertEqual(code, 0, err)
        found = json.loads(out)
        self.assertEqual([entry["grade"] for entry in found["first_integrals"]], ["proved", "proved"])
        self.assertIn(found["integrals_searched"]["none_else"], ("proved", "checked"))
        self.assertNotIn("interrupted", found)

    def test_the_energy_is_written_short(self):  # not as the sum of v p, less T
        model = "coord x, y\nkinetic (x'^2 + 3*y'^2 + x'*y'*exp(x - y))/2\npotential exp(2*x - 2*y)\n"
        found = json.loads(self.run_model(model, "analyze", "--json", "--only", "integrals", "--degree", "1")[1])["first_integrals"]
        self.assertEqual((found[0]["origin"], found[0]["expression"]), ("energy", "x'*y'*exp(x - y)/2 + x'^2/2 + 3*y'^2/2 + exp(2*x - 2*y)"))

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

    def test_an_obstruction_speaks_of_the_potential_alone(self):  # Morales, Ramis: T + V and no other force
        plain = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2*y + y^3\n"
        told = json.loads(self.run_model(plain, "analyze", "--json", "--only", "integrability")[1])["integrability"]
        self.assertTrue(told["obstruction"])
        for force in ("force x = x^5\nforce y = y^7\n", "force x = -x'\n", "force x = y'\nforce y = -x'\n"):
            told = json.loads(self.run_model(plain + force, "analyze", "--json", "--only", "integrability")[1])["integrability"]
            self.assertFalse(told.get("obstruction"), force)

    def test_a_cubic_integral_on_one_level(self):  # Goryachev and Chaplygin, 1900
        moment = "4*p*R31 + 4*q*R32 + r*R33 = 0"
        model = "integrable/goryachev_chaplygin_top"
        on_level = analyze(model, "--only", "integrals", "--degree", "3", "--level", moment)
        self.assertEqual((len(on_level["first_integrals"]), on_level["level"]), (2, moment))
        self.assertEqual([entry["origin"] for entry in on_level["first_integrals"]], ["energy", "search"])
        self.assertEqual(on_level["first_integrals"][1]["grade"], "proved")
        # What was found is theirs, on the level: r = -4 (p R31 + q R32)/R33.
        code, out, _ = self.run_model("param C > 0 = 1, c > 0 = 1\nrotation R (p, q, r) in body\nkinetic C*(4*p^2 + 4*q^2 + r^2)/2\n"
                                      "potential C*c*R31\nconstraint level: 4*p*R31 + 4*q*R32 + r*R33 = 0\n"
                                      f"claim {on_level['first_integrals'][1]['expression']} == c*p*R33 - r*(p^2 + q^2)\n"
                                      "claim lambda(level) == 0\n", "check")
        self.assertEqual((code, out.count("proved  ")), (0, 2), out)
        # Without the level there is none of the third degree; a value that is not kept is no level.
        self.assertEqual(len(analyze(model, "--only", "integrals", "--degree", "3")["first_integrals"]), 2)
        code, out, err = run("analyze", f"models/{model}.lia", "--level", "r = 0")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("it was not proved that every motion keeps", err)

    def test_separation_for_values(self):
        text = "param b = 3\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^4 + y^4 + (b - 3)*x^3*y\n"
        page = " ".join(self.run_model(text, "analyze", "--only", "integrability")[1].split())
        self.assertNotIn("separates in these coordinates (Levi-Civita; proved)", page)
        text = "param e = 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + 2*y^2 + e*x*y\n"
        page = " ".join(self.run_model(text, "analyze", "--only", "integrability")[1].split())
        self.assertIn("separates in these coordinates (Levi-Civita; proved, for the parameters as given)", page)

        text = "param b = 180 [deg]\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^4 + y^4 + (b - pi)*x^3*y\n"
        page = " ".join(self.run_model(text, "analyze", "--only", "integrability")[1].split())
        self.assertIn("separates in these coordinates (Levi-Civita; proved, for the parameters as given)", page)

    def test_a_level_has_a_constant_value(self):
        for level in ("x' = y", "x' = t", "x' = y'"):
            code, _, err = self.run_model("coord x, y\nkinetic (x'^2 + y'^2)/2\n", "analyze", "--level", level)
            self.assertEqual(code, 2, level)
            self.assertIn("the value of a level is a constant", err)

    def test_algebras_have_names(self):
        def algebra(text):
            return json.loads(self.run_model(text, "analyze", "--json", "--only", "symmetries")[1]).get("algebra")

        space = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
        self.assertEqual(algebra(space + "potential (x^2 + y^2 + z^2)^2\n"), "so(3) + R")
        self.assertEqual(algebra(space), "e(3) + R")
        self.assertEqual(algebra("coord x, y\nkinetic (x'^2 + y'^2)/2\n"), "e(2) + R")
        self.assertEqual(algebra("coord x, y\nkinetic (x'^2 - y'^2)/2\n"), "e(1, 1) + R")
        self.assertEqual(algebra("coord x, y\nkinetic x'*y' + (x'^2 + 3*y'^2)/2\npotential x^2 + y^4\n"), "R")
        self.assertEqual(analyze("classics/rolling_disc", "--only", "symmetries")["algebra"], "e(2) + R^2")
        self.assertEqual(algebra("coord x, y\nkinetic (x'^2 + y'^2)/(2*y^2)\nstart y = 1\n"), "sl(2) + R")  # the half plane of Poincare
        hyperbolic = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/(2*z^2)\nstart z = 1\n"
        self.assertEqual(algebra(hyperbolic), "so(3, 1) + R")
        beside = "coord x, y, z, u, v\nkinetic (x'^2 + y'^2 + z'^2 + u'^2 + v'^2)/2\npotential (x^2 + y^2 + z^2)^2\n"
        self.assertEqual(algebra(beside), "so(3) + e(2) + R")
        self.assertEqual(algebra("coord x, y, z\nkinetic (x'^2 + y'^2 - z'^2)/2\n"), "e(2, 1) + R")

    def test_abnormal_extremals(self):
        def kind(model):
            return analyze(model, "--only", "constraints")["abnormal_extremals"]

        disc = kind("classics/rolling_disc")  # growth (2, 3, 4): it rolls straight on
        self.assertEqual((disc["kind"], disc["grade"], disc["others_open"]), ("one direction", "proved", False))
        self.assertEqual(disc["direction"]["phi"], "0")
        self.assertNotEqual(disc["direction"]["theta"], "0")
        self.assertEqual(kind("classics/chaplygin_sleigh")["kind"], "none")  # growth (2, 3)
        self.assertEqual(kind("integrable/trailer")["kind"], "one direction")

        def of(*lines):
            text = "\n".join(lines) + "\n"
            return json.loads(self.run_model(text, "analyze", "--json", "--only", "constraints")[1])["abnormal_extremals"]

        # growth (2, 3, 5): Cartan's five variables
        five = of("coord x, y, z, u, v", "kinetic (x'^2 + y'^2 + z'^2 + u'^2 + v'^2)/2", "constraint a: z' - (x*y' - y*x')/2 = 0",
                  "constraint b: u' - x*(x*y' - y*x')/2 = 0", "constraint c: v' - y*(x*y' - y*x')/2 = 0")
        self.assertEqual((five["kind"], five["grade"]), ("every direction", "proved"))
        # one form in four and in five dimensions: three directions always have a kernel, four of a contact form none
        four = of("coord x, y, z, w", "kinetic (x'^2 + y'^2 + z'^2 + w'^2)/2", "constraint c: z' - y*x' = 0")
        self.assertEqual((four["kind"], four["dimension"]), ("some", 1))
        contact = of("coord x, y, z, u, v", "kinetic (x'^2 + y'^2 + z'^2 + u'^2 + v'^2)/2", "constraint c: z' - y*x' - u*v' = 0")
        self.assertEqual((contact["kind"], contact["grade"]), ("none", "proved"))
        level = of("coord x, y, z", "kinetic (x'^2 + y'^2 + z'^2)/2", "constraint c: x' + y' = 0")
        self.assertEqual(level["kind"], "every curve")

    def test_symmetries_without_accelerations_in_closed_form(self):  # a chain of eight pendulums, and one without gravity
        n = 8
        lines = ["param g = 9.81, m > 0 = 1, l > 0 = 1", "coord " + ", ".join(f"a{i}" for i in range(1, n + 1))]
        for i in range(1, n + 1):
            lines.append(f"let u{i} = " + " + ".join(f"l*cos(a{j})*a{j}'" for j in range(1, i + 1)))
            lines.append(f"let v{i} = " + " + ".join(f"l*sin(a{j})*a{j}'" for j in range(1, i + 1)))
        lines.append("kinetic m/2*(" + " + ".join(f"u{i}^2 + v{i}^2" for i in range(1, n + 1)) + ")")
        heavy = "potential -m*g*l*(" + " + ".join(f"{n + 1 - i}*cos(a{i})" for i in range(1, n + 1)) + ")"
        for last, count in ((heavy, 1), ("", 2)):
            out = self.run_model("\n".join([*lines, last]) + "\n", "analyze", "--json", "--only", "symmetries")[1]
            found = json.loads(out)["symmetries"]
            self.assertEqual(len(found), count)
            self.assertTrue(all(entry["grade"] == "proved" and entry["conserved"] for entry in found), found)

    def test_the_parameter_is_one_of_the_model(self):
        code, out, err = run("analyze", "models/classics/henon_heiles.lia", "--vary", "f")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("there is no parameter `f`", err)
        self.assertIn("there are e", err)

    def test_two_parameters(self):  # Kovalevskaya's top from her potential alone, Lagrange's on the way
        out = analyze("integrable/kovalevskaya_top", "--only", "integrals", "--degree", "4", "--vary", "A,B", "--budget", "2e8")
        special = out["special_values"]
        self.assertEqual(special["parameters"], ["A", "B"])
        self.assertEqual([entry["values"] for entry in special["curves"]], [{"B": "1"}])
        self.assertEqual([entry["values"] for entry in special["points"]], [{"A": "1", "B": "1/2"}, {"A": "2", "B": "2"}])
        self.assertTrue(all(entry["first_integrals"] for entry in special["curves"] + special["points"]))
        page = run("analyze", "models/integrable/kovalevskaya_top.lia", "--only", "integrals", "--vary", "A,B")[1]
        self.assertIn("B = 1, for every A:", page)
        for vary, text in (("A,B,C", "one or two parameters"), ("A,A", "named twice"), ("A,f", "there is no parameter `f`")):
            code, out, err = run("analyze", "models/integrable/kovalevskaya_top.lia", "--vary", vary)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(text, err)

    def test_two_parameters_beside_relations(self):
        def special(model):
            self.write(model)
            return json.loads(self.run_in("analyze", "m.lia", "--json", "--only", "integrals", "--vary", "b,e")[1])["special_values"]

        sphere = "param b = 1, e = 2\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential {}\nconstraint c: x^2 + y^2 + z^2 = {}\n"
        # It may be turned about the vertical where b = e.
        turned = special(sphere.format("z + b*x^2 + e*y^2", 1))
        self.assertEqual([entry["values"] for entry in turned["curves"]], [{"e": "b"}])
        self.assertEqual([f["expression"] for entry in turned["curves"] for f in entry["first_integrals"]], ["x*y' - y*x'"])
        self.assertEqual((turned["points"], turned["undecided"], turned["searched"]["none_else"]), ([], [], "proved"))
        # Two rods: both angles change, and their sum or difference is ignored.
        rods = special("param b = 1, e = 2\ncoord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\npotential b*x*z + e*y*w\n"
                       "constraint c: x^2 + y^2 = 1\nconstraint d: z^2 + w^2 = 4\n")
        self.assertEqual([entry["values"] for entry in rods["curves"]], [{"e": "-b"}, {"e": "b"}])
        self.assertEqual(rods["searched"]["none_else"], "proved")
        # A graph, and what is refused.
        graph = special("param b = 1, e = 2\ncoord x, y, z\nkinetic (x'^2 + y'^2)/2 + z'^2/2\npotential b*x^2 + e*y^2\nconstraint c: z = x^2 + y^2\n")
        self.assertEqual([entry["values"] for entry in graph["curves"]], [{"e": "b"}])
        self.assertIn("are not solved by rational functions", special(sphere.format("z + b*x^2 + e*y^2", 3))["searched"]["reason"])
        self.assertIn("contain one of them", special(sphere.format("z + b*x^2", "e^2"))["searched"]["reason"])

    def test_no_other_integrals_of_chaplygins_ball(self):
        out = analyze("classics/chaplygin_ball", "--only", "integrals")
        for searched in ("integrals_searched", "integrals_searched_for_values"):
            self.assertEqual(out[searched]["none_else"], "proved", out[searched]["reason"])
        self.assertEqual(len(out["first_integrals"]), 4)

    def test_values_are_asked_with_the_integrals(self):
        code, out, err = run("analyze", "models/classics/henon_heiles.lia", "--only", "symmetries", "--vary", "e")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("with the integrals", err)
        # Without a motion in closed form nothing is searched, and the page says so of the parameter too.
        out = run("analyze", "models/classics/appell_hamel.lia", "--json", "--only", "integrals", "--vary", "m")[1]
        self.assertTrue(json.loads(out)["special_values"]["searched"]["reason"])


if __name__ == "__main__":
    unittest.main()
