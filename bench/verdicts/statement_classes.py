"""Models in the statements that are short for others: gears, racks, cams, ropes, motors, springs, dampers, inputs, conditions, tables.

The program reads the statement; the judge has what it is short for.
"""

from dataclasses import dataclass, field

from model import Constraint, Model


@dataclass
class Written(Constraint):
    statement: str = ""

    def text(self):
        return self.statement


@dataclass
class Stated(Model):
    """`written` stands in the text for what `kinetic`, `potential` and `forces` tell the judge."""

    declared: list = field(default_factory=list)
    written: list = field(default_factory=list)

    def statements(self):
        params = [f"param {name}{' > 0' if positive else ''}" for name, positive in self.params.items()]
        return [params, [f"coord {', '.join(self.coords)}"], self.declared, [*self.written, *(c.text() for c in self.constraints)]]


def squares(names):
    return " + ".join(f"m/2*{name}'^2" for name in names)


def stated(names, constraints=(), potential="0", forces=None, declared=(), written=(), params=None):
    """A model of unit masses m; energies that the statements do not say are written out."""
    return Stated(list(names), squares(names), {"m": True, **(params or {})}, potential, forces or {}, list(constraints), [],
                  declared=list(declared), written=[f"kinetic {squares(names)}", *written])


def gear(rng):
    ratio = rng.choice(("3", "-2", "1/7", "-5/3", "n"))
    of = rng.choice(("x", "x - z", "x + z"))
    rates = of.replace("x", "x'").replace("z", "z'")
    constraints = [Written("c1", rates, f"({ratio})*y'", statement=f"gear c1: {of} to y ratio {ratio}")]
    if rng.random() < 0.4:
        constraints.append(Written("c2", "z'", "-2*y'", statement="gear c2: z to y ratio -2"))
    return stated("xyz", constraints, params={"n": rng.random() < 0.5} if ratio == "n" else None)


def rack(rng):
    radius = rng.choice(("2", "1/3", "1e-9", "1e9"))
    return stated("xy", [Written("c1", "x'", f"{radius}*y'", statement=f"rack c1: x to y radius {radius}")])


def cam(rng):
    law = rng.choice(("sin(x)", "x^2/3", "cos(x)*t", "1 + x^3", "sqrt(1 + x^2)"))
    return stated("xy", [Written("c1", "y", law, statement=f"cam c1: y = {law}")])


def motor(rng):
    if rng.random() < 0.5:
        of, law = rng.choice((("x", "sin(t)"), ("x - y", "t^2"), ("x", "3*t"), ("x + 2*y", "cos(2*t)")))
        return stated("xy", [Written("c1", of, law, statement=f"motor c1: {of} = {law}")])
    law = rng.choice(("3", "-y'", "sin(t)*x", "1/(1 + x^2)"))
    of = rng.choice(("x", "x - y", "x + y"))
    word = rng.choice(("moment", "force"))
    forces = {"x": law} if of == "x" else {"x": law, "y": law if of == "x + y" else f"-({law})"}
    return stated("xy", [Constraint("c1", "y'", "x*x'")] if rng.random() < 0.5 else [], forces=forces, written=[f"motor M: {of} {word} {law}"])


def rope(rng):
    length = rng.choice(("2", "l", "3 + sin(t)"))
    if rng.random() < 0.9:  # two roots take seconds
        relation, statement = f"sqrt(x^2 + y^2)", f"rope c1: P to [0, 0] length {length}"
    else:
        relation, statement = f"sqrt((x - 4)^2 + y^2) + sqrt((z + 1)^2 + 9)", f"rope c1: P to [4, 0] to [-1, -3] to Q length {length} + 4"
        relation, statement = f"sqrt((x - 4)^2 + y^2) + sqrt(34) + sqrt((z + 1)^2 + 9)", statement.replace(" + 4", " + 9")
        length += " + 9"
    # the factor is the pull: the force is along the derivative of the length that is left
    model = stated("xyz", [Written("c1", length, relation, statement=statement)], params={"l": True} if "l" in length else None)
    model.written = ["particle P mass m at [x, y]", "particle Q mass m at [z, 0]"]
    return model


