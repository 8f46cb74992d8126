"""Values of expressions at a point: exact where they are rational, else with many digits of mpmath.

A text has a value where each of its parts has one: no division by zero, roots and fractional powers of what is not negative, `log` of
what is positive, `asin` and `acos` on [-1, 1], `atan2` away from the origin; `sign(0)` is 0.
"""

import math
from fractions import Fraction

import mpmath

DIGITS = 80  # working precision
MORE_DIGITS = 500  # where two sides seem equal


class Undefined(Exception):
    """The text has no value here."""


class Undecided(Exception):
    """Not to be told with these digits: a sign, a border of the domain, an unknown function."""


def decided():
    """What is smaller, compared with its parts, is not told from zero."""
    return mpmath.mpf(10)**(-3*mpmath.mp.dps//4)


def real(value):
    return mpmath.mpf(value.numerator)/value.denominator if isinstance(value, Fraction) else value


def finite(value):
    if isinstance(value, Fraction):
        return value
    if not mpmath.isfinite(value):
        raise Undecided("not finite")
    if value != 0 and abs(mpmath.mag(value)) > 10**5:
        raise Undecided("beyond any range")
    return value


class Value:
    """A number and the size of what it was summed from: cancellation is seen."""

    __slots__ = ("number", "size")

    def __init__(self, number, size=None):
        self.number = finite(number)
        self.size = abs(self.number) if size is None else size

    def exact(self):
        return isinstance(self.number, Fraction)

    def sign(self):
        if self.exact():
            return (self.number > 0) - (self.number < 0)
        if abs(self.number) <= decided()*real(self.size):
            raise Undecided("a sign")
        return 1 if self.number > 0 else -1


def both_exact(a, b):
    return a.exact() and b.exact()


def add(a, b):
    if both_exact(a, b):
        return Value(a.number + b.number)
    total = real(a.number) + real(b.number)
    return Value(total, max(real(a.size), real(b.size)))


def multiply(a, b):
    if both_exact(a, b):
        return Value(a.number*b.number)
    return Value(real(a.number)*real(b.number), real(a.size)*real(b.size))


def inverse(a):
    if a.exact():
        if a.number == 0:
            raise Undefined("division by zero")
        return Value(1/a.number)
    a.sign()
    return Value(1/a.number, real(a.size)/a.number**2)


def integer_power(base, exponent):
    if exponent < 0:
        return integer_power(inverse(base), -exponent)
    if base.exact():
        if abs(exponent)*max(1, base.number.numerator.bit_length()) > 10**5:
            raise Undecided("a power beyond any range")
        return Value(base.number**exponent)
    if exponent == 0:
        return Value(Fraction(1))
    power = base.number**exponent
    return Value(power, abs(power)*max(1, real(base.size)/max(abs(base.number), mpmath.mpf(10)**-1000)))


def exact_root(number, order):
    """The root of a fraction, if it is one."""
    parts = []
    for part in (number.numerator, number.denominator):
        guess = integer_root(part, order)
        if guess**order != part:
            return None
        parts.append(guess)
    return Fraction(*parts)


def integer_root(number, order):
    if order == 2:
        return math.isqrt(number)
    low, high = 0, 1 << (number.bit_length()//order + 1)
    while low < high:
        middle = (low + high + 1)//2
        low, high = (middle, high) if middle**order <= number else (low, middle - 1)
    return low


def fractional_power(base, exponent):
    if base.exact():
        if base.number < 0:
            raise Undefined("a root of a negative number")
        if base.number == 0:
            if exponent < 0:
                raise Undefined("division by zero")
            return Value(Fraction(0))
        root = exact_root(base.number, exponent.denominator)
        if root is not None:
            return integer_power(Value(root), exponent.numerator)
    elif base.sign() < 0:
        raise Undefined("a root of a negative number")
    number = real(base.number)
    root = number**(mpmath.mpf(exponent.numerator)/exponent.denominator)
    return Value(root, root*max(1, real(base.size)/number))


def power(base, exponent):
    if exponent.exact():
        if exponent.number.denominator == 1:
            return integer_power(base, exponent.number.numerator)
        return fractional_power(base, exponent.number)
    if base.sign() <= 0:
        raise Undefined("a power of what is not positive")
    return Value(mpmath.exp(real(exponent.number)*mpmath.log(real(base.number))))


def in_unit(a):
    if add(a, Value(Fraction(-1))).sign() > 0 or add(a, Value(Fraction(1))).sign() < 0:
        raise Undefined("outside of [-1, 1]")


def arc(function, a):
    in_unit(a)
    number = real(a.number)
    steep = 1/mpmath.sqrt(max(1 - number**2, mpmath.mpf(10)**-mpmath.mp.dps))
    return Value(function(number), max(1, real(a.size))*steep)


def logarithm(a):
    if a.sign() <= 0:
        raise Undefined("log of what is not positive")
    if a.exact() and a.number == 1:
        return Value(Fraction(0))
    number = real(a.number)
    return Value(mpmath.log(number), max(abs(mpmath.log(number)), real(a.size)/number))


def arc_tangent2(y, x):
    above, right = y.sign(), x.sign()
    if above == 0 and right == 0:
        raise Undefined("atan2(0, 0)")
    if above == 0:
        return Value(Fraction(0)) if right > 0 else Value(mpmath.pi())
    loss = max(real(y.size)/abs(real(y.number)), real(x.size)/abs(real(x.number)) if right else 1)
    return Value(mpmath.atan2(real(y.number), real(x.number)), mpmath.mpf(4)*loss)


def smooth(function, at_zero):
    def value(a):
        if a.exact() and a.number == 0:
            return Value(Fraction(at_zero))
        if real(a.size) > 10**50:
            raise Undecided("an angle beyond any range")
        return Value(function(real(a.number)), max(mpmath.mpf(1), real(a.size)))
    return value


def tangent(a):
    return multiply(CALLS["sin"](a), inverse(CALLS["cos"](a)))


def exponential(a):
    if abs(real(a.number)) > 10**4:
        raise Undecided("exp beyond any range")
    if a.exact() and a.number == 0:
        return Value(Fraction(1))
    number = mpmath.exp(real(a.number))
    return Value(number, number*max(1, real(a.size)))


def hyperbolic(function, at_zero, slope=mpmath.cosh):
    def value(a):
        if abs(real(a.number)) > 10**4:
            raise Undecided("exp beyond any range")
        if a.exact() and a.number == 0:
            return Value(Fraction(at_zero))
        return Value(function(real(a.number)), slope(real(a.number))*max(1, real(a.size)))
    return value


def choose(values, sign):
    best = values[0]
    for value in values[1:]:
        try:
            order = add(value, Value(-best.number, best.size)).sign()
        except Undecided:
            order = 0  # as large: either may be taken
        if order == sign:
            best = value
    return best


CALLS = {
    "sin": smooth(mpmath.sin, 0), "cos": smooth(mpmath.cos, 1), "tan": tangent,
    "sinh": hyperbolic(mpmath.sinh, 0), "cosh": hyperbolic(mpmath.cosh, 1), "tanh": hyperbolic(mpmath.tanh, 0, lambda _: 1),
    "asin": lambda a: arc(mpmath.asin, a), "acos": lambda a: arc(mpmath.acos, a),
    "atan": smooth(mpmath.atan, 0), "atan2": arc_tangent2,
    "exp": exponential, "log": logarithm, "sqrt": lambda a: fractional_power(a, Fraction(1, 2)),
    "abs": lambda a: Value(abs(a.number), a.size), "sign": lambda a: Value(Fraction(a.sign())),
    "min": lambda *values: choose(values, -1), "max": lambda *values: choose(values, 1),
}


def value(tree, point, apply=None):
    """The value of a tree at {name: Fraction or mpf}; `apply(name, slots, arguments)` knows unknown functions."""
    kind = tree[0]
    if kind == "num":
        return Value(tree[1])
    if kind == "sym":
        if tree[1] not in point:
            raise Undecided(f"no value for {tree[1]}")
        given = point[tree[1]]
        return given if isinstance(given, Value) else Value(given)
    if kind == "pi":
        return Value(mpmath.pi())
    if kind == "neg":
        inner = value(tree[1], point, apply)
        return Value(-inner.number, inner.size)
    if kind in ("call", "apply"):
        arguments = [value(part, point, apply) for part in tree[-1]]
        if kind == "call":
            return CALLS[tree[1]](*arguments)
        if apply is None:
            raise Undecided("an unknown function")
        return apply(tree[1], tree[2], arguments)
    left, right = value(tree[1], point, apply), value(tree[2], point, apply)
    if kind == "add":
        return add(left, right)
    if kind == "mul":
        return multiply(left, right)
    return multiply(left, inverse(right)) if kind == "div" else power(left, right)


def compare(left, right, point, apply=None):
    """True where both sides are equal, False where they differ for certain; Undefined or Undecided else."""
    return all(agree(left, right, point, apply, digits) for digits in (DIGITS, MORE_DIGITS))


def agree(left, right, point, apply=None, digits=DIGITS):
    """The same with a number of digits: a difference is certain, an equality is only so with these digits."""
    with mpmath.workdps(digits):
        a, b = value(left, point, apply), value(right, point, apply)
        if both_exact(a, b):
            return a.number == b.number
        gap = abs(real(a.number) - real(b.number))
        return bool(gap <= decided()*max(real(a.size), real(b.size)))
