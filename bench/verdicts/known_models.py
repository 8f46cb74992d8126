"""Models whose claims have a truth by construction: rotations, velocity parameters, integrability, equations, jumps, unknown functions.

Each generator gives (text of the model, [(claim, truth)]).
"""

import known_pieces
import known_points
import program
from unit_laws import judged

SMALL = ("1e-10", "1e-20", "1e-30", "1/3")


def with_twins(pairs, rng):
    """Each equality also with an error, each predicate also negated."""
    found = []
    for claim, truth in pairs:
        found.append((claim, truth))
        if claim.startswith(("conserved", "holonomic", "compatible", "independent", "growth", "flag", "measure")):
            found.append((f"{claim} == false", not truth))
        elif truth and "==" in claim and not claim.startswith("equations") and " at (" not in claim and " within " not in claim:
            found.append((f"{claim} + {rng.choice(SMALL)}", False))
    return found


def rotation(rng):
    frame = rng.choice(("body", "space"))
    text = f"param A > 0, C > 0\nrotation R (p, q, r) in {frame}\nkinetic A/2*(p^2 + q^2) + C/2*r^2\n"
    if frame == "space":
        text = "param A > 0\nrotation R (p, q, r) in space\nkinetic A/2*(p^2 + q^2 + r^2)\n"
    i, j = rng.sample((1, 2, 3), 2)
    identities = [(f"R{i}1^2 + R{i}2^2 + R{i}3^2 == 1", True), (f"R{i}1*R{j}1 + R{i}2*R{j}2 + R{i}3*R{j}3 == 0", True),
                  (f"R{i}{j}^2 == R{j}{i}^2", False), ("R_e0^2 + R_e1^2 + R_e2^2 + R_e3^2 == 1", True),
                  ("sqrt(1 - R33^2) == sqrt(R13^2 + R23^2)", True), ("sqrt(R13^2 + R23^2) == sqrt(R31^2 + R32^2)", True),
                  ("R11*R22 - R12*R21 == R33", True), ("R11 + R22 + R33 == 4*R_e0^2 - 1", True), ("abs(R33) == R33", False),
                  ("sqrt(R_e0^2) == R_e0", False), ("max(R33, 1) == 1", True), ("max(R33, 1/2) == 1/2", False), ("conserved(T)", True)]
    motion = [("A*p' == (A - C)*q*r", True), ("r' == 0", True), ("p' == 0", False), ("conserved(p)", False), ("conserved(p^2 + q^2)", True),
              ("conserved(A*p*R31 + A*q*R32 + C*r*R33)", True), ("conserved(A*p*R31 + A*q*R32)", False)] if frame == "body" else \
        [("p' == 0", True), ("conserved(p)", True), ("conserved(R11)", False), ("conserved(p*R11 + q*R21 + r*R31)", True)]
    return text, rng.sample(identities, 5) + motion


def chart(rng):
    a = rng.choice(("0", "a"))
    params = "param m > 0, J > 0" + (", a > 0" if a == "a" else "")
    text = (f"{params}\ncoord x, y, phi\nvelocity u, n: x' = u*cos(phi) - n*sin(phi), y' = u*sin(phi) + n*cos(phi)\n"
            f"kinetic m/2*(u^2 + (n + {a}*phi')^2) + J/2*phi'^2\nconstraint blade: n = 0\n")
    claims = [(f"u' == {a}*phi'^2", True), (f"(J + m*{a}^2)*phi'' == -m*{a}*u*phi'", True), ("x'*sin(phi) == y'*cos(phi)", True),
              ("conserved(T)", True), ("holonomic(blade)", False), ("compatible", True), ("x'^2 + y'^2 == u^2", True),
              ("sqrt(x'^2 + y'^2) == u", False), ("sqrt(x'^2 + y'^2) == abs(u)", True), ("x' == u", False), ("power(blade) == 0", True),
              ("conserved(u)", a == "0")]
    return text, claims


