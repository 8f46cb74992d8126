"""Models whose equations of motion are derived: the text in the language .lia, and a state at which results are compared.

The peers build the same systems with the same names from `family` and `size` (bench/peers/sympy_mechanics.py).
"""

import random
from math import cos, sin

from cases import Case, names

AXES = "xyz"


class Derivation(Case):
    """A case with the file of a model beside it; the state satisfies the constraints."""

    def __init__(self, family, size, model, values, expected=()):
        super().__init__(f"derive-{family}", size, "derive", [], list(values))
        self.model, self.values, self.expected = model, values, dict(expected)

    def point(self):
        return self.values

    def write(self, folder):
        path = folder.resolve() / f"{self.name}.lia"
        path.write_text("\n".join(self.model) + "\n", encoding="utf-8")
        self.lines = [f"model {path}"]
        super().write(folder)


def random_values(seed, symbols):
    rng = random.Random(seed)
    return {symbol: rng.randint(200, 1400) / 1000 for symbol in symbols}


# Planar chain of particles on massless rods, absolute angles from the downward vertical.


def solve_linear(matrix, right):
    """Gauss with the greatest pivot of the column, in double."""
    rows = [row + [b] for row, b in zip(matrix, right)]
    n = len(rows)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def chain_accelerations(n, values):
    """By the known equations: sum_j mu_ij l_j (q_j'' cos(q_i - q_j) + q_j'^2 sin(q_i - q_j)) = -mu_ii g sin q_i, where mu_ij is
    the mass that both rods carry."""
    q, v, m, l = ([values[name] for name in group] for group in (names("q", n), rates(names("q", n)), names("m", n), names("l", n)))
    carried = [sum(m[i:]) for i in range(n)]
    links = range(n)
    matrix = [[carried[max(i, j)] * l[j] * cos(q[i] - q[j]) for j in links] for i in links]
    right = [
        -carried[i] * values["g"] * sin(q[i]) - sum(carried[max(i, j)] * l[j] * v[j] ** 2 * sin(q[i] - q[j]) for j in links)
        for i in links
    ]
    return solve_linear(matrix, right)


def rates(coordinates):
    return [f"{q}'" for q in coordinates]


def chain(n):
    q, m, l = (names(letter, n) for letter in "qml")
    positive = ", ".join(f"{p} > 0" for p in m + l)
    model = [f'system "Chain of {n} particles"', f"param {positive}, g", f"coord {', '.join(q)}", "gravity [0, -g]"]
    x, y = "", ""
    for k in range(n):
        model.append(f"let x{k + 1} = {x}{l[k]}*sin({q[k]})")
        model.append(f"let y{k + 1} = {y}-{l[k]}*cos({q[k]})")
        model.append(f"particle P{k + 1} mass {m[k]} at [x{k + 1}, y{k + 1}]")
        x, y = f"x{k + 1} + ", f"y{k + 1} "
    values = random_values(f"chain {n}", q + rates(q) + m + l + ["g"])
    return Derivation("chain", n, model, values, zip(q, chain_accelerations(n, values)))


# Rolling discs. Velocities of the centre follow from the others.


def rolling_disc():
    model = [
        'system "Vertical disc rolling on a plane"',
        "param m > 0, R > 0",
        "coord x, y, phi, theta",
        "kinetic m/2*(x'^2 + y'^2) + m*R^2/8*phi'^2 + m*R^2/4*theta'^2",
        "constraint roll_x: x' + R*theta'*sin(phi) = 0",
        "constraint roll_y: y' - R*theta'*cos(phi) = 0",
    ]
    values = random_values("rolling disc", ["m", "R", "x", "y", "phi", "theta", "phi'", "theta'"])
    speed = values["R"] * values["theta'"]
    values |= {"x'": -speed * sin(values["phi"]), "y'": speed * cos(values["phi"])}
    return Derivation("rolling-disc", None, model, values)


