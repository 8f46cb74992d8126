"""Equations of motion by SymPy's KanesMethod and LagrangesMethod: the systems of bench/derivations.py.

Timed: from making the symbols to mass_matrix_full and forcing_full, ready for lambdify. Kane is written as SymPy's own
examples are: velocities of frames and points are given in the generalised speeds, so that few derivatives are needed.
"""

import functools
import gc
import math

import casefile
import mpmath
import sympy
from sympy import cos, sin
from sympy.core.cache import clear_cache
from sympy.physics.mechanics import (
    KanesMethod,
    Lagrangian,
    LagrangesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dot,
    dynamicsymbols,
    inertia,
)

TIME = dynamicsymbols._t


class Builder:
    """A system under construction: frames and points with velocities in speeds u (Kane) or in q' (Lagrange)."""

    def __init__(self, method, coordinates):
        self.kane = method == "kane"
        self.q = dynamicsymbols(coordinates)
        self.qd = dynamicsymbols(coordinates, 1)
        self.u = dynamicsymbols([f"u_{name}" for name in coordinates]) if self.kane else self.qd
        self.frame = ReferenceFrame("N")
        self.origin = Point("O")
        self.origin.set_vel(self.frame, 0)
        self.bodies, self.loads = [], []
        self.names = dict(zip(coordinates, self.q)) | {f"{name}'": u for name, u in zip(coordinates, self.u)}
        self.wanted = list(zip(coordinates, self.u))

    def parameters(self, names):
        symbols = sympy.symbols(names, positive=True)
        self.names |= zip(names, symbols)
        return symbols

    def rates(self):
        """q' - u = 0."""
        return [qd - u for qd, u in zip(self.qd, self.u)]

    def add(self, body, height=None, weight=None, up=None):
        self.bodies.append(body)
        if weight is None:
            return
        if self.kane:
            centre = body.masscenter if isinstance(body, RigidBody) else body.point
            self.loads.append((centre, -weight * up))
        else:
            body.potential_energy = weight * height

    def prepare(self, values):
        """Values of the speeds, where these are not the velocities."""
        return values

    def finish(self, rates, values):
        """Accelerations of the coordinates from those of the speeds."""
        return rates

    def kanes(self, independent=None, dependent=(), constraints=(), rates=None):
        method = KanesMethod(
            self.frame,
            q_ind=self.q,
            u_ind=independent or self.u,
            kd_eqs=rates or self.rates(),
            u_dependent=list(dependent),
            velocity_constraints=list(constraints),
        )
        method.kanes_equations(self.bodies, self.loads or None)
        return method

    def lagranges(self, constraints=()):
        energy = Lagrangian(self.frame, *self.bodies)
        method = LagrangesMethod(energy, self.q, nonhol_coneqs=list(constraints) or None, frame=self.frame)
        method.form_lagranges_equations()
        return method


def chain_by_components(system, lengths):
    """Twice as fast for Kane as the way by frames."""
    along, up = sympy.S.Zero, sympy.S.Zero
    for k, length in enumerate(lengths):
        along += length * cos(system.q[k]) * system.u[k]
        up += length * sin(system.q[k]) * system.u[k]
        end = Point(f"P{k}")
        end.set_vel(system.frame, along * system.frame.x + up * system.frame.y)
        yield end


def chain_by_frames(system, lengths):
    """A little faster for Lagrange than the way by components."""
    frame, point = system.frame, system.origin
    for k, length in enumerate(lengths):
        link = frame.orientnew(f"L{k}", "Axis", [system.q[k], frame.z])
        link.set_ang_vel(frame, system.u[k] * frame.z)
        end = point.locatenew(f"P{k}", -length * link.y)
        end.v2pt_theory(point, frame, link)
        yield end
        point = end


