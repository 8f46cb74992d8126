#!/usr/bin/env python3
"""A hint that is followed word by word leads to a text that is right, and to the number that was meant.

usage: test_hints.py PROGRAM
"""

import csv
import io
import json
import math
import re
import subprocess
import unittest

from program import PROGRAM, InFolder

PLANE = """param m = 1, k = 2, mu = 0.3, g = 9.81
coord x, y
particle P mass m at [x, y]
"""
UNITS = """param m = 1 [kg], J = 0.1 [kg*m^2], g = 9.81 [m/s^2]
coord x [m], y [m], phi [rad]
body B mass m inertia J at [x, y] angle phi
gravity [0, -g]
"""


class Hints(InFolder):
    def hint_of(self, wrong, model=PLANE):
        code, _, err = self.run_model(model + wrong + "\n", "check")
        self.assertEqual(code, 2, err)
        self.assertEqual(err.count("error:"), 1, err)
        return err[err.index("hint: "):]

    def assert_right(self, text, model=PLANE):
        code, out, err = self.run_model(model + text + "\n", "check")
        self.assertEqual(code, 0, out + err)

    def test_what_they_say_is_read(self):
        for wrong, right in [
                ("force x = t < 1 ? 1 : 0", "if t < 1 then 1 else 0"),
                ("force x = 2*(x > 0 ? k : -k)", "if x > 0 then k else -k"),
                ("force x = -pow(x', 2)", "x'^2"),
                ("force x = -pow(x + y, 2)", "(x + y)^2"),
                ("output v = der(x)", "x'"),
                ("output v = diff(x', t)", "x''"),
                ("force x = Pi*x", "pi"),
                ("gravity g", "gravity [0, -g]"),
                ("gravity -9.81", "gravity [0, -9.81]"),
                ("let h = 5 [N/m]", "param h = 5 [N/m]"),
                ("prove x == x", "claim"),
                ("friction x = mu", "unilateral floor: y >= 0 friction f"),
        ]:
            with self.subTest(wrong):
                self.assertIn(f"`{right}`", self.hint_of(wrong))
        for right in ["force x = if t < 1 then 1 else 0", "force x = 2*(if x > 0 then k else -k)", "force x = -x'^2", "gravity [0, -g]",
                      "param h = 5 [N/m]"]:
            self.assert_right(right)

    def test_an_output_in_a_claim(self):
        hint = self.hint_of("output E = T + V\nclaim E == 0.5 at (x' = 1, y' = 0)")
        self.assertIn("`let E = ...`, and `output E = E`", hint)
        self.assert_right("let E = T + V\noutput E = E\nclaim E == 0.5 at (x' = 1, y' = 0)")

    def test_degrees(self):
        for text in ["start x = 30°", "param a = 30°", "start x = 30 °"]:
            self.assertIn("write `30 [deg]`", self.hint_of(text))
        self.assertIn("`param a = 30 [deg]`", self.hint_of("force x = sin(30°)"))
        self.write(PLANE)
        for command, option in [("eval", "--at"), ("eval", "--set"), ("simulate", "--start")]:
            name = "k" if option == "--set" else "x"
            end = ["--until", "0"] if command == "simulate" else []
            code, _, err = self.run_in(command, "m.lia", option, f"{name} = 30°", *end)
            self.assertEqual(code, 2)
            self.assertIn("write `30 [deg]`", err)
        code, out, _ = self.run_in("simulate", "m.lia", "--start", "x = 30 [deg]", "--until", "1", "--json")
        self.assertEqual(code, 0)
        self.assertAlmostEqual(json.loads(out)["final"]["x"], math.pi/6, places=15)

    def test_clauses_of_others_are_one_error_each(self):
        spring = "spring S: P to [0, 0] stiffness k rest 0.3 damper 2"
        self.assertIn("called `length` here", self.hint_of(spring))
        spring = spring.replace("rest", "length")
        self.assertIn("called `damping` here", self.hint_of(spring))
        self.assert_right(spring.replace("damper", "damping"))

    def test_a_comma_between_parameters(self):
        for text in ["param q = 1 l = 2", "param q = 1 [kg] l = 2 [m]"]:
            self.assertIn("separated by commas: `.., l = ..`", self.hint_of(text))

    def test_braces_in_quotes_are_letters(self):
        code, out, err = self.run_model('system "a { b"\n' + PLANE + 'start x = 1\n', "eval", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out)["system"], "a { b")

    def test_an_input_of_the_state(self):
        self.assertIn("`force x = ...`", self.hint_of("input u = -3*x"))
        self.assertIn("`force x = ...`", self.hint_of("input u = -3*x'"))

    def test_no_state_gives_what_a_parameter_takes(self):
        model = "param m = 0\ncoord x\nkinetic m/2*x'^2\nforce x = 1\n"
        for command in (["eval"], ["simulate", "--until", "1"]):
            code, _, err = self.run_model(model, command[0], *command[1:])
            self.assertEqual(code, 3, err)
            self.assertIn("no state helps: with m = 0", err)
            self.assertIn('--set "m = 1"', err)
        code, out, err = self.run_in("eval", "m.lia", "--set", "m = 1")
        self.assertEqual(code, 0, err)
        # here another state does help
        code, _, err = self.run_model("coord x\nkinetic x^2*x'^2/2\nforce x = 1\n", "eval", "--at", "x = 0")
        self.assertIn("choose another state", err)

    def test_options(self):
        code, _, err = self.run_model(PLANE + "output h = 2*y\n", "derive", "--format", "tex")
        self.assertEqual(code, 2)
        self.assertIn("did you mean `latex`?", err)
        code, _, err = self.run_in("simulate", "m.lia", "--until", "1", "--plot", "p.svg", "--phase", "h")
        self.assertEqual(code, 2)
        self.assertIn("a phase is of a coordinate", err)
        self.assertIn("--phase x, y", err)
        code, out, _ = self.run_in("new", "a b")
        self.assertTrue(out.endswith("next: liaison check 'a b.lia'\n"), out)
        command = out[out.index("check"):].strip()
        done = subprocess.run(f'"{PROGRAM}" {command}', shell=True, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


class NumbersInRelations(InFolder):
    """A number alone on a side has the unit of the other, in relations that can open as in those that cannot."""

    def test_unilateral_and_contact_take_them(self):
        for line in ["unilateral u: y >= 0.3", "unilateral u: y >= -0.3", "unilateral u: y <= 2", "unilateral u: 0.3 <= y",
                     "unilateral u: y' >= 0.3", "unilateral u: x^2 + y^2 <= 4", "unilateral u: distance(B, [0.3, 2]) >= 0.2",
                     "unilateral u: abs(y) <= 0.3", "unilateral u: min(x, y) >= 0.3", "unilateral u: y >= 0.3 friction 0.2 on x'",
                     "constraint c: 0.3 = y", "constraint c: 4 = x^2 + y^2",
                     "contact c: B on ground at [x, 0.02] normal [0, 1] friction 0.3",
                     "contact c: B on ground at [x, 0.02] normal [0, 1] friction 0.3 rolling 0.01"]:
            with self.subTest(line):
                code, out, err = self.run_model(UNITS + line + "\n", "check")
                self.assertEqual(code, 0, out + err)

    def test_other_numbers_are_refused(self):
        for line in ["unilateral u: y - 0.3 >= 0", "unilateral u: y >= 0.3 + x*y", "unilateral u: y >= m", "constraint c: y - 0.3 = 0",
                     "unilateral u: y >= 0.3 power (1 + x)*y'", "contact c: B on ground at [x, y + 1] normal [0, 1] friction 0.3"]:
            with self.subTest(line):
                code, _, err = self.run_model(UNITS + line + "\n", "check")
                self.assertEqual(code, 2)
                self.assertIn("[L0412]", err)

    def test_the_point_of_a_contact_is_in_metres(self):
        """x'' = -f*g; J*phi'' = -(0.5 - 0.02)*f*m*g - 0.01*m*g"""
        code, out, err = self.run_model(UNITS + "contact c: B on ground at [x, 0.02] normal [0, 1] friction 0.3 rolling 0.01\n"
                                        "start y = 0.5, x' = 3, phi' = 1\n", "eval", "--json")
        self.assertEqual(code, 0, err)
        found = json.loads(out)["acceleration"]
        self.assertAlmostEqual(found["x"], -0.3*9.81, places=12)
        self.assertAlmostEqual(found["phi"], -(0.48*0.3 + 0.01)*9.81/0.1, places=11)

    def test_a_ball_lands_there(self):
        self.write("param m = 1 [kg], g = 10 [m/s^2]\ncoord y [m]\nparticle P mass m at [0, y]\ngravity [0, -g]\n"
                   "unilateral u: y >= 0.3 restitution 0\nstart y = 0.8\n")
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "--json")
        self.assertEqual(code, 0, err)
        self.assertAlmostEqual(json.loads(out)["final"]["y"], 0.3, places=9)


