"""Claims about tables, conditions and pieces of one coordinate: every side is a polynomial between known places, so the truth is exact.

A side is looked at in all its places, and between two of them at more points than its degree.
"""

from dataclasses import dataclass
from fractions import Fraction

FAR = 10**7  # beyond every place


@dataclass
class Piece:
    text: str
    value: object  # Fraction -> Fraction
    places: list  # where it is another polynomial, or jumps
    degree: int
    jumps: bool = False


def shown(number):
    number = Fraction(number)
    return str(number.numerator) if number.denominator == 1 else f"{number.numerator}/{number.denominator}"


def signed(number):
    return f"({shown(number)})" if number < 0 or Fraction(number).denominator > 1 else shown(number)


def number(rng):
    return rng.choice((Fraction(rng.randint(-6, 6)), Fraction(rng.randint(-30, 30), rng.choice((2, 3, 7))), Fraction(rng.randint(-900, 900))))


def line(rng, name):
    """a*x + b with the zero -b/a: (text, a, b)."""
    a, b = rng.choice((Fraction(1), Fraction(1), Fraction(-1), Fraction(2), Fraction(1, 3), Fraction(-5, 2))), number(rng)
    text = name if a == 1 else f"{signed(a)}*{name}"
    return (f"{text} + {signed(b)}" if b else text), a, b


def sign(u):
    return (u > 0) - (u < 0)


def half(u):
    """1, 0, and the mean of both on the border."""
    return Fraction(1 + sign(u), 2)


class Tables:
    """The tables of one model."""

    def __init__(self):
        self.lines = []

    def new(self, rng):
        name = f"tab{len(self.lines)}"
        xs = sorted(rng.sample(range(-8, 9), rng.randint(2, 5)))
        scale, shift = rng.choice((1, 1, Fraction(1, 2), 40)), rng.choice((0, 0, 300, -5000))
        points = [(x*scale + shift, Fraction(rng.randint(-6, 6), rng.choice((1, 2)))) for x in xs]
        ends = rng.choice(("hold", "extend", ""))
        decimals = ", ".join(f"({float(x):g}, {float(y):g})" for x, y in points)
        self.lines.append(f"table {name} points {decimals} linear {ends}".rstrip() + "\n")
        return name, points, ends == "extend"


def look_up(points, extend, u):
    if u <= points[0][0] and not extend:
        return points[0][1]
    if u >= points[-1][0] and not extend:
        return points[-1][1]
    k = next((k for k in range(1, len(points)) if u <= points[k][0]), len(points) - 1)
    (x, y), (x1, y1) = points[k - 1], points[k]
    return y + (y1 - y)/Fraction(x1 - x)*(u - x)


def table(rng, name, tables):
    called, points, extend = tables.new(rng)
    text, a, b = line(rng, name)
    return Piece(f"{called}({text})", lambda x: look_up(points, extend, a*x + b), [(Fraction(p) - b)/a for p, _ in points], 1)


def table_by_pieces(called, points, extend, text, a, b):
    """The same function, written by its pieces."""
    slopes = [(points[k + 1][1] - points[k][1])/Fraction(points[k + 1][0] - points[k][0]) for k in range(len(points) - 1)]
    first, last = (slopes[0], slopes[-1]) if extend else (Fraction(0), Fraction(0))
    parts = [f"{signed(points[0][1])} + {signed(first)}*({text} - {signed(points[0][0])})"]
    for (x, _), before, behind in zip(points, [first, *slopes], [*slopes, last]):
        if behind != before:
            parts.append(f"{signed(behind - before)}*max({text} - {signed(x)}, 0)")
    return " + ".join(parts)


def basic(rng, name, tables):
    shape = rng.randrange(8)
    if shape < 2:
        return table(rng, name, tables)
    text, a, b = line(rng, name)
    zero = -b/a
    if shape == 2:
        return Piece(f"abs({text})", lambda x: abs(a*x + b), [zero], 1)
    if shape == 3:
        return Piece(f"sign({text})", lambda x: Fraction(sign(a*x + b)), [zero], 0, True)
    if shape == 4:
        return Piece(f"step({text})", lambda x: half(a*x + b), [zero], 0, True)
    if shape == 5:
        c = number(rng)
        smallest = rng.choice((min, max))
        return Piece(f"{smallest.__name__}({text}, {signed(c)})", lambda x: smallest(a*x + b, c), [(c - b)/a], 1)
    if shape == 6:
        return Piece(f"({text})", lambda x: a*x + b, [], 1)
    first, second = basic(rng, name, tables), basic(rng, name, tables)
    comparison = rng.choice(("<", ">", "<=", ">="))
    side = 1 if comparison in (">", ">=") else -1

    def chosen(x):
        weight = half(side*(a*x + b))
        return weight*first.value(x) + (1 - weight)*second.value(x)
    places = [zero, *first.places, *second.places]
    written = f"(if {text} {comparison} 0 then {first.text} else {second.text})" if rng.random() < 0.5 else \
        f"piecewise({text} {comparison} 0, {first.text}, {second.text})"
    return Piece(written, chosen, places, max(first.degree, second.degree), True)


