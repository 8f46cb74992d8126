#!/usr/bin/env python3
"""`--vakonomic`: the variational motion beside d'Alembert's, against equations that were derived by hand; what is refused.

usage: test_vakonomic.py PROGRAM
"""

import json
import math
import unittest

from program import ROOT, InFolder, run

KNIFE = """system "Knife edge"
param m = 2, I = 0.75, gam = 0
coord x, y, theta
kinetic m/2*(x'^2 + y'^2) + I/2*theta'^2
potential -m*gam*x
constraint edge: x'*sin(theta) - y'*cos(theta) = 0
start x = 0.3, y = 0.1, theta = 0.2, theta' = 0.5, x' = 1.2*cos(0.2)
"""
DISC = "models/classics/rolling_disc.lia"


def runge_kutta(rates, state, until, steps=2000):
    """The classical method of order 4: at these steps its error is below 1e-11."""
    h = until / steps
    for _ in range(steps):
        k1 = rates(state)
        k2 = rates([s + h / 2 * k for s, k in zip(state, k1)])
        k3 = rates([s + h / 2 * k for s, k in zip(state, k2)])
        k4 = rates([s + h * k for s, k in zip(state, k3)])
        state = [s + h / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4)]
    return state


def knife_edge(gam, multiplier, until, m=2.0, inertia=0.75):
    """u along the edge, w = theta': m u' = m gam cos - mu w, I w' = mu u, mu' = m (gam sin + u w)."""
    def rates(state):
        _, _, theta, u, w, mu = state
        return [u * math.cos(theta), u * math.sin(theta), w, gam * math.cos(theta) - mu * w / m, mu * u / inertia,
                m * (gam * math.sin(theta) + u * w)]

    return runge_kutta(rates, [0.3, 0.1, 0.2, 1.2, 0.5, multiplier], until)


def disc(start, multipliers, until, m=1.0, radius=0.5):
    """x, y and theta are cyclic in L + mu_x (x' + R theta' sin phi) + mu_y (y' - R theta' cos phi): P = m x' + mu_x, Q = m y' + mu_y and
    the momentum of theta are constant, so theta' = (K - R (P sin - Q cos))/(3/2 m R^2), m R^2/4 phi'' = R theta' (P cos + Q sin)."""
    x, y, phi, theta, phi1, theta1 = start
    p = -m * radius * theta1 * math.sin(phi) + multipliers[0]
    q = m * radius * theta1 * math.cos(phi) + multipliers[1]
    k = 1.5 * m * radius**2 * theta1 + radius * (p * math.sin(phi) - q * math.cos(phi))

    def spin(angle):
        return (k - radius * (p * math.sin(angle) - q * math.cos(angle))) / (1.5 * m * radius**2)

    def rates(state):
        angle, turn = state[2], state[4]
        rolling = spin(angle)
        return [-radius * rolling * math.sin(angle), radius * rolling * math.cos(angle), turn, rolling,
                4 * rolling * (p * math.cos(angle) + q * math.sin(angle)) / (m * radius)]

    return runge_kutta(rates, [x, y, phi, theta, phi1], until)