class UnitsOfOutputs(InFolder):
    def test_of_reactions_and_energies(self):
        self.write("param m = 2 [kg], g = 9.81 [m/s^2], R = 0.5 [m]\ncoord x [m], y [m]\nparticle P mass m at [x, y]\ngravity [0, -g]\n"
                   "constraint floor: y = 0.25\nunilateral wall: x >= 0.1\nstart x = 1, y = 0.25\n"
                   "output load = lambda(floor)\noutput push = lambda(wall)\noutput turn = R*lambda(floor)\noutput all = T + V\n")
        code, _, err = self.run_in("simulate", "m.lia", "--until", "1", "--plot", "p.svg", "--columns", "load, push, turn, all, lambda(floor)")
        self.assertEqual(code, 0, err)
        text = re.sub(r"<[^>]*>", "", (self.folder / "p.svg").read_text(encoding="utf-8"))
        for label in ("columns [N]", "turn [N·m]", "all [J]"):  # the three forces share a panel
            self.assertIn(label, text)
        self.assertEqual(text.count("["), 4, text)  # and the time


class RowsOnTheStandardOutput(InFolder):
    def test_they_are_the_same_as_in_a_file(self):
        self.write("coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n")
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "--every", "0.25", "-o", "-")
        self.assertEqual(code, 0, err)
        self.assertIn("state at t = 1", err)
        self.assertFalse((self.folder / "-").exists())
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual(len(rows), 5)
        for row in rows:
            self.assertAlmostEqual(float(row["x"]), math.cos(float(row["t"])), places=7)
        code, report, _ = self.run_in("simulate", "m.lia", "--until", "1", "--every", "0.25", "-o", "run.csv")
        self.assertEqual(code, 0)
        self.assertIn("wrote run.csv", report)
        self.assertEqual((self.folder / "run.csv").read_text(), out)
        with open(self.folder / "kept", "w") as kept:  # behind what is there already
            kept.write("before\n")
            kept.flush()
            subprocess.run([PROGRAM, "simulate", "m.lia", "--until", "1", "--every", "0.25", "-o", "-"], cwd=self.folder, stdout=kept,
                           stderr=subprocess.DEVNULL, check=True)
        self.assertEqual((self.folder / "kept").read_text(), "before\n" + out)

    def test_a_reader_may_leave(self):
        self.write("coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n")
        done = subprocess.run(f'"{PROGRAM}" simulate m.lia --until 2000 --every 0.01 -o - 2>err | head -n 2', shell=True, cwd=self.folder,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stdout.splitlines()), 2)
        self.assertNotIn("error", (self.folder / "err").read_text())

    def test_names_without_a_format_are_refused(self):
        self.write("coord x\nkinetic x'^2/2\n")
        code, _, err = self.run_in("simulate", "m.lia", "--until", "1", "-o", "run")
        self.assertEqual(code, 2)
        self.assertIn("-o run.csv", err)
        self.assertFalse((self.folder / "run").exists())
        for options, told in [(["--json"], "the rows have the standard output"), (["--resume"], "is not gone on with")]:
            code, _, err = self.run_in("simulate", "m.lia", "--until", "1", "-o", "-", *options)
            self.assertEqual(code, 2)
            self.assertIn(told, err)
        code, _, err = self.run_in("simulate", "m.lia", "--until", "1", "-o", "/dev/null")
        self.assertEqual(code, 0, err)


if __name__ == "__main__":
    unittest.main()
