#!/usr/bin/env python3
"""Claims have a budget, results come as they are decided and survive an interrupt, and a verdict is shown with its conditions.

usage: test_check.py PROGRAM
"""

import json
import math
import re
import signal
import subprocess
import unittest

from program import LIMIT, PROGRAM, ROOT, InFolder

PLANE = "coord x, y\nkinetic (x'^2 + y'^2)/2\n"
CLAIMS = 4000  # more than are decided before the signal


def chain(rods, claims):
    numbers = range(1, rods + 1)
    lines = ["param m > 0, g > 0, l > 0", "coord " + ", ".join(f"x{i}, y{i}" for i in numbers),
             "kinetic m/2*(" + " + ".join(f"x{i}'^2 + y{i}'^2" for i in numbers) + ")",
             "potential m*g*(" + " + ".join(f"y{i}" for i in numbers) + ")", "constraint rod1: x1^2 + y1^2 = l^2"]
    lines += [f"constraint rod{i}: (x{i} - x{i - 1})^2 + (y{i} - y{i - 1})^2 = l^2" for i in numbers[1:]]
    return "\n".join(lines + [f"claim {claim}" for claim in claims]) + "\n"


class LargeSystems(InFolder):
    def test_a_witness_in_time_is_in_declared_units(self):
        code, out, err = self.run_model("param m = 300 [g], k = 2 [N/mm]\ncoord x [m]\nparticle P mass m at [x, 0]\npotential k/2*x^2\n"
                                        "claim x == 0 at (x = 0.01) after 0.01\n", "check")
        self.assertEqual((code, err), (1, ""))
        self.assertIn("refuted at m = 300, k = 2, t = 1/100,", out)

    def test_the_energy_of_a_hundred_rods_is_proved_as_that_of_one(self):
        """From the balance of power, without a closed form: there is no limit of bodies."""
        for rods in (1, 30, 100):
            code, out, err = self.run_model(chain(rods, ["conserved(T + V)"]), "check")
            self.assertEqual((code, out, err), (0, "m.lia\n  proved      conserved(T + V)\n1 claim: 1 proved\n", ""))

    def test_a_large_system_without_a_motion_has_no_proof(self):
        model = chain(30, ["conserved(T + V)"]).replace("constraint rod30", "constraint same: x29 = 40*l\nconstraint rod30")
        code, out, _ = self.run_model(model, "check")
        self.assertEqual(code, 1, out)
        self.assertNotIn("proved      conserved", out)


class SmallUnits(InFolder):
    def test_a_true_claim_in_time_holds_in_any_unit(self):
        for size in ("1", "1/10^9", "1/10^15"):
            model = f"param a = {size}\ncoord x\nkinetic x'^2/2\npotential x^2/2\nstart x = a\nclaim x == a*cos(2) after 2\n"
            code, out, err = self.run_model(model, "check")
            self.assertEqual((code, err), (0, ""), size)
            self.assertIn("1 checked", out, size)

    def test_a_run_is_as_exact_in_small_units(self):
        for size in (1, 1e-6, 1e-9, 3e-12):
            self.write(f"coord x\nkinetic x'^2/2\npotential x^2/2\nstart x = {size}\n")
            code, out, err = self.run_in("simulate", "m.lia", "--until", "100", "--json")
            self.assertEqual((code, err), (0, ""), size)
            self.assertLess(abs(json.loads(out)["final"]["x"] / size - math.cos(100)), 1e-7, size)

    def test_a_constant_in_the_potential_hides_no_error(self):
        for constant in ("0", "50", "10^4", "10^12"):
            self.write(f"coord x\nkinetic x'^2/2\npotential {constant} + x^2/2\nstart x = 1\n")
            code, out, err = self.run_in("simulate", "m.lia", "--until", "1000", "--tol", "1e-3")
            self.assertEqual((code, err), (0, ""), constant)
            self.assertRegex(out, r"T \+ V +kept to 0\.\d digits", constant)

    def test_a_pulse_is_seen_however_long_the_run_may_be(self):
        self.write("coord x\nkinetic x'^2/2\nforce x = 1000*exp(-((t - 1)/0.0001)^2)\nevent e: t = 2 then stop\n")
        for until in ("3", "1e15"):
            code, out, err = self.run_in("simulate", "m.lia", "--until", until, "--json")
            self.assertEqual((code, err), (0, ""), until)
            self.assertAlmostEqual(json.loads(out)["final"]["x'"], 0.1 * math.sqrt(math.pi), 8, until)