def integrability(rng):
    masses = "param m > 0\ncoord x, y, z, w\nkinetic m/2*(x'^2 + y'^2 + z'^2 + w'^2)\n"
    number = rng.randint(2, 9)
    relations, claims = rng.choice((
        (["y' = z*x'"], [("holonomic(c1)", False)]),
        ([f"y' = {number}*x'"], [("holonomic(c1)", True)]),
        (["y' = z*x'", "z' = 0"], [("holonomic(c1, c2)", True), ("independent(c1, c2)", True)]),
        (["y' = z*x'", "w' = z*x'"], [("holonomic(c1, c2)", False), ("independent(c1, c2)", True)]),
        (["y*x' + x*y' = z*w' + w*z'"], [("holonomic(c1)", True), ("conserved(x*y - z*w)", True), ("conserved(x*y)", False)]),
        ([f"exp(z)*(x' + {number}*y') = 0"], [("holonomic(c1)", True), (f"conserved(x + {number}*y)", True)]),
        (["x' + y*z' = 0"], [("holonomic(c1)", False), ("conserved(T)", True)]),
        (["z*x' + z*y' + w*(x' + y') = 0"], [("holonomic(c1)", True)]),
        (["x^2 + y^2 + z^2 = w^2 + 1"], [("holonomic(c1)", True)]),
        (["x'*z' = y'*w'"], [("conserved(T)", True), ("compatible", True)]),
        (["x'^2 + y'^2 = z'^2"], [("holonomic(c1)", False)]),
        # without a gradient where they hold: x' = 0 and y' = x; a factor without points
        ([f"x'^2 + {number}*(y' - x)^2 = 0"], [("holonomic(c1)", True), ("y' == x", True), ("x' == 1/2", False)]),
        ([f"(x'^2 + {number}*z'^2)*(1 + w^2) = 0"], [("holonomic(c1)", True), ("x' == 0", True)]),
        ([f"(x'^2 + (y' - z*x')^2 + {number})*w' = 0"], [("holonomic(c1)", True), ("w' == 0", True), ("y' == z*x'", False)]),
        ([f"(x' - {number}*y')*(z' - w*y') = 0"], [("holonomic(c1)", False)]),
        ([f"(x' - {number}*y')*(z' - w*w') = 0"], [("holonomic(c1)", True)]),
        (["y' = z*x'", f"{number}*y' = {number}*z*x'"], [("independent(c1, c2)", False), ("compatible", False)]),
        (["x' + y' = 0", "x' - y' = 0", "x' = 0"], [("independent(c1, c2, c3)", False), ("x' == 0", True), ("y' == 0", True)]),
    ))
    lines = "".join(f"constraint c{k + 1}: {relation}\n" for k, relation in enumerate(relations))
    return masses + lines, claims


def directions(rng):
    """Growth vectors, flags and measures, with parameters that take relations away."""
    number = rng.randint(2, 9)
    params, relations, force, claims = rng.choice((
        ("k", ["y' = k*z*x'"], "", [("growth == (3, 4)", True), ("growth == (3)", False), ("flag == (3, 4)", True)]),
        ("k", ["k*x' = 0"], "", [("growth == (3)", True), ("growth == (4)", False)]),
        ("a, b", ["x' + a*y' = 0", "b*x' + y' = 0"], "", [("growth == (2)", True), ("growth == (3)", False)]),
        ("k", [f"(k^2 - {number})*(y' - z*x') = 0"], "", [("growth == (3, 4)", True), ("growth == (4)", False)]),
        ("", ["y' = z*x'", "z' = w*x'"], "", [("growth == (2, 3, 4)", True), ("flag == (2, 3, 4)", True), ("growth == (2, 4)", False)]),
        ("", [f"{number}*x' + y' + z' = 0"], "", [("growth == (3)", True), ("measure", True), ("growth == (3, 4)", False)]),
        ("c > 0", [], "force x = -c*x'\n", [("growth == (4)", True), ("measure", False), ("measure(1)", False)]),
        ("", [], f"force x = -{number}*x\n", [("measure", True), ("measure(1)", True), (f"measure(1 + x'^2 + {number}*x^2)", True), ("measure(x + y)", False)]),
        ("", [], "force x = -x'^2/(4*x)\n", [("measure(sqrt(abs(x)))", True), ("measure(abs(x))", False)]),
    ))
    text = (f"param {params}\n" if params else "") + "coord x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\n" + force
    return text + "".join(f"constraint c{k + 1}: {relation}\n" for k, relation in enumerate(relations)), claims


def equations(rng):
    c, d = rng.randint(2, 9), rng.choice(("1e13", "1e-13", "(1 + x^2)", "exp(y)", "7"))
    text = "param m > 0, k > 0\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential k/2*x^2 + k*y\n"
    claims = [("equations { m*x'' + k*x == 0; m*y'' + k == 0 }", True),
              (f"equations {{ {d}*(m*x'' + k*x) == 0; m*y'' + k == 0 }}", True),
              (f"equations {{ m*x'' + k*x + {c}*(m*y'' + k) == 0; m*y'' + k == 0 }}", True),
              (f"equations {{ m*x'' + k*x + {c}*(m*y'' + k) == 0; {c}*(m*x'' + k*x) + {c*c}*(m*y'' + k) == 0 }}", False),
              ("equations { m^2*x''^2 == k^2*x^2; m*y'' + k == 0 }", False), ("equations { m*x'' + k*x == 0 }", False),
              ("equations { (m*x'' + k*x)*(m*y'' + k) == 0; m*y'' + k == 0 }", False),
              (f"equations {{ m*x'' + k*x + {rng.choice(SMALL)}*y == 0; m*y'' + k == 0 }}", False),
              ("equations { m*x'' - k*x == 0; m*y'' + k == 0 }", False)]
    return text, claims


