"""The group "structure" by Sage, run by its own Python (`sage -python`).

  plain   what a person types: `diff_form` on a manifold, `simplify_full`, `Matrix.right_kernel` over the symbolic ring
  field   the fastest way known to us: polynomials in sines and cosines by Singular, reduced modulo sin^2 + cos^2 - 1; null spaces
          over the field of rational functions, for angles of the tangents of their halves

The text is compiled to Python before the clock starts, as for SymPy.
"""

import gc
import itertools
import re

import casefile
from sage.all import QQ, SR, Manifold, PolynomialRing, cos, matrix, sin

ARGUMENT = re.compile(r"(?:sin|cos)\(([^()]*)\)")


def compiled(text):
    text = re.sub(r"(?<![\w.])(\d+)", r"Integer(\1)", text.strip().replace("^", "**"))
    return compile(text, "case", "eval")


def angles_of(texts):
    return sorted({name for text in texts for argument in ARGUMENT.findall(text) for name in re.findall(r"[A-Za-z]\w*", argument)})


class Symbols:
    """Names of the symbolic ring."""

    def __init__(self, names):
        self.names = {name: SR.var(name) for name in names} | {"sin": sin, "cos": cos, "Integer": SR}

    def make(self, code):
        return SR(eval(code, self.names))  # noqa: S307, our own case files


class Polynomials:
    """Names, and the sines and cosines of the angles among them, as polynomials over the rationals."""

    def __init__(self, names, angles):
        self.ring = PolynomialRing(QQ, [*(f"s_{a}" for a in angles), *(f"c_{a}" for a in angles), *names], order="degrevlex")
        made = dict(zip(self.ring.variable_names(), self.ring.gens()))
        self.gens = {name: made[name] for name in names}
        self.sines, self.cosines = {a: made[f"s_{a}"] for a in angles}, {a: made[f"c_{a}"] for a in angles}
        self.names = self.gens | {"sin": lambda e: self.of_angle(e)[0], "cos": lambda e: self.of_angle(e)[1], "Integer": self.ring}
        self.relations = self.ring.ideal([self.sines[a] ** 2 + self.cosines[a] ** 2 - 1 for a in angles])

    def of_angle(self, e):
        """Sine and cosine of a combination of the angles with whole coefficients."""
        s, c = self.ring.zero(), self.ring.one()
        for factor, monomial in e:
            name = str(monomial)
            for _ in range(abs(int(factor))):
                s1, c1 = (self.sines[name] if factor > 0 else -self.sines[name]), self.cosines[name]
                s, c = s * c1 + c * s1, c * c1 - s * s1
        return s, c

    def make(self, code):
        return self.ring(eval(code, self.names))  # noqa: S307, our own case files

    def derivative(self, f, name):
        found = f.derivative(self.gens[name])
        if name in self.sines:
            s, c = self.sines[name], self.cosines[name]
            found += f.derivative(s) * c - f.derivative(c) * s
        return found

    def vanishes(self, f):
        return f.is_zero() or f.reduce(self.relations.gens()).is_zero()


def start():
    gc.collect()
    return casefile.clock()


def wedge(a, b):
    found = {}
    for (i, x), (j, y) in itertools.product(a.items(), b.items()):
        both = i + j
        if len(set(both)) < len(both):
            continue
        swaps = sum(1 for p, q in itertools.combinations(both, 2) if p > q)
        key = tuple(sorted(both))
        found[key] = found.get(key, 0) + (-x * y if swaps % 2 else x * y)
    return found


def frobenius_plain(case, codes, names):
    coordinates = case.words("coordinates")
    began = start()
    manifold = Manifold(len(coordinates), "M")
    chart = manifold.chart(" ".join(coordinates))
    symbols = {name: SR.var(name) for name in names} | dict(zip(coordinates, chart[:]))
    symbols |= {"sin": sin, "cos": cos, "Integer": SR}
    forms = []
    for line in codes:
        form = manifold.diff_form(1)
        form[:] = [SR(eval(code, symbols)) for code in line]  # noqa: S307, our own case files
        forms.append(form)
    product = forms[0]
    for form in forms[1:]:
        product = product.wedge(form)
    count = 0
    for form in forms:
        torsion = form.exterior_derivative().wedge(product)
        count += torsion != 0
    return casefile.clock() - began, count


