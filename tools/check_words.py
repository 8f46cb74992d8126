#!/usr/bin/env python3
"""No path of one machine, and no unfinished mark without the number of its issue."""

import re

import house

# Bracketed letters keep this file from finding itself.
MACHINE_PATH = re.compile(r"(?<![\w.}/])/([h]ome|[r]oot|[w]ork|[U]sers|[m]nt|[s]rv)/")
UNFINISHED = re.compile(r"\b([T]ODO|[F]IXME|[X]XX|[H]ACK|[W]IP)\b(?!\(#\d+\))")


def check(root):
    for path in house.files(root):
        text = path.read_text(encoding="utf-8", errors="replace")
        if not MACHINE_PATH.search(text) and not UNFINISHED.search(text):
            continue
        for number, line in house.numbered_lines(path):
            place = f"{path.relative_to(root)}:{number}"
            if match := MACHINE_PATH.search(line):
                yield f"{place}: {match.group(0)} is a path of one machine"
            if match := UNFINISHED.search(line):
                yield f"{place}: unfinished mark {match.group(0)}: finish it, or write {match.group(1)}(#issue)"


if __name__ == "__main__":
    house.main(check, __doc__)
