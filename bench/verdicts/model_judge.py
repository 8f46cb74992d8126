"""Asks about a model with its claims and their opposites, and judges each answer."""

import re

import mpmath

import program
from claims import Judge

FUNCTION_VALUE = re.compile(r"(?!lambda\(|power\()[A-Za-z_][\w']*\(")  # `f(x)`, `f'(x)`
PASSES = ("proved", "checked")


def judge_model(model, claims, seed, path):
    """[(outcome, why, text)], one for each claim."""
    judge = Judge(model, seed)
    text = model.text() + "".join(f"claim {claim.text()}\n" for claim in claims)
    answers = program.ask_check(path, text)
    if isinstance(answers, program.Answer):
        outcome = "wrong: crash" if answers.status == "crash" else answers.status
        return [(outcome, answers.text, text)]*len(claims)
    said = {claim.text(): answer.get("how", "") for claim, answer in zip(claims, answers)}
    found = [judge_claim(judge, claim, answer, seed, said) for claim, answer in zip(claims, answers)]
    found += both_pass(claims, answers)
    return [(outcome, why, f"{model.text()}claim {about}") for outcome, why, about in found]


def judge_claim(judge, claim, answer, seed, said_of):
    status, about = answer["status"], claim.text()
    said = f"{answer.get('how', status)}"
    truth = judge.truth(claim)
    if judge.model.empty:
        return judge_empty(claim, status, said, about)
    if status == "unknown":
        return "unknown", said, about
    if status == "empty":
        return ("wrong: empty" if judge.has_something_to_say(claim) else "right: not judged"), said, about
    if status == "refuted" and claim.kind in ("equality", "conserved") and not claim.negated:
        return judge_refutation(judge, claim, truth, said, about, seed)
    if truth is None:
        return "right: not judged", said, about
    if (status in PASSES) == truth or is_shown_false(judge, claim, status, seed, said_of):
        return "right", "", about
    return (f"wrong: false {status}" if not truth else "wrong: true refuted"), f"{said}{counterexample(judge, claim)}", about


def is_shown_false(judge, claim, status, seed, said_of):
    """The opposite of a negation fails at the witness that was given for it: samples do not reach every component."""
    if not claim.negated or status not in PASSES or claim.kind != "conserved":
        return False
    opposite = claim.negation()
    given = program.witness(said_of.get(opposite.text(), ""))
    return bool(given) and judge.witness(opposite, given, seed) == "differs"


def judge_empty(claim, status, said, about):
    if status in PASSES:
        return f"wrong: {status} of nothing", said, about
    return ("right" if status == "empty" else "unknown" if status == "unknown" else "wrong: refuted of nothing"), said, about


def judge_refutation(judge, claim, truth, said, about, seed):
    given = program.witness(said)
    if not given:
        return ("right" if truth is False else "right: not judged" if truth is None else "wrong: true refuted"), said, about
    if truth is not True and any(FUNCTION_VALUE.match(name) for name in given):
        return "right: not judged", said, about  # the witness chooses the functions, the judge has its own
    found = judge.witness(claim, given, seed)
    if found == "differs":
        names = [name + prime for name in judge.model.coords for prime in ("", "'")]
        whole = all(name in given for name in [*names, *judge.model.params])
        return ("right" if whole else "right: the witness is not whole"), "", about
    if truth is True:
        return "wrong: true refuted", f"{said} (witness: {found})", about
    wrong = {"equal": "wrong: equal at the witness", "no motion": "wrong: witness is no state", "sign": "wrong: witness against a sign"}
    return wrong.get(found, "right: not judged"), said, about


def counterexample(judge, claim):
    if claim.negated or claim.kind not in ("equality", "conserved"):
        return ""
    for state in judge.moving():
        if judge.holds(claim, state) is False:
            shown = ", ".join(f"{name} = {mpmath.nstr(value, 8)}" for name, value in state.point.items())
            return f"; it fails at {shown}"
    return ""


def both_pass(claims, answers):
    passed = {claim.text() for claim, answer in zip(claims, answers) if answer["status"] in PASSES}
    return [("wrong: a claim and its negation pass", "", claim.text()) for claim in claims
            if claim.negated and claim.text() in passed and re.sub(" == false$", "", claim.text()) in passed]
