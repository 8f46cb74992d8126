"""Equations of motion of the trajectories, written by hand once for any kind of number: NumPy's and heyoka's."""


def chain(sin, cos, q, v, m, l, g):
    """Particles on massless rods, absolute angles: mass matrix (lower half) and right-hand sides."""
    n = len(q)
    carried = [sum(m[i:]) for i in range(n)]
    s, c = [sin(a) for a in q], [cos(a) for a in q]
    matrix = [[carried[i] * l[i] * l[j] * (c[i] * c[j] + s[i] * s[j]) for j in range(i + 1)] for i in range(n)]
    right = []
    for i in range(n):
        row = -carried[i] * g * l[i] * s[i]
        for j in range(n):
            if j != i:
                row = row - carried[max(i, j)] * l[i] * l[j] * (s[i] * c[j] - c[i] * s[j]) * (v[j] * v[j])
        right.append(row)
    return matrix, right


def solve(matrix, right):
    """L D L^T written out."""
    n = len(right)
    low, pivots, x = [[None] * n for _ in range(n)], [], list(right)
    for j in range(n):
        scaled = [low[j][k] * pivots[k] for k in range(j)]
        pivot = matrix[j][j]
        for k in range(j):
            pivot = pivot - low[j][k] * scaled[k]
        pivots.append(pivot)
        for i in range(j + 1, n):
            entry = matrix[i][j]
            for k in range(j):
                entry = entry - low[i][k] * scaled[k]
            low[i][j] = entry / pivot
        for k in range(j):
            x[j] = x[j] - low[j][k] * x[k]
    x = [value / pivot for value, pivot in zip(x, pivots)]
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            x[i] = x[i] - low[k][i] * x[k]
    return x


def tilting_disc(sin, cos, y, m, radius, g):
    """Rates of (x, y, psi, theta, phi, psi', theta', phi'): balance of momentum on leaning axes, without factors."""
    _, _, psi, theta, _, vpsi, vtheta, vphi = y
    moment, axial, whole = m * radius**2 / 4, m * radius**2 / 2, m * radius**2
    s, c = sin(theta), cos(theta)
    spin = vphi + vpsi * s
    along, across = radius * spin, radius * vtheta * c
    apsi = (2 * moment * vpsi * vtheta * s - axial * vtheta * spin) / (moment * c)
    atheta = ((axial + whole) * spin * vpsi * c - moment * vpsi * vpsi * s * c + m * g * radius * s) / (moment + whole)
    aspin = -whole * vtheta * vpsi * c / (axial + whole)
    centre = along * cos(psi) + across * sin(psi), along * sin(psi) - across * cos(psi)
    return [*centre, vpsi, vtheta, vphi, apsi, atheta, aspin - apsi * s - vpsi * vtheta * c]


DISC = ["x", "y", "psi", "theta", "phi", "psi'", "theta'", "phi'"]


def state_names(case):
    if case.one("family").endswith("tilting-disc"):
        return DISC
    n = int(case.one("size"))
    return [f"q{i}{dot}" for dot in ("", "'") for i in range(1, n + 1)]


def chain_numbers(case):
    n, point = int(case.one("size")), case.point()
    return [point[f"m{i}"] for i in range(1, n + 1)], [point[f"l{i}"] for i in range(1, n + 1)], point["g"]
