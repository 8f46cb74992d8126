"""Claims about a model, and their truth at states that were found without the program."""

import functools
import re
from dataclasses import dataclass, field
from fractions import Fraction

import mpmath
import sympy

import evaluate
import expression
import model as models
import rounding
import states

MOTION = re.compile(r"''|\b(lambda|power)\(")
PIECES = re.compile(r"\b(sign|abs|min|max)\(")
EQUAL = mpmath.mpf(10)**-75  # two sides that agree so closely at a state, compared with their size or with 1, are equal


@dataclass
class Claim:
    kind: str  # equality, conserved, compatible, independent, or fixed: the truth is known by construction
    left: str = ""
    right: str = ""
    names: list = field(default_factory=list)
    negated: bool = False
    known: bool | None = None  # the truth of a fixed one, before the negation
    within: str = ""  # a tolerance at every state

    def text(self):
        if self.kind == "equality":
            return f"{self.left} == {self.right}" + (f" within {self.within}" if self.within else "")
        if self.kind == "fixed":
            body = self.left
        elif self.kind == "conserved":
            body = f"conserved({self.left})"
        else:
            body = f"independent({', '.join(self.names)})" if self.kind == "independent" else "compatible"
        return body + (" == false" if self.negated else "")

    def negation(self):
        return Claim(self.kind, self.left, self.right, self.names, not self.negated, self.known)


def derived(tree):
    """`lambda(c)` and `power(c)` as symbols of their own."""
    if tree[0] == "apply":
        if tree[1] in ("lambda", "power"):
            return ("sym", f"{tree[1]}({tree[3][0][1]})")
        return (*tree[:3], [derived(part) for part in tree[3]])
    if tree[0] == "call":
        return (*tree[:2], [derived(part) for part in tree[2]])
    return tuple(derived(part) if isinstance(part, tuple) else part for part in tree)


@functools.lru_cache(64)
def read(text):
    return derived(expression.parse(text))


def unknown_function(name, slots, arguments):
    value = concrete_function(name, len(slots))(evaluate.real(arguments[0].number))
    return evaluate.Value(value, max(mpmath.mpf(1), evaluate.real(arguments[0].size), abs(value)))


def rounded(number):
    """A computed number: what was lost is measured by 1, not by the number, which may be the rest of a zero."""
    return evaluate.Value(number, max(abs(number), mpmath.mpf(1)))


@functools.cache
def concrete_function(name, order):
    return states.function([models.VARIABLE], models.derivative(name, order))


