#!/usr/bin/env python3
"""The JSON of each command is a contract: one object on the standard output, its fields, names of the model, finite numbers.

usage: test_json.py PROGRAM
"""

import json
import math
import unittest

from program import ROOT, InFolder, run


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def parse(text):
    """One object, nothing before or behind it, no NaN and no Infinity."""
    value = json.loads(text, parse_constant=refuse_constant)
    assert isinstance(value, dict) and value["schema"] == 1, text[:80]
    return value


def numbers_in(value):
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(inner)


class Eval(InFolder):
    DISC = str(ROOT / "models/classics/rolling_disc.lia")
    FIELDS = ["schema", "system", "state", "parameters", "acceleration", "multiplier", "energy", "r", "constraints",
              "drive", "residual", "compatible", "kind"]

    def test_fields_and_names_are_those_of_the_model(self):
        code, out, err = run("eval", self.DISC, "--at", "phi = pi/6", "--json")
        self.assertEqual((code, err), (0, ""))
        result = parse(out)
        self.assertEqual(list(result), self.FIELDS)
        self.assertEqual(list(result["state"]),
                         ["x", "y", "phi", "theta", "x'", "y'", "phi'", "theta'", "t"])
        self.assertEqual(list(result["parameters"]), ["m", "R"])
        self.assertEqual(list(result["acceleration"]), ["x", "y", "phi", "theta"])
        for field in ("multiplier", "drive", "residual"):
            self.assertEqual(list(result[field]), ["roll_x", "roll_y"], field)
        self.assertEqual(result["constraints"], ["roll_x", "roll_y"])
        self.assertEqual(list(result["energy"]), ["kinetic", "potential"])
        self.assertIs(result["compatible"], True)
        self.assertTrue(all(math.isfinite(number) for number in numbers_in(result)))

    def test_values_satisfy_what_defines_them(self):
        result = parse(run("eval", self.DISC, "--at", "phi = pi/6", "--json")[1])
        m, R, phi = result["parameters"]["m"], result["parameters"]["R"], result["state"]["phi"]
        spin, turn = result["state"]["theta'"], result["state"]["phi'"]
        self.assertAlmostEqual(result["multiplier"]["roll_x"], -m*R*turn*spin*math.cos(phi), 14)
        self.assertAlmostEqual(result["multiplier"]["roll_y"], -m*R*turn*spin*math.sin(phi), 14)
        for k, name in enumerate(result["constraints"]):  # sum_h lambda_h r^{hk} + i(E)da^k = 0
            kept = sum(result["multiplier"][h]*row[k] for h, row in zip(result["constraints"], result["r"]))
            self.assertAlmostEqual(kept + result["drive"][name], 0, 13)

    def test_numbers_have_full_precision_and_zero_has_no_sign(self):
        code, out, err = self.run_model("coord x\nkinetic x'^2/2\nforce x = -x\n", "eval", "--at", "x' = 1/3", "--json")
        self.assertEqual((code, err), (0, ""))
        result = parse(out)
        self.assertEqual(result["state"]["x'"], 1/3)
        self.assertEqual(math.copysign(1, result["acceleration"]["x"]), 1)

    def test_velocity_parameters_name_the_accelerations(self):
        result = parse(run("eval", "models/tutorial/sleigh.lia", "--json")[1])
        self.assertEqual(list(result["acceleration"]), ["v", "n", "w"])

    def test_no_motion_keeps_what_was_computed(self):
        model = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\nconstraint c: x' = 0 along dy\n"
        code, out, err = self.run_model(model, "eval", "--json")
        self.assertEqual(code, 3)
        self.assertIn("[L0503]", err)
        result = parse(out)
        self.assertEqual((result["acceleration"], result["multiplier"], result["compatible"]), ({}, {}, False))
        self.assertEqual((result["r"], result["drive"]), ([[0.0]], {"c": 1.0}))

    def test_redundant_constraints_leave_directions_open(self):
        model = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\nconstraint c: x' = 0\nconstraint d: 2*x' = 0\n"
        code, out, err = self.run_model(model, "eval", "--json")
        self.assertEqual((code, err), (0, ""))
        result = parse(out)
        (open_direction,) = result["undetermined"]
        self.assertAlmostEqual(open_direction["c"] + 2*open_direction["d"], 0, 12)
        self.assertAlmostEqual(result["multiplier"]["c"], -0.2, 14)  # the least sum of squares
        self.assertAlmostEqual(result["multiplier"]["d"], -0.4, 14)
        (determined,) = result["determined"]
        self.assertEqual(determined["combination"], "lambda(c) + 2*lambda(d)")
        self.assertAlmostEqual(determined["value"], -1, 14)
        code, out, err = self.run_model(model, "simulate", "--until", "1", "--json", "-o", "run.csv", "--plot", "run.svg")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(parse(out)["undetermined"],
                         {"shown": "least sum of squares", "multiplier": ["c", "d"], "determined": ["lambda(c) + 2*lambda(d)"]})
        self.assertIn("lambda(c) is not determined", (self.folder / "run.svg").read_text())
        lines = (self.folder / "run.csv").read_text().splitlines()
        columns = lines[0].split(",")
        for line in lines[1:]:
            row = dict(zip(columns, map(float, line.split(","))))
            self.assertAlmostEqual(row["lambda(c)"], -0.2, 14)
            self.assertAlmostEqual(row["lambda(d)"], -0.4, 14)
        self.assertIs(result["compatible"], False)

    def test_what_depends_on_open_factors_is_named_and_decides_nothing(self):
        twice = ("coord x, y\nparticle P mass 2 at [x, y]\ngravity [0, -9.81]\nconstraint a: x^2 + y^2 = 1\n"
                 "constraint b: 3*x^2 + 3*y^2 = 3\nstart x = 1, y' = 5\n")
        outputs = "output o1 = lambda(a)\noutput o2 = lambda(a) + 3*lambda(b)\noutput o3 = x*lambda(b)\n"
        records = "event r: lambda(a) = 0.5\nevent s: lambda(a) + 3*lambda(b) = 5 then reset x' = 0, y' = 0\n"
        code, out, err = self.run_model(twice + outputs + records, "simulate", "--until", "0.2", "--json")
        self.assertEqual((code, err), (0, ""))
        notes = [note.partition(":")[0] for note in parse(out)["notes"] if "nothing determines" in note]
        self.assertEqual(notes, ["the event `r` depends on lambda(a), lambda(b), which nothing determines",
                                 "the output `o1` depends on factors that nothing determines",
                                 "the output `o3` depends on factors that nothing determines"])
        _, out, _ = self.run_in("simulate", "m.lia", "--until", "0.2")
        self.assertIn("  note: the output `o1` depends on factors that nothing determines: its values belong to those", out)
        for action in ("stop", "reset y' = 0, x' = 0"):
            code, out, err = self.run_model(twice + "event e: lambda(a) - lambda(b) = 1 then " + action + "\n",
                                            "simulate", "--until", "1", "--json")
            self.assertEqual(code, 3)
            self.assertEqual(parse(out)["t"], 0)
            self.assertIn("undetermined motion: the event `e` depends on lambda(a), lambda(b), which nothing determines", err)
        # What is determined all along stops as it says.
        code, out, err = self.run_model(twice + "event e: lambda(a) + 3*lambda(b) = 0 then stop\n",
                                        "simulate", "--until", "1", "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(parse(out)["events"][0]["name"], "e")

    def test_each_kind_of_system_has_its_word(self):
        plane = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\n"
        for constraints, compatible, kind, words in (
                ("constraint c: x' = 0\n", True, "regular", "yes, regular"),
                ("constraint c: x' = 0\nconstraint d: 2*x' = 0\n", False, "redundant", "no, redundant but consistent"),
                ("constraint c: x' = 0 along dy\n", False, "contradictory", "no, contradictory"),
                ("constraint c: y' = 0\nreaction push: x'\n", False, "undetermined", "no, undetermined motion")):
            result = parse(self.run_model(plane + constraints, "eval", "--json")[1])
            self.assertEqual((result["compatible"], result["kind"]), (compatible, kind))
            self.assertIn(f"  compatible: {words}\n", self.run_in("eval", "m.lia")[1])

    def test_a_refused_state_has_no_results(self):
        model = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = 1\n"
        code, out, err = self.run_model(model, "eval", "--at", "x = 1, y = 1", "--json")
        self.assertEqual((code, list(parse(out))), (2, ["schema", "error", "diagnostics"]))
        self.assertIn("[L0501]", err)

    def test_a_projection_says_what_it_moved(self):
        model = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint rod: x^2 + y^2 = 1\n"
        code, out, _ = self.run_model(model, "eval", "--at", "x = 1, y = 1", "--project", "--json")
        self.assertEqual(code, 0)
        result = parse(out)
        self.assertAlmostEqual(result["moved"]["x"], math.sqrt(0.5) - 1, 9)
        self.assertAlmostEqual(result["state"]["x"], 1 + result["moved"]["x"], 14)


class Check(InFolder):
    MODEL = ("coord x\nkinetic x'^2/2\npotential x^2/2\nclaim spring: x'' == -x\nclaim x'' == x\n"
             "misprint sign: x'' == x\n")
    FIELDS = {"model", "name", "line", "text", "status", "misprint", "passed", "how", "witness"}

    def test_each_claim_has_its_place_status_and_witness(self):
        code, out, err = self.run_model(self.MODEL, "check", "--json")
        self.assertEqual((code, err), (1, ""))
        result = parse(out)
        self.assertEqual(list(result), ["schema", "claims"])
        spring, wrong, misprint = result["claims"]
        for claim in result["claims"]:
            self.assertEqual(set(claim) - {"detail", "doubt"}, self.FIELDS)
            self.assertEqual(claim["model"], "m.lia")
        self.assertEqual((spring["name"], spring["line"], spring["text"]), ("spring", 4, "x'' == -x"))
        self.assertEqual((spring["status"], spring["passed"], spring["witness"]), ("proved", True, None))
        self.assertEqual((wrong["status"], wrong["passed"], wrong["misprint"]), ("refuted", False, False))
        witness = wrong["witness"]
        self.assertEqual(witness["left"], -witness["right"])
        self.assertAlmostEqual(witness["right"], witness["state"]["x"], 14)
        self.assertEqual((misprint["status"], misprint["passed"], misprint["misprint"]), ("refuted", True, True))

    def test_all_that_pass_exit_with_0(self):
        code, out, err = self.run_model(self.MODEL.replace("claim x'' == x\n", ""), "check", "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([claim["passed"] for claim in parse(out)["claims"]], [True, True])

    def test_no_claims_is_an_empty_list(self):
        code, out, _ = self.run_model("coord x\nkinetic x'^2/2\n", "check", "--json")
        self.assertEqual((code, parse(out)), (0, {"schema": 1, "claims": []}))

    def test_a_bad_model_keeps_the_object_whole(self):
        self.write("nonsense\n", "bad.lia")
        self.write(self.MODEL)
        code, out, err = self.run_in("check", "bad.lia", "m.lia", "--json")
        self.assertEqual(code, 2)
        self.assertIn("[L0405]", err)
        self.assertEqual(len(parse(out)["claims"]), 3)

    def test_sides_beyond_a_double_are_null(self):
        code, out, _ = self.run_model("coord x\nkinetic x'^2/2\nclaim exp(exp(9 + x^2)) == 0\n", "check", "--json")
        (claim,) = parse(out)["claims"]
        self.assertEqual((code, claim["status"]), (1, "refuted"))
        self.assertIsNone(claim["witness"]["left"])
        self.assertEqual(claim["witness"]["right"], 0)


class Derive(InFolder):
    def test_sections_and_keys(self):
        code, out, err = run("derive", "models/classics/rolling_disc.lia", "--format", "json")
        self.assertEqual((code, err), (0, ""))
        result = parse(out)
        self.assertEqual(result["title"], "Vertical disc rolling on a plane")
        self.assertEqual([section["key"] for section in result["sections"]],
                         ["system", "omega", "free", "constraints", "reactions", "reduced", "equations", "claims"])
        formulas = {item["key"]: item["formula"] for section in result["sections"] for item in section["items"]
                    if item["kind"] == "formula"}
        self.assertLessEqual({"kinetic", "omega", "relation.roll_x", "r", "det_r", "drive.roll_y", "factor.roll_x",
                              "omega_s", "equation.phi''"}, set(formulas))
        self.assertEqual(formulas["factor.roll_x"]["infix"], "lambda(roll_x) = -m*R*phi'*theta'*cos(phi)")
        self.assertIn("\\lambda_{\\mathrm{roll\\_x}}", formulas["factor.roll_x"]["latex"])

    def test_numbers_of_formulas_count_up(self):
        result = parse(run("derive", "models/classics/tilting_disc.lia", "--format", "json")[1])
        numbers = [item["number"] for section in result["sections"] for item in section["items"]
                   if item["kind"] == "formula"]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))

    def test_a_bad_model_prints_no_object(self):
        code, out, err = self.run_model("nonsense\n", "derive", "--format", "json")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("[L0405]", err)


if __name__ == "__main__":
    unittest.main()
