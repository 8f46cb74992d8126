#!/usr/bin/env python3
"""Writes a model of any size: rods in a plane under gravity, joined end to end, in absolute coordinates.

usage: make_chain.py N [--loop | --tree | --floor]  > chain.lia

Rod i has its centre at (xi, yi) and the angle phii to the horizontal; each joint is two relations between coordinates. The first rod
hangs from the origin.

(nothing)  a chain: rod i hangs from the end of rod i - 1; all start in one line, at the angle a below the horizontal
--loop     the end of the last rod is held too, in the height of the first joint; the rods start on an arc
--tree     rod i hangs from the end of rod i // 2; the rods start spread out
--floor    nothing holds the chain: it falls, bent, and its joints and ends may press on a floor, with friction

Start values are given for the angles only: the centres, and all velocities (zero), follow from the joints.
"""

import argparse


def joint(number, rod, left):
    """The two relations that hold the beginning of a rod at the point `left`."""
    x, y = left
    return [
        f"constraint hx{number}: x{rod} - l/2*cos(phi{rod}) = {x}",
        f"constraint hy{number}: y{rod} - l/2*sin(phi{rod}) = {y}",
    ]


def end_of(rod):
    return f"x{rod} + l/2*cos(phi{rod})", f"y{rod} + l/2*sin(phi{rod})"


def start_angle(rod, count, shape):
    if shape == "loop":
        return f"{2 * rod - count - 1}/2*d"
    if shape == "tree":
        level = rod.bit_length()
        return f"-a + {2 * rod - 3 * 2 ** (level - 1) + 1}/{2 ** (level + 1)}"
    if shape == "floor":
        return f"{(37 * rod) % 100 - 50}/100"
    return "-a"


def floor(count):
    """Contacts of all ends of the rods with the floor y = 0."""
    slip = "friction mu on x{0}' {1} l/2*sin(phi{0})*phi{0}'"
    yield "unilateral f0: y1 - l/2*sin(phi1) >= 0 " + slip.format(1, "+")
    for i in range(1, count + 1):
        yield f"unilateral f{i}: {end_of(i)[1]} >= 0 " + slip.format(i, "-")


def model(count, shape):
    lines = [f'system "{shape.capitalize()} of {count} rods"', "param m > 0 = 1, l > 0 = 1, g = 9.81"]
    lines.append(f"param d = {2 / count!r}" if shape == "loop" else "param a = 1.2")
    lines += [f"coord x{i}, y{i}, phi{i}" for i in range(1, count + 1)]
    lines.append("gravity [0, -g]")
    for i in range(1, count + 1):
        lines.append(f"body rod{i} mass m inertia m*l^2/12 at [x{i}, y{i}] angle phi{i}")
    for i in range(1, count + 1):
        parent = i // 2 if shape == "tree" else i - 1
        if parent or shape != "floor":
            lines += joint(i, i, end_of(parent) if parent else ("0", "0"))
    if shape == "loop":
        x, y = end_of(count)
        lines.append(f"constraint hx{count + 1}: {x} = l*sin({count}/2*d)/sin(d/2)")
        lines.append(f"constraint hy{count + 1}: {y} = 0")
    if shape == "floor":
        lines += ["param mu = 0.3", *floor(count), "start x1 = 0, y1 = 3*l"]
    lines += [f"start phi{i} = {start_angle(i, count, shape)}" for i in range(1, count + 1)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Writes a model of N rods, joined end to end.")
    parser.add_argument("count", metavar="N", type=int, help="rods, at least one")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--loop", dest="shape", action="store_const", const="loop", help="both ends are held")
    shape.add_argument("--tree", dest="shape", action="store_const", const="tree", help="two rods on each end")
    shape.add_argument("--floor", dest="shape", action="store_const", const="floor", help="it falls on a floor")
    arguments = parser.parse_args()
    least = 3 if arguments.shape == "loop" else 1
    if arguments.count < least:
        parser.error(f"at least {least}: fewer rods cannot move")
    print(model(arguments.count, arguments.shape or "chain"), end="")


if __name__ == "__main__":
    main()
