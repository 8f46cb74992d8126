"""A model as data: its text in the language, and its equations in SymPy."""

import functools
import operator
from dataclasses import dataclass, field

import sympy

import expression


@dataclass
class Constraint:
    name: str
    left: str
    right: str
    force: str = ""  # the velocity that a servo works on; nothing: ideal

    def text(self):
        return f"constraint {self.name}: {self.left} = {self.right}" + (f"  by {self.force}" if self.force else "")


@dataclass
class Model:
    coords: list
    kinetic: str
    params: dict = field(default_factory=dict)  # name: is it declared positive
    potential: str = "0"
    forces: dict = field(default_factory=dict)
    constraints: list = field(default_factory=list)
    functions: list = field(default_factory=list)  # unknown functions of one variable
    scale: int = 1  # how far from zero states lie
    empty: bool = False  # by construction there is no real state

    def statements(self):
        """Lines of the text by kind; lines of one kind may be reordered."""
        params = [f"param {name}{' > 0' if positive else ''}" for name, positive in self.params.items()]
        forces = [f"force {name} = {text}" for name, text in self.forces.items()]
        potential = [f"potential {self.potential}"] if self.potential != "0" else []
        return [params, [f"function {name}(s)" for name in self.functions], [f"coord {', '.join(self.coords)}"],
                [f"kinetic {self.kinetic}", *potential, *forces, *(c.text() for c in self.constraints)]]

    def text(self):
        return "\n".join(line for lines in self.statements() for line in lines) + "\n"


def slope(function, by):
    """The derivative beside the places where a sign changes."""
    return sympy.diff(function, by).replace(sympy.DiracDelta, lambda *_: sympy.Integer(0))


VARIABLE = sympy.Symbol("u_", real=True)


@functools.cache
def derivative(name, order):
    """What stands for a derivative of an unknown function where numbers are needed: smooth, without symmetry, of VARIABLE."""
    shift = sympy.Integer(sum(map(ord, name)) % 7 + 1)
    formula = sympy.exp(VARIABLE/3) + sympy.sin(sympy.Rational(17, 10)*VARIABLE + shift) + VARIABLE**3/5 + shift*VARIABLE
    return sympy.diff(formula, VARIABLE, order)


CALLS = {name: getattr(sympy, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
                                                 "exp", "log", "sqrt", "sign")}
CALLS.update(abs=sympy.Abs, min=sympy.Min, max=sympy.Max)


OPERATORS = {"add": operator.add, "mul": operator.mul, "div": operator.truediv, "pow": operator.pow}


def to_sympy(tree, names):
    """names: {name: SymPy symbol}"""
    kind = tree[0]
    if kind == "num":
        return sympy.Rational(tree[1].numerator, tree[1].denominator)
    if kind == "sym":
        return names[tree[1]]
    if kind == "pi":
        return sympy.pi
    if kind == "neg":
        return -to_sympy(tree[1], names)
    if kind == "call":
        return CALLS[tree[1]](*(to_sympy(part, names) for part in tree[2]))
    if kind == "apply":
        return derivative(tree[1], len(tree[2])).subs(VARIABLE, to_sympy(tree[3][0], names))
    left, right = to_sympy(tree[1], names), to_sympy(tree[2], names)
    return OPERATORS[kind](left, right)


class Equations:
    """M a = Q + sum lambda_h l_h, A a + b = 0, and the relations that states satisfy."""

    def __init__(self, model):
        self.model = model
        self.names = {"t": sympy.Symbol("t", real=True)}
        self.names |= {name: sympy.Symbol(name, real=True, positive=positive or None) for name, positive in model.params.items()}
        self.q = [self.new(name) for name in model.coords]
        self.v = [self.new(name + "'") for name in model.coords]
        self.T, self.V = self.read(model.kinetic), self.read(model.potential)
        self.mass = sympy.hessian(self.T, self.v)
        self.load = [self.load_of(i) for i in range(len(self.q))]
        self.relations, self.rows, self.biases, self.directions = [], [], [], []
        for constraint in model.constraints:
            self.add(constraint)

    def new(self, name):
        self.names[name] = sympy.Symbol(name, real=True)
        return self.names[name]

    def read(self, text):
        return to_sympy(expression.parse(text), self.names)

    def drift(self, function):
        """d/dt of a function with the accelerations left out."""
        return sum((slope(function, q)*v for q, v in zip(self.q, self.v)), slope(function, self.names["t"]))

    def load_of(self, i):
        force = self.read(self.model.forces.get(self.model.coords[i], "0"))
        return force + sympy.diff(self.T - self.V, self.q[i]) - self.drift(sympy.diff(self.T, self.v[i]))

    def add(self, constraint):
        relation = self.read(constraint.left) - self.read(constraint.right)
        self.relations.append(relation)
        if not relation.has(*self.v):
            relation = self.drift(relation)
            self.relations.append(relation)
        row = [slope(relation, v) for v in self.v]
        self.rows.append(row)
        self.biases.append(self.drift(relation))
        force = self.read(constraint.force) if constraint.force else None
        self.directions.append([sympy.diff(force, v) for v in self.v] if force is not None else row)

    def state(self):
        """Names of what a state is made of, in order: coordinates, velocities, then the time and parameters."""
        return [*self.q, *self.v], [self.names["t"], *(self.names[name] for name in self.model.params)]
