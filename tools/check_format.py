#!/usr/bin/env python3
"""The C++ sources are formatted as .clang-format says; --fix makes them so."""

import pathlib
import re
import shutil
import subprocess
import sys

import house

FOLDERS = ("include", "src", "tests", "bench", "fuzz")
PROGRAM = "clang-format-19"  # one version: others lay out differently


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    if not shutil.which(PROGRAM):
        sys.exit(f"check_format: {PROGRAM} is missing; ./dev format installs it")
    sources = [str(path.relative_to(root)) for path in house.files(root, house.CPP, FOLDERS)]
    if sys.argv[1:] == ["--fix"]:
        sys.exit(subprocess.run([PROGRAM, "-i", *sources], cwd=root).returncode)
    done = subprocess.run([PROGRAM, "--dry-run", "-Werror", *sources], cwd=root, stderr=subprocess.PIPE, text=True)
    places = re.findall(r"^(\S+):(\d+):\d+: error: code should be", done.stderr, re.MULTILINE)
    for name, line in sorted(dict(reversed(places)).items()):  # the first place of each file
        print(f"{name}:{line}: not formatted; ./dev format mends it")
    if done.returncode and not places:
        print(done.stderr)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
