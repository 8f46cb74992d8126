"""Machines of models/bodies and models/mbs, built a second time by hand for Pinocchio: accelerations at random states.

A tree of joints is Pinocchio's; springs, loops and wheels are forces and rows of this file on its bodies. Where relations fix coordinates, random
ones are moved onto them by Newton's method here, and `eval` is given all of them.

usage: pinocchio_machines.py [--program LIAISON] [--states N] [NAME ...]
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys

import numpy as np
import pinocchio as pin

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT = 1e-9
X, Y, Z = np.eye(3)


def turned(axis, angle):
    return pin.AngleAxis(angle, np.array(axis, dtype=float)).toRotationMatrix()


def about(a, b, c, products=(0, 0, 0)):
    d, e, f = products
    return np.array([[a, -f, -e], [-f, b, -d], [-e, -d, c]], dtype=float)


class Machine:
    """A tree with points on its bodies, forces along lines between them, and relations that are rows of J a = -bias."""

    gravity = np.array([0, 0, -9.81])

    def __init__(self):
        self.model = pin.Model()
        self.model.gravity.linear = self.gravity
        self.names = []
        self.build()
        self.data = self.model.createData()

    def body(self, name, parent, joint, at=(0, 0, 0), turn=np.eye(3), mass=0, inertia=np.zeros((3, 3)), centre=(0, 0, 0)):
        self.names.append(name)
        number = self.model.addJoint(parent, joint, pin.SE3(turn, np.array(at, dtype=float)), name)
        self.model.appendBodyToJoint(number, pin.Inertia(mass, np.array(centre, dtype=float), inertia), pin.SE3.Identity())
        return number

    def hinge(self, name, parent, axis, *rest, **more):
        return self.body(name, parent, pin.JointModelRevoluteUnaligned(np.array(axis, dtype=float) / np.linalg.norm(axis)), *rest, **more)

    def slider(self, name, parent, axis, *rest, **more):
        return self.body(name, parent, pin.JointModelPrismaticUnaligned(np.array(axis, dtype=float)), *rest, **more)

    # what a machine adds
    def forces(self, q, v, t):
        return np.zeros(self.model.nv)

    def relations(self, q):
        """Values that are zero, by positions."""
        return np.zeros(0)

    def rates(self, q, v):
        """Values that are zero, by velocities; linear in them."""
        return np.zeros(0)

    def drift(self):
        """Of the rates, what they change by with the time alone."""
        return 0

    # places and velocities of points, with `take` before
    def take(self, q, v):
        pin.forwardKinematics(self.model, self.data, q, v)
        pin.computeJointJacobians(self.model, self.data, q)

    def point(self, body, at=(0, 0, 0)):
        return self.data.oMi[body].act(np.array(at, dtype=float)) if body else np.array(at, dtype=float)

    def jacobian(self, body, at=(0, 0, 0)):
        if not body:
            return np.zeros((3, self.model.nv))
        world = pin.getJointJacobian(self.model, self.data, body, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        arm = self.data.oMi[body].rotation @ np.array(at, dtype=float)
        return world[:3] - pin.skew(arm) @ world[3:]

    def turning(self, body):
        return pin.getJointJacobian(self.model, self.data, body, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)[3:]

    def spring(self, one, other, k, length, c, v):
        """The generalised force of a spring with a damper between two points (body, place)."""
        way = self.point(*other) - self.point(*one)
        d = np.linalg.norm(way)
        row = (way / d) @ (self.jacobian(*other) - self.jacobian(*one))
        return -(k * (d - length) + c * (row @ v)) * row

    def on_relations(self, q, v):
        """The state moved onto the relations, by Newton's method with least changes."""
        for _ in range(30):
            values, rows = self.relations(q), self.rows_of_relations(q)
            if len(values):
                q = q - np.linalg.lstsq(rows, values, rcond=1e-10)[0]
        rows = self.all_rows(q)
        return q, v - (np.linalg.lstsq(rows, rows @ v + self.rest(q), rcond=1e-10)[0] if len(rows) else 0)

    def rest(self, q):
        return np.concatenate([np.zeros(len(self.relations(q))), self.rates(q, np.zeros(self.model.nv))])

    def rows_of_relations(self, q):
        return self.differences(self.relations, q)

    @staticmethod
    def differences(f, q, h=1e-2):
        """Central differences of order eight."""
        weights = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
        columns = []
        for i in range(len(q)):
            step = np.zeros(len(q))
            step[i] = h
            columns.append(sum(w * (f(q + k * step) - f(q - k * step)) for k, w in weights) / h)
        return np.array(columns).T if columns and len(columns[0]) else np.zeros((0, len(q)))

    def all_rows(self, q):
        n = self.model.nv
        base = self.rates(q, np.zeros(n))
        rates = np.array([self.rates(q, e) - base for e in np.eye(n)]).T if len(base) else np.zeros((0, n))
        return np.vstack([self.rows_of_relations(q), rates])

    def accelerations(self, q, v, t=0.0):
        mass = pin.crba(self.model, self.data, q)
        mass = np.triu(mass) + np.triu(mass, 1).T
        self.take(q, v)
        load = self.forces(q, v, t) - pin.nonLinearEffects(self.model, self.data, q, v)
        rows = self.all_rows(q)
        if not len(rows):
            return np.linalg.solve(mass, load)
        along = lambda s: np.concatenate([self.differences(self.relations, q + s * v) @ v, self.rates(q + s * v, v)])
        bias = self.differences(lambda s: along(s[0]), np.zeros(1))[:, 0] + self.drift()
        free = np.linalg.solve(mass, load)
        inverse = np.linalg.solve(mass, rows.T)
        factors = np.linalg.lstsq(rows @ inverse, -(bias + rows @ free), rcond=1e-9)[0]
        return free + inverse @ factors


