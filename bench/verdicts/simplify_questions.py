"""Texts for `simplify` whose value in doubles is easily lost: exponentials of squares, small differences, wide ranges."""

TERMS = ("A*exp(-A^2)", "exp(-(A - 1)^2)", "1/(1 + exp(-B))", "sqrt(1 + A^2)", "A/sqrt(1 + A^2)", "exp(-A^2)*cos(B)", "exp(-A^2/2)*(1 + B)",
         "tanh(A)", "A*exp(-abs(B))", "1/(A^2 + 1)", "(A - B)^3", "(A^2 + B^2 + 1)^(3/2)", "log(1 + A^2)", "sin(A)*exp(-B^2)",
         "exp(-A^2)*exp(-B^2)", "cos(A)^2", "(A + 1)^4/(1 + B^2)", "exp(A)/(1 + exp(A))", "1/cosh(A)", "exp(-A^2)",
         "B*exp(-A^2)*exp(-B^2)", "exp(-A)*(1 + B)", "exp(-A - B^2)")


def doubles(rng):
    names = ["x", "y", "x", "y", f"({rng.randint(2, 9)}*x)", f"(x - {rng.randint(1, 9)})"]
    terms, shared = [], rng.random() < 0.6
    a, b = rng.sample(names, 2)
    for _ in range(rng.randint(2, 4)):
        a, b = (a, b) if shared else (rng.choice(names), rng.choice(names))
        factor = rng.choice(("", "", f"{rng.randint(2, 9)}*"))
        terms.append(factor + rng.choice(TERMS).replace("A", a).replace("B", b))
    text = " + ".join(terms)
    return text if rng.random() < 0.6 else f"({text})*({rng.choice(TERMS).replace('A', 'x').replace('B', 'y')})"


GENERATORS = {"doubles": doubles}