class Budgets(InFolder):
    def test_what_is_no_budget_is_refused_before_work_begins(self):
        for text in ("0", "-3", "many", "1e400", "1.5", "inf", "nan", "1e9x"):
            self.assertEqual(self.run_in("check", "nowhere.lia", f"--budget={text}"), (2, "", (
                f"--budget: error: `{text}` is not a whole number of operations from 1 to 9e15 [L0514]\n"
                "   hint: --budget 1e9\n")))

    def test_the_same_claim_is_decided_with_enough_and_not_without(self):
        model = chain(2, ["conserved(T + V)"])
        self.assertEqual(self.run_model(model, "check")[:2], (0, "m.lia\n  proved      conserved(T + V)\n1 claim: 1 proved\n"))
        code, out, err = self.run_model(model, "check", "--budget", "1")
        self.assertEqual((code, err), (1, ""))
        self.assertRegex(out, r"UNKNOWN     conserved\(T \+ V\)\n.*limit of .*operations was reached")

    def test_a_budget_is_for_each_claim(self):
        model = chain(2, ["conserved(T + V)"] * 3)
        code, out, _ = self.run_model(model, "check", "--budget", "1e7")
        self.assertEqual((code, out.count("proved      ")), (0, 3), out)

    def test_the_same_budget_gives_the_same_verdicts(self):
        model = chain(3, ["conserved(T + V)", "conserved(T)", "lambda(rod1) == 0", "compatible"])
        for budget in ("1e3", "1e5", "1e7"):
            self.assertEqual(self.run_model(model, "check", "--json", "--budget", budget),
                             self.run_model(model, "check", "--json", "--budget", budget))


CAR = """param m > 0, A > 0, B > 0, C > 0, J > 0, a > 0, b > 0, R > 0
coord x, y, z, psi, theta, phi, p1, p2, p3
body S mass m inertia [A, B, C] at [x, y, z] angles (psi, theta, phi) order zyx
kinetic J/2*(p1'^2 + p2'^2 + p3'^2)
frame k1 on S at [a, b, -R]
frame k2 on S at [-a, b, -R]
constraint r1: k1.z' = 0
constraint r2: k2.z' = 0
constraint s1: k1.x' = R*p1'*cos(psi)*cos(theta)
constraint s2: k1.y' = R*p1'*sin(psi)*cos(theta)
constraint s3: k2.x' = R*p2'*cos(psi)*cos(theta)
"""