def frobenius_field(case, codes, names, angles):
    coordinates = case.words("coordinates")
    began = start()
    made = Polynomials(names, angles)
    forms = [[made.make(code) for code in line] for line in codes]
    product = {(): made.ring.one()}
    for form in forms:
        product = wedge(product, {(i,): e for i, e in enumerate(form) if e})
    count = 0
    for form in forms:
        derivative = {}
        for (i, x), (j, e) in itertools.product(enumerate(coordinates), enumerate(form)):
            if i != j and (rate := made.derivative(e, x)):
                key = (min(i, j), max(i, j))
                derivative[key] = derivative.get(key, 0) + (rate if i < j else -rate)
        count += not all(made.vanishes(e) for e in wedge(derivative, product).values())
    return casefile.clock() - began, count


def frobenius(method, case):
    texts = [line.split(";") for line in case.all("form")]
    codes = [[compiled(text) for text in line] for line in texts]
    names = case.words("symbols")
    if method == "plain":
        seconds, count = frobenius_plain(case, codes, names)
    else:
        seconds, count = frobenius_field(case, codes, names, angles_of(itertools.chain.from_iterable(texts)))
    return seconds, lambda: float(count)


def lie(method, case):
    texts = [case.one("function"), *case.all("rate")]
    codes, names, coordinates = [compiled(text) for text in texts], case.words("symbols"), case.words("coordinates")
    began = start()
    if method == "plain":
        made = Symbols(names)
        f, *rates = [made.make(code) for code in codes]
        zero = sum(f.diff(made.names[x]) * rate for x, rate in zip(coordinates, rates)).simplify_full().is_zero()
    else:
        made = Polynomials(names, angles_of(texts))
        f, *rates = [made.make(code) for code in codes]
        zero = made.vanishes(sum(made.derivative(f, x) * rate for x, rate in zip(coordinates, rates)))
    if not zero:
        raise casefile.Failed("does not find 0")
    return casefile.clock() - began, lambda: 0.0


def halved(fields, angles):
    """Sine and cosine of a combination of the angles, rational in the tangents of their halves."""
    tangents = dict(zip(angles, fields.gens()))

    def both(e):
        s, c = fields.zero(), fields.one()
        for name, factor in e.items():
            t = tangents[name]
            s1, c1 = 2 * t / (1 + t**2), (1 - t**2) / (1 + t**2)
            for _ in range(abs(factor)):
                s, c = (s * c1 + c * s1, c * c1 - s * s1) if factor > 0 else (s * c1 - c * s1, c * c1 + s * s1)
        return s, c

    return both


class Angle(dict):
    """A combination of angles with whole coefficients."""

    def __add__(self, other):
        return Angle({name: self.get(name, 0) + other.get(name, 0) for name in self.keys() | other.keys()})

    def __sub__(self, other):
        return self + Angle({name: -factor for name, factor in other.items()})


def null(method, case):
    rows, texts = int(case.one("rows")), case.all("entry")
    codes, names, angles = [compiled(text) for text in texts], case.words("symbols"), angles_of(texts)
    began = start()
    if method == "plain":
        made = Symbols(names)
        entries = [made.make(code) for code in codes]
        found = matrix(SR, rows, len(entries) // rows, entries).right_kernel()
    else:
        fields = PolynomialRing(QQ, names, order="degrevlex").fraction_field()
        scope = dict(zip(names, fields.gens())) | {"Integer": fields}
        if angles:
            both = halved(fields, names)
            scope |= {name: Angle({name: 1}) for name in angles} | {"sin": lambda e: both(e)[0], "cos": lambda e: both(e)[1]}
        entries = [fields(eval(code, scope)) for code in codes]  # noqa: S307, our own case files
        found = matrix(fields, rows, len(entries) // rows, entries).right_kernel()
    count = found.dimension()
    return casefile.clock() - began, lambda: float(count)


WORK = {"frobenius": frobenius, "lie": lie, "null": null}


def perform(method, case):
    return WORK[case.one("task")](method, case)


if __name__ == "__main__":
    casefile.serve(perform)
