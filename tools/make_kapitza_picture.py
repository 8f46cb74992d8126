#!/usr/bin/env python3
"""The boundary of stability of Kapitza's upright pendulum, as a picture: Floquet multipliers against Mathieu's curve.

usage: make_kapitza_picture.py PROGRAM [--check]

For each amplitude A of the pivot `liaison orbits --follow` finds the rate w at which the multipliers of the upright position come onto the unit circle; with
q = 2*A/l that is where -4*g/(l*w^2) is Mathieu's a_0(q), the least eigenvalue of a tridiagonal matrix. `--check` compares with the picture that is there.
"""

import json
import math
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "pictures" / "kapitza-boundary.svg"
LENGTH, GRAVITY = 0.5, 9.81
AMPLITUDES = (0.02, 0.03, 0.04, 0.05, 0.07, 0.1, 0.13, 0.16, 0.2)
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 60, 50, 20
LOWEST, HIGHEST, WIDEST = 0, 180, 0.22


def mathieu_a0(q, size=30):
    """The least a with x'' + (a - 2 q cos 2 s) x = 0 of period pi: bisection on the signs of leading minors."""
    def below(a):  # how many eigenvalues are smaller than a
        count, pivot = 0, 1.0
        for k in range(size):
            coupling = 0 if k == 0 else 2 * q * q if k == 1 else q * q
            pivot = (2 * k) ** 2 - a - (coupling / pivot if k else 0)
            pivot = pivot if pivot != 0 else 1e-300
            count += pivot < 0
        return count

    low, high = -2 * abs(q) - 1, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if below(middle) >= 1 else (middle, high)
    return (low + high) / 2


def rate_by_mathieu(amplitude):
    return math.sqrt(-4 * GRAVITY / (LENGTH * mathieu_a0(2 * amplitude / LENGTH)))


def rate_by_multipliers(program, amplitude):
    """Where the branch of the upright position meets tilted ones."""
    near = math.sqrt(2 * GRAVITY * LENGTH) / amplitude  # Kapitza's own rule
    command = [program, "orbits", ROOT / "models/driven/kapitza_upright.lia", "--set", f"A = {amplitude}", "--follow",
               f"w = {0.8 * near:.6g} .. {1.3 * near:.6g}", "--json"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, encoding="utf-8", check=True, timeout=300)
    special = [point for point in json.loads(done.stdout)["branches"][0]["special"] if point["kind"] == "branching"]
    return special[0]["w"]


def picture(points):
    across = lambda a: LEFT + (WIDTH - LEFT - RIGHT) * a / WIDEST
    up = lambda w: HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (w - LOWEST) / (HIGHEST - LOWEST)
    curve = [(0.019 + k * 0.0005) for k in range(int((WIDEST - 0.019) / 0.0005) + 1)]
    line = " ".join(f"{across(a):.2f},{up(rate_by_mathieu(a)):.2f}" for a in curve)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
             f'<text x="{LEFT}" y="28" font-size="16">Kapitza\'s pendulum: where the upright position becomes stable</text>']
    for a in (0, 0.05, 0.1, 0.15, 0.2):
        parts.append(f'<line x1="{across(a):.1f}" y1="{TOP}" x2="{across(a):.1f}" y2="{HEIGHT - BOTTOM}" stroke="#dddddd"/>'
                     f'<text x="{across(a):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{a:g}</text>')
    for w in range(0, 181, 30):
        parts.append(f'<line x1="{LEFT}" y1="{up(w):.1f}" x2="{WIDTH - RIGHT}" y2="{up(w):.1f}" stroke="#dddddd"/>'
                     f'<text x="{LEFT - 8}" y="{up(w) + 4:.1f}" text-anchor="end">{w}</text>')
    parts += [f'<polyline points="{line}" fill="none" stroke="#1f5fa8" stroke-width="2"/>']
    parts += [f'<circle cx="{across(a):.2f}" cy="{up(w):.2f}" r="4.5" fill="none" stroke="#c2410c" stroke-width="2"/>' for a, w in points]
    parts += [f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 14}" text-anchor="middle">amplitude A of the pivot [m]</text>',
              f'<text transform="translate(20 {(HEIGHT - BOTTOM + TOP) / 2:.0f}) rotate(-90)" text-anchor="middle">rate w [rad/s]</text>',
              f'<text x="{across(0.12):.0f}" y="{up(110):.0f}">stable</text><text x="{across(0.02):.0f}" y="{up(25):.0f}">unstable</text>',
              f'<line x1="{across(0.105):.0f}" y1="{up(164):.0f}" x2="{across(0.12):.0f}" y2="{up(164):.0f}" stroke="#1f5fa8" stroke-width="2"/>'
              f'<text x="{across(0.124):.0f}" y="{up(164) + 4:.0f}">Mathieu\'s a_0(2A/l) = -4g/(l w^2)</text>',
              f'<circle cx="{across(0.1125):.0f}" cy="{up(148):.0f}" r="4.5" fill="none" stroke="#c2410c" stroke-width="2"/>'
              f'<text x="{across(0.124):.0f}" y="{up(148) + 4:.0f}">Floquet multipliers, orbits --follow</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    points = [(a, rate_by_multipliers(program, a)) for a in AMPLITUDES]
    worst = max(abs(w / rate_by_mathieu(a) - 1) for a, w in points)
    print(f"{len(points)} amplitudes, the rates agree with Mathieu's curve to {worst:.1e}")
    if worst > 1e-6:
        return 1
    if "--check" not in sys.argv:
        PICTURE.write_text(picture(points), encoding="utf-8")
    elif PICTURE.read_text(encoding="utf-8") != picture(points):
        print(f"{PICTURE.name} is not what this writes")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
