#!/usr/bin/env python3
"""`orbits --follow`: where branches meet, nearly meet or end, whatever the range and the units are, against closed forms.

usage: test_branch_ends.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder, run


class Ends(InFolder):
    def branches(self, model, *options):
        code, out, err = self.run_model(model, "orbits", "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)["branches"]

    def specials(self, branch, name):
        return [(one["kind"], one[name]) for one in branch["special"]]

    def test_a_fork_that_is_nearly_perfect(self):
        """x^3 - p*x = h: the branch of the negative roots turns back at p = 3*(h/2)^(2/3), and is unstable from there on."""
        for h in (1e-4, 1e-6, 2e-7, 1e-9):
            found = self.branches(f"param h = {h}, p = 1\ncoord x\nkinetic x'^2/2\npotential x^4/4 - p*x^2/2 - h*x\nforce x = -x'/5\nstart x = -1\n",
                                  "--rest", "--follow", "p = 1 .. -1")
            [(kind, p)] = self.specials(found[0], "p")
            self.assertEqual(kind, "fold", h)
            self.assertAlmostEqual(p, 3 * (h / 2)**(2 / 3), places=8)
            self.assertTrue(all(point["state"]["x"] < 0 for point in found[0]["points"]), h)
            self.assertEqual(found[0]["points"][-1]["stability"], "unstable")

    def test_a_branch_that_grows_from_next_to_nothing(self):
        """The same from the other end: x = -h/p.. grows by a million times, to sqrt(p)."""
        for h in (1e-6, 2e-7):
            found = self.branches(f"param h = {h}, p = 1\ncoord x\nkinetic x'^2/2\npotential x^4/4 - p*x^2/2 - h*x\nforce x = -x'/5\nstart x = {h}\n",
                                  "--rest", "--follow", "p = -1 .. 1")
            self.assertEqual((found[0]["end"], found[0]["special"]), ("the end of the range", []))
            last = found[0]["points"][-1]
            self.assertAlmostEqual(last["p"], 1, places=12)
            self.assertAlmostEqual(last["state"]["x"]**3 - last["state"]["x"], h, places=12)

    def test_a_branch_that_runs_into_another(self):
        """A bead that stands at an angle comes down to the lowest point at w = sqrt(g/R): the branch of that crosses there."""
        for ends in ("9 .. 4", "5.8 .. 5.6", "5.72 .. 5.717"):
            w = float(ends.split()[0])
            angle = math.acos(9.81 / (0.3 * w**2))
            code, out, err = run("orbits", "models/driven/bead_on_turning_hoop.lia", "--rest", "--start", f"theta = {angle}", "--follow", f"w = {ends}", "--json")
            self.assertEqual(code, 0, err)
            branches = json.loads(out)["branches"]
            [(kind, at)] = self.specials(branches[0], "w")
            self.assertEqual(kind, "branching", ends)
            self.assertAlmostEqual(at, math.sqrt(9.81 / 0.3), places=7)
            self.assertGreater(len(branches), 1)
            for branch in branches[1:]:
                self.assertTrue(all(abs(point["state"]["theta"]) < 1e-9 for point in branch["points"]))

    def test_a_doubled_motion_comes_back_to_the_simple_one(self):
        """SciPy: the simple motion doubles its period at F = 0.26558179. A narrow range has no other answer than a wide one."""
        model = "param d = 0.3, F = 0.2, w = 1.2\ncoord x\nkinetic x'^2/2\npotential -x^2/2 + x^4/4\ndissipation d/2*x'^2\nforce x = F*cos(w*t)\n"
        for ends in ("0.28 .. 0.24", "0.267 .. 0.264"):
            found = self.branches(model, "--period", "4*pi/w", "--start", "x = 0.245749741687, x' = 0.237443202333", "--follow", f"F = {ends}")
            [(kind, at)] = self.specials(found[0], "F")
            self.assertEqual(kind, "branching", ends)
            self.assertAlmostEqual(at, 0.26558179, places=7)
            self.assertTrue(all(point["F"] > 0.265581 for point in found[0]["points"]))
            self.assertGreater(len(found), 1)

    def test_a_rest_in_every_unit_of_time(self):
        for k in (1, 1e8, 1e-12):
            found = self.branches(f"param K = {k}, p = 1\ncoord x\nkinetic x'^2/2\npotential (x^4/4 - p*x^2/2 - x/50)/K\nforce x = -x'/5/sqrt(K)\nstart x = -0.9\n",
                                  "--rest", "--follow", "p = 1 .. -1")
            [(kind, p)] = self.specials(found[0], "p")
            self.assertEqual(kind, "fold", k)
            self.assertAlmostEqual(p, 3 * 0.01**(2 / 3), places=7)
            self.assertEqual([point["stability"] for point in found[0]["points"]][::len(found[0]["points"]) - 1], ["stable", "unstable"])

    def test_motions_in_every_unit_of_time(self):
        """Van der Pol's period along the branch, and where rest becomes unstable, in every unit of time."""
        for unit in (1, 1e-6, 1e6):
            found = self.branches(f"param T = {unit}, mu = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2/T^2\nforce x = (1 - x^2)*mu*x'/T\nstart x = 2\n",
                                  "--follow", "mu = 1 .. 0.2")
            last = found[0]["points"][-1]
            self.assertAlmostEqual(last["mu"], 0.2, places=9)
            self.assertAlmostEqual(last["period"] / unit, 6.29888, places=4)  # 2 pi (1 + mu^2/16 - 5 mu^4/3072)
        for s in (1, 1e-4):
            found = self.branches(f"param s = {s}, a = 0.3\ncoord x\nkinetic s^2*x'^2/2\npotential -(a + 0.1*cos(t/s))*x^2/2\nforce x = -s*x'/10\nstart x = 0\n",
                                  "--follow", "a = 0.3 .. -0.1")
            self.assertAlmostEqual(dict(self.specials(found[0], "a"))["branching"], 0.00492965, places=7)


if __name__ == "__main__":
    unittest.main()
