#!/usr/bin/env python3
"""No source file is longer than 600 lines: beyond that there is a second idea in it."""

import house

LIMIT = 600


def check(root):
    for path in house.files(root, (*house.CPP, ".py", ".cmake", ".sh")):
        length = sum(1 for _ in house.numbered_lines(path))
        if length > LIMIT:
            yield f"{path.relative_to(root)}:{length}: {length} lines, {LIMIT} at most: split it by idea"


if __name__ == "__main__":
    house.main(check, __doc__)