class Vakonomic(InFolder):
    def final(self, *arguments):
        code, out, err = self.run_in("simulate", *arguments, "--tol", "1e-12", "--json")
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)["final"]

    def test_knife_edge_by_hand(self):
        self.write(KNIFE)
        for gam in (0, 1.5):
            for multiplier in (0, 0.8, -2.5):
                final = self.final("m.lia", "--until", "2", "--set", f"gam = {gam}", "--vakonomic", "--multipliers", f"edge = {multiplier}")
                x, y, theta, _, w, mu = knife_edge(gam, multiplier, 2)
                for name, value in (("x", x), ("y", y), ("theta", theta), ("theta'", w), ("s_edge'", mu)):
                    self.assertAlmostEqual(final[name], value, delta=1e-9, msg=f"{name}, gam = {gam}, mu = {multiplier}")

    def test_it_is_another_motion(self):
        self.write(KNIFE)
        usual = self.final("m.lia", "--until", "1")
        other = self.final("m.lia", "--until", "1", "--vakonomic", "--multipliers", "edge = 0")
        self.assertAlmostEqual(usual["theta"], 0.7, delta=1e-10)
        self.assertAlmostEqual(other["theta"], 1.04820448621356, delta=1e-9)

    def test_disc_by_hand(self):
        for multipliers in ((0, 0), (0.7, -0.4)):
            final = self.final(str(self.disc()), "--until", "1.5", "--start", "phi = 0.3, phi' = 0.8, theta' = 2", "--vakonomic",
                               "--multipliers", f"roll_x = {multipliers[0]}, roll_y = {multipliers[1]}")
            expected = disc((0, 0, 0.3, 0, 0.8, 2), multipliers, 1.5)
            for name, value in zip(("x", "y", "phi", "theta", "phi'"), expected):
                self.assertAlmostEqual(final[name], value, delta=1e-9, msg=f"{name} with {multipliers}")

    def disc(self):
        return ROOT / DISC

    def test_disc_with_suitable_multipliers_is_that_of_d_alembert(self):
        found = json.loads(run("analyze", DISC, "--only", "vakonomic", "--json")[1])["vakonomic"]
        self.assertEqual(found["coincide"], "with suitable multipliers")
        self.assertEqual(found["multipliers"], {"roll_x": "m*R*theta'*sin(phi)", "roll_y": "-m*R*theta'*cos(phi)"})
        where = ("--until", "2", "--start", "phi = 0.3, phi' = 0.8, theta' = 2")
        usual = self.final(str(self.disc()), *where)
        same = self.final(str(self.disc()), *where, "--vakonomic", "--multipliers", "roll_x = m*R*2*sin(0.3), roll_y = -m*R*2*cos(0.3)")
        other = self.final(str(self.disc()), *where, "--vakonomic", "--multipliers", "roll_x = 0, roll_y = 0")
        for name in ("x", "y", "phi", "theta"):
            self.assertAlmostEqual(usual[name], same[name], delta=1e-9)
        self.assertGreater(abs(usual["phi"] - other["phi"]), 0.1)

    def test_the_page_and_the_derivation(self):
        self.write(KNIFE)
        page = " ".join(self.run_in("analyze", "m.lia", "--only", "vakonomic")[1].split())
        self.assertIn("The motions are others: at general states no multipliers make", page)
        for format in ("latex", "html", "json"):
            self.assertEqual(self.run_in("analyze", "m.lia", "--only", "vakonomic", "--format", format)[0], 0)
        code, out, _ = self.run_in("derive", "m.lia", "--vakonomic")
        self.assertEqual(code, 0)
        self.assertIn("Knife edge, as a variational problem", out)

    def test_what_is_not_compared_is_said(self):
        text = "coord x, y, z, th\nkinetic (x'^2 + y'^2 + z'^2 + th'^2)/2\nconstraint bowl: z - x^2 - y^2 = 0\nconstraint edge: x'*sin(th) - y'*cos(th) = 0\n"
        page = " ".join(self.run_model(text, "analyze", "--only", "vakonomic")[1].split())
        self.assertIn("Not compared with d'Alembert's motions: the coordinates satisfy relations between them.", page)
        code, out, _ = self.run_in("simulate", "m.lia", "--start", "x = 1, z = 1, x' = 1, th' = 1", "--until", "1", "--vakonomic", "--multipliers",
                                   "edge = 0", "--json")
        self.assertEqual(code, 0)  # the bowl stays a constraint
        final = json.loads(out)["final"]
        self.assertAlmostEqual(final["z"], final["x"] ** 2 + final["y"] ** 2, delta=1e-12)

    def test_rows_have_the_residual_and_a_run_goes_on(self):
        self.write(KNIFE)
        line = ("simulate", "m.lia", "--vakonomic", "--multipliers", "edge = 0.8", "--every", "0.5", "-o", "rows.csv")
        self.assertEqual(self.run_in(*line, "--until", "1")[0], 0)
        head, *rows = (self.folder / "rows.csv").read_text(encoding="utf-8").splitlines()
        column = head.split(",").index("residual_edge")
        for row in rows:
            self.assertLess(abs(float(row.split(",")[column])), 1e-8)
        self.assertEqual(self.run_in(*line, "--until", "2", "--resume")[0], 0)
        self.assertEqual(len((self.folder / "rows.csv").read_text(encoding="utf-8").splitlines()), 6)
        code, _, err = self.run_in("simulate", "m.lia", "--every", "0.5", "-o", "rows.csv", "--until", "3", "--resume")
        self.assertEqual(code, 2)
        self.assertIn("another run", err)

    def test_with_a_drive(self):
        """Forces of drives are those of d'Alembert's motion: the variational problem has none of them."""
        for relation in ("y' = z*x' + s'", "y' = z*x' + cos(t)"):
            model = (f"param m = 2\ncoord x, y, z\nrheonomic s = sin(t)\nparticle P mass m at [x + s, y, z]\nconstraint c: {relation}\n"
                     "start x' = 1, z = 1, y' = 2\n")
            code, out, err = self.run_model(model, "simulate", "--until", "1", "--vakonomic", "--multipliers", "c = 1")
            self.assertEqual(code, 0, err)
            self.assertNotIn("drive_power", out)

    def test_what_is_refused(self):
        self.write(KNIFE)
        for options, message in (
                (["--vakonomic"], "the multiplier of `edge` at the start is not given, and no equation determines it"),
                (["--multipliers", "edge = 0"], "only a variational problem has multipliers at its start"),
                (["--vakonomic", "--multipliers", "edg = 0"], "`edg` is no relation between velocities"),
                (["--vakonomic", "--multipliers", "edge"], "`edge` gives no value"),
                (["--vakonomic", "--multipliers", "edge = 0, edge = 1"], "gives a value twice"),
                (["--vakonomic", "--multipliers", "edge = 0", "--start", "x' = 1, y' = 7"], "edge")):
            code, out, err = self.run_in("simulate", "m.lia", "--until", "1", *options)
            self.assertEqual((code, out), (2, ""), options)
            self.assertIn(message, err)
        for line, message in (("force x = -x'", "the forces have no potential"), ("unilateral wall: x <= 9", "there are contacts"),
                              ("output N = lambda(edge)", "the output `N` asks for d'Alembert's reactions")):
            code, _, err = self.run_model(KNIFE + line + "\n", "simulate", "--until", "1", "--vakonomic", "--multipliers", "edge = 0")
            self.assertEqual(code, 2)
            self.assertIn(message, err)


if __name__ == "__main__":
    unittest.main()
