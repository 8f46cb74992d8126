#!/usr/bin/env python3
"""Writes docs/reference/model-errors.md: the smallest wrong models of tests/diagnostics, each with what is said about it.

usage: make_model_errors.py [--check]     writes the page, or says that it is not up to date
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "diagnostics"
PAGE = ROOT / "docs" / "reference" / "model-errors.md"
HEAD = """# Wrong models, and what is said about them

For every code of [L04xx](errors.md#l04xx-models), the smallest models that get it, each with its message word for word. The page is made
by `./dev docs` from `tests/diagnostics`, where the test suite compares the messages.
"""


def causes():
    """The cause of each code, from the table of errors.md."""
    table = (ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| (L04\d\d) \| (.*?) \|", table, flags=re.MULTILINE))


def shown(path):
    """A text with what cannot be shown written out."""
    text = path.read_bytes().decode("utf-8", errors="replace").replace("\0", "␀").rstrip("\n")
    return text if text else "(an empty file)"


def make_page():
    cause_of = causes()
    page, last = HEAD, None
    for model in sorted(FOLDER.glob("L04*.lia")):
        code, _, title = model.stem.partition("_")
        if code != last:
            page += f"\n## {code}\n\n{cause_of.get(code, '')}\n"
            last = code
        page += f"\n{title.replace('_', ' ').capitalize()}:\n\n```text\n{shown(model)}\n```\n\n```text\n{shown(model.with_suffix('.txt'))}\n```\n"
    return page


def main():
    page = make_page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        sys.exit("docs/reference/model-errors.md is not what tests/diagnostics says: run ./dev docs")


if __name__ == "__main__":
    main()
