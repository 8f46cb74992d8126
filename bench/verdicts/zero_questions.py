"""Questions to `zero` and `simplify`, by class. The truth comes from how a question is made."""

import zero_constants
import zero_hard_points
import zero_windows
from identities import PARTIAL, TRUE
from question import Question, tried

NAMES = ("x", "y", "z")
SMALL = ("1e-30", "1e-20", "1e-13", "1e-7", "1/3")


def atom(rng):
    return rng.choice(NAMES[:2] if rng.random() < 0.8 else NAMES)


def linear(rng):
    name = atom(rng)
    return rng.choice((name, name, f"{rng.randint(2, 9)}*{name}", f"{name}/{rng.randint(2, 7)}", f"{name} + {rng.randint(1, 60)}",
                       f"{name} - {rng.randint(1, 60)}", f"{rng.randint(1, 40)} - {name}", f"-{name}"))


def part(rng, depth=1):
    """What stands for A, B, C: symbols, linear ones, now and then a function."""
    if depth == 0 or rng.random() < 0.6:
        return linear(rng)
    inner = part(rng, depth - 1)
    other = part(rng, depth - 1)
    return rng.choice((f"({inner})^2", f"({inner})*({other})", f"sin({inner})", f"cos({inner})", f"exp({linear(rng)})", f"1/({inner})",
                       f"({inner})^2 + 1", f"sqrt({inner})", f"abs({inner})", f"({inner}) + ({other})", f"{rng.randint(2, 9)}"))


def fill(sides, rng, depth=1):
    parts = {place: f"({part(rng, depth)})" for place in "ABC"}
    return ["".join(parts.get(letter, letter) for letter in side) for side in sides]


def identity(kind, rng):
    left, right = fill(rng.choice(TRUE[kind]), rng)
    if rng.random() < 0.3:
        factor = rng.choice(("1e13", "1e-13", "x^2 + 1", "exp(y)", "-7/3"))
        left, right = f"({left})*({factor})", f"({right})*({factor})"
    if rng.random() < 0.3:
        other = fill(rng.choice(TRUE[rng.choice(sorted(TRUE))]), rng, 0)
        left, right = f"{left} + ({other[0]})", f"{right} + ({other[1]})"
    return Question(f"true {kind}", left, right, True)


def near(kind, rng):
    """A true one that is off by little: a small term, or a factor that is wrong in a late digit."""
    true = identity(kind, rng)
    shape = rng.randrange(3)
    if shape == 0:
        right = f"{true.right} + {rng.choice(SMALL)}*({linear(rng)})"
    elif shape == 1:
        right = f"({true.right})*(1 + 1e-{rng.choice((9, 16, 20, 25, 31))})"
    else:
        right = f"{true.right} + {rng.choice(SMALL)}*sin({linear(rng)})^2"
    return Question(f"near {kind}", true.left, right, False)


def partial(kind, rng):
    left, right = fill(rng.choice(PARTIAL[kind]), rng, rng.choice((0, 0, 1)))
    return Question(f"partial {kind}", left, right, False)


def generators():
    """{class: function of a random generator}; each may give nothing where a question does not come out."""
    found = {}
    for kind in TRUE:
        found[f"true {kind}"] = lambda rng, kind=kind: (identity(kind, rng), ())
        found[f"near {kind}"] = lambda rng, kind=kind: (near(kind, rng), ())
    for kind in PARTIAL:
        found[f"partial {kind}"] = lambda rng, kind=kind: (partial(kind, rng), ())
    found.update(zero_constants.GENERATORS)
    found.update(zero_windows.GENERATORS)
    found.update(zero_hard_points.GENERATORS)
    return found


def make(kind, rng, attempts=20):
    """A question of a class, borne out by points; nothing after some attempts."""
    generator = generators()[kind]
    for _ in range(attempts):
        question, hints = generator(rng)
        if question.where or question.truth is None:
            return question
        done = tried(question, rng.getrandbits(64), hints=hints)
        if done:
            return done
    return None
