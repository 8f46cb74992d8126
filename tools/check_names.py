#!/usr/bin/env python3
"""A type of a namespace is defined once in a program: of two definitions the linker silently takes one for both.
A public header is guarded by a macro of its path, so that one met in a precompiled header of another folder is not met twice."""

import functools
import re

import house

PROGRAM = ("include", "src")
SILENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
NAMESPACE = re.compile(r"\b(?:inline\s+)?namespace\b\s*([\w:]*)\s*$")
# The text between the last `;`, `{` or `}` and a `{`. A specialisation (struct hash<Expr>) has no name of its own.
TYPE = re.compile(r"^\s*(?:template\s*<.*>\s*)?(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+"
                  r"(?:\[\[.*?\]\]\s*)?(\w+)\s*(?:final\s*)?(?::(?!:).*)?$", re.DOTALL)


def types(text):
    """(line, qualified name) of each type defined at namespace scope, but for those of unnamed namespaces."""
    text = SILENT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.MULTILINE)
    scopes, begin = [], 0  # a scope: the namespace's name, "" when unnamed, None for every other pair of braces
    for found in re.finditer(r"[{};]", text):
        head, begin = text[begin:found.start()], found.end()
        if found.group() == "{":
            namespace = NAMESPACE.search(head)
            if namespace is None and all(scopes):
                name = TYPE.match(head)
                if name:
                    yield text.count("\n", 0, found.start()) + 1, "::".join([*scopes, name.group(1)])
            scopes.append(None if namespace is None else namespace.group(1))
        elif found.group() == "}" and scopes:
            scopes.pop()


@functools.cache
def types_of(path):
    """Those of a file, which every program that it belongs to asks for."""
    return list(types(path.read_text(encoding="utf-8", errors="replace")))


def unguarded(root):
    public = root / "include"
    for path in house.files(root, house.CPP, ("include",)):
        guard = re.sub(r"\W", "_", str(path.relative_to(public))).upper()
        text = path.read_text(encoding="utf-8", errors="replace")
        if not text.startswith(f"#ifndef {guard}\n#define {guard}\n") or not text.endswith(f"#endif  // {guard}\n"):
            yield f"{path.relative_to(root)}:1: a public header begins with `#ifndef {guard}`"


def check(root):
    yield from unguarded(root)
    programs = [PROGRAM]
    tests = root / "tests"
    if tests.is_dir():
        programs += [(*PROGRAM, f"tests/{path.name}") for path in sorted(tests.iterdir()) if path.is_dir()]
    told = set()
    for program in programs:
        seen = {}
        for path in house.files(root, house.CPP, program):
            place = path.relative_to(root)
            for line, name in types_of(path):
                if seen.setdefault(name, place) != place and (place, line) not in told:
                    told.add((place, line))
                    yield f"{place}:{line}: {name} is also a type of {seen[name]}"


if __name__ == "__main__":
    house.main(check, __doc__)