def compound(rng, name, tables, depth=2):
    if depth == 0 or rng.random() < 0.35:
        return basic(rng, name, tables)
    one, other = compound(rng, name, tables, depth - 1), compound(rng, name, tables, depth - 1)
    places, jumps = one.places + other.places, one.jumps or other.jumps
    if rng.random() < 0.3:
        return Piece(f"({one.text})*({other.text})", lambda x: one.value(x)*other.value(x), places, one.degree + other.degree, jumps)
    return Piece(f"({one.text}) + ({other.text})", lambda x: one.value(x) + other.value(x), places, max(one.degree, other.degree), jumps)


def window(rng, name, place, width):
    """Nothing but between two places that lie close together."""
    return Piece(f"max(0, ({name} - {signed(place)})*({signed(place + width)} - {name}))",
                 lambda x: max(Fraction(0), (x - place)*(place + width - x)), [place, place + width], 2)


def same(rng, one, name):
    """Another text of the same function."""
    c = number(rng)
    border = f"{name} - {signed(c)}"
    return rng.choice((f"(if {border} > 0 then {one.text} else {one.text})", f"max({one.text}, {one.text})",
                       f"({one.text})*sign({name}^2 + 1)", f"({one.text})*(step({border}) + step(-({border})))",
                       f"max({one.text}, 0) + min({one.text}, 0)", f"({one.text}) + abs({border}) - max({border}, {c} - {name})",
                       f"abs({one.text})*sign({one.text})"))


def looked_at(places, degree, least=None):
    """Points that decide whether two sides agree."""
    ends = sorted({Fraction(-FAR), Fraction(FAR), *places})
    found = list(ends)
    for low, high in zip(ends, ends[1:]):
        found += [low + (high - low)*Fraction(k, degree + 3) for k in range(1, degree + 3)]
    return [x for x in found if least is None or x >= least] + ([least] if least is not None else [])


class Domain:
    """Where the coordinate may be: everywhere, from a place on, or at two places."""

    def __init__(self, rng, name):
        shape = rng.randrange(5)
        self.statement, self.least, self.only = "", None, None
        if shape == 1:
            a, b = rng.sample(range(-7, 8), 2)
            self.only = [Fraction(a), Fraction(b)]
            self.statement = f"constraint spots: ({name} - {signed(a)})*({name} - {signed(b)}) = 0\n"
        elif shape == 2:
            self.least = Fraction(rng.choice((20, 3, -4, 700)))
            self.statement = f"potential ({name} - {signed(self.least)})^(5/2)\n"
        elif shape == 3:
            a = rng.randint(1, 7)
            self.only = [Fraction(a), Fraction(-a)]
            self.statement = f"constraint spots: {name}^2 = {a*a}\n"

    def points(self, places, degree):
        return self.only or looked_at(places, degree, self.least)


def head(tables, domain, more=""):
    return "".join(tables.lines) + "coord x, y\nkinetic (x'^2 + y'^2)/2\n" + domain.statement + more


