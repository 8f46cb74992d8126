"""Questions that fail only at points which are not rational, and questions whose text has no value anywhere."""

from question import Question


def irrational_point(rng):
    p = rng.choice((2, 3, 5, 7, 1000003))
    inside, where = rng.choice(((f"x^2 - {p}", f"sqrt({p})"), (f"x^3 - {p}", f"{p}^(1/3)"), ("cos(x)", "pi/2"),
                                (f"exp(x) - {p}", f"log({p})"),
                                ("x - pi", "pi"), (f"x^2 - {p}*y^2 - {p}", f"sqrt({p}*(1 + y^2))"), (f"log(x) - {p}", f"exp({p})")))
    left, right = rng.choice(((f"sign({inside})^2", "1"), (f"abs(sign({inside}))", "1"), (f"sign(({inside})^2)", "1"),
                              (f"sign({inside})^4 + y", "1 + y"), (f"max(sign(abs({inside})), 0)", "1")))
    return Question("irrational point", left, right, False, {"x": where}), ()


def empty_domain(rng):
    n = rng.randint(1, 9)
    hole = rng.choice((f"sqrt(-x^2 - {n})", f"log(-x^2 - {n})", f"sqrt(x - {n + 1})*sqrt({n} - x)", f"asin(x^2 + {n + 1})",
                       f"log(-exp(x) - {n})",
                       f"sqrt(-{n} - abs(x))", f"acos({n + 1} + y^2)", f"sqrt(cos(x) - {n + 1})"))
    left, right = rng.choice(((hole, "0"), (hole, hole), (f"{hole} + x", f"x + {hole}"), (f"{hole}^2", f"x + {hole}"),
                              (f"x*{hole}", f"{hole}*y")))
    return Question("empty domain", left, right, None), ()


GENERATORS = {"irrational point": irrational_point, "empty domain": empty_domain}
