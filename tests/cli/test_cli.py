#!/usr/bin/env python3
"""The command line is a contract: exit codes, and what goes to which stream, word for word.

usage: test_cli.py PROGRAM
"""

import json
import math
import os
import re
import unittest

from program import ROOT, InFolder, run

PLANE = "coord x, y\nkinetic (x'^2 + y'^2)/2\n"


class CommandLine(unittest.TestCase):
    def test_what_holds_exits_with_0(self):
        self.assertEqual(run("zero", "tan(x/2) - sin(x)/(1 + cos(x))"),
                         (0, "tan(½ x) − sin(x)/(cos(x) + 1) = 0: proved\n", ""))

    def test_what_does_not_hold_exits_with_1_and_shows_a_witness(self):
        code, out, err = run("zero", "sin(2*x) - sin(x)*cos(x)")
        self.assertEqual((code, err), (1, ""))
        self.assertRegex(out, r"refuted at x = -?\d+(/\d+)?: \S+ is not 0\n$")

    def test_bad_text_exits_with_2_and_says_where(self):
        self.assertEqual(run("simplify", "2*(x + y"), (2, "", (
            "expression:1:9: error: a `)` is missing [L0108]\n"
            "    1 | 2*(x + y\n"
            "      |         ^ the text ends here\n"
            "   note: a bracket was opened at 1:3\n"
            "   hint: write `)` where it belongs\n")))

    def test_no_form_loses_a_point_of_the_text(self):
        code, out, err = run("simplify", "1/(x + sqrt(x^2 + y^2))")
        self.assertEqual((code, err), (0, ""))
        canonical, readable = out.splitlines()[1:]
        self.assertIn("canonical  1/(x + √(x² + y²))   (for comparing: ", canonical)
        self.assertIn("where y != 0", canonical)
        self.assertNotIn("where", readable)
        lost = run("simplify", "1/(1 + sqrt(2)*x^(3/2))")[1].splitlines()[1]
        self.assertIn("canonical  1/(√2 x^(3/2) + 1)   (for comparing: ", lost)
        self.assertIn("where 2*x^3 - 1 != 0", lost)

    def test_the_domain_of_the_text_decides_pieces(self):
        self.assertEqual(run("simplify", "(x + 57)^(1/2)*(x + 57)^(1/2) - (sqrt((x + 57)^2) + 1e-13*sin(-x)^2)")[1].splitlines()[2], "readable   −sin(x)²/10000000000000")
        self.assertEqual(run("simplify", "sign(x) + 0*sqrt(x)")[1].splitlines()[2], "readable   sign(x)")

    def test_what_a_form_needs_in_other_words_is_not_told(self):
        for text in ("1/(1 - sqrt(x))", "1/tan(x)", "1/(1/x + 1/y)", "sqrt(1/sqrt(x) - 1)/sqrt(1/sqrt(x) + 1)"):
            self.assertNotIn("where", run("simplify", text)[1])

    def test_an_identically_vanishing_denominator_is_bad_input(self):
        self.assertEqual(run("zero", "1/(sin(x)^2 + cos(x)^2 - 1)"), (2, "", (
            "error: division by an expression that is identically zero [L0001]\n"
            "   hint: it vanishes for all values of its symbols\n")))

    def test_the_tour_ends_well(self):
        code, out, err = run("tour")
        self.assertEqual((code, err), (0, ""))
        self.assertNotIn("unknown", out)
        self.assertNotIn("checked", out)


