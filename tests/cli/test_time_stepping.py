#!/usr/bin/env python3
"""`simulate --integrator moreau` on many contacts: what falls comes to rest, and the floor carries its weight.

usage: test_time_stepping.py PROGRAM
"""

import json
import math
import subprocess
import sys
import unittest

from program import ROOT, InFolder, run


def generated(tool, *arguments):
    done = subprocess.run([sys.executable, str(ROOT / "tools" / tool), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


class ManyContacts(InFolder):
    def rows(self, model, *arguments):
        """The result and the last row, by column."""
        (self.folder / "model.lia").write_text(model)
        code, out, err = run("simulate", "model.lia", "--integrator", "moreau", "--json", "-o", "rows.csv", *arguments, cwd=self.folder)
        self.assertEqual(code, 0, err)
        names, *lines = (self.folder / "rows.csv").read_text().splitlines()
        rows = [dict(zip(names.split(","), map(float, line.split(",")))) for line in lines]
        for row in rows:
            self.assertTrue(all(math.isfinite(value) for value in row.values()))
        return json.loads(out), rows

    def test_a_pile_of_discs_settles(self):
        count = 12
        model = generated("make_pile.py", str(count), "--columns", "3")
        result, rows = self.rows(model, "--until", "1.5", "--step", "0.002", "--every", "0.1")
        self.assertEqual(result["impacts"], [])
        self.assertLess(rows[-1]["T"], 1e-12)
        radius = [(90 + 7 * i % 20) / 1000 for i in range(1, count + 1)]
        weight = sum(1000 * math.pi * r * r for r in radius)
        last = rows[-1]
        carried = sum(last[f"lambda(floor_{i})"] + last[f"lambda(left_{i}.slip)"] + last[f"lambda(right_{i}.slip)"] for i in range(1, count + 1))
        self.assertAlmostEqual(carried / weight, 1, delta=1e-9)
        for row in rows:
            for i in range(1, count + 1):
                self.assertGreater(row[f"y_{i}"], radius[i - 1] - 1e-5)
                for j in range(i + 1, count + 1):
                    apart = math.hypot(row[f"x_{i}"] - row[f"x_{j}"], row[f"y_{i}"] - row[f"y_{j}"])
                    self.assertGreater(apart, radius[i - 1] + radius[j - 1] - 1e-5)

    def test_pairs_that_are_not_written_out_fall_on_each_other(self):
        count = 34
        model = generated("make_pile.py", str(count), "--columns", "17")
        result, rows = self.rows(model, "--until", "0.6", "--step", "0.005", "--every", "0.2", "--tol", "1e-6")
        kept = {monitor["name"]: monitor for monitor in result["monitors"]}
        self.assertLess(kept["gaps"]["largest"], 1e-3)
        self.assertLess(rows[-1]["T"] + rows[-1]["V"], rows[0]["T"] + rows[0]["V"])
        self.assertNotIn("lambda(floor_1)", rows[-1])
        self.assertTrue(any("663 contacts" in note for note in result["notes"]), result["notes"])
        radius = [(90 + 7 * i % 20) / 1000 for i in range(1, count + 1)]
        for i in range(1, count + 1):
            for j in range(i + 1, count + 1):
                apart = math.hypot(rows[-1][f"x_{i}"] - rows[-1][f"x_{j}"], rows[-1][f"y_{i}"] - rows[-1][f"y_{j}"])
                self.assertGreater(apart, radius[i - 1] + radius[j - 1] - 1e-4)

    def test_what_is_not_written_out_is_refused_elsewhere(self):
        model = generated("make_pile.py", "33")
        (self.folder / "model.lia").write_text(model)
        for command in (["derive"], ["eval"], ["motions"], ["check"], ["simulate", "--until", "1"],
                        ["motions", "--scan", "x_1=0:1:3, y_1=0:1:3"]):
            with self.subTest(command[0]):
                code, _, err = run(command[0], "model.lia", *command[1:], cwd=self.folder)
                self.assertEqual(code, 2)
                self.assertIn("`d_{i}_{j}` is 528 contacts that are not written out", err)

    def test_a_run_goes_on_with_the_same_bits(self):
        models = {"ball": (ROOT / "models/contacts/brick_on_belt.lia").read_text(),
                  "pile": generated("make_pile.py", "34", "--columns", "8"),
                  "chain": generated("make_chain.py", "6", "--floor")}
        for name, model in models.items():
            (self.folder / "model.lia").write_text(model)
            arguments = ["simulate", "model.lia", "--integrator", "moreau", "--step", "0.01", "--every", "0.02", "--project", "--json"]
            with self.subTest(name):
                code, whole, err = run(*arguments, "--until", "1", "-o", "whole.csv", cwd=self.folder)
                self.assertEqual(code, 0, err)
                self.assertEqual(run(*arguments, "--until", "0.4", "-o", "parts.csv", cwd=self.folder)[0], 0)
                self.assertEqual(run(*arguments, "--until", "1", "--max-steps", "73", "-o", "parts.csv", "--resume", cwd=self.folder)[0], 3)
                code, parts, err = run(*arguments, "--until", "1", "-o", "parts.csv", "--resume", cwd=self.folder)
                self.assertEqual(code, 0, err)
                self.assertEqual((self.folder / "parts.csv").read_text(), (self.folder / "whole.csv").read_text())
                whole, parts = json.loads(whole), json.loads(parts)
                for key in ("final", "contacts", "events", "monitors", "steps", "notes"):
                    self.assertEqual(parts.get(key), whole.get(key), key)

    def test_a_run_from_event_to_event_says_that_it_does_not_go_on(self):
        (self.folder / "model.lia").write_text((ROOT / "models/contacts/brick_on_belt.lia").read_text())
        self.assertEqual(run("simulate", "model.lia", "--until", "1", "-o", "rows.csv", cwd=self.folder)[0], 0)
        code, _, err = run("simulate", "model.lia", "--until", "2", "-o", "rows.csv", "--resume", cwd=self.folder)
        self.assertEqual(code, 2)
        self.assertIn("from event to event is not gone on with yet", err)

    def test_a_chain_falls_on_a_floor(self):
        count = 50
        model = generated("make_chain.py", str(count), "--floor")
        result, rows = self.rows(model, "--project", "--set", "mu=0", "--until", "1", "--step", "0.01", "--every", "0.1")
        kept = {monitor["name"]: monitor for monitor in result["monitors"]}
        self.assertLess(kept["holonomic levels"]["largest"], 1e-12)
        self.assertLess(kept["laws of contacts"]["largest"], 2e-9)
        self.assertLess(kept["gaps"]["largest"], 1e-4)
        self.assertLess(rows[-1]["T"] + rows[-1]["V"], rows[0]["T"] + rows[0]["V"])

    def test_a_chain_with_friction_comes_to_rest(self):
        count = 12
        model = generated("make_chain.py", str(count), "--floor")
        _, rows = self.rows(model, "--project", "--until", "6", "--step", "0.005", "--every", "0.5")
        self.assertLess(rows[-1]["T"], 1e-12)
        carried = sum(rows[-1][f"lambda(f{i})"] for i in range(count + 1))
        self.assertAlmostEqual(carried / (count * 9.81), 1, delta=1e-6)

    def test_a_sphere_that_rolls_spins_and_sticks_comes_to_rest(self):
        model = (ROOT / "models" / "contacts" / "sphere_coming_to_rest.lia").read_text()
        result, _ = self.rows(model, "--until", "0.5", "--step", "0.001")
        self.assertAlmostEqual(result["final"]["x'"], 1 - 5 * 0.02 * 10 / 3.5 * 0.5, delta=1e-9)
        self.assertAlmostEqual(result["final"]["r"], 1.5, delta=1e-9)
        result, _ = self.rows(model, "--until", "5", "--step", "0.001")
        self.assertAlmostEqual(result["final"]["x"], 1.75, delta=1e-9)
        self.assertLess(max(abs(result["final"][name]) for name in ("x'", "y'", "p", "q", "r")), 1e-12)

    def test_energy_that_the_law_creates_is_said(self):
        # Kane's double pendulum; the gain in closed form stands in docs/explanation/impacts.md.
        model = ("param C = 1.805728\ncoord a, b\nkinetic (4/3*a'^2 + cos(a - b)*a'*b' + b'^2/3)/2\n"
                 "unilateral tip: C - cos(a) - cos(b) >= 0 friction 0.7 on cos(a)*a' + cos(b)*b' restitution E\n"
                 "start a = pi/9, b = pi/6, a' = -0.1, b' = -0.2\n")
        result, _ = self.rows(model.replace("E\n", "0.7\n"), "--until", "0.1", "--step", "0.0001")
        self.assertTrue(any("creates energy in 1 of 1000 steps: 0.04895 altogether" in note for note in result["notes"]), result["notes"])
        result, _ = self.rows(model.replace("E\n", "0\n"), "--until", "0.1", "--step", "0.0001")
        self.assertFalse(any("creates energy" in note for note in result["notes"]), result["notes"])

    def test_forces_beside_many_contacts_are_refused(self):
        model = ("for i in 1..501: coord y_{i}\nfor i in 1..501: kinetic y_{i}'^2/2\n"
                 "for i in 1..501: unilateral g_{i}: y_{i} >= 0\nunilateral floor: y_1 <= 1\noutput f = lambda(floor)\n")
        code, out, err = self.run_model(model, "simulate", "--until", "0.01", "--integrator", "moreau", "--step", "0.001")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("the output `f` asks for lambda(floor), and forces of contacts are not in the rows", err)

    def test_what_is_refused(self):
        ball = "coord y\nkinetic y'^2/2\npotential 10*y\nunilateral floor: y >= 0\nstart y = 1\n"
        for text, arguments, message in (
            (ball, [], "this integrator needs a step"),
            (ball + "event kick: y = 1/2 then reset y' = 1\n", ["--step", "0.01"], "the event `kick` resets"),
            (ball, ["--step", "0.01", "--impact", "poisson"], "Newton's law of impact alone"),
            (ball, ["--step", "0.01", "--impact", "energetic"], "Newton's law of impact alone"),
            (ball, ["--step", "0.01", "--on-indeterminate", "branch"], "does not look for others"),
            (ball.replace("unilateral floor: y >= 0\n", ""), ["--step", "0.01"], "the model has none"),
        ):
            with self.subTest(message):
                code, _, err = self.run_model(text, "simulate", "--until", "1", "--integrator", "moreau", *arguments)
                self.assertEqual(code, 2)
                self.assertIn(message, err)


if __name__ == "__main__":
    unittest.main()
