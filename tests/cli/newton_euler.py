"""Forward dynamics of a robot file by the recursion of Newton and Euler, in plain floating point: the judge of `liaison import`.

Nothing is shared with the program: the file is read by Python's own XML, vectors are on the axes of space.
"""

import math
import xml.etree.ElementTree as tree

GRAVITY = (0.0, 0.0, -9.81)


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def scale(k, a):
    return [k * x for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return scale(1 / math.sqrt(dot(a, a)), a)


def apply(matrix, a):
    return [dot(row, a) for row in matrix]


def transposed(matrix):
    return [list(row) for row in zip(*matrix)]


def product(a, b):
    return [[dot(row, column) for column in zip(*b)] for row in a]


def turn(axis, angle):
    """Rodrigues' matrix."""
    x, y, z = unit(axis)
    c, s = math.cos(angle), math.sin(angle)
    d = 1 - c
    return [[c + x * x * d, x * y * d - z * s, x * z * d + y * s],
            [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
            [z * x * d - y * s, z * y * d + x * s, c + z * z * d]]


def turn_of(e):
    """The matrix of a unit quaternion."""
    a, b, c, d = e
    return [[a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d]]


def numbers(element, attribute, fallback=(0.0, 0.0, 0.0)):
    text = element.get(attribute) if element is not None else None
    return [float(word) for word in text.split()] if text else list(fallback)


def pose(element):
    """(place, matrix): R = Rz(yaw) Ry(pitch) Rx(roll)."""
    origin = element.find("origin")
    roll, pitch, yaw = numbers(origin, "rpy")
    matrix = product(turn([0, 0, 1], yaw), product(turn([0, 1, 0], pitch), turn([1, 0, 0], roll)))
    return numbers(origin, "xyz"), matrix


class Robot:
    """Steps of motion one behind the other: ("hinge" | "slider", axis) each with one number, ("ball",) with three rates."""

    def __init__(self, path, floating=False):
        root = tree.parse(path).getroot()
        self.links = {link.get("name"): link for link in root.findall("link")}
        self.joints = root.findall("joint")
        children = {joint.find("child").get("link") for joint in self.joints}
        self.root = next(name for name in self.links if name not in children)
        self.floating = floating
        self.names = []  # of velocities
        self.size = 0
        self.steps = {}  # joint: [(kind, axis, first velocity)]
        if floating:
            self.steps[None] = self.free("base")
        for joint in self.joints:
            self.steps[joint.get("name")] = self.steps_of(joint)

    def number_of(self, name):
        self.names.append(name)
        self.size += 1
        return self.size - 1

    def free(self, name):
        slides = [("slider", axis, self.number_of(f"{name}_{letter}")) for letter, axis in zip("xyz", ([1, 0, 0], [0, 1, 0], [0, 0, 1]))]
        first = [self.number_of(f"{name}_w{letter}") for letter in "xyz"][0]
        return [*slides, ("ball", name, first)]

    def steps_of(self, joint):
        kind, name = joint.get("type"), joint.get("name")
        axis = unit(numbers(joint.find("axis"), "xyz", (1.0, 0.0, 0.0)))
        if kind in ("revolute", "continuous"):
            return [("hinge", axis, self.number_of(name))]
        if kind == "prismatic":
            return [("slider", axis, self.number_of(name))]
        if kind == "floating":
            return self.free(name)
        if kind == "planar":
            upright = abs(axis[0]) + abs(axis[1]) == 0
            first = [1, 0, 0] if upright else unit(cross([0, 0, 1], axis))
            ways = ((first, "x"), (cross(axis, first), "y"))
            return [*(("slider", way, self.number_of(f"{name}_{part}")) for way, part in ways), ("hinge", axis, self.number_of(f"{name}_phi"))]
        return []

    def forces(self, q, turns, v, a, gravity):
        """What the motors have to do for accelerations a: q by number, `turns` a quaternion for each ball."""
        moved = []  # step: (kind, direction or matrix, point, link)
        loads = {}  # link: force, moment about the origin of space
        states = {self.root: ([0.0] * 3, turn([1, 0, 0], 0), [0.0] * 3, [0.0] * 3, [0.0] * 3, [0.0] * 3)}

        def move(state, steps, link):
            r, R, w, dw, u, du = state
            for kind, axis, k in steps:
                if kind == "ball":
                    R = product(R, turn_of(turns[axis]))
                    rate, change = apply(R, v[k : k + 3]), apply(R, a[k : k + 3])
                    moved.append((kind, R, r, link, k))
                    w, dw = add(w, rate), add(dw, add(change, cross(w, rate)))
                    continue
                axis = apply(R, axis)
                moved.append((kind, axis, r, link, k))
                if kind == "hinge":
                    dw = add(dw, add(scale(a[k], axis), scale(v[k], cross(w, axis))))
                    w = add(w, scale(v[k], axis))
                    R = product(turn(axis, q[k]), R)
                else:
                    way = scale(q[k], axis)
                    du = add(du, add(add(cross(dw, way), cross(w, cross(w, way))), add(scale(2 * v[k], cross(w, axis)), scale(a[k], axis))))
                    u = add(u, add(cross(w, way), scale(v[k], axis)))
                    r = add(r, way)
            return r, R, w, dw, u, du

        order = [self.root]
        parent = {}
        if self.floating:
            states[self.root] = move(states[self.root], self.steps[None], self.root)
        for link in order:
            for joint in self.joints:
                if joint.find("parent").get("link") != link:
                    continue
                child = joint.find("child").get("link")
                r, R, w, dw, u, du = states[link]
                place, matrix = pose(joint)
                arm = apply(R, place)
                at = (add(r, arm), product(R, matrix), w, dw, add(u, cross(w, arm)), add(du, add(cross(dw, arm), cross(w, cross(w, arm)))))
                states[child] = move(at, self.steps[joint.get("name")], child)
                parent[child] = link
                order.append(child)
        for link in order:
            loads[link] = self.load(self.links[link].find("inertial"), states[link], gravity)
        for link in reversed(order[1:]):
            force, moment = loads[link]
            loads[parent[link]] = add(loads[parent[link]][0], force), add(loads[parent[link]][1], moment)
        out = [0.0] * self.size
        for kind, axis, point, link, k in moved:
            force, moment = loads[link]
            about = add(moment, scale(-1, cross(point, force)))
            if kind == "ball":
                out[k : k + 3] = apply(transposed(axis), about)
            else:
                out[k] = dot(axis, about if kind == "hinge" else force)
        return out

    @staticmethod
    def load(inertial, state, gravity):
        if inertial is None:
            return [0.0] * 3, [0.0] * 3
        r, R, w, dw, _, du = state
        place, matrix = pose(inertial)
        mass = float(inertial.find("mass").get("value"))
        i = {key: float(inertial.find("inertia").get(key, 0)) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
        on_axes = [[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]]
        axes = product(R, matrix)
        inertia = product(axes, product(on_axes, transposed(axes)))
        arm = apply(R, place)
        acceleration = add(du, add(cross(dw, arm), cross(w, cross(w, arm))))
        force = scale(mass, add(acceleration, scale(-1, gravity)))
        moment = add(apply(inertia, dw), cross(w, apply(inertia, w)))
        return force, add(moment, cross(add(r, arm), force))

    def mimics(self):
        """number: (number of the other, factor, offset)."""
        out = {}
        for joint in self.joints:
            mimic = joint.find("mimic")
            if mimic is not None:
                own = self.steps[joint.get("name")][0][2]
                other = self.steps[mimic.get("joint")][0][2]
                out[own] = other, float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))
        return out

    def accelerations(self, q, turns, v, motors):
        """By name, of what moves by itself; damping and friction as the file says."""
        q, v, load = list(q), list(v), list(motors)
        mimics = self.mimics()
        for own, (other, factor, offset) in mimics.items():
            q[own], v[own], load[own] = factor * q[other] + offset, factor * v[other], 0.0
        for joint in self.joints:
            dynamics = joint.find("dynamics")
            if dynamics is None:
                continue
            k = self.steps[joint.get("name")][0][2]
            load[k] -= float(dynamics.get("damping", 0)) * v[k] + float(dynamics.get("friction", 0)) * ((v[k] > 0) - (v[k] < 0))
        own = [k for k in range(self.size) if k not in mimics]
        rows = {k: [1.0 if k == j else 0.0 for j in own] for k in own}
        for k, (other, factor, _) in mimics.items():
            rows[k] = scale(factor, rows[other])
        n = self.size
        bias = self.forces(q, turns, v, [0.0] * n, GRAVITY)
        mass = [self.forces(q, turns, [0.0] * n, [rows[k][j] for k in range(n)], [0.0] * 3) for j in range(len(own))]
        matrix = [[sum(rows[k][i] * column[k] for k in range(n)) for column in mass] for i in range(len(own))]
        right = [sum(rows[k][i] * (load[k] - bias[k]) for k in range(n)) for i in range(len(own))]
        return {self.names[k]: value for k, value in zip(own, solve(matrix, right))}


def solve(matrix, right):
    rows = [[*row, value] for row, value in zip(matrix, right)]
    for i in range(len(rows)):
        best = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for k in range(len(rows)):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    return [row[-1] / row[i] for i, row in enumerate(rows)]
