"""A witness that is not rational is printed with 17 digits: what vanishes within that rounding vanishes at the true point.

A sign is 0 at the true point if its argument is no larger at the printed one than it changes within the rounding: also where the
argument touches zero without crossing it.
"""

from fractions import Fraction

import mpmath

import evaluate
import expression

LONG = 10**12  # numerator or denominator of a value that is the rounding of another
ROUNDING = mpmath.mpf(10)**-15


def is_rounded(point):
    return any(not isinstance(value, Fraction) or max(abs(value.numerator), value.denominator) >= LONG for value in point.values())


def neighbours(point, names):
    for name in names:
        if name in point:
            value = evaluate.real(getattr(point[name], "number", point[name]))
            for step in (ROUNDING, -ROUNDING):
                yield {**point, name: value + step*max(1, abs(value))}


def vanishes(tree, point, apply):
    """Within the rounding of the point."""
    def number(at):
        return evaluate.real(evaluate.value(tree, at, apply).number)
    try:
        here = number(point)
        change = max((abs(number(near) - here) for near in neighbours(point, expression.symbols(tree))), default=0)
    except (evaluate.Undefined, evaluate.Undecided):
        return False
    return bool(abs(here) <= 2*change)


def snapped(tree, point, apply=None):
    """The tree with 0 for each sign whose argument vanishes there."""
    if tree[0] == "call" and tree[1] == "sign" and vanishes(tree[2][0], point, apply):
        return ("num", Fraction(0))
    if tree[0] in ("call", "apply"):
        return (*tree[:-1], [snapped(part, point, apply) for part in tree[-1]])
    return tuple(snapped(part, point, apply) if isinstance(part, tuple) else part for part in tree)
