#!/usr/bin/env python3
"""Maps of what contacts allow: `motions --scan`, its boundaries against formulas, its files, and what it refuses.

usage: test_scan.py PROGRAM
"""

import csv
import json
import math
import re
import unittest
import xml.etree.ElementTree

from program import ROOT, InFolder

ROD = """system "Rod"
param m = 1, l = 1, g = 10, f = 2
coord x, y, theta
kinetic m/2*(x'^2 + y'^2) + m*l^2/6*theta'^2
potential m*g*y
unilateral floor: y - l*sin(theta) >= 0  friction f on x' + l*sin(theta)*theta'
start theta = acos(3/5), y = 0.8, x' = -1
"""
TABLE = "param g = 10, a = 1, P = 0\ncoord y, phi\nkinetic y'^2/2 + phi'^2/6\npotential g*y\nforce y = -P\n" \
        "unilateral left: y - a*sin(phi) >= 0\nunilateral right: y + a*sin(phi) >= 0\nstart y = 0\n"

BLOCK = "param m = 1, g = 10, mu = 1/2, P = 0\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential m*g*y - P*x\nunilateral floor: y >= 0 friction mu on x'\n"
BENCH = "param g = 10, mu = 1/2, P\ncoord x, y, th\nkinetic (x'^2 + y'^2)/2 + th'^2/6\npotential g*y - P*x\n" \
        "unilateral a: y - sin(th) >= 0 friction mu on x'\nunilateral b: y >= 0 friction mu on x'\nunilateral c: y + sin(th) >= 0 friction mu on x'\n"