class Arm(Machine):
    model_file = "bodies/six_joint_arm.lia"
    coordinates = ["q1", "q2", "q3", "q4", "q5", "q6"]

    def build(self):
        a = self.hinge("column", 0, Z, (0, 0, 0.2), mass=12, inertia=about(0.3, 0.3, 0.1), centre=(0, 0, 0.15))
        b = self.hinge("upper", a, Y, (0, 0, 0.4), mass=17, inertia=about(0.05, 0.55, 0.55), centre=(0.22, 0.1, 0))
        c = self.hinge("lower", b, Y, (0.45, 0.05, 0), mass=9, inertia=about(0.03, 0.2, 0.2, (0, 0.01, 0)), centre=(0.18, 0, 0.02))
        d = self.hinge("wrist", c, X, (0.42, 0, 0.02), mass=2.5, inertia=about(0.004, 0.005, 0.004), centre=(0.03, 0, 0))
        e = self.hinge("bend", d, Y, (0.06, 0, 0), mass=1.5, inertia=about(0.002, 0.002, 0.002), centre=(0.02, 0, 0))
        self.tool = self.hinge("tool", e, X, (0.05, 0, 0), mass=0.6, inertia=about(0.001, 0.0012, 0.0012), centre=(0.04, 0, 0))

    def forces(self, q, v, t):
        return self.jacobian(self.tool, (0.12, 0, 0)).T @ np.array([0, 0, -5]) + np.array([0, -60, -15, 0, 0, 0])


class Gimbals(Machine):
    model_file = "bodies/gyroscope_in_gimbals.lia"
    coordinates = ["alpha", "beta", "gamma"]
    gravity = np.zeros(3)

    def build(self):
        a = self.hinge("outer", 0, X, mass=0.5, inertia=about(0.004, 0.004, 0.004))
        b = self.hinge("inner", a, Y, mass=0.3, inertia=about(0.001, 0.0015, 0.002))
        self.hinge("rotor", b, Z, mass=0.4, inertia=about(0.0008, 0.0008, 0.0012))


