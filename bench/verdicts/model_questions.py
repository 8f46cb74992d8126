"""Random constrained models by class, each with claims of every kind and their opposites."""

import model_classes
from claims import Claim
from formulas import solved
from model import Equations
from model_judge import judge_model

LONGEST = 1200  # characters of a formula that is claimed
SMALL = ("1e-10", "1e-13", "1e-20", "1e-30", "1/7")


def off(text, rng, model):
    """The same formula with an error, large or small."""
    name = rng.choice(model.coords)
    return rng.choice((f"{text} + {rng.choice(SMALL)}*{name}'", f"({text})*(1 + {rng.choice(SMALL)})", f"-({text})",
                       f"{text} + {rng.choice(SMALL)}*(1 + {name}^2)"))


def on_the_relations(text, rng, model):
    """The same formula with a multiple of a relation added: the same on the manifold."""
    constraint = rng.choice(model.constraints)
    factor = rng.choice(("3", "sin(t)", f"({rng.choice(model.coords)} + 2)", "1e13", f"exp({rng.choice(model.coords)}')"))
    return f"{text} + {factor}*({constraint.left} - ({constraint.right}))"


def formula_claims(model, rng):
    if model.functions:
        return []  # SymPy knows only what stands for them in numbers
    accelerations, factors = solved(Equations(model))
    found = []
    sides = [(f"{name}''", text) for name, text in accelerations.items()] + [(f"lambda({name})", text) for name, text in factors.items()]
    for left, right in rng.sample(sides, min(len(sides), 3)):
        if len(right) > LONGEST:
            continue
        found += [Claim("equality", left, right), Claim("equality", left, off(right, rng, model))]
        if model.constraints:
            found.append(Claim("equality", left, on_the_relations(right, rng, model)))
    return found


def relation_claims(model, rng):
    """A relation itself, a factor of it, and things that hold on one component only."""
    found = []
    for constraint in model.constraints[:2]:
        found += [Claim("equality", constraint.left, constraint.right),
                  Claim("equality", constraint.left, off(constraint.right, rng, model))]
    found += [Claim("equality", left, right) for left, right in model_classes.hints(model)]
    name = rng.choice(model.coords)
    found += [Claim("equality", rng.choice((f"{name}''", f"{name}'", name)), rng.choice(("0", "0", "1"))),
              Claim("equality", f"sign({name}')^2", "1"), Claim("equality", f"abs({name} - 5)", f"5 - {name}")]
    return found


def within_claims(model, rng):
    """Tolerances that are kept everywhere, at most states, or hardly anywhere."""
    name, other = rng.choice(model.coords), rng.choice(model.coords)
    bump = rng.choice((f"sin({name})*cos({other}')", f"exp(-({name} - {rng.choice((0, 5, 700))})^2)", f"1/(1 + {name}^2 + {other}'^2)", f"tanh({name}')"))
    base = rng.choice((f"{name}''", f"{name}'^2", "2", f"{name}"))
    return [Claim("equality", base, f"({base})*(1 + {rng.choice(('1e-3', '1/4'))}*{bump})", within=rng.choice(("1/3", "1e-2", "1e-6"))),
            Claim("equality", f"3 + {bump}", "3", within=rng.choice(("1/3", "1/5", "1/2")))]


def structure_claims(model, rng):
    found = [Claim("conserved", "T + V"), Claim("conserved", f"T + V + {rng.choice(SMALL)}*{rng.choice(model.coords)}"),
             Claim("conserved", f"{rng.choice(model.coords)}'")]
    if model.constraints:
        found += [Claim("compatible"), Claim("independent", names=[constraint.name for constraint in model.constraints])]
        one = rng.choice(model.constraints)
        found.append(Claim("equality", f"power({one.name})", "0"))
    found += [claim.negation() for claim in found if claim.kind != "equality"]
    return found


def make(kind, rng):
    """(model, claims)"""
    model = model_classes.CLASSES[kind](rng)
    claims = formula_claims(model, rng) + relation_claims(model, rng) + structure_claims(model, rng) + within_claims(model, rng)
    return model, claims


def ask(kind, rng, path):
    model, claims = make(kind.removeprefix("model "), rng)
    return judge_model(model, claims, rng.getrandbits(64), path)
