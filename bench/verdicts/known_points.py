"""Models whose states are single points or touch, and claims at one state, with their truth by construction."""

from fractions import Fraction


def touching(rng):
    """Levels that touch: their differentials depend on each other exactly where both hold."""
    c, k = rng.randint(-40, 40), rng.randint(1, 9)
    text = "param m > 0\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\n"
    levels, x, y = rng.choice(((("y = 0", f"y = {k}*(x - ({c}))^2"), c, 0), ((f"x^2 + y^2 = {k*k}", f"x = {k}"), k, 0),
                               ((f"x^2 + y^2 = {k*k}", f"(x - {3*k})^2 + y^2 = {4*k*k}"), k, 0),
                               ((f"y = (x - ({c}))^3", "y = 0"), c, 0)))
    text += "".join(f"constraint c{i + 1}: {level}\n" for i, level in enumerate(levels))
    return text, [(f"x == {x}", True), (f"y == {y}", True), (f"x*y == {x*y}", True), (f"x == {x} + 1e-20", False),
                  (f"y == {abs(x) + 1}", False),
                  ("independent(c1, c2)", False), (f"(x - ({x}))*z == 0", True), ("z == 0", False)]


def single_point(rng):
    """A sum of squares: one real point, though there is one relation only."""
    a, b = rng.randint(-9, 9), rng.randint(-9, 9)
    text = f"param m > 0\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\nconstraint c: (x - ({a}))^2 + (y - ({b}))^2 = 0\n"
    return text, [(f"x == {a}", True), (f"y == {b}", True), (f"x == {a} + 1e-20", False), (f"x + y == {a + b}", True),
                  (f"x*y == {a*b}", True),
                  (f"x == {b} + 100", False)]


def at_a_state(rng):
    """A heavy point on a circle at a point with rational coordinates; the given values choose the half."""
    a, b, c = rng.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17), (20, 21, 29)))
    a, b = rng.choice((a, -a)), rng.choice((b, -b))
    m, g, s = Fraction(rng.randint(1, 40), 8), Fraction(rng.randint(1, 400), 16), Fraction(rng.randint(-20, 20), 4)
    speed = s*s*c*c  # the velocity is s*(-b, a)
    factor, pull = m*(g*b - speed)/(2*c*c), a*(g*b - speed)/Fraction(c*c)
    text = (f"param m > 0 = {m}, g > 0 = {g}\ncoord x, y\nkinetic m/2*(x'^2 + y'^2)\npotential m*g*y\n"
            f"constraint rod: x^2 + y^2 = {c*c}\n")
    at = f"at (x = {a}, y = {b}, x' = {-s*b}, y' = {s*a})"
    other = f"at (x = {a}, y = {-b}, x' = {s*b}, y' = {s*a})"
    pull_below = a*(-g*b - speed)/Fraction(c*c)
    return text, [(f"x'' == {pull} {at}", True), (f"lambda(rod) == {factor} {at} within 1e-14", True),
                  (f"x'' == {pull_below} {other}", True), (f"x'' == {pull + Fraction(1, 100)} {at}", False),
                  (f"x'' == {pull}*(1 + 1e-14) {at} within 1e-16", pull == 0), (f"x'' == {pull}*(1 + 1e-6) {at} within 1e-5", True),
                  (f"x'' == {pull} {other}", pull == pull_below), (f"lambda(rod) == {-factor} {at}", factor == 0)]


GENERATORS = {"touching levels": touching, "single point": single_point, "at a state": at_a_state}