class Scan(InFolder):
    def scan(self, model, text, *more):
        code, out, err = self.run_model(model, "motions", "--scan", text, "--json", *more)
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)

    def test_contacts_that_depend_on_each_other_are_judged_exactly(self):  # a force of 1e-6 beside one of 5 hid whole families from doubles
        model = ("param w = 0\ncoord q0, q1, q2, q3\n"
                 "kinetic 5/8*q0'^2 - q0'*q1' + 2*q0'*q2' - 2*q0'*q3' + 4*q1'^2 - q1'*q2' + 3*q1'*q3' + 37/8*q2'^2 + q2'*q3' + 19/4*q3'^2\n"
                 "force q3 = w/1000000\nforce q0 = 5\nforce q1 = -1\nconstraint b0: q0 - 2*q1 = 0\nunilateral c0: -q0 - 2*q1 >= 0\n"
                 "unilateral c1: -2*q0 - 2/3*q1 >= 0 friction 4/5 on 2*q0' - q1' - 3/2*q3'\n"
                 "unilateral c2: -q1 - 2*q2 >= 0 friction 5 sticking 6 on -q0' + 2*q1' + 3*q2'\nstart q3' = 1\n")
        code, out, err = self.run_model(model, "motions", "--scan", "w = -3:3:7", "--json")
        self.assertEqual(code, 0, err)
        text = json.dumps(json.loads(out))
        self.assertIn("several", text)
        self.assertNotIn("unique", text)

    def test_the_boundary_of_the_paradox(self):
        found = self.scan(ROD, "theta = 0.05:1.52:40, f = 0:3:25", "--touching", "floor")
        kinds = [(kind["verdict"], kind["motions"]) for kind in found["kinds"]]
        self.assertEqual(kinds, [("unique", ["floor slips"]), ("none", [])])
        paradox = [edge["at"] for edge in found["boundaries"] if 1 in (edge["from"], edge["to"])]
        self.assertGreater(len(paradox), 50)
        for theta, f in paradox:
            self.assertAlmostEqual(1 + 3 * math.cos(theta) ** 2, 3 * f * math.sin(theta) * math.cos(theta), delta=1e-9)
        for j, row in enumerate(found["at"]):
            for i, kind in enumerate(row):
                theta, f = found["ranges"][0]["values"][i], found["ranges"][1]["values"][j]
                self.assertEqual(kind == 1, 1 + 3 * math.cos(theta) ** 2 < 3 * f * math.sin(theta) * math.cos(theta))

    def test_regions_of_angle_and_spin(self):
        # The drive is sin(theta) theta'^2 - g; the slip is -1 + sin(theta) theta'.
        found = self.scan(ROD, "theta = 0.1:1.5:24, theta' = -6:6:26", "--touching", "floor")
        for j, row in enumerate(found["at"]):
            for i, kind in enumerate(row):
                theta, spin = found["ranges"][0]["values"][i], found["ranges"][1]["values"][j]
                slip = -1 + math.sin(theta) * spin
                r = 1 + 3 * math.cos(theta) ** 2 + math.copysign(2, slip) * 3 * math.sin(theta) * math.cos(theta)
                opens = math.sin(theta) * spin ** 2 > 10
                expected = ("unique" if r > 0 else "several" if opens else "none")
                self.assertEqual(found["kinds"][kind]["verdict"], expected, (theta, spin))
                if expected == "unique":
                    self.assertEqual(found["kinds"][kind]["motions"], ["floor opens" if opens else "floor slips"])

    def test_points_are_those_of_motions(self):
        found = self.scan(ROD, "theta' = -6:6:7, x' = -1:1:3", "--touching", "floor")
        for j, slip in enumerate(found["ranges"][1]["values"]):
            for i, spin in enumerate(found["ranges"][0]["values"]):
                one = json.loads(self.run_in("motions", "m.lia", "--at", f"theta' = {spin}, x' = {slip}", "--touching", "floor", "--json")[1])
                kind = found["kinds"][found["at"][j][i]]
                self.assertEqual(kind["verdict"], one["verdict"])
                modes = [", ".join(f"{name} {mode}" for name, mode in motion["modes"].items()) for motion in one["motions"]]
                self.assertEqual(kind["motions"], modes)

    def test_one_range_and_states_that_are_none(self):
        found = self.scan(TABLE, "y = -1:1:5")
        self.assertEqual([found["kinds"][k]["verdict"] for k in found["at"][0]], ["no state", "no state", "unique", "unique", "unique"])
        self.assertEqual(found["kinds"][0]["reason"], "`left` is violated")
        found = self.scan(TABLE, "y' = -1:1:3", "--at", "y = 0")
        self.assertEqual([found["kinds"][k]["verdict"] for k in found["at"][0]], ["impact", "unique", "unique"])
        edges = [edge["at"][0] for edge in self.scan(TABLE, "P = -20:3:4", "--at", "y = 0")["boundaries"]]
        self.assertEqual(len(edges), 1)
        self.assertAlmostEqual(edges[0], -10, delta=1e-9)

    def test_limits_on_the_grid_are_judged_exactly(self):
        # It sticks where abs(P) <= mu m g, the ends among them, whatever the doubles of mu are.
        found = self.scan(BLOCK, "P = -10:10:21, mu = 1/10:1:10")
        for j, row in enumerate(found["at"]):
            for i, kind in enumerate(row):
                sticks = abs(i - 10) <= j + 1
                self.assertEqual(found["kinds"][kind]["motions"], ["floor sticks" if sticks else "floor slips"], (i, j))
        for edge in found["boundaries"]:
            self.assertAlmostEqual(abs(edge["at"][0]), 10 * edge["at"][1], delta=1e-8)

    def test_redundant_contacts_move_in_one_way(self):
        found = self.scan(BENCH, "P = -10:10:21")
        self.assertEqual([kind["motions"] for kind in found["kinds"]], [["a slips, b slips, c slips"], ["a sticks, b sticks, c sticks"]])
        self.assertEqual([round(edge["at"][0], 8) for edge in found["boundaries"]], [-5, 5])
        self.assertEqual((found["at"][0].count(1), found["open"]), (11, 21))

    def test_files(self):
        code, out, err = self.run_model(ROD, "motions", "--scan", "theta = 0.1:1.5:9, f = 1/2:3:6", "--touching", "floor",
                                        "-o", "map.csv", "--plot", "map.svg", "--plot", "map.png", "--plot", "map.html")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("  theta from 0.1 to 1.5, 9 values\n  f from 0.5 to 3, 6 values\n", out)
        with open(f"{self.folder}/map.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[0], ["theta", "f", "verdict", "motions", "modes"])
        self.assertEqual((len(rows), rows[1]), (55, ["0.1", "0.5", "unique", "1", "floor slips"]))
        self.assertEqual({row[2] for row in rows[1:]}, {"unique", "none"})
        picture = xml.etree.ElementTree.parse(f"{self.folder}/map.svg").getroot()
        words = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("unique: floor slips", words)
        self.assertIn("none", words)
        with open(f"{self.folder}/map.png", "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        with open(f"{self.folder}/map.html", encoding="utf-8") as file:
            self.assertIn("</html>", file.read())

    def test_the_pictures_of_the_documentation_are_those_of_their_commands(self):
        page = (ROOT / "docs/how-to/why-your-simulator-jams.md").read_text(encoding="utf-8")
        ranges = re.findall(r'--scan "([^"]+)" --plot rod.svg', page)
        pictures = re.findall(r"pictures/(sliding-rod-\w+\.svg)", page)
        self.assertEqual(len(ranges), 2)
        self.assertEqual(len(pictures), 2)
        numbers = re.compile(r"-?\d+(?:\.\d+)?")
        for text, picture in zip(ranges, pictures):
            self.run_in("motions", str(ROOT / "models/contacts/sliding_rod.lia"), "--touching", "floor", "--scan", text, "--plot", "new.svg")
            new, old = (self.folder / "new.svg").read_text(encoding="utf-8"), (ROOT / "docs/pictures" / picture).read_text(encoding="utf-8")
            self.assertEqual(numbers.sub("#", new), numbers.sub("#", old), picture)
            for a, b in zip(numbers.findall(new), numbers.findall(old)):
                self.assertAlmostEqual(float(a), float(b), delta=0.02)

    def test_what_is_refused(self):
        cases = (("theta = 0:1:1", "1 value of `theta` is no range"),
                 ("theta = 0:1:x", "`x` is no number of values of `theta`"),
                 ("theta = 0:1:-3", "`-3` is no number of values of `theta`"),
                 ("theta = 1:1:5", "the range of `theta` is one value: 1"),
                 ("theta = 0:1", "has 2 of the three numbers of a range"),
                 ("theta", "a `=` is missing in `theta`"),
                 ("thet = 0:1:5", "did you mean `theta`?"),
                 ("theta = 0:1/0:5", "division by zero"),
                 ("theta = 0:10^400:5", "too large for a double"),
                 ("theta = 0:1:5, f = 0:1:5, x = 0:1:5", "there are 3 ranges, and a map has one or two"),
                 ("theta = 0:1:5, theta = 0:2:5", "`theta` is given twice"),
                 ("theta = 0:1:5000, f = 0:1:5000", "more than 4000000 points"))
        for text, message in cases:
            code, out, err = self.run_model(ROD, "motions", "--scan", text)
            self.assertEqual((code, out), (2, ""), text)
            self.assertIn(message, err)
        self.assertIn("`x` has a value by --at", self.run_in("motions", "m.lia", "--scan", "x = 0:1:3", "--at", "x = 1")[2])
        self.assertIn("is given twice", self.run_in("motions", "m.lia", "--scan", "f = 0:1:3", "--set", "f = 1")[2])
        for more, message in ((["-o", "a.txt"], "points are written as .csv"), (["--plot", "a.pdf"], "a plot ends in .svg, .png or .html"),
                              (["--project"], "states that --project moves are not those of the map"), (["--touching", "wall"], "`wall` is no unilateral")):
            code, out, err = self.run_in("motions", "m.lia", "--scan", "x = 0:1:3", *more)
            self.assertEqual((code, out), (2, ""), more)
            self.assertIn(message, err)
        self.assertIn("a file is written of a map", self.run_in("motions", "m.lia", "-o", "a.csv")[2])
        code, _, err = self.run_model("coord x\nkinetic x'^2/2\n", "motions", "--scan", "x = 0:1:3")
        self.assertEqual(code, 2)
        self.assertIn("the model has no unilateral constraint", err)


if __name__ == "__main__":
    unittest.main()
