#!/usr/bin/env python3
"""Gears, racks, cams, ropes, wheels and motors: the same motion as with what they tie put in by coordinates, and what they carry by Newton's
law on one of the bodies; also where the whole machine is moved and turned in space.

usage: test_transmissions.py PROGRAM
"""

import csv
import unittest

from program import InFolder

SHAFTS = "body A mass 2 inertia [0.3, 0.4, 0.5] on {ground} by hinge {a} axis [0, 0, 1] centre [0.1, 0, 0]\n"
SECOND = "body B mass 3 inertia [0.2, 0.2, 0.7] on {ground} at [1, 0, 0] by {b} centre [0.2, 0.1, 0]\n"
LOADS = "moment [0, 0, 0.8] on A\n"
HINGE, SLIDE = "hinge {} axis [0, 0, 1]", "slider {} axis [1, 0, 0]"
# name, the statement, the joint of B, its coordinate by that of A, what is carried by Newton's law on B
TIES = (
    ("gear", "gear tie: b to a ratio -5/2", HINGE, "-5/2*a"),
    ("rack", "rack tie: b to a radius 0.3", SLIDE, "0.3*a"),
    ("cam", "cam tie: b = 0.2*cos(a) + 0.1*a", SLIDE, "(0.2*cos(a) + 0.1*a)"),
    ("cam with a table", "table lift points (-9, 0), (0, 0.2), (1, 0.5), (2, 0.4), (9, 0) cubic\ncam tie: b = lift(a)", SLIDE, "lift(a)"),
)
PLACES = ("", "frame base on ground at [3, -1, 2] turned z 0.7, x -1.1, y 0.4\n")


def turned():
    """The matrix of z 0.7, x -1.1, y 0.4."""
    import math

    def about(axis, angle):
        c, s = math.cos(angle), math.sin(angle)
        return {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]], "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]

    def times(a, b):
        return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]

    return times(times(about("z", 0.7), about("x", -1.1)), about("y", 0.4))


