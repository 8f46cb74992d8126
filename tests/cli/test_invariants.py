#!/usr/bin/env python3
"""`invariants`: Poincare's, Cartan's and Taylor's integrals over tubes of motions, against numbers of 20 digits from the catalogue.

usage: test_invariants.py PROGRAM
"""

import json
import math
import unittest

from program import ROOT, InFolder

TAYLOR = ROOT / "models/taylor"
CIRCLE = "a: x = 0.3*cos(a), theta = 0.2 + 0.25*sin(a), y = 0.4*sin(a) + 0.1*cos(2*a), x' = 1 + 0.2*cos(a), theta' = 0.5 + 0.1*sin(2*a)"
DISC = ("a: varphi = 0.3 + 0.5*sin(a), theta = 0.4*cos(a), x = 0.2*cos(2*a) + 0.1*sin(a), y = 0.3*sin(a) + 0.2*cos(a), "
        "varphi' = 0.8 + 0.3*cos(a), theta' = 2 + 0.5*sin(a)")
PLANE = "x = 0.2*cos(a), y = 0.3*sin(a) + 0.1*cos(2*a)"
FIXED, VARIABLE = "1", "1 + 0.3*cos(a) + 0.1*sin(2*a)"
MISSED = ", c = 0.35 + 0.2*sin(a)"