def pieces(rng):
    tables, claims = Tables(), []
    domain = Domain(rng, "x")
    for _ in range(4):
        one = compound(rng, "x", tables)
        claims.append((f"{one.text} == {same(rng, one, 'x')}", True))
        other = compound(rng, "x", tables)
        spot = rng.choice(one.places or [Fraction(0)])
        shape = rng.randrange(5)
        if shape == 0:
            extra = window(rng, "x", spot, rng.choice((Fraction(1, 1000), Fraction(2), Fraction(1, 10**9))))
        elif shape == 1:  # a single point
            extra = Piece(f"(1 - sign(x - {signed(spot)})^2)", lambda x, spot=spot: Fraction(1 - sign(x - spot)**2), [spot], 0)
        elif shape == 2:
            extra = Piece(f"max(0, x - {signed(spot)})", lambda x, spot=spot: max(Fraction(0), x - spot), [spot], 1)
        else:
            extra = other
        places = one.places + extra.places
        differs = any(extra.value(x) != 0 for x in domain.points(places, one.degree + extra.degree))
        claims.append((f"{one.text} + {extra.text} == {same(rng, one, 'x')}", not differs))
        at = rng.choice(domain.points(places, 1)[:40])
        value = one.value(at)
        if abs(at) < FAR:
            claims += [(f"{one.text} == {signed(value)} at (x = {shown(at)})", True),
                       (f"{one.text} == {signed(value + max(1, abs(value))*rng.choice((1, Fraction(1, 1000))))} at (x = {shown(at)})", False)]
    return head(tables, domain), claims


def driven(rng):
    """Forces by tables and conditions: accelerations, and what is kept."""
    tables = Tables()
    domain = Domain(rng, "x")
    force, other = compound(rng, "x", tables), compound(rng, "x", tables)
    is_held = domain.only is not None
    bound = "y" if is_held or domain.least is not None else "x"
    points = domain.points(force.places + other.places, max(force.degree, other.degree))
    agree = all(force.value(x) == other.value(x) for x in points)
    values = {force.value(x) for x in points}
    claims = [(f"{bound}'' == {same(rng, force, 'x')}", True), (f"{bound}'' == {other.text}", agree),
              (f"{bound}'' == {force.text} + {window(rng, 'x', rng.choice(points), Fraction(1, 3)).text}", is_held and None),
              (f"conserved({force.text})", is_held or len(values) == 1),
              (f"power == 0", None)]
    claims = [(claim, truth) for claim, truth in claims if truth is not None and "power" not in claim]
    if is_held:
        claims += [("x' == 0", True), ("conserved(x)", True)]
    return head(tables, domain, f"force {bound} = {force.text}\n"), claims


def bounded(rng):
    """Tolerances that a table keeps or not; the bound belongs to what is kept."""
    tables = Tables()
    called, points, _ = tables.new(rng)
    tables.lines[-1] = tables.lines[-1].replace(" extend", "")
    text, a, b = line(rng, "x")
    c = Fraction(rng.randint(8, 60))
    claims = []
    values = [y for _, y in points]
    for tolerance in ("1/4", "1/10", "1/2", "1/100"):
        kept = all(abs(y) <= Fraction(tolerance)*max(abs(c + y), c) for y in values)
        claims.append((f"{c} + {called}({text}) == {c} within {tolerance}", kept))
    claims += [(f"max({called}({text}), {signed(max(values))}) == {signed(max(values))}", True),
               (f"min({called}({text}), {signed(min(values))}) == {signed(min(values))}", True),
               (f"abs({called}({text})) == {called}({text})", min(values) >= 0),
               (f"min({called}({text}), {signed(max(values) - Fraction(1, 10**6))}) == {called}({text})", len(set(values)) == 0),
               (f"{called}({text}) == {table_by_pieces(called, points, False, text, a, b)}", True)]
    return "".join(tables.lines) + "coord x, y\nkinetic (x'^2 + y'^2)/2\n", claims


def kept(rng):
    """Energies by tables are kept; a table's slope is its derivative."""
    tables = Tables()
    called, points, extend = tables.new(rng)
    text, a, b = line(rng, "x")
    is_flat = len({y for _, y in points}) == 1
    k = rng.randint(2, 7)
    lines = f"coord x, y\nkinetic (x'^2 + y'^2)/2\npotential {k}*max(x - 2, 0)^3 + abs(y)^3\nforce y = {called}(t)\n"
    switch = f"conserved({called}({text}))"
    claims = [("conserved(T + V)", all(y == 0 for _, y in points)), (switch, is_flat), (f"x'' == -{3*k}*max(x - 2, 0)^2", True),
              (f"x'' == -{3*k}*(x - 2)^2", False), (f"y'' == {called}(t) - 3*y*abs(y)", True), (f"y'' == {called}(t) - 3*y^2", False),
              (f"conserved(x'^2/2 + {k}*max(x - 2, 0)^3)", True), (f"conserved(x'^2/2 + {k}*abs(x - 2)^3)", False)]
    return "".join(tables.lines) + lines, claims


GENERATORS = {"pieces and tables": pieces, "forces by pieces": driven, "tolerances of tables": bounded, "energies by pieces": kept}
