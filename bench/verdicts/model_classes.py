"""Random models made for trouble: relations that factor, repeat, lose rank, have no real point, lie far away."""

import statement_classes
from model import Constraint, Model

COORDS = ("x", "y", "z", "w")


def masses(rng, names):
    """(parameters, kinetic energy)"""
    shape = rng.randrange(4)
    if shape == 0:
        return {"m": True}, "m/2*(" + " + ".join(f"{name}'^2" for name in names) + ")"
    if shape == 1:
        return {"m": True, "M": True}, " + ".join(f"{'mM'[k % 2]}/2*{name}'^2" for k, name in enumerate(names))
    if shape == 2:
        return {}, " + ".join(f"{rng.randint(1, 9)}/2*{name}'^2" for name in names)
    return {"m": True}, f"m/2*({names[0]}'^2*(1 + {names[-1]}^2)" + "".join(f" + {name}'^2" for name in names[1:]) + ")" \
        if len(names) > 1 else f"m/2*{names[0]}'^2*(1 + {names[0]}^2)"


def potential(rng, names):
    """(parameters, potential energy)"""
    name, other = rng.choice(names), rng.choice(names)
    return rng.choice((({}, "0"), ({"g": False}, f"g*{name}"), ({"k": True}, f"k/2*({name}^2 + {other}^2)"),
                       ({"k": False}, f"k*cos({name})"), ({"k": False}, f"k*{name}^2*{other} + {other}")))


def base(rng, count, **more):
    names = list(COORDS[:count])
    params, kinetic = masses(rng, names)
    others, energy = potential(rng, names)
    forces = {rng.choice(names): rng.choice(("3", "sin(t)", f"-{names[0]}'", "F"))} if rng.random() < 0.25 else {}
    params = params | others | ({"F": False} if "F" in forces.values() else {})
    return Model(names, kinetic, params, energy, forces, **more)


def constrained(rng, count, relations, **more):
    model = base(rng, count, **more)
    model.constraints = [Constraint(f"c{k + 1}", left, right) for k, (left, right) in enumerate(relations)]
    return model


def level(rng, n):
    number = rng.randint(1, 9)
    choices = [("x^2 + y^2", f"{number}"), ("y", f"x^2/{number}"), ("x*y", f"{number}"), ("x^2 - y^2", f"{number}"), ("y", "sin(x)"),
               ("x^2 + x*y + y^2", f"{number}"), ("y", f"{number}*x + 1"), ("cos(x) + cos(y)", "1/2")]
    if n > 2:
        choices += [("x^2 + y^2 + z^2", f"{number}"), ("z", "x*y"), ("x + y + z", "0"), ("z^2", f"x^2 + y^2 + {number}")]
    return rng.choice(choices)


def velocity_relation(rng, n):
    choices = [("y'", "x*x'"), ("x'*cos(y)", f"{rng.randint(1, 5)}*y'"), ("x' + y'", "t"), ("y'", f"{rng.randint(1, 9)}*x'")]
    if n > 2:
        choices += [("y'", "z*x'"), ("x'*sin(z)", "y'*cos(z)"), ("z'", "y*x' - x*y'"), ("x' + y' + z'", "0")]
    return rng.choice(choices)


def holonomic(rng):
    n = rng.choice((2, 2, 3))
    return constrained(rng, n, [level(rng, n)])


def linear(rng):
    n = rng.choice((2, 3, 3, 4))
    return constrained(rng, n, [velocity_relation(rng, n)])


def mixed(rng):
    return constrained(rng, 4, [level(rng, 2), rng.choice((("w'", "x*z'"), ("z' + w'", "x'"), ("z^2 + w^2", "4"), ("w'*cos(z)", "y'")))])


def nonlinear(rng):
    return constrained(rng, 3, [rng.choice((("x'^2 + y'^2", "z'^2"), ("x'^2 + y'^2", "4"), ("x'*y'", "1"), ("x'^2 + y'^2 + z'^2", "9"),
                                            ("x'^2 + y'^2", "4*z'^2"), ("x'^2", "y'^2 + z'^2")))])


