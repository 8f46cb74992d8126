"""States of a model by Newton's iteration from random starts, and the motion at each: M a = Q + sum lambda l, A a + b = 0."""

import random
from fractions import Fraction

import mpmath
import sympy

import model as models

DIGITS = 120
SINGULAR = mpmath.mpf(10)**-60  # a pivot that is smaller, compared with its row, is zero
ZERO_ROW = mpmath.mpf(10)**-70  # a row of relations that is smaller vanishes at the state: it is the rest of the iteration
NEARLY = mpmath.mpf(10)**-12  # the size of a residual that may be the rounding of a printed point
FARTHEST = 10**30  # an iteration that goes there has lost its way
ON = mpmath.mpf(10)**-100  # the residual of a state


def function(arguments, expressions):
    return sympy.lambdify(arguments, expressions, modules="mpmath", cse=True)


class Reduction:
    """A matrix by elimination with full pivoting, on rows of length one."""

    def __init__(self, rows, rhs):
        self.rows = [list(row) + [side] for row, side in zip(rows, rhs)]
        self.width = len(rows[0]) if rows else 0
        self.scale = max([abs(x) for row in rows for x in row] + [mpmath.mpf(10)**-200])
        self.side = max([abs(x) for x in rhs] + [self.scale])
        self.pivots = []
        self.eliminate()

    def eliminate(self):
        left = list(range(len(self.rows)))
        while left:
            size, i, j = max(((abs(self.rows[i][j]), i, j) for i in left for j in range(self.width)), key=lambda x: x[0])
            if size <= SINGULAR*self.scale:
                break
            pivot = self.rows[i]
            self.rows[i] = pivot = [x/pivot[j] for x in pivot]
            for k in range(len(self.rows)):
                if k != i:
                    factor = self.rows[k][j]
                    self.rows[k] = [x - factor*y for x, y in zip(self.rows[k], pivot)]
            self.pivots.append((i, j))
            left.remove(i)
        self.left = left

    def rank(self):
        return len(self.pivots)

    def consistent(self):
        return all(abs(self.rows[i][-1]) <= SINGULAR*self.side for i in self.left)

    def solution(self):
        found = [mpmath.mpf(0)]*self.width
        for i, j in self.pivots:
            found[j] = self.rows[i][-1]
        return found

    def kernel(self):
        basis = []
        for free in set(range(self.width)) - {j for _, j in self.pivots}:
            vector = [mpmath.mpf(0)]*self.width
            vector[free] = mpmath.mpf(1)
            for i, j in self.pivots:
                vector[j] = -self.rows[i][free]
            basis.append(vector)
        return basis


def without_rests(rows):
    rows = [[mpmath.mpf(x) for x in row] for row in rows]  # whole numbers would be divided as doubles
    return [row if max(map(abs, row)) > ZERO_ROW else [mpmath.mpf(0)]*len(row) for row in rows]


def rank(rows):
    rows = without_rests(rows)
    unit = [[x/max(max(map(abs, row)), mpmath.mpf(10)**-300) for x in row] if any(row) else row for row in rows]
    return Reduction(unit, [mpmath.mpf(0)]*len(rows)).rank() if rows else 0


class Motion:
    """kind: regular, redundant, contradictory, undetermined; acceleration and factors where they are determined, else None."""

    def __init__(self, mass, load, rows, biases, directions):
        n, m = len(load), len(rows)
        rows, directions = without_rests(rows), without_rests(directions)
        free = Reduction(mass, load)
        self.kind = "regular"
        if free.rank() < n:
            self.kind = "undetermined"
            return
        inverse = mpmath.inverse(mpmath.matrix(mass))
        fields = [list(inverse*mpmath.matrix(direction)) for direction in directions]
        start = list(inverse*mpmath.matrix(load))
        r = [[sum(rows[k][i]*fields[h][i] for i in range(n)) for h in range(m)] for k in range(m)]
        drive = [sum(rows[k][i]*start[i] for i in range(n)) + biases[k] for k in range(m)]
        # Relations of any size: each is divided by the length of its row.
        lengths = [max(map(abs, row)) or mpmath.mpf(1) for row in r]
        system = Reduction([[x/length for x in row] for row, length in zip(r, lengths)], [-x/y for x, y in zip(drive, lengths)])
        self.full = system.rank() == m
        if not system.consistent():
            self.kind = "contradictory"
            return
        kernel = system.kernel()
        self.factors = [value if all(abs(vector[h]) < SINGULAR for vector in kernel) else None
                        for h, value in enumerate(system.solution())]
        moved = [[sum(vector[h]*fields[h][i] for h in range(m)) for i in range(n)] for vector in kernel]
        size = max([abs(x) for field in fields for x in field] + [mpmath.mpf(10)**-200])
        if any(abs(x) > SINGULAR*size for vector in moved for x in vector):
            self.kind = "undetermined"
            return
        self.kind = "regular" if not kernel else "redundant"
        self.acceleration = [start[i] + sum(lam*fields[h][i] for h, lam in enumerate(system.solution())) for i in range(n)]


