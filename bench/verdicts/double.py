"""Values in double precision, as a compiled program computes them; nan where there is none."""

import math


CALLS = {name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
                                                "exp", "log", "sqrt")}
CALLS.update(abs=abs, sign=lambda x: float((x > 0) - (x < 0)), min=min, max=max)


def plain(tree, point):
    kind = tree[0]
    if kind == "num":
        return float(tree[1])
    if kind == "sym":
        return float(point[tree[1]])
    if kind == "pi":
        return math.pi
    if kind == "neg":
        return -plain(tree[1], point)
    if kind == "call":
        return CALLS[tree[1]](*(plain(part, point) for part in tree[2]))
    left, right = plain(tree[1], point), plain(tree[2], point)
    if kind == "add":
        return left + right
    if kind == "mul":
        return left*right
    return left/right if kind == "div" else math.pow(left, right)


def value(tree, point):
    try:
        return plain(tree, point)
    except (ValueError, OverflowError, ZeroDivisionError):
        return math.nan
