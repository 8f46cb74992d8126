"""Judges an answer of `zero` by the truth of the question, and `simplify` by values."""

import math
import random
import re
from fractions import Fraction

import mpmath

import double
import evaluate
import expression
import program
import rounding
from question import points


LONGEST = 1500  # characters of a form that is evaluated


def judge_zero(question, answer):
    """(outcome, why): "right", "unknown", "refused", "timeout", or "wrong: ..."."""
    if answer.status in ("refused", "timeout"):
        return answer.status, answer.text
    if answer.status == "crash":
        return "wrong: crash", answer.text
    if answer.status == "unknown":
        return "unknown", answer.text
    if (answer.status == "empty") != (question.truth is None):
        return f"wrong: {answer.status}{' of nothing' if question.truth is None else ''}", answer.text
    if question.truth is None:
        return "right", ""
    if question.truth:
        return ("right", "") if answer.status in ("proved", "checked") else ("wrong: true refuted", answer.text)
    if answer.status != "refuted":
        return f"wrong: false {answer.status}", f"{answer.text}; it fails at {shown(question.where)}"
    return judge_witness(question, answer)


def judge_witness(question, answer):
    left, right = question.trees()
    try:
        same = evaluate.compare(left, right, answer.point)
    except evaluate.Undefined as reason:
        return "wrong: witness outside of the domain", f"{answer.text} ({reason})"
    except evaluate.Undecided as reason:
        return "right", f"the witness could not be judged: {reason}"
    if not same:
        return "right", ""
    return ("right: the witness is rounded", "") if differs_nearby(left, right, answer.point) else ("wrong: equal at the witness", answer.text)


def differs_nearby(left, right, point):
    """At the true point that a printed one stands for."""
    if not rounding.is_rounded(point):
        return False
    with mpmath.workdps(evaluate.DIGITS):
        sides = [rounding.snapped(side, point) for side in (left, right)]
    try:
        return not evaluate.agree(*sides, point)
    except (evaluate.Undefined, evaluate.Undecided):
        return False


def shown(point):
    return ", ".join(f"{name} = {value}" for name, value in point.items())


def judge_simplify(text, seed, path):
    """Values and domain are kept at random points, and in doubles nothing overflows or cancels that did not before."""
    forms = program.ask_simplify(path, text)
    if isinstance(forms, program.Answer):
        return ("wrong: crash", forms.text) if forms.status == "crash" else (forms.status, forms.text)
    given = expression.parse(text)
    for name, form in zip(("canonical", "readable"), forms):
        if len(form) > LONGEST:
            continue
        tree = expression.parse(form)
        for point in points(expression.symbols(given), random.Random(seed), 40, borders(text)):
            found = compare_forms(given, tree, point, name == "readable")
            if found:
                return f"wrong: {name} {found}", f"{form} at {shown(point)}"
    return "right", ""


def borders(text):
    """Where pieces and domains of a text are likely to end: at zero, and at its small numbers."""
    numbers = {int(digits) for digits in re.findall(r"(?<![\w.])\d{1,7}(?![\w.])", text)}
    return sorted({Fraction(sign*number) for number in sorted(numbers)[:4] for sign in (-1, 1)} | {Fraction(0)})


def compare_forms(given, form, point, in_doubles):
    try:
        evaluate.value(given, point)
    except (evaluate.Undefined, evaluate.Undecided):
        return None
    try:
        if not evaluate.agree(given, form, point):
            return "differs"
    except evaluate.Undefined:
        return "lost a point"
    except evaluate.Undecided:
        return None
    return compare_doubles(given, form, point) if in_doubles else None


def compare_doubles(given, form, point):
    """Only large losses count: a value becomes infinite, or ten digits more are lost than before."""
    known = evaluate.value(given, point)
    exact = float(evaluate.real(known.number))
    if exact == 0 or not math.isfinite(exact) or evaluate.real(known.size) > 1e3*abs(evaluate.real(known.number)):
        return None
    before, after = double.value(given, point), double.value(form, point)
    if not math.isfinite(before):
        return None
    if not math.isfinite(after):
        return "overflows"
    scale = max(abs(exact), 1e-300)
    lost_before, lost_after = abs(before - exact)/scale, abs(after - exact)/scale
    return "cancels" if lost_after > 1e-5 and lost_before < 1e-15*10 else None
