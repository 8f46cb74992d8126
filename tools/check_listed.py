#!/usr/bin/env python3
"""Every source, test and public header is named in its folder's CMakeLists.txt: an unlisted test never runs."""

import re

import house


def listed(lists):
    return set(re.findall(r"[\w./-]+\.[ch]pp", lists.read_text(encoding="utf-8"))) if lists.is_file() else set()


def check(root):
    for path in house.files(root, house.CPP, ("include", "src", "tests", "bench", "fuzz")):
        name = path.relative_to(root)
        if name.parts[0] == "include":
            layer = name.parts[2] if len(name.parts) > 3 else "mechanism"
            lists = root / "src" / layer / "CMakeLists.txt"
        elif path.suffix == ".cpp":
            lists = path.parent / "CMakeLists.txt"
            if not lists.is_file():
                lists = path.parent.parent / "CMakeLists.txt"
        else:
            continue  # a private header is compiled through its sources
        entries = listed(lists)
        if path.name not in entries and f"{path.parent.name}/{path.name}" not in entries:
            yield f"{name}:1: not listed in {lists.relative_to(root)}"


if __name__ == "__main__":
    house.main(check, __doc__)
