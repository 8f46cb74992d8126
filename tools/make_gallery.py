#!/usr/bin/env python3
"""A gallery of the models that move: of each its moving picture, its equations and its claims, with links to all of its derivation.

usage: make_gallery.py PROGRAM FOLDER [MODEL ...]

FOLDER/index.html is the page, and beside it each model has a page of its motion and one of its derivation. `./dev docs` makes build/gallery.
What a model's page shows is printed by the program; nothing is written by hand but how long each moves.
"""

import argparse
import concurrent.futures
import html
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_SECONDS = 300
# Model, end of its motion, further options.
MODELS = [("classics/double_pendulum", 10), ("classics/four_bar", 3.92), ("classics/tilting_disc", 6), ("classics/rolling_disc", 6),
          ("classics/chaplygin_sleigh", 12),
          ("classics/spinning_top", 2), ("classics/sphere_rolling", 4), ("classics/bead_on_hoop", 6), ("classics/kepler", 10),
          ("driven/slider_crank_at_constant_speed", 0.9424777960769379), ("driven/kapitza_pendulum", 2),
          ("driven/governor", 6), ("integrable/snakeboard", 10), ("integrable/trailer", 10), ("bodies/gyroscope_in_gimbals", 0.5),
          ("bodies/stewart_platform", 2), ("bodies/planetary_gear", 1), ("mbs/bricard_mechanism", 4), ("mbs/andrews_mechanism", 0.05),
          ("contacts/newtons_cradle", 2), ("contacts/bouncing_ball", 2), ("contacts/tippe_top", 4), ("contacts/ball_on_vibrating_table", 2),
          ("contacts/rocking_block", 2)]
STYLE = """main { max-width: 70rem; }
article { border-top: 1px solid var(--line); padding: 1.6rem 0 1.2rem; }
article > h2 { display: block; margin-bottom: .4rem; }
iframe { display: block; width: 100%; height: 34rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--page); }
article summary { cursor: pointer; color: var(--soft); margin: .6rem 0; }
.claims { list-style: none; padding: 0; }
.claims li { padding-left: 6.5rem; text-indent: -6.5rem; overflow-wrap: anywhere; margin: .2rem 0; }
.claims b { display: inline-block; width: 6.5rem; text-indent: 0; font-weight: 600; color: var(--soft); }
code { font-size: .9em; }
@media (max-width: 640px) { iframe { height: 26rem; } }
@media print { iframe { display: none; } }
"""


def asked(program, *arguments):
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"liaison {' '.join(arguments)}: {done.stderr.strip()[:400]}")
    return done.stdout


def about(model):
    """What the model says of itself before its first statement."""
    lines = []
    for line in (ROOT / "models" / f"{model}.lia").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        lines.append(line[1:].strip())
    return " ".join(lines)


def section(page, key):
    """The inside of a section of a derivation, without its heading and the menus of its formulas."""
    found = re.search(rf'<section id="{key}">\s*<details[^>]*>\s*<summary>.*?</summary>(.*?)</details>\s*</section>', page, re.DOTALL)
    if not found:
        return ""
    body = re.sub(r'<details class="copy".*?</details>', "", found.group(1), flags=re.DOTALL)
    return re.sub(r' id="[^"]*"', "", body)


def entry(program, folder, model, until):
    name = model.replace("/", "-")
    path = f"models/{model}.lia"
    asked(program, "show", path, "--until", repr(until), "-o", str(folder / f"{name}.html"))
    asked(program, "derive", path, "-o", str(folder / f"{name}-derivation.html"))
    claims = json.loads(asked(program, "check", path, "--json"))
    page = (folder / f"{name}-derivation.html").read_text(encoding="utf-8")
    title = re.search(r"<h1>(.*?)</h1>", page, re.DOTALL).group(1)
    equations = section(page, "equations")
    if not equations:
        raise RuntimeError(f"{path}: its derivation has no equations")
    return {"name": name, "model": path, "title": title, "about": about(model), "equations": equations, "claims": claims["claims"],
            "style": re.search(r"<style>/\*<!\[CDATA\[\*/(.*?)/\*\]\]>\*/</style>", page, re.DOTALL).group(1)}


def claim(each):
    name = f"{each['name']}: " if each["name"] else ""
    status = "misprint, refuted" if each.get("misprint") and each["status"] == "refuted" else each["status"]
    return f"<li><b>{html.escape(status)}</b> <code>{html.escape(name + each['text'])}</code></li>"


def article(each):
    claims = "".join(claim(one) for one in each["claims"])
    return (f'<article id="{each["name"]}">\n<h2>{each["title"]}</h2>\n<p>{html.escape(each["about"])}</p>\n'
            f'<iframe src="{each["name"]}.html" loading="lazy" title="{each["title"]}, moving"></iframe>\n'
            f"<details open><summary>Equations of motion</summary>{each['equations']}</details>\n"
            f'<details{" open" if len(each["claims"]) < 8 else ""}><summary>{len(each["claims"])} claims</summary><ul class="claims">{claims}</ul></details>\n'
            f'<p><a href="{each["name"]}-derivation.html">The derivation</a>, <a href="{each["name"]}.html">the motion on a page of its own</a>, '
            f"<code>{each['model']}</code></p>\n</article>\n")


def gallery(entries):
    contents = "".join(f'<li><a href="#{each["name"]}">{each["title"]}</a></li>' for each in entries)
    return ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Systems that move</title>\n"
            f"<style>{entries[0]['style']}{STYLE}</style>\n</head>\n<body>\n<nav><ol>{contents}</ol></nav>\n<main>\n<h1>Systems that move</h1>\n"
            "<p class=\"summary\">Each was written as a model of some lines. The program derived its equations, moved it, and judged its claims.</p>\n"
            f"{''.join(article(each) for each in entries)}</main>\n</body>\n</html>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("models", nargs="*", help="of the list, as classics/kepler; all where none is named")
    arguments = parser.parse_args()
    program, folder = str(pathlib.Path(arguments.program).resolve()), arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [(model, until) for model, until in MODELS if not arguments.models or model in arguments.models]
    if len(chosen) < len(arguments.models):
        sys.exit(f"the gallery has {', '.join(model for model, _ in MODELS)}")
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        entries = list(pool.map(lambda each: entry(program, folder, *each), chosen))
    (folder / "index.html").write_text(gallery(entries), encoding="utf-8")
    print(f"{folder / 'index.html'}: {len(entries)} systems")
    return 0


if __name__ == "__main__":
    sys.exit(main())
