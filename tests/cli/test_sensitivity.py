#!/usr/bin/env python3
"""`simulate --sensitivity`: derivatives of the state against complex steps of programs written here; rows, page, JSON; what is refused.

usage: test_sensitivity.py PROGRAM
"""

import cmath
import csv
import json
import math
import unittest

from program import InFolder, run

PENDULUM = """system "Pendulum on a lift"
param m = 2, g = 9.81, l = 0.7, A = 0.1, w = 3, c = 0.3
coord theta
particle P mass m at [l*sin(theta), A*sin(w*t) - l*cos(theta)]
gravity [0, -g]
dissipation c/2*theta'^2
start theta = 0.4*l
"""
BALL = """param g = 9.81, e = 0.8, A = 0.05, w = 4
coord z
kinetic z'^2/2
potential g*z
event floor: z - A*sin(w*t) = 0 falling then reset z' = -e*z' + (1+e)*A*w*cos(w*t)
start z = 1
"""
ROD = """param m = 2, g = 9.81, l = 0.5
coord x, y
particle P mass m at [x, y]
gravity [0, -g]
constraint rod: x^2 + y^2 = l^2
start y = -0.4
"""
STEP = 1e-100  # of a complex step: nothing is cancelled


def pendulum(until, steps=4000, theta=None, rate=0, m=2, g=9.81, length=0.7, amplitude=0.1, w=3, c=0.3):
    """The classical method of order 4: at these steps its error is below 1e-12."""
    def rates(t, y):
        return [y[1], -(g - amplitude * w**2 * cmath.sin(w * t)) / length * cmath.sin(y[0]) - c / (m * length**2) * y[1]]

    y, h = [0.4 * length if theta is None else theta, rate], until / steps
    for k in range(steps):
        t = k * h
        k1 = rates(t, y)
        k2 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k1)])
        k3 = rates(t + h / 2, [a + h / 2 * b for a, b in zip(y, k2)])
        k4 = rates(t + h, [a + h * b for a, b in zip(y, k3)])
        y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
    return y


def ball(until, z=1, v=0, g=9.81, e=0.8, amplitude=0.05, w=4):
    """Parabolas between impacts on a floor that shakes; each impact by Newton's method from a scan."""
    t, impacts = 0, 0
    while True:
        def gap(s, z=z, v=v, t=t):
            return z + v * s - g * s**2 / 2 - amplitude * cmath.sin(w * (t + s))

        s, last = 1e-3, until - t.real if isinstance(t, complex) else until - t
        while s < last and gap(s).real > 0:
            s += 1e-3
        if s >= last:
            s = until - t
            return [z + v * s - g * s**2 / 2, v - g * s], impacts
        for _ in range(60):
            s = s - gap(s) / (v - g * s - amplitude * w * cmath.cos(w * (t + s)))
        z, v = z + v * s - g * s**2 / 2, v - g * s
        t = t + s
        v = -e * v + (1 + e) * amplitude * w * cmath.cos(w * t)
        impacts += 1