def chain(method, case):
    n = int(case.one("size"))
    system = Builder(method, [f"q{i}" for i in range(1, n + 1)])
    m, l = (system.parameters([f"{letter}{i}" for i in range(1, n + 1)]) for letter in "ml")
    (g,) = system.parameters(["g"])
    place = chain_by_components if system.kane else chain_by_frames
    height = sympy.S.Zero
    for k, end in enumerate(place(system, l)):
        height -= l[k] * cos(system.q[k])
        system.add(Particle(f"B{k}", end, m[k]), height, m[k] * g, system.frame.y)
    return system, system.kanes() if system.kane else system.lagranges()


def rolling_disc(method, case):
    system = Builder(method, ["x", "y", "phi", "theta"])
    m, radius = system.parameters(["m", "R"])
    x, y, phi, theta = system.q
    vx, vy, vphi, vtheta = system.u
    frame = system.frame
    heading = frame.orientnew("A", "Axis", [phi, frame.z])
    disc = heading.orientnew("B", "Axis", [theta, heading.x])
    heading.set_ang_vel(frame, vphi * frame.z)
    disc.set_ang_vel(heading, vtheta * heading.x)
    centre = system.origin.locatenew("C", x * frame.x + y * frame.y)
    centre.set_vel(frame, vx * frame.x + vy * frame.y)
    moments = inertia(heading, m * radius**2 / 2, m * radius**2 / 4, m * radius**2 / 4)
    system.add(RigidBody("D", centre, disc, m, (moments, centre)))
    relations = [vx + radius * vtheta * sin(phi), vy - radius * vtheta * cos(phi)]
    if system.kane:
        return system, system.kanes([vphi, vtheta], [vx, vy], relations)
    return system, system.lagranges(relations)


class DiscBuilder(Builder):
    """The tilting disc in rates on the leaning axes: u1 = theta', u2 = phi' + psi' sin(theta), u3 = psi' cos(theta)."""

    def prepare(self, values):
        theta, vtheta, vpsi, vphi = (values[name] for name in ("theta", "theta'", "psi'", "phi'"))
        rates = [vtheta, vphi + vpsi * math.sin(theta), vpsi * math.cos(theta)]
        return values | dict(zip(("psi'", "theta'", "phi'"), rates))

    def finish(self, found, values):
        theta, vtheta, vpsi = (values[name] for name in ("theta", "theta'", "psi'"))
        s, c = math.sin(theta), math.cos(theta)
        first, second, third = (found[name] for name in ("psi", "theta", "phi"))
        psi = (third + vpsi * vtheta * s) / c
        return {"theta": first, "psi": psi, "phi": second - psi * s - vpsi * vtheta * c}


def tilting_disc(method, case):
    """Kane: SymPy's own example, without the place of the centre and without reactions: the contact point has no velocity."""
    angles = ["psi", "theta", "phi"]
    system = DiscBuilder(method, angles) if method == "kane" else Builder(method, ["x", "y", *angles])
    m, radius, g = system.parameters(["m", "R", "g"])
    psi, theta, phi = system.q[-3:]
    frame = system.frame
    yaw = frame.orientnew("Y", "Axis", [psi, frame.z])
    lean = yaw.orientnew("L", "Axis", [theta, yaw.x])
    disc = lean.orientnew("D", "Axis", [phi, lean.y])
    moments = inertia(lean, m * radius**2 / 4, m * radius**2 / 2, m * radius**2 / 4)
    if system.kane:
        by_rates = disc.ang_vel_in(frame)
        disc.set_ang_vel(frame, sum((u * axis for u, axis in zip(system.u, lean)), sympy.S.Zero * lean.x))
        centre = system.origin.locatenew("C", radius * lean.z)
        centre.v2pt_theory(system.origin, frame, disc)
        system.add(RigidBody("D", centre, disc, m, (moments, centre)), None, m * g, yaw.z)
        return system, system.kanes(rates=[dot(disc.ang_vel_in(frame) - by_rates, axis) for axis in lean])
    x, y = system.q[:2]
    vx, vy, vpsi, vtheta, vphi = system.u
    height = radius * cos(theta)
    centre = system.origin.locatenew("C", x * frame.x + y * frame.y + height * frame.z)
    centre.set_vel(frame, vx * frame.x + vy * frame.y + height.diff(TIME) * frame.z)
    system.add(RigidBody("D", centre, disc, m, (moments, centre)), height, m * g)
    spin = vphi + vpsi * sin(theta)
    forward, across = radius * spin, radius * vtheta * cos(theta)
    relations = [vx - forward * cos(psi) - across * sin(psi), vy - forward * sin(psi) + across * cos(psi)]
    return system, system.lagranges(relations)


