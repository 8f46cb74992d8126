#!/usr/bin/env python3
"""Deviations across impacts: `simulate --sensitivity`, `--lyapunov` and `orbits` of models with unilateral constraints, against complex
steps of closed forms that are written here; what is refused.

usage: test_contact_deviations.py PROGRAM
"""

import cmath
import json
import math
import unittest

from program import InFolder

BALL = """param g = 9.81, e = 0.8, A = 0.01, w = 20
coord z
kinetic z'^2/2
potential g*z
unilateral floor: z - A*sin(w*t) >= 0 restitution e
start z = 0.3
"""
EVENT = BALL.replace("unilateral floor: z - A*sin(w*t) >= 0 restitution e",
                     "event floor: z - A*sin(w*t) = 0 falling then reset z' = -e*z' + (1 + e)*A*w*cos(w*t)")
OSCILLATOR = """param e = 0.9, s = 0.2, A = 1, w = 2.6
coord x
kinetic x'^2/2
force x = -x + A*cos(w*t)
unilateral wall: s - x >= 0 restitution e
start x = -0.5
"""
LUMP = """param g = 9.81, A = 0.05, w = 20
coord z
kinetic z'^2/2
potential g*z
unilateral floor: z - A*sin(w*t) >= 0
start z = 0.1
"""
# Other roads to an impact: two contacts one after the other, relations of both kinds, a rotation, a contact that stays closed beside a spring.
OTHERS = (
    ("""param g = 9.81, e = 0.9, f = 0.7, m = 2
coord x, y
kinetic (x'^2 + m*y'^2)/2
potential g*x + m*g*y
unilateral floor: x >= 0 restitution e
unilateral pair: y - x - 1/10 >= 0 restitution f
start x = 0.5, y = 0.9
""", 1, 5, {"e": 0.9, "f": 0.7, "m": 2}),
    ("""param r = 0.3, l = 0.8, g = 9.81, e = 0.6
coord a, x, y
kinetic (0.4*a'^2 + 2*x'^2 + y'^2)/2
potential g*r*sin(a)
constraint rod: (x - r*cos(a))^2 + (r*sin(a))^2 = l^2
constraint line: y' = x*a'
unilateral stop: a - 0.2 >= 0 restitution e
start a = 1, x = r*cos(1) + sqrt(l^2 - r^2*sin(1)^2), y = 0
""", 1.5, 1, {"g": 9.81, "e": 0.6}),
    ("""param m = 2, J = 0.1, h = 0.2, g = 9.81, e = 0.7
coord x, z
rotation (p, q, r) in body
kinetic m/2*(x'^2 + z'^2) + J/2*(p^2 + 2*q^2 + 3*r^2)
force z = -m*g
constraint roll: x' - h*q = 0
unilateral floor: z - h + x/20 >= 0 restitution e
start z = 1, q = 2, p = 1, x' = 2*h
""", 0.9, 1, {"h": 0.2, "e": 0.7}),
    ("""param g = 9.81, A = 0.05, w = 20, k = 100
coord x, y
kinetic (x'^2 + y'^2)/2
potential g*x + g*y + k*(y - x - 0.2)^2/2
unilateral floor: x - A*sin(w*t) >= 0
start x = 0.1, y = 0.25
""", 0.8, 3, {"k": 100, "w": 20}),
)
STEP = 1e-100  # of a complex step: nothing is cancelled


def first_zero(f, rate, begin, end):
    """From above, by a scan of the real part and then Newton's method with complex numbers; nothing before the end."""
    s = begin
    while s < end and f(s).real > 0:
        s += 1e-3
    if s >= end:
        return None
    for _ in range(60):
        s = s - f(s) / rate(s)
    return s


def oscillator(until, x=-0.5, v=0.0, e=0.9, s=0.2, amplitude=1.0, w=2.6, begin=0.0):
    """x'' = -x + A cos(w t) with a wall at s: closed forms from impact to impact."""
    t, impacts = begin + 0j, 0
    forced = amplitude / (1 - w**2)
    while True:
        a, b = x - forced * cmath.cos(w * t), v + forced * w * cmath.sin(w * t)

        def place(r, a=a, b=b, t=t):
            return a * cmath.cos(r - t) + b * cmath.sin(r - t) + forced * cmath.cos(w * r)

        def speed(r, a=a, b=b, t=t):
            return -a * cmath.sin(r - t) + b * cmath.cos(r - t) - forced * w * cmath.sin(w * r)

        hit = first_zero(lambda r, place=place: s - place(r), lambda r, speed=speed: -speed(r), t.real + 1e-3, until)
        if hit is None:
            return [place(until), speed(until)], impacts
        x, v, t, impacts = s, -e * speed(hit), hit, impacts + 1


