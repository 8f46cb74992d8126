"""The benchmark cases, from one place: every program reads the same text.

A case is a text file of lines `key value`; expressions are written in the infix syntax that all the programs share
(+ - * / ^, parentheses, sin cos tan, integers, names). The keys:

  case NAME, task TASK, family FAMILY, size N
  symbols NAME...            every name that the expressions may use
  point NAME=VALUE...        where results are compared in double
  chain:        angles, rates, masses, inertias NAME...; x EXPR, y EXPR: the positions of the masses
  zero:         left EXPR, right EXPR
  determinant:  entry EXPR, row by row;  solve: also rhs EXPR
  derive:       model PATH of a text in .lia
  d, dd, wedge: a I,J,..: EXPR, and for wedge b I,J,..: EXPR: the terms of the forms, indices of symbols from 0
"""

import itertools
import random


class Case:
    def __init__(self, family, size, task, lines, symbols):
        self.family, self.size, self.task = family, size, task
        self.name = f"{family}-{size}" if size is not None else family
        self.lines, self.symbols = lines, symbols
        self.expected = {}  # results that are known otherwise, by name
        self.agreement = 1e-9  # how far values may differ, of the greatest
        self.series = None  # programs and methods that take part; nothing: all that have the task

    def point(self):
        rng = random.Random(self.name)
        return {s: rng.randint(200, 1400) / 1000 for s in self.symbols}

    def text(self):
        point = " ".join(f"{name}={value!r}" for name, value in self.point().items())
        size = 0 if self.size is None else self.size
        head = [
            f"case {self.name}",
            f"task {self.task}",
            f"family {self.family}",
            f"size {size}",
            f"symbols {' '.join(self.symbols)}",
            f"point {point}",
        ]
        return "\n".join(head + self.lines) + "\n"

    def write(self, folder):
        (folder / f"{self.name}.txt").write_text(self.text(), encoding="utf-8")


def names(letter, n):
    return [f"{letter}{i}" for i in range(1, n + 1)]


def plus(terms):
    return " + ".join(terms) if terms else "0"


# Kinetic energy of a planar chain, absolute angles.


def chain(n):
    q, v, m, j, l = (names(letter, n) for letter in "qvmjl")
    lines = [f"angles {' '.join(q)}", f"rates {' '.join(v)}", f"masses {' '.join(m)}", f"inertias {' '.join(j)}"]
    for k in range(1, n + 1):
        lines.append("x " + plus([f"{l[i]}*sin({q[i]})" for i in range(k)]))
        lines.append("y " + plus([f"{l[i]}*cos({q[i]})" for i in range(k)]))
    return Case("chain", n, "chain", lines, q + v + m + j + l)


# Identities.


def identity(family, size, left, right, symbols):
    return Case(family, size, "zero", [f"left {left}", f"right {right}"], symbols)


def chebyshev(n):
    a, b = [1], [0, 1]
    for _ in range(n - 1):
        c = [0] + [2 * x for x in b]
        for i, x in enumerate(a):
            c[i] -= x
        a, b = b, c
    return plus([f"({c})*cos(x)^{k}" if k else f"({c})" for k, c in enumerate(b) if c])


def tangent_multiple(n):
    """tan(n x) as a fraction in t = tan(x)."""

    def binomial(k):
        result = 1
        for i in range(k):
            result = result * (n - i) // (i + 1)
        return result

    top = plus([f"({(-1) ** (k // 2) * binomial(k)})*tan(x)^{k}" for k in range(1, n + 1, 2)])
    bottom = plus([f"({(-1) ** (k // 2) * binomial(k)})*tan(x)^{k}" if k else "1" for k in range(0, n + 1, 2)])
    return f"({top})/({bottom})"


def dirichlet(n):
    left = "1 + " + plus([f"2*cos({k}*x)" for k in range(1, n + 1)])
    return identity("dirichlet-kernel", n, left, f"sin({2 * n + 1}*x/2)/sin(x/2)", ["x"])