class Plane(Machine):
    """In the plane x, y: hinges about z."""

    gravity = np.array([0, -9.81, 0])

    def link(self, name, parent, at, mass, inertia, centre):
        return self.hinge(name, parent, Z, (*at, 0), mass=mass, inertia=about(inertia, inertia, inertia), centre=(*centre, 0))


class Excavator(Plane):
    model_file = "bodies/excavator.lia"
    coordinates = ["boom", "stick", "bucket", "crank", "link"]

    def build(self):
        self.b = self.link("boom", 0, (0, 0), 1500, 4500, (2.6, 0.4))
        self.s = self.link("stick", self.b, (5.2, 0), 800, 800, (1, 0.15))
        self.k = self.link("bucket", self.s, (2.6, 0), 600, 150, (0.5, 0.3))
        self.c = self.link("crank", self.s, (2.2, 0), 60, 3, (0.3, 0))
        self.d = self.link("link", self.c, (0.6, 0), 60, 3, (0.25, 0))

    start = np.array([0.6, -1.6, -0.6, 1.25353424902, -1.75401029009])

    def relations(self, q):
        self.take(q, np.zeros(5))
        return (self.point(self.k, (0, 0.4, 0)) - self.point(self.d, (0.5, 0, 0)))[:2]

    def forces(self, q, v, t):
        load = self.jacobian(self.k, (1, 0, 0)).T @ np.array([0, -8000, 0])
        load += self.spring((0, (0.4, -0.6, 0)), (self.b, (2.4, 0.6, 0)), 2e7, 2.7, 1e6, v)
        load += self.spring((self.b, (2.8, 0.9, 0)), (self.s, (-0.6, 0.4, 0)), 2e7, 2.4, 1e6, v)
        return load + self.spring((self.s, (0.1, 0.6, 0)), (self.c, (0.6, 0, 0)), 2e7, 1.9, 1e6, v)


class Governor(Machine):
    model_file = "mbs/flyball_governor.lia"
    coordinates = ["phi", "s", "alpha", "beta"]

    def build(self):
        m, ms, ball, l, b, d = 3000 * 1e-4, 3000 * 1e-3, 5, 1, 0.01, 0.1
        across, along = m * (l * l + b * b) / 12, m * b * b / 6
        shaft = self.hinge("shaft", 0, Z, mass=m, inertia=about(across, across, along), centre=(0, 0, l / 2))
        cube = ms * d * d / 6
        self.s = self.slider("slider", shaft, Z, mass=ms, inertia=about(cube, cube, cube))
        self.rods = []
        for name, at, turn in (("rod1", (d / 2, 0, l), np.eye(3)), ("rod2", (-d / 2, 0, l), turned(Z, math.pi))):
            rod = self.hinge(name, shaft, Y, at, turn, mass=m, inertia=about(along, across, across), centre=(l / 2, 0, 0))
            self.model.appendBodyToJoint(rod, pin.Inertia(ball, np.array([l, 0, 0.0]), np.zeros((3, 3))), pin.SE3.Identity())
            self.rods.append(rod)

    start = np.array([0, 0.5, 0.5, 0.5])

    def forces(self, q, v, t):
        return sum(self.spring((self.s, (x, 0, 0)), (rod, (0.5, 0, 0)), 8e5, 0.5, 4e4, v) for x, rod in zip((0.05, -0.05), self.rods))


