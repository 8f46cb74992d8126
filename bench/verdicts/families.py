"""Every class of questions by its name, and how one of it is asked and judged."""

import known_models
import laws
import model_classes
import model_questions
import program
import simplify_questions
import unit_laws
import zero_judge
import zero_questions


def ask_zero(kind, rng, path):
    question = zero_questions.make(kind, rng)
    if question is None:
        return []
    outcome, why = zero_judge.judge_zero(question, program.ask_zero(path, question.text()))
    return [(outcome, why, question.text())]


def ask_simplify(kind, rng, path):
    question = zero_questions.make(kind.removeprefix("simplify "), rng)
    if question is None or question.truth is None:
        return []
    text = rng.choice((question.left, question.text(), f"({question.left})*({question.right})"))
    outcome, why = zero_judge.judge_simplify(text, rng.getrandbits(64), path)
    return [(outcome, why, text)]


def ask_doubles(kind, rng, path):
    text = simplify_questions.GENERATORS[kind.removeprefix("simplify ")](rng)
    outcome, why = zero_judge.judge_simplify(text, rng.getrandbits(64), path)
    return [(outcome, why, text)]


def families():
    zero = {kind: ask_zero for kind in zero_questions.generators()}
    simplify = {f"simplify {kind}": ask_simplify for kind in zero if kind != "empty domain"}  # nothing to keep there
    simplify |= {f"simplify {kind}": ask_doubles for kind in simplify_questions.GENERATORS}
    models = {f"model {kind}": model_questions.ask for kind in model_classes.CLASSES}
    known = {f"known {kind}": known_models.ask for kind in known_models.GENERATORS}
    rewritten = {f"law {kind}": laws.ask for kind in laws.LAWS}
    return zero | simplify | models | known | rewritten | {"law units": unit_laws.ask}


def names():
    return sorted(families())


def ask(kind, rng, path):
    """[(outcome, why, text)], one for each thing that was asked."""
    return families()[kind](kind, rng, path)