def cosine_products(n):
    """Morrie's law."""
    left = "*".join(f"cos({2**k}*x)" for k in range(n))
    return identity("doubling-product", n, left, f"sin({2**n}*x)/({2**n}*sin(x))", ["x"])


def lagrange(n):
    q = names("q", n)
    left = f"({plus([f'cos({a})' for a in q])})^2 + ({plus([f'sin({a})' for a in q])})^2"
    right = f"{n} + " + plus([f"2*cos({a} - {b})" for a, b in itertools.combinations(q, 2)])
    return identity("lagrange", n, left, right, q)


def product_to_sum(n):
    q = names("q", n)
    terms = []
    for signs in itertools.product("+-", repeat=n - 1):
        terms.append(f"cos({q[0]} {' '.join(s + ' ' + a for s, a in zip(signs, q[1:]))})")
    return identity("product-to-sum", n, "*".join(f"cos({a})" for a in q), f"({plus(terms)})/{2 ** (n - 1)}", q)


def matrix_product(a, b):
    return [
        ["(" + plus([f"{a[i][k]}*{b[k][j]}" for k in range(len(b)) if "0" not in (a[i][k], b[k][j])]) + ")" for j in range(len(b[0]))]
        for i in range(len(a))
    ]


def euler_rotation(psi, theta, phi):
    """z-x-z, body to space."""

    def about_z(q):
        return [[f"cos({q})", f"(-sin({q}))", "0"], [f"sin({q})", f"cos({q})", "0"], ["0", "0", "1"]]

    about_x = [["1", "0", "0"], ["0", f"cos({theta})", f"(-sin({theta}))"], ["0", f"sin({theta})", f"cos({theta})"]]
    return matrix_product(matrix_product(about_z(psi), about_x), about_z(phi))


def rotation_trace(n):
    """|R1 R2 .. Rn|^2 = 3 for rotations by Euler angles."""
    angles = [(f"a{i}", f"b{i}", f"c{i}") for i in range(1, n + 1)]
    product = euler_rotation(*angles[0])
    for triple in angles[1:]:
        product = matrix_product(product, euler_rotation(*triple))
    left = plus([f"{entry}^2" for row in product for entry in row])
    return identity("rotation-norm", n, left, "3", [a for triple in angles for a in triple])


def rotation_determinant():
    r = euler_rotation("a", "b", "c")
    terms = []
    for i, j, k, sign in ((0, 1, 2, "+"), (1, 2, 0, "+"), (2, 0, 1, "+"), (2, 1, 0, "-"), (1, 0, 2, "-"), (0, 2, 1, "-")):
        terms.append(f"{sign} {r[0][i]}*{r[1][j]}*{r[2][k]}")
    return identity("rotation-determinant", None, "0 " + " ".join(terms), "1", ["a", "b", "c"])


def euler_rodrigues():
    r = euler_rotation("a", "b", "c")
    quaternion = ["cos(b/2)*cos((a+c)/2)", "sin(b/2)*cos((a-c)/2)", "sin(b/2)*sin((a-c)/2)", "cos(b/2)*sin((a+c)/2)"]
    q0, q1, q2, q3 = (f"({q})" for q in quaternion)
    entries = [
        [f"{q0}^2 + {q1}^2 - {q2}^2 - {q3}^2", f"2*({q1}*{q2} - {q0}*{q3})", f"2*({q1}*{q3} + {q0}*{q2})"],
        [f"2*({q1}*{q2} + {q0}*{q3})", f"{q0}^2 - {q1}^2 + {q2}^2 - {q3}^2", f"2*({q2}*{q3} - {q0}*{q1})"],
        [f"2*({q1}*{q3} - {q0}*{q2})", f"2*({q2}*{q3} + {q0}*{q1})", f"{q0}^2 - {q1}^2 - {q2}^2 + {q3}^2"],
    ]
    weights = [f"k{i}{j}" for i in range(1, 4) for j in range(1, 4)]
    left = plus([f"{w}*{e}" for w, e in zip(weights, sum(r, []))])
    right = plus([f"{w}*({e})" for w, e in zip(weights, sum(entries, []))])
    return identity("euler-rodrigues", None, left, right, ["a", "b", "c"] + weights)


