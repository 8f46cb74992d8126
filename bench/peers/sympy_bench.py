"""The work of the benchmark cases done by SymPy.

The text is compiled to Python before the clock starts; what is timed is making the expressions and working on them.
SymPy's cache is emptied before every repetition, as Liaison has a new pool. Methods:

  plain   what a person types: simplify(e) == 0, simplify(Matrix.det()), simplify(Matrix.LUsolve(b))
  raw     Matrix.det() and Matrix.LUsolve(b) as they come: nothing is known of what is zero, so this is less work
  field   the fastest way known to us: angles expanded by hand to polynomials in their sines and cosines, then SymPy's own
          polynomial rings, fraction fields and DomainMatrix, and the remainder modulo sin^2 + cos^2 - 1
  charpoly  the same with DomainMatrix's division-free algorithms, which are often faster for matrices of polynomials
  kane, lagrange  equations of motion, see sympy_mechanics.py
"""

import functools
import gc
import itertools
import re
import sys

import casefile
import sympy
import sympy_mechanics
import sympy_structure
from sympy.core.cache import clear_cache
from sympy.polys.matrices import DomainMatrix

sys.setrecursionlimit(100_000)
clock = casefile.clock
FUNCTIONS = {"sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "exp": sympy.exp, "Integer": sympy.Integer}


def compiled(text):
    text = re.sub(r"(?<![\w.])(\d+)", r"Integer(\1)", text.strip().replace("^", "**"))
    return compile(text, "case", "eval")


class Texts:
    """Compiled texts and their symbols."""

    def __init__(self, case):
        self.symbols = sympy.symbols(case.words("symbols"))
        self.names = dict(zip(case.words("symbols"), self.symbols), **FUNCTIONS)

    def make(self, code):
        return sympy.sympify(eval(code, self.names))  # noqa: S307, our own case files


def start():
    clear_cache()
    gc.collect()
    return clock()


def values(case, symbols, expressions):
    point = case.point()
    numbers = [point[str(s)] for s in symbols]
    for expression in expressions:
        try:
            yield float(sympy.lambdify(symbols, expression, modules="math")(*numbers))
        except (RecursionError, MemoryError, SyntaxError):
            yield float(expression.evalf(subs=dict(zip(symbols, numbers))))


def sum_of_sizes(case, symbols, expressions):
    return sum(abs(value) for value in values(case, symbols, expressions))


def chain(case):
    texts = Texts(case)
    xs, ys = ([compiled(t) for t in case.all(key)] for key in "xy")
    q, v, m, j = ([texts.names[n] for n in case.words(k)] for k in ("angles", "rates", "masses", "inertias"))
    began = start()

    def rate(code):
        position = texts.make(code)
        return sympy.Add(*[position.diff(a) * b for a, b in zip(q, v)])

    energy = sympy.Add(*[m[k] / 2 * (rate(x) ** 2 + rate(y) ** 2) + j[k] / 2 * v[k] ** 2 for k, (x, y) in enumerate(zip(xs, ys))])
    state = q + v
    first = [energy.diff(s) for s in state]
    second = {(a, b): first[a].diff(state[b]) for a in range(len(state)) for b in range(a, len(state))}
    seconds = clock() - began
    sample = first + [e for (a, b), e in second.items() if casefile.is_sampled(a, b)]
    return seconds, lambda: sum_of_sizes(case, texts.symbols, sample)


# Sines and cosines as polynomials.


class Angles:
    """sin, cos, tan of rational combinations of the symbols, as polynomials in generators s_x, c_x."""

    def __init__(self, expressions):
        self.atoms = {}
        functions = set().union(*[e.atoms(sympy.sin, sympy.cos, sympy.tan) for e in expressions])
        for function in functions:
            for symbol, coefficient in self.terms(function.args[0]):
                self.atoms[symbol] = sympy.ilcm(self.atoms.get(symbol, 1), coefficient.q)
        self.sine = {x: sympy.Symbol(f"s_{x}") for x in self.atoms}
        self.cosine = {x: sympy.Symbol(f"c_{x}") for x in self.atoms}
        self.values = {f: self.value(f) for f in functions}

    @staticmethod
    def terms(argument):
        return [(x, c) for x, c in sympy.expand(argument).as_coefficients_dict().items()]

    @functools.cache
    def multiple(self, x, n):
        if n < 0:
            s, c = self.multiple(x, -n)
            return -s, c
        if n <= 1:
            return (self.sine[x], self.cosine[x]) if n else (sympy.S.Zero, sympy.S.One)
        s1, c1 = self.multiple(x, n // 2)
        s2, c2 = self.multiple(x, n - n // 2)
        return s1 * c2 + c1 * s2, c1 * c2 - s1 * s2

    def value(self, function):
        s, c = sympy.S.Zero, sympy.S.One
        for x, coefficient in self.terms(function.args[0]):
            a, b = self.multiple(x, int(coefficient * self.atoms[x]))
            s, c = s * b + c * a, c * b - s * a
        return s if isinstance(function, sympy.sin) else c if isinstance(function, sympy.cos) else s / c

    def polynomial(self, expression):
        return expression.xreplace(self.values)

    def generators(self, expressions):
        rest = set().union(*[e.free_symbols for e in expressions]) - set(self.sine.values()) - set(self.cosine.values())
        ordered = list(itertools.chain.from_iterable((self.sine[x], self.cosine[x]) for x in self.atoms))
        return ordered + sorted(rest, key=str)

    def relations(self, ring):
        gens = dict(zip(ring.symbols, ring.gens))
        return [gens[self.sine[x]] ** 2 + gens[self.cosine[x]] ** 2 - 1 for x in self.atoms]

    def back(self):
        """Generators to functions of the symbols, for the comparison of values."""
        pairs = [(self.sine[x], sympy.sin(x / u)) for x, u in self.atoms.items()]
        return dict(pairs + [(self.cosine[x], sympy.cos(x / u)) for x, u in self.atoms.items()])


def zero_plain(expression):
    if sympy.simplify(expression) != 0:
        raise casefile.Failed("simplify does not find 0")


def zero_field(expression):
    angles = Angles([expression])
    rational = angles.polynomial(expression)
    field = sympy.polys.fields.FracField(angles.generators([rational]), sympy.ZZ, sympy.lex)
    numerator = field.from_expr(rational).numer
    if numerator.rem(angles.relations(field.ring)) != 0:
        raise casefile.Failed("not 0 in the field")


def zero(method, case):
    texts = Texts(case)
    left, right = compiled(case.one("left")), compiled(case.one("right"))
    work = zero_plain if method == "plain" else zero_field
    began = start()
    work(texts.make(left) - texts.make(right))
    return clock() - began, lambda: 0.0


def polynomial_matrix(entries, n):
    angles = Angles(entries)
    polynomials = [angles.polynomial(e) for e in entries]
    ring = sympy.ZZ[tuple(angles.generators(polynomials))]
    reduced = [[ring.from_sympy(polynomials[i * n + j]) for j in range(n)] for i in range(n)]
    return angles, ring, reduced


def determinant(method, case):
    texts, n = Texts(case), case.dimension()
    codes = [compiled(t) for t in case.all("entry")]
    began = start()
    entries = [texts.make(c) for c in codes]
    if method in ("plain", "raw"):
        value = sympy.Matrix(n, n, entries).det()
        if method == "plain":
            value = sympy.simplify(value)
        return clock() - began, lambda: sum(values(case, texts.symbols, [value]))
    angles, ring, rows = polynomial_matrix(entries, n)
    matrix = DomainMatrix(rows, (n, n), ring)
    value = matrix.charpoly()[-1] * (-1) ** n if method == "charpoly" else matrix.det()
    value = value.rem(angles.relations(ring.ring))
    seconds = clock() - began
    return seconds, lambda: sum(values(case, texts.symbols, [ring.to_sympy(value).xreplace(angles.back())]))


def solve(method, case):
    texts, n = Texts(case), case.dimension()
    codes, right = ([compiled(t) for t in case.all(key)] for key in ("entry", "rhs"))
    began = start()
    entries, rhs = ([texts.make(c) for c in part] for part in (codes, right))
    if method in ("plain", "raw"):
        solution = list(sympy.Matrix(n, n, entries).LUsolve(sympy.Matrix(rhs)))
        if method == "plain":
            solution = [sympy.simplify(x) for x in solution]
        return clock() - began, lambda: sum_of_sizes(case, texts.symbols, solution)
    angles = Angles(entries + rhs)
    polynomials = [angles.polynomial(e) for e in entries + rhs]
    ring = sympy.ZZ[tuple(angles.generators(polynomials))]
    converted = [ring.from_sympy(p) for p in polynomials]
    matrix = DomainMatrix([converted[i * n : (i + 1) * n] for i in range(n)], (n, n), ring)
    right_side = DomainMatrix([[b] for b in converted[n * n :]], (n, 1), ring)
    algorithm = "charpoly" if method == "charpoly" else "rref"
    numerators, denominator = matrix.solve_den(right_side, method=algorithm)
    relations = angles.relations(ring.ring)
    denominator = denominator.rem(relations)
    fractions = [numerators[i, 0].element.rem(relations).cancel(denominator) for i in range(n)]
    seconds = clock() - began

    def checksum():
        back = angles.back()
        solution = [(ring.to_sympy(p) / ring.to_sympy(q)).xreplace(back) for p, q in fractions]
        return sum_of_sizes(case, texts.symbols, solution)

    return seconds, checksum


# Forms: dictionaries from sorted index tuples to coefficients.


def sort_sign(indices):
    """Sorted indices and the sign of the sorting; sign 0 where one repeats."""
    if len(set(indices)) < len(indices):
        return indices, 0
    inversions = sum(a > b for a, b in itertools.combinations(indices, 2))
    return tuple(sorted(indices)), -1 if inversions % 2 else 1


def gathered(products):
    lists = {}
    for indices, coefficient in products:
        key, sign = sort_sign(indices)
        if sign and coefficient != 0:
            lists.setdefault(key, []).append(coefficient if sign > 0 else -coefficient)
    sums = {key: sympy.Add(*terms) for key, terms in lists.items()}
    return {key: value for key, value in sums.items() if value != 0}


def exterior_derivative(form, symbols):
    return gathered(
        ((i, *indices), coefficient.diff(x)) for indices, coefficient in form.items() for i, x in enumerate(symbols)
    )


def wedge(a, b):
    return gathered((i + j, x * y) for i, x in a.items() for j, y in b.items())


def forms(case):
    texts, task = Texts(case), case.one("task")
    a, b = ([(indices, compiled(text)) for indices, text in case.form(key)] for key in "ab")
    began = start()
    left = {indices: texts.make(code) for indices, code in a}
    if task == "wedge":
        result = wedge(left, {indices: texts.make(code) for indices, code in b})
    else:
        result = exterior_derivative(left, texts.symbols)
    if task == "dd":
        result = exterior_derivative(result, texts.symbols)
        if any(sympy.expand(coefficient, trig=True) != 0 for coefficient in result.values()):
            raise casefile.Failed("d d is not 0")
    seconds = clock() - began

    def checksum():
        if task == "dd":
            return 0.0
        numbers = values(case, texts.symbols, result.values())
        return sum(casefile.form_weight(key) * abs(number) for key, number in zip(result, numbers))

    return seconds, checksum


def perform(method, case):
    task = case.one("task")
    if task == "derive":
        return sympy_mechanics.derive(method, case)
    if task == "chain":
        return chain(case)
    if task == "zero":
        return zero(method, case)
    if task == "determinant":
        return determinant(method, case)
    if task == "solve":
        return solve(method, case)
    if task in sympy_structure.WORK:
        return sympy_structure.WORK[task](method, case, sys.modules[__name__])
    return forms(case)


if __name__ == "__main__":
    casefile.serve(perform)
