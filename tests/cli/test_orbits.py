#!/usr/bin/env python3
"""`orbits`: periodic motions and multipliers against closed forms, published numbers and programs written here; `simulate --lyapunov`.

usage: test_orbits.py PROGRAM
"""

import cmath
import json
import math
import unittest

from program import InFolder, run

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


BOUNCING = """param g = 9.81, e = 0.8, A = 0.01, w = 20
coord z
kinetic z'^2/2
potential g*z
event floor: z - A*sin(w*t) = 0 falling then reset z' = -e*z' + (1 + e)*A*w*cos(w*t)
start z = 0.043, z' = -1.275
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

    def test_rest_is_no_periodic_motion(self):
        for law, start in (("-x - 0.3*x'", "x = 1"), ("-sin(x) - x'/5", "x = 0.4"), ("1e-9 - x - 0.3*x'", "x = 1e-6")):
            model = f"coord x\nkinetic x'^2/2\nforce x = {law}\nstart {start}\n"
            for options in ((), ("--period", "6")):
                code, out, err = self.run_model(model, "orbits", *options)
                self.assertEqual((code, out), (3, ""), law)
                self.assertRegex(err, "came to .*a place of rest|does not come")

    def test_small_motions(self):
        """A pendulum that swings by a thousandth of a radian, or less: the period is that of small motions to their digits."""
        pendulum = "param g = 9.81\ncoord q\nkinetic q'^2/2\npotential -g*cos(q)\nstart q = 0.03\n"
        for start in (0.03, 0.01, 0.001, 1e-5):
            expected = 2 * math.pi / math.sqrt(9.81) * (1 + start**2 / 16)
            for options in ([], ["--period", "2"]):
                result = self.orbit(pendulum, "--start", f"q = {start}", "--hold", "q", *options)
                self.assertAlmostEqual(result["period"], expected, delta=3e-9 + start**4, msg=f"{start} {options}")
                self.assertAlmostEqual(result["start"]["q"], start, delta=1e-9 * start)
        damped = "coord x\nkinetic x'^2/2\nforce x = -x - 0.1*x'\nstart x = 1e-4\n"
        code, _, err = self.run_model(damped, "orbits", "--period", "6")
        self.assertNotEqual(code, 0)
        self.assertTrue("place of rest" in err or "does not come to an orbit" in err, err)

    def test_the_least_period(self):
        """A motion that came back three times within the period that was sought."""
        cycle = "coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = (1 - x^2)*x'\nstart x = 2\n"
        least = self.orbit(cycle)
        for times in (2, 3):
            found = self.orbit(cycle, "--period", str(6.66 * times))
            self.assertEqual(found["times"], times)
            self.assertLess(abs(found["period"] - least["period"]), 1e-9)
            self.assertLess(abs(found["multipliers"][1]["re"] - least["multipliers"][1]["re"]), 1e-10)
        self.assertNotIn("times", least)

    def test_where_the_origin_is(self):
        """The same oscillator, moved: the same period, also from a start at the origin."""
        periods = []
        for shift in ("0", "1", "-3.7"):
            model = f"param a = {shift}\ncoord x\nkinetic x'^2/2\npotential (x + a)^2/2 - (x + a) + (x + a)^4/10\nstart x = -a\n"
            periods.append(self.orbit(model, "--hold", "x")["period"])
        for period in periods:
            self.assertAlmostEqual(period, periods[0], places=9)

    def test_a_flat_event(self):
        """x^3 = 0 is passed where x = 0 is."""
        model = "coord x\nkinetic x'^2/2\nforce x = -1\nevent hit: x^3 = 0 falling then reset x' = -x'\nstart x = 1\n"
        result = self.orbit(model, "--hold", "x", "--period", "2.8")
        self.assertAlmostEqual(result["period"], 2 * math.sqrt(2 + result["start"]["x'"] ** 2), places=8)

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

    def test_turns_without_a_guess(self):
        code, out, err = self.run_model(TURNING, "orbits", "--turns", "theta = 2*pi", "--json")
        self.assertEqual(code, 0, err)
        _, guessed, _ = self.run_model(TURNING, "orbits", "--turns", "theta = 2*pi", "--period", "0.6", "--json")
        self.assertAlmostEqual(json.loads(out)["period"], json.loads(guessed)["period"], delta=0.2)

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

    def test_turns_that_are_not_said(self):
        """A hoop that a relation turns: its angle does not come back."""
        hoop = ("param w = 8\ncoord phi, theta\nparticle b mass 1 at [sin(theta)*cos(phi), sin(theta)*sin(phi), -cos(theta)]\nkinetic phi'^2/2\ngravity [0, 0, -9.81]\n"
                "dissipation theta'^2\nconstraint motor: phi = w*t\nstart theta = 0.3\n")
        code, _, err = self.run_model(hoop, "orbits")
        self.assertNotEqual(code, 0)
        self.assertIn("--turns", err)
        code, _, err = self.run_model(hoop, "orbits", "--period", "2*pi/w")
        self.assertNotEqual(code, 0)
        self.assertIn("`phi` is larger by 6.28318531 after a period", err)
        code, _, err = self.run_model(hoop, "orbits", "--period", "2*pi/w", "--turns", "phi = 2*pi")
        self.assertEqual(code, 0, err)

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
        code, _, err = self.run_model(LINEAR + "event wall: x = -1 then stop\n", "orbits")
        self.assertEqual(code, 2)
        self.assertIn("`wall` ends the motion", err)
        code, _, err = self.run_model(TURNING.replace("12", "0"), "orbits")
        self.assertEqual(code, 2)
        self.assertIn("at rest", err)
        code, _, err = self.run_model(LINEAR, "orbits", "--hold", "q")
        self.assertEqual(code, 2)
        self.assertIn("no value of the state", err)


class Units(InFolder):
    """The same motions in other units of length and time."""
    HARD = "param s = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2 + x^4/4/s^2\nstart x = s\n"
    DRIVEN = "param s = 1, w = 1.4\ncoord x\nkinetic x'^2/2\npotential x^2/2 + x^4/4/s^2\nforce x = -x'/5 + s*cos(w*t)/3\nstart x = 0.3*s\n"
    FORCED = "param a = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -x'/10 + a*cos(2*t)\n"
    VAN_DER_POL = "param s = 1, T = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2/T^2\nforce x = (1 - (x/s)^2)*x'/T\nstart x = 2*s\n"

    def orbit(self, model, *options):
        code, out, err = self.run_model(model, "orbits", "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_a_hard_spring(self):
        # V = x^2/2 + x^4/4 from x = 1: T = 4 K(1/4)/sqrt(2)
        period = 4 * complete_elliptic(0.25) / math.sqrt(2)
        for s in (1, 1e-6, 1e-10, 1e-14, 1e8):
            result = self.orbit(self.HARD, "--hold", "x", "--set", f"s = {s}")
            self.assertAlmostEqual(result["period"], period, places=8, msg=s)
            self.assertEqual([one.get("is") for one in result["multipliers"]], ["along the motion", "of the energy"])

    def test_a_driven_motion(self):
        one = self.orbit(self.DRIVEN)
        for s in (1e-8, 1e-12, 1e6):
            other = self.orbit(self.DRIVEN, "--set", f"s = {s}")
            self.assertAlmostEqual(other["start"]["x"] / s, one["start"]["x"], places=9, msg=s)
            for a, b in zip(one["multipliers"], other["multipliers"]):
                self.assertAlmostEqual(a["re"], b["re"], places=8, msg=s)

    def test_a_start_of_zeros_has_no_unit(self):
        z = 1 / (1 - 4 + 0.2j)  # x = Re z e^(2 i t) is the motion of x'' + x'/10 + x = cos(2 t)
        for a in (1, 1e-9, 1e-15, 1e-25):
            start = self.orbit(self.FORCED, "--set", f"a = {a}")["start"]
            self.assertAlmostEqual(start["x"] / a, z.real, places=8, msg=a)
            self.assertAlmostEqual(start["x'"] / a, -2 * z.imag, places=8, msg=a)

    def test_a_limit_cycle(self):
        for s, unit in ((1, 1), (1e-10, 1), (1, 1e10), (1, 1e-6), (1e9, 1e4)):
            result = self.orbit(self.VAN_DER_POL, "--set", f"s = {s}, T = {unit}")
            self.assertAlmostEqual(result["period"] / unit, 6.66328685932313, places=7, msg=(s, unit))
            self.assertEqual(result["stability"], "stable")
            self.assertEqual(result["multipliers"][0].get("is"), "along the motion")
            self.assertAlmostEqual(result["multipliers"][1]["re"], 8.59695063603805e-4, places=8, msg=(s, unit))


class AcrossResets(InFolder):
    def test_a_reset_at_the_start(self):
        model = "param k = 0.5\ncoord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -x'/10\nevent kick: sin(t) = 0 then reset x' = x' + k\nstart x = 0.1\n"
        code, _, err = self.run_model(model, "orbits", "--period", "2*pi")
        self.assertNotEqual(code, 0)
        self.assertIn("`kick` resets the state at the start", err)

    def test_a_branch_over_the_restitution(self):
        """One impact a period: A w cos(phi) = g T/2 (1 - e)/(1 + e) at each e."""
        code, out, err = self.run_model(BOUNCING, "orbits", "--follow", "e = 0.8 .. 0.9", "--json")
        self.assertEqual(code, 0, err)
        branch = json.loads(out)["branches"][0]
        self.assertEqual(branch["end"], "the end of the range")
        period = 2 * math.pi / 20
        for point in branch["points"]:
            e, takeoff = point["e"], 9.81 * period / 2
            phi = math.acos(takeoff * (1 - e) / (1 + e) / 0.2)
            flight = period - phi / 20
            self.assertAlmostEqual(point["state"]["z"], 0.01 * math.sin(phi) + takeoff * flight - 9.81 * flight**2 / 2, places=8)

    def test_a_bouncing_ball(self):
        """One impact a period at w t = phi: A w cos(phi) = g T/2 (1 - e)/(1 + e); trace and determinant by saltation."""
        g, e, amplitude, w = 9.81, 0.8, 0.01, 20
        period = 2 * math.pi / w
        takeoff = g * period / 2
        phi = math.acos(takeoff * (1 - e) / (1 + e) / (amplitude * w))
        flight = period - phi / w
        code, out, err = self.run_model(BOUNCING, "orbits", "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertAlmostEqual(result["period"], period, places=12)
        self.assertEqual(result["stability"], "stable")
        self.assertAlmostEqual(result["start"]["z"], amplitude * math.sin(phi) + takeoff * flight - g * flight**2 / 2, places=9)
        self.assertAlmostEqual(result["start"]["z'"], takeoff - g * flight, places=8)
        impact = -takeoff - amplitude * w * math.cos(phi)
        trace = -2 * e - (1 + e) * (g - amplitude * w**2 * math.sin(phi)) / impact * period
        one, two = (complex(m["re"], m["im"]) for m in result["multipliers"])
        self.assertAlmostEqual(abs(one + two - trace), 0, places=7)
        self.assertAlmostEqual(abs(one * two - e**2), 0, places=7)

    def test_a_start_behind_the_impact(self):
        """The reset brings the ball back to its start: one bounce is the period, and not two."""
        ball = "param g = 9.81\ncoord y\nkinetic y'^2/2\npotential g*y\nevent hit: y = 0 falling then reset y' = -y'\nstart y = 0, y' = 5\n"
        for speed in (5, 5.001):
            code, out, err = self.run_model(ball, "orbits", "--start", f"y' = {speed}", "--json")
            self.assertEqual(code, 0, err)
            found = json.loads(out)
            self.assertAlmostEqual(found["period"], 2 * speed / 9.81, places=6)  # one of a family: that of the start
            take_off = math.sqrt(found["start"]["y'"]**2 + 2 * 9.81 * found["start"]["y"])
            self.assertAlmostEqual(found["period"], 2 * take_off / 9.81, places=8)
            self.assertAlmostEqual(take_off, speed, delta=0.002)

    def test_without_losses(self):
        """The motions are a family over the height, and the time does not enter."""
        ball = "param g = 10\ncoord z\nkinetic z'^2/2\npotential g*z\nevent floor: z = 0 falling then reset z' = -z'\nstart z = 1.8, z' = 1\n"
        code, out, err = self.run_model(ball, "orbits", "--hold", "z", "--period", "1.2", "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        height = 1.8 + result["start"]["z'"] ** 2 / 20
        self.assertAlmostEqual(result["period"], 2 * math.sqrt(height / 5), places=8)
        code, _, err = self.run_model(ball.replace("reset z' = -z'", "stop"), "orbits")
        self.assertEqual(code, 2)
        self.assertIn("ends the motion", err)


class PeriodOfADrive(InFolder):
    def test_a_square_wave(self):
        """x'' = -4 x - x'/5 + sign(cos(w t)): linear, so that both multipliers have the size exp(-T/10)."""
        for wave, start in (("cos", "t = 0"), ("sin", "t = 0.1")):
            code, out, err = self.run_model("param w = 1.3\ncoord x\nkinetic x'^2/2\npotential 2*x^2\n"
                                            f"force x = -x'/5 + sign({wave}(w*t))\nstart x = 0.2\n", "orbits", "--json", "--start", start)
            self.assertEqual(code, 0, err)
            result = json.loads(out)
            self.assertFalse(result["autonomous"])
            self.assertAlmostEqual(result["period"], 2 * math.pi / 1.3, places=12)
            self.assertAlmostEqual(result["multipliers"][0]["abs"], math.exp(-result["period"] / 10), places=9)

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

    def test_a_force_that_is_mostly_zero(self):
        """Linear and damped, with |sin(w t)| beyond 0.9: the multipliers have the size exp(-T/20), T = pi/w."""
        code, out, err = self.run_model("param w = 0.1\ncoord x\nkinetic x'^2/2\npotential 2*x^2\nforce x = -x'/10 + max(0, abs(sin(w*t)) - 0.9)\nstart x = 0.25\n",
                                        "orbits", "--json")
        self.assertEqual(code, 0, err)
        found = json.loads(out)
        self.assertAlmostEqual(found["period"], 10 * math.pi, places=9)
        self.assertAlmostEqual(found["multipliers"][0]["abs"], math.exp(-math.pi / 2), places=8)

    def test_many_turns(self):
        self.assertAlmostEqual(self.period("sin(2*pi*50*t) + sin(2*pi*49.5*t)"), 2, places=10)

    def test_none(self):
        self.assertIn("rates 1, 1.414213562 have no common period", self.period("sin(t) + cos(sqrt(2)*t)"))
        self.assertIn("not by sines and cosines alone", self.period("sin(t) + exp(-t)"))


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

    def test_exponents_across_resets(self):
        """A ball that bounces once in each period of the floor: both exponents are those of the restitution."""
        self.write(BOUNCING)
        code, out, err = self.run_in("simulate", "m.lia", "--lyapunov", "2", "--until", "60", "--json")
        self.assertEqual(code, 0, err)
        one, two = json.loads(out)["exponents"]  # a pair that turns: their sum is what impacts take
        self.assertAlmostEqual(one + two, 2 * math.log(0.8) / (2 * math.pi / 20), delta=0.03)
        self.assertAlmostEqual(one, two, delta=0.1)

    def test_what_was_not_counted(self):
        self.write(BOUNCING.replace("A = 0.01", "A = 0"))
        code, out, _ = self.run_in("simulate", "m.lia", "--until", "200", "--lyapunov", "2")
        self.assertNotEqual(code, 0)
        self.assertNotIn("inf", out)
        self.assertIn("none", out)

    def test_nothing_is_left(self):
        """A ball on the floor: both directions are lost at the start, and the motion is that of the whole time."""
        code, out, err = self.run_model("coord z\nkinetic z'^2/2\npotential 9.81*z\nunilateral floor: z >= 0 restitution 0\nstart z = 0\n",
                                        "simulate", "--until", "2", "--lyapunov", "2")
        self.assertEqual(code, 0, err)
        self.assertIn("from t = 0 to 2", out)

    def test_a_linear_decay(self):
        self.write(LINEAR)
        code, out, _ = self.run_in("simulate", "m.lia", "--until", "200", "--lyapunov", "2")
        self.assertEqual(code, 0)
        self.assertIn("-0.15", out)


if __name__ == "__main__":
    unittest.main()
