#!/usr/bin/env python3
"""Puts the sources of one target into groups that may be compiled as one file each (cmake/unity.cmake).

Two sources stay apart where a name that is local to one (of an anonymous namespace, a constant, a macro) is also local to the
other, or hides what the other means by it: a name of a header, or a function that it calls. Prints a line `GROUP SOURCE` for each
source.

usage: unity_groups.py INCLUDE_FOLDERS(comma-separated) SOURCE...
"""

import functools
import pathlib
import re
import sys

MOST_BYTES = 110_000  # of one group: about two thousand lines

NOISE = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<!\w)\'(?:[^\'\\\n]|\\.)+\'|//[^\n]*|/\*(?:.|\n)*?\*/')
TOKEN = re.compile(r"[A-Za-z_]\w*|::|\[\[|\]\]|[^\s\w]|\d[\w.']*")
NAME = re.compile(r"[A-Za-z_]\w*$")
KINDS = ("class", "struct", "union", "enum")
INTERNAL = ("static", "constexpr", "const")


def without_template(head):
    """The tokens after `template <...>` and attributes."""
    while head and head[0] in ("template", "[["):
        opening, closing = ("<", ">") if head[0] == "template" else ("[[", "]]")
        depth, k = 0, 0
        for k, token in enumerate(head):
            depth += (token == opening) - (token == closing)
            if depth == 0 and token == closing:
                break
        head = head[k + 1:]
    return head


def names_declared(head):
    """The names that the tokens of one declaration, up to its body or its end, declare."""
    head = without_template(head)
    if not head or "operator" in head or head[0] in ("friend", "return", "static_assert"):
        return []
    if head[0] == "using":
        return [head[1]] if len(head) > 2 and head[2] == "=" else []
    if head[0] in KINDS:
        names = [token for token in head[1:] if NAME.match(token) and token not in KINDS]
        return names[:1]
    names, last, before, depth, valued = [], None, None, 0, False
    for k, token in enumerate(head):
        if depth == 0 and not valued and token == "(":
            macro = last and last.isupper()  # TEST(Suite, name) declares no TEST
            return names + ([last] if last and before != "::" and not macro else [])
        depth += (token in "<([{") - (token in ">)]}") if token not in ("[[", "]]", "::") else 0
        if depth or token == ">":
            continue
        if token in ("=", ","):
            if not valued and last and before != "::":
                names.append(last)
            valued, last = token == "=", None
        elif NAME.match(token) and not valued:
            last, before = token, head[k - 1] if k else None
    if not valued and last and before != "::":
        names.append(last)
    return names


class Reader:
    """The names that a text declares at the level of namespaces: `local` for what no other file may see, `all` for every one; its
    words, and those that it calls."""

    def __init__(self, text):
        self.local, self.all = set(), set()
        text = NOISE.sub(lambda found: " " if found[0].startswith(("//", "/*")) else " 0 ", text)
        self.local.update(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE))
        text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", " ", text, flags=re.MULTILINE)
        self.tokens = TOKEN.findall(text)
        self.words = set(self.tokens)
        self.called = {name for before, name, after in zip(self.tokens, self.tokens[1:], self.tokens[2:])
                       if after == "(" and before not in (".", ">", "::") and NAME.match(name)}
        self.read()

    def declare(self, head, anonymous):
        names = names_declared(head)
        self.all.update(names)
        if anonymous or any(word in INTERNAL for word in without_template(head)[:2]):
            self.local.update(names)

    def read(self):
        spaces, head, k = [], [], 0
        while k < len(self.tokens):
            token = self.tokens[k]
            anonymous = "anonymous" in spaces
            if token == "{" and head and (head[0] == "namespace" or head[:2] == ["inline", "namespace"]):
                spaces.append("anonymous" if head == ["namespace"] else "named")
                head = []
            elif token == "{":
                depth = 0
                while k < len(self.tokens):
                    depth += (self.tokens[k] == "{") - (self.tokens[k] == "}")
                    if depth == 0:
                        break
                    k += 1
                following = self.tokens[k + 1] if k + 1 < len(self.tokens) else ""
                if following in (",", ";", "{", ")"):
                    head.append("0")
                else:
                    self.declare(head, anonymous)
                    head = []
            elif token == "}":
                if spaces:
                    spaces.pop()
                head = []
            elif token == ";":
                self.declare(head, anonymous)
                head = []
            else:
                head.append(token)
            k += 1


@functools.lru_cache(None)
def read(path):
    return Reader(path.read_text(encoding="utf-8"))


class Includes:
    """The headers of the house that a source includes, with those that they include."""

    def __init__(self, folders):
        self.folders = folders
        self.known = {}

    def of(self, path):
        if path not in self.known:
            self.known[path] = set()
            for name in re.findall(r'^#include [<"]([^>"]+)[>"]', path.read_text(encoding="utf-8"), re.MULTILINE):
                for folder in (path.parent, *self.folders):
                    header = folder / name
                    if header.is_file():
                        self.known[path] |= {header.resolve()} | self.of(header.resolve())
                        break
        return self.known[path]

    @functools.lru_cache(None)
    def names(self, path):
        return frozenset().union(*(read(header).all for header in self.of(path)))


def hides(one, other, includes):
    """Whether a local name of `one`, included first, changes what `other` means."""
    local, theirs = read(one).local, read(other)
    if local & (theirs.local | theirs.called):
        return True
    named = local & includes.names(other)
    mentioned = theirs.words.union(*(read(header).words for header in includes.of(other) - includes.of(one)))
    return bool(named & mentioned)


def apart(one, other, includes):
    return hides(one, other, includes) or hides(other, one, includes)


def groups_of(sources, includes):
    groups = []
    for source in sources:
        size = source.stat().st_size
        for group in groups:
            if sum(other.stat().st_size for other in group) + size <= MOST_BYTES and \
                    not any(apart(source, other, includes) for other in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return groups


def main():
    includes = Includes([pathlib.Path(folder) for folder in sys.argv[1].split(",")])
    sources = [pathlib.Path(name).resolve() for name in sys.argv[2:]]
    for number, group in enumerate(groups_of(sources, includes)):
        for source in group:
            print(number, source)


if __name__ == "__main__":
    main()