def tree(method, case):
    n = int(case.one("size"))
    system = Builder(method, [f"q{i}" for i in range(1, n + 1)])
    groups = [system.parameters([f"{letter}{i}" for i in range(1, n + 1)]) for letter in "mABC"]
    l, h, c, g = system.parameters(["l", "h", "c", "g"])
    up = system.frame.z
    frames, pins = {0: system.frame}, {}
    for k in range(1, n + 1):
        parent = frames[k // 2]
        axis = (parent.x, parent.y, parent.z)[(k - 1) % 3]
        frame = parent.orientnew(f"F{k}", "Axis", [system.q[k - 1], axis])
        frame.set_ang_vel(parent, system.u[k - 1] * axis)
        pin = system.origin
        if k > 1:
            side = h if k % 2 else -h
            pin = pins[k // 2].locatenew(f"J{k}", side * parent.x - l * parent.z)
            pin.v2pt_theory(pins[k // 2], system.frame, parent)
        centre = pin.locatenew(f"C{k}", -c * frame.z)
        centre.v2pt_theory(pin, system.frame, frame)
        frames[k], pins[k] = frame, pin
        m, *moments = (group[k - 1] for group in groups)
        body = RigidBody(f"B{k}", centre, frame, m, (inertia(frame, *moments), centre))
        height = None if system.kane else dot(centre.pos_from(system.origin), up)
        system.add(body, height, m * g, up)
    return system, system.kanes() if system.kane else system.lagranges()


SYSTEMS = {
    "derive-chain": chain,
    "derive-rolling-disc": rolling_disc,
    "derive-tilting-disc": tilting_disc,
    "derive-tree": tree,
}


OPERATIONS = {
    sympy.Add: lambda *terms: math.fsum(terms),
    sympy.Mul: lambda *factors: math.prod(factors),
    sympy.Pow: lambda base, exponent: base**exponent,
    sin: math.sin,
    cos: math.cos,
    sympy.tan: math.tan,
}


def value(expression, known):
    """In double; `known` holds the values of the symbols, and remembers those of all subexpressions."""
    if expression not in known:
        if expression.is_Number:
            known[expression] = float(expression)
        else:
            known[expression] = OPERATIONS[expression.func](*[value(part, known) for part in expression.args])
    return known[expression]


def accelerations(system, equations, mass, forcing, given):
    """The solution of mass * (q', u', multipliers) = forcing, at a state."""
    state = system.prepare(given)
    known = {symbol: state[name] for name, symbol in system.names.items()}
    n = mass.rows
    matrix = mpmath.fp.matrix([[value(mass[i, j], known) for j in range(n)] for i in range(n)])
    solution = mpmath.fp.lu_solve(matrix, mpmath.fp.matrix([value(entry, known) for entry in forcing]))
    unknowns = [*equations.q, *(equations.u if system.kane else equations._qdots)]
    at = {symbol: solution[i] for i, symbol in enumerate(unknowns)}
    return system.finish({name: float(at[u]) for name, u in system.wanted}, given)


def derive(method, case):
    build = SYSTEMS[case.one("family")]
    clear_cache()
    gc.collect()
    began = casefile.clock()
    system, equations = build(method, case)
    mass, forcing = equations.mass_matrix_full, equations.forcing_full
    seconds = casefile.clock() - began
    return seconds, functools.partial(accelerations, system, equations, mass, forcing, case.point())
