#!/usr/bin/env python3
"""`orbits`: periodic motions and multipliers against closed forms, published numbers and programs written here; `simulate --lyapunov`.

usage: test_orbits.py PROGRAM
"""

import cmath
import json
import math
import subprocess
import sys
import unittest

from program import PROGRAM, ROOT, InFolder, run

KAPITZA = """param m > 0 = 1, l > 0 = 0.5, g = 9.81, A > 0 = 0.05, w > 0 = 63
coord theta                                              # from the upright
particle P mass m at [l*sin(theta), A*cos(w*t) + l*cos(theta)]
gravity [0, -g]
"""
HENON_HEILES = """coord x, y
kinetic (x'^2 + y'^2)/2
potential (x^2 + y^2)/2 + x^2*y - y^3/3
start y = -0.3
"""
LINEAR = """param k = 4, c = 0.3, F = 2, w = 3
coord x
kinetic x'^2/2
potential k/2*x^2
force x = -c*x' + F*cos(w*t)
"""
PENDULUM = """param m = 2, g = 9.81, l = 0.5
coord x, y
particle P mass m at [x, y]
gravity [0, -g]
constraint rod: x^2 + y^2 = l^2
start x = 0.4
"""
TURNING = """param g = 9.81, l = 0.5
coord theta
kinetic l^2/2*theta'^2
potential -g*l*cos(theta)
start theta' = 12
"""


def complete_elliptic(m):
    """K of the parameter m = k^2, by the mean of Gauss."""
    a, b = 1.0, math.sqrt(1 - m)
    for _ in range(30):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def runge_kutta(rates, y, until, steps):
    h = until / steps
    for k in range(steps):
        t = k * h
        k1 = rates(t, y)
        k2 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
        k3 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
        k4 = rates(t + h, [a + h * b for a, b in zip(y, k3)])
        y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
    return y


