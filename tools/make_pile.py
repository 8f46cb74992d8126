#!/usr/bin/env python3
"""Writes a model of round discs that fall into a box: every pair of them, and each with the floor and both walls, is a contact with
friction.

usage: make_pile.py N [--columns C] [--friction F] [--restitution E]  > pile.lia

Disc i has its centre at (x_i, y_i), the angle th_i and the radius r_i. The radii differ a little and the rows are shifted, so that the
pile is no lattice. From 33 discs on the pairs are more than 500 contacts of one `for`, which are not written out.
"""

import argparse

STATEMENTS = """\
for i in 1..{n}: coord x_{i}, y_{i}, th_{i}
gravity [0, -g]
for i in 1..{n}: body disc_{i} mass rho*pi*r_{i}^2 inertia rho*pi*r_{i}^4/2 at [x_{i}, y_{i}] angle th_{i}
for i in 1..{n}: unilateral floor_{i}: y_{i} >= r_{i}  restitution e  friction mu on x_{i}' + r_{i}*th_{i}'
for i in 1..{n}: unilateral left_{i}: x_{i} >= r_{i}  restitution e  friction mu on y_{i}' - r_{i}*th_{i}'
for i in 1..{n}: unilateral right_{i}: w - x_{i} >= r_{i}  restitution e  friction mu on y_{i}' + r_{i}*th_{i}'
for i in 1..{n}, j in i+1..{n}: unilateral d_{i}_{j}: sqrt((x_{j} - x_{i})^2 + (y_{j} - y_{i})^2) >= r_{i} + r_{j}  restitution e
  friction mu on ((x_{j} - x_{i})*(y_{j}' - y_{i}') - (y_{j} - y_{i})*(x_{j}' - x_{i}'))/sqrt((x_{j} - x_{i})^2 + (y_{j} - y_{i})^2)
    - r_{i}*th_{i}' - r_{j}*th_{j}'
"""


def model(count, columns, friction, restitution):
    lines = [
        f'system "Pile of {count} discs"',
        f"param rho = 100, g = 10, mu = {friction}, e = {restitution}, w = {columns}/4 + 1/8",
    ]
    lines += [f"param r_{i} = {90 + 7 * i % 20}/1000" for i in range(1, count + 1)]
    lines += STATEMENTS.replace("{n}", str(count)).splitlines()
    for i in range(1, count + 1):
        row, column = divmod(i - 1, columns)
        lines.append(f"start x_{i} = {8 * column + 5 + row % 2}/32, y_{i} = {8 * row + 5}/32")
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