class Numbers:
    """The equations of a model as functions of numbers."""

    def __init__(self, equations):
        self.equations = equations
        self.moving, self.fixed = equations.state()
        everything = [*self.moving, *self.fixed]
        self.relations = function(everything, equations.relations)
        jacobian = [[models.slope(relation, z) for z in self.moving] for relation in equations.relations]
        self.jacobian = function(everything, jacobian)
        self.parts = function(everything, [equations.mass.tolist(), equations.load, equations.rows, equations.biases,
                                           equations.directions, equations.T, equations.V])

    def step(self, z, fixed):
        """The shortest step onto the relations as they are here, damped by the least amount."""
        values = self.relations(*z, *fixed)
        rows = self.jacobian(*z, *fixed)
        lengths = [mpmath.sqrt(sum(x*x for x in row)) or mpmath.mpf(1) for row in rows]
        rows = [[x/length for x in row] for row, length in zip(rows, lengths)]
        values = [x/length for x, length in zip(values, lengths)]
        gram = mpmath.matrix(len(rows), len(rows))
        for i, one in enumerate(rows):
            for j, other in enumerate(rows):
                gram[i, j] = sum(x*y for x, y in zip(one, other))
            gram[i, i] += mpmath.mpf(10)**(-mpmath.mp.dps*2//3)
        weights = mpmath.lu_solve(gram, mpmath.matrix(values))
        return [x - sum(weights[k]*rows[k][i] for k in range(len(rows))) for i, x in enumerate(z)], max(map(abs, values))

    def onto(self, z, fixed, coarse=40):
        """The state that Newton's iteration finds from z, or None."""
        if not self.equations.relations:
            return z
        try:
            for digits, steps, enough in ((20, coarse, mpmath.mpf(10)**-12), (DIGITS, 14, ON)):
                with mpmath.workdps(digits):
                    for _ in range(steps):
                        z, size = self.step(z, fixed)
                        if not is_near(z):
                            return None
                        if size < enough:
                            break
                    else:
                        return None
            return z if is_real(z) else None
        except (ZeroDivisionError, ValueError, TypeError, OverflowError):
            return None

    def is_nearly_singular(self, given):
        """A relation loses its differential within the rounding of the point: Newton's iteration leads away from it."""
        if not self.equations.relations or not all(symbol.name in given for symbol in self.moving if any(symbol in relation.free_symbols
                                                                         for relation in self.equations.relations)):
            return False
        values = [given.get(symbol.name, Fraction(1)) for symbol in [*self.moving, *self.fixed]]
        values = [mpmath.mpf(x.numerator)/x.denominator if isinstance(x, Fraction) else x for x in values]
        near = NEARLY*max(1, *map(abs, values))**2
        rows, residuals = self.jacobian(*values), self.relations(*values)
        return max(map(abs, residuals)) < near and any(max(map(abs, row)) < near for row in rows)

    def motion(self, z, fixed):
        with mpmath.workdps(DIGITS):
            *parts, kinetic, potential = self.parts(*z, *fixed)
            if not is_real(parts[1]):
                raise ValueError("a force has no value here")
            return Motion(*parts), kinetic, potential


class State:
    """A point as {name: number}, with its motion."""

    def __init__(self, numbers, z, fixed):
        self.z, self.fixed = z, fixed
        self.point = {symbol.name: value for symbol, value in zip([*numbers.moving, *numbers.fixed], [*z, *fixed])}
        self.motion, kinetic, potential = numbers.motion(z, fixed)
        if not is_real([*z, kinetic, potential]):
            raise ValueError("the model has no value here")
        names, constraints = numbers.equations.model.coords, numbers.equations.model.constraints
        self.point |= {"T": kinetic, "V": potential}
        if self.motion.kind not in ("regular", "redundant"):
            return
        self.point |= {name + "''": value for name, value in zip(names, self.motion.acceleration)}
        with mpmath.workdps(DIGITS):
            *_, directions, _, _ = numbers.parts(*z, *fixed)
            n = len(names)
            for constraint, factor, direction in zip(constraints, self.motion.factors, directions):
                if factor is not None:
                    self.point[f"lambda({constraint.name})"] = factor
                    self.point[f"power({constraint.name})"] = factor*sum(direction[i]*z[n + i] for i in range(n))


def is_real(values):
    return all(isinstance(x, (int, mpmath.mpf)) and mpmath.isfinite(x) for x in values)


def is_near(values):
    return all(abs(x) < FARTHEST for x in values)


def random_value(rng, scale):
    return mpmath.mpf(rng.randint(-30000, 30000)*scale)/9973


def find_states(numbers, seed, count=10, attempts=40):
    """Up to `count` states, from starts of several sizes."""
    rng, found = random.Random(seed), []
    params = numbers.equations.model.params
    scale = numbers.equations.model.scale
    for k in range(attempts):
        with mpmath.workdps(DIGITS):
            fixed = [random_value(rng, 1)] + [abs(value) + mpmath.mpf(1)/7 if positive else value
                                              for positive in params.values() for value in [random_value(rng, 1)]]
            z = [random_value(rng, scale*rng.choice((1, 1, 2))) for _ in numbers.moving]
        z = numbers.onto(z, fixed)
        if z is None:
            continue
        try:
            found.append(State(numbers, z, fixed))
        except (ZeroDivisionError, ValueError, TypeError):
            continue
        if len(found) == count:
            break
    return found


def completed(numbers, given, seed, attempts=12):
    """States that agree with the given values, one by one; what is not given is found. The given ones may move by their rounding."""
    rng = random.Random(seed)
    scale = numbers.equations.model.scale
    held = {k for k, symbol in enumerate(numbers.moving) if symbol.name in given}
    for _ in range(attempts if len(held) < len(numbers.moving) else 1):
        with mpmath.workdps(DIGITS):
            start = [given.get(symbol.name, random_value(rng, scale)) for symbol in [*numbers.moving, *numbers.fixed]]
            start = [mpmath.mpf(x.numerator)/x.denominator if isinstance(x, Fraction) else x for x in start]
        z, fixed = start[:len(numbers.moving)], start[len(numbers.moving):]
        z = hold(numbers, z, fixed, held)
        if z is None:
            continue
        try:
            yield State(numbers, z, fixed)
        except (ZeroDivisionError, ValueError, TypeError):
            continue


def hold(numbers, z, fixed, held):
    """Newton's iteration in what is not held; where that is no state, everything moves by no more than rounding."""
    if not numbers.equations.relations:
        return z
    free = [k for k in range(len(z)) if k not in held]
    current = list(z)
    try:
        for digits, steps in ((40, 60), (DIGITS, 6)) if free else ():
            with mpmath.workdps(digits):
                for _ in range(steps):
                    stepped = held_step(numbers, current, fixed, free)
                    moved = max(abs(stepped[k] - current[k]) for k in free)
                    current = [stepped[k] if k in free else z[k] for k in range(len(z))]
                    if not is_near(current):
                        return None
                    if moved < mpmath.mpf(10)**(-3*digits//4):
                        break
        with mpmath.workdps(DIGITS):
            if max(map(abs, numbers.relations(*current, *fixed))) < ON and is_real(current):
                return current
    except (ZeroDivisionError, ValueError, TypeError, OverflowError):
        return None
    polished = numbers.onto(current, fixed, coarse=12)
    if polished is None:
        return None
    gap = max((abs(polished[k] - z[k])/(1 + abs(z[k])) for k in held), default=0)
    return polished if gap < 1e-8 else None


def held_step(numbers, z, fixed, free):
    values = numbers.relations(*z, *fixed)
    rows = [[row[k] for k in free] for row in numbers.jacobian(*z, *fixed)]
    lengths = [mpmath.sqrt(sum(x*x for x in row)) or mpmath.mpf(1) for row in rows]
    gram = mpmath.matrix(len(rows), len(rows))
    for i, one in enumerate(rows):
        for j, other in enumerate(rows):
            gram[i, j] = sum(x*y for x, y in zip(one, other))/lengths[i]/lengths[j]
        gram[i, i] += mpmath.mpf(10)**(-mpmath.mp.dps*5//8)
    weights = mpmath.lu_solve(gram, mpmath.matrix([x/length for x, length in zip(values, lengths)]))
    stepped = list(z)
    for place, k in enumerate(free):
        stepped[k] -= sum(weights[i]*rows[i][place]/lengths[i] for i in range(len(rows)))
    return stepped