class Sensitivity(InFolder):
    def derivatives(self, model, until, of, *options):
        code, out, err = self.run_model(model, "simulate", "--until", str(until), "--tol", "1e-12", "--sensitivity", of, "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def near(self, found, expected, digits=8):
        self.assertLess(abs(found - expected), 10**-digits * max(1, abs(expected)), (found, expected))

    def test_a_value_of_zero_in_a_small_mechanism(self):
        """A pendulum of 1 nm that hangs: x moves beside what is as small, not beside the unit."""
        for l in (1.0, 1e-9):
            code, out, err = self.run_model(f"param l = {l!r}, g = 10\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nconstraint c: x^2 + y^2 = l^2\n"
                                            f"start x = 0, x' = 0\n", "simulate", "--until", repr(math.sqrt(l)), "--sensitivity", "x, x'", "--start", f"y = {-l!r}", "--json")
            self.assertEqual(code, 0, err)
            rows = json.loads(out)["sensitivity"]
            self.assertAlmostEqual(rows["x"]["x"], math.cos(math.sqrt(10)), places=7)

    def test_parameters_and_start(self):
        result = self.derivatives(PENDULUM, 2, "theta, theta', l, A, m")
        varied = {"theta": "theta", "theta'": "rate", "l": "length", "A": "amplitude", "m": "m"}
        value = {"theta": 0.28, "theta'": 0, "l": 0.7, "A": 0.1, "m": 2}
        for name, argument in varied.items():
            end = pendulum(2, **{argument: value[name] + STEP * 1j})
            self.near(result["sensitivity"][name]["theta"], end[0].imag / STEP)
            self.near(result["sensitivity"][name]["theta'"], end[1].imag / STEP)
        # a start that is given is not moved with l
        given = self.derivatives(PENDULUM, 2, "l", "--start", "theta = 0.28")
        self.near(given["sensitivity"]["l"]["theta"], pendulum(2, theta=0.28, length=0.7 + STEP * 1j)[0].imag / STEP)
        self.assertGreater(abs(given["sensitivity"]["l"]["theta"] - result["sensitivity"]["l"]["theta"]), 1e-3)

    def test_across_resets(self):
        result = self.derivatives(BALL, 2, "z, z', e, A, g, w")
        self.assertGreaterEqual(result["jumps"], 3)
        varied = {"z": ("z", 1), "z'": ("v", 0), "e": ("e", 0.8), "A": ("amplitude", 0.05), "g": ("g", 9.81), "w": ("w", 4)}
        for name, (argument, value) in varied.items():
            end, impacts = ball(2, **{argument: value + STEP * 1j})
            self.assertEqual(impacts, result["jumps"])
            self.near(result["final"]["z"], end[0].real, 9)
            self.near(result["sensitivity"][name]["z"], end[0].imag / STEP)
            self.near(result["sensitivity"][name]["z'"], end[1].imag / STEP)

    def test_many_resets(self):
        """The states are those of the plain run: each motion comes to its events at its own times."""
        wheel = """param l = 1, g = 9.81, a = 0.4, gam = 0.08
coord theta
particle P mass 1 at [l*sin(theta), l*cos(theta)]
gravity [0, -g]
event strike: theta = gam + a rising then reset theta = gam - a, theta' = cos(2*a)*theta'
start theta = gam - a, theta' = 1.5
"""
        clock = """param k = 4, c = 0.1
coord x
kinetic x'^2/2
potential k*x^2/2
dissipation c/2*x'^2
event kick: x = 0 rising then reset x' = x' + 0.3
start x = 0.5
"""
        hand = """param m = 2, g = 9.81, l = 0.5
coord x, y
particle P mass m at [x, y]
gravity [0, -g]
constraint rod: x^2 + y^2 = l^2
event lowest: x = 0 rising then reset x' = 0.9*x' + 0.2
start y = -0.4
"""
        for model, name, until, least in ((wheel, "theta'", 10, 9), (wheel, "g", 6, 6), (clock, "k", 60, 15), (hand, "g", 20, 10), (BALL, "z", 3, 5)):
            self.write(model)
            ends = []
            for more in ([], ["--sensitivity", name]):
                code, out, err = self.run_in("simulate", "m.lia", "--until", str(until), "--tol", "1e-10", "--json", *more)
                self.assertEqual(code, 0, err)
                ends.append(json.loads(out))
            self.assertGreaterEqual(ends[1]["jumps"], least)
            for state, value in ends[0]["final"].items():
                self.assertAlmostEqual(ends[1]["final"][state], value, delta=2e-7 * (1 + abs(value)), msg=model)

    def test_on_constraints(self):
        """The same pendulum by an angle: x = l*sin, y = -l*cos; y is given, x follows."""
        flat = """param m = 2, g = 9.81, l = 0.5
coord theta
particle P mass m at [l*sin(theta), -l*cos(theta)]
gravity [0, -g]
start theta = acos(0.4/l)
"""
        # y = -0.4 and x = 0.3 are given: l cannot change alone
        code, _, err = self.run_model(ROD, "simulate", "--until", "1", "--start", "y = -0.4, x = 0.3", "--sensitivity", "l")
        self.assertEqual(code, 2)
        self.assertIn("cannot change alone", err)
        angle = self.derivatives(flat, 1, "l, g")
        x = self.derivatives(ROD, 1, "l, g")
        theta, rate = angle["final"]["theta"], angle["sensitivity"]
        self.assertAlmostEqual(abs(x["final"]["y"]), abs(0.5 * cmath.cos(theta).real), places=9)
        for name, direct in (("l", cmath.sin(theta).real), ("g", 0)):
            expected = direct + 0.5 * cmath.cos(theta).real * rate[name]["theta"]
            sign = 1 if x["final"]["x"] * cmath.sin(theta).real > 0 else -1
            self.near(sign * x["sensitivity"][name]["x"], expected)

    def test_the_start_moves_as_any_start_does(self):
        """Velocities that nobody gives, and values that --project moves: the same as differences of runs with --set."""
        for model, name, value in (("models/classics/tilting_disc.lia", "R", 0.3), ("models/gallissot/sphere_on_driven_plate.lia", "a", 0.1),
                                   ("models/driven/pendulum_of_variable_length.lia", "l_0", 1.0)):
            ends = []
            for side in (1, -1):
                code, out, err = run("simulate", model, "--until", "0.5", "--tol", "1e-13", "--project", "--set",
                                     f"{name} = {value * (1 + side * 1e-5)!r}", "--json")
                self.assertEqual(code, 0, err)
                ends.append(json.loads(out)["final"])
            code, out, err = run("simulate", model, "--until", "0.5", "--tol", "1e-12", "--project", "--sensitivity", name, "--json")
            self.assertEqual(code, 0, err)
            for state, found in json.loads(out)["sensitivity"][name].items():
                self.near(found, (ends[0][state] - ends[1][state]) / (2e-5 * value), 6)

    def test_a_mass_that_is_small_beside_another(self):
        """y = cos(sqrt(k)*t), whatever its mass is."""
        for mass in ("1e-12", "1e-18", "1e14"):
            self.write(f"param k = 4\ncoord x, y\nkinetic (x'^2 + {mass}*y'^2)/2\npotential x^2/2 + {mass}*k*y^2/2\nstart y = 1, x = 1\n")
            code, out, err = self.run_in("simulate", "m.lia", "--sensitivity", "k", "--until", "1", "--tol", "1e-12", "--json")
            self.assertEqual(code, 0, err)
            found = json.loads(out)["sensitivity"]["k"]
            self.assertAlmostEqual(found["y"], -cmath.sin(2).real / 4, places=10)

    def test_dry_friction_at_many_tolerances(self):
        """x'' = -x - f sign(x'): across the turn deviations of x' are stretched by the quotient of the forces, at every tolerance and start."""
        model = "param f = 0.5\ncoord x\nkinetic x'^2/2\nforce x = -x - f*sign(x')\nstart x = 0.3, x' = 1\n"
        self.write(model)
        for start, speed in ((0.3, 1.0), (1.2, 2.0), (1.0, 3.0), (0.7, 1.4), (0.9, 2.6)):
            until = 1.5
            def place(x, v):
                # half a turn about -f, then about +f
                first, radius = math.atan2(v, x + 0.5), math.hypot(x + 0.5, v)
                if until < first:
                    return radius * math.cos(first - until) - 0.5
                far = radius - 0.5
                return (far - 0.5) * math.cos(until - first) + 0.5
            expected = (place(start + 1e-6, speed) - place(start - 1e-6, speed)) / 2e-6
            for tolerance in ("1e-9", "1e-10", "1e-11", "1e-12", "1e-13"):
                code, out, err = self.run_in("simulate", "m.lia", "--start", f"x = {start}, x' = {speed}", "--until", str(until), "--sensitivity", "x",
                                             "--tol", tolerance, "--json")
                self.assertEqual(code, 0, err)
                self.assertAlmostEqual(json.loads(out)["sensitivity"]["x"]["x"], expected, places=7, msg=f"{start} {tolerance}")

    def test_a_parameter_that_is_small_beside_the_state(self):
        """x + y = 1 with x = 1 + d, y = 0 projected: dx/dd = 1/2, whatever d is."""
        for d in ("1e-3", "1e-9", "1e-13", "0"):
            self.write(f"param d = {d}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x + y = 1\nstart x = 1 + d, y = 0\n")
            code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "--project", "--sensitivity", "d", "--json")
            self.assertEqual(code, 0, err)
            self.assertAlmostEqual(json.loads(out)["sensitivity"]["d"]["x"], 0.5, places=6, msg=d)

    def test_small_lengths_are_refused_too(self):
        """A rod with both of its coordinates given: its length cannot change alone, in whatever unit."""
        for unit in ("1", "1e-8", "1e8"):
            self.write(ROD.replace("l = 0.5", f"l = 0.5*{unit}").replace("start y = -0.4\n", ""))
            code, _, err = self.run_in("simulate", "m.lia", "--start", f"x = 0.3*{unit}, y = -0.4*{unit}", "--sensitivity", "l", "--until", "1")
            self.assertEqual(code, 2, err)
            self.assertIn("cannot change alone", err)

    def test_a_reset_on_a_constraint(self):
        """x' is given by the reset, and y' follows it: not half of each."""
        self.write("param k = 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint same: y = x\n"
                   "event half: t = 0.5 then reset x' = x' + k\nstart x = 0, x' = 1\n")
        code, out, err = self.run_in("simulate", "m.lia", "--sensitivity", "k", "--until", "2", "--json")
        self.assertEqual(code, 0, err)
        found = json.loads(out)["sensitivity"]["k"]
        for name, expected in (("x", 1.5), ("y", 1.5), ("x'", 1), ("y'", 1)):
            self.assertAlmostEqual(found[name], expected, places=10)

    def test_a_flat_event(self):
        """x(2) = e: the 25th power of x has no gradient where x is zero, but x has one."""
        self.write("param e = 0.5\ncoord x\nkinetic x'^2/2\nstart x = 1, x' = -1\n"
                   "event b: x^25 = 0 falling then reset x' = -e*x'\n")
        code, out, err = self.run_in("simulate", "m.lia", "--sensitivity", "e", "--until", "2", "--json")
        self.assertEqual(code, 0, err)
        self.assertAlmostEqual(json.loads(out)["sensitivity"]["e"]["x"], 1, places=9)

    def test_rows(self):
        self.write(PENDULUM)
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "--every", "0.25", "--sensitivity", "theta, m", "-o", "r.csv")
        self.assertEqual(code, 0, err)
        self.assertIn("derivatives by", out)
        with (self.folder / "r.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([float(row["t"]) for row in rows], [0, 0.25, 0.5, 0.75, 1])
        self.assertEqual(list(rows[0]), ["t", "theta", "theta'", "d(theta)/d(theta at start)", "d(theta')/d(theta at start)", "d(theta)/d(m)",
                                         "d(theta')/d(m)"])
        self.assertEqual(float(rows[0]["d(theta)/d(theta at start)"]), 1)
        for row in rows[1:]:
            end = pendulum(float(row["t"]), m=2 + STEP * 1j)
            self.near(float(row["d(theta)/d(m)"]), end[0].imag / STEP, 7)

    def test_across_changes_of_form(self):
        """Quadratic drag, a spring that is stiffer on one side, and dry friction that jumps as a belt is overtaken."""
        model = """param k = 4, c = 0.3, e = 3, f = 0.4
coord x
kinetic x'^2/2
force x = -k*x - c*x'*abs(x') - e*max(x - 0.2, 0) - f*sign(x' - 1)
start x = 1
"""

        def functions(s):
            return [s[1], s[0] - 0.2, s[1] - 1]

        def follow(start, p, until):
            """Steps of order 4 that end where something changes, found by Newton's method in complex numbers."""
            def rates(s, sides):
                k, c, e, f = p
                return [s[1], -k * s[0] - c * s[1] * s[1] * sides[0] - e * sides[1] * (s[0] - 0.2) - f * sides[2]]

            def sides_of(s):
                return [1 if s[1].real > 0 else -1, 1 if s[0].real > 0.2 else 0, 1 if s[1].real > 1 else -1]

            def step(s, h, sides):
                a = rates(s, sides)
                b = rates([s[0] + h / 2 * a[0], s[1] + h / 2 * a[1]], sides)
                c = rates([s[0] + h / 2 * b[0], s[1] + h / 2 * b[1]], sides)
                d = rates([s[0] + h * c[0], s[1] + h * c[1]], sides)
                return [s[i] + h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) for i in range(2)]

            s, t, h = list(start), 0, 1e-3
            held = [-1, 1, -1]  # it begins to fall, on the stiffer side
            while (until - t).real > 1e-14:
                length = h if (until - t).real > h else until - t
                end = step(s, length, held)
                changed = [i for i, (a, b) in enumerate(zip(sides_of(end), held)) if a != b]
                if changed:
                    i = changed[0]
                    for _ in range(40):
                        at = step(s, length, held)
                        slope = [rates(at, held)[1], at[1], rates(at, held)[1]][i]
                        length = length - functions(at)[i] / slope
                    end = step(s, length, held)
                    held = list(held)
                    held[i] = 1 - held[i] if i == 1 else -held[i]
                s, t = end, t + length
            return s

        result = self.derivatives(model, 4, "x, x', k, c, e, f")
        self.assertEqual(result["outcome"], "finished")
        for place, name in enumerate(("x", "x'", "k", "c", "e", "f")):
            start, p = [1 + 0j, 0j], [4 + 0j, 0.3 + 0j, 3 + 0j, 0.4 + 0j]
            if place < 2:
                start[place] += STEP * 1j
            else:
                p[place - 2] += STEP * 1j
            end = follow(start, p, 4 + 0j)
            self.near(result["final"]["x"], end[0].real, 8)
            self.near(result["sensitivity"][name]["x"], end[0].imag / STEP, 7)
            self.near(result["sensitivity"][name]["x'"], end[1].imag / STEP, 7)

    def test_a_run_that_an_event_ends(self):
        result = self.derivatives(PENDULUM + "event low: theta = 0 then stop\n", 2, "m")
        self.assertLess(result["t"], 1)
        self.near(result["sensitivity"]["m"]["theta"], pendulum(result["t"], m=2 + STEP * 1j)[0].imag / STEP)

    def test_what_is_refused(self):
        for options, words in ((("--sensitivity", "q"), "neither a parameter nor"), (("--sensitivity", "m, m"), "named twice"),
                               (("--sensitivity", "m", "--resume", "-o", "r.csv"), "not gone on with"),
                               (("--sensitivity", "m", "--integrator", "bdf"), "dop853 alone")):
            code, _, err = self.run_model(PENDULUM, "simulate", "--until", "1", *options)
            self.assertEqual(code, 2, err)
            self.assertIn(words, err)
        stick = "param f = 2\ncoord x\nkinetic x'^2/2\nforce x = -f*sign(x')\nstart x' = 1\n"
        code, _, err = self.run_model(stick, "simulate", "--until", "3", "--sensitivity", "f")
        self.assertEqual(code, 3)
        self.assertIn("does not pass", err)