def catalogue_identities():
    """Identities behind rows of the catalogue of examples."""
    p = "(sin(th)*sin(ph)*psi1 + cos(ph)*th1)"
    q = "(sin(th)*cos(ph)*psi1 - sin(ph)*th1)"
    r = "(cos(th)*psi1 + ph1)"
    rates = ["th", "ph", "psi1", "th1", "ph1"]
    yield identity(
        "G1.II-Euler-rates", None, f"{p}^2 + {q}^2 + {r}^2", "th1^2 + psi1^2 + ph1^2 + 2*cos(th)*psi1*ph1", rates
    )

    # d w1 = -w2^w3 and cyclic for z-x-z Euler angles, on two vectors u, v with components (psi, th, ph).
    def on(vector):
        w1 = f"(sin(th)*sin(ph)*{vector}1 + cos(ph)*{vector}2)"
        w2 = f"(sin(th)*cos(ph)*{vector}1 - sin(ph)*{vector}2)"
        w3 = f"(cos(th)*{vector}1 + {vector}3)"
        return w1, w2, w3

    def wedge(i, j):
        return f"(u{i}*v{j} - u{j}*v{i})"

    d = (
        f"cos(th)*sin(ph)*{wedge(2, 1)} + sin(th)*cos(ph)*{wedge(3, 1)} - sin(ph)*{wedge(3, 2)}",
        f"cos(th)*cos(ph)*{wedge(2, 1)} - sin(th)*sin(ph)*{wedge(3, 1)} - cos(ph)*{wedge(3, 2)}",
        f"-sin(th)*{wedge(2, 1)}",
    )
    u, v = on("u"), on("v")
    left = plus([f"k{i + 1}*({d[i]})" for i in range(3)])
    right = plus(
        [f"k{i + 1}*({u[(i + 2) % 3]}*{v[(i + 1) % 3]} - {u[(i + 1) % 3]}*{v[(i + 2) % 3]})" for i in range(3)]
    )
    yield identity("G1.II-structure", None, left, right, ["th", "ph"] + names("u", 3) + names("v", 3) + names("k", 3))

    # Rates of the Euler angles from p, q, r, put back.
    psi1, th1 = "((p*sin(ph) + q*cos(ph))/sin(th))", "(p*cos(ph) - q*sin(ph))"
    ph1 = "(r - (p*sin(ph) + q*cos(ph))*cos(th)/sin(th))"
    left = f"(sin(th)*sin(ph)*{psi1} + cos(ph)*{th1})^2 + (sin(th)*cos(ph)*{psi1} - sin(ph)*{th1})^2 + (cos(th)*{psi1} + {ph1})^2"
    yield identity("G1.II-inverse-rates", None, left, "p^2 + q^2 + r^2", ["p", "q", "r", "th", "ph"])

    # Cart and pendulum with a servo constraint: lambda = -(m1 + m2) g tan(th).
    det = "((m1 + m2)*m2*l^2 - (m2*l*cos(th))^2)"
    acceleration = f"((-m2*l*cos(th))*(m2*l*sin(th)*w^2) + (m1 + m2)*(-m2*g*l*sin(th)))/{det}"
    left = f"-({acceleration})/((-m2*l*cos(th))/{det}) "
    yield identity(
        "G2-servo-cart", None, left, "-(m1 + m2)*g*tan(th) - m2*l*sin(th)*w^2", ["m1", "m2", "l", "g", "th", "w"]
    )

    yield identity(
        "double-pendulum-det",
        None,
        "(m1 + m2)*l1^2*m2*l2^2 - (m2*l1*l2*cos(a - b))^2",
        "m2*l1^2*l2^2*(m1 + m2*sin(a - b)^2)",
        ["m1", "m2", "l1", "l2", "a", "b"],
    )
    # Energy of the double pendulum along its textbook equations of motion: power is zero.
    den = "(2*m1 + m2 - m2*cos(2*a - 2*b))"
    aa = f"((-g*(2*m1 + m2)*sin(a) - m2*g*sin(a - 2*b) - 2*sin(a - b)*m2*(v^2*l2 + u^2*l1*cos(a - b)))/(l1*{den}))"
    bb = f"((2*sin(a - b)*(u^2*l1*(m1 + m2) + g*(m1 + m2)*cos(a) + v^2*l2*m2*cos(a - b)))/(l2*{den}))"
    left = (
        f"(m1 + m2)*l1^2*u*{aa} + m2*l2^2*v*{bb} + m2*l1*l2*({aa}*v + u*{bb})*cos(a - b)"
        " - m2*l1*l2*u*v*sin(a - b)*(u - v)"
    )
    right = "-(m1 + m2)*g*l1*sin(a)*u - m2*g*l2*sin(b)*v"
    yield identity("double-pendulum-power", None, left, right, ["m1", "m2", "l1", "l2", "g", "a", "b", "u", "v"])


