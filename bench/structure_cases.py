"""Cases of the group "structure": Frobenius' condition, Lie derivatives, null spaces over fields of functions. Keys beyond those of cases.py:

  frobenius:  form EXPR; EXPR; ...: coefficients of Pfaff forms by the symbols of `coordinates`; the answer is how many torsions
              d theta^i ^ theta^1 ^ ... ^ theta^k are not zero
  lie:        function EXPR, rate EXPR of each symbol of `coordinates`: the derivative must vanish
  null:       rows N, entry EXPR, row by row; the answer is the dimension of the null space
"""

import itertools
import random

from cases import Case, names, plus


def pfaff(family, size, forms, coordinates, symbols=()):
    lines = [f"coordinates {' '.join(coordinates)}"] + [f"form {'; '.join(form)}" for form in forms]
    return Case(family, size, "frobenius", lines, [*coordinates, *symbols])


def trailers(n):
    """A car with n trailers of length one: the axles do not slip."""
    angles = names("a", n + 1)
    forms = []
    for k in range(n + 1):
        # x and y are the last axle; axle k lies the sum of the units u(a_j), j < k, ahead of it
        form = [f"sin(a{k + 1})", f"-cos(a{k + 1})"] + ["0"] * (n + 1)
        for j in range(k):
            form[2 + j] = f"-cos(a{k + 1} - a{j + 1})"
        forms.append(form)
    return pfaff("frobenius-trailers", n, forms, ["x", "y", *angles])


def integrable(n):
    """Combinations, by a triangle of functions, of the differentials of x_i^2 + y sin(z), i = 1 .. n."""
    x = names("x", n)
    forms = []
    for i in range(n):
        factors = [f"x{i + 1}*x{k + 1}" for k in range(i)] + [f"(1 + z^2 + x{i + 1}*y)"]
        form = [f"2*x{k + 1}*{factor}" for k, factor in enumerate(factors)] + ["0"] * (n - 1 - i)
        whole = f"({plus(factors)})"
        forms.append([*form, f"sin(z)*{whole}", f"y*cos(z)*{whole}"])
    return pfaff("frobenius-integrable", n, forms, [*x, "y", "z"])


def toda(n):
    """Flaschka's form of Toda's ring of n: the trace of the fourth power of Lax's matrix is kept."""
    a, b = names("a", n), names("b", n)
    matrix = [["0"] * n for _ in range(n)]
    for i in range(n):
        matrix[i][i] = b[i]
        matrix[i][(i + 1) % n] = matrix[(i + 1) % n][i] = a[i]

    def product(p, q):
        terms = [[[f"({p[i][k]})*({q[k][j]})" for k in range(n) if p[i][k] != "0" and q[k][j] != "0"] for j in range(n)] for i in range(n)]
        return [[plus(cell) for cell in row] for row in terms]

    square = product(matrix, matrix)
    fourth = product(square, square)
    rates = [f"{a[i]}*({b[(i + 1) % n]} - {b[i]})" for i in range(n)] + [f"2*({a[i]}^2 - {a[i - 1]}^2)" for i in range(n)]
    lines = [f"coordinates {' '.join(a + b)}", f"function {plus([fourth[i][i] for i in range(n)])}", *(f"rate {r}" for r in rates)]
    return Case("lie-toda", n, "lie", lines, a + b)


def pendulums(n):
    """The energy of n planar pendulums in a row, coupled by the sines of the differences of their angles."""
    q, v = names("q", n), names("v", n)
    pairs = list(itertools.pairwise(range(n)))
    energy = plus([f"{x}^2/2" for x in v] + [f"w*(1 - cos({x}))" for x in q] + [f"k*(1 - cos({q[i]} - {q[j]}))" for i, j in pairs])
    rates = [*v]
    for i in range(n):
        rates.append("-w*sin(" + q[i] + ")" + "".join(f" - k*sin({q[i]} - {q[b if a == i else a]})" for a, b in pairs if i in (a, b)))
    lines = [f"coordinates {' '.join(q + v)}", f"function {energy}", *(f"rate {r}" for r in rates)]
    return Case("lie-pendulums", n, "lie", lines, [*q, *v, "w", "k"])


def null_space(family, size, trigonometric):
    """A matrix of 2n columns and rank n: the product of a random one with n columns and one with n rows."""
    n, rng = size, random.Random(f"{family} {size}")
    symbols = ["x", "y"]

    def entry():
        function = rng.choice(["sin(x)", "cos(y)", "cos(x - y)"]) if trigonometric else rng.choice(["x", "y", "x*y", "x^2"])
        return f"({rng.randint(1, 9)} + {rng.randint(1, 9)}*{function})"

    left = [[entry() for _ in range(n)] for _ in range(2 * n)]
    right = [[entry() for _ in range(2 * n)] for _ in range(n)]
    entries = [plus([f"{left[i][k]}*{right[k][j]}" for k in range(n)]) for i in range(2 * n) for j in range(2 * n)]
    return Case(family, size, "null", [f"rows {2 * n}", *(f"entry {e}" for e in entries)], symbols)


def structure_cases(quick=False):
    for n in (2,) if quick else (2, 3, 4, 5, 6):
        yield trailers(n)
    for n in (2,) if quick else (2, 3, 4, 5):
        yield integrable(n)
    for n in (3,) if quick else (3, 4, 6, 8, 10):
        yield toda(n)
    for n in (3,) if quick else (4, 8, 16, 32):
        yield pendulums(n)
    for n in (2,) if quick else (2, 3, 4, 5):
        yield null_space("null-polynomials", n, False)
    for n in (2,) if quick else (2, 3, 4):
        yield null_space("null-angles", n, True)
