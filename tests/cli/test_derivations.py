#!/usr/bin/env python3
"""Every derivation reads well: no line over 100 columns, LaTeX with balanced brackets, HTML that is well formed; and what is wrong
with the constraints of a system is said by name.

usage: test_derivations.py PROGRAM [PAGES]     a folder in which pages of models lie, which are read again if they are of this program
"""

import concurrent.futures
import html.entities
import pathlib
import re
import sys
import tempfile
import unicodedata
import unittest
import xml.etree.ElementTree

from program import PROGRAM, ROOT, InFolder, run

PAGES = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).is_dir() else None
WIDTH = 100


def columns(line):
    return sum(not unicodedata.combining(character) for character in line)


def open_environments(latex):
    """What is wrong with the braces and environments, or None."""
    if "\\begin{document}" not in latex or not latex.rstrip().endswith("\\end{document}"):
        return "it is not a whole document"
    stack = []
    for match in re.finditer(r"\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}|\\.|%.*|[{}]", latex):
        begin, end = match.groups()
        token = match.group(0)
        if begin or token == "{":
            stack.append(begin or "{")
        elif end or token == "}":
            if not stack or stack.pop() != (end or "{"):
                return f"`{token}` closes nothing: ...{latex[max(0, match.start() - 60):match.end()]}"
    return f"not closed: {stack}" if stack else None


def problem_of_text(text):
    wide = [line for line in text.splitlines() if columns(line) > WIDTH]
    return f"{columns(wide[0])} columns: {wide[0]}" if wide else None


def problem_of_page(text):
    entities = "".join(f"<!ENTITY {name.rstrip(';')} '&#{ord(text)};'>" for name, text in html.entities.html5.items()
                       if name in ("nbsp;", "thinsp;"))
    page = re.sub(r"<!DOCTYPE html>", f"<!DOCTYPE html [{entities}]>", text, count=1)
    page = re.sub(r"<(meta|link|br|wbr|hr|img)\b([^>]*?)/?>", r"<\1\2/>", page)  # void elements of HTML
    try:
        root = xml.etree.ElementTree.fromstring(page)
    except xml.etree.ElementTree.ParseError as error:
        return str(error)
    return None if root.tag.endswith("html") else f"the root is {root.tag}"


FORMATS = {"page.txt": problem_of_text, "page.tex": open_environments, "page.html": problem_of_page}


def pages_of(model):
    """Its pages, with all roads to the motion on them, if models/formulations has just written them; else None."""
    if PAGES is None:
        return None
    files = [(PAGES / model.relative_to(ROOT / "models")).with_suffix(pathlib.Path(name).suffix) for name in FORMATS]
    newest = max(pathlib.Path(PROGRAM).stat().st_mtime, model.stat().st_mtime)
    return files if all(file.exists() and file.stat().st_mtime > newest for file in files) else None


def problems_of(model):
    """What is wrong with the derivation of a model, derived once and written in each format."""
    if files := pages_of(model):
        found = [(name, FORMATS[name](file.read_text(encoding="utf-8"))) for name, file in zip(FORMATS, files)]
        return [f"{model.name}: {name}: {problem}" for name, problem in found if problem]
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in FORMATS]
        code, out, err = run("derive", str(model), *(word for file in files for word in ("-o", str(file))))
        if (code, out, err) != (0, "", ""):
            return [f"{model.name}: exit code {code}: {out}{err}"]
        found = [(file.name, FORMATS[file.name](file.read_text(encoding="utf-8"))) for file in files]
    return [f"{model.name}: {name}: {problem}" for name, problem in found if problem]


class EveryModel(unittest.TestCase):
    def test_every_format_reads_well(self):
        models = sorted((ROOT / "models").rglob("*.lia"))
        self.assertGreater(len(models), 50)
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            self.assertEqual([problem for problems in pool.map(problems_of, models) for problem in problems], [])

    def test_the_files_hold_what_each_format_prints(self):
        with tempfile.TemporaryDirectory() as folder:
            text, page = pathlib.Path(folder) / "page.txt", pathlib.Path(folder) / "page.html"
            model = str(ROOT / "models" / "tutorial" / "pendulum.lia")
            self.assertEqual(run("derive", model, "-o", str(text), "-o", str(page)), (0, "", ""))
            self.assertEqual(text.read_text(encoding="utf-8"), run("derive", model)[1])
            self.assertEqual(page.read_text(encoding="utf-8"), run("derive", model, "--format", "html")[1])
            code, _, err = run("derive", model, "-o", str(text), "-o", str(text))
            self.assertEqual(code, 2)
            self.assertIn("this is the same file as", err)