class Transmissions(InFolder):
    def last(self, text, until="0.8"):
        code, out, error = self.run_model(text, "simulate", "--until", until, "--tol", "1e-12", "-o", "run.csv")
        self.assertEqual(code, 0, text + out + error)
        with open(self.folder / "run.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        return {name.split(" ")[0]: float(value) for name, value in rows[-1].items()}

    def near(self, one, other, what, size=2e-8):
        self.assertLessEqual(abs(one - other), size * max(1, abs(one)), what)

    def gravity(self, place):
        down = (0.5, -9, 2)
        rows = turned() if place else [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        return "gravity [" + ", ".join(repr(sum(r * g for r, g in zip(row, down))) for row in rows) + "]\n"

    def test_ties_of_two_bodies(self):
        for name, statement, joint, by_a in TIES:
            found = []
            for place in PLACES:
                ground = "base" if place else "ground"
                common = place + self.gravity(place)
                declared = [line for line in statement.split("\n") if line.startswith("table")]
                tie = statement.split("\n")[-1]
                asked = "output aa = a''\n"
                # a gear and a rack say how rates go together: where they begin is another thing
                begin = "" if tie.startswith("cam") else ", b = " + by_a.replace("a", "0.3")
                tied = self.last("coord a, b\n" + "\n".join(declared) + "\n" + common + SHAFTS.format(ground=ground, a="a") +
                                 SECOND.format(ground=ground, b=joint.format("b")) + LOADS + tie + "\nstart a = 0.3, a' = 1.1" + begin + "\n" + asked +
                                 "output carried = lambda(tie)\noutput bb = b''\n")
                put_in = self.last("coord a\n" + "\n".join(declared) + "\n" + common + SHAFTS.format(ground=ground, a="a") +
                                   SECOND.format(ground=ground, b=joint.format(by_a)) + LOADS + "start a = 0.3, a' = 1.1\n" + asked)
                for column in ("a", "a'", "aa"):
                    self.near(tied[column], put_in[column], (name, place, column))
                # Newton's law on B alone: its own coordinate with the motion found, pushed by the factor
                alone = self.last("coord b\nparam F\n".replace("param F", "param F = " + repr(tied["carried"])) + common +
                                  SECOND.format(ground=ground, b=joint.format("b")) + f"force b = F\nstart b = {tied['b']!r}, b' = {tied[chr(98) + chr(39)]!r}\n"
                                  "output bb0 = b''\noutput b_ = b\n", until="1e-9")
                self.near(alone["bb0"], tied["bb"], (name, place, "carried"), 1e-6)
                found.append(tied)
            for column in ("a", "a'", "b", "aa", "carried"):
                self.near(found[0][column], found[1][column], (name, "turned in space", column))

    def test_a_rope_over_a_drum(self):
        common = "coord a\n{more}body drum mass 2 inertia [0.3, 0.4, 0.5] on ground by hinge a axis [0, 0, 1]\ngravity [0, -9.81, 0]\nmoment [0, 0, 0.8] on drum\n"
        start = "start a = 0.3, a' = 1.1{more}\noutput aa = a''\n"
        tied = self.last(common.format(more="coord y\n") + "particle load mass 1.5 at [2, y, 0]\nrope tie: load to [2, 5, 0] length 4 - 0.2*a\n" +
                         start.format(more=", y = 1.06") + "output pull = tension(tie)\n")
        put_in = self.last(common.format(more="") + "particle load mass 1.5 at [2, 1 + 0.2*a, 0]\n" + start.format(more=""))
        for column in ("a", "a'", "aa"):
            self.near(tied[column], put_in[column], column)
        self.near(tied["pull"], 1.5 * (9.81 + 0.2 * tied["aa"]), "pull")

    def test_a_wheel_of_the_plane(self):
        common = "gravity [0.4, -9.81]\nmoment 0.7 on W\n"
        rolling = self.last("coord x, y, phi\nbody W mass 2 inertia 0.3 at [x, y] angle phi\n" + common +
                            "wheel roll: W radius 0.5\nstart y = 0.5, x' = 1, phi' = -2\noutput xx = x''\noutput grip = roll.force.x\noutput load = roll.force.y\n")
        put_in = self.last("coord phi\nbody W mass 2 inertia 0.3 at [-0.5*phi, 0.5] angle phi\n" + common + "start phi' = -2\noutput xx = -0.5*phi''\n")
        self.near(rolling["xx"], put_in["xx"], "xx")
        self.near(rolling["phi"], put_in["phi"], "phi")
        self.near(rolling["grip"], 2 * (rolling["xx"] - 0.4), "grip")
        self.near(rolling["load"], 2 * 9.81, "load")

    def test_a_motor_that_prescribes(self):
        law = "0.4*sin(3*t) + 0.2*t"
        second = "body B mass 3 inertia [0.2, 0.2, 0.7] on A at [1, 0, 0] by hinge b axis [0, 1, 0] centre [0.2, 0.1, 0]\n"
        tail = second + "gravity [0.5, -9, 2]\nstart b = 0.2, b' = 0.5\noutput bb = b''\noutput power = {}\n"
        motor = self.last("coord a, b\n" + SHAFTS.format(ground="ground", a="a") + "motor M: a = " + law + "\n" +
                          tail.format("drive_power(M)") + "output torque = drive_force(M)\noutput aa = a''\n")
        driven = self.last("coord b\n" + SHAFTS.format(ground="ground", a="(" + law + ")") + tail.format("drive_power(t)"))
        for column in ("b", "b'", "bb", "power"):
            self.near(motor[column], driven[column], column)
        free = self.last("coord a, b\n" + SHAFTS.format(ground="ground", a="a") + f"moment [0, 0, {motor['torque']!r}] on A\n" +
                         tail.format("0*t").replace("b = 0.2, b' = 0.5", ", ".join(f"{n} = {motor[n]!r}" for n in ("a", "a'", "b", "b'"))) + "output aa = a''\n",
                         until="1e-9")
        self.near(free["aa"], motor["aa"], "torque", 1e-6)
        self.near(free["bb"], motor["bb"], "torque", 1e-6)


if __name__ == "__main__":
    unittest.main()
