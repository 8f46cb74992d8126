#!/usr/bin/env python3
"""`analyze`: what is on the page and in the JSON, what is refused, and what Ctrl-C keeps.

usage: test_analyze.py PROGRAM
"""

import json
import math
import signal
import subprocess
import time
import unittest

from program import PROGRAM, InFolder, run

DISC = "models/classics/rolling_disc.lia"
HENON = "param e = 6\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2*y + e/3*y^3\n"


class Analyze(InFolder):
    def test_json_has_the_keys_of_the_contract(self):
        code, out, err = run("analyze", DISC, "--json")
        self.assertEqual((code, err), (0, ""))
        result = json.loads(out)
        self.assertEqual(result["schema"], 1)
        self.assertEqual(result["degrees_of_freedom"], 2)
        self.assertEqual(result["growth_vector"], [2, 3, 4])
        self.assertIs(result["holonomic"], False)
        self.assertIs(result["compatible"], True)
        roll = result["constraints"]["roll_x"]
        self.assertEqual((roll["kind"], roll["ideal"], roll["integrable"]), ("linear", True, False))
        self.assertIn({"expression": "x*phi' - R*theta'*cos(phi)", "grade": "proved", "conditions": [], "origin": "gauge momentum",
                       "for_values": False, "at_general_states": False},
                      result["first_integrals"])
        self.assertEqual(len(result["symmetries"]), 5)
        self.assertIs(result["equilibria_searched"]["everywhere"], True)

    def rest_of(self, text):
        code, out, err = self.run_model(text, "analyze", "--json", "--only", "equilibria")
        self.assertEqual((code, err), (0, ""))
        result = json.loads(out)
        return result["equilibria"], result["equilibria_searched"]

    def test_dry_friction_holds_where_forces_are_within_its_limit(self):
        block = ("param f = 1/2, g = 10\ncoord x, y\nparticle P mass 1 at [x, y]\ngravity [{}, -g]\n{}"
                 "contact floor: P on ground at [x, y] normal [0, 1] friction f\n")
        # |x| <= f*g = 5 by hand; on a slope of 1/4 below f = 1/2 everywhere, of 3/4 above it nowhere
        for text, held in ((block.format("0", "potential x^2/2\n"), "where abs(x) <= 5"), (block.format("g/4", ""), "everywhere"),
                           ("param d = 5\ncoord x\nkinetic 3/4*x'^2\nforce x = 1 - d*sign(x')\n", "everywhere"),
                           ("param f = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -f*sign(x')\n", "where abs(x) <= 1"),
                           ("coord x\nkinetic x'^2/2\npotential x^2/2\ndissipation 3*abs(x')\n", "where abs(x) <= 3")):
            places, searched = self.rest_of(text)
            self.assertEqual((searched["all"], searched.get("held_by_friction")), (False, held), text)
            self.assertIn("jumps at rest", searched["reason"])
            self.assertTrue(all(place["stability"] == "undecided" for place in places))
        # what pushes on in either direction is no friction, and holds nothing
        places, searched = self.rest_of("coord x\nkinetic x'^2/2\nforce x = 1/2 + sign(x')\n")
        self.assertEqual((places, searched["all"], searched.get("held_by_friction")), ([], False, None))
        places, searched = self.rest_of(block.format("3*g/4", ""))
        self.assertEqual((places, searched["all"]), ([], True))
        for text in ("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y + x^2/2\nconstraint floor: y = 0 power y' - abs(x')/2\n",
                     "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x + y^2\nforce x = -2*sign(x')\n",
                     "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + y^2\nforce x = x'/8*sign(x')*sign(y' - x')\n"):
            searched = self.rest_of(text)[1]
            self.assertIs(searched["all"], False, text)
            self.assertIn("dry friction may hold it", searched["reason"])
        searched = self.rest_of("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + y^2\nforce x = atan2(y', x')\n")[1]
        self.assertEqual((searched["box"], searched["all"]), (None, False))
        self.assertIn("no value at rest", searched["reason"])
        # a jump that rest is far from, and a kink: continuous, with a value at rest
        for force in ("-sign(x' + 1)", "-abs(x')"):
            searched = self.rest_of(f"coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = {force}\n")[1]
            self.assertIs(searched["all"], True, force)

    def test_unknown_functions_have_no_places_of_rest_to_search(self):
        for text, name in (("function U(x)\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential U(x)\n", "U"),
                           ("input f\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = f\n", "f")):
            places, searched = self.rest_of(text)
            self.assertEqual((places, searched["box"], searched["reason"]), ([], None, f"the function {name} is not given"))

    def test_integrals_with_the_time_count_in_states_and_time(self):
        def asked(text):
            code, out, err = self.run_model(text, "analyze", "--json", "--only", "symmetries,integrals,integrability")
            self.assertEqual((code, err), (0, ""))
            return json.loads(out)

        result = asked("coord x\nkinetic x'^2/2\nforce x = t\n")
        told = result["integrability"]
        self.assertEqual((told["by"], told["grade"], told["integrals"], told["dimension"], told["with_time"]), ("levels", "proved", 2, 3, True))
        for t in (0.3, 1.7):  # x = t^3/6 + 2 t + 5
            values = [eval(e["expression"].replace("^", "**").replace("x'", str(t**2 / 2 + 2)), {"t": t, "x": t**3 / 6 + 2 * t + 5})
                      for e in result["first_integrals"]]
            self.assertAlmostEqual(values[0] / 4, 1, 12)
            self.assertAlmostEqual(values[1] / -15, 1, 12)
        # resonance: one integral of the form that is searched, another by a symmetry
        result = asked("coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = sin(t)\n")
        self.assertEqual(len(result["first_integrals"]), 2)
        self.assertIn("momentum of X2", [e["origin"] for e in result["first_integrals"]])
        self.assertEqual((result["functionally_independent"], result["integrability"]["by"]), ("proved", "levels"))
        # one integral in three dimensions, and the volume: Jacobi's last multiplier
        told = asked("coord x\nkinetic x'^2/2\npotential x^4\nforce x = 4*(x^3 - (x - t)^3)\n")["integrability"]
        self.assertEqual((told["by"], told["integrals"], told["dimension"]), ("last multiplier", 1, 3))

    def test_a_field_that_is_given(self):
        def asked(model, field):
            code, out, err = run("analyze", model, "--json", "--only", "symmetries", "--field", field)
            return (code, json.loads(out)["field"]) if code == 0 else (code, err)

        code, turn = asked("models/classics/kepler.lia", "x = -y, y = x")
        self.assertEqual((code, turn["grade"], turn["name"], turn["conserved"]), (0, "proved", "rotation of x and y", True))
        self.assertEqual(turn["momentum"], "m*(x*y' - y*x')")
        self.assertEqual(asked("models/classics/kepler.lia", "x = y, y = x")[1]["grade"], "refuted")
        # The disc turns with its track; a turn of its place alone keeps Omega, and not the relations.
        self.assertEqual(asked(DISC, "x = -y, y = x, phi = 1")[1]["grade"], "proved")
        self.assertEqual(asked(DISC, "x = -y, y = x")[1]["grade"], "refuted")
        self.assertEqual(asked(DISC, "t = 1")[1]["name"], "time")
        for field, word in (("z = 1", "no coordinate"), ("x = x'", "no position"), ("x = 1, x = 2", "given twice"), ("x", "missing"),
                            ("x = foo", "foo"), ("t = t", "a number")):
            code, err = asked(DISC, field)
            self.assertEqual((code, word in err and "--field" in err), (2, True), err)

    def test_momenta_beside_constraints(self):
        result = json.loads(run("analyze", "models/classics/chaplygin_ball.lia", "--json", "--only", "symmetries")[1])
        self.assertEqual(result["algebra"], "e(2) + R")
        self.assertEqual([(e["conserved"], e["horizontal"]) for e in result["momentum_equations"]], [(True, False)])
        self.assertEqual(result["momentum_equations_asked"]["none_else"], "proved")

    def test_only_asks_for_parts(self):
        code, out, _ = run("analyze", DISC, "--json", "--only", "constraints")
        result = json.loads(out)
        self.assertEqual(code, 0)
        self.assertIn("growth_vector", result)
        self.assertNotIn("first_integrals", result)
        self.assertNotIn("symmetries", result)

    def test_only_takes_one_word(self):  # what follows it is the model
        before = run("analyze", "--json", "--only", "constraints", DISC)
        self.assertEqual(before, run("analyze", DISC, "--json", "--only", "constraints"))
        self.assertEqual(before[0], 0)
        code, out, _ = run("analyze", "--json", "--only", "constraints,equilibria", DISC)
        self.assertEqual((code, sorted(k for k in json.loads(out) if k in ("growth_vector", "equilibria", "symmetries"))),
                         (0, ["equilibria", "growth_vector"]))

    def test_measures(self):
        def measure(model):
            return json.loads(run("analyze", f"models/classics/{model}.lia", "--json", "--only", "measure")[1])["invariant_measure"]

        sleigh = measure("chaplygin_sleigh")
        self.assertIsNone(sleigh["density"])
        self.assertEqual(sleigh["none_of_this_form"], "proved")
        self.assertEqual(measure("rolling_disc")["density"], "1")
        ball = measure("chaplygin_ball")
        self.assertEqual((ball["grade"], ball["origin"]), ("proved", "determinant of the kinetic energy"))
        page = " ".join(run("analyze", "models/classics/chaplygin_sleigh.lia", "--only", "measure")[1].split())
        self.assertIn("No density of positions is kept around any place where", page)
        self.assertIn("(proved). Nor is one that depends on velocities too and is positive at rest.", page)
        self.assertTrue(sleigh["none_at_rest"])

    def test_a_long_condition_stands_in_json(self):
        code, page, _ = run("analyze", "models/classics/chaplygin_ball.lia", "--only", "constraints,integrals", "--degree", "1")
        self.assertEqual(code, 0)
        self.assertIn("yes (proved where a condition that --json has does\n    not vanish); regular", page)
        result = json.loads(run("analyze", "models/classics/chaplygin_ball.lia", "--json", "--only", "constraints,integrals", "--degree", "1")[1])
        self.assertEqual(len(result["compatible_conditions"]), 1)
        # The energy of the free velocities, x' and y' put in, is decided as it is written: without a condition.
        energy = result["first_integrals"][0]
        self.assertEqual((energy["origin"], energy["grade"], energy["conditions"]), ("energy", "proved", []))

    def test_json_and_a_page_together(self):
        code, out, _ = self.run_model(HENON, "analyze", "--json", "--only", "symmetries", "-o", "page.html")
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["schema"], 1)
        self.assertIn("<math", (self.folder / "page.html").read_text(encoding="utf-8"))

    def test_time_has_the_energy_where_no_primitive_is_found(self):
        text = "param m > 0, k\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\npotential k*exp(x)*sqrt(1 + x^4 + y^2)\n"
        result = json.loads(self.run_model(text, "analyze", "--json", "--only", "symmetries")[1])
        time = [entry for entry in result["symmetries"] if entry["name"] == "time"]
        self.assertEqual(len(time), 1)
        self.assertIs(time[0]["conserved"], True)
        self.assertIn("sqrt", time[0]["momentum"])

    def test_degree_and_values_of_parameters(self):
        code, out, _ = self.run_model(HENON, "analyze", "--json", "--only", "integrals", "--degree", "1")
        self.assertEqual(code, 0)
        self.assertEqual(len(json.loads(out)["first_integrals"]), 1)  # the energy is tried at any degree
        out = self.run_in("analyze", "m.lia", "--json", "--only", "integrals", "--degree", "2")[1]
        integrals = json.loads(out)["first_integrals"]
        self.assertEqual([entry["for_values"] for entry in integrals], [False, True])
        self.assertEqual(json.loads(out)["integrals_searched"]["none_else"], "proved")

    def test_a_larger_budget_searches_more(self):
        def unknowns(*more):
            out = self.run_model(HENON, "analyze", "--json", "--only", "integrals", "--degree", "3", *more)[1]
            return json.loads(out)["integrals_searched"]["unknowns"]

        self.assertLess(unknowns("--budget", "1e7"), unknowns())

    def test_a_search_goes_on(self):  # what was found is known, and more is searched
        first = run("analyze", "models/classics/kepler.lia", "--json", "--only", "integrals", "--budget", "1e7")[1]
        path = self.folder / "earlier.json"
        path.write_text(first, encoding="utf-8")
        earlier = json.loads(first)
        code, out, err = run("analyze", "models/classics/kepler.lia", "--json", "--only", "integrals", "--resume", str(path))
        self.assertEqual(code, 0, err)
        later = json.loads(out)
        self.assertEqual(later["budget"], 8 * earlier["budget"])
        self.assertGreater(later["integrals_searched"]["unknowns"], earlier["integrals_searched"]["unknowns"])
        known = {entry["expression"] for entry in earlier["first_integrals"]}
        self.assertLessEqual(known, {entry["expression"] for entry in later["first_integrals"]})
        # What is no integral of this model is not believed.
        wrong = dict(earlier, first_integrals=[{"expression": "x'", "for_values": False}])
        path.write_text(json.dumps(wrong), encoding="utf-8")
        out = run("analyze", "models/classics/kepler.lia", "--json", "--only", "integrals", "--resume", str(path))[1]
        self.assertNotIn("x'", [entry["expression"] for entry in json.loads(out)["first_integrals"]])
        path.write_text("{}", encoding="utf-8")
        self.assertEqual(run("analyze", "models/classics/kepler.lia", "--resume", str(path))[0], 2)

    def test_pages_in_every_format(self):
        for format, word in (("text", "First integrals"), ("latex", "\\begin{document}"), ("html", "<math"), ("json", '"sections"')):
            code, out, err = run("analyze", DISC, "--format", format)
            self.assertEqual((code, err), (0, ""))
            self.assertIn(word, out)
        code, out, _ = self.run_model(HENON, "analyze", "-o", "page.html")
        self.assertEqual((code, out), (0, ""))
        self.assertIn("<math", (self.folder / "page.html").read_text(encoding="utf-8"))

    def page(self, text, *options):
        code, out, err = self.run_model(text, "analyze", *options)
        self.assertEqual((code, err), (0, ""))
        return " ".join(out.split())

    def test_without_a_state_nothing_else_is_said(self):
        page = self.page("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x' = 0\nconstraint b: x' = 1\n")
        self.assertIn("There is no state (proved)", page)
        for word in ("free", "Where it can go", "Symmetries", "First integrals", "Places of rest"):
            self.assertNotIn(word, page)
        out = self.run_in("analyze", "m.lia", "--json")[1]
        self.assertNotIn("degrees_of_freedom", json.loads(out))

    def test_a_relation_with_two_factors_proves_nothing_of_all_states(self):
        text = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential z\nconstraint c: y*(z' - x') = 0\n"
        result = json.loads(self.run_model(text, "analyze", "--json", "--degree", "1")[1])
        self.assertNotEqual(result["degrees_of_freedom_grade"], "proved")
        self.assertEqual(result["growth_grade"], "checked")
        for entry in result["first_integrals"]:
            self.assertFalse(entry["grade"] == "proved" and entry["expression"] in ("z - x", "x - z"), entry)
        page = " ".join(self.run_in("analyze", "m.lia", "--only", "constraints")[1].split())
        self.assertNotIn("each vanishes on every motion.", page)

    def test_pieces_are_named(self):
        page = self.page("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = sign(x)\n")
        self.assertIn("Not searched: `sign(x)` is not a function of one piece.", page)
        self.assertNotIn("translation", page)

    def test_words(self):
        page = self.page("param k > 0\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -k*x'\n", "--degree", "1")
        self.assertIn("1 degree of freedom, no constraints.", page)
        self.assertNotIn("those above", page)
        self.assertNotIn("of the constraints", page)
        page = self.page("param g, l > 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nconstraint rod: x^2 + y^2 = l^2\n")
        self.assertIn("2 velocities, 1 of them free: 1 degree of freedom (proved).", page)
        self.assertIn("energy, proved", page)

    def test_a_budget_of_nothing_tells_no_facts(self):
        text = "param m > 0\ncoord x, y\nkinetic m*(x'^2 + y'^2)/2\nconstraint c: x'*sin(y) - y'*cos(x) = 0\n"
        code, out, _ = self.run_model(text, "analyze", "--json", "--budget", "1")
        self.assertEqual(code, 0)
        result = json.loads(out)
        self.assertNotEqual(result.get("degrees_of_freedom"), 0)
        self.assertTrue(result["limits"])

    def test_what_is_refused(self):
        code, out, err = run("analyze", DISC, "--only", "integral")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("--only: error: there is no part `integral` of an analysis [L0514]\n   hint: did you mean `integrals`?", err)
        for degree in ("40", "x", "0", "2.5"):
            code, _, err = run("analyze", DISC, "--degree", degree)
            self.assertEqual(code, 2)
            self.assertIn(f"--degree: error: `{degree}` is not a whole number of degrees from 1 to 12", err)
        self.assertEqual(self.run_model(HENON, "analyze", "-o", "m.lia")[0], 2)

    def test_what_has_no_closed_form_is_said(self):
        code, out, _ = run("analyze", "models/classics/appell_hamel.lia")
        self.assertEqual(code, 0)
        self.assertIn("Nothing was searched: a relation is not linear in the velocities", " ".join(out.split()))

    def test_values_at_which_closed_forms_divide_by_zero(self):
        # k = 0 leaves y' = 0: y is kept. What is derived for all values divides by k there.
        rolling = ("param k{}\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x^2*z + z^3/3 + k*x*y\n"
                   "constraint s: k*x' = (1 + z^2)*y'\n")
        code, out, err = self.run_model(rolling.format(""), "analyze", "--json", "--only", "integrals", "--degree", "1", "--vary", "k")
        self.assertEqual((code, err), (0, ""))
        values = json.loads(out)["special_values"]["values"]
        self.assertEqual([(one["value"], [e["expression"] for e in one["first_integrals"]]) for one in values], [("0", ["y"])])
        # The same with the value given: no formula that is printed divides by it.
        code, out, err = self.run_model(rolling.format(" = 0"), "analyze", "--json", "--only", "integrals", "--degree", "1")
        self.assertEqual((code, err), (0, ""))
        result = json.loads(out)
        self.assertEqual([(e["expression"], e["for_values"]) for e in result["first_integrals"]],
                         [("x^2*z + z^3/3 + k*x*y + x'^2/2 + y'^2/2 + z'^2/2", False), ("y", True)])
        self.assertEqual(result["integrals_searched_for_values"]["none_else"], "proved")
        # Two parameters: the line k = 0 has y as well.
        code, out, err = self.run_model(rolling.format("") + "param m > 0\npotential m*z\n", "analyze", "--json", "--only", "integrals",
                                        "--degree", "1", "--vary", "k,m")
        self.assertEqual((code, err), (0, ""))
        curves = json.loads(out)["special_values"]["curves"]
        self.assertEqual([(c["values"], [e["expression"] for e in c["first_integrals"]]) for c in curves if c["vanish"] == ["k"]],
                         [({"k": "0"}, ["y"])])
        # T is singular at c = +-1 and the motion is not: a'*cos(a) +- x'*sin(a)/cos(a) is kept there, which is not searched.
        page = self.page("param c\ncoord x, y, a\nkinetic (x'^2 + y'^2 + a'^2)/2 + c*a'*(y'*cos(a) - x'*sin(a))\n"
                         "constraint s: x'*sin(a) - y'*cos(a) = 0\n", "--only", "integrals", "--degree", "1", "--vary", "c")
        for value in ("c = -1", "c = 1"):
            self.assertIn(f"{value}: not asked, there may be more", page)

    def test_what_brackets_span_for_single_values(self):
        rolling = "param k{}\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: z' = k*y*x'\n"
        code, out, err = self.run_model(rolling.format(""), "analyze", "--json", "--only", "constraints,vakonomic")
        self.assertEqual((code, err), (0, ""))
        result = json.loads(out)
        self.assertEqual((result["growth_vector"], result["growth_conditions"]), ([2, 3], ["k"]))
        self.assertEqual(result["abnormal_extremals"], {"kind": "none", "grade": "proved", "conditions": ["k"]})
        told = result["vakonomic"]
        self.assertEqual((told["coincide"], told["conditions"], told["count"]["conditions"]), ("not in general", ["k"], ["k"]))
        self.assertEqual(self.page(rolling.format(""), "--only", "constraints,vakonomic").count("proved where k \u2260 0"), 4)
        # z' = 0 by hand: a surface holds all curves.
        code, out, err = self.run_model(rolling.format(" = 0"), "analyze", "--json", "--only", "constraints,vakonomic")
        self.assertEqual((code, err), (0, ""))
        result = json.loads(out)
        self.assertEqual((result["growth_vector"], result["growth_conditions"], result["growth_for_values"]), ([2], [], True))
        self.assertEqual([one["integral"] for one in result["integrable_combinations"]], ["z"])
        self.assertEqual(result["abnormal_extremals"]["kind"], "every curve")
        told = result["vakonomic"]
        self.assertEqual((told["coincide"], told["for_values"], told["count"]["combinations"]), ("always", True, 1))

    def test_eigenvalues_of_many_terms_are_enclosed(self):
        # x'' = sin(x) + 314/100*sin(314/100*x): +-sqrt(cos(x) + 3.14^2*cos(3.14*x)) at a zero of it.
        for factor in ("3.14", "3.142"):
            places, searched = self.rest_of(f"coord x\nkinetic x'^2/2\npotential cos(x) + cos({factor}*x)\n")
            self.assertTrue(searched["all"])
            for place in places:
                x, w = place["position"]["x"], float(factor)
                square = math.cos(x) + w * w * math.cos(w * x)
                wanted = [0, math.sqrt(-square)] if square < 0 else [math.sqrt(square), 0]
                least = min(math.dist(wanted, pair) for pair in place["eigenvalues"])
                self.assertLess(least, 1e-8)
                self.assertEqual(place["stability"], "stable" if square < 0 else "unstable")

    def test_turns_of_a_free_chain(self):  # shifts, turn, the first joint, time: E(2) is among them
        sums = ["x'", "y'"]
        kinetic = "(x'^2 + y'^2)/2"
        for k in range(1, 7):
            sums = [f"{sums[0]} - sin(a{k})*a{k}'", f"{sums[1]} + cos(a{k})*a{k}'"]
            kinetic += f" + (({sums[0]})^2 + ({sums[1]})^2)/2"
        code, out, err = self.run_model(f"coord x, y, a1, a2, a3, a4, a5, a6\nkinetic {kinetic}\n", "analyze", "--json", "--only", "symmetries")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("e(2)", json.loads(out)["algebra"])

    def test_brackets_beyond_the_budget_leave_the_symmetries(self):
        squares = " + ".join(f"q{k}^2" for k in range(1, 9))
        rates = " + ".join(f"q{k}'^2" for k in range(1, 9))
        code, out, err = self.run_model(f"coord {', '.join(f'q{k}' for k in range(1, 9))}\nkinetic ({rates})/2\npotential ({squares})^2\n",
                                        "analyze", "--json", "--only", "symmetries")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(len(json.loads(out)["symmetries"]), 29)  # so(8) and time

    def test_kovalevskaya_however_the_potential_is_written(self):
        for potential in ("R31", "2*R31", "-R31", "9.81*R31"):
            code, out, err = self.run_model(f"rotation R (p, q, r) in body\nkinetic p^2 + q^2 + r^2/2\npotential {potential}\n",
                                            "analyze", "--json", "--only", "integrals", "--degree", "4")
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(len(json.loads(out)["first_integrals"]), 3, potential)

    def test_an_analysis_of_another_model_is_named(self):
        self.write("coord x\nkinetic x'^2/2\n", "other.lia")
        (self.folder / "other.json").write_text(self.run_in("analyze", "other.lia", "--json")[1], encoding="utf-8")
        code, _, err = self.run_model("coord u\nkinetic u'^2/2\n", "analyze", "--resume", "other.json")
        self.assertEqual(code, 2)
        self.assertTrue(err.startswith("other.json: error: its integrals are no expressions of m.lia"), err)

    def test_an_interrupt_keeps_integrals(self):
        self.write(HENON)
        for seconds in (1, 3, 9, 27):
            program = subprocess.Popen([PROGRAM, "analyze", "m.lia", "--json", "--degree", "8", "--budget", "1e12", "--only", "integrals"],
                                       cwd=self.folder, stdout=subprocess.PIPE, text=True)
            time.sleep(seconds)
            program.send_signal(signal.SIGINT)
            out = program.communicate(timeout=60)[0]
            self.assertEqual(program.returncode, 130)
            if out and "first_integrals" in json.loads(out):
                break
        result = json.loads(out)
        self.assertIs(result["interrupted"], True)
        self.assertEqual(result["first_integrals"][0]["origin"], "energy")
        (self.folder / "earlier.json").write_text(out, encoding="utf-8")
        code, out, err = self.run_in("analyze", "m.lia", "--json", "--only", "integrals", "--budget", "1e9", "--resume", "earlier.json")
        self.assertEqual((code, err), (0, ""))

    def test_an_interrupt_keeps_what_was_found(self):
        self.write("coord x, y, z, u\nkinetic (x'^2 + y'^2 + z'^2 + u'^2)/2\npotential x^2*y^2 + y^2*z^2 + z^2*u^2 + u^4*x^2\n")
        for seconds in (3, 15, 60):  # on a busy machine nothing is found before
            program = subprocess.Popen([PROGRAM, "analyze", "m.lia", "--json", "--degree", "8", "--budget", "1e12"], cwd=self.folder,
                                       stdout=subprocess.PIPE, text=True)
            time.sleep(seconds)
            program.send_signal(signal.SIGINT)
            out = program.communicate(timeout=60)[0]
            self.assertEqual(program.returncode, 130)
            if out:
                break
        result = json.loads(out)
        self.assertIs(result["interrupted"], True)
        self.assertEqual(result["growth_vector"], [4])


if __name__ == "__main__":
    unittest.main()
