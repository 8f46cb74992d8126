#!/usr/bin/env python3
"""Writes a model of round discs that fall into a box: every pair of them, and each with the floor and both walls, is a contact with
friction.

usage: make_pile.py N [--columns C] [--friction F] [--restitution E]  > pile.lia

Disc i has its centre at (xi, yi) and the angle thi. The radii differ a little and the rows are shifted, so that the pile is no lattice.
"""

import argparse


def radius(disc):
    return f"{90 + 7 * disc % 20}/1000"


def pair(first, second):
    """The contact of two discs: the gap between their edges, and the slip of one edge along the other."""
    dx, dy = f"(x{second} - x{first})", f"(y{second} - y{first})"
    length = f"sqrt({dx}^2 + {dy}^2)"
    slip = f"({dx}*(y{second}' - y{first}') - {dy}*(x{second}' - x{first}'))/{length}"
    spin = f"{radius(first)}*th{first}' - {radius(second)}*th{second}'"
    return f"unilateral d{first}_{second}: {length} - ({radius(first)} + {radius(second)}) >= 0 restitution e friction mu on {slip} - {spin}"


def borders(disc):
    r = radius(disc)
    return [
        f"unilateral floor{disc}: y{disc} - {r} >= 0 restitution e friction mu on x{disc}' + {r}*th{disc}'",
        f"unilateral left{disc}: x{disc} - {r} >= 0 restitution e friction mu on y{disc}' - {r}*th{disc}'",
        f"unilateral right{disc}: w - {r} - x{disc} >= 0 restitution e friction mu on y{disc}' + {r}*th{disc}'",
    ]


def model(count, columns, friction, restitution):
    lines = [
        f'system "Pile of {count} discs"',
        f"param rho = 100, g = 10, mu = {friction}, e = {restitution}, w = {columns}/4 + 1/8",
    ]
    lines += [f"coord x{i}, y{i}, th{i}" for i in range(1, count + 1)]
    lines.append("gravity [0, -g]")
    for i in range(1, count + 1):
        mass = f"rho*pi*({radius(i)})^2"
        lines.append(f"body disc{i} mass {mass} inertia {mass}*({radius(i)})^2/2 at [x{i}, y{i}] angle th{i}")
    for i in range(1, count + 1):
        lines += borders(i)
        lines += [pair(i, j) for j in range(i + 1, count + 1)]
    for i in range(1, count + 1):
        row, column = divmod(i - 1, columns)
        lines.append(f"start x{i} = {8 * column + 5 + row % 2}/32, y{i} = {8 * row + 5}/32")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Writes a model of N discs that fall into a box.")
    parser.add_argument("count", type=int, metavar="N")
    parser.add_argument("--columns", type=int, default=5)
    parser.add_argument("--friction", default="3/10")
    parser.add_argument("--restitution", default="0")
    options = parser.parse_args()
    print(model(options.count, options.columns, options.friction, options.restitution), end="")


if __name__ == "__main__":
    main()
