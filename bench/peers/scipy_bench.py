"""Trajectories by SciPy's DOP853 with equations written in NumPy."""

import casefile
import equations
import numpy as np
from scipy.integrate import solve_ivp


def chain_rates(case):
    m, l, g = (np.array(numbers) for numbers in equations.chain_numbers(case))
    n = len(m)
    carried = np.cumsum(m[::-1])[::-1]
    shared = carried[np.maximum.outer(np.arange(n), np.arange(n))] * np.outer(l, l)
    weight = carried * g * l

    def rates(t, y):
        q, v = y[:n], y[n:]
        difference = q[:, None] - q
        right = -weight * np.sin(q) - (shared * np.sin(difference)) @ (v * v)
        return np.concatenate((v, np.linalg.solve(shared * np.cos(difference), right)))

    return rates


def disc_rates(case):
    from math import cos, sin

    point = case.point()
    m, radius, g = (point[name] for name in ("m", "R", "g"))
    return lambda t, y: equations.tilting_disc(sin, cos, y.tolist(), m, radius, g)


def perform(method, case):
    names, point = equations.state_names(case), case.point()
    rates = disc_rates(case) if names == equations.DISC else chain_rates(case)
    start, tolerance = [point[name] for name in names], float(case.one("tolerance"))
    end, times = float(case.one("until")), []
    while len(times) < 9 and sum(times) < 0.1:
        began = casefile.clock()
        run = solve_ivp(rates, (0, end), start, method="DOP853", rtol=tolerance, atol=tolerance * 1e-3)
        times.append(casefile.clock() - began)
    found = {"values": dict(zip(names, map(float, run.y[:, -1]))), "figures": {"evaluations": run.nfev, "steps": len(run.t) - 1}}
    return min(times), lambda: found


if __name__ == "__main__":
    casefile.serve(perform, repeat=False)