class Usage(unittest.TestCase):
    def test_an_unknown_command_names_the_nearest(self):
        self.assertEqual(run("zera", "x"), (2, "", (
            "error: unknown command `zera` [L0514]\n   hint: did you mean `zero`?\n")))

    def test_the_help_names_all_that_may_be_asked(self):
        """The names are those of the tables in the reference."""
        page = (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8")
        for command, column, last in (("derive", "| F |", "`all`"), ("analyze", "| part of `--only` |", "`equilibria`")):
            table = page[page.index(column):]
            table = table[:table.index("\n", table.index("| " + last))]
            names = [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
            self.assertGreater(len(names), 6)
            code, out, _ = run(command, "--help")
            self.assertEqual(code, 0)
            for name in names:
                self.assertRegex(out, rf"\b{name}\b", command)

    def test_a_missing_argument_points_to_the_help(self):
        self.assertEqual(run("zero"), (2, "", (
            "error: EXPRESSION is missing: for example \"sin(x)^2 + cos(x)^2 - 1\" [L0514]\n"
            "   hint: liaison zero EXPRESSION [OPTIONS]; `liaison help zero` has examples\n")))

    def test_an_unknown_format_names_those_there_are(self):
        self.assertEqual(run("derive", "m.lia", "--format", "pdf"), (2, "", (
            "--format: error: `pdf` is none of text, latex, html, json [L0514]\n   hint: --format text\n")))

    def test_an_unknown_formulation_names_the_nearest(self):
        self.assertEqual(run("derive", "m.lia", "--formulation", "lagranje"), (2, "", (
            "--formulation: error: there is no formulation `lagranje` [L0512]\n"
            "   hint: did you mean `lagrange`?\n")))


class Files(InFolder):
    def test_a_file_that_is_not_there(self):
        self.assertEqual(self.run_in("check", "nix.lia"), (2, "", (
            "nix.lia: error: cannot be read: No such file or directory [L0510]\n"
            "   hint: models are files that end in .lia; look under models/classics\n")))

    def test_a_folder_in_place_of_a_model(self):
        self.assertEqual(self.run_in("eval", "."), (2, "", (
            ".: error: this is a folder, not a model [L0510]\n   hint: name a file in it that ends in .lia\n")))

    def test_a_folder_without_models(self):
        self.assertEqual(self.run_in("check", "."), (2, "", (
            ".: error: there is no model under this folder [L0511]\n   hint: models are files that end in .lia\n")))

    def test_an_output_that_cannot_be_written(self):
        self.write(PLANE)
        self.assertEqual(self.run_in("derive", "m.lia", "-o", "no/such.txt"), (3, "", (
            "no/such.txt: error: cannot be written: No such file or directory [L0513]\n"
            "   hint: make room, or name a file in a folder that exists and is yours\n")))

    @unittest.skipUnless(os.path.exists("/dev/full"), "this system has no /dev/full")
    def test_a_full_disk_is_no_success(self):
        self.write(PLANE)
        code, out, err = run("derive", "m.lia", "-o", "/dev/full", cwd=self.folder)
        self.assertEqual((code, out), (3, ""))
        self.assertRegex(err, r"^/dev/full: error: cannot be written: .* \[L0513\]\n")

    def test_the_format_follows_the_ending_of_the_file(self):
        self.write(PLANE)
        for ending, begin in (("tex", "\\documentclass"), ("html", "<!DOCTYPE html>"), ("json", "{"), ("txt", "A mech")):
            self.assertEqual(self.run_in("derive", "m.lia", "-o", "out." + ending), (0, "", ""))
            self.assertTrue((self.folder / ("out." + ending)).read_text(encoding="utf-8").startswith(begin), ending)

    def test_an_empty_model(self):
        code, out, err = self.run_model("", "check")
        self.assertEqual((code, out), (2, ""))
        self.assertTrue(err.startswith("m.lia:1:1: error: the model is empty [L0400]\n"), err)

    def test_a_model_without_claims_has_nothing_to_refute(self):
        self.assertEqual(self.run_model(PLANE, "check"), (0, "m.lia\nno claims\n", ""))

    def test_a_bad_model_among_good_ones_does_not_hide_them(self):
        self.write(PLANE + "claim x'' == 0\n", "a.lia")
        self.write("coord x\n", "b.lia")
        code, out, err = self.run_in("check", ".")
        self.assertEqual((code, out), (2, "./a.lia\n  proved      x'' == 0\n1 claim: 1 proved\n"))
        self.assertRegex(err, r"^\./b\.lia:1:7: error: .* \[L0415\]\n")


class Models(InFolder):
    """What the language accepts and the mechanics refuses."""

    def refused(self, text, *arguments):
        """The same words from every command."""
        said = {self.run_model(text, command) for command in ("derive", "eval", "check")}
        self.assertEqual(len(said), 1, said)
        return said.pop()

    def test_a_power_that_is_not_of_degree_one_in_the_parameters(self):
        self.assertEqual(self.refused(
            PLANE + "velocity u, v: x' = u + 1, y' = v\nconstraint c: v = 0 power x' + u\n"), (2, "", (
                "m.lia: error: the power of `c` is not of degree one in the velocities: u + x' [L0508]\n"
                "   hint: each term is a coefficient times a velocity or a norm of velocities, "
                "as in N' - f*sqrt(u^2 + v^2)\n")))

    def test_velocity_parameters_that_do_not_determine_the_velocities(self):
        message = (2, "", (
            "m.lia: error: the velocity parameters do not determine the velocities [L0509]\n"
            "   hint: each velocity of the system must follow from the parameters, "
            "and each parameter from the velocities\n"))
        chart = PLANE + "velocity u, v: x' = u + v, y' = u + v\n"
        self.assertEqual(self.refused(chart), message)
        self.assertEqual(self.refused(chart + "constraint c: u = 0\n"), message)


class States(InFolder):
    CIRCLE = PLANE + "constraint rod: x^2 + y^2 = 1\n"

    def test_a_state_off_a_constraint_is_refused_with_the_residual(self):
        self.assertEqual(self.run_model(self.CIRCLE, "eval", "--at", "x = 1, y = 1"), (2, "", (
            "m.lia: error: the state is not on `rod`: x^2 + y^2 - 1 = 1, not 0 [L0501]\n"
            "   hint: change the state, or let --project move it onto the constraints, least in the mass metric\n")))

    def test_a_state_that_cannot_be_projected(self):
        code, out, err = self.run_model(PLANE + "constraint c: x^2 + y^2 = -1\n", "eval", "--project")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("[L0501]\n   hint: no state of the constraints was found near this one: look at the relations\n", err)

    def test_a_state_near_the_constraints_and_not_on_them(self):
        self.assertEqual(self.run_model(PLANE + "constraint c: x^4 + y^4 = 0\n", "eval", "--at", "x = 0.005, y = 0"), (2, "", (
            "m.lia: error: the state is not on `c`: x^4 + y^4 = 6.25e-10, not 0 [L0501]\n"
            "   hint: change the state, or let --project move it onto the constraints, least in the mass metric\n")))

    def test_a_repeated_factor_of_a_level_hides_no_distance(self):
        code, out, err = self.run_model("coord x\nkinetic x'^2/2\nconstraint c: x^4 = 0\n", "eval", "--at", "x = 0.005")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("the state is not on `c`: x = 0.005, not 0 [L0501]", err)

    def test_a_parameter_without_a_value(self):
        self.assertEqual(self.run_model("param m, k\ncoord x\nkinetic m*x'^2/2\npotential k*x^2/2\n", "eval"), (2, "", (
            "m.lia: error: the parameter `m` has no value [L0502]\n"
            "   hint: --set \"m = 1\" gives one, and so does `param m = 1` in the model\n"
            "m.lia: error: the parameter `k` has no value [L0502]\n"
            "   hint: --set \"k = 1\" gives one, and so does `param k = 1` in the model\n")))

    def test_a_force_that_cannot_keep_its_relation(self):
        code, out, err = self.run_model(PLANE + "force x = 3\nconstraint c: x' = 0 along dy\n", "eval")
        self.assertEqual((code, err), (3, (
            "m.lia: error: no motion at this state: no force of the constraints keeps `c`, "
            "which changes at the rate 3 [L0503]\n"
            "   hint: remove one of the constraints, or let its force act on what it keeps\n")))
        self.assertIn("  compatible: no, contradictory\n", out)  # what was computed is kept

    def test_constraints_that_contradict_each_other_are_named(self):
        model = PLANE + "constraint c: x' = 0\nconstraint free: y' = 0\nconstraint d: 2*x' = t\n"
        code, _, err = self.run_model(model, "eval")
        self.assertEqual((code, err), (3, (
            "m.lia: error: no motion at this state: `c` and `d` contradict each other: "
            "a(c) - 0.5*a(d) changes at the rate 0.5 whatever the forces are [L0503]\n"
            "   hint: remove one of the constraints, or let its force act on what it keeps\n")))

    def test_a_singular_mass_matrix(self):
        self.assertEqual(self.run_model("coord x, y\nkinetic (x'^2 + x^2*y'^2)/2\n", "eval"), (3, "", (
            "m.lia: error: the mass matrix is singular at this state: the accelerations are not determined [L0504]\n"
            "   hint: choose another state with --at\n")))

    def test_what_has_no_value_at_the_state(self):
        elsewhere = "   hint: choose another state with --at, or other parameters with --set\n"
        for potential, reason in (
                ("1/x", "division by zero in 1/x"),
                ("sqrt(x - 1)", "a fractional power needs a nonnegative base in sqrt(x - 1)"),
                ("x*log(a)", "log needs a positive number in log(a)")):
            self.assertEqual(
                self.run_model(f"param a = -1\ncoord x\nkinetic x'^2/2\npotential {potential}\n", "eval"),
                (3, "", f"m.lia: error: the energy has no value at this state: {reason} [L0505]\n{elsewhere}"))
        self.assertEqual(self.run_model("coord x\nkinetic x'^2/2\nconstraint c: log(x) = 0\n", "eval", "--at", "x = -1"), (3, "", (
            "m.lia: error: the constraints have no value at this state: log needs a positive number in log(x) [L0505]\n"
            + elsewhere)))

    def test_an_unknown_function_has_no_value(self):
        self.assertEqual(self.run_model("function f(v)\ncoord x\nkinetic x'^2/2\nforce x = f(x')\n", "eval"), (3, "", (
            "m.lia: error: the applied force has no value at this state: "
            "f is not a known function: substitute an expression for it in f(x') [L0505]\n"
            "   hint: an unknown function has no value: write its formula in its place\n")))

    def test_a_start_without_a_value(self):
        code, out, err = self.run_model("param a = -1\ncoord x\nkinetic x'^2/2\nstart x = sqrt(a)\n", "eval")
        self.assertEqual((code, out), (3, ""))
        self.assertRegex(err, r"^m\.lia: error: the start has no value: .* in sqrt\(a\) \[L0505\]\n   hint: ")

    def test_numbers_beyond_a_double_are_an_error(self):
        steep = "param k = 1e200\ncoord x\nkinetic x'^2/(2*k)\nforce x = k\n"
        for options in ((), ("--json",)):
            code, out, err = self.run_model(steep, "eval", *options)
            self.assertEqual((code, err), (3, (
                "m.lia: error: `acceleration.x` is too large for a double [L0506]\n"
                "   hint: choose units in which it is smaller, or another state with --at\n")))
            self.assertEqual(list(json.loads(out)) if options else out, ["schema", "error", "diagnostics"] if options else "")

    def test_factors_in_directions_need_a_relation_for_each_force(self):
        model = PLANE + "force y = -1\nconstraint c: y' = 0 power y' - lambda(c)*abs(x')\nreaction q: x'\n"
        self.assertEqual(self.run_model(model, "eval", "--at", "x' = 1"), (3, "", (
            "m.lia: error: factors in a power need as many relations as forces [L0507]\n"
            "   hint: give each reaction a relation, or keep lambda() out of the powers\n")))


class Numbers(InFolder):
    def test_numbers_stand_in_a_column_with_their_units_and_without_noise(self):
        code, out, err = self.run_model("param m = 1 [kg], J = 1 [kg*m^2], k = 2 [N/m]\ncoord x [m], phi [rad]\n"
                                        "kinetic m*x'^2/2 + J*phi'^2/2\nforce x = -k*x\n"
                                        "constraint c: phi' = 0\n", "eval", "--at", "x = 0.1 + 0.2, x' = -1/4")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, (
            "  state\n"
            "    x                0.3                 m\n"
            "    phi              0                   rad\n"
            "    x'              -0.25                m/s\n"
            "    phi'             0                   rad/s\n"
            "    t                0                   s\n"
            "  energy\n"
            "    T                0.03125             J\n"
            "    V                0                   J\n"
            "  acceleration\n"
            "    x''             -0.6                 m/s^2\n"
            "    phi''            0                   rad/s^2\n"
            "  multiplier\n"
            "    c                0\n"
            "  r (rows: forces, columns: relations)\n"
            "    c                1\n"
            "  compatible: yes, regular\n"
            "  residual\n"
            "    c                0\n"))

    def test_open_multipliers_are_listed(self):
        code, out, _ = self.run_model(PLANE + "constraint c: x' = 0\nconstraint d: 2*x' = 0\n", "eval")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"  undetermined: any multiple may be added to the multipliers\n    -?2?\*?lambda\(c\) [+-] [\d.*]*lambda\(d\)\n")

    def test_factors_in_their_own_directions_are_searched_for(self):
        model = PLANE + ("potential 9.81*y\nconstraint f: y - x = 0 power y' - x' - 0.9*sin(5*lambda(f))*abs(x')\n"
                         "start x' = 5, y' = 5\n")
        code, out, _ = self.run_model(model, "eval", "--json")
        found = json.loads(out)
        factors = sorted(motion["multiplier"]["f"] for motion in found["motions"])
        self.assertEqual((code, len(factors)), (0, 9), out)
        for factor in factors:  # 2*lambda + 0.9*lambda*sin(5*lambda) = 9.81
            self.assertAlmostEqual(2*factor + 0.9*factor*math.sin(5*factor), 9.81, 8)
        self.assertIn("there may be more", found["remark"])