class Resets(InFolder):
    def derivatives(self, model, until, of, *options):
        code, out, err = self.run_model(model, "simulate", "--until", str(until), "--sensitivity", of, "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_what_a_reset_does_not_give_follows_by_the_masses(self):
        """x' is turned round, y' and z' follow by the least change in the mass metric: 2*(1/m_y)/(1/m_y + 1/m_z) of x' is added to y'."""
        for mass in (3, 1, 0.01):
            model = f"param m = {mass}\ncoord x, y, z\nkinetic (x'^2 + y'^2 + m*z'^2)/2\nconstraint c: x + y + z = 0\n" \
                    "event e: y = 1 rising then reset x' = -x'\nstart x = 0, y = 0, y' = 1, x' = 0\n"
            by = self.derivatives(model, 2, "x'")["sensitivity"]["x'"]
            share = 2 / (1 + 1 / mass)
            self.assertAlmostEqual(by["x'"], -1, places=9)
            self.assertAlmostEqual(by["y'"], share, places=9)
            self.assertAlmostEqual(by["z'"], 1 - share, places=9)
            ends = []
            for speed in (1e-3, -1e-3):
                code, out, err = self.run_model(model, "simulate", "--until", "2", "--json", "--tol", "1e-13", "--start", f"x' = {speed}")
                self.assertEqual(code, 0, err)
                ends.append(json.loads(out)["final"])
            for state, found in by.items():
                self.assertAlmostEqual(found, (ends[0][state] - ends[1][state]) / 2e-3, places=5)

    def test_a_reset_at_the_start_has_no_one_derivative(self):
        for event, start in (("sin(t) = 0", "x = 0.1"), ("x = 0 rising", "x = 0, x' = 1")):
            code, _, err = self.run_model(f"coord x\nkinetic x'^2/2\nevent kick: {event} then reset x' = 3*x'\nstart {start}\n",
                                          "simulate", "--until", "1", "--sensitivity", "x'")
            self.assertEqual(code, 2)
            self.assertIn("`kick` resets the state at the start", err)

    def test_changes_of_form_are_counted(self):
        model = "param c = 0\ncoord x\nkinetic x'^2/2\nforce x = -sign(x - c)\nstart x = 1\n"
        result = self.derivatives(model, 2, "x, c")
        self.assertEqual(result["jumps"], 1)
        self.assertAlmostEqual(result["sensitivity"]["x"]["x"], 3 - 2 * math.sqrt(2), places=8)

    def test_a_square_wave_that_begins_at_the_start(self):
        """x'' = sign(sin(w t)): the force turns at pi/w, so that dx(T)/dw is 2*(pi/w^2)*(T - pi/w)*(-1) for T before the next turn."""
        model = "param w = 2\ncoord x\nkinetic x'^2/2\nforce x = sign(sin(w*t))\n"
        result = self.derivatives(model, 2.5, "w")
        turn, until = math.pi / 2, 2.5
        self.assertAlmostEqual(result["final"]["x"], until**2 / 2 - (until - turn)**2, places=8)
        self.assertAlmostEqual(result["sensitivity"]["w"]["x"], -2 * (until - turn) * math.pi / 4, places=8)


if __name__ == "__main__":
    unittest.main()
