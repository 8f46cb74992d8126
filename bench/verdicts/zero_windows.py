"""Questions whose domain or whose exception lies far from zero, is small, or is one point."""

from fractions import Fraction

from question import Question


def far_place(rng):
    return Fraction(rng.choice((-1, 1))*rng.randint(1, 9)*10**rng.randint(0, 6) + rng.randint(0, 9))


def shifted(name, place):
    return f"({name} - {place})" if place >= 0 else f"({name} + {-place})"


def far_pieces(rng):
    """Pieces that change far away: true on one side of c only."""
    c = far_place(rng)
    u = shifted("x", c)
    left, right = rng.choice(((f"abs{u}", u), (f"max(x, {c})", f"{c}"), (f"min(x, {c})", f"{c}"), (f"max(x, {c})", "x"),
                              (f"sign{u}", "1"), (f"sign{u}", "-1"), (f"abs{u}", f"-{u}"), (f"sqrt({u}^2)", u),
                              (f"max({u}, 0)*y", "0"), (f"abs{u} + abs(x)", f"abs({c})"), (f"atan2({u}, 1) + abs{u}", f"atan{u} + {u}")))
    return Question("far pieces", left, right, False), (c,)


def one_point(rng):
    """False at the one point c, true everywhere else."""
    c = far_place(rng)
    c, u = rng.choice(((c, shifted("x", c)), (Fraction(1, 3), "(x - 1/3)"), (c, f"(x^3 - ({c})^3)")))
    left, right = rng.choice(((f"sign{u}^2", "1"), (f"abs(sign{u})", "1"), (f"sign({u}^2)", "1"), (f"sign(abs{u})", "1"),
                              (f"sign{u}^4 + sign{u}^2", "2"), (f"max(sign({u}^2), 0)", "1")))
    return Question("one point", left, right, False), (c,)


def far_domain_true(rng):
    c = far_place(rng)
    u, v = shifted("x", c), shifted("y", c)
    left, right = rng.choice(((f"sqrt{u}*sqrt{u}", f"abs{u}"), (f"sqrt{u}*sqrt{v}", f"sqrt({u}*{v})"), (f"exp(log{u})", u),
                              (f"log({u}*{v})", f"log{u} + log{v}"), (f"sqrt{u}^2 + x", f"2*x - ({c})"),
                              (f"abs(x - ({c}) + 1) + 0*sqrt{u}", f"{u} + 1"), (f"asin{u} + acos{u}", "pi/2"),
                              (f"{u}^(1/3)*{u}^(2/3)", f"abs{u}")))
    return Question("true far domain", left, right, True), (c,)


def far_domain_false(rng):
    c = far_place(rng)
    u = shifted("x", c)
    left, right = rng.choice(((f"sqrt{u}", f"2*sqrt{u}"), (f"sqrt{u}*sqrt{u}", f"{u} + 1e-20*x"), (f"log{u}", f"log{u} + 1e-15"),
                              (f"asin{u} + acos{u}", "pi/2 + 1e-20"), (f"sqrt{u}", f"abs(sqrt{u} - 1) + 1"),
                              (f"sqrt(1 - {u}^2)", f"cos(asin{u}) + 1e-30*x")))
    return Question("near far domain", left, right, False), (c,)


def window(rng):
    """Something only on (c, c + d): the rest of the line is zero or has no value."""
    c, d = far_place(rng), Fraction(1, 10**rng.randint(0, 6))
    bump = f"(x - ({c}))*(({c + d}) - x)"
    if rng.random() < 0.5:
        left, right, truth = rng.choice(((f"max(0, {bump})", "0", False), (f"sqrt({bump})", "0", False),
                                         (f"log({bump})", "1", False), (f"sign({bump}) + 1", "0", False),
                                         (f"abs({bump}) + {bump}", "0", False)))
    else:
        left, right, truth = f"sqrt({bump})", f"sqrt(x - ({c}))*sqrt(({c + d}) - x)", True
    kind = "true window" if truth else "near window"
    return Question(kind, left, right, truth), (c + d/2, c + d/3)


def window_of(truth):
    def generate(rng):
        while True:
            question, hints = window(rng)
            if question.truth == truth:
                return question, hints
    return generate


GENERATORS = {"far pieces": far_pieces, "one point": one_point, "true far domain": far_domain_true,
              "near far domain": far_domain_false, "true window": window_of(True), "near window": window_of(False)}