class Choices(InFolder):
    circle = PLANE + "constraint rod: x^2 + y^2 = 1\nstart x = 0, y = 1\n"

    def test_a_branch_that_was_chosen_is_said(self):
        code, out, err = self.run_model(self.circle, "eval", "--at", "x = 0.6")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("    note: y = 0.8 was chosen on `rod`: -0.8 is possible too\n", out)

    def test_choices_stand_in_the_json(self):
        _, out, _ = self.run_model(self.circle, "eval", "--json", "--at", "x = 0.6")
        self.assertEqual(json.loads(out)["chosen"], ["y = 0.8 was chosen on `rod`: -0.8 is possible too"])
        _, out, _ = self.run_model(self.circle, "eval", "--json")
        self.assertNotIn("chosen", json.loads(out))

    def test_the_start_of_the_model_gives_way(self):
        code, out, err = self.run_model(self.circle, "eval", "--json", "--at", "x = 1")
        self.assertEqual((code, err, json.loads(out)["state"]["y"]), (0, "", 0))
        self.assertEqual(self.run_model(self.circle, "eval", "--at", "x = 2")[0], 2)

    def test_a_run_says_what_its_start_chose(self):
        _, out, _ = self.run_model(self.circle, "simulate", "--until", "0.1", "--start", "x = 0.6")
        self.assertIn("  note: y = 0.8 was chosen on `rod`: -0.8 is possible too\n", out)


