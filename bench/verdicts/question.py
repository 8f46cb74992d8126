"""One question with its truth, and the points at which it is tried before it is asked."""

import random
from dataclasses import dataclass, field
from fractions import Fraction

import evaluate
import expression


@dataclass
class Question:
    kind: str  # the class it is counted in
    left: str
    right: str
    truth: bool | None  # equal at every real point where the text has a value; None where it has none
    where: dict = field(default_factory=dict)  # a point at which a false one fails

    def text(self):
        return f"{self.left} - ({self.right})"

    def trees(self):
        return expression.parse(self.left), expression.parse(self.right)


def random_number(rng):
    """A rational of any size; small and simple ones more often."""
    shape = rng.randrange(8)
    if shape < 3:
        return Fraction(rng.randint(-40, 40), rng.choice((1, 2, 3, 7)))
    if shape < 5:
        return Fraction(rng.randint(-3000, 3000), 997)
    if shape == 5:
        return Fraction(rng.choice((-1, 1))*rng.randint(1, 99))*Fraction(10)**rng.randint(-6, 6)
    return Fraction(rng.randint(-1000, 1000), 1000)


def points(names, rng, count, hints=()):
    """Points to try: the hinted values of single symbols and their surroundings first, then random ones."""
    for hint in hints:
        for nudge in (Fraction(0), Fraction(1, 1000), Fraction(-1, 1000), Fraction(1), Fraction(-1)):
            for place in range(len(names)):
                yield {name: hint + nudge if k == place else random_number(rng) for k, name in enumerate(names)}
    for _ in range(count):
        yield {name: random_number(rng) for name in names}


def tried(question, seed, count=60, hints=()):
    """The question if the points bear it out; a false one with the point that shows it. Nothing where they do not."""
    left, right = question.trees()
    names = sorted(set(expression.symbols(left)) | set(expression.symbols(right)))
    defined = 0
    for point in points(names, random.Random(seed), count, hints):
        try:
            same = evaluate.agree(left, right, point)
        except (evaluate.Undefined, evaluate.Undecided):
            continue
        defined += 1
        if not same:
            if question.truth:
                raise AssertionError(f"{question.kind}: {question.text()} is not zero at {point}")
            question.where = point
            return question
    return question if question.truth and defined else None
