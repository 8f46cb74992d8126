#!/usr/bin/env python3
"""`integral(..)` along a motion: closed forms and quadratures by mpmath, over kinks, resets, impacts and slips.

usage: test_integrals.py PROGRAM
"""

import csv
import math
import re
import unittest

import mpmath
from program import InFolder

OSCILLATOR = "coord x\nkinetic x'^2/2\npotential x^2/2\nstart x' = 1\n"


class Integrals(InFolder):
    def rows(self, text, *options):
        code, out, error = self.run_model(text, "simulate", *options, "-o", "run.csv")
        self.assertEqual(code, 0, out + error)
        with open(self.folder / "run.csv", encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("#")]
        self.said = out + error
        return [{name.split(" ")[0]: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]

    def near(self, found, right, size=1e-8):
        self.assertLessEqual(abs(found - right), size * max(1, abs(right)), (found, right))

    def test_each_row_has_the_integral_up_to_it(self):
        for method in ("dop853", "taylor", "bdf", "arkode"):
            rows = self.rows(OSCILLATOR + "output a = integral(x'^2)\noutput b = 2*integral(x)/(1 + integral(T))\n",
                             "--until", "7", "--every", "0.5", "--tol", "1e-11", "--integrator", method)
            self.assertEqual(len(rows), 15)
            for row in rows:
                t = row["t"]
                kinetic = t / 4 + math.sin(2 * t) / 8
                self.near(row["a"], 2 * kinetic)
                self.near(row["b"], 2 * (1 - math.cos(t)) / (1 + kinetic))

    def test_corners_and_jumps_of_what_is_integrated(self):
        rows = self.rows(OSCILLATOR + "output way = integral(abs(x'))\noutput time = integral(if x > 1/2 then 1 else 0)\n",
                         "--until", "20", "--every", "5", "--tol", "1e-12")
        for row in rows:
            way = float(mpmath.quad(lambda s: abs(mpmath.cos(s)), sorted({0, row["t"], *(
                s for k in range(8) if (s := (k + 0.5) * math.pi) < row["t"])})))
            turns, rest = divmod(row["t"], 2 * math.pi)
            time = turns * 2 * math.pi / 3 + min(max(rest - math.pi / 6, 0), 2 * math.pi / 3)
            self.near(row["way"], way, 1e-9)
            self.near(row["time"], time, 1e-9)

    def test_short_parts_are_not_overlooked(self):
        """Narrow hills, pulses of the time, windows of the state in a motion of five steps."""
        free = "coord x\nkinetic x'^2/2\nstart x' = 1\n"
        hill = math.sqrt(math.pi) / 1000
        for integrand, right in (("exp(-(1000*(x - 0.37))^2)", hill), ("1 + exp(-(1000*(x - 0.37))^2)", 1 + hill), ("step(t - 0.3)*step(0.305 - t)", 0.005),
                                 ("if 0.4 < x and x < 0.401 then 1 else 0", 0.001), ("if abs(t - 0.3777) < 0.00001 then 1 else 0", 2e-5), ("tanh(1e6*(x - 0.123))", 0.754)):
            for every in ((), ("--every", "0.1")):
                row = self.rows(free + f"output c = integral({integrand})\n", "--until", "1", *every)[-1]
                self.assertLess(abs(row["c"] - right), 1e-11, integrand)
        claim = free + "claim a: integral(exp(-(1000*(x - 0.37))^2)) == sqrt(pi)/1000 after 1 within 1e-6\n"
        self.assertIn("checked     a", self.run_model(claim, "check")[1])

    def test_what_has_no_sum_is_said(self):
        free = "coord x\nkinetic x'^2/2\nstart x' = 1\n"
        for pole in ("1/(x - 0.31)", "1/(x - 0.3)^2", "1/(x - 0.31)^2"):
            code, out, error = self.run_model(free + f"output c = integral({pole})\n", "simulate", "--until", "1")
            self.assertEqual((code, error), (0, ""))
            self.assertIn("note: the output `c` has no value at t = ", out)
        code, out, _ = self.run_model(free + "claim a: integral(1/(x - 0.31)) == log(0.59/0.31) after 0.9\n", "check")
        self.assertEqual(code, 1)
        self.assertIn("UNKNOWN", out)

    def test_one_does_not_spoil_another(self):
        text = ("coord x\nkinetic x'^2/2\npotential 9*x^2/2\nstart x = 1\noutput fast = integral(cos(1000*t)*x)\n"
                "output hill = integral(exp(-((t - 1.234567)/1e-3)^2))\noutput none = integral(x'^2/2 + 9*x^2/2 - 9/2)\n")
        row = self.rows(text, "--until", "2", "--tol", "1e-12")[-1]
        self.near(row["fast"], float(mpmath.sin(1003 * 2) / 2006 + mpmath.sin(997 * 2) / 1994), 1e-11)
        self.near(row["hill"], math.sqrt(math.pi) / 1000, 1e-12)
        self.near(row["none"], 0, 1e-10)
        claims = "coord x\nkinetic x'^2/2\nstart x' = 1\nclaim a: integral(x') - x == 0 after 1\nclaim b: integral(x') - x == 1e-3 after 1\n"
        out = self.run_model(claims, "check")[1]
        self.assertIn("checked     a", out)
        self.assertIn("REFUTED     b", out)

    def test_it_does_not_reach_the_equations(self):
        """Also not by a name."""
        free = "coord x\nkinetic x'^2/2\nlet W = integral(x)\n"
        for statement, place in (("potential W", "the potential"), ("force x = -W", "a force"), ("constraint c: x = W", "a constraint"),
                                 ("unilateral f: x + W >= 0", "a unilateral"), ("event e: x = 1 then reset x' = W", "reset"), ("particle P mass 1 at [W, 0]", "")):
            code, _, error = self.run_model(free + statement + "\n", "check")
            self.assertEqual(code, 2, statement)
            self.assertIn("holds an integral", error)

    def test_its_brackets(self):
        for text in ("integral(x", "integral(x]", "integral((x)", "integral([x)]"):
            code, _, error = self.run_model(f"coord x\nkinetic x'^2/2\noutput a = {text}\n", "check")
            self.assertEqual(code, 2, text)
            self.assertIn("L0108", error)

    def test_work_is_what_the_energy_lost(self):
        text = """param m = 2 [kg], k = 50 [N/m], c = 3 [N*s/m], F = 4 [N]
coord x [m]
kinetic m/2*x'^2
spring S: x stiffness k damping c
force x = F*sin(3*t/1)
start x = 0.3
let lost = integral(c*x'^2)
output balance = T + V + lost - integral(F*sin(3*t/1)*x')
output lost_energy = lost
"""
        rows = self.rows(text.replace("3*t/1", "w*t").replace("F = 4 [N]", "F = 4 [N], w = 3 [rad/s]"), "--until", "9", "--tol", "1e-11")
        for row in rows:
            self.near(row["balance"], 50 * 0.09 / 2)

    def test_across_events_that_reset(self):
        rows = self.rows("coord x\nkinetic x'^2/2\nevent back: x = 1 rising then reset x = 0\nstart x' = 1\noutput a = integral(x)\n",
                         "--until", "5.5", "--every", "0.5")
        self.near(rows[-1]["a"], 5 * 0.5 + 0.125)

    def test_contacts(self):
        text = """coord x
kinetic x'^2/2
gravity_is_off
unilateral floor: x >= 0 restitution 1/2
force x = -10
start x = 5
output area = integral(x)
output push = integral(lambda(floor))
""".replace("gravity_is_off\n", "")
        rows = self.rows(text, "--until", "8", "--every", "0.25", "--tol", "1e-11")
        fall = 1.0  # a fall of one second from 5, then hops of 1, 1/2, 1/4 ... seconds of the height 5/4, 5/16, ...
        area = 5 - 10 / 6 + sum(2 / 3 * (5 / 4 ** k) * 2 / 2 ** k for k in range(1, 40))
        self.near(rows[-1]["area"], area, 1e-7)
        self.near(rows[-1]["push"], 10 * (8 - fall - 2), 1e-7)
        self.assertIn("impulses of impacts are no part", self.said)

    def test_a_slip_in_space_that_begins(self):
        text = """param f = 0.3
coord x, y, z
particle P mass 2 at [x, y, z]
gravity [0, 0, -10]
force x = 4*t
force y = 3*t
unilateral floor: z >= 0 friction f on [x', y']
output work = integral(4*t*x' + 3*t*y')
output friction = integral(lambda(floor)*f*sqrt(x'^2 + y'^2))
output T0 = T
"""
        rows = self.rows(text, "--until", "3", "--every", "0.1", "--tol", "1e-11")
        # it slips from 5 t = 6 on: 2 v' = 5 t - 6
        for row in rows:
            s = max(row["t"] - 1.2, 0)
            v = 5 * s * s / 4
            self.near(row["T0"], v * v, 1e-7)
            self.near(row["work"] - row["friction"], v * v, 1e-7)
            self.near(row["friction"], 6 * 5 * s ** 3 / 12, 1e-7)

    def test_claims_after_a_time(self):
        text = OSCILLATOR + """claim kinetic: integral(x'^2) == 1 + sin(4)/4 after 2 within 1e-9
claim way: integral(abs(x')) == 4 after 2*pi within 1e-9
claim wrong: integral(x) == 1 after 2
claim nothing: integral(x) == 0 after 0
"""
        code, out, error = self.run_model(text, "check")
        self.assertEqual(code, 1, out + error)
        words = [line.split()[0] for line in out.split("\n") if re.match(r"  \S+ +(kinetic|way|wrong|nothing):", line)]
        self.assertEqual(words, ["checked", "checked", "REFUTED", "checked"], out)

    def test_a_run_that_goes_on(self):
        text = OSCILLATOR + "output a = integral(x'^2)\n"
        whole = self.rows(text, "--until", "6", "--every", "1")
        self.rows(text, "--until", "3", "--every", "1")
        longer = self.rows(text, "--until", "6", "--every", "1", "--resume")
        self.assertEqual(len(longer), len(whole))
        self.near(longer[-1]["a"], 3 + math.sin(12) / 4, 1e-8)

    def test_what_is_not_known_of_a_run_that_goes_on_stays_said(self):
        text = "coord x\nkinetic x'^2/2\nstart x' = 1\noutput c = integral(exp(-(1e9*(sin(x) - 0.31))^2))\n"
        told = "next to t = 0.31519303"
        self.rows(text, "--until", "0.5", "--every", "0.1")
        self.assertIn(told, self.said)
        self.rows(text, "--until", "1", "--every", "0.1", "--resume")
        self.assertIn(told, self.said)

    def test_what_is_refused(self):
        for line, words in (
                ("claim integral(x) == 1", "is claimed `after` a time"),
                ("claim conserved(integral(x))", "cannot stand in a conserved quantity"),
                ("force x = -integral(x)", "cannot stand in a force"),
                ("event full: integral(x) = 1", "cannot stand in an event"),
                ("output a = integral(integral(x))", "cannot stand in another one"),
                ("output a = integral()", "takes an expression"),
                ("let a = integral(x)\noutput b = a'", "its rate is what is integrated")):
            code, out, error = self.run_model(OSCILLATOR + line + "\n", "check")
            self.assertEqual(code, 2, line)
            self.assertIn(words, out + error)
        text = OSCILLATOR + "output a = integral(x)\n"
        code, out, error = self.run_model(text, "simulate", "--until", "1", "--sensitivity", "x")
        self.assertNotEqual(code, 0)
        self.assertIn("holds an integral along the motion", out + error)
        code, out, error = self.run_model(text + "unilateral floor: x >= -9\n", "simulate", "--until", "1", "--integrator", "moreau", "--step", "0.01")
        self.assertNotEqual(code, 0)
        self.assertIn("does not sum `integral(..)`", out + error)


if __name__ == "__main__":
    unittest.main()
