"""One evaluation of accelerations and factors by CasADi: C code generated from SX, compiled by gcc -O3 -march=native.

The mass matrix is the Hessian of T; common subexpressions are removed (`cse`). Methods:

  schur   everything unrolled in SX: LDL of the mass matrix, then of the Schur complement of the relations
  qr      `solve` of the whole system unrolled in SX, which is a QR
  ldl     entries in SX; the mass matrix (no relations) solved by CasADi's sparse LDL in the generated code
  linqr   entries in SX; the whole system solved by CasADi's sparse QR in the generated code. Its LDL divides by zero there: it
          does not pivot, and orders the relations before the masses
  plain   schur without `cse`

A compiled function is kept under the name of its text, so that a second run does not wait for gcc.
"""

import ctypes
import hashlib
import os
import pathlib
import resource
import subprocess
import sys

import casadi as ca
import casadi_systems
import casefile
import numpy as np

FOLDER = pathlib.Path(os.environ.get("BENCH_CACHE", "/tmp")) / "casadi"
DRIVER = pathlib.Path(__file__).parent / "casadi_driver.c"
FLAGS = ["-O3", "-march=native", "-fPIC", "-shared"]
LARGE = 2_000_000  # characters of text beyond which -O3 does not end within four minutes: -O2
MEMORY = 6 << 30


def pieces(system):
    q, v = system.q, system.v
    mass, momentum = ca.hessian(system.kinetic, v)
    load = ca.gradient(system.kinetic - system.potential, q) - ca.jtimes(momentum, q, v)
    relations = system.relations
    gradients = ca.jacobian(relations, v)
    bias = ca.jtimes(relations, q, v) if relations.numel() else ca.SX(0, 1)
    return mass, load, gradients, bias


def ldl_solved(matrix, right):
    return ca.ldl_solve(right, *ca.ldl(matrix))


def mass_solver(mass):
    if mass.sparsity().is_diag():
        inverse = ca.diag(1 / ca.diag(mass))
        return lambda right: ca.mtimes(inverse, right)
    factors = ca.ldl(mass)
    return lambda right: ca.ldl_solve(right, *factors)


def schur(mass, load, gradients, bias):
    solved = mass_solver(mass)
    free = solved(load)
    if not gradients.rows():
        return free
    held = solved(gradients.T)
    multipliers = ldl_solved(ca.mtimes(gradients, held), -bias - ca.mtimes(gradients, free))
    return ca.vertcat(free + ca.mtimes(held, multipliers), multipliers)


def whole(mass, load, gradients, bias):
    """Symmetric: M u' - A^T lambda = f, -A u' = bias."""
    matrix = ca.blockcat([[mass, -gradients.T], [-gradients, ca.SX(gradients.rows(), gradients.rows())]])
    return matrix, ca.vertcat(load, bias)


def function(method, system):
    parts = pieces(system)
    state = ca.vertcat(system.q, system.v)
    if method in ("schur", "plain"):
        found = schur(*parts)
    elif method == "qr":
        found = ca.solve(*whole(*parts))
    else:
        entries = ca.Function("entries", [state], ca.cse(list(whole(*parts))))
        given = ca.MX.sym("y", state.shape)
        matrix, right = entries(given)
        return ca.Function("f", [given], [ca.solve(matrix, right, method.removeprefix("lin"))])
    return ca.Function("f", [state], [ca.densify(found if method == "plain" else ca.cse(found))])


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def library(f):
    FOLDER.mkdir(parents=True, exist_ok=True)
    generator = ca.CodeGenerator("f.c", {"with_header": False})
    generator.add(f)
    text = generator.dump() + DRIVER.read_text(encoding="utf-8")
    flags = FLAGS if len(text) < LARGE else ["-O2", *FLAGS[1:]]
    place = FOLDER / hashlib.sha1((text + " ".join(flags)).encode()).hexdigest()
    if not place.with_suffix(".so").exists():
        place.with_suffix(".c").write_text(text, encoding="utf-8")
        made = place.with_suffix(".new")
        command = ["gcc", *flags, "-w", str(place.with_suffix(".c")), "-o", str(made), "-lm"]
        subprocess.run(command, check=True, timeout=280, preexec_fn=limit)
        made.rename(place.with_suffix(".so"))
    return ctypes.CDLL(str(place.with_suffix(".so")))


class Evaluation:
    def __init__(self, method, case):
        self.system = casadi_systems.SYSTEMS[case.one("family").removeprefix("evaluate-")](case, case.point())
        f = function(method, self.system)
        self.operations = f.n_instructions() if f.is_a("SXFunction") else 0
        self.library = library(f)
        self.library.seconds_per_call.restype = ctypes.c_double
        self.state = np.ascontiguousarray(self.system.state)
        self.result = np.zeros(f.size1_out(0))

    def seconds(self):
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (self.state, self.result)]
        found = self.library.seconds_per_call(*pointers)
        if found < 0:
            raise casefile.Failed("the generated function reports a failure")
        return found

    def found(self):
        values = dict(zip(self.system.names + [f"lambda({name})" for name in self.system.relation_names], map(float, self.result)))
        return {"values": values, "figures": {"operations": self.operations}}


evaluations = {}


def perform(method, case):
    key = method, case.one("case")
    if key not in evaluations:
        evaluations[key] = Evaluation(method, case)
    return evaluations[key].seconds(), evaluations[key].found


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    casefile.serve(perform, repeat=False)