class Judge:
    """The truth of claims about one model: True, False, or None where it is not known."""

    def __init__(self, model, seed):
        self.model, self.seed, self.derivatives = model, seed, {}
        self.numbers = states.Numbers(models.Equations(model))
        self.states = [] if model.empty else states.find_states(self.numbers, seed)

    def spoken_of(self, claim):
        """All states, where the motion exists of which the claim speaks."""
        speaks_of_motion = claim.kind == "conserved" or MOTION.search(claim.left + claim.right)
        return self.moving() if speaks_of_motion else self.states

    def has_something_to_say(self, claim):
        """Of one state at least: a formula that divides by det r has no value where relations are redundant."""
        if claim.kind not in ("equality", "conserved"):
            return bool(self.states)
        return any(self.holds(claim, state) is not None for state in self.spoken_of(claim))

    def moving(self):
        return [state for state in self.states if state.motion.kind in ("regular", "redundant")]

    def truth(self, claim):
        truth = claim.known if claim.kind == "fixed" else self.positive(claim)
        return truth if truth is None or not claim.negated else not truth

    def positive(self, claim):
        if claim.kind in ("equality", "conserved"):
            verdicts = [self.holds(claim, state) for state in [*self.spoken_of(claim), *self.switching(claim)]]
            if False in verdicts:
                return False
            # Samples do not reach every piece: what holds at all of them may fail on another, or beyond a tolerance elsewhere.
            is_seen = not claim.within and not PIECES.search(claim.left + claim.right)
            return True if True in verdicts and is_seen else None
        if not self.states:
            return None
        if claim.kind == "compatible":
            if len({state.motion.kind == "contradictory" for state in self.states}) == 2:
                return None  # a component without motion beside one that has motions
            return all(state.motion.kind != "undetermined" and state.motion.full for state in self.states)
        return all(self.independent(claim, state) for state in self.states)

    def switching(self, claim):
        """States with a velocity zero whose sign is spoken of."""
        names = set(re.findall(r"sign\((\w+')\)", claim.left + claim.right))
        found = [state for name in sorted(names) for state in states.completed(self.numbers, {name: Fraction(0)}, self.seed, 6)]
        return [state for state in found if state.motion.kind in ("regular", "redundant")]

    def holds(self, claim, state):
        """At one state; None where the claim speaks of nothing there."""
        if claim.kind == "conserved":
            return self.kept(claim, state)
        return self.equal(read(claim.left), read(claim.right), state, Fraction(claim.within or 0))

    def equal(self, left, right, state, tolerance=0):
        try:
            with mpmath.workdps(states.DIGITS):
                point = {name: rounded(number) for name, number in state.point.items()}
                a, b = (evaluate.value(side, point, unknown_function) for side in (left, right))
                size = max(evaluate.real(a.size), evaluate.real(b.size), 1)
                x, y = evaluate.real(a.number), evaluate.real(b.number)
                allowed = mpmath.mpf(tolerance.numerator)/tolerance.denominator*max(abs(x), abs(y))
                return bool(abs(x - y) <= allowed + EQUAL*size)
        except (evaluate.Undefined, evaluate.Undecided):
            return None

    def kept(self, claim, state):
        with mpmath.workdps(states.DIGITS):
            try:
                values = self.rates(claim.left)(*state.z, *state.fixed)
            except (ZeroDivisionError, ValueError, TypeError):
                return None
            n = len(self.model.coords)
            terms = values[:n + 1] + [value*a for value, a in zip(values[n + 1:], state.motion.acceleration)]
            return bool(abs(sum(terms)) <= EQUAL*max([abs(term) for term in terms] + [1]))

    def rates(self, text):
        """The parts of the time derivative: by the time, by each coordinate times its velocity, by each velocity."""
        if text not in self.derivatives:
            equations = self.numbers.equations
            quantity = models.to_sympy(expression.parse(text), equations.names | {"T": equations.T, "V": equations.V})
            parts = [sympy.diff(quantity, equations.names["t"]), *(sympy.diff(quantity, q)*v for q, v in zip(equations.q, equations.v)),
                     *(sympy.diff(quantity, v) for v in equations.v)]
            self.derivatives[text] = states.function([*self.numbers.moving, *self.numbers.fixed], parts)
        return self.derivatives[text]

    def independent(self, claim, state):
        places = [k for k, constraint in enumerate(self.model.constraints) if constraint.name in claim.names]
        with mpmath.workdps(states.DIGITS):
            rows = self.numbers.parts(*state.z, *state.fixed)[2]
            return states.rank([rows[k] for k in places]) == len(places)

    def witness(self, claim, given, seed):
        """"differs", "equal", "no motion", "sign", "singular": what is at the given point, completed where it is not whole."""
        for name, positive in self.model.params.items():
            if positive and given.get(name, 1) <= 0:
                return "sign"
        found, speaks_of_motion = "no motion", claim.kind == "conserved" or MOTION.search(claim.left + claim.right)
        for state in states.completed(self.numbers, given, seed):
            exists = not speaks_of_motion or state.motion.kind in ("regular", "redundant")
            verdict = self.holds(claim, state) if exists else "no motion"
            if verdict is False or verdict is True and self.differs_nearby(claim, state):
                return "differs"
            found = {True: "equal", None: "not decided"}.get(verdict, found)
        return "singular" if self.numbers.is_nearly_singular(given) else found

    def differs_nearby(self, claim, state):
        """At the true state that a printed one stands for."""
        if claim.kind == "conserved":
            return False
        with mpmath.workdps(states.DIGITS):
            sides = [rounding.snapped(read(side), state.point, unknown_function) for side in (claim.left, claim.right)]
        return self.equal(*sides, state) is False