REDUCIBLE_VELOCITY = {"x'*y'": ("x'", "y'"), "(x' - y')*(x' + y')": ("x'^2 - y'^2", "x' - y'"), "x'*(y' - x*x')": ("x'", "y' - x*x'"),
                      "x'^2 - 4*y'^2": ("x' - 2*y'", "x' + 2*y'"), "x*x'*y'": ("x'*y'", "x'"), "(x - 2)*(x' - y')": ("x' - y'", "x - 2")}
REDUCIBLE_LEVEL = {"x^2 - 1": ("x - 1", "x + 1"), "(x - 1)*(y - 2)": ("x - 1", "y - 2"), "x^2 - y^2": ("x - y", "x + y"),
                   "x^3 - 4*x": ("x", "x^2 - 4"), "(x^2 + y^2 - 1)*(x - 3)": ("x^2 + y^2 - 1", "x - 3"), "x*y - x": ("x", "y - 1"),
                   "(x^2 - 2)*(y^2 - 3)": ("x^2 - 2", "y^2 - 3"), "(x - y)*(x^2 + 1)": ("x - y", "x^2 - y^2")}


def reducible_velocity(rng):
    return constrained(rng, rng.choice((2, 3)), [(rng.choice(sorted(REDUCIBLE_VELOCITY)), "0")])


def reducible_level(rng):
    return constrained(rng, rng.choice((2, 3)), [(rng.choice(sorted(REDUCIBLE_LEVEL)), "0")])


def reducible_two(rng):
    return constrained(rng, 3, [(rng.choice(sorted(REDUCIBLE_LEVEL)), "0"), rng.choice((("z'", "x'"), ("z", "x + y"), ("z'*x'", "0")))])


def redundant(rng):
    n = rng.choice((2, 3))
    left, right = rng.choice((level, velocity_relation))(rng, n)
    factor = rng.choice(("2", "1e13", "-1/3", "(1 + x^2)", "exp(y)", "1e-13"))
    relations = [(left, right), (f"{factor}*({left})", f"{factor}*({right})")]
    if n == 3 and rng.random() < 0.4:
        other = rng.choice((("z'", "y'"), ("z'", "2*x'")))
        first = velocity_relation(rng, 2)
        relations = [first, other, (f"{first[0]} + {other[0]}", f"{first[1]} + {other[1]}")]
    return constrained(rng, n, relations)


def derivative_twice(rng):
    """A level with its own derivative as a second constraint."""
    pair = rng.choice(((("x^2 + y^2", "4"), ("x*x' + y*y'", "0")), (("y", "x^2"), ("y'", "2*x*x'")), (("x*y", "1"), ("y*x' + x*y'", "0"))))
    return constrained(rng, rng.choice((2, 3)), list(pair))


def lost_rank(rng):
    """Relations that are independent in space and dependent where they hold."""
    pair = rng.choice(([("x^2 + y^2", "1"), ("x^2 + y^2 + z*(x^2 + y^2 - 1)", "1")], [("x'*(y - 1)", "0"), ("y", "1")],
                       [("x' + y'", "0"), ("x' + y' + (x' + y')^2", "0")], [("z", "x"), ("(z - x)*(1 + y^2) + (z - x)^2", "0")],
                       [("x'^2 - 1", "0"), ("x'^3 - x'", "0")]))
    return constrained(rng, 3, pair)


def not_real(rng):
    left, right, empty = rng.choice((("x^2 + y^2 + 1", "0", True), ("(x^2 + 1)*(x - 1)", "0", False), ("x'^2 + y'^2", "-1", True),
                                     ("(x'^2 + 1)*(y' - 2)", "0", False), ("(y^2 + x^2 + 2)*(y - x)", "0", False), ("x^4 + 1", "0", True),
                                     ("exp(x) + 1", "0", True), ("cos(x)", "2", True), ("x^3 - 1", "0", False),
                                     ("cosh(x) + y^2", "0", True)))
    return constrained(rng, 2, [(left, right)], empty=empty)


