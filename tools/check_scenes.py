#!/usr/bin/env python3
"""Opens the moving pictures of models in a headless browser: what is drawn changes with the time and with the options, nothing is complained of,
nothing is asked of the net, and the cursor of the curves follows.

usage: check_scenes.py PROGRAM [--keep FOLDER]

Not a part of the suite: a browser is 350 MB. `./dev scenes` installs Debian's chromium and runs it.
"""

import argparse
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Model, end of its motion, further options.
MODELS = [("classics/double_pendulum", 5), ("classics/four_bar", 3), ("classics/tilting_disc", 4), ("classics/spinning_top", 1),
          ("bodies/gyroscope_in_gimbals", 0.5), ("bodies/excavator", 0.4), ("bodies/planetary_gear", 0.4), ("bodies/quarter_car", 1),
          ("bodies/six_joint_arm", 1), ("bodies/stewart_platform", 1), ("mbs/bricard_mechanism", 2), ("mbs/flyball_governor", 1),
          ("mbs/andrews_mechanism", 0.03), ("contacts/tippe_top", 3), ("contacts/billiard_ball_with_spin", 1), ("contacts/chain_falling_on_floor", 0.4)]
LOOKS = [(1400, 900, False), (500, 800, False), (500, 800, True)]


def shot(browser, page, fragment, look, picture):
    """The bytes of a screenshot, and the lines that the page wrote or asked for."""
    width, height, dark = look
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},{height}",
               "--virtual-time-budget=1500", "--enable-logging=stderr", "--host-resolver-rules=MAP * ~NOTFOUND", f"--screenshot={picture}"]
    if dark:
        command.append("--blink-settings=preferredColorScheme=0")
    done = subprocess.run(command + [f"file://{page}#{fragment}"], capture_output=True, text=True, timeout=120)
    if not picture.exists():
        sys.exit(f"no screenshot: {done.stderr[-800:]}")
    lines = [line for line in done.stderr.splitlines() if "CONSOLE" in line or "net_error" in line]
    return picture.read_bytes(), lines


def pixels(png):
    """(width, height, rows of RGB) of a PNG without interlacing, eight bits a channel."""
    place, data, size, channels = 8, b"", None, 3
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place:place + 8])
        body = png[place + 8:place + 8 + length]
        if kind == b"IHDR":
            size, channels = struct.unpack(">II", body[:8]), {2: 3, 6: 4}[body[9]]
        elif kind == b"IDAT":
            data += body
        place += 12 + length
    raw, (width, height), stride = zlib.decompress(data), size, size[0] * channels
    rows, before = [], bytearray(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up, corner = (row[i - channels] if i >= channels else 0), before[i], (before[i - channels] if i >= channels else 0)
            guess = left + up - corner
            near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[i] = (row[i] + (0, left, up, (left + up) // 2, near)[kind]) & 255
        rows.append(bytes(row))
        before = row
    return width, height, channels, rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--browser", default="chromium")
    options = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep.resolve() if options.keep else pathlib.Path(temporary)
        folder.mkdir(exist_ok=True)
        for model, until in MODELS:
            name = model.split("/")[-1]
            page = folder / f"{name}.html"
            subprocess.run([options.program, "show", ROOT / "models" / f"{model}.lia", "--until", str(until), "-o", page], check=True, stdout=subprocess.DEVNULL)
            for look in LOOKS:
                begin, said = shot(options.browser, page, "t=0", look, folder / f"{name}-{look[0]}{'-dark' if look[2] else ''}-a.png")
                later, more = shot(options.browser, page, f"t={0.63 * until}&velocities&reactions&names", look, folder / f"{name}-{look[0]}{'-dark' if look[2] else ''}-b.png")
                for line in said + more:
                    wrong.append(f"{name} at {look}: {line}")
                if begin == later:
                    wrong.append(f"{name} at {look}: the picture does not change")
            print(f"{name}: {len(LOOKS)} looks at two times", flush=True)
        # Curves below: the cursor of the curves goes with the slider, so that a column of pixels moves through the panels.
        page = folder / "run.html"
        subprocess.run([options.program, "simulate", ROOT / "models/classics/double_pendulum.lia", "--until", "5", "--plot", page], check=True, stdout=subprocess.DEVNULL)
        text = page.read_text()
        drive = "<script>addEventListener('load', () => { const s = document.querySelector('#scene input[type=range]'); s.value = %s; s.dispatchEvent(new Event('input')); document.title = 'moved'; });</script></body>"
        shots = []
        for value in (0.25, 0.75):
            moved = folder / f"run-{value}.html"
            moved.write_text(text.replace("</body>", drive % value))
            png, said = shot(options.browser, moved, "", (1000, 1500, False), folder / f"run-{value}.png")
            wrong += [f"curves: {line}" for line in said]
            shots.append(pixels(png))
        width, height, channels, first = shots[0]
        second = shots[1][3]
        below = range(height * 2 // 3, height)  # under the moving picture
        columns = {x for y in below for x in range(width) if first[y][x * channels:x * channels + 3] != second[y][x * channels:x * channels + 3]}
        if not columns or max(columns) - min(columns) < width / 5:
            wrong.append(f"curves: no cursor moves in them: columns {sorted(columns)[:3]}...")
        print("run: the cursor of the curves follows", flush=True)
        # And back: a pointer over the curves takes the picture to its time.
        point = """<script>addEventListener('load', () => { const svg = [...document.querySelectorAll('figure svg')].find((one) => one.getBoundingClientRect().width > 0);
          const box = svg.getBoundingClientRect(), at = { clientX: box.left + 0.45 * box.width, clientY: box.top + 0.13 * box.height, bubbles: true };
          svg.dispatchEvent(new PointerEvent('pointermove', at)); });</script></body>"""
        pointed = folder / "run-pointed.html"
        pointed.write_text(text.replace("</body>", point))
        done = subprocess.run([options.browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=1500", "--dump-dom", f"file://{pointed}"],
                              capture_output=True, text=True, timeout=120)
        told = re.search(r"<output[^>]*>t = ([0-9.]+)", done.stdout)
        if not told or not 1.5 < float(told.group(1)) < 3.5:
            wrong.append(f"curves: a pointer in their middle leaves the picture at t = {told and told.group(1)}")
        print("run: the picture follows a pointer over the curves", flush=True)
        if not re.search(r"liaison:time", text):
            wrong.append("run: the page does not say its time")
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