class ExpensiveMotions(InFolder):
    def test_claims_about_states_do_not_wait_for_the_motion(self):
        """Its closed forms would take 10 s and more, and are asked for by no claim but the last."""
        asked = CAR + "claim sin(psi)^2 + cos(psi)^2 == 1\nclaim relation: k1.z' == 0\n"
        (self.folder / "m.lia").write_text(asked + "claim x'' == x''\n")
        run = subprocess.Popen([PROGRAM, "check", "m.lia"], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        try:
            lines = [run.stdout.readline() for _ in range(3)]
            self.assertIsNone(run.poll(), "told as they are decided")
        finally:
            run.kill()
            run.communicate()
        self.assertEqual([line.split()[0] for line in lines], ["m.lia", "proved", "proved"])


class Interrupts(InFolder):
    def interrupted(self, sent, *options):
        """(exit code, standard output, standard error) of a check that is stopped once it has decided a claim."""
        self.write(PLANE + "claim x'' == 0\n", "a.lia")
        self.write(chain(3, ["conserved(T)", "lambda(rod1) == 0"] * (CLAIMS // 2)), "b.lia")
        self.write(PLANE + "claim y'' == 0\n", "c.lia")
        with subprocess.Popen([PROGRAM, "check", ".", *options], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, encoding="utf-8") as running:
            begin = ""
            while not options and "conserved(T)" not in begin:
                begin += running.stdout.readline()
            if options:
                self.assertRaises(subprocess.TimeoutExpired, running.wait, 2)
            running.send_signal(sent)
            out, err = running.communicate(timeout=LIMIT)
        return running.returncode, begin + out, err

    def test_text_keeps_what_was_decided(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            code, out, err = self.interrupted(sent)
            self.assertEqual((code, err), (130, ""))
            self.assertRegex(out, r"(?s)^\./a\.lia\n  proved      x'' == 0\n\./b\.lia\n  REFUTED     conserved\(T\)\n")
            *_, tally, last = out.splitlines()
            decided = int(tally.split()[0])
            self.assertEqual(last, f"interrupted after {decided} of {CLAIMS + 2} claims")
            self.assertLess(decided, CLAIMS)

    def test_json_keeps_what_was_decided(self):
        code, out, err = self.interrupted(signal.SIGINT, "--json")
        self.assertEqual((code, err), (130, ""))
        result = json.loads(out)
        self.assertIs(result["interrupted"], True)
        texts = [claim["text"] for claim in result["claims"]]
        self.assertEqual(texts[:3], ["x'' == 0", "conserved(T)", "lambda(rod1) == 0"][:len(texts)])
        self.assertLess(len(texts), CLAIMS)

    def test_a_check_that_was_not_interrupted_does_not_say_so(self):
        _, out, _ = self.run_model(PLANE + "claim x'' == 0\n", "check", "--json")
        self.assertNotIn("interrupted", json.loads(out))


class Statuses(InFolder):
    def test_nothing_passes_about_no_state(self):
        model = PLANE + "constraint c: x^2 + y^2 = -1\nclaim x == x\n"
        code, out, err = self.run_model(model, "check")
        self.assertEqual((code, out, err), (1, (
            "m.lia\n  EMPTY       x == x\n                empty: there is no real point to speak of\n"
            "1 claim: 1 NOT PASSED\n"), ""))
        claim, = json.loads(self.run_in("check", "m.lia", "--json")[1])["claims"]
        self.assertEqual((claim["status"], claim["passed"], claim["witness"]), ("empty", False, None))

    PULLED = ("param k\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = 1\nconstraint c: x*y' - y*x' = 0\n"
              "claim lambda(c)*(x^2 + y^2) == -x\n")

    def test_a_proof_is_shown_with_its_conditions(self):
        code, out, err = self.run_model(self.PULLED, "check")
        self.assertEqual((code, out, err), (0, (
            "m.lia\n  proved      lambda(c)*(x^2 + y^2) == -x  where x^2 + y^2 != 0\n1 claim: 1 proved\n"), ""))
        self.assertIn("\n                where x^2 + y^2 != 0\n", self.run_in("check", "m.lia", "--verbose")[1])
        claim, = json.loads(self.run_in("check", "m.lia", "--json")[1])["claims"]
        self.assertEqual(claim["conditions"], ["x^2 + y^2 != 0"])

    def test_what_never_fails_is_no_condition(self):
        model = "param m > 0\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nconstraint c: x' = 0\nclaim lambda(c) == 0\n"
        self.assertEqual(self.run_model(model, "check")[1], "m.lia\n  proved      lambda(c) == 0\n1 claim: 1 proved\n")
        claim, = json.loads(self.run_in("check", "m.lia", "--json")[1])["claims"]
        self.assertNotIn("conditions", claim)

    def test_a_motion_in_which_an_event_is_missed_is_not_checked(self):
        at = "at (x = 0, y = 0, z = 0, x' = 1, y' = 0, z' = 0) after 6 within 1e-8\n"
        narrow = ("coord x, y, z\nkinetic x'^2/2 + y'^2/2 + z'^2/2\nforce y = 1e-13*((x - 3.21)^2 + 1e-10)^0.1\n"
                  "event d: 1e13*y'' = 0.105 falling then reset z' = 1\n"
                  "claim kicked: z == 2.79 + sqrt(0.105^10 - 1e-10) " + at + "claim quiet: z == 0 " + at)
        code, out, _ = self.run_model(narrow, "check")
        self.assertEqual(code, 1)
        self.assertIn("checked     kicked", out)
        self.assertIn("REFUTED     quiet", out)
        # Of factors that are open samples are all that is looked at.
        at = "at (x = 0, y = 0, x' = 1, y' = 0) after 6 within 1e-8\n"
        code, out, _ = self.run_model("coord x, y\nkinetic x'^2/2 + y'^2/2\nconstraint c: y = 0\nconstraint d: 2*y = 0\n"
                                      "event e: lambda(c) + 2*lambda(d) = 1 then reset x' = 2\nclaim x == 6 " + at, "check")
        self.assertEqual(code, 1)
        self.assertRegex(out, r"UNKNOWN     x == 6 .*\n.*looked for at samples")

    def test_what_factors_leave_open_is_not_decided_after_a_time(self):
        twice = ("coord x, y\nparticle P mass 2 at [x, y]\ngravity [0, -9.81]\nconstraint a: x^2 + y^2 = 1\n"
                 "constraint b: 3*x^2 + 3*y^2 = 3\nstart x = 1, y' = 5\n")
        claims = ("claim one: lambda(a) == 0.441520802 after 0.5 within 1e-6\nclaim wrong: lambda(a) == -2.5 after 0.5\n"
                  "claim sum: lambda(a) + 3*lambda(b) == 4.41520802 after 0.5 within 1e-6\n"
                  "claim less: lambda(a) + 3*lambda(b) == 4.4 after 0.5\n"
                  "claim square: (lambda(a) + 3*lambda(b))^2 + max(lambda(a), 1e4) == 1 after 0.5\n"
                  "claim place: y == 0.99949738433 after 0.5 within 1e-8\n")
        code, out, _ = self.run_model(twice + claims, "check")
        self.assertEqual(code, 1)
        for name in ("one", "wrong", "square"):
            self.assertRegex(out, rf"UNKNOWN     {name}: .*\n *unknown: the relations do not determine it")
        self.assertRegex(out, r"checked     sum: ")
        self.assertRegex(out, r"REFUTED     less: ")
        self.assertRegex(out, r"checked     place: ")
        event = "event e: lambda(a) - lambda(b) = 1 then reset y' = 0, x' = 0\n"
        code, out, _ = self.run_model(twice + event + "claim y == 1 after 0.5\n", "check")
        self.assertEqual(code, 1)
        self.assertRegex(out, r"UNKNOWN .*\n.*the event `e` depends on lambda\(a\), lambda\(b\)")

    def test_a_contact_that_is_followed_at_samples_is_said_beside_the_claim(self):
        model = (ROOT / "models/contacts/ladder_leaving_wall.lia").read_text(encoding="utf-8")
        code, out, _ = self.run_model(model + "claim wrong: x' == 1 after 3/4\n", "check")
        self.assertEqual(code, 1)
        self.assertRegex(out, r"checked     lambda\(wall\) == 0 after 3/4\n.*the event `wall closes` was looked for at samples")
        self.assertRegex(out, r"UNKNOWN     wrong: .*\n.*looked for at samples")
        first, *_, wrong = json.loads(self.run_in("check", "m.lia", "--json")[1])["claims"]
        self.assertIn("looked for at samples", first["doubt"])
        self.assertNotIn("doubt", wrong)

    def test_what_is_not_compatible_has_its_word(self):
        for constraints, words in (
                ("constraint c: x' = 0\nconstraint d: 2*x' = 0\n",
                 "redundant but consistent: the motion is unique, lambda(c) and lambda(d) are open"),
                ("force x = 1\nconstraint c: x' = 0 along dy\n", "contradictory: no factors keep a(c)")):
            _, out, _ = self.run_model(PLANE + constraints + "claim compatible\n", "check")
            self.assertRegex(out, "^m.lia\n  REFUTED     compatible\n                refuted at x = .* "
                             f"\\({re.escape(words)}\\)\n1 claim: 1 NOT PASSED\n$")

    def test_a_check_says_where_it_has_looked(self):
        model = PLANE + "claim atan(sinh(x)) == 2*atan(tanh(x/2))\n"
        claim, = json.loads(self.run_model(model, "check", "--json")[1])["claims"]
        self.assertEqual(claim["status"], "checked")
        self.assertRegex(claim["region"], r"<= x <=")


if __name__ == "__main__":
    unittest.main()