class TheTestItself(unittest.TestCase):
    def test_it_sees_what_is_not_balanced(self):
        whole = "\\begin{document}%s\\end{document}\n"
        self.assertIsNone(open_environments(whole % "\\{ \\begin{align*}{x}\\end{align*} % }\n"))
        self.assertIsNotNone(open_environments(whole % "{x"))
        self.assertIsNotNone(open_environments(whole % "x}"))
        self.assertIsNotNone(open_environments(whole % "\\begin{align*}{x\\end{align*}}"))

    def test_a_dotted_letter_is_one_column(self):
        self.assertEqual(columns("φ̇ = ω"), 5)


class WhatIsWrong(InFolder):
    """Redundant, contradictory and incompatible constraints, by name and combination."""

    PLANE = "coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\n"

    def derive(self, constraints):
        code, out, err = self.run_model(self.PLANE + constraints, "derive")
        self.assertEqual((code, err), (0, ""))
        return re.sub(r"\s+", " ", out)

    def test_equations_that_nobody_would_read_are_told_by_their_size(self):
        code, out, err = run("derive", str(ROOT / "models/bodies/bicycle_of_four_bodies.lia"), "--format", "latex")
        self.assertEqual((code, err), (0, ""))
        self.assertLess(len(out), 400_000)  # 3.6 million with them
        self.assertIn("too long to be read; `derive --full` shows them", " ".join(out.split()))

    def test_the_reason_why_there_is_no_closed_form_is_told(self):
        text = "coord x, y, z\nkinetic (2 + (x + y + z + 1)^80)*x'^2 + (1 + (x + 2*y + z^2 + 1)^70)*y'^2 + (1 + (x + y*z + 1)^40)*z'^2" \
               " + x'*y'*(x + y + 1)^50 + x'*z'*(x + z + 3)^30 + y'*z'/9\nconstraint c: x' = (y + z + x)^40*y'\n"
        code, out, _ = self.run_model(text, "derive", "--formulation", "all")
        self.assertEqual(code, 0)
        self.assertIn("the solution of a linear system ended", re.sub(r"\s+", " ", out))
        self.assertNotIn("too large for", out)

    def test_a_relation_said_twice_is_redundant(self):
        out = self.derive("constraint wall: x' = 0\nconstraint rail: y' = 0\nconstraint again: 2*x' = 0\n")
        self.assertIn("The constraints wall and again are not independent: 2 a_wall − a_again = 0. "
                      "One of them is redundant.", out)
        self.assertIn("Redundant but consistent: the relations do not determine all factors, "
                      "but the motion does not depend on what stays open: the combination", out)
        self.assertIn("λ_rail = 0", out)
        self.assertNotIn("λ_again = λ_again", out)

    def test_three_relations_of_which_one_follows(self):
        out = self.derive("constraint a: x' = 0\nconstraint b: y' = 0\nconstraint c: x' + y' = 0\n")
        self.assertRegex(out, r"The constraints a, b and c are not independent: a_a \+ a_b − a_c = 0\.")

    def test_velocities_that_contradict_each_other(self):
        out = self.derive("constraint slow: x' = 0\nconstraint fast: x' = 1\nconstraint rail: y' = 2\n")
        self.assertIn("The constraints slow and fast contradict each other: a_slow − a_fast = 1, which is not 0. "
                      "No motion keeps them all.", out)
        self.assertTrue(out.rstrip().endswith("There are none: the system is contradictory, no motion keeps all the "
                                              "constraints."), out[-200:])

    def test_positions_that_contradict_each_other(self):
        out = self.derive("constraint left: x = 0\nconstraint right: x = 2\n")
        self.assertIn("The constraints left and right contradict each other: f_left − f_right = 2", out)

    def test_relations_that_agree_only_somewhere(self):
        out = self.derive("constraint one: x' = 0\nconstraint two: x' = y\n")
        self.assertIn("The constraints one and two are not independent: a_one − a_two = y. "
                      "Together they hold only where this is 0.", out)

    def test_a_force_that_does_not_keep_its_constraint(self):
        out = self.derive("constraint hold: x' = 0 along dy\n")
        self.assertIn("The force does not keep the constraint hold: whatever the factors are, a_hold changes at the rate "
                      "(8) 1 This is never 0. The system is contradictory.", out)
        self.assertNotIn("The reduced form", out)

    def test_incompatible_constraints_and_where_they_are_not(self):
        out = self.derive("constraint one: x' = 0\nconstraint two: x' = t^2\n")
        self.assertIn("Together they hold only where this is 0.", out)
        self.assertIn("The constraints one and two are incompatible: whatever the factors are, ", out)
        self.assertIn("There is a motion only where this is 0.", out)
        self.assertIn("There are none in general", out)

    def test_open_factors_on_which_the_motion_depends(self):
        out = self.derive("constraint wall: y' = 0\nreaction thrust: x'\n")
        self.assertIn("Undetermined motion: the relations do not determine all factors, "
                      "and the motion depends on what stays open: the combination • λ_thrust", out)

    def test_there_is_no_agreement_on_no_motion(self):
        for constraints in ("constraint hold: x' = 0 along dy\n", "constraint left: x = 0\nconstraint right: x = 2\n",
                            "constraint never: x^2 + y^2 = -1\n"):
            code, out, err = self.run_model(self.PLANE + constraints, "derive", "--formulation", "all")
            self.assertEqual((code, err), (1, ""))
            self.assertRegex(out, r"lagrange +empty: there is no motion to agree on\n")
            self.assertNotRegex(out, r"(?m)^  \w+ +proved$")

    def test_a_singular_mass_matrix_is_said(self):
        code, out, _ = self.run_model("coord x, y\nkinetic (x' + y')^2/2\n", "derive")
        self.assertEqual(code, 0)
        self.assertIn("The mass matrix is singular everywhere (undetermined motion)", out)

    def test_conditions_that_cannot_fail_are_not_mentioned(self):
        model = ("param m > 0, M > 0, l > 0, g\ncoord x, phi\nkinetic M*x'^2/2 + m/2*((x' + l*phi'*cos(phi))^2 "
                 "+ (l*phi'*sin(phi))^2)\npotential -m*g*l*cos(phi)\n")
        code, out, _ = self.run_model(model, "derive")
        self.assertEqual(code, 0)
        self.assertNotIn("This holds where", out)
        code, out, _ = self.run_model("param m\ncoord x\nkinetic m*x'^2/2\nforce x = 1\n", "derive")
        self.assertIn("This holds where m ≠ 0.", out)

    def test_a_minus_sign_before_brackets_goes_inside(self):
        code, out, _ = self.run_model("param m > 0, R > 0\ncoord x, y, phi, theta\n"
                                      "kinetic m/2*(x'^2 + y'^2) + m*R^2/8*phi'^2 + m*R^2/4*theta'^2\n"
                                      "constraint roll_x: x' + R*theta'*sin(phi) = 0\n"
                                      "constraint roll_y: y' - R*theta'*cos(phi) = 0\n", "derive")
        self.assertEqual(code, 0)
        self.assertIn("(2 − cos(2 φ))/m", out)

    def test_values_in_si_units_have_their_units(self):
        code, out, _ = self.run_model("param m = 2 [kg], l = 50 [cm], n = 60 [rpm], a = 180 [deg], g = 9.81 [m/s^2], k = 3 [kN/m]\n"
                                      "coord x [m]\nkinetic m/2*x'^2\nforce x = -m*l*n^2*cos(a) - m*g - k*x\n", "derive")
        self.assertEqual(code, 0)
        rows = [line.split() for line in out[out.index("value in SI units"):].splitlines()[2:8]]
        self.assertEqual([row[0] + " " + row[-1] for row in rows], ["m kg", "l m", "n rad/s", "a rad", "g m/s²", "k N/m"])
        self.assertAlmostEqual(float(rows[2][1]), 6.283185307179586)
        self.assertEqual((rows[1][1], rows[5][1]), ("0.5", "3000"))

    def test_a_form_is_broken_between_its_terms(self):
        model = ("param crank_length = 1, rod_length = 2, mass_rod = 1\ncoord crank_angle, rod_angle\n"
                 "kinetic mass_rod/2*crank_length^2*crank_angle'^2 + mass_rod*crank_length*rod_length*cos(rod_angle)*crank_angle'*rod_angle' + mass_rod*rod_length^2*rod_angle'^2\n")
        code, page, _ = self.run_model(model, "derive", "--format", "html")
        self.assertEqual(code, 0)
        self.assertIn("∧", page)
        self.assertNotRegex(page, r"<wbr>(<span[^>]*>)*<math[^>]*><mrow><mo[^>]*>∧")  # no line begins with it


if __name__ == "__main__":
    unittest.main()
