#!/usr/bin/env python3
"""Derivatives by the start and by parameters where abs, sign, min and max change their side: within the function, the reset or the impact of
an event that comes there, in cams with dwell, within one another, at the start. Against closed forms, complex steps of programs written here
and differences of plain runs.

usage: test_sides_at_events.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder

STEP = 1e-30
WALL = "param v = 0.2, t1 = 1, e = 0.7\ncoord z\nkinetic z'^2/2\nunilateral wall: z >= {} restitution e\nstart z = 1.1, z' = -1\n"
EVENT = "param v = 0.2, t1 = 1, e = 0.7\ncoord z\nkinetic z'^2/2\nevent wall: z - {} = 0 falling then reset z' = -e*z' + (1 + e)*{}\n" \
        "start z = 1.1, z' = -1\n"
CAM = """param h = 20 [mm], T1 = 0.5 [s], k = 300 [N/m], m = 800 [g], d = 3 [N*s/m]
coord x [m], y [m]
kinetic m/2*y'^2 + m/8*x'^2
potential k/2*(y - x)^2
dissipation d/2*(y' - x')^2
constraint cam: x = h*max(0, sin(2*pi*t/T1))^POWER
"""


def cam(until, power, h=0.02, period=0.5, k=300.0, m=0.8, d=3.0):
    """y and y' by Runge and Kutta between the changes, whose times may be complex."""
    def rates(t, y):
        turn = 2 * math.pi / period
        s, c = sine(turn * t), sine(turn * t + math.pi / 2)
        x, dx = (h * s**power, h * power * s**(power - 1) * c * turn) if rises else (0, 0)
        return [y[1], (-k * (y[0] - x) - d * (y[1] - dx)) / m]

    def sine(z):
        z = complex(z)
        return complex(math.sin(z.real) * math.cosh(z.imag), math.cos(z.real) * math.sinh(z.imag))

    y, t, part = [0j, 0j], 0j, 0
    while t.real < until:
        rises = part % 2 == 0
        end = min((part + 1) * period / 2 + 0j, until + 0j, key=lambda z: z.real)
        count = 400
        for _ in range(count):
            s = (end - complex(part * period / 2)) / count
            a = rates(t, y)
            b = rates(t + s / 2, [p + s / 2 * q for p, q in zip(y, a)])
            c = rates(t + s / 2, [p + s / 2 * q for p, q in zip(y, b)])
            e = rates(t + s, [p + s * q for p, q in zip(y, c)])
            y = [p + s / 6 * (q + 2 * u + 2 * v + w) for p, q, u, v, w in zip(y, a, b, c, e)]
            t += s
        part, t = part + 1, end
    return y