def identities(quick):
    if quick:
        yield from (dirichlet(4), lagrange(6), product_to_sum(4), *catalogue_identities())
        return
    yield identity("pythagoras", None, "sin(x)^2 + cos(x)^2", "1", ["x"])
    yield identity("half-angle-sine", None, "sin(x)", "2*tan(x/2)/(1 + tan(x/2)^2)", ["x"])
    yield identity("half-angle-tangent", None, "tan(x/2)", "(1 - cos(x))/sin(x)", ["x"])
    yield identity("sum-to-product", None, "sin(x) + sin(y)", "2*sin((x + y)/2)*cos((x - y)/2)", ["x", "y"])
    three = ["tan(x)", "tan(y)", "tan(z)"]
    pairs = plus([f"{a}*{b}" for a, b in itertools.combinations(three, 2)])
    yield identity(
        "tangent-of-sum", None, "tan(x + y + z)", f"({plus(three)} - {'*'.join(three)})/(1 - ({pairs}))", ["x", "y", "z"]
    )
    yield from catalogue_identities()
    yield rotation_determinant()
    yield euler_rodrigues()
    for n in (3, 6, 12):
        yield identity("tangent-multiple", n, f"tan({n}*x)", tangent_multiple(n), ["x"])
    for n in (4, 8, 16, 32):
        yield identity("chebyshev", n, f"cos({n}*x)", chebyshev(n), ["x"])
    for n in (2, 4, 8, 16):
        yield dirichlet(n)
    for n in (2, 3, 4, 5):
        yield cosine_products(n)
    for n in (4, 8, 16, 32):
        yield lagrange(n)
    for n in (3, 4, 6, 8):
        yield product_to_sum(n)
    for n in (1, 2, 3):
        yield rotation_trace(n)


# Matrices.


def chain_matrix(n):
    """Mass matrix of a chain of equal masses, absolute angles."""
    return [
        [f"{n - max(i, j)}*l{i + 1}*l{j + 1}*cos(q{i + 1} - q{j + 1})" for j in range(n)] for i in range(n)
    ], names("q", n) + names("l", n)


def dense_matrix(n):
    """Full, every entry a trigonometric polynomial in three angles with small integer coefficients."""
    rng = random.Random(f"dense {n}")

    def entry():
        a, b = rng.choice("xyz"), rng.choice("xyz")
        return f"({rng.randint(1, 9)}*sin({a}) - {rng.randint(1, 9)}*cos({b}) + {rng.randint(-5, 5)})"

    return [[entry() for _ in range(n)] for _ in range(n)], ["x", "y", "z"]


