"""What the house checks share: which files are ours, and how a finding is printed."""

import argparse
import pathlib
import sys

FOLDERS = ("include", "src", "tests", "bench", "fuzz", "docs", "tools", "cmake", "python", "web", "models", "editors", ".ci")
CPP = (".hpp", ".cpp")
SKIPPED = {"__pycache__", "node_modules", "corpus"}


def files(root, suffixes=None, folders=FOLDERS):
    """Our text files under root, sorted; only those with one of the suffixes, if given."""
    root = pathlib.Path(root)
    found = [path for path in root.iterdir() if path.is_file()] if folders is FOLDERS else []
    for folder in folders:
        found += [path for path in (root / folder).rglob("*") if path.is_file()]
    return sorted(
        path
        for path in found
        if not SKIPPED.intersection(path.relative_to(root).parts) and (suffixes is None or path.suffix in suffixes)
    )


def numbered_lines(path):
    return enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)


def main(check, description):
    """Runs check(root), prints its findings, one a line, and exits 1 if there are any."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    findings = list(check(parser.parse_args().root))
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0)
