"""Trajectories by heyoka's Taylor method. What is timed is `propagate_until`; making the integrator (expressions, decomposition,
LLVM) comes before and is told as the figure "setup"."""

import time

import casefile
import equations
import heyoka as hy


def system(case):
    names = equations.state_names(case)
    variables = hy.make_vars(*[name.replace("'", "_rate") for name in names])
    if names == equations.DISC:
        point = case.point()
        rates = equations.tilting_disc(hy.sin, hy.cos, variables, point["m"], point["R"], point["g"])
    else:
        n = len(names) // 2
        q, v = variables[:n], variables[n:]
        rates = [*v, *equations.solve(*equations.chain(hy.sin, hy.cos, q, v, *equations.chain_numbers(case)))]
    return names, list(zip(variables, rates))


integrators = {}


def prepared(case):
    key = case.one("case")
    if key not in integrators:
        began = time.process_time()
        names, rates = system(case)
        point = case.point()
        start = [point[name] for name in names]
        made = hy.taylor_adaptive(rates, start, tol=float(case.one("tolerance")))
        integrators[key] = names, start, made, time.process_time() - began
    return integrators[key]


def perform(method, case):
    names, start, integrator, setup = prepared(case)
    end, times, steps = float(case.one("until")), [], 0
    while len(times) < 9 and sum(times) < 0.1:
        integrator.time = 0.0
        integrator.state[:] = start
        began = casefile.clock()
        outcome, _, _, steps, *_ = integrator.propagate_until(end)
        times.append(casefile.clock() - began)
        if outcome != hy.taylor_outcome.time_limit:
            raise casefile.Failed(f"ended with {outcome}")
    found = dict(zip(names, map(float, integrator.state)))
    return min(times), lambda: {"values": found, "figures": {"steps": steps, "setup": setup}}


if __name__ == "__main__":
    casefile.serve(perform, repeat=False)