def jumps(rng):
    w = rng.randint(1, 9)
    text = f"coord x, y\nkinetic (x'^2 + y'^2)/2\npotential {w*w}/2*x^2\n"
    claims = [("conserved(sign(x'))", False), ("conserved(sign(x))", False), (f"conserved(atan2(x', {w}*x) + {w}*t)", False),
              (f"conserved(x'^2 + {w*w}*x^2)", True), (f"conserved(abs(x')^2 + {w*w}*abs(x)^2)", True),
              (f"conserved(sign(x - {rng.randint(20, 3000)}))", False), ("conserved(sign(y'))", True), ("conserved(abs(y'))", True),
              (f"conserved(max(y', {rng.randint(20, 90)}))", True), (f"conserved(max(y, {rng.randint(20, 900)}))", False),
              ("conserved(abs(x))", False), ("conserved(sign(x^2 + 1))", True), ("conserved(sign(y' - x))", False),
              ("conserved(asin(sin(y')))", True), ("conserved(y - y'*t)", True), ("conserved(sign(y - y'*t))", True)]
    return text, rng.sample(claims, 9)


def unknown_functions(rng):
    text = "param m > 0\nfunction f(s)\nfunction h(s)\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\n"
    shape = rng.randrange(3)
    if shape == 0:
        return text + "potential f(x*y)\n", [
            ("m*x'' == -y*f'(x*y)", True), ("m*y'' == -x*f'(x*y)", True), ("conserved(T + V)", True), ("x*x'' == y*y''", True),
            ("m*x'' == -f'(x*y)", False), ("conserved(x*y' - y*x')", False), ("conserved(f(x*y) + T)", True),
            ("f(x*y) == f(y*x)", True), ("f(h(x)) == h(f(x))", False), ("f(x + y) == f(x) + f(y)", False)]
    if shape == 1:
        return text + "potential f(x^2 + y^2)\n", [
            ("m*x'' == -2*x*f'(x^2 + y^2)", True), ("conserved(x*y' - y*x')", True), ("conserved(T + V)", True),
            ("conserved(x*y' + y*x')", False), ("f(sqrt(x^2)) == f(x)", False), ("f(sqrt(x)^2) == f(abs(x))", True),
            ("f(max(x, y)) == max(f(x), f(y))", False), ("f(h(sqrt(x^2))) == f(h(abs(x)))", True), ("f(sin(x)^2 + cos(x)^2) == f(1)", True)]
    return text + "constraint c: y' = f(x)*x'\n", [
        ("x'' == -f(x)*f'(x)*x'^2/(1 + f(x)^2)", True), ("lambda(c) == m*f'(x)*x'^2/(1 + f(x)^2)", True), ("holonomic(c)", True),
        ("conserved(T)", True), ("conserved((1 + f(x)^2)*x'^2)", True), ("y'' == f(x)*x''", False), ("y'' == f(x)*x'' + f'(x)*x'^2", True),
        ("power(c) == 0", True), ("compatible", True), ("h(y') == h(f(x)*x')", True), ("h(y') == h(x')", False)]


GENERATORS = {"rotation": rotation, "velocity parameters": chart, "integrability": integrability,
              "directions": directions, "equations": equations, "jumps": jumps,
              "functions in models": unknown_functions, **known_points.GENERATORS, **known_pieces.GENERATORS}


def ask(kind, rng, path):
    text, pairs = GENERATORS[kind.removeprefix("known ")](rng)
    claims = with_twins(pairs, rng)
    answers = program.ask_check(path, text + "".join(f"claim {claim}\n" for claim, _ in claims))
    if isinstance(answers, program.Answer):
        return [("wrong: crash" if answers.status == "crash" else answers.status, answers.text, text)]*len(claims)
    found = [judged(claim, truth, answer, text) for (claim, truth), answer in zip(claims, answers)]
    passed = {claim for (claim, _), answer in zip(claims, answers) if answer["status"] in ("proved", "checked")}
    return found + [("wrong: a claim and its negation pass", "", f"{text}claim {claim}")
                    for claim in sorted(passed) if f"{claim} == false" in passed]