class Invariants(InFolder):
    def tube(self, model, curve, until, *options, kept=True):
        code, out, err = self.run_in("invariants", str(TAYLOR / model) if "/" not in model else model, "--curve", curve, "--until", until, "--json", *options)
        self.assertEqual(err, "")
        self.assertEqual(code, 0 if kept else 1, out)
        return json.loads(out)

    def compare(self, tube, at, circuit, value, delta=1e-10):
        section = next(section for section in tube["sections"] if abs(section["u"] - at) < 1e-12)
        self.assertAlmostEqual(section["circuit"], circuit, delta=delta)
        self.assertAlmostEqual(section["sum"], value, delta=delta)
        self.assertLess(section["error"], delta)
        # The error that is told is not smaller than the true one.
        self.assertLessEqual(abs(section["sum"] - value), 3 * section["error"] + 1e-14)

    def test_knife_edge(self):  # TA4-knife, TA4-poincare
        fixed = self.tube("knife_edge.lia", CIRCLE, FIXED)
        self.assertIs(fixed["fixed_times"], True)
        for u, circuit in ((0, 0.0704915079649331362), (0.25, 0.264762681718928544), (0.5, 0.530850799765973721), (0.75, 0.874981287490476221),
                           (1, 1.29867091553852647)):
            self.compare(fixed, u, circuit, 0.0704915079649331362)
        self.assertIs(fixed["circuit_kept"], False)
        last = fixed["sections"][-1]
        self.assertAlmostEqual(last["circuit"] - last["reactions"], 2.52685032311212, delta=1e-9)  # the wrong sign
        variable = self.tube("knife_edge.lia", CIRCLE, VARIABLE)
        self.assertIs(variable["fixed_times"], False)
        self.compare(variable, 1, 4.52461983533611940, 0.0704915079649331362)

    def test_what_is_kept_is_not_called_changed(self):
        """Poincare's integral of an oscillator, whatever the tolerance and the size of the curve."""
        self.write("coord x\nkinetic x'^2/2\npotential x^2/2\n")
        for tolerance in ("1e-4", "1e-6", "1e-8", "1e-12"):
            tube = self.tube("./m.lia", "a: x = cos(a), x' = sin(a)/2", "20", "--points", "16", "--tol", tolerance)
            self.assertEqual(tube["verdict"], "checked", tolerance)
            self.assertLess(tube["allowed"], 100 * float(tolerance) * 20, tolerance)
        for size in ("1e-4", "1e-8", "1e-9"):
            tube = self.tube("./m.lia", f"a: x = {size}*cos(a), x' = {size}*sin(a)/2", "20", "--points", "16")
            self.assertEqual(tube["verdict"], "checked", size)
            self.assertLess(tube["allowed"], 1e-2 * abs(tube["sections"][0]["circuit"]), size)

    def test_what_changes_is_refuted(self):
        """Another form than p dq - H dt: x*dx + x'*dx/10 with damping."""
        self.write("coord x\nkinetic x'^2/2\npotential x^2/2\nforce x = -x'/100\n")
        for tolerance in ("1e-6", "1e-12"):
            tube = self.tube("./m.lia", "a: x = cos(a), x' = sin(a)/2", "20", "--points", "16", "--tol", tolerance, "--form", "x'*dx", kept=False)
            self.assertEqual((tube["verdict"], tube["kept"]), ("refuted", False))

    def test_the_hint_is_about_the_curve(self):
        code, _, err = self.run_in("invariants", str(ROOT / "models/tutorial/pendulum_on_a_circle.lia"), "--curve", "a: x = 1, y = 1", "--until", "1")
        self.assertEqual(code, 2)
        self.assertIn("[L0501]", err)
        self.assertIn("change the curve", err)
        self.assertNotIn("--project", err)

    def test_sleigh(self):  # TA4-sleigh
        self.compare(self.tube("sleigh.lia", CIRCLE, FIXED), 1, 0.169811903055261709, 0.0555804980896014380)
        self.compare(self.tube("sleigh.lia", CIRCLE, VARIABLE), 1, 0.286388678390155838, 0.0555804980896014380)

    def test_disc(self):  # TA4-disc
        still = ("--set", "w0 = 0, w1 = 0")
        fixed = self.tube("disc_on_belt.lia", DISC, FIXED, *still)
        self.compare(fixed, 0.5, -0.00730740635137294706, -0.102646295954083154)
        self.compare(fixed, 1, -0.0518921715477998377, -0.102646295954083154)
        self.compare(self.tube("disc_on_belt.lia", DISC, VARIABLE, *still), 1, -0.0528324019736397143, -0.102646295954083154)

    def test_belt(self):  # TA4-belt: the power of the reactions counts
        self.compare(self.tube("disc_on_belt.lia", DISC, FIXED), 1, -0.0172165128432511870, -0.102646295954083154)
        variable = self.tube("disc_on_belt.lia", DISC, VARIABLE)
        self.compare(variable, 1, 0.00598508725283773211, -0.102646295954083154)
        self.assertGreater(abs(variable["sections"][-1]["power"]), 1e-3)

    def test_a_relation_that_is_missed(self):  # TA4-initial-data: (15) as printed has no power
        for until, value, half in ((FIXED, 0.0704915079649331, 0.0704915079649331), (VARIABLE, 0.323800779360209, 0.144768273483108)):
            sections = self.tube("knife_edge.lia", CIRCLE + MISSED, until)["sections"]
            self.assertAlmostEqual(sections[-1]["sum"], 0.0704915079649331, delta=1e-10)
            self.assertAlmostEqual(sections[-1]["sum"] - sections[-1]["power"], value, delta=1e-10)
            self.assertAlmostEqual(sections[2]["sum"] - sections[2]["power"], half, delta=1e-10)
        belt = self.tube("disc_on_belt.lia", DISC + MISSED, VARIABLE)["sections"][-1]
        self.assertAlmostEqual(belt["sum"], -0.102646295954083, delta=1e-10)

    def test_integrable_relations_are_relations_too(self):  # TA4-holonomic
        curve = "a: x = 0.3 + 0.2*cos(a), x' = 0.5 + 0.4*sin(a), y = (0.3 + 0.2*cos(a))^2 + 0.1 + {}*sin(a + 0.5)"
        leaf = self.tube("parabola.lia", curve.format(0), FIXED)
        self.assertIs(leaf["circuit_kept"], True)
        self.compare(leaf, 1, -0.422230052642468, -0.422230052642468)
        across = self.tube("parabola.lia", curve.format(0.25), FIXED, "--sections", "8")
        self.compare(across, 0.5, -0.357300703956740, -0.365253138882875, 1e-8)
        self.compare(across, 1, -0.555195526231255, -0.365253138882875, 1e-8)
        self.assertIs(across["circuit_kept"], False)

    def test_forms_of_ones_own(self):  # TA3-invariant-definition
        curve = "a: theta = 0.4 + 0.3*cos(a), theta' = 0.2 + 0.5*sin(a)"
        for until in (FIXED, VARIABLE):
            self.compare(self.tube("pendulum.lia", curve, until), 1, -0.15 * math.pi, -0.15 * math.pi)
            self.tube("pendulum.lia", curve, until, "--form", "theta'*dtheta - (theta'^2/2 - cos(theta))*dt")
        self.tube("pendulum.lia", curve, FIXED, "--form", "theta'*dtheta")
        self.tube("pendulum.lia", curve, VARIABLE, "--form", "theta'*dtheta", kept=False)

    def test_any_forces(self):  # TA-general
        cone = f"a: {PLANE}, z = 0.25*sin(a + 1), z' = 6 + 0.5*cos(a), x' = 1.5*(6 + 0.5*cos(a))*cos(0.6 + 0.4*sin(a)), y' = 1.5*(6 + 0.5*cos(a))*sin(0.6 + 0.4*sin(a))"
        self.compare(self.tube("cone.lia", cone, FIXED), 1, 2.33573284018655091, 3.55686414537048355)
        self.compare(self.tube("cone.lia", cone, VARIABLE), 1, 3.76720897378110556, 3.55686414537048355)
        speed = f"a: {PLANE}, x' = 2*cos(0.9 + 0.4*sin(a)), y' = 2*sin(0.9 + 0.4*sin(a))"
        self.compare(self.tube("prescribed_speed.lia", speed, "0.5"), 1, -1.31682354436634231, 1.15776154128694618, 1e-8)
        variable = self.tube("prescribed_speed.lia", speed, f"0.5*({VARIABLE})", "--points", "128")
        self.compare(variable, 1, 5.0895033488280211, 1.15776154128694618, 1e-8)
        self.assertAlmostEqual(variable["sections"][-1]["sum"] - variable["sections"][-1]["power"], 5.16097778252435, delta=1e-8)
        friction = f"a: {PLANE}, x' = (5 + 0.5*cos(a))*cos(0.9 + 0.4*sin(a)), y' = (5 + 0.5*cos(a))*sin(0.9 + 0.4*sin(a))"
        self.compare(self.tube("friction.lia", friction, FIXED), 1, 1.48874272136205611, 2.57612604350203107)
        variable = self.tube("friction.lia", friction, VARIABLE)
        self.compare(variable, 1, 1.79160132961139507, 2.57612604350203107)
        self.assertAlmostEqual(variable["sections"][-1]["sum"] - variable["sections"][-1]["power"], 2.93698650898622, delta=1e-10)

    def test_multipliers_depend_on_the_motion(self):  # TA4-lambda-of-alpha: those of the motion at a = 0 are wrong for the others
        self.write("""param m = 2, I = 0.75, gam = 1.5
coord x, theta, y, x0, theta0, y0
kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2 + m*(x0'^2 + y0'^2)/2 + I*theta0'^2/2
potential -m*gam*(x + x0)
constraint edge: y' - tan(theta)*x' = 0
constraint edge0: y0' - tan(theta0)*x0' = 0
""")
        form = "m*x'*dx + m*y'*dy + I*theta'*dtheta"
        curve = CIRCLE + ", x0 = 0.3, theta0 = 0.2, y0 = 0.1, x0' = 1.2, theta0' = 0.5"
        right = self.tube("./m.lia", curve, FIXED, "--form", form, "--force", "lambda(edge)*(dy - tan(theta)*dx)")
        self.compare(right, 1, 1.29867091553852647, 0.0704915079649331)
        wrong = self.tube("./m.lia", curve, FIXED, "--form", form, "--force", "lambda(edge0)*(dy - tan(theta)*dx)", kept=False)
        self.compare(wrong, 0.5, 0.530850799765973721, 0.147184773290324)
        self.compare(wrong, 1, 1.29867091553852647, 0.0597758534949286)

    def test_converse(self):  # TA5-counterexample, TA5-converse: a field that is not Taylor's keeps his integral
        model = """param m = 1.5, R = 0.4, gam = 0.7, mu1 = 0, mu2 = 0, eps = 0.05
coord varphi, theta, x, y, pf, pt, px, py
let J = m*R^2/2
let th2 = -2/(3*R)*sin(varphi)*gam
let L1 = m*(-R*cos(varphi)*(pf/(J/2))*(pt/J) - R*sin(varphi)*th2) - m*gam
let L2 = m*(-R*sin(varphi)*(pf/(J/2))*(pt/J) + R*cos(varphi)*th2)
let r11 = 1/m + R^2*sin(varphi)^2/J
let r22 = 1/m + R^2*cos(varphi)^2/J
let r12 = -R^2*sin(varphi)*cos(varphi)/J
let n1 = mu1 - eps*(r12*L1 + r22*L2)
let n2 = mu2 + eps*(r11*L1 + r12*L2)
kinetic (varphi'^2 + theta'^2 + x'^2 + y'^2 + pf'^2 + pt'^2 + px'^2 + py'^2)/2
constraint k1: varphi' - pf/(J/2) = 0 along dvarphi
constraint k2: theta' - pt/J - R*(n1*sin(varphi) - n2*cos(varphi))/J = 0 along dtheta
constraint k3: x' - px/m - n1/m = 0 along dx
constraint k4: y' - py/m - n2/m = 0 along dy
constraint k5: pf' + R*pt*(n1*cos(varphi) + n2*sin(varphi))/J = 0 along dpf
constraint k6: pt' - R*sin(varphi)*L1 + R*cos(varphi)*L2 = 0 along dpt
constraint k7: px' - m*gam - L1 = 0 along dpx
constraint k8: py' - L2 = 0 along dpy
"""
        l1 = "(m*(-R*cos(varphi)*(4*pf/(m*R^2))*(2*pt/(m*R^2)) + 2/3*sin(varphi)^2*gam) - m*gam)"
        l2 = "(m*(-R*sin(varphi)*(4*pf/(m*R^2))*(2*pt/(m*R^2)) - 2/3*sin(varphi)*cos(varphi)*gam))"
        energy = "(2*pf^2/(m*R^2) + pt^2/(m*R^2) + (px^2 + py^2)/(2*m) - m*gam*x)"
        forms = ("--form", f"pf*dvarphi + pt*dtheta + px*dx + py*dy - {energy}*dt",
                 "--force", f"{l1}*(dx + R*sin(varphi)*dtheta) + {l2}*(dy - R*cos(varphi)*dtheta)")
        curve = ("a: varphi = 0.3 + 0.5*sin(a), theta = 0.4*cos(a), x = 0.2*cos(2*a) + 0.1*sin(a), y = 0.3*sin(a) + 0.2*cos(a), "
                 "pf = m*R^2/4*(0.8 + 0.3*cos(a)), pt = m*R^2/2*(2 + 0.5*sin(a)), px = -m*R*sin(0.3 + 0.5*sin(a))*(2 + 0.5*sin(a)), "
                 "py = m*R*cos(0.3 + 0.5*sin(a))*(2 + 0.5*sin(a))")
        self.write(model)
        for until, circuit in ((FIXED, -0.0345699460584136543), (VARIABLE, -0.0753176004600933895)):
            self.compare(self.tube("./m.lia", curve, until, *forms), 1, circuit, -0.102646295954083154)
        given = ("--set", "eps = 0, mu1 = 0.1")
        self.assertAlmostEqual(self.tube("./m.lia", curve, FIXED, *forms, *given)["sections"][-1]["sum"], -0.102646295954083154, delta=1e-10)
        last = self.tube("./m.lia", curve, VARIABLE, *forms, *given)["sections"][-1]
        self.assertAlmostEqual(last["sum"] - last["power"], -0.103500247640617, delta=1e-10)

    def derivative_of_the_action(self, model, curve, velocities, relations, until):
        """J and dJ/da at a = pi/4 by differences, the derivatives of the end and the begin, and the velocities there."""
        self.write(model)
        h = 1e-3

        def end(angle):
            values = ", ".join(f"{name} = {value(angle):.17g}" for name, value in {**curve, **velocities}.items())
            out = self.run_in("simulate", "m.lia", "--start", values, "--until", f"{until(angle):.17g}", "--tol", "1e-14", "--json")[1]
            return json.loads(out)["final"]

        def rate(value):
            return (value(-2) - 8 * value(-1) + 8 * value(1) - value(2)) / (12 * h)

        angle = math.pi / 4
        ends = {k: end(angle + k * h) for k in (-2, -1, 0, 1, 2)}
        dj = rate(lambda k: ends[k]["J"])
        ending = {name: rate(lambda k, name=name: ends[k][name]) for name in curve}
        beginning = {name: rate(lambda k, name=name: curve[name](angle + k * h)) for name in curve}
        start = {**{name + "'": velocities[name + "'"](angle) for name in curve if name + "'" in velocities}, **relations(angle)}
        return ends[0]["J"], dj, ending, beginning, ends[0], start

    def test_derivative_of_the_action(self):  # TA4-J-derivative
        m, inertia = 2, 0.75
        model = ("param m = 2, I = 0.75, gam = 1.5\ncoord x, theta, y, J\nkinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2 + J'^2/2\npotential -m*gam*x\n"
                 "constraint edge: y' - tan(theta)*x' = 0\n"
                 "constraint action: J' - m*(x'^2 + y'^2)/2 - I*theta'^2/2 - m*gam*x = 0 along dJ\n")
        curve = {"x": lambda a: 0.3 * math.cos(a), "theta": lambda a: 0.2 + 0.25 * math.sin(a), "y": lambda a: 0.4 * math.sin(a) + 0.1 * math.cos(2 * a)}
        velocities = {"x'": lambda a: 1 + 0.2 * math.cos(a), "theta'": lambda a: 0.5 + 0.1 * math.sin(2 * a)}
        j, dj, ending, beginning, last, first = self.derivative_of_the_action(
            model, curve, velocities, lambda a: {"y'": math.tan(0.2 + 0.25 * math.sin(a)) * (1 + 0.2 * math.cos(a))}, lambda a: 1)
        self.assertAlmostEqual(j, 6.33459790653842, delta=1e-10)
        self.assertAlmostEqual(dj, -1.55658377907433, delta=1e-8)
        mass = {"x": m, "y": m, "theta": inertia}
        ends = sum(mass[name] * (last[name + "'"] * ending[name] - first[name + "'"] * beginning[name]) for name in mass)
        self.assertAlmostEqual(dj - ends, -1.50645958433501, delta=1e-8)
        # The same for the disc on a belt, whose motions end at different times: -H dt/da at the end.
        m, radius, gam, w0 = 1.5, 0.4, 0.7, 0.5
        model = ("param m = 1.5, R = 0.4, gam = 0.7, w0 = 0.5, w1 = -0.25\ncoord varphi, theta, x, y, J\n"
                 "let S = m*(x'^2 + y'^2)/2 + m*R^2*varphi'^2/8 + m*R^2*theta'^2/4\nkinetic S + J'^2/2\npotential -m*gam*x\n"
                 "constraint along_x: x' + R*sin(varphi)*theta' - w0 - w1*t = 0\nconstraint along_y: y' - R*cos(varphi)*theta' = 0\n"
                 "constraint action: J' - S - m*gam*x = 0 along dJ\n")
        curve = {"varphi": lambda a: 0.3 + 0.5 * math.sin(a), "theta": lambda a: 0.4 * math.cos(a), "x": lambda a: 0.2 * math.cos(2 * a) + 0.1 * math.sin(a),
                 "y": lambda a: 0.3 * math.sin(a) + 0.2 * math.cos(a)}
        velocities = {"varphi'": lambda a: 0.8 + 0.3 * math.cos(a), "theta'": lambda a: 2 + 0.5 * math.sin(a)}

        def rolling(a):
            angle, turn = 0.3 + 0.5 * math.sin(a), 2 + 0.5 * math.sin(a)
            return {"x'": -radius * math.sin(angle) * turn + w0, "y'": radius * math.cos(angle) * turn}

        j, dj, ending, beginning, last, first = self.derivative_of_the_action(
            model, curve, velocities, rolling, lambda a: 1 + 0.3 * math.cos(a) + 0.1 * math.sin(2 * a))
        self.assertAlmostEqual(j, 0.303910567995920, delta=1e-10)
        self.assertAlmostEqual(dj, -0.565083754922544, delta=1e-8)
        mass = {"x": m, "y": m, "varphi": m * radius**2 / 4, "theta": m * radius**2 / 2}
        energy = sum(mass[name] * last[name + "'"] ** 2 / 2 for name in mass) - m * gam * last["x"]
        time_rate = -0.3 * math.sin(math.pi / 4) + 0.2 * math.cos(math.pi / 2)
        ends = sum(mass[name] * (last[name + "'"] * ending[name] - first[name + "'"] * beginning[name]) for name in mass) - energy * time_rate
        self.assertAlmostEqual(dj - ends, -0.549080429212859, delta=1e-8)

    def test_rotations(self):  # a free body: Poincare's and Cartan's invariants on the frame of the body and of space
        for axes in ("body", "space"):
            energy = "(2*p^2 + 3*q^2 + 5*r^2)/2" if axes == "body" else "(p^2 + q^2 + r^2)"
            self.write(f"rotation (p, q, r) in {axes}\nkinetic {energy}\n")
            curve = ("a: rot1_e0 = cos(0.4 + 0.2*sin(a)), rot1_e1 = sin(0.4 + 0.2*sin(a))*cos(0.3*cos(a)), rot1_e2 = sin(0.4 + 0.2*sin(a))*sin(0.3*cos(a)), rot1_e3 = 0, "
                     "p = 1 + 0.3*cos(a), q = 0.5*sin(a), r = -0.7 + 0.2*cos(2*a)")
            for until in (FIXED, VARIABLE):
                tube = self.tube("./m.lia", curve, until)
                self.assertIs(tube["has_forces"], False)
                self.assertGreater(abs(tube["sections"][0]["sum"]), 1e-3)
                self.assertLess(tube["change"], 1e-9)

    def test_pages(self):
        for format, word in (("text", "The sum has one value"), ("latex", "\\begin{document}"), ("html", "<table"), ("json", '"sections"')):
            code, out, err = self.run_in("invariants", str(TAYLOR / "parabola.lia"), "--curve", "a: x = 0.3 + 0.2*cos(a), x' = 0.5 + 0.4*sin(a), y = sin(a)",
                                         "--until", "1", "--format", format)
            self.assertEqual((code, err), (0, ""))
            self.assertIn(word, out)

    def test_what_is_refused(self):
        model = str(TAYLOR / "pendulum.lia")
        good = "a: theta = cos(a), theta' = sin(a)"
        for curve, options, message in (
                ("theta = cos(a)", [], "the parameter of the curve is not named"),
                ("a: theta = a", [], "the curve is not closed: theta goes from 0 to 6.28318531"),
                ("a: thet = cos(a)", [], "`thet` is not a part of the state"),
                ("a: theta = cos(b)", [], "unknown name `b`"),
                ("a: theta = cos(a), theta = 1", [], "`theta` is given twice"),
                (good, ["--points", "10"], "a multiple of 4"),
                (good, ["--points", "0"], "is not a whole number of points"),
                (good, ["--form", "theta'"], "this is no 1-form"),
                (good, ["--form", "dtheta^2"], "this is no 1-form"),
                (good, ["--force", "dtheta"], "give --form too"),
                (good, ["--until", "-1"], "the run would end at -1 and begins at 0")):
            until = [] if "--until" in options else ["--until", "1"]
            code, out, err = self.run_in("invariants", model, "--curve", curve, *until, *options)
            self.assertEqual((code, out), (2, ""), (curve, options))
            self.assertIn(message, err)


