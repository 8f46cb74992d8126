#!/usr/bin/env python3
"""An output without a value moves nothing: the run goes on, its cell is empty.

usage: test_missing_outputs.py PROGRAM
"""

import csv
import json
import math
import unittest

from program import InFolder

STONE = """param g = 9.81
coord x, y
particle P mass 1 at [x, y]
gravity [0, -g]
start y = 1, x' = 1, y' = 3
output root = sqrt(y)
output all = 2*x
"""
LANDS = (3 + math.sqrt(9 + 2 * 9.81)) / 9.81  # where 1 + 3 t - 9.81 t^2/2 = 0
BALL = """coord y
kinetic y'^2/2
potential 9.81*y
unilateral floor: y >= 0 restitution 0.8
output speed = sqrt(-y')
start y = 1
"""


class MissingOutputs(InFolder):
    def rows(self, text, *options, file="m.csv"):
        self.write(text)
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "-o", file, *options)
        self.assertEqual((code, err), (0, ""), out)
        lines = (self.folder / file).read_text().splitlines()
        self.assertNotIn("nan", "".join(lines))
        return list(csv.DictReader(lines)), out

    def test_the_run_goes_on(self):
        for every in ((), ("--every", "0.1"), ("--every", "0.01"), ("--integrator", "taylor")):
            rows, out = self.rows(STONE, *every)
            self.assertEqual(float(rows[-1]["t"]), 1)
            for row in rows:
                t = float(row["t"])
                self.assertAlmostEqual(float(row["all"]), 2 * t, delta=1e-9)
                if t < LANDS - 1e-9:
                    self.assertAlmostEqual(float(row["root"]), math.sqrt(1 + 3 * t - 9.81 * t * t / 2), delta=1e-7)
                elif t > LANDS + 1e-9:
                    self.assertEqual(row["root"], "")
            first = next(row["t"] for row in rows if row["root"] == "")
            self.assertEqual(out.count("note: the output `root` has no value"), 1)
            self.assertIn(f"has no value at t = {float(first):.9g}, the first row", " ".join(out.split()))

    def test_json_and_pictures(self):
        self.write(STONE)
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "--every", "0.05", "--plot", "p.html", "--plot", "p.svg", "--json")
        self.assertEqual((code, err), (0, ""))
        answer = json.loads(out)
        self.assertEqual((answer["outcome"], answer["t"]), ("finished", 1))
        self.assertEqual([note for note in answer["notes"] if "`root`" in note],
                         ["the output `root` has no value at t = 0.9, the first row without it: where it has none its cell is empty"])
        page = (self.folder / "p.html").read_text()
        self.assertIn("null]", page)
        self.assertNotIn("nan", (self.folder / "p.svg").read_text().lower())
        self.assertEqual(self.run_in("simulate", "m.lia", "--until", "1", "--plot", "r.svg", "--xy", "x, root")[0], 0)

    def test_a_run_is_gone_on_with(self):
        whole, _ = self.rows(STONE, "--every", "0.01", file="whole.csv")
        self.write(STONE)
        self.run_in("simulate", "m.lia", "--until", "1", "--every", "0.01", "-o", "m.csv", "--max-step", "0.005", "--max-steps", "198")
        parts, out = self.rows(STONE, "--every", "0.01", "--max-step", "0.005", "--resume")
        self.assertEqual([row["t"] for row in parts], [row["t"] for row in whole])
        self.assertEqual([row["root"] == "" for row in parts], [row["root"] == "" for row in whole])
        self.assertEqual(out.count("note: the output `root` has no value at t = 0.86, "), 1)

    def test_earlier_rows_stand_beside(self):
        self.rows(STONE, file="first.csv")
        self.rows(STONE, "--plot", "p.svg", "--columns", "root", "--compare", "first.csv")
        self.assertIn("root (first)", (self.folder / "p.svg").read_text())

    def test_with_contacts(self):
        for method in ((), ("--integrator", "moreau", "--step", "0.001")):
            rows, out = self.rows(BALL, "--every", "0.01", *method)
            self.assertEqual(float(rows[-1]["t"]), 1)
            fall = math.sqrt(2 / 9.81)
            for row in rows:
                t = float(row["t"])
                if 0.01 < t < fall - 0.01:
                    self.assertAlmostEqual(float(row["speed"]), math.sqrt(9.81 * t), delta=0.01)
                elif fall + 0.01 < t < 1.8 * fall - 0.01:
                    self.assertEqual(row["speed"], "")
            self.assertEqual(out.count("note: the output `speed` has no value"), 1)


if __name__ == "__main__":
    unittest.main()