def lump(until, z=0.1, g=9.81, amplitude=0.05, w=20):
    """Falls on a floor that shakes and stays on it; it leaves where the floor falls faster than it: A w^2 sin(w t) = g."""
    def floor(t):
        return amplitude * cmath.sin(w * t)

    t, v, modes = 0j, 0j, []
    while True:
        def place(r, z=z, v=v, t=t):
            return z + v * (r - t) - g * (r - t)**2 / 2

        hit = first_zero(lambda r, place=place: place(r) - floor(r),
                         lambda r, v=v, t=t: v - g * (r - t) - amplitude * w * cmath.cos(w * r), t.real + 1e-3, until)
        if hit is None:
            return [place(until), v - g * (until - t)], modes + ["open"]
        z, v, t = floor(hit), amplitude * w * cmath.cos(w * hit), hit
        if (-amplitude * w**2 * cmath.sin(w * hit)).real < -complex(g).real:  # the floor falls away at once
            modes.append("hit")
            continue
        modes.append("rests")
        turn = cmath.asin(g / (amplitude * w**2)) / w
        while turn.real < hit.real:
            turn += 2 * math.pi / w
        if turn.real > until:
            return [floor(until), amplitude * w * cmath.cos(w * until)], modes
        z, v, t = floor(turn), amplitude * w * cmath.cos(w * turn), turn


