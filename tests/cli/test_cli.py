#!/usr/bin/env python3
"""The command line is a contract: exit codes, and what goes to which stream, word for word.

usage: test_cli.py PROGRAM
"""

import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


def run(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class CommandLine(unittest.TestCase):
    def test_what_holds_exits_with_0(self):
        self.assertEqual(run("zero", "tan(x/2) - sin(x)/(1 + cos(x))"),
                         (0, "tan(½ x) − sin(x)/(cos(x) + 1) = 0: proved\n", ""))

    def test_what_does_not_hold_exits_with_1_and_shows_a_witness(self):
        code, out, err = run("zero", "sin(2*x) - sin(x)*cos(x)")
        self.assertEqual((code, err), (1, ""))
        self.assertRegex(out, r"refuted at x = -?\d+/\d+: \S+ is not 0\n$")

    def test_bad_text_exits_with_2_and_says_where(self):
        self.assertEqual(run("simplify", "2*(x + y"), (2, "", (
            "expression:1:9: error: a `)` is missing [L0108]\n"
            "    1 | 2*(x + y\n"
            "      |         ^ the text ends here\n"
            "   note: a bracket was opened at 1:3\n"
            "   hint: write `)` where it belongs\n")))

    def test_an_identically_vanishing_denominator_is_bad_input(self):
        self.assertEqual(run("zero", "1/(sin(x)^2 + cos(x)^2 - 1)"), (2, "", (
            "error: division by an expression that is identically zero\n"
            "   hint: it vanishes for all values of its symbols\n")))

    def test_an_unknown_command_names_the_nearest(self):
        self.assertEqual(run("zera", "x"), (2, "", "error: unknown command `zera`\n   hint: did you mean `zero`?\n"))

    def test_a_missing_argument_points_to_the_help(self):
        self.assertEqual(run("zero"), (2, "", (
            "error: expression is required\n   hint: `liaison zero --help` shows what is expected\n")))

    def test_the_tour_ends_well(self):
        code, out, err = run("tour")
        self.assertEqual((code, err), (0, ""))
        self.assertNotIn("unknown", out)
        self.assertNotIn("checked", out)


if __name__ == "__main__":
    unittest.main()
