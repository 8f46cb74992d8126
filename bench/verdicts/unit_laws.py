"""The same state and parameters in other units: the same number."""

from fractions import Fraction

import program

UNITS = {"kg": (("kg", 1), ("g", 1000)), "m": (("m", 1), ("cm", 100), ("mm", 1000), ("km", Fraction(1, 1000))),
         "N/m": (("N/m", 1), ("kN/m", Fraction(1, 1000)), ("N/mm", Fraction(1, 1000)), ("kg/s^2", 1))}


def spelled(value, unit, rng):
    name, factor = rng.choice(UNITS[unit])
    return f"{value*factor} [{name}]"


def model(m, k, l, rng):
    return (f"param m > 0 = {spelled(m, 'kg', rng)}, k > 0 = {spelled(k, 'N/m', rng)}, l > 0 = {spelled(l, 'm', rng)}\n"
            "coord x [m]\nkinetic m/2*x'^2\npotential k/2*(x - l)^2\n")


def ask(_, rng, path):
    m, k, l = (Fraction(rng.randint(1, 400), rng.choice((1, 2, 4, 5, 8))) for _ in range(3))
    at = Fraction(rng.randint(-50, 50), 8)
    value = -k/m*(at - l)
    text = model(m, k, l, rng)
    claims = [(f"x'' == {value} at (x = {at}) within 1e-12", True), (f"x'' == {value + 1} at (x = {at}) within 1e-12", False),
              ("m*x'' == k*(l - x)", True), ("conserved(T + V)", True), ("m*x'' == k*(x - l)", False)]
    answers = program.ask_check(path, text + "".join(f"claim {claim}\n" for claim, _ in claims))
    if isinstance(answers, program.Answer):
        return [("wrong: crash" if answers.status == "crash" else answers.status, answers.text, text)]
    return [judged(claim, truth, answer, text) for (claim, truth), answer in zip(claims, answers)]


def judged(claim, truth, answer, text):
    status = answer["status"]
    if status == "unknown":
        return "unknown", answer["how"], f"{text}claim {claim}"
    right = status in ("proved", "checked") if truth else status == "refuted"
    return ("right" if right else f"wrong: {'true' if truth else 'false'} {status}"), answer["how"], f"{text}claim {claim}"