def far(rng):
    number = rng.randint(1, 9)
    shape = rng.randrange(5)
    if shape == 0:
        return constrained(rng, 2, [("x^2", f"{number}*10^6")], scale=1000)
    if shape == 1:
        return constrained(rng, 2, [("x^2 + y^2", f"{number}*10^8")], scale=5000)
    model = constrained(rng, 2, [("sqrt(x - 20)", f"y^2 + {number}")], scale=20) if shape == 2 else \
        constrained(rng, 2, [(f"(x - {number}00)^2 + (y + 500)^2", "1")], scale=150)
    if shape == 4:
        model = constrained(rng, 2, [("y'", "x'")], scale=20)
        model.potential = "sqrt(x - 20)"
    return model


def extreme(rng):
    """The same with numbers of 1e13 and 1e-13."""
    n = rng.choice((2, 3))
    left, right = rng.choice((level, velocity_relation))(rng, n)
    size = rng.choice(("1e13", "1e-13", "1e20", "1e-20"))
    model = constrained(rng, n, [(f"{size}*({left})", f"{size}*({right})")])
    if rng.random() < 0.5:
        model.kinetic = f"{rng.choice(('1e13', '1e-13'))}*({model.kinetic})"
    return model


def servo(rng):
    n = rng.choice((2, 3))
    relation = rng.choice((("x'", "0"), ("x' + y'", "t"), ("x' - y", "0"), ("x", "2"), ("x'*y'", "1")))
    model = constrained(rng, n, [relation])
    model.kinetic += f" + x'*y'/{rng.randint(20, 40)}"
    model.constraints[0].force = rng.choice(("y'", "x' + y'", "(1 + x^2)*y' + x'"))
    return model


def functions(rng):
    model = constrained(rng, 2, [rng.choice((("y'", "f(x)*x'"), ("y", "f(x)"), ("f(x)*x' + y'", "0"), ("x^2", "1"), ("x + y", "f(t)")))])
    model.functions = ["f"]
    model.potential = rng.choice(("f(x)", "f(x*y)", "f(sqrt(x^2))", "f(y)^2"))
    model.params = {name: positive for name, positive in model.params.items() if name not in ("g", "k")}
    return model


def timed(rng):
    relation = rng.choice((("x", "sin(t)"), ("x^2 + y^2", "t^2 + 1"), ("y'", "t*x'"), ("x*cos(t)", "y*sin(t)"), ("(x - t)*(y - t)", "0"),
                           ("x' + t*y'", "cos(t)")))
    return constrained(rng, rng.choice((2, 3)), [relation])


def free(rng):
    return base(rng, rng.choice((1, 2, 3)))


def hints(model):
    """Claims that hold on one component of a relation, or on all."""
    found = []
    for constraint in model.constraints:
        parts = REDUCIBLE_VELOCITY.get(constraint.left) or REDUCIBLE_LEVEL.get(constraint.left) or ()
        found += [(part, "0") for part in parts]
    if model.functions:
        found += [("f(x)^2", "f(sqrt(x^2))^2"), ("f(x + y) - f(y + x)", "0"), ("f(x)", "f(y)"), ("f(abs(x))", "f(sqrt(x^2))")]
    return found


CLASSES = {"free": free, "holonomic": holonomic, "linear velocity": linear, "mixed": mixed, "nonlinear velocity": nonlinear,
           "reducible velocity": reducible_velocity, "reducible level": reducible_level, "reducible with another": reducible_two,
           "redundant": redundant, "level and derivative": derivative_twice, "rank lost": lost_rank, "not real": not_real, "far": far,
           "extreme numbers": extreme, "servo": servo, "unknown functions": functions, "time": timed, **statement_classes.CLASSES}