class Bricard(Machine):
    model_file = "mbs/bricard_mechanism.lia"
    coordinates = ["q1", "q2", "q3", "q4", "q5"]
    gravity = np.array([0, -9.81, 0])

    def build(self):
        j, c = 1.01 / 12, 0.01 / 6
        a = self.hinge("rod1", 0, Y, mass=1, inertia=about(c, j, j), centre=(0.5, 0, 0))
        b = self.hinge("rod2", a, Z, (1, 0, 0), mass=1, inertia=about(j, c, j), centre=(0, 0.5, 0))
        d = self.hinge("rod3", b, X, (0, 1, 0), mass=1, inertia=about(j, j, c), centre=(0, 0, 0.5))
        e = self.hinge("rod4", d, Y, (0, 0, 1), mass=1, inertia=about(c, j, j), centre=(-0.5, 0, 0))
        self.last = self.hinge("rod5", e, Z, (-1, 0, 0), mass=1, inertia=about(j, c, j), centre=(0, -0.5, 0))

    def relations(self, q):
        self.take(q, np.zeros(5))
        return np.concatenate([self.point(self.last, (0, -1, 0)) - np.array([0, 0, 1]), (self.data.oMi[self.last].rotation @ X)[1:]])


class Bicycle(Machine):
    model_file = "bodies/bicycle_of_four_bodies.lia"
    coordinates = ["x", "y", "z", "psi", "phi", "theta", "rear", "delta", "front"]

    def build(self):
        w, c, a, b, tilt = 1.02, 0.08, 0.3, 0.35, math.pi / 10
        parent = 0
        for name, axis in (("x", X), ("y", Y), ("z", Z)):
            parent = self.slider(name, parent, axis)
        for name, axis in (("psi", Z), ("phi", X)):
            parent = self.hinge(name, parent, axis)
        frame = self.hinge("B", parent, Y, mass=85, inertia=about(9.2, 11, 2.8, (0, 2.4, 0)), centre=(0.3, 0, 0.9 - a))
        self.r = self.hinge("R", frame, Y, mass=2, inertia=about(0.0603, 0.12, 0.0603))
        fork = self.hinge("H", frame, (math.sin(tilt), 0, -math.cos(tilt)), (w + c, 0, -a), mass=4,
                          inertia=about(0.05892, 0.06, 0.00708, (0, -0.00756, 0)), centre=(0.9 - w - c, 0, 0.7))
        self.f = self.hinge("F", fork, Y, (-c, 0, b), mass=3, inertia=about(0.1405, 0.28, 0.1405))
        self.wheels = ((self.r, a), (self.f, b))

    start = np.array([0, 0, 0.3, 0.2, 0.1, 0, 0, 0.2, 0])

    def relations(self, q):
        self.take(q, np.zeros(9))
        out = []
        for body, radius in self.wheels:
            axis = self.data.oMi[body].rotation @ Y
            out.append(self.point(body)[2] - radius * math.sqrt(1 - axis[2] ** 2))
        return np.array(out)

    def rates(self, q, v):
        self.take(q, v)
        out = []
        for body, radius in self.wheels:
            axis = self.data.oMi[body].rotation @ Y
            down = -(Z - axis[2] * axis) / math.sqrt(1 - axis[2] ** 2) * radius
            slip = self.jacobian(body) @ v + np.cross(self.turning(body) @ v, down)
            out += list(slip[:2])
        return np.array(out)


class Crane(Plane):
    """Its rope is a relation between the load and the trolley, whose length the drum winds up."""

    model_file = "bodies/crane_with_motors.lia"
    coordinates = ["s", "drum", "x", "y"]

    def build(self):
        trolley = self.slider("s", 0, X, mass=200, inertia=np.eye(3))
        self.trolley = trolley
        self.hinge("drum", trolley, Z, mass=20, inertia=about(5, 5, 5))
        side = self.slider("x", 0, X)
        self.load = self.slider("y", side, Y, mass=1000, inertia=np.eye(3))

    start = np.array([0, 0.3, 1, -11.8])

    def relations(self, q):
        self.take(q, np.zeros(4))
        return np.array([np.linalg.norm(self.point(self.load) - self.point(self.trolley)) - 12 + 0.3 * q[1]])

    def forces(self, q, v, t):
        return np.array([400, 3000, 0, 0])


