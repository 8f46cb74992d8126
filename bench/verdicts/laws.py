"""Verdicts do not depend on how a model is written: names, order, the scale of a relation, units.

A verdict that turns from one that passes into a refutation, or into `empty`, is wrong on one side; a change of grade is counted only.
"""

import copy
import re

import model_classes
import model_questions
import program

NEW_NAMES = {"x": "q1", "y": "q2", "z": "beta", "w": "a_w", "m": "mass_a", "M": "B", "g": "gamma", "k": "c_k", "F": "push"}
PASSES = ("proved", "checked")


def renamed(text):
    return re.sub(r"\b([A-Za-z]\w*)\b(?!\()", lambda match: NEW_NAMES.get(match[1], match[1]), text)


def rename(model, claims, _):
    return renamed(model.text()), [renamed(claim.text()) for claim in claims]


def reorder(model, claims, rng):
    model = copy.deepcopy(model)
    rng.shuffle(model.coords)
    lines = []
    for group in model.statements():
        rng.shuffle(group)
        lines += group
    return "\n".join(lines) + "\n", [claim.text() for claim in claims]


def scale(model, claims, rng):
    """Each relation times something that does not vanish; `lambda` scales with it and is not asked for."""
    model = copy.deepcopy(model)
    for constraint in model.constraints:
        factor = rng.choice(("7", "-1e-9", "1e13", "1/1024", f"(1 + {model.coords[0]}^2)", f"exp({model.coords[-1]})"))
        constraint.left, constraint.right = f"{factor}*({constraint.left})", f"{factor}*({constraint.right})"
    return model.text(), [claim.text() for claim in claims]


def named(model, claims, _):
    """Every claim has a name, every number another spelling: nothing else."""
    text = re.sub(r"\b(\d+)/2\b", r"0.5*\1", model.text())
    return text, [f"claim_{k}: {claim.text()}" for k, claim in enumerate(claims)]


LAWS = {"rename": rename, "reorder": reorder, "scale": scale, "spelling": named}


def statuses(path, model, claims):
    answers = program.ask_check(path, model + "".join(f"claim {claim}\n" for claim in claims))
    return answers if isinstance(answers, program.Answer) else [answer["status"] for answer in answers]


def kind_of(status):
    return "passes" if status in PASSES else status


def compared(before, after):
    if before == after:
        return "right"
    if kind_of(before) == kind_of(after) or "unknown" in (before, after):
        return "right: grade differs"
    return "wrong: verdict changed"


def ask(kind, rng, path):
    law = LAWS[kind.removeprefix("law ")]
    model, claims = model_questions.make(rng.choice(sorted(model_classes.CLASSES)), rng)
    claims = [claim for claim in claims if "lambda(" not in claim.text()]
    first = statuses(path, model.text(), [claim.text() for claim in claims])
    text, texts = law(model, claims, rng)
    second = statuses(path, text, texts)
    for answer in (first, second):
        if isinstance(answer, program.Answer):
            return [("wrong: crash" if answer.status == "crash" else answer.status, answer.text, text)]
    return [(compared(before, after), f"{before} became {after}", f"{model.text()}claim {claim.text()}\n  and\n{text}claim {other}")
            for before, after, claim, other in zip(first, second, claims, texts)]