class SidesAtEvents(InFolder):
    def derivatives(self, model, until, of, *options):
        code, out, err = self.run_model(model, "simulate", "--until", str(until), "--sensitivity", of, "--tol", "1e-12", "--json", *options)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def refused(self, model, until, of, *words):
        code, out, err = self.run_model(model, "simulate", "--until", str(until), "--sensitivity", of)
        self.assertNotEqual(code, 0, out)
        for word in words:
            self.assertIn(word, err)

    def near(self, found, expected, places=8):
        self.assertAlmostEqual(found, expected, delta=10**-places * max(1, abs(expected)))

    def as_differences(self, model, until, values, places=6):
        """`values`: each name with its value and whether it is a parameter."""
        result = self.derivatives(model, until, ", ".join(values))
        for name, (value, is_parameter) in values.items():
            ends = []
            for step in (1e-4, -1e-4):
                code, out, err = self.run_model(model, "simulate", "--until", str(until), "--tol", "1e-13", "--json",
                                                "--set" if is_parameter else "--start", f"{name} = {value + step}")
                self.assertEqual(code, 0, err)
                ends.append(json.loads(out)["final"])
            for state, found in result["sensitivity"][name].items():
                if state in ends[0]:
                    self.near(found, (ends[0][state] - ends[1][state]) / 2e-4, places)
        return result

    def test_a_side_of_the_gap_that_changes_at_the_impact(self):
        """At t1 the wall's acceleration jumps: z larger or smaller by the same comes to another wall."""
        wall, rate = "v*(t^2/2 - max(0, t - t1)^2/2)", "v*min(t, t1)"
        for model in (WALL.format(wall), EVENT.format(wall, rate)):
            for of in ("z", "z'", "v", "t1"):
                self.refused(model, 2, of, "`wall`", "t1")
            # the restitution moves nothing before the impact
            self.near(self.derivatives(model, 2, "e")["sensitivity"]["e"]["z"], 1.2)

    def test_a_side_whose_change_has_no_first_order(self):
        """With the cube the acceleration is continuous at t1: the derivatives are those of the wall v*t^2/2."""
        def end(z=1.1, speed=-1.0, v=0.2, e=0.7):
            hit = 1 + 0j
            for _ in range(60):
                hit -= (z + speed * hit - v * hit**2 / 2) / (speed - v * hit)
            behind = -e * speed + (1 + e) * v * hit
            return [v * hit**2 / 2 + (2 - hit) * behind, behind]

        wall, rate = "v*(t^2/2 - max(0, t - t1)^3/6)", "v*(t - max(0, t - t1)^2/2)"
        for model in (WALL.format(wall), EVENT.format(wall, rate)):
            result = self.derivatives(model, 2, "z, z', v, t1, e")["sensitivity"]
            for name, moved in (("z", end(z=1.1 + STEP * 1j)), ("z'", end(speed=-1 + STEP * 1j)), ("v", end(v=0.2 + STEP * 1j)),
                                ("e", end(e=0.7 + STEP * 1j)), ("t1", [0j, 0j])):
                self.near(result[name]["z"], moved[0].imag / STEP)
                self.near(result[name]["z'"], moved[1].imag / STEP)

    def test_sides_of_a_reset_and_of_a_restitution(self):
        free = "param t1 = 1\ncoord z\nkinetic z'^2/2\n{}\nstart z = 1, z' = -1\n"
        for law in ("event wall: z = 0 falling then reset z' = -z'*(0.5 + 0.3*max(0, t - t1))",
                    "event wall: z = 0 falling then reset z' = -z'*(0.5 + 0.1*sign(t - t1))",
                    "unilateral wall: z >= 0 restitution 0.5 + 0.1*sign(t - t1)",
                    "unilateral wall: z >= 0 restitution 0.5 + 0.3*abs(t - t1)",
                    "unilateral wall: z >= 0 restitution 0.5 + 0.3*abs(max(t, t1) - t1)"):
            for of in ("z", "z'", "t1"):
                self.refused(free.format(law), 2, of, "`wall`", "t1")
        # away from the change, and where it has no first order
        late = self.derivatives(free.format("unilateral wall: z >= 0 restitution 0.5 + 0.1*sign(t - t1)"), 2, "z, t1", "--set", "t1 = 0.5")
        self.near(late["sensitivity"]["z"]["z"], -0.6)
        self.near(late["sensitivity"]["t1"]["z"], 0)
        flat = self.derivatives(free.format("event wall: z = 0 falling then reset z' = -z'*(0.5 + 0.3*max(0, t - t1)^2)"), 2, "z, z', t1")
        self.near(flat["sensitivity"]["z"]["z"], -0.5)
        self.near(flat["sensitivity"]["z'"]["z"], -1)
        self.near(flat["sensitivity"]["t1"]["z"], 0)

    def test_an_event_at_a_time_of_its_side(self):
        """All motions come to the reset at t1, where its argument is zero: nothing depends on a side."""
        model = "param t1 = 1, a = 3\ncoord z\nkinetic z'^2/2\nevent kick: t - t1 = 0 then reset z' = a*z' + max(0, t - t1)\nstart z = 1, z' = 2\n"
        result = self.derivatives(model, 2, "z, z', t1, a")["sensitivity"]
        for name, expected in (("z", 1), ("z'", 4), ("t1", -4), ("a", 2)):
            self.near(result[name]["z"], expected)

    def test_cams_with_dwell(self):
        """A parameter in the argument of max, and a start where the side changes."""
        for power in (2, 3):
            result = self.derivatives(CAM.replace("POWER", str(power)), 1.1, "h, T1, k")
            y = cam(1.1, power)
            self.near(result["final"]["y"], y[0].real)
            for name, moved in (("h", cam(1.1, power, h=0.02 + STEP * 1j)), ("T1", cam(1.1, power, period=0.5 + STEP * 1j)),
                                ("k", cam(1.1, power, k=300 + STEP * 1j))):
                self.near(result["sensitivity"][name]["y"], moved[0].imag / STEP, 7)
                self.near(result["sensitivity"][name]["y'"], moved[1].imag / STEP, 6)

    def test_sides_within_sides_that_jump(self):
        self.as_differences("param a = 0.3, b = 1/5\ncoord x\nkinetic x'^2/2\npotential 2*x^2\n"
                            "force x = -x'/10 + max(0, abs(x) - a)*3 - max(b*sign(x), 1/10)\nstart x = 1\n", 4,
                            {"x": (1, False), "a": (0.3, True), "b": (0.2, True)})
        ramp = "param a = 0.17, b = 0.4, c = 0.9\ncoord x\nkinetic x'^2/2\npotential 2*x^2\nforce x = max(0, b*sign(t - c) - a)\nstart x = 0.7\n"
        self.as_differences(ramp, 2.3, {"a": (0.17, True), "b": (0.4, True), "c": (0.9, True)})
        begun = "param a = 0.17, c = 0.9\ncoord x\nkinetic x'^2/2\npotential 2*x^2\nforce x = max(sign(sin(4*t)), abs(cos(4*t/c)) - a)\nstart x = 0.7\n"
        self.as_differences(begun, 2.3, {"a": (0.17, True), "c": (0.9, True)})
        waves = "param w = 2, a = 0.5\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x - y)^2 + x^2/2\n" \
                "force x = sign(sin(w*t))*(1 + abs(cos(w*t/2)))\nforce y = max(sign(sin(2*w*t)), a*sign(sin(w*t)))\nstart t = {}\n"
        for begin in (0, 0.3):
            self.as_differences(waves.format(begin), 3, {"x": (0, False), "w": (2, True), "a": (0.5, True)})

    def test_a_start_at_rest_with_dry_drag(self):
        """Falling from rest: x' = 0 in all the motions, and all of them go down."""
        model = "param e = 0.8, c = 0.3\ncoord x\nkinetic x'^2/2\npotential 9.81*x\nforce x = -c*sign(x')\n{}start x = 1\n"
        result = self.derivatives(model.format(""), 0.3, "x, c")
        self.near(result["final"]["x"], 1 - 9.51 * 0.09 / 2)
        self.near(result["sensitivity"]["x"]["x"], 1)
        self.near(result["sensitivity"]["c"]["x"], 0.045)
        self.refused(model.format(""), 0.3, "x'", "x'")
        self.as_differences(model.format("unilateral floor: x >= 0 restitution e\n"), 0.9, {"x": (1, False), "c": (0.3, True), "e": (0.8, True)})