class Orbits(InFolder):
    def orbit(self, model, *options):
        code, out, err = self.run_model(model, "orbits", "--json", *options)
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertEqual(result["schema"], 1)
        self.assertTrue(result["found"])
        return result

    def multipliers(self, result):
        return [complex(m["re"], m["im"]) for m in result["multipliers"] if "is" not in m]

    def trivial(self, result):
        return [m["is"] for m in result["multipliers"] if "is" in m]

    def test_van_der_pol(self):
        code, out, err = run("orbits", "models/driven/van_der_pol.lia", "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertAlmostEqual(result["period"], 6.66328685932313019, places=11)
        [multiplier] = self.multipliers(result)
        self.assertLess(abs(multiplier - 8.59695063603805186e-4), 1e-11)  # mpmath, to 24 digits
        self.assertEqual((self.trivial(result), result["stability"]), (["along the motion"], "stable"))
        # SciPy's DOP853 at 1e-13: for mu = 10
        code, out, err = run("orbits", "models/driven/van_der_pol.lia", "--set", "mu = 10", "--json")
        self.assertEqual(code, 0, err)
        self.assertAlmostEqual(json.loads(out)["period"], 19.07836956694, places=9)

    def test_a_linear_oscillator_that_is_driven(self):
        result = self.orbit(LINEAR)
        self.assertEqual((result["period_from"], result["autonomous"]), ("the drive", False))
        self.assertAlmostEqual(result["period"], 2 * math.pi / 3, places=13)
        steady = 2 / complex(4 - 9, 0.3 * 3)
        self.assertAlmostEqual(result["start"]["x"], steady.real, places=10)
        self.assertAlmostEqual(result["start"]["x'"], -3 * steady.imag, places=10)
        expected = cmath.exp(complex(-0.15, math.sqrt(4 - 0.15**2)) * 2 * math.pi / 3)
        for found in self.multipliers(result):
            self.assertLess(min(abs(found - expected), abs(found - expected.conjugate())), 1e-10)
        self.assertEqual(result["stability"], "stable")

    def test_duffing_without_a_drive(self):
        """The time is in the model, and not at these values: the period is found, the amplitude held."""
        options = ("--set", "c = 0, F = 0", "--start", "x = 1", "--hold", "x", "--json")
        code, out, err = run("orbits", "models/driven/duffing.lia", *options)
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertAlmostEqual(result["period"], 4 * complete_elliptic(0.25) / math.sqrt(2), places=11)
        self.assertAlmostEqual(result["start"]["x"], 1, places=12)
        for multiplier in self.multipliers(result):  # nothing says that the energy is kept at these values alone
            self.assertLess(abs(multiplier - 1), 1e-6)

    def test_pairs(self):
        """The straight orbit of Henon and Heiles: deviations across it by Hill's equation, integrated here."""
        result = self.orbit(HENON_HEILES, "--hold", "y")
        period = result["period"]
        self.assertAlmostEqual(result["start"]["y"], -0.3, places=12)

        def rates(_, s):
            y, v, a, b, c, d = s
            return [v, -y + y * y, b, -(1 + 2 * y) * a, d, -(1 + 2 * y) * c]

        end = runge_kutta(rates, [-0.3, 0, 1, 0, 0, 1], period, 20000)
        self.assertLess(abs(end[0] + 0.3) + abs(end[1]), 1e-9)
        trace = end[2] + end[5]
        expected = (trace + cmath.sqrt(trace**2 - 4)) / 2
        found = self.multipliers(result)
        self.assertEqual(len(found), 2)
        for one in found:
            self.assertLess(min(abs(one - expected), abs(one - 1 / expected)), 1e-9)
        self.assertLess(result["pair_defect"], 1e-10)
        self.assertEqual(sorted(self.trivial(result)), ["along the motion", "of the energy"])

    def test_pairs_without_the_energy(self):
        """With a drive that is zero nothing says that the energy is kept: its 1 goes with that along the motion."""
        model = "param A = 0, w = 3\n" + HENON_HEILES.replace("y^3/3", "y^3/3 + A*x*cos(w*t)")
        result = self.orbit(model, "--hold", "y")
        self.assertEqual(self.trivial(result), ["along the motion"])
        self.assertLess(result["pair_defect"], 1e-9)
        self.assertEqual(result["stability"], "neutral")

    def test_two_blocks_of_jordan(self):
        """A particle that swings along x and may drift along y and z: nothing grows like an exponential."""
        result = self.orbit("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2 + y'*z' + 0.3*x'*y')/2\npotential x^2/2 + x^4/4\nstart x = 0.7\n",
                            "--hold", "x, y, z, y', z'", "--period", "5.5")
        self.assertEqual(result["stability"], "neutral")

    def test_on_a_constraint(self):
        result = self.orbit(PENDULUM, "--hold", "x")
        start = math.asin(0.4 / 0.5) if result["start"]["y"] < 0 else math.pi - math.asin(0.4 / 0.5)
        period = 4 * math.sqrt(0.5 / 9.81) * complete_elliptic(math.sin(start / 2) ** 2)
        self.assertAlmostEqual(result["period"], period, places=10)
        self.assertEqual(len(result["multipliers"]), 2)

    def test_what_is_held_on_a_constraint(self):
        """The rod brings the others back, and x stays as it was given."""
        self.write("""system "Spherical pendulum in Cartesian coordinates"
param m > 0 = 1, l > 0 = 1, g = 9.81
coord x, y, z
particle P mass m at [x, y, z]
gravity [0, 0, -g]
constraint rod: x^2 + y^2 + z^2 = l^2
start x = 0.6, z = -0.8, y' = 2.7
""")
        code, out, err = self.run_in("orbits", "m.lia", "--hold", "x", "--json")
        self.assertEqual(code, 0, err)
        self.assertIn('"x": 0.6,', out)

    def test_turns(self):
        result = self.orbit(TURNING, "--turns", "theta = 2*pi", "--period", "0.6", "--hold", "theta, theta'")
        # energy: theta'^2 = 12^2 - 2*g/l*(1 - cos); the time of one turn is 4/12*K(m), m = 4*g/(l*12^2)
        self.assertAlmostEqual(result["period"], 4 / 12 * complete_elliptic(4 * 9.81 / (0.5 * 144)), places=10)

    def test_kapitza_against_mathieu(self):
        """Upright is stable above the w at which a_0(q) = -4 g/(l w^2), q = 2 A/l; a_0 by the eigenvalues of its matrix (mpmath)."""
        for amplitude, boundary in (("0.05", 62.7780640228597603), ("0.1", 31.5887252189834378), ("0.02", 156.659357361809655)):
            def excess(w, amplitude=amplitude):
                result = self.orbit(KAPITZA, "--set", f"A = {amplitude}, w = {w!r}")
                self.assertLess(result["pair_defect"], 1e-10)
                return sum(self.multipliers(result)).real - 2

            low, high = 0.98 * boundary, 1.02 * boundary
            a, b = excess(low), excess(high)
            self.assertGreater(a, 0)  # grows below
            self.assertLess(b, 0)
            for _ in range(7):
                low, high, a = high, high - b * (high - low) / (b - a), b
                b = excess(high)
                if abs(high - low) < 1e-12 * high:
                    break
            self.assertLess(abs(high / boundary - 1), 1e-9, amplitude)
        below = self.orbit(KAPITZA, "--set", "w = 60")
        self.assertEqual(below["stability"], "unstable")

    def test_page(self):
        code, out, err = self.run_model(KAPITZA, "orbits")
        self.assertEqual(code, 0, err)
        for word in ("that of the drive", "multipliers", "pairs mu, 1/mu", "neutral"):
            self.assertIn(word, out)

    def test_what_is_refused(self):
        code, _, err = self.run_model(LINEAR.replace("cos(w*t)", "exp(-t)"), "orbits")
        self.assertEqual(code, 2)
        self.assertIn("not by sines and cosines", err)
        code, _, err = self.run_model(LINEAR, "orbits", "--period", "2")
        self.assertEqual(code, 3)
        self.assertIn("not the period of the drive", err)
        code, _, err = self.run_model(LINEAR + "unilateral wall: x >= -1\n", "orbits")
        self.assertEqual(code, 2)
        code, _, err = self.run_model(LINEAR + "event wall: x = -1 then stop\n", "orbits")
        self.assertEqual(code, 2)
        self.assertIn("`wall` acts", err)
        code, _, err = self.run_model(TURNING.replace("12", "0"), "orbits")
        self.assertEqual(code, 2)
        self.assertIn("at rest", err)
        code, _, err = self.run_model(LINEAR, "orbits", "--hold", "q")
        self.assertEqual(code, 2)
        self.assertIn("no value of the state", err)


class PeriodOfADrive(InFolder):
    def period(self, force, *options):
        code, out, err = self.run_model("param w = 2, v = 3, A = 0\ncoord x\nkinetic x'^2/2\npotential x^2\n"
                                        f"force x = -x'/5 + {force}\nstart x = 0.1\n", "orbits", *options, "--json")
        return json.loads(out)["period"] if code == 0 else err

    def test_the_least_one(self):
        for force, period in (("sin(t)^2", math.pi), ("sin(w*t)*cos(w*t)", math.pi / 2), ("4*cos(t)^3 - 3*cos(t)", 2 * math.pi / 3),
                              ("sin(2*t) + sin(3*t)", 2 * math.pi), ("sin(w*t)*sin(v*t)", 2 * math.pi), ("cos(2*t)*cos(6*t)", math.pi / 2),
                              ("sin(v*t - 1) + A*sin(t)", 2 * math.pi / 3), ("sin(cos(w*t)^2)", math.pi / 2), ("sin(cos(w*t))", math.pi),
                              ("x*cos(t)^2 + sin(t)^3", 2 * math.pi), ("cos(-2*t)*sin(3*t)", 2 * math.pi)):
            found = self.period(force)
            self.assertIsInstance(found, float, f"{force}: {found}")
            self.assertAlmostEqual(found, period, places=12, msg=force)

    def test_none(self):
        self.assertIn("rates 1, 1.41421 have no common period", self.period("sin(t) + cos(sqrt(2)*t)"))
        self.assertIn("not by sines and cosines alone", self.period("sin(t) + exp(-t)"))


class Branches(InFolder):
    def branches(self, *arguments):
        code, out, err = run("orbits", *arguments, "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertEqual(result["schema"], 1)
        return result["branches"]

    def test_bead_on_a_hoop(self):
        """It leaves the lowest point at w = sqrt(g/R), to cos(theta) = g/(R w^2) on either side."""
        found = self.branches("models/driven/bead_on_turning_hoop.lia", "--rest", "--start", "theta = 0", "--follow", "w = 4 .. 9")
        self.assertEqual(len(found), 3)
        [special] = found[0]["special"]
        self.assertEqual(special["kind"], "branching")
        self.assertAlmostEqual(special["w"], math.sqrt(9.81 / 0.3), places=8)
        for point in found[0]["points"]:
            self.assertAlmostEqual(point["state"]["theta"], 0, places=10)
            self.assertEqual(point["stability"], "stable" if point["w"] < special["w"] else "unstable")
        sides = set()
        for branch in found[1:]:
            self.assertEqual((branch["special"], branch["end"]), ([], "the end of the range"))
            for point in branch["points"]:
                self.assertAlmostEqual(math.cos(point["state"]["theta"]), 9.81 / (0.3 * point["w"] ** 2), places=9)
                self.assertEqual(point["stability"], "stable")
            self.assertAlmostEqual(branch["points"][-1]["w"], 9, places=12)
            sides.add(branch["points"][-1]["state"]["theta"] > 0)
        self.assertEqual(sides, {True, False})

    def test_folds_of_duffing(self):
        """The period follows the drive. SciPy: y(T) = y with a multiplier 1 at these w."""
        [branch] = self.branches("models/driven/duffing.lia", "--follow", "w = 0.8 .. 2.2")
        self.assertEqual([s["kind"] for s in branch["special"]], ["fold", "fold"])
        self.assertAlmostEqual(branch["special"][0]["w"], 1.77971952, places=7)
        self.assertAlmostEqual(branch["special"][1]["w"], 1.3242362, places=6)
        for point in branch["points"]:
            self.assertAlmostEqual(point["period"], 2 * math.pi / point["w"], places=10)
        self.assertEqual({p["stability"] for p in branch["points"]}, {"stable", "unstable"})

    def test_period_doubling(self):
        """SciPy: a multiplier -1 at F = 0.26558179."""
        branches = self.branches("models/driven/duffing.lia", "--set", "a = -1, c = 0.3, w = 1.2", "--start", "x = 1", "--follow", "F = 0.1 .. 0.4")
        [special] = branches[0]["special"]
        self.assertEqual(special["kind"], "period doubling")
        self.assertAlmostEqual(special["F"], 0.26558179, places=7)
        # beyond it the simple motion is unstable, and one of twice the period is stable: it is another one, half of a period later too
        options = ("--set", "a = -1, c = 0.3, w = 1.2, F = 0.28", "--start", "x = 0.5", "--json")
        results = []
        for period in ((), ("--period", "4*pi/w")):
            code, out, err = run("orbits", "models/driven/duffing.lia", *options, *period)
            self.assertEqual(code, 0, err)
            results.append(json.loads(out))
        simple, doubled = results
        self.assertEqual((simple["stability"], doubled["stability"]), ("unstable", "stable"))
        self.assertAlmostEqual(doubled["period"], 2 * simple["period"], places=12)
        half = runge_kutta(lambda t, y: [y[1], -0.3 * y[1] + y[0] - y[0]**3 + 0.28 * math.cos(1.2 * t)],
                           [doubled["start"]["x"], doubled["start"]["x'"]], simple["period"], 4000)
        self.assertGreater(abs(half[0] - doubled["start"]["x"]), 0.1)
        # its branch goes back to where it left the simple one
        found = self.branches("models/driven/duffing.lia", "--set", "a = -1, c = 0.3, w = 1.2", "--start", "x = 0.5",
                              "--period", "4*pi/w", "--follow", "F = 0.28 .. 0.26")
        self.assertLess(abs(min(p["F"] for p in found[0]["points"]) - 0.26558179), 1e-4)

    def test_a_given_period_follows_the_parameter(self):
        found = self.branches("models/driven/duffing.lia", "--set", "F = 0.1", "--period", "4*pi/w", "--follow", "w = 1.6 .. 2.2")
        self.assertEqual(found[0]["end"], "the end of the range")
        for point in found[0]["points"]:
            self.assertAlmostEqual(point["period"], 4 * math.pi / point["w"], places=10)
        # the period of the first value alone: no motion has it at the next
        found = self.branches("models/driven/duffing.lia", "--set", "F = 0.1", "--period", "4*pi/1.6", "--follow", "w = 1.6 .. 2.2")
        self.assertEqual(len(found[0]["points"]), 1)
        self.assertIn("not the period of the drive", found[0]["end"])

    def test_the_first_point_has_the_first_value(self):
        self.write("param k = 1\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2 + y'*z' + 0.3*x'*y' + 0.2*x^2*y'^2)/2\n"
                   "potential k*x^2/2 + x^4/4\nstart x = 0.7\n")
        code, out, err = self.run_in("orbits", "m.lia", "--hold", "x, y, z, y', z'", "--period", "5.5", "--follow", "k = 1 .. 1.5", "--json")
        self.assertEqual(code, 0, err)
        [branch] = json.loads(out)["branches"]
        self.assertAlmostEqual(branch["points"][0]["k"], 1, places=8)
        self.assertAlmostEqual(branch["points"][-1]["k"], 1.5, places=8)
        self.assertEqual((branch["special"], {p["stability"] for p in branch["points"]}), ([], {"neutral"}))

    def test_a_drive_that_begins_with_nothing(self):
        """At F = 0 the drive is absent, and on the branch it is not."""
        self.write(LINEAR)
        code, out, err = self.run_in("orbits", "m.lia", "--follow", "F = 0 .. 1", "--json")
        self.assertEqual(code, 0, err)
        [branch] = json.loads(out)["branches"]
        steady = 1 / complex(4 - 9, 0.3 * 3)
        self.assertAlmostEqual(branch["points"][-1]["F"], 1, places=12)
        for point in branch["points"]:
            self.assertAlmostEqual(point["period"], 2 * math.pi / 3, places=12)
            self.assertAlmostEqual(point["state"]["x"], point["F"] * steady.real, places=9)
        code, _, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "F = 0 .. 1")
        self.assertEqual(code, 2)
        self.assertIn("the time enters", err)

    def test_real_exponents_that_meet(self):
        """x'' = mu*x' - x: at mu = 2 two real exponents become of a pair, and both grow before and after."""
        [branch] = self.branches("models/driven/van_der_pol.lia", "--rest", "--start", "x = 0, x' = 0", "--follow", "mu = 1 .. 3")
        self.assertEqual(branch["special"], [])
        self.assertEqual({p["stability"] for p in branch["points"]}, {"unstable"})

    def test_two_real_exponents_at_once(self):
        self.write("param k = -1\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential -k*(x^2 + y^2)/2 + (x^2 + y^2)^2/4\n"
                   "dissipation (x'^2 + y'^2)/10\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "k = -1 .. 1", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual([s["kind"] for s in json.loads(out)["branches"][0]["special"]], ["branching"])

    def test_rest_with_a_symmetry(self):
        """y is free: an exponent 0 of a symmetry does not branch, and places of rest are a family unless y is held."""
        self.write("param k = -1\ncoord x, y\nkinetic (x'^2 + y'^2 + x'*y')/2\npotential -k*x^2/2 + x^4/4\ndissipation x'^2/10\n")
        code, _, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "k = -1 .. 1")
        self.assertEqual(code, 3)
        self.assertIn("--hold", err)
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--hold", "y", "--follow", "k = -1 .. 1", "--json")
        self.assertEqual(code, 0, err)
        first = json.loads(out)["branches"][0]
        [special] = first["special"]
        self.assertAlmostEqual(special["k"], 0, places=7)
        for point in first["points"]:
            self.assertEqual(point["stability"], "neutral" if point["k"] < 0 else "unstable")
        for option in (("--turns", "x = 1"), ("--period", "2")):
            code, _, err = self.run_in("orbits", "m.lia", "--rest", *option, "--follow", "k = -1 .. 1")
            self.assertEqual(code, 2)
            self.assertIn("a place of rest", err)

    def test_special_points_before_the_end(self):
        self.write("param e = -0.5\ncoord x\nkinetic x'^2/2\npotential -e*x^2/2 + x^4/4\ndissipation x'^2/20\n")
        for end in ("0.0005", "0.002", "0.005", "0.01"):
            code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", f"e = -0.5 .. {end}", "--json")
            self.assertEqual(code, 0, err)
            [special] = json.loads(out)["branches"][0]["special"]
            self.assertEqual(special["kind"], "branching")
            self.assertAlmostEqual(special["e"], 0, places=8)

    def test_kapitza_over_the_drive(self):
        branches = self.branches("models/driven/kapitza_upright.lia", "--follow", "w = 50 .. 90")
        [special] = branches[0]["special"]
        self.assertEqual(special["kind"], "branching")
        self.assertLess(abs(special["w"] / 62.7780640228597603 - 1), 1e-7)
        for point in branches[0]["points"]:
            self.assertEqual(point["stability"], "unstable" if point["w"] < special["w"] else "neutral")

    def test_the_picture_of_kapitza(self):
        """The boundary over the amplitude lies on Mathieu's curve, and the picture in the documentation shows it."""
        done = subprocess.run([sys.executable, ROOT / "tools" / "make_kapitza_picture.py", PROGRAM, "--check"], capture_output=True, text=True,
                              encoding="utf-8", timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_family_that_is_held_has_no_branchings(self):
        """A bead on a hoop that turns slowly swings about its lowest point at every rate."""
        self.write("param g = 9.81, w = 2\ncoord q\nrheonomic p = w*t\nparticle P mass 1 at [sin(q)*cos(p), sin(q)*sin(p), -cos(q)]\n"
                   "gravity [0, 0, -g]\n")
        code, out, err = self.run_in("orbits", "m.lia", "--start", "q = 0.5", "--hold", "q", "--follow", "w = 1 .. 2.9")
        self.assertEqual(code, 0, err)
        self.assertNotIn("branching", out)
        self.assertIn("the end of the range", out)

    def test_special_points_to_their_digits(self):
        """Where what grows is zero, and not where it is more than its doubt."""
        cases = (("param mu = -1\ncoord x\nkinetic x'^2/2\nforce x = (mu - 1/3)/1000*x' - x - x^2*x'\n", "mu = -1 .. 1", ["--rest"], "Hopf", 1 / 3),
                 ("param mu = -1\ncoord x\nkinetic x'^2/2\nforce x = (mu - 1/3)*x'/1000 - 2*x + sin(t)\n", "mu = -1 .. 1", [], "torus", 1 / 3),
                 ("param v = 0.5\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (x' - v) - (x' - v)^3 - x'/5\nstart x = 0.2\n",
                  "v = 0.1 .. 1", ["--rest"], "Hopf", math.sqrt(0.8 / 3)),
                 ("param w = 2, g = 9.81, c = 1/5\ncoord x, y\nkinetic (x'^2+y'^2)/2\npotential (g - w^2)*(x^2+y^2)/2 + (x^2+y^2)^2\n"
                  "dissipation c/2*(x'^2+y'^2)\n", "w = 2 .. 5", ["--rest"], "branching", math.sqrt(9.81)))
        for model, over, more, kind, value in cases:
            self.write(model)
            code, out, err = self.run_in("orbits", "m.lia", "--follow", over, *more)
            self.assertEqual(code, 0, err)
            found = [float(line.split("=")[1].split(",")[0]) for line in out.splitlines() if line.split()[:1] == [kind]]
            self.assertTrue(found, out)
            self.assertAlmostEqual(found[0], value, delta=3e-9 * (1 + abs(value)), msg=model)

    def test_hopf(self):
        self.write("param e = -0.5\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (e - x^2)*x'\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "e = -0.5 .. 0.5")
        self.assertEqual(code, 0, err)
        self.assertIn("Hopf", out)
        code, out, _ = self.run_in("orbits", "m.lia", "--rest", "--follow", "e = -0.5 .. 0.5", "--json")
        [special] = json.loads(out)["branches"][0]["special"]
        self.assertAlmostEqual(special["e"], 0, places=6)

    def test_motions_that_shrink_to_rest(self):
        """The cycle ends at the Hopf point, with the period of its exponents: it does not turn back."""
        self.write("param mu = 0.5, k = 4\ncoord x\nkinetic x'^2/2\npotential k*x^2/2\nforce x = (mu - 1/10 - x^2)*x'\nstart x = 1.3\n")
        code, out, err = self.run_in("orbits", "m.lia", "--follow", "mu = 0.5 .. -0.5", "--json")
        self.assertEqual(code, 0, err)
        [branch] = json.loads(out)["branches"]
        [special] = branch["special"]
        self.assertEqual((special["kind"], branch["end"]), ("Hopf", "the motions shrink to a place of rest"))
        self.assertAlmostEqual(special["mu"], 0.1, places=10)
        self.assertAlmostEqual(special["period"], math.pi, places=9)
        self.assertGreater(min(point["mu"] for point in branch["points"]), 0.1 - 1e-9)

    def test_a_closed_branch_is_followed_once(self):
        """x = 0 and x^2 = p (1 - p): the loop comes back, and no part of it is listed again."""
        self.write("param p = -0.5\ncoord x\nkinetic x'^2/2\nforce x = x*(p*(1 - p) - x^2) - x'\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "p = -0.5 .. 1.5", "--json")
        self.assertEqual(code, 0, err)
        line, loop = json.loads(out)["branches"]
        self.assertEqual(loop["end"], "the branch comes back to its first point")
        self.assertEqual([(s["kind"], s["note"]) for s in line["special"]], 2 * [("branching", "followed as branch 2")])
        for point in loop["points"]:
            self.assertAlmostEqual(point["state"]["x"] ** 2, point["p"] * (1 - point["p"]), places=9)
        self.assertEqual({point["state"]["x"] > 0.3 for point in loop["points"]}, {True, False})

    def test_mirror_images(self):
        """Both sides of a pitchfork have one spectrum; those of a pitchfork that leans have two."""
        for lean, images in (("", [2]), (" + x^2/4", [])):
            self.write(f"param e = -0.5\ncoord x\nkinetic x'^2/2\nforce x = e*x - x^3{lean} - x'/10\n")
            code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "e = -0.5 .. 0.5", "--json")
            self.assertEqual(code, 0, err)
            found = json.loads(out)["branches"]
            self.assertEqual([b["mirror_image_of"] for b in found if "mirror_image_of" in b], images)
        code, out, _ = run("orbits", "models/driven/kapitza_upright.lia", "--follow", "w = 50 .. 90")
        self.assertIn("mirror image of branch 2", out)
        self.assertIn("followed as branches 2 and 3", out)

    def test_what_is_not_followed_is_named(self):
        self.write("param e = 0.2\ncoord x\nkinetic x'^2/2\npotential x^4/4 - x^2/2\nforce x = -0.15*x' + e*cos(1.2*t)\nstart x = 1\n")
        code, out, err = self.run_in("orbits", "m.lia", "--follow", "e = 0.01 .. 0.4")
        self.assertEqual(code, 0, err)
        for line in out.splitlines():
            if line.split()[:2] == ["period", "doubling"]:
                self.assertIn("not followed", line)
        self.assertIn("period doubling", out)

    def test_what_is_held_on_a_constraint(self):
        """A pendulum in two coordinates over its weight: its start stays, so that the period is that of one amplitude."""
        self.write("param g = 9.81\ncoord x, y\nparticle P mass 1 at [x, y]\ngravity [0, -g]\nconstraint rod: x^2 + y^2 = 1\n"
                   "start x = 0.6, y = -0.8\n")
        code, out, err = self.run_in("orbits", "m.lia", "--hold", "x, y", "--follow", "g = 9 .. 10", "--json")
        self.assertEqual(code, 0, err)
        [branch] = json.loads(out)["branches"]
        period = 4 * complete_elliptic(math.sin(math.asin(0.6) / 2) ** 2)
        for point in branch["points"]:
            self.assertAlmostEqual(point["state"]["x"], 0.6, places=12)
            self.assertAlmostEqual(point["period"], period / math.sqrt(point["g"]), places=8)

    def test_files(self):
        self.write("param e = -0.5\ncoord x\nkinetic x'^2/2\npotential -e*x^2/2 + x^4/4\ndissipation x'^2/20\n")
        code, out, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "e = -0.5 .. 0.5", "-o", "b.csv", "--plot", "b.svg")
        self.assertEqual(code, 0, err)
        self.assertIn("branching", out)
        lines = (self.folder / "b.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "branch,e,x,x',unstable")
        for line in lines[1:]:
            _, e, x, _, _ = map(float, line.split(","))
            self.assertLess(abs(x * (x * x - e)), 1e-9)
        self.assertIn("branching", (self.folder / "b.svg").read_text(encoding="utf-8"))

    def test_what_is_refused(self):
        self.write(LINEAR)
        for options, words in ((("--rest",), "need a parameter"), (("--follow", "k = 4"), "from one value to another"),
                               (("--follow", "k = 4 .. 4"), "both ends are one"), (("--follow", "q = 1 .. 2"), "q"),
                               (("--follow", "k = 1 .. 2", "-o", "b.txt"), "written as .csv")):
            code, _, err = self.run_in("orbits", "m.lia", *options)
            self.assertEqual(code, 2, err)
            self.assertIn(words, err)
        code, _, err = self.run_in("orbits", "m.lia", "--rest", "--follow", "k = 1 .. 2")  # driven: it never rests
        self.assertEqual(code, 2)
        self.assertIn("the time enters", err)
        self.write(TURNING + "force theta = 100\n")  # a torque that no weight holds
        code, _, err = self.run_in("orbits", "m.lia", "--rest", "--start", "theta' = 0", "--follow", "l = 0.5 .. 0.6")
        self.assertEqual(code, 3)
        self.assertIn("no place of rest", err)


class Lyapunov(InFolder):
    def exponents(self, *arguments):
        code, out, err = run("simulate", *arguments, "--json")
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_a_limit_cycle(self):
        result = self.exponents("models/driven/van_der_pol.lia", "--lyapunov", "2", "--until", "2000")
        self.assertAlmostEqual(result["exponents"][0], 0, delta=2e-3)
        self.assertAlmostEqual(result["exponents"][1], math.log(8.59695063603805e-4) / 6.66328685932313, delta=2e-3)

    def test_ueda(self):
        """x'' + 0.05 x' + x^3 = 7.5 cos t: 0.1034 and -0.1534 are published (Sprott, Chaos and Time-Series Analysis)."""
        result = self.exponents("models/driven/duffing.lia", "--lyapunov", "2", "--until", "20000", "--set", "a = 0, c = 0.05, F = 7.5, w = 1",
                                "--start", "x = 2.5")
        self.assertAlmostEqual(result["exponents"][0], 0.1034, delta=5e-3)
        self.assertAlmostEqual(sum(result["exponents"]), -0.05, places=9)  # what damping takes from areas
        self.assertLess(abs(result["exponents"][0] - 0.1034), 2 * result["errors"][0])

    def test_a_driven_van_der_pol(self):
        """x'' = -x + 3 (1 - x^2) x' + 5 sin(1.788 t): 0.1933 and -2.0614 are published (Sprott, Chaos and Time-Series Analysis)."""
        self.write("param b = 3, A = 5, w = 1.788\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = b*(1 - x^2)*x' + A*sin(w*t)\nstart x = -1.9\n")
        code, out, err = self.run_in("simulate", "m.lia", "--lyapunov", "2", "--until", "10000", "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertAlmostEqual(result["exponents"][0], 0.1933, delta=0.015)
        self.assertAlmostEqual(result["exponents"][1], -2.0614, delta=0.1)

    def test_times_below_zero(self):
        self.write("param k = 4\ncoord x\nkinetic x'^2/2\npotential k/2*x^2\nforce x = -0.2*x'\nstart x = 1\n")
        code, out, err = self.run_in("simulate", "m.lia", "--start", "t = -300", "--until=-1", "--lyapunov", "2", "--json")
        self.assertEqual(code, 0, err)
        for exponent in json.loads(out)["exponents"]:
            self.assertAlmostEqual(exponent, -0.1, delta=5e-3)

    def test_exponents_that_are_far_apart(self):
        """Exponents 0.99 and -100.99: in one unit of time the second falls behind by 44 digits."""
        self.write("coord x\nkinetic x'^2/2\npotential -50*x^2\nforce x = -100*x'\n")
        code, out, err = self.run_in("simulate", "m.lia", "--until", "2000", "--lyapunov", "2", "--json")
        self.assertEqual(code, 0, err)
        for found, sign in zip(json.loads(out)["exponents"], (1, -1)):
            self.assertAlmostEqual(found, -50 + sign * math.sqrt(2600), places=6)
        # the same motion in a unit of time that is 10^4 times as long
        self.write("coord x\nkinetic x'^2/2\npotential -50*1e8*x^2\nforce x = -100*1e4*x'\n")
        code, out, err = self.run_in("simulate", "m.lia", "--until", "0.2", "--lyapunov", "2", "--json")
        self.assertEqual(code, 0, err)
        for found, sign in zip(json.loads(out)["exponents"], (1, -1)):
            self.assertAlmostEqual(found / 1e4, -50 + sign * math.sqrt(2600), places=6)

    def test_the_largest_exponent_is_first(self):
        """That of y, which x knows nothing of."""
        self.write("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2\nforce y = y - 2*y'\nstart x = 1\n")
        rates = [math.sqrt(2) - 1, 0, 0, -1 - math.sqrt(2)]
        for count in (1, 4):
            code, out, err = self.run_in("simulate", "m.lia", "--until", "200", "--lyapunov", str(count), "--json")
            self.assertEqual(code, 0, err)
            for found, rate in zip(json.loads(out)["exponents"], rates):
                self.assertAlmostEqual(found, rate, delta=0.02)

    def test_exponents_across_events_are_refused(self):
        self.write("coord z\nkinetic z'^2/2\npotential 9.81*z\nevent floor: z = 0 falling then reset z' = -z'\nstart z = 1\n")
        code, _, err = self.run_in("simulate", "m.lia", "--until", "2", "--lyapunov", "1")
        self.assertEqual(code, 2)
        self.assertIn("nor exponents are computed across events", err)

    def test_a_linear_decay(self):
        self.write(LINEAR)
        code, out, _ = self.run_in("simulate", "m.lia", "--until", "200", "--lyapunov", "2")
        self.assertEqual(code, 0)
        self.assertIn("-0.15", out)


if __name__ == "__main__":
    unittest.main()