class Assignments(InFolder):
    def said(self, option, text):
        code, out, err = self.run_model("param m > 0 = 2\ncoord x\nkinetic m*x'^2/2\n", "eval", option, text)
        self.assertEqual((code, out), (2, ""))
        return err

    def test_a_name_that_is_no_part_of_the_state(self):
        self.assertEqual(self.said("--at", "q = 1"), (
            "--at:1:1: error: `q` is not a part of the state of the model [L0424]\n"
            "    1 | q = 1\n      | ^\n   hint: there are m, t, x, x'\n"))

    def test_a_value_given_twice(self):
        self.assertEqual(self.said("--at", "x = 1, x = 2"), (
            "--at:1:8: error: `x` is given twice [L0407]\n    1 | x = 1, x = 2\n      |        ^\n   hint: keep one\n"))

    def test_a_value_too_large_for_a_double(self):
        self.assertIn("error: this is too large for a double [L0425]\n", self.said("--at", "x = 1e400"))

    def test_a_positive_parameter_stays_positive(self):
        self.assertIn("error: `m` is declared positive, and this is not [L0434]\n", self.said("--set", "m = -1"))

    def test_units_are_those_of_the_declaration_or_stand_behind_the_number(self):
        model = "param m = 1 [kg], R > 0 = 50 [cm], g = 9.81 [m/s^2]\ncoord x [m]\nkinetic m*x'^2/2\npotential m*g*(x + R)\n"
        for given, metres in (("R = 20", 0.2), ("R = 20 [cm]", 0.2), ("R = 0.3 [m]", 0.3), ("R = 10 + 10", 0.2)):
            code, out, err = self.run_model(model, "eval", "--json", "--set", given, "--at", "x = 3 [cm], x' = 36 [km/h]")
            self.assertEqual((code, err), (0, ""))
            result = json.loads(out)
            self.assertEqual((result["parameters"]["R"], result["state"]["x"], result["state"]["x'"]), (metres, 0.03, 10))
        code, _, err = self.run_model(model, "eval", "--set", "R = 2 [s]")
        self.assertEqual(code, 2)
        self.assertIn("--set:1:8: error: `R` is m, and this is s [L0412]\n", err)

    def test_a_state_may_use_the_parameters_that_are_set(self):
        code, out, err = self.run_model("param m = 2\ncoord x\nkinetic x'^2/2\n", "eval", "--set", "m = 3", "--at", "x = m")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"\n    x +3\n")


class Codes(unittest.TestCase):
    def test_every_code_of_the_commands_is_documented_and_tested(self):
        header = (ROOT / "include/liaison/mechanism/message.hpp").read_text(encoding="utf-8")
        codes = {f"L0{number}" for number in re.findall(r"^  \w+ = (5\d\d),", header, re.M)}
        self.assertGreater(len(codes), 12)
        page = (ROOT / "docs/reference/errors.md").read_text(encoding="utf-8")
        self.assertEqual(codes, set(re.findall(r"^\| (L05\d\d) \|", page, re.M)))
        tests = "".join((ROOT / "tests/cli" / name).read_text(encoding="utf-8") for name in ("test_cli.py", "test_files.py", "test_simulate.py", "test_unilateral.py"))
        not_tested = codes - set(re.findall(r"L05\d\d", tests))
        self.assertEqual(not_tested, {"L0" + "599"})  # what the program does not expect cannot be asked for


if __name__ == "__main__":
    unittest.main()
