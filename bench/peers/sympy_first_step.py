"""From a system to the first step, by SymPy and SciPy: KanesMethod or LagrangesMethod, `lambdify` of the matrices with common
subexpressions, NumPy's solve and SciPy's DOP853. The time is that within the running process; what its start and the imports took
is the figure "imports"."""

import gc

import casefile
import numpy as np
import sympy
import sympy_mechanics
from scipy.integrate import solve_ivp
from sympy.core.cache import clear_cache

END = 1e-3
IMPORTS = casefile.clock()


def perform(method, case):
    build = sympy_mechanics.SYSTEMS[case.one("family").replace("first-step", "derive")]
    clear_cache()
    gc.collect()
    began = casefile.clock()
    system, equations = build(method, case)
    mass, forcing = equations.mass_matrix_full, equations.forcing_full
    speeds = list(equations.u if system.kane else equations._qdots)
    state = list(equations.q) + speeds
    point = system.prepare(case.point())
    name_of = {symbol: name for name, symbol in system.names.items()}
    parameters = [symbol for symbol in mass.free_symbols | forcing.free_symbols if symbol in name_of]
    constants = [point[name_of[symbol]] for symbol in parameters]
    stand_ins = {symbol: sympy.Dummy() for symbol in [*speeds, *equations.q]}
    matrices = [matrix.subs(stand_ins) if not system.kane else matrix for matrix in (mass, forcing)]
    arguments = [stand_ins[symbol] for symbol in state] if not system.kane else state
    evaluate = sympy.lambdify([arguments, parameters], matrices, cse=True)
    n = len(state)

    def rates(t, y):
        matrix, right = evaluate(y, constants)
        return np.linalg.solve(matrix, right.ravel())[:n]

    start = [point[name_of[symbol]] for symbol in state]
    run = solve_ivp(rates, (0, END), start, method="DOP853", rtol=1e-9, atol=1e-12)
    seconds = casefile.clock() - began
    values = dict(zip([name_of[symbol] for symbol in state], map(float, run.y[:, -1])))
    return seconds, lambda: {"values": values, "figures": {"steps": len(run.t) - 1, "imports": IMPORTS}}


if __name__ == "__main__":
    casefile.serve(perform, repeat=False)
