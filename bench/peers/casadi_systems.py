"""The systems of bench/simulations.py for CasADi: energies and relations as SX, with the numbers of the case written in."""

import casadi as ca
import numpy as np


class System:
    """T(q, v), V(q) and relations a(q, v) = 0, linear in v; `state` are the values of (q, v)."""

    def __init__(self, names, kinetic, potential, relations=(), relation_names=()):
        self.names = names
        self.q, self.v = (ca.SX.sym(letter, len(names)) for letter in "qv")
        place = dict(zip(names, ca.vertsplit(self.q)))
        speed = dict(zip(names, ca.vertsplit(self.v)))
        self.kinetic, self.potential = kinetic(place, speed), potential(place)
        self.relations = ca.vertcat(*relations(place, speed)) if relations else ca.SX(0, 1)
        self.relation_names = list(relation_names)
        self.state = None

    def at(self, point):
        self.state = np.array([point[name] for name in self.names] + [point[f"{name}'"] for name in self.names])
        return self


def chain(case, point):
    n = int(case.one("size"))
    names = [f"q{i}" for i in range(1, n + 1)]
    m, l = ([point[f"{letter}{i}"] for i in range(1, n + 1)] for letter in "ml")

    def kinetic(q, v):
        energy, vx, vy = 0, 0, 0
        for k, name in enumerate(names):
            vx += l[k] * ca.cos(q[name]) * v[name]
            vy += l[k] * ca.sin(q[name]) * v[name]
            energy += m[k] / 2 * (vx**2 + vy**2)
        return energy

    def potential(q):
        carried = np.cumsum(m[::-1])[::-1]
        return sum(-carried[k] * point["g"] * l[k] * ca.cos(q[name]) for k, name in enumerate(names))

    return System(names, kinetic, potential).at(point)


def tilting_disc(case, point):
    m, radius, g = (point[name] for name in ("m", "R", "g"))
    sin, cos = ca.sin, ca.cos

    def spin(q, v):
        return v["phi"] + v["psi"] * sin(q["theta"])

    def kinetic(q, v):
        theta, moment = q["theta"], m * radius**2 / 4
        centre = m / 2 * (v["x"] ** 2 + v["y"] ** 2 + radius**2 * v["theta"] ** 2 * sin(theta) ** 2)
        return centre + moment / 2 * (v["theta"] ** 2 + v["psi"] ** 2 * cos(theta) ** 2) + moment * spin(q, v) ** 2

    def relations(q, v):
        psi, along, across = q["psi"], radius * spin(q, v), radius * v["theta"] * cos(q["theta"])
        return v["x"] - along * cos(psi) - across * sin(psi), v["y"] - along * sin(psi) + across * cos(psi)

    names = ["x", "y", "psi", "theta", "phi"]
    return System(names, kinetic, lambda q: m * g * radius * cos(q["theta"]), relations, ["roll_x", "roll_y"]).at(point)


def four_bar(case, point):
    a, b, c, m1, m2, m3, g = (point[name] for name in ("a", "b", "c", "m1", "m2", "m3", "g"))
    sin, cos = ca.sin, ca.cos

    def kinetic(q, v):
        th1, th2, v1, v2, v3 = q["th1"], q["th2"], v["th1"], v["th2"], v["th3"]
        vx = -a * sin(th1) * v1 - b / 2 * sin(th2) * v2
        vy = a * cos(th1) * v1 + b / 2 * cos(th2) * v2
        return m1 * a**2 / 6 * v1**2 + m2 / 2 * (vx**2 + vy**2) + m2 * b**2 / 24 * v2**2 + m3 * c**2 / 6 * v3**2

    def potential(q):
        s1, s2, s3 = (sin(q[name]) for name in ("th1", "th2", "th3"))
        return g * (m1 * a / 2 * s1 + m2 * (a * s1 + b / 2 * s2) + m3 * c / 2 * s3)

    def relations(q, v):
        s, k = ([f(q[name]) * v[name] for name in ("th1", "th2", "th3")] for f in (sin, cos))
        return -a * s[0] - b * s[1] + c * s[2], a * k[0] + b * k[1] - c * k[2]

    return System(["th1", "th2", "th3"], kinetic, potential, relations, ["loop_x", "loop_y"]).at(point)


def rods(case, point):
    """Absolute coordinates; the centres and their velocities follow from the angles."""
    n, m, l, g = int(case.one("size")), point["m"], point["l"], point["g"]
    numbers = range(1, n + 1)
    names = [f"{letter}{i}" for i in numbers for letter in ("x", "y", "phi")]
    point = dict(point)
    end = np.zeros(2)
    speed = np.zeros(2)
    for i in numbers:
        phi, rate = point[f"phi{i}"], point[f"phi{i}'"]
        half, turn = l / 2 * np.array([np.cos(phi), np.sin(phi)]), l / 2 * rate * np.array([-np.sin(phi), np.cos(phi)])
        point[f"x{i}"], point[f"y{i}"] = end + half
        point[f"x{i}'"], point[f"y{i}'"] = speed + turn
        end, speed = end + 2 * half, speed + 2 * turn

    def kinetic(q, v):
        return sum(m / 2 * (v[f"x{i}"] ** 2 + v[f"y{i}"] ** 2) + m * l**2 / 24 * v[f"phi{i}"] ** 2 for i in numbers)

    def relations(q, v):
        for i in numbers:
            turn = {k: (l / 2 * ca.sin(q[f"phi{k}"]) * v[f"phi{k}"], l / 2 * ca.cos(q[f"phi{k}"]) * v[f"phi{k}"]) for k in (i - 1, i) if k}
            x, y = v[f"x{i}"] + turn[i][0], v[f"y{i}"] - turn[i][1]
            if i > 1:
                x, y = x - v[f"x{i - 1}"] + turn[i - 1][0], y - v[f"y{i - 1}"] - turn[i - 1][1]
            yield from (x, y)

    held = [f"h{letter}{i}" for i in numbers for letter in "xy"]
    potential = lambda q: sum(m * g * q[f"y{i}"] for i in numbers)  # noqa: E731
    return System(names, kinetic, potential, lambda q, v: list(relations(q, v)), held).at(point)


SYSTEMS = {"chain": chain, "tilting-disc": tilting_disc, "four-bar": four_bar, "rods": rods}