class Units(InFolder):
    MODEL = "coord x\nkinetic x'^2/2\npotential x^2/2\n"

    def test_an_open_curve_is_none_in_any_unit(self):
        for size in ("1", "10^-10"):
            code, _, err = self.run_model(self.MODEL, "invariants", "--curve", f"a: x = {size}*cos(a), x' = {size}*a", "--until", "1")
            self.assertEqual(code, 2)
            self.assertIn("is not closed", err)

    def test_a_loose_tolerance_is_compared_with_two_others(self):
        """With steps that the tolerance does not choose, a hundredth of it changes nothing: a ten-thousandth does, and counts twice."""
        model = "coord x\nkinetic x'^2/2\npotential x^2/2 + x^4/4\nforce x = -x'/2\n"
        sums = {}
        for tolerance in ("9e-4", "9e-6", "9e-8"):
            code, out, err = self.run_model(model, "invariants", "--curve", "a: x = 2 + cos(a), x' = sin(a)", "--until", "3", "--form", "x'*dx",
                                            "--tol", tolerance, "--json")
            self.assertIn(code, (0, 1), err)
            sums[tolerance] = json.loads(out)["sections"][1]
        apart = abs(sums["9e-4"]["sum"] - sums["9e-8"]["sum"])
        self.assertGreater(apart, 100 * abs(sums["9e-4"]["sum"] - sums["9e-6"]["sum"]))
        self.assertGreater(sums["9e-4"]["error"], 1.9 * apart)


if __name__ == "__main__":
    unittest.main()