def spring(rng):
    k, l, c = rng.choice(("3", "k", "1e9")), rng.choice(("0", "1", "1/3")), rng.choice(("0", "2", "c"))
    potential, forces, statement = f"{k}/2*(x - {l})^2", {"x": f"-{c}*x'"}, f"spring S: x stiffness {k} length {l} damping {c}"
    if rng.random() < 0.5:
        potential, forces = f"{k}/2*(x - 2*y - {l})^2", {"x": f"-{c}*(x' - 2*y')", "y": f"2*{c}*(x' - 2*y')"}
        statement = f"spring S: x - 2*y stiffness {k} length {l} damping {c}"
    constraints = [Constraint("c1", *rng.choice((("x^2", "1"), ("y", "x^2"), ("x'", "y'"), ("x'*y'", "0"))))] if rng.random() < 0.6 else []
    params = {name: True for name in (k, c) if name in ("k", "c")}
    return stated("xy", constraints, potential, forces, written=[statement.replace(" damping 0", "")], params=params)


def chosen(rng):
    """A force by a condition."""
    border, one, other = rng.choice((("x", "0", "y"), ("x'", "-1", "1"), ("t", "3*x", "0"), ("y", "x", "-x"), ("x", "-7*(x - 2)", "0")))
    place = rng.choice(("0", "2", "-1/3", "400"))
    comparison = rng.choice(("<", ">", "<=", ">="))
    mark = "-" if "<" in comparison else ""
    lowered = f"({other}) + (1 + sign({mark}({border} - {place})))/2*(({one}) - ({other}))"
    words = rng.choice((f"if {border} {comparison} {place} then {one} else {other}", f"piecewise({border} {comparison} {place}, {one}, {other})",
                        f"{other} + step({mark}({border} - {place}))*({one} - ({other}))"))
    constraints = [Constraint("c1", *rng.choice((("x^2", "1"), ("y", "x^2"), ("x'", "y'"), ("x'*y'", "0"))))] if rng.random() < 0.6 else []
    return stated("xy", constraints, forces={"x": lowered}, written=[f"force x = {words}"])


def table(rng):
    """A force, a potential or a cam by a table."""
    a, b, c, d = sorted(rng.sample(range(-6, 7), 4))
    p, q, r, s = (rng.randint(-4, 4) for _ in range(4))
    slopes = [f"({q - p})/({b - a})", f"({r - q})/({c - b})", f"({s - r})/({d - c})"]
    changes = [(a, slopes[0]), (b, f"({slopes[1]} - {slopes[0]})"), (c, f"({slopes[2]} - {slopes[1]})"), (d, f"(-{slopes[2]})")]

    def law(u):
        return f"{p} + " + " + ".join(f"({slope})*(({u} - ({place})) + abs({u} - ({place})))/2" for place, slope in changes)
    declared = [f"table tab points ({a}, {p}), ({b}, {q}), ({c}, {r}), ({d}, {s}) linear"]
    shape = rng.randrange(3)
    if shape == 0:
        of = rng.choice(("x", "t", "2*x", "x - y"))
        constraints = [Constraint("c1", *rng.choice((("x^2", "1"), ("x'", "y'"), ("x'*y'", "0"))))] if rng.random() < 0.6 else []
        return stated("xy", constraints, forces={"y": law(f"({of})")}, declared=declared, written=[f"force y = tab({of})"])
    if shape == 1:
        return stated("xy", potential=law("x"), declared=declared, written=["potential tab(x)"])
    return stated("xy", [Written("c1", "y", law("x"), statement="cam c1: y = tab(x)")], declared=declared)


def given(rng):
    """What comes from outside, and a Lagrangian."""
    law = rng.choice(("sin(t)", "3", "t^2 - 1", "exp(-t)"))
    constraints = [Constraint("c1", *rng.choice((("x'", "push"), ("y", "x*push"), ("x'", "y*x'"), ("(x - push)*(y - push)", "0"))))]
    lowered = [Constraint("c1", c.left.replace("push", f"({law})"), c.right.replace("push", f"({law})")) for c in constraints]
    model = stated("xy", [Written("c1", low.left, low.right, statement=high.text()) for low, high in zip(lowered, constraints)],
                   potential="x^4/4 + x*y", forces={"y": f"({law})*x'"}, declared=[f"input push = {law}"])
    model.written = [f"lagrangian {squares('xy')} - x^4/4 - x*y", "force y = push*x'"]
    return model


CLASSES = {"gears": gear, "racks": rack, "cams": cam, "motors": motor, "ropes": rope, "springs": spring, "conditions": chosen,
           "tables": table, "inputs": given}