def tilting_disc():
    model = [
        'system "Tilting disc rolling on a plane"',
        "param m > 0, R > 0, g",
        "coord x, y, psi, theta, phi",
        "let spin = phi' + psi'*sin(theta)",
        "kinetic m/2*(x'^2 + y'^2 + R^2*theta'^2*sin(theta)^2)",
        "kinetic m*R^2/8*(theta'^2 + psi'^2*cos(theta)^2) + m*R^2/4*spin^2",
        "potential m*g*R*cos(theta)",
        "constraint roll_x: x' = R*spin*cos(psi) + R*theta'*cos(theta)*sin(psi)",
        "constraint roll_y: y' = R*spin*sin(psi) - R*theta'*cos(theta)*cos(psi)",
    ]
    angles = ["psi", "theta", "phi"]
    values = random_values("tilting disc", ["m", "R", "g", "x", "y"] + angles + rates(angles))
    psi, theta, radius = (values[name] for name in ("psi", "theta", "R"))
    along = radius * (values["phi'"] + values["psi'"] * sin(theta))
    across = radius * values["theta'"] * cos(theta)
    values |= {"x'": along * cos(psi) + across * sin(psi), "y'": along * sin(psi) - across * cos(psi)}
    return Derivation("tilting-disc", None, model, values)


# A tree of rigid bodies in space: body k hangs on body k/2 by a pin about the x, y or z axis of both.


def tree_axis(k):
    return (k - 1) % 3


def tree_side(k):
    """Where on its parent the pin is: h to the left or to the right, and l below the pin of the parent."""
    return "h" if k % 2 else "-h"


def turned_back(vector, axis, angle):
    """Components on the axes that are turned by the angle about an axis that both have."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    result = list(vector)
    result[i] = f"cos({angle})*{vector[i]} + sin({angle})*{vector[j]}"
    result[j] = f"cos({angle})*{vector[j]} - sin({angle})*{vector[i]}"
    return result


def tree(n):
    """By components on the axes of each body: rate of turning w, velocity v and height z of its pin, vertical k. The language
    has no orientation by angles of joints, so that the energy is written down."""
    q = names("q", n)
    groups = [names(letter, n) for letter in "mABC"]
    positive = ", ".join(f"{p} > 0" for p in ["l", "h", "c", *sum(groups, [])])
    model = [f'system "Tree of {n} bodies"', f"param {positive}, g", f"coord {', '.join(q)}"]

    def let(name, texts):
        model.extend(f"let {name}{axis} = {text}" for axis, text in zip(AXES, texts))
        return [f"{name}{axis}" for axis in AXES]

    fixed = {"w": ["0", "0", "0"], "v": ["0", "0", "0"], "k": ["0", "0", "1"], "z": "0"}
    bodies = {}
    for k in range(1, n + 1):
        parent, axis, angle = bodies.get(k // 2, fixed), tree_axis(k), q[k - 1]
        w, v, vertical = parent["w"], parent["v"], parent["k"]
        height = parent["z"]
        if k > 1:
            side = tree_side(k)
            # v + w x (side, 0, -l), and the height of that point
            v = let(f"p{k}", [f"{v[0]} - l*{w[1]}", f"{v[1]} + {side}*{w[2]} + l*{w[0]}", f"{v[2]} - {side}*{w[1]}"])
            height = f"{height} + {side}*{vertical[0]} - l*{vertical[2]}"
        turned = turned_back(w, axis, angle)
        turned[axis] += f" + {angle}'"
        body = {"w": let(f"w{k}", turned), "v": let(f"v{k}", turned_back(v, axis, angle))}
        body["k"] = let(f"k{k}", turned_back(vertical, axis, angle))
        model.append(f"let z{k} = {height}")
        body["z"] = f"z{k}"
        bodies[k] = body
        # The centre is c below the pin.
        w, v = body["w"], body["v"]
        model.append(f"kinetic m{k}/2*(({v[0]} - c*{w[1]})^2 + ({v[1]} + c*{w[0]})^2 + {v[2]}^2)")
        model.append(f"kinetic (A{k}*{w[0]}^2 + B{k}*{w[1]}^2 + C{k}*{w[2]}^2)/2")
        model.append(f"potential m{k}*g*(z{k} - c*{body['k'][2]})")
    values = random_values(f"tree {n}", q + rates(q) + sum(groups, []) + ["l", "h", "c", "g"])
    return Derivation("tree", n, model, values)


def derivations(quick):
    for n in (2, 3, 5) if quick else (2, 3, 5, 10, 15, 20, 50):
        yield chain(n)
    yield rolling_disc()
    yield tilting_disc()
    for n in (3,) if quick else (3, 10):
        yield tree(n)