class ContactDeviations(InFolder):
    def derivatives(self, model, until, of, *options):
        code, out, err = self.run_model(model, "simulate", "--until", str(until), "--sensitivity", of, "--tol", "1e-12", "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def orbit(self, model, *options):
        code, out, err = self.run_model(model, "orbits", "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    @staticmethod
    def trace_of_impacts(phase, period, g=9.81, e=0.8, amplitude=0.01, w=20):
        """Of (time, velocity behind the impact) -> the next, by complex steps."""
        def floor(t):
            return amplitude * cmath.sin(w * t)

        def next_of(t, v):
            s = period
            for _ in range(60):
                s = s - (floor(t) + v * s - g * s**2 / 2 - floor(t + s)) / (v - g * s - amplitude * w * cmath.cos(w * (t + s)))
            speed = amplitude * w * cmath.cos(w * (t + s))
            return t + s, -e * (v - g * s) + (1 + e) * speed

        t, v = phase / w, g * period / 2
        return (next_of(t + STEP * 1j, v)[0].imag + next_of(t, v + STEP * 1j)[1].imag) / STEP

    def refused(self, words, model, command, *options):
        code, _, err = self.run_model(model, command, *options)
        self.assertNotEqual(code, 0)
        self.assertIn(words, err)

    def near(self, found, expected, digits=8):
        self.assertLess(abs(found - expected), 10.0**-digits * max(1, abs(expected)), (found, expected))

    def test_a_contact_is_the_event_that_resets(self):
        one, two = (self.derivatives(model, 1.2, "e, A, w, z, z'") for model in (BALL, EVENT))
        for name, column in one["sensitivity"].items():
            for state, value in column.items():
                self.near(value, two["sensitivity"][name][state])

    def test_an_impact_oscillator(self):
        result = self.derivatives(OSCILLATOR, 20, "x, x', e, s, A, w")
        self.assertGreater(oscillator(20)[1], 4)
        changed = {"x": {"x": -0.5 + STEP * 1j}, "x'": {"v": STEP * 1j}, "e": {"e": 0.9 + STEP * 1j}, "s": {"s": 0.2 + STEP * 1j},
                   "A": {"amplitude": 1 + STEP * 1j}, "w": {"w": 2.6 + STEP * 1j}}
        for name, change in changed.items():
            expected = [one.imag / STEP for one in oscillator(20, **change)[0]]
            for state, value in zip(("x", "x'"), expected):
                self.near(result["sensitivity"][name][state], value)

    def test_what_stays_on_a_floor_and_leaves_it(self):
        for until in (0.15, 0.3, 0.55):  # before, on and behind the floor
            result = self.derivatives(LUMP, until, "z, g, A, w")
            changed = {"z": {"z": 0.1 + STEP * 1j}, "g": {"g": 9.81 + STEP * 1j}, "A": {"amplitude": 0.05 + STEP * 1j},
                       "w": {"w": 20 + STEP * 1j}}
            for name, change in changed.items():
                expected = [one.imag / STEP for one in lump(until, **change)[0]]
                for state, value in zip(("z", "z'"), expected):
                    self.near(result["sensitivity"][name][state], value)
        self.assertEqual(lump(0.55)[1], ["hit", "rests", "open"])

    def test_an_orbit_with_one_impact_a_period(self):
        # one impact a period T: with the phase p of the floor, its velocity A w cos p is g T (1 - e)/(2 (1 + e))
        orbit = self.orbit(BALL, "--start", "z = 0.04, z' = 1.2")
        period = 2 * math.pi / 20
        self.near(orbit["period"], period, 12)
        speed = 9.81 * period * 0.2 / (2 * 1.8)
        phases = [sign * math.acos(speed / 0.2) for sign in (1, -1)]
        after = 9.81 * period / 2  # the velocity with which it leaves, in space
        states = []
        for phase in phases:
            t = phase % (2 * math.pi) / 20 - period  # the last impact before 0
            states.append((0.01 * math.sin(phase) - after * t - 9.81 * t**2 / 2, after + 9.81 * t))
        found = (orbit["start"]["z"], orbit["start"]["z'"])
        self.assertLess(min(math.dist(found, state) for state in states), 1e-10)
        values = [complex(one["re"], one["im"]) for one in orbit["multipliers"]]
        self.near((values[0] * values[1]).real, 0.64, 10)
        # the same multipliers as those of the map from impact to impact
        phase = min(phases, key=lambda one: math.dist(found, states[phases.index(one)]))
        self.near((values[0] + values[1]).real, self.trace_of_impacts(phase, period), 8)

    def test_multipliers_of_an_impact_oscillator(self):
        model = OSCILLATOR.replace("w = 2.6", "w = 2").replace("x = -0.5", "x = -0.6")
        orbit = self.orbit(model, "--start", "x = -0.4, x' = 0.2")
        y, period = (orbit["start"]["x"], orbit["start"]["x'"]), math.pi
        end, impacts = oscillator(period, *y, w=2)
        self.assertGreater(impacts, 0)
        self.assertLess(max(abs(a - b) for a, b in zip(end, y)), 1e-9)
        columns = [[one.imag / STEP for one in oscillator(period, *start, w=2)[0]]
                   for start in ((y[0] + STEP * 1j, y[1]), (y[0], y[1] + STEP * 1j))]
        trace = columns[0][0] + columns[1][1]
        values = [complex(one["re"], one["im"]) for one in orbit["multipliers"]]
        self.near((values[0] + values[1]).real, trace)
        self.near((values[0] * values[1]).real, 0.9**(2 * impacts))

    def test_a_release_is_no_touch(self):  # it opens as the cube of the time
        orbit = self.orbit("param k = 4, c = 0.3, F = 10, w = 3\ncoord x\nkinetic x'^2/2\npotential k/2*x^2\nforce x = -c*x' + F*cos(w*t)\n"
                           "unilateral wall: x >= -1\nstart x = 1\n")
        self.assertLess(min(one["abs"] for one in orbit["multipliers"]), 1e-12)  # an impact with e = 0 takes one direction

    def test_relations_beside_contacts(self):
        """A pendulum against a wall: in its angle, and in two coordinates on a rod."""
        angle = self.derivatives("param g = 9.81, l = 0.5, e = 0.7, b = 0.1\ncoord q\n"
                                 "particle P mass 2 at [l*sin(q), -l*cos(q)]\ngravity [0, -g]\n"
                                 "unilateral wall: l*sin(q) + b >= 0 restitution e\noutput x = l*sin(q)\nstart q = 0.6\n", 2.5, "g, e, b")
        rod = self.derivatives("param g = 9.81, l = 0.5, e = 0.7, b = 0.1\ncoord x, y\nparticle P mass 2 at [x, y]\ngravity [0, -g]\n"
                               "constraint rod: x^2 + y^2 = l^2\nunilateral wall: x + b >= 0 restitution e\n"
                               "start x = l*sin(0.6), y = -l*cos(0.6)\n", 2.5, "g, e, b")
        q = angle["final"]["q"]
        for name in ("g", "e", "b"):
            self.near(rod["sensitivity"][name]["x"], 0.5 * math.cos(q) * angle["sensitivity"][name]["q"], 7)
            self.near(rod["sensitivity"][name]["y"], 0.5 * math.sin(q) * angle["sensitivity"][name]["q"], 7)

    def test_differences_of_runs(self):
        for model, until, least, names in OTHERS:
            result = self.derivatives(model, until, ", ".join(names))
            self.assertGreaterEqual(result["jumps"], least)
            for name, value in names.items():
                ends = []
                for k in (-2, -1, 1, 2):
                    code, out, err = self.run_model(model, "simulate", "--until", str(until), "--tol", "1e-14", "--json",
                                                    "--set", f"{name} = {value * (1 + 1e-5 * k)!r}")
                    self.assertEqual(code, 0, err)
                    ends.append(json.loads(out)["final"])
                for state, found in result["sensitivity"][name].items():
                    a, b, c, d = (end[state] for end in ends)
                    self.near(found, (a - 8 * b + 8 * c - d) / (12e-5 * value), 6)

    def test_exponents_lose_what_impacts_take(self):
        # the oscillator keeps areas: each impact takes e^2
        code, out, err = self.run_model(OSCILLATOR, "simulate", "--until", "60", "--lyapunov", "2", "--json")
        self.assertEqual(code, 0, err)
        code, plain, err = self.run_model(OSCILLATOR, "simulate", "--until", "60", "--json")
        self.assertEqual(code, 0, err)
        times = [impact["t"] for impact in json.loads(plain)["impacts"] if impact["t"] > 6]
        total = sum(json.loads(out)["exponents"])
        self.near(total, 2 * math.log(0.9) * len(times) / 54, 2)

    def test_a_closed_start(self):
        rests = LUMP.replace("start z = 0.1", "start z = 0, z' = A*w")
        result = self.derivatives(rests, 0.005, "A")
        self.near(result["sensitivity"]["A"]["z"], math.sin(0.1))
        self.refused("closed at the start", rests, "simulate", "--until", "0.005", "--sensitivity", "z")
        self.refused("collides at the start", BALL.replace("z = 0.3", "z = 0, z' = -1"), "simulate", "--until", "1", "--sensitivity", "g")

    def test_what_is_refused(self):
        touched = "coord z\nkinetic z'^2/2\npotential 10*z\nunilateral ceiling: 1/20 - z >= 0 restitution 1/2\nstart z' = 1\n"
        self.refused("at t = 0.1: `ceiling` is only touched", touched, "simulate", "--until", "0.6", "--sensitivity", "z")
        code, _, err = self.run_model(touched, "simulate", "--until", "0.6", "--sensitivity", "z", "--start", "z = -0.001")
        self.assertEqual(code, 0, err)
        self.refused("infinitely many impacts", BALL, "simulate", "--until", "5", "--sensitivity", "z", "--set", "A = 0")
        two = "coord x, y\nkinetic (x'^2 + y'^2)/2\nunilateral a: x >= 0 restitution 1\nunilateral b: y >= 0 restitution 1\n" \
              "start x = 1, y = 1, x' = -1, y' = -1\n"
        code, _, err = self.run_model(two, "simulate", "--until", "2", "--sensitivity", "x")
        self.assertNotEqual(code, 0)
        self.assertIn("at t = 1", err)
        rough = "param f = 0.2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\n" \
                "unilateral floor: y >= 0 restitution 1/2 friction f on x'\nstart y = 1, x' = 1\n"
        self.refused("`floor`: it has friction", rough, "simulate", "--until", "0.6", "--sensitivity", "y")
        code, _, err = self.run_model(rough, "simulate", "--until", "0.6", "--sensitivity", "y", "--set", "f = 0")
        self.assertEqual(code, 0, err)
        self.refused("places of rest are not followed", BALL, "orbits", "--rest", "--follow", "w = 20 .. 21")

    def test_a_branch_across_impacts(self):
        # A w cos p = g T (1 - e)/(2 (1 + e)) at each w, up to where that has no phase: A w^2 = pi g (1 - e)/(1 + e)
        code, out, err = self.run_model(BALL, "orbits", "--follow", "w = 20 .. 19", "--start", "z = 0.04, z' = 1.2", "--json")
        self.assertEqual(code, 0, err)
        branch = json.loads(out)["branches"][0]
        lowest = math.sqrt(math.pi * 9.81 * 0.2 / 1.8 / 0.01)
        folds = [special for special in branch["special"] if special["kind"] == "fold"]
        for point in branch["points"]:
            w, period = point["w"], 2 * math.pi / point["w"]
            after, speed = 9.81 * period / 2, 9.81 * period * 0.2 / 3.6
            states = []
            for sign in (1, -1):
                phase = sign * math.acos(min(1, speed / (0.01 * w)))
                t = phase % (2 * math.pi) / w - period
                states.append((0.01 * math.sin(phase) - after * t - 9.81 * t**2 / 2, after + 9.81 * t))
            found = (point["state"]["z"], point["state"]["z'"])
            self.assertLess(min(math.dist(found, state) for state in states), 1e-6, w)
        self.assertGreater(len(branch["points"]), 10)
        self.assertEqual(branch["end"], "the end of the range")
        self.assertEqual(folds, [])
        # from a time at which no impact comes it turns back there, also where the impact comes to the time of the start
        code, out, err = self.run_model(BALL, "orbits", "--follow", "w = 20 .. 18", "--start", "t = 0.1, z = 0.1, z' = 0.5", "--json")
        self.assertEqual(code, 0, err)
        branch = json.loads(out)["branches"][0]
        [fold] = branch["special"]
        self.assertEqual(fold["kind"], "fold")
        self.near(fold["w"], lowest, 8)
        self.near(branch["points"][-1]["w"], 20)
        self.assertEqual((branch["points"][0]["stability"], branch["points"][-1]["stability"]), ("unstable", "stable"))
        code, out, err = self.run_model(BALL, "orbits", "--follow", "w = 20 .. 18", "--start", "z = 0.04, z' = 1.2", "--json")
        self.assertEqual(code, 0, err)
        branch = json.loads(out)["branches"][0]
        self.assertIn("`floor` is not open at the time of the start", branch["end"])
        self.assertEqual([special["kind"] for special in branch["special"]], ["fold"])

    def test_no_mass_and_no_factor_of_a_gap_decides(self):
        model = "param m = 1, k = 1\ncoord x, y\nkinetic m*(x'^2 + y'^2 + x'*y')/2\nunilateral wall: k*x >= 0 restitution 1/2\nstart x = 1, x' = -1\n"
        for values in ("m = 1", "m = 1e-20", "k = 1e18", "m = 1e12, k = 1e-9"):
            result = self.derivatives(model, 2, "x'", "--set", values)
            self.near(result["final"]["y"], -0.75)
            self.near(result["sensitivity"]["x'"]["y"], 1.5)
            self.near(result["sensitivity"]["x'"]["y'"], 0.75)

    def test_directions_that_an_impact_takes(self):
        # with e = 0 what stays on the floor has one state: no deviation is left
        code, out, err = self.run_model(LUMP, "simulate", "--until", "5", "--lyapunov", "2", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual((json.loads(out)["exponents"], json.loads(out)["lost"]), ([], 2))
        # of two bodies one stays: two directions are lost, and the other two have finite exponents
        code, out, err = self.run_model(OTHERS[3][0], "simulate", "--until", "5", "--lyapunov", "4", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual((len(json.loads(out)["exponents"]), json.loads(out)["lost"]), (2, 2))
        # what begins on the floor has lost them before
        code, out, err = self.run_model(LUMP, "simulate", "--until", "5", "--lyapunov", "2", "--start", "z = 0, z' = 1", "--set", "A = 0", "--json")
        self.assertEqual(code, 0, err)
        code, out, err = self.run_model(LUMP, "simulate", "--until", "5", "--lyapunov", "2", "--start", "z = 0, z' = 0", "--set", "A = 0", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual((json.loads(out)["exponents"], json.loads(out)["lost"]), ([], 2))

    def test_multipliers_that_are_zero(self):
        code, out, err = self.run_model(LUMP.replace("start z = 0.1", "start t = 0.1, z = 0.1"), "orbits")
        self.assertEqual(code, 0, err)
        self.assertIn("|.| = 0", out)
        self.assertNotIn("|.| < 0\n", out)

    def test_a_motion_in_contact_at_the_start(self):
        code, _, err = self.run_model(LUMP, "orbits", "--start", "t = 0.3141592653589793, z = 0.01, z' = -1")
        self.assertNotEqual(code, 0)
        self.assertIn("`floor` is not open at the time of the start", err)

    def test_claims_after_impacts_in_any_unit(self):
        for s in (1, 1e-8, 1e-11):
            self.write(f"param s = {s}\ncoord x\nkinetic x'^2/2\npotential x^2/2 + x^4/4/s^2\nunilateral wall: x + s/2 >= 0 restitution 1\nstart x = s\n"
                       "claim x/s == -0.0430521582179 within 1e-10 after 2\n")
            code, out, err = self.run_in("check", "m.lia", "--json")
            self.assertEqual((code, err), (0, ""), out)


if __name__ == "__main__":
    unittest.main()