class Outputs(InFolder):
    MODEL = "param k = 3, m = 2, l = 0.5, g = 9.81\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential m*g*y + k/2*x^2\n" \
            "constraint rod: x^2 + y^2 = l^2\noutput a = x''\noutput force = lambda(rod)\noutput energy = T + V\noutput b = abs(x) + x'*l\n" \
            "start x = 0.3, y = -0.4\n"

    def columns(self, *options):
        code, _, err = self.run_in("simulate", "m.lia", "--until", "1", "--every", "0.25", "--tol", "1e-13", "-o", "r.csv", *options)
        self.assertEqual(code, 0, err)
        lines = (self.folder / "r.csv").read_text().splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith("t,"))
        names = lines[head].split(",")
        rows = [[float(cell) for cell in line.split(",")] for line in lines[head + 1:]]
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def test_rows_table_and_json(self):
        (self.folder / "m.lia").write_text(self.MODEL)
        found = self.columns("--sensitivity", "k, m")
        for name, value in (("k", 3), ("m", 2)):
            high = self.columns("--set", f"{name} = {value + 1e-4}")
            low = self.columns("--set", f"{name} = {value - 1e-4}")
            for output in ("a", "force", "energy", "b"):
                for got, above, below in zip(found[f"d({output})/d({name})"], high[output], low[output], strict=True):
                    self.assertAlmostEqual(got, (above - below) / 2e-4, delta=2e-6)
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "--tol", "1e-13", "--sensitivity", "k", "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertAlmostEqual(result["output_sensitivity"]["k"]["force"], found["d(force)/d(k)"][-1], places=8)
        self.assertAlmostEqual(result["outputs"]["a"], found["a"][-1], places=8)
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "--sensitivity", "k")
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"outputs\n +a +\S+ +\S+\n +force")

    def test_at_a_change_of_side(self):
        """At a row where a side changes the values are those before it."""
        model = "param F = 2, t1 = 0.5\ncoord x\nkinetic x'^2/2\nforce x = F*max(0, t - t1) + F*sign(t - t1)\noutput a = x''\noutput s = sign(t - t1)*F\n"
        (self.folder / "m.lia").write_text(model)
        found = self.columns("--sensitivity", "F, t1")
        for got, expected in ((found["a"], (-2, -2, -2, 2.5, 3)), (found["d(a)/d(F)"], (-1, -1, -1, 1.25, 1.5)),
                              (found["d(a)/d(t1)"], (0, 0, 0, -2, -2)), (found["d(s)/d(F)"], (-1, -1, -1, 1, 1))):
            for one, two in zip(got, expected, strict=True):
                self.assertAlmostEqual(one, two, places=8)

    def test_of_a_contact_that_closes(self):
        """A lump comes to rest on a spring's plate: its force behind the impact is k*(x - l) with x held."""
        model = "param g = 9.81, m = 2\ncoord z\nkinetic m*z'^2/2\npotential m*g*z\nunilateral floor: z >= 0\noutput N = lambda(floor)\nstart z = 0.1\n"
        (self.folder / "m.lia").write_text(model)
        found = self.columns("--sensitivity", "g, m")
        self.assertAlmostEqual(found["N"][0], 0, places=9)
        self.assertAlmostEqual(found["N"][-1], 2 * 9.81, places=8)
        self.assertAlmostEqual(found["d(N)/d(g)"][-1], 2, places=8)
        self.assertAlmostEqual(found["d(N)/d(m)"][-1], 9.81, places=8)


