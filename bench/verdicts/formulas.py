"""Right formulas for the motion of a model, by SymPy: accelerations and factors as texts of the language."""

import sympy


def to_text(formula):
    return str(formula).replace("**", "^").replace("Abs(", "abs(")


def solved(equations):
    """({coordinate: text}, {constraint: text}) from sum lambda_h r_hk = -drive_k; nothing where r is singular."""
    names = equations.model.coords
    inverse = equations.mass.inv()
    start = inverse*sympy.Matrix(equations.load)
    if not equations.rows:
        is_short = all(a.count_ops() < 40 and not a.has(sympy.sign, sympy.Abs) for a in start)
        return {name: to_text(sympy.simplify(a) if is_short else a) for name, a in zip(names, start)}, {}
    rows, directions = sympy.Matrix(equations.rows), sympy.Matrix(equations.directions)
    r = rows*inverse*directions.T
    determinant = sympy.expand(r.det())
    if determinant == 0:
        return {}, {}
    factors = r.adjugate()*(-(rows*start + sympy.Matrix(equations.biases)))/determinant
    moved = start + inverse*directions.T*factors
    return ({name: to_text(a) for name, a in zip(names, moved)},
            {constraint.name: to_text(factor) for constraint, factor in zip(equations.model.constraints, factors)})
