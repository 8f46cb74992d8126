#!/usr/bin/env python3
"""Opens pages in a browser without a window, in several widths and in the dark: nothing is wider than the page, no message on the console, no request.

usage: look_at_pages.py PAGE.html ... [--pictures FOLDER]

Needs `apt-get install chromium`. What stands in a page is measured by the browser, after its script has run.
"""

import argparse
import concurrent.futures
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SIZES = (1400, 500)
MEASURE = """<script>addEventListener("load", () => setTimeout(() => {
  const wide = document.documentElement.clientWidth, found = [];
  for (const element of document.querySelectorAll("body *")) {
    const box = element.getBoundingClientRect();
    if (box.width && !element.closest("svg, .copy > div") && box.right > wide + 1)
      found.push(`${element.tagName}.${element.className} to ${Math.round(box.right)}: ${element.textContent.slice(0, 40)}`);
    if (element.scrollWidth > element.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(element).overflowX))
      found.push(`${element.tagName}.${element.className} scrolls`);
  }
  const told = document.createElement("pre");
  told.id = "measured";
  told.textContent = JSON.stringify({ page: wide, scrolls: document.documentElement.scrollWidth, wide: found.slice(0, 5),
    errors: window.told_errors, requests: performance.getEntriesByType("resource").map((entry) => entry.name) });
  document.body.append(told);
}, 50));</script>"""
LISTEN = """<script>window.told_errors = [];
addEventListener("error", (event) => told_errors.push(event.message));
for (const kind of ["error", "warn"]) console[kind] = (...words) => told_errors.push(words.join(" "));</script>"""


def browser(folder, size, *more):
    command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=3000",
               f"--user-data-dir={folder}/profile", f"--window-size={size},1200", *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False).stdout


def problems_of(page, pictures):
    text = page.read_text(encoding="utf-8")
    measured = text.replace("<head>", "<head>" + LISTEN, 1).replace("</body>", MEASURE + "</body>", 1)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "page.html"
        copy.write_text(measured, encoding="utf-8")
        for size in SIZES:
            out = browser(folder, size, "--dump-dom", copy.as_uri())
            told = re.search(r'<pre id="measured">(.*?)</pre>', out, re.DOTALL)
            if not told:
                found.append(f"{size} px: the page told nothing")
                continue
            result = json.loads(html.unescape(told.group(1)))
            if result["scrolls"] > result["page"]:
                found.append(f"{size} px: the page is {result['scrolls']} wide")
            found += [f"{size} px: {line}" for line in result["wide"] + result["errors"] + result["requests"]]
        if pictures:
            for size in SIZES:
                browser(folder, size, f"--screenshot={pictures / f'{page.stem}-{size}.png'}", page.resolve().as_uri())
            browser(folder, 1400, "--blink-settings=preferredColorScheme=0", f"--screenshot={pictures / f'{page.stem}-dark.png'}",
                    page.resolve().as_uri())
            browser(folder, 1400, "--no-pdf-header-footer", f"--print-to-pdf={pictures / f'{page.stem}.pdf'}", page.resolve().as_uri())
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path)
    given = parser.parse_args()
    if given.pictures:
        given.pictures.mkdir(parents=True, exist_ok=True)
        given.pictures = given.pictures.resolve()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for page, problems in zip(given.pages, pool.map(lambda page: problems_of(page, given.pictures), given.pages)):
            failed += bool(problems)
            for problem in problems:
                print(f"{page}: {problem}", flush=True)
    print(f"{len(given.pages) - failed} of {len(given.pages)} pages are as wide as their windows, quiet and alone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