class Corners(InFolder):
    def test_eval_says_where_accelerations_are_others_on_either_side(self):
        """s'' is a before t1 and 0 behind it: y'' = -40*y/m - s'' has no value at t1."""
        drive = "param m = 3, t1 = 1/2, a = 2\ncoord y\nrheonomic s = a/2*(t^2 - max(0, t - t1)^2)\nparticle P mass m at [s + y, 0]\n" \
                "spring S: y stiffness 40\nstart y = 0.02\n"
        cam = "param h = 2\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential (x - y)^2\nconstraint cam: x = h*max(0, t - 1/2)^2\n"
        flat = "coord x\nkinetic x'^2/2\nforce x = abs(t - 1/2) - x\n"  # a corner of the force itself: nothing jumps
        rounded = "coord x\nkinetic x'^2/2\npotential max(0, 3*x - 0.9)\n"  # 3*0.3 is not 0.9 in doubles
        for at, is_corner in (("0.3", True), ("0.31", False)):
            code, out, err = self.run_model(rounded, "eval", "--at", f"x = {at}", "--json")
            self.assertEqual(code, 0, err)
            self.assertEqual("on either side" in json.loads(out).get("remark", ""), is_corner, at)
        for model, at, is_corner in ((drive, "1/2", True), (drive, "0.4", False), (cam, "1/2", True), (cam, "0.6", False), (flat, "1/2", False)):
            code, out, err = self.run_model(model, "eval", "--at", f"t = {at}", "--json")
            self.assertEqual(code, 0, err)
            self.assertEqual("on either side" in json.loads(out).get("remark", ""), is_corner, f"{model} at {at}")


if __name__ == "__main__":
    unittest.main()