class Car(Machine):
    """At the time 0, when the wheels begin to be steered. The right wheels roll along their way alone."""

    model_file = "bodies/car_on_four_wheels.lia"
    coordinates = ["x", "y", "psi", "left", "right", "fl", "fr", "rl", "rr"]
    start = np.zeros(9)
    fixed = ["left", "right"]

    def build(self):
        ground = self.slider("y", self.slider("x", 0, X), Y)
        self.car = self.hinge("psi", ground, Z, (0, 0, 0.3), mass=1200, inertia=about(1500, 1500, 1500), centre=(1.2, 0, 0.2))
        self.knuckles = [self.hinge(name, self.car, Z, (2.6, y, 0), mass=20, inertia=about(0.5, 0.5, 0.5)) for name, y in (("left", 0.75), ("right", -0.75))]
        wheel = {"mass": 20, "inertia": about(0.5, 0.9, 0.5)}
        self.front = [self.hinge(name, knuckle, Y, **wheel) for name, knuckle in zip(("fl", "fr"), self.knuckles)]
        self.rear = [self.hinge(name, self.car, Y, (0, y, 0), **wheel) for name, y in (("rl", 0.75), ("rr", -0.75))]

    def rates(self, q, v):
        self.take(q, v)
        out = []
        for wheel, holder, across in ((self.front[0], self.knuckles[0], True), (self.rear[0], self.car, True),
                                      (self.front[1], self.knuckles[1], False), (self.rear[1], self.car, False)):
            axes = self.data.oMi[holder].rotation
            slip = self.jacobian(wheel) @ v + np.cross(self.turning(wheel) @ v, [0, 0, -0.3])
            out += [slip @ (axes @ X), *([slip @ (axes @ Y)] if across else [])]
        left, right = (self.model.idx_vs[number] for number in self.knuckles)
        return np.array([*out, v[right] - v[left], v[left]])

    def drift(self):
        return np.array([0, 0, 0, 0, 0, 0, 0, -0.1])  # left' = 0.1*sin(t)

    def forces(self, q, v, t):
        load = np.zeros(9)
        for wheel in self.rear:
            load[self.model.idx_vs[wheel]] = 300
        return load


MACHINES = (Arm, Crane, Car, Gimbals, Excavator, Governor, Bricard, Bicycle)


def compare(program, kind, states):
    machine = kind()
    rng = np.random.default_rng(15)
    n, worst = machine.model.nv, 0.0
    for _ in range(states):
        q = getattr(machine, "start", np.zeros(n)) + rng.uniform(-0.2, 0.2, n) if hasattr(machine, "start") else rng.uniform(-1, 1, n)
        if kind is Bricard:  # of its one freedom, near the edges of the cube
            q = np.array([1, 1, -1, -1, 1]) * rng.uniform(0.2, 0.6) * np.array([1, 0, 1, 0, 0])
        for name in getattr(machine, "fixed", []):
            q[machine.coordinates.index(name)] = 0
        q, v = machine.on_relations(q, rng.uniform(-1, 1, n))
        expected = machine.accelerations(q, v)
        state = ", ".join(f"{name} = {a!r}, {name}' = {b!r}" for name, a, b in zip(machine.coordinates, map(float, q), map(float, v)))
        done = subprocess.run([program, "eval", ROOT / "models" / machine.model_file, "--json", "--project", "--at", state],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"pinocchio_machines: {kind.__name__}: {done.stderr}{done.stdout}")
        found = json.loads(done.stdout)["acceleration"]
        size = np.abs(expected).max()
        worst = max(worst, *(abs(found[name] - a) / size for name, a in zip(machine.coordinates, expected)))
    return worst


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*")
    options.add_argument("--program", type=pathlib.Path, default=ROOT / "build/liaison")
    options.add_argument("--states", type=int, default=5)
    chosen = options.parse_args()
    wrong = 0
    for kind in MACHINES:
        if chosen.names and kind.__name__.lower() not in chosen.names:
            continue
        worst = compare(chosen.program, kind, chosen.states)
        wrong += not worst < LIMIT
        print(f"| `{kind.model_file[:-4]}` | {worst:.1e} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
