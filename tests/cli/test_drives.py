#!/usr/bin/env python3
"""What drives do: `drive_force`, `drive_power`, T' and V' in claims, outputs, events and `let`; the balance of every run that is driven.

usage: test_drives.py PROGRAM
"""

import csv
import json
import math
import pathlib
import re
import tempfile
import unittest

from program import ROOT, InFolder, run

UNNAMED = """param m > 0 = 2, g = 9.81, l > 0 = 0.7, A = 0.1, w > 0 = 3
coord theta
particle P mass m at [l*sin(theta), A*sin(w*t) - l*cos(theta)]
gravity [0, -g]
start theta = 0.4
"""
NAMED = UNNAMED.replace("particle", "rheonomic s = A*sin(w*t)\nparticle").replace("A*sin(w*t) -", "s -")
CIRCLE = """param m > 0 = 1, k > 0 = 1, a > 0 = 1
coord x, y
kinetic m/2*(x'^2 + y'^2)
rheonomic r = a + k*t
constraint circle: x^2 + y^2 = r^2
start x = 1, y = 0, x' = 1, y' = 2
"""


def verdicts(output):
    return [line.split()[0] for line in output.splitlines() if line.startswith("  ") and "==" in line]


class Rest(InFolder):
    def rest(self, model):
        code, out, err = self.run_model(model, "analyze", "--only", "equilibria", "--json")
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_in_a_lift(self):
        """Hanging and upright, at all times; the motor carries the weight and the inertia, and every point moves."""
        for model, drive, power in ((NAMED, "s", "force*rate"), (UNNAMED, "t", "force")):
            result = self.rest(model)
            self.assertTrue(result["equilibria_searched"]["all"])
            self.assertEqual({place["exact"]["theta"].lstrip("-") for place in result["equilibria"]}, {"pi", "0"})
            self.assertEqual(len(result["equilibria"]), 2)
            for place in result["equilibria"]:
                [told] = place["drives"]
                self.assertEqual(told["name"], drive)
                self.assertIs(place["every_point_at_rest"], False)
                t = 0.37
                force = 2 * (9.81 - 0.1 * 9 * math.sin(3 * t))
                value = eval(told["power"], {"sin": math.sin, "cos": math.cos, "t": t})
                self.assertAlmostEqual(value, force * 0.1 * 3 * math.cos(3 * t), places=12)
                if drive == "s":
                    self.assertAlmostEqual(eval(told["force"], {"sin": math.sin, "cos": math.cos, "t": t}), force, places=12)

    def test_sideways_there_is_none(self):
        result = self.rest(NAMED.replace("[l*sin(theta), s - l*cos(theta)]", "[s + l*sin(theta), -l*cos(theta)]"))
        self.assertEqual((result["equilibria"], result["equilibria_searched"]["all"]), ([], True))

    def test_on_an_incline_that_is_pushed(self):
        """At one acceleration a = g*tan(alpha) every place on it is one of rest, and the drive pushes with m*a."""
        model = ("param m = 2, g = 10, a = 7.5\ncoord r\nrheonomic s = a*t^2/2\nparticle P mass m at [s + 4/5*r, 3/5*r]\ngravity [0, -g]\n")
        result = self.rest(model.replace("7.5", "-7.5"))
        self.assertTrue(result["equilibria_searched"]["everywhere"])
        self.assertEqual(result["equilibria"][0]["drives"], [{"name": "s", "force": "-15", "power": "225*t/2"}])
        other = self.rest(model)
        self.assertEqual((other["equilibria"], other["equilibria_searched"]["all"]), ([], True))

    def test_as_a_coordinate(self):
        """A bead on a driven hoop: four places beside phi = w*t, and the motor does nothing there."""
        code, out, err = run("analyze", "models/driven/bead_on_driven_hoop.lia", "--only", "equilibria", "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertEqual(result["equilibria_searched"]["moving"], {"phi": "w*t"})
        found = sorted(place["position"]["theta"] % (2 * math.pi) for place in result["equilibria"])
        away = math.acos(9.81 / 19.2)
        for value, expected in zip(found, [0, away, math.pi, 2 * math.pi - away], strict=True):
            self.assertAlmostEqual(value, expected, places=12)
        for place in result["equilibria"]:
            self.assertEqual(place["drives"], [{"name": "motor", "force": "0", "power": "0"}])


class WhatDrivesAdd(InFolder):
    def page(self, model):
        code, out, err = self.run_model(model, "derive")
        self.assertEqual(code, 0, err)
        return out[out.index("What the drives add"):] if "What the drives add" in out else ""

    def test_a_force_that_depends_on_the_state(self):
        page = self.page(NAMED)
        for words in ("p_s = m·(l", "R_s = ", "drive_power(s) (proved)", "H_J = ", "it has no potential P"):
            self.assertIn(words, page)

    def test_what_moves_jacobis_function(self):
        """A winch beside the drive: dH_J/dt = -c*z'^2 + lambda(winch)*z'."""
        page = " ".join(self.page("param m > 0, w, v, c > 0\ncoord r, z\nrheonomic phi = w*t\nparticle P mass m at [r*cos(phi), r*sin(phi), z]\n"
                                  "force z = -c*z'\nconstraint winch: z = v*t\n").split())
        self.assertIn("H_J changes by the applied forces, and by constraints that move or are not ideal", page)

    def test_a_part_of_degree_one(self):
        """In a magnetic field T + V is not the energy, and p_s s' is not all that is between it and H_J."""
        page = " ".join(self.page("param m > 0, A, w, B\ncoord x, y\nrheonomic s = A*sin(w*t)\n"
                                  "kinetic m*(x'^2 + y'^2 + s'^2)/2 + B*(x*y' - y*x')/2\n").split())
        self.assertIn("T + V is not the energy", page)
        self.assertNotIn("The law of energy", page)
        self.assertNotIn("Σ p₀", page)

    def test_a_potential(self):
        """A plane that is lifted: R_0 = m (g + a) depends on the time alone."""
        page = self.page("param m = 2, g = 10, a = 3\ncoord x\nrheonomic z = a*t^2/2\nparticle P mass m at [x, z]\ngravity [0, -g]\n")
        self.assertIn("T + V + P is kept", " ".join(page.split()))
        self.assertIn("R_z = m·(a + g)", page)
        self.assertRegex(page, r"\n  \(\d+\) +P = ")
        self.assertNotIn("no potential", page)
        dragged = self.page("param m = 2, g = 10, a = 3\ncoord x\nrheonomic z = a*t^2/2\nparticle P mass m at [x, z]\ngravity [0, -g]\nforce x = -x'\n")
        self.assertNotIn("is kept", dragged)
        self.assertIn("other forces work too", dragged)

    def test_a_drive_that_goes_to_and_fro(self):
        """s = t^3 - t takes values several times: R_s is a function of the time, and not of s."""
        page = " ".join(self.page("param m = 2\ncoord q\nrheonomic s = t^3 - t\nparticle P mass m at [s, q]\n").split())
        self.assertIn("R₀ is a function of the time alone (proved), of q0 alone where q0 goes one way", page)

    def test_a_law_that_a_constraint_hides(self):
        page = " ".join(self.page("param m = 2, M = 3\ncoord x, y\nrheonomic r = 1 + t^2\nparticle P mass m at [x + r, y]\nparticle Q mass M at [r, 0]\n"
                                  "constraint c: x^2 + y^2 = r^2\n").split())
        self.assertIn("d(T + V)/dt = drive_power(r) (proved", page)

    def test_a_text_that_ends_in_a_continuation(self):
        self.assertIn("drive_power(s)", self.page("coord x\nrheonomic s = sin(t)\nkinetic x'^2/2\npotential (x - s)^2 \\\n"))

    def test_a_velocity_that_is_prescribed(self):
        """phi' = w moves, though it does not hold the time."""
        page = self.page("param m = 2, R = 1, w = 3\ncoord r, phi\nparticle P mass m at [r*cos(phi), r*sin(phi)]\nconstraint spin: phi' = w\nstart r = 1\n")
        self.assertIn("d(T + V)/dt = drive_power(spin) (proved)", page)
        self.assertEqual(self.page("param m = 2, w = 3\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nconstraint belt: x' = w*y\n"), "")

    def test_nothing_is_counted_twice(self):
        """A constraint that a rheonomic coordinate moves is no drive of its own."""
        yoke = self.page("param n = 2, r = 0.3, m = 1.5, k = 4\ncoord x, y\nrheonomic phi = n*t\nkinetic m/2*(x'^2 + y'^2)\npotential k/2*x^2 + y^2*x\n"
                         "constraint yoke: x = r*sin(phi)\n")
        self.assertIn("d(T + V)/dt = drive_power(phi) (proved)", yoke)
        self.assertNotIn("yoke)", yoke)
        self.assertNotIn("other forces", yoke)
        both = self.page("param n = 2, m = 1\ncoord x, y\nrheonomic s = t^2\nkinetic m/2*(x'^2 + y'^2)\nconstraint a: x = s\nconstraint b: y = sin(t)\n")
        self.assertIn("drive_power(s) + drive_power(b)", both)

    def test_a_singular_tensor(self):
        """A circle on which only the coordinate turns: the drive does nothing, and that is found all the same."""
        page = self.page("param m = 1, g = 10\ncoord q\nrheonomic s = t^2\nparticle P mass m at [sin(q + s), -cos(q + s)]\ngravity [0, -g]\n")
        self.assertIn("is singular (proved)", page)
        self.assertRegex(page, r"R_s = 0\s+along the motion")

    def test_none(self):
        self.assertEqual(self.page("coord x\nkinetic x'^2/2\npotential x^2\n"), "")


class Monitors(InFolder):
    def monitors(self, model):
        code, out, err = self.run_model(model, "simulate", "--until", "1", "--json")
        self.assertEqual(code, 0, err)
        return {entry["name"]: entry for entry in json.loads(out)["monitors"]}

    def test_each_drive_and_both_energies(self):
        found = self.monitors("param m = 2, g = 10\ncoord x\nrheonomic z = 3*t^2/2\nrheonomic y = t/2\nparticle P mass m at [x + y, z]\ngravity [0, -g]\n"
                              "force x = -x\nstart x' = 1\n")
        self.assertIn("drive_power(y)", found)
        self.assertEqual(found["drive_power(z)"]["verdict"], "works, up to 78")  # m (g + a) a t
        self.assertIn("T + V", found)
        self.assertIn("T2 - T0 + V", found)

    def test_constraints_are_told_once(self):
        found = self.monitors("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint pull: x = sin(t)\nconstraint lift: y = t^2\nstart x' = 1\n")
        self.assertEqual(sorted(name for name in found if "power" in name), ["power(lift)", "power(pull)"])


    def test_a_potential_is_watched(self):
        """A plane that is lifted: T + V + P is kept, T + V is not; with friction nothing is said."""
        lift = "param m = 2, g = 10, A = 0.3, w = 3\ncoord x\nrheonomic z = A*sin(w*t)\nparticle P mass m at [x, z]\ngravity [0, -g]\nstart x' = 1\n"
        found = self.monitors(lift)
        self.assertTrue(found["T + V + P"]["expected"])
        self.assertGreater(found["T + V + P"]["digits"], 12)
        self.assertLess(found["T + V"]["digits"], 3)
        self.assertNotIn("T + V + P", self.monitors(lift + "force x = -x'\n"))
        self.assertNotIn("T + V + P", self.monitors(NAMED))

    def test_a_drive_that_begins_with_the_run(self):
        """Velocities of the start are those just after it: a slope, a corner at a later time, a step of the velocity.
        Where the velocity would jump on the way, the run ends."""
        runs = (("table f points (0, 0), (2, 6) linear\n", "x = f(t)", "", 4.5), ("", "x = 2*max(0, t)", "", 3.0),
                ("", "x' = 2*step(t)", "", 3.0), ("", "x = 2*max(0, 3*t - 0.9)", "start t = 0.3", 7.2))
        for table, law, start, place in runs:
            model = f"param m = 2\ncoord x, y\n{table}kinetic m/2*(x'^2 + y'^2)\npotential (x - y)^2\nconstraint drive: {law}\n{start}\n"
            code, out, err = self.run_model(model, "simulate", "--until", "1.5", "--json")
            self.assertEqual(code, 0, law + err)
            self.assertAlmostEqual(json.loads(out)["final"]["x"], place, 9, law)
        corner = ("param m = 2\ncoord x, y\ntable f points (0, 0), (1, 3), (2, 4) linear\nkinetic m/2*(x'^2 + y'^2)\n"
                  "constraint drive: x = f(t)\n")
        code, _, err = self.run_model(corner, "simulate", "--until", "1.5")
        self.assertEqual(code, 3)
        self.assertIn("at t = 1: the rate of the relation `drive` jumps by 2", err)

    def test_a_driven_start_without_inertia(self):
        """A bead on a rod that is turned, at its axis: the hint leads to what runs."""
        model = ("param m = 1, W = 2, g = 10\ncoord r, phi\nparticle P mass m at [r*cos(phi), r*sin(phi)]\ngravity [0, -g]\n"
                 "constraint motor: phi = W*t\nstart r = 0\n")
        code, _, err = self.run_model(model, "simulate", "--until", "1")
        self.assertNotEqual(code, 0)
        self.assertIn("`motor` drives a coordinate that has no inertia of its own here: write it as `rheonomic`", err)
        found = self.monitors(model.replace("r, phi\n", "r\nrheonomic phi = W*t\n").replace("constraint motor: phi = W*t\n", ""))
        self.assertGreater(found["T + V - work"]["digits"], 7)


class Roads(InFolder):
    """The force of a drive by each principle is the one that `drive_force` gives."""

    def roads(self, model):
        code, out, err = self.run_model(model, "derive", "--formulation", "all")
        self.assertEqual(code, 0, err)
        lines = (line.split(None, 1) for line in out[out.index("Other roads"):].splitlines() if line.startswith("  "))
        return {parts[0]: parts[1] for parts in lines if len(parts) == 2}

    def test_a_yoke(self):
        """The drive has no inertia, all that it pushes is the constraint."""
        yoke = "param m = 2, r = 0.3, n = 3, c = 0.4\ncoord x\nrheonomic phi = n*t\nparticle P mass m at [x, 0]\nforce x = -c*x'\nconstraint yoke: x = r*sin(phi)\n"
        found = self.roads(yoke)
        for road in ("extended", "dalembert", "extended_gauss", "extended_gibbs_appell", "reactions"):
            self.assertEqual(found[road], "proved", road)
        for road in ("extended_form", "extended_hamilton"):
            self.assertIn("the tensor of inertia on the drives and the coordinates is", found[road])
        for road in ("extended", "dalembert", "reactions"):
            code, out, err = self.run_model(yoke, "derive", "--formulation", road)
            self.assertEqual(code, 0, err)
            self.assertIn("λ_yoke cos(n t)", out[out.index("By the road"):])

    def test_a_force_on_the_drive(self):
        found = self.roads("param m = 2, c = 0.3, M = 1\ncoord x\nrheonomic s = sin(2*t)\nparticle P mass m at [x + s, 0]\nparticle Q mass M at [s, 0]\n"
                           "force [-c*(x' + s'), 0] at P\n")
        for road in ("extended", "dalembert", "extended_hamilton", "extended_form", "extended_gauss", "extended_gibbs_appell", "perturbation"):
            self.assertEqual(found[road], "proved", road)

    def test_a_drive_that_moves_uniformly(self):
        """The time is in a position alone: d'Alembert's principle has R_t all the same."""
        code, out, err = self.run_model("param m = 2, k = 3, v = 1\ncoord x\nparticle P mass m at [x + v*t, 0]\npotential k*x^2/2\n", "derive", "--formulation", "dalembert")
        self.assertEqual(code, 0, err)
        self.assertIn("= R_t", out)


class Claims(InFolder):
    def proved(self, model, *claims):
        code, out, err = self.run_model(model + "".join(f"claim {claim}\n" for claim in claims), "check")
        self.assertEqual((code, err), (0, ""), out)
        self.assertEqual(verdicts(out), ["proved"] * len(claims), out)

    def refused(self, model, claim, *words):
        code, _, err = self.run_model(model + f"claim {claim}\n", "check")
        self.assertEqual(code, 2, err)
        for word in words:
            self.assertIn(word, err)

    def test_a_named_drive(self):
        self.proved(NAMED, "drive_force(s) == m*(g + s'' + l*(theta''*sin(theta) + theta'^2*cos(theta)))",
                    "drive_power(s) == s'*drive_force(s)", "T' + V' == drive_power(s)")
        code, out, _ = self.run_model(NAMED + "claim drive_force(s) == m*(g + s'')\n", "check")
        self.assertEqual(code, 1)
        self.assertIn("refuted", out)

    def test_a_drive_without_a_name(self):
        self.proved(UNNAMED, "T' + V' == drive_power(t)", "drive_force(t) == drive_power(t)",
                    "drive_power(t) == m*(g - A*w^2*sin(w*t) + l*(theta''*sin(theta) + theta'^2*cos(theta)))*A*w*cos(w*t)")

    def test_a_surface_that_moves(self):
        self.proved(CIRCLE, "drive_force(r) == 2*r*lambda(circle)", "drive_power(r) == T'", "drive_power(circle) == T'",
                    "drive_force(circle) == lambda(circle)")

    def test_a_prescribed_velocity(self):
        """The force times the velocity is the power, on either side; a relation that holds places has its power alone."""
        model = "param m > 0 = 2, w = 3\ncoord r, phi\nparticle P mass m at [r*cos(phi), r*sin(phi)]\nconstraint spin: RELATION\nstart r = 1\n"
        for relation, factor in (("phi' = w", ""), ("w = phi'", "-"), ("phi' - w = 0", "")):
            self.proved(model.replace("RELATION", relation), "drive_power(spin) == T'", f"drive_force(spin) == {factor}lambda(spin)",
                        "drive_force(spin)*w == drive_power(spin)")
        self.proved(model.replace("RELATION", "phi' + r = w*sin(t)"), "drive_power(spin) == T'", "drive_force(spin) == drive_power(spin)")
        self.refused(model.replace("RELATION", "phi' = r"), "drive_power(spin) == 0", "`spin` does not hold the time", "power(spin)")

    def test_several_drives_add_up(self):
        model = """param m > 0 = 1, g = 9.81, a = 0.3, b = 0.2, w = 2, c = 0.1
coord x
rheonomic p = a*t^2
rheonomic q = b*sin(w*t)
particle P mass m at [x + p*cos(x), q + x^2 + 0.1*t*x]
gravity [0, -g]
dissipation c/2*(x' - q')^2
start x = 0.4
"""
        self.proved(model, "T' + V' == drive_power(p) + drive_power(q) + drive_power(t) - c*(x' - q')^2")

    def test_velocities_that_are_driven(self):
        self.proved("param m > 0 = 1, w = 2\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nconstraint pull: x' - y*y' = w*cos(t)\nstart x' = 2\n",
                    "drive_power(pull) == T'", "drive_force(pull) == lambda(pull)", "drive_power(pull) == lambda(pull)*w*cos(t)")

    def test_either_side(self):
        """The force times tau' is the power, on whatever side tau is written."""
        for relation, sign in (("x = A*sin(w*t)", ""), ("A*sin(w*t) = x", "-"), ("x - A*sin(w*t) = 0", "")):
            self.proved(f"param m > 0 = 1, A = 0.3, w = 2\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\nconstraint pull: {relation}\nstart y' = 1\n",
                        "drive_force(pull)*A*w*cos(w*t) == drive_power(pull)", f"drive_force(pull) == {sign}lambda(pull)", "drive_power(pull) == T'")

    def rows(self, text, until, *options):
        self.write(text)
        code, out, err = self.run_in("simulate", "m.lia", "--until", str(until), "--every", "0.1", "--tol", "1e-12", "-o", "r.csv", "--json", *options)
        self.assertEqual(code, 0, err)
        with (self.folder / "r.csv").open(encoding="utf-8") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)], json.loads(out)

    def test_a_wall_that_moves(self):
        """A smooth contact pushes with its factor, on whatever side what moves is written, and with nothing where it is open."""
        model = "param m = 2, A = 0.3, w = 6, g = 10\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential m*g*y\n" \
                "unilateral floor: {}\noutput F = drive_force(floor)\noutput P = drive_power(floor)\nstart y' = A*w, x' = 1\n"
        for relation, sign in (("y >= A*sin(w*t)", 1), ("A*sin(w*t) <= y", 1), ("-A*sin(w*t) >= -y", -1), ("y - A*sin(w*t) >= 0", 1)):
            rows, _ = self.rows(model.format(relation), 0.4)
            self.assertGreater(sum(row["F"] == 0 for row in rows), 1)
            for row in rows:
                pressure = row["lambda(floor)"]
                self.assertEqual(row["F"], sign * pressure)
                self.assertAlmostEqual(row["P"], pressure * 1.8 * math.cos(6 * row["t"]), places=9)
            self.assertAlmostEqual(rows[1]["F"], sign * 2 * (10 - 0.3 * 36 * math.sin(6 * rows[1]["t"])), places=9)
        self.refused(model.format("y >= A*sin(w*t)"), "drive_force(floor) == 0", "no formula holds")
        at = " at (t = 1/20, y = 0.3*sin(0.3), y' = 1.8*cos(0.3), x' = 1)"
        code, out, err = self.run_model(model.format("y >= A*sin(w*t)") + f"claim drive_power(floor) == m*(g - A*w^2*sin(w*t))*A*w*cos(w*t){at}\n"
                                        f"claim drive_power(floor) == m*g*A*w*cos(w*t){at}\n", "check")
        self.assertEqual((code, [line.split()[0] for line in out.splitlines()[1:3]]), (1, ["checked", "REFUTED"]), out + err)

    def test_a_drive_that_moves_a_wall(self):
        """What it gives to the parts that it carries and to what the wall pushes is together the rate of the energy."""
        model = """param m = 2, A = 0.3, w = 6, g = 10
coord x, y
rheonomic s = A*sin(w*t)
kinetic m/2*(x'^2 + y'^2) + (y' - s')^2/20
potential m*g*y
unilateral floor: y - s - x/3 >= 0
output P = drive_power(s)
output E = T' + V'
start y' = A*w
"""
        for text in (model, model.replace("drive_power(s)", "drive_power(t)").replace("rheonomic s = A*sin(w*t)\n", "").replace("- s'", "- A*w*cos(w*t)").replace("- s", "- A*sin(w*t)")):
            rows, run = self.rows(text, 1)
            modes = [span["mode"] for span in run["contacts"]]
            self.assertEqual(modes, ["closed", "open", "closed"])
            for row in rows:
                self.assertAlmostEqual(row["P"], row["E"], places=9)
            self.assertGreater(max(abs(row["P"]) for row in rows), 10)

    def test_a_wall_that_rubs(self):
        """Friction on what does not move works nothing there; on what does its work has no name."""
        model = "param A = 0.3\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral floor: y >= A*sin(t) friction 0.1{}\n"
        self.rows(model.format(" on x'") + "output P = drive_power(floor)\noutput R = drive_power(t)\nstart y' = A, x' = 1\n", 0.2)
        for slip in (" on x' - t", ""):
            self.refused(model.format(slip), "drive_power(floor) == 0", "friction of `floor` works on what moves too")
        self.refused(model.format(" on x' - t"), "drive_power(t) == 0", "it moves `floor`, whose force is not along its gap alone")

    def test_a_plate_under_many(self):
        """Contacts beyond some hundreds are not written out, and their factors are not summed."""
        one = "coord y_{i}", "kinetic y_{i}'^2/2", "potential 10*y_{i}", "unilateral w_{i}: y_{i} - s >= 0", "start y_{i} = 1"
        model = "rheonomic s = sin(t)\n" + "".join(f"for i in 1..600: {statement}\n" for statement in one)
        why = "it moves `w_1`, which is many contacts that are not written out", "give the wall a coordinate of its own"
        self.refused(model, "drive_force(s) == 0", *why)
        self.refused(model.replace("rheonomic s = sin(t)\n", "").replace("- s", "- sin(t)"), "drive_power(t) == 0", *why)

    def test_energies_in_let(self):
        self.proved(NAMED, "T' == m*l*theta'*(l*theta'' + s''*sin(theta)) + m*s'*(s'' + l*theta''*sin(theta) + l*theta'^2*cos(theta))")
        self.proved(NAMED + "let E = T + V\nlet half = E/2\n", "half' == drive_power(s)/2", "E == 2*half")
        code, out, _ = self.run_model(
            "coord x\nkinetic x'^2/2\npotential x^4\nlet E = T + V\nclaim conserved(E)\nclaim E' == 0\n", "check")
        self.assertEqual(code, 0, out)

    def test_units_come_from_the_coordinate(self):
        units = "param m > 0 = 2 [kg], R > 0 = 1 [m], w = 3 [1/s], F = 1 [N]\ncoord x [m]\n" \
                "rheonomic phi = w*t\nparticle P mass m at [x*cos(phi), x*sin(phi)]\nstart x = 1\n"
        self.proved(units, "drive_force(phi) == 2*m*x*x'*w", "drive_power(phi) == T'")
        self.refused(units, "drive_force(phi) == F", "units:", "N·m", "N")

    def test_what_is_refused(self):
        self.refused(NAMED, "drive_force(theta) == 0", "nothing is driven by `theta`")
        self.refused(CIRCLE.replace("= r^2", "= a^2"), "drive_power(circle) == 0", "`circle` does not hold the time")
        self.refused(NAMED, "drive_force() == 0", "L0429")
        self.refused(NAMED.replace("gravity [0, -g]", "force theta = drive_force(s)"), "T == T", "cannot stand in a force")
        self.refused(NAMED + "let E = T + V\npotential E\n", "T == T", "cannot stand in the potential energy", "an energy")
        self.refused(NAMED + "let P = drive_power(s)\n", "P' == 0", "has no derivative")
        self.refused(NAMED + "let E = T + V\n", "E'' == 0", "has no derivative")

    def test_outputs_and_events(self):
        text = NAMED + "output R = drive_force(s)\noutput P = drive_power(s)\noutput dT = T'\nevent heavy: drive_force(s) = 20\n"
        self.write(text)
        code, out, err = self.run_in("simulate", "m.lia", "--until", "2", "--every", "0.1", "--tol", "1e-12", "-o", "r.csv", "--json")
        self.assertEqual(code, 0, err)
        with (self.folder / "r.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            t, theta, rate = float(row["t"]), float(row["theta"]), float(row["theta'"])
            s2 = -0.1 * 9 * math.sin(3 * t)
            turn = -(9.81 + s2) / 0.7 * math.sin(theta)
            force = 2 * (9.81 + s2 + 0.7 * (turn * math.sin(theta) + rate**2 * math.cos(theta)))
            self.assertAlmostEqual(float(row["R"]), force, places=9)
            self.assertAlmostEqual(float(row["P"]), force * 0.3 * math.cos(3 * t), places=9)
        events = [e for e in json.loads(out)["events"] if e["name"] == "heavy"]
        self.assertGreater(len(events), 0)


class Pages(InFolder):
    """What the time moves is named, also where nobody declared it."""

    def page(self, model, command):
        code, out, err = self.run_model(model, command)
        self.assertEqual(code, 0, err)
        return " ".join(out.split())

    def test_derive_and_analyze(self):
        for command in ("derive", "analyze"):
            self.assertIn("The time moves the rheonomic coordinate s (drive_force(s)).", self.page(NAMED, command))
            self.assertIn("what holds t in T or V without the name of a drive (drive_power(t))", self.page(UNNAMED, command))
            self.assertIn("the constraint circle (drive_force(circle))", self.page(CIRCLE, command))
            self.assertNotIn("The time moves", self.page("coord x\nkinetic x'^2/2\npotential x^2\n", command))


class Balance(unittest.TestCase):
    """T + V minus the work of the drives, forces and constraints is kept on every model with a drive."""

    def balance(self, path, *options):
        code, out, err = run("simulate", str(path), "--until", "1.5", "--json", *options)  # some begin at 1.4
        result = json.loads(out) if out else {}
        return code, next((m for m in result.get("monitors", []) if m["name"] == "T + V - work"), None), err

    def test_all_driven_models(self):
        seen = 0
        for path in sorted(ROOT.glob("models/*/*.lia")):
            is_driven = path.parent.name in ("driven", "vujicic")
            if not is_driven and not re.search(r"^(rheonomic|constraint|particle|body|kinetic|potential|let)\b[^#\n]*\bt\b",
                                               path.read_text(encoding="utf-8"), re.MULTILINE):
                continue
            with self.subTest(path.name):
                code, monitor, err = self.balance(path)
                if not is_driven and (code != 0 or path.parent.name == "contacts"):
                    continue  # some have no start
                self.assertEqual(code, 0, err)
                if monitor is None:
                    continue
                seen += 1
                self.assertGreater(monitor["digits"], 7, monitor)
                self.assertTrue(monitor["expected"])
        self.assertGreaterEqual(seen, 60)

    def test_the_picture_of_a_crank(self):
        """The torque over one turn in the documentation is what its command draws."""
        with tempfile.TemporaryDirectory() as folder:
            picture = pathlib.Path(folder) / "crank.svg"
            code, _, err = run("simulate", "models/driven/slider_crank_at_constant_speed.lia", "--until", "0.314159265358979", "--every", "0.002", "--columns", "torque, motor_power, lambda(rod)", "--plot", str(picture))
            self.assertEqual(code, 0, err)
            drawn, shown = (re.sub(r"\d+\.\d+", lambda n: f"{float(n.group()):.0f}", path.read_text(encoding="utf-8"))
                            for path in (picture, ROOT / "docs/pictures/slider-crank-torque.svg"))
            self.assertEqual(drawn, shown)

    def test_it_follows_the_tolerance(self):
        path = ROOT / "models/driven/pendulum_on_a_lift.lia"
        for tolerance, digits in (("1e-6", 4.5), ("1e-12", 10.5)):
            self.assertGreater(self.balance(path, "--tol", tolerance)[1]["digits"], digits)

    def test_work_that_is_forgotten_would_be_seen(self):
        code, out, _ = run("simulate", str(ROOT / "models/driven/governor.lia"), "--until", "1", "--json")
        self.assertEqual(code, 0)
        monitors = {m["name"]: m for m in json.loads(out)["monitors"]}
        self.assertLess(monitors["T + V"]["digits"], 3)
        self.assertGreater(monitors["T + V - work"]["digits"], 7)


class Resets(InFolder):
    def test_what_a_reset_takes_is_no_work(self):
        self.write("param w = 3\ncoord x\nrheonomic s = 0.1*sin(w*t)\nparticle P mass 1 at [x + s, 0]\n"
                   "potential 5*x^2\nevent wall: x = -0.2 falling then reset x' = -0.5*x'\nstart x = 0.5\n")
        code, out, err = self.run_in("simulate", "m.lia", "--until", "5", "--json")
        self.assertEqual(code, 0, err)
        monitor = next(m for m in json.loads(out)["monitors"] if m["name"] == "T + V - work")
        self.assertGreater(len(json.loads(out)["events"]), 0)
        self.assertGreater(monitor["digits"], 7)


class Dampers(InFolder):
    """What moves the other end of a damper works."""

    def claims(self, model):
        _, out, err = self.run_model(model, "check", "--json")
        return [claim["status"] for claim in json.loads(out)["claims"]], err

    def test_a_dissipation_that_holds_the_time(self):
        model = "param m = 1, c = 0.5, A = 0.1, w = 3\ncoord x\nparticle P mass m at [x, 0]\nstart x = 0\n"
        own = "dissipation c*(x' - A*w*cos(w*t))^2/2\n"
        damper = "damper D: P to [1 + A*sin(w*t), 0] damping c\n"
        power = "-c*(x' - A*w*cos(w*t))*A*w*cos(w*t)"
        found, err = self.claims(model + own + f"claim drive_power(t) == {power}\nclaim drive_power(t) == 0\n")
        self.assertEqual(found, ["proved", "refuted"], err)
        found, err = self.claims(model + damper + f"claim drive_power(t) == {power}*sign(x - A*sin(w*t) - 1)^2\nclaim drive_power(t) == 0\n")
        self.assertEqual(found, ["proved", "refuted"], err)
        found, err = self.claims(model + "dissipation c*(1 + t^2)*x'^2/2\nclaim drive_power(t) == 0\n")  # no end moves
        self.assertEqual(found, ["proved"], err)
        code, _, err = self.run_model(model + "dissipation c*abs(x' - A*w*cos(w*t))^3/3\nclaim drive_power(t) == 0\n", "check")
        self.assertEqual(code, 2)
        self.assertIn("not of degree two", err)

    def test_an_end_that_moves_steadily(self):
        """A belt of speed V: nothing of it holds the time."""
        model = "param m = 1, c = 0.5, V = 2\ncoord x, y\nparticle P mass m at [x, y]\nstart x = 0\n"
        found, err = self.claims(model + "dissipation c*(x' - V)^2/2\nclaim drive_power(t) == -c*(x' - V)*V\nclaim drive_power(t) == 0\n")
        self.assertEqual(found, ["proved", "refuted"], err)
        for still in ("c*abs(x')", "c*sqrt(x'^2 + y'^2)", "c*x'^2 + x'^4", "c*(1 + x^2)*abs(y')^3"):  # nothing moves by itself
            found, err = self.claims(model + f"dissipation {still}\nclaim drive_power(t) == 0\n")
            self.assertEqual(found, ["proved"], (still, err))
        for sided in ("c*sqrt(x'^2 + y'^2) - V*x'", "c*abs(x' - V)", "c*abs(x' - cos(t))", "c*max(x' - V, 0)^2", "c*sqrt((x' - V)^2 + y'^2)"):  # second derivatives say nothing of sides
            code, _, err = self.run_model(model + f"dissipation {sided}\nclaim drive_power(t) == 0\n", "check")
            self.assertEqual(code, 2, sided)
            self.assertIn("not of degree two", err)

    def test_the_balance_of_forces_that_hold_the_time(self):
        for text in ("force x = F*cos(w*t) - x'/10\n", "dissipation (x' - F*cos(w*t))^2/20\n"):
            code, out, err = self.run_model("param F = 0.5, w = 1.3\ncoord x\nkinetic x'^2/2\npotential x^2/2 + x^4/4\n" + text + "start x = 1\n",
                                            "simulate", "--until", "20", "--json")
            self.assertEqual(code, 0, err)
            monitors = {m["name"]: m for m in json.loads(out)["monitors"]}
            self.assertGreater(monitors["T + V - work"]["digits"], 7)

    def test_the_largest_power_is_that_of_the_motion(self):
        """x'' = -w^2 A sin(w t) of a mass: the power m A^2 w^3 sin(2 w t)/2 has the peak m A^2 w^3/2, in steps that are long beside its period."""
        self.write("param m = 2, A = 0.1, w = 30\ncoord x\nrheonomic s = A*sin(w*t)\nparticle P mass m at [s, x]\n")
        code, out, err = self.run_in("simulate", "m.lia", "--until", "3", "--json")
        self.assertEqual(code, 0, err)
        power = next(m for m in json.loads(out)["monitors"] if m["name"] == "drive_power(s)")
        peak = 2 * 0.1**2 * 30**3 / 2
        self.assertAlmostEqual(power["largest"], 1)  # beside the sizes of its terms
        _, page, _ = self.run_in("simulate", "m.lia", "--until", "3")
        told = float(re.search(r"drive_power\(s\).*up to ([0-9.e+-]+)", page).group(1))
        self.assertLess(abs(told - peak), 0.02 * peak)

    def test_rest_beside_a_relation_of_any_form(self):
        """The same states as with x = t: y rests at 1 while x moves."""
        for relation in ("x = t", "exp(x) = exp(t)", "x^3 = t^3", "2*x = 2*t"):
            code, out, err = self.run_model("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential (y - 1)^2/2\n"
                                            f"constraint c: {relation}\nstart x = 0\n", "analyze", "--only", "equilibria", "--json")
            self.assertEqual(code, 0, err)
            result = json.loads(out)
            self.assertEqual([float(one["position"]["y"]) for one in result["equilibria"]], [1], (relation, result))
            # x^3 = t^3 says nothing of x' where x = 0
            self.assertEqual(result["equilibria_searched"]["all"], relation != "x^3 = t^3", (relation, result))

    def test_what_a_drive_does_at_rest_beside_a_relation_of_any_form(self):
        """x'' is zero for x = t, and the rate exp(t - x) has a rate by x too."""
        for relation in ("x = t", "exp(x) = exp(t)"):
            code, out, err = self.run_model("coord x, y\nrheonomic s = sin(t)\nkinetic ((x' + s')^2 + y'^2)/2\npotential (y - 1)^2/2\n"
                                            f"constraint c: {relation}\nstart x = 0\n", "analyze", "--only", "equilibria", "--json")
            self.assertEqual(code, 0, err)
            force = json.loads(out)["equilibria"][0]["drives"][0]["force"]
            text = force.replace("^", "**").replace("\u2212", "-")
            value = eval(text, {"exp": math.exp, "sin": math.sin, "cos": math.cos, "t": 0.7, "x": 0.7})
            self.assertAlmostEqual(value, -math.sin(0.7), msg=(relation, force))


if __name__ == "__main__":
    unittest.main()