def rotation_matrix(n):
    """Product of the rotations in the planes (1,2), (2,3), ..., (n-1,n) and back: full below the first superdiagonals."""

    def plane(i, q):
        rows = [["1" if r == c else "0" for c in range(n)] for r in range(n)]
        rows[i][i], rows[i][i + 1], rows[i + 1][i], rows[i + 1][i + 1] = f"cos({q})", f"(-sin({q}))", f"sin({q})", f"cos({q})"
        return rows

    def product(a, b):
        result = []
        for i in range(n):
            row = []
            for j in range(n):
                terms = [(a[i][k], b[k][j]) for k in range(n) if a[i][k] != "0" and b[k][j] != "0"]
                texts = [x if y == "1" else y if x == "1" else f"{x}*{y}" for x, y in terms]
                row.append("0" if not texts else texts[0] if len(texts) == 1 else "(" + plus(texts) + ")")
            result.append(row)
        return result

    q = names("q", n - 1)
    down = plane(0, q[0])
    for i in range(1, n - 1):
        down = product(down, plane(i, q[i]))
    up = plane(n - 2, q[0])
    for i in range(n - 3, -1, -1):
        up = product(up, plane(i, q[n - 2 - i]))
    return product(down, up), q


def matrix_case(family, n, task, matrix, symbols, rhs=()):
    lines = [f"entry {entry}" for row in matrix for entry in row] + [f"rhs {b}" for b in rhs]
    return Case(family, n, task, lines, symbols)


def determinants(quick):
    for n in (4,) if quick else (4, 5, 6, 7, 8):
        yield matrix_case("det-chain", n, "determinant", *chain_matrix(n))
    for n in (4,) if quick else (4, 5, 6, 7, 8):
        yield matrix_case("det-dense", n, "determinant", *dense_matrix(n))
    for n in (4,) if quick else (4, 5, 6, 7, 8):
        yield matrix_case("det-rotation", n, "determinant", *rotation_matrix(n))


def solves(quick):
    for n in (4,) if quick else (4, 5, 6, 7, 8):
        matrix, symbols = chain_matrix(n)
        rhs = [f"-{n - i}*g*l{i + 1}*sin(q{i + 1})" for i in range(n)]
        yield matrix_case("solve-chain", n, "solve", matrix, symbols + ["g"], rhs)
    for n in (4,) if quick else (4, 5, 6, 7, 8):
        matrix, symbols = rotation_matrix(n)
        yield matrix_case("solve-rotation", n, "solve", matrix, symbols + names("b", n), names("b", n))
    for n in () if quick else (4, 5):
        matrix, symbols = dense_matrix(n)
        yield matrix_case("solve-dense", n, "solve", matrix, symbols, [f"{i + 1}" for i in range(n)])


# Forms.


def random_form(rng, dimension, degree, terms, letter):
    def coefficient():
        x = [f"x{i}" for i in range(1, dimension + 1)]
        parts = []
        for _ in range(3):
            a, b, c, d = rng.sample(x, 4)
            function = rng.choice([f"sin({c})", f"cos({c} - {d})", f"{c}^{rng.randint(2, 4)}", f"exp({c})"])
            parts.append(f"{rng.randint(1, 9)}*{a}*{b}^{rng.randint(2, 3)}*{function}")
        return plus(parts)

    indices = list(itertools.combinations(range(dimension), degree))
    chosen = sorted(rng.sample(indices, min(terms, len(indices))))
    return [f"{letter} {','.join(map(str, index))}: {coefficient()}" for index in chosen]


def forms(quick):
    dimension, x = 10, names("x", 10)
    for n in (10,) if quick else (10, 45, 120):
        rng = random.Random(f"d {n}")
        yield Case("d", n, "d", random_form(rng, dimension, 2 if n <= 45 else 3, n, "a"), x)
    for n in (10,) if quick else (10, 45, 120):
        rng = random.Random(f"dd {n}")
        yield Case("d-d-is-zero", n, "dd", random_form(rng, dimension, 2 if n <= 45 else 3, n, "a"), x)
    for n in (10,) if quick else (10, 45, 120):
        rng = random.Random(f"wedge {n}")
        degree = 2 if n <= 45 else 3
        lines = random_form(rng, dimension, degree, n, "a") + random_form(rng, dimension, degree, n, "b")
        yield Case("wedge", n, "wedge", lines, x)


def all_cases(quick=False):
    for n in (3, 5) if quick else (5, 10, 20, 50):
        yield chain(n)
    yield from identities(quick)
    yield from determinants(quick)
    yield from solves(quick)
    yield from forms(quick)
