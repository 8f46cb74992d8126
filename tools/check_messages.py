#!/usr/bin/env python3
"""Every message stands in a test: what the program may say to a user is printed by a test, or by a page of the documentation that is run.

The messages are the texts in calls that say something (`refuse`, `reports_.add`, `fail`, ...) in the sources of the layers that
speak to users. A text with gaps, "`{}` is no name", stands in a test where its parts do, in this order. Those that stand in no test yet are
listed in tests/messages/untested.txt; the list may shrink, and a new message has to have its test.

usage: check_messages.py [ROOT] [--write]
"""

import pathlib
import re
import sys

LAYERS = ("cli", "expr", "mechanism", "model", "robot")
INNER = ("src/expr/shape.cpp",)  # what the expressions of a correct program never are
NEVER = ("please report it with the command and the model",)  # what no input makes a correct program say
UNTESTED = "tests/messages/untested.txt"
TOKEN = re.compile(r'R"(\w*)\(.*?\)\1"|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)\'|//[^\n]*|/\*.*?\*/|[A-Za-z_][\w:.>-]*|\S', re.DOTALL)
SAYS = re.compile(r"(^|[.>:])(refuse\w*|refused|fail\w*|reports?_?\.add|report\w*|problem|expect\w*|make_diagnostic|no_way_on|error|demand|require_\w+|"
                  r"check_length|Refused|Diagnostic)$")
REACH = 3     # calls around a text that may be the one that says it
NEAR = 160    # characters of a value between two parts of a text
WORDS = 2     # at least: one word alone is no message


def texts(source):
    """(offset, text, names of the calls around it) of each string, adjacent ones together."""
    calls, last, begun = [], "", None
    for token in TOKEN.finditer(source):
        text = token.group(0)
        if text.startswith(("//", "/*")):
            continue
        if token.group(2) is not None:
            begun = (begun[0], begun[1] + token.group(2), begun[2]) if begun else (token.start(), token.group(2), calls[-REACH:])
            last = ""
            continue
        if begun:
            yield begun
            begun = None
        if text in ("(", "{", "["):
            calls.append(last)
        elif text in (")", "}", "]") and calls:
            calls.pop()
        last = text


def messages(root):
    """(path, line, text) of what is said."""
    for layer in LAYERS:
        for path in sorted((root / "src" / layer).rglob("*.cpp")):
            if path.relative_to(root).as_posix() in INNER:
                continue
            source = path.read_text(encoding="utf-8")
            for offset, text, calls in texts(source):
                if text not in NEVER and len(text.split()) >= WORDS and any(SAYS.search(call) for call in calls):
                    yield path.relative_to(root).as_posix(), source.count("\n", 0, offset) + 1, text


def plain(text):
    """As it is printed: strings of several lines together, no escapes, single spaces."""
    text = re.sub(r'"\s*\n\s*(?:[rf]{0,2}")', "", text)
    text = re.sub(r"'\s*\n\s*(?:[rf]{0,2}')", "", text)
    text = text.replace("\\n", " ").replace("{{", "{").replace("}}", "}")
    return re.sub(r"\s+", " ", re.sub(r"\\([^A-Za-z0-9])", r"\1", text))


def printed(root):
    """What tests compare and pages show as printed by the program."""
    parts = []
    for path in sorted((root / "tests").rglob("*")):
        if path.suffix in (".py", ".cpp", ".hpp", ".txt", ".cases", ".lia", ".json") and path != root / UNTESTED:
            parts.append(path.read_text(encoding="utf-8", errors="replace"))
    for path in [*sorted((root / "docs").rglob("*.md")), root / "README.md"]:
        if path.is_file():
            parts += re.findall(r"```console.*?```", path.read_text(encoding="utf-8"), re.DOTALL)
    return plain("\n".join(parts))


def stands_in(text, tests):
    parts = [plain(part).strip() for part in re.split(r"\{[^{}]*\}", text.replace("{{", "\x01").replace("}}", "\x02"))]
    parts = [part.replace("\x01", "{").replace("\x02", "}") for part in parts if len(re.sub(r"[^A-Za-z]", "", part)) >= 2]
    if not parts or max(parts, key=len) not in tests:
        return not parts
    return len(parts) == 1 or re.search((".{0,%d}?" % NEAR).join(map(re.escape, parts)), tests) is not None


def untested(root):
    tests = printed(root)
    return [(path, line, text) for path, line, text in messages(root) if not stands_in(text, tests)]


def check(root):
    file = root / UNTESTED
    listed = set(file.read_text(encoding="utf-8").splitlines()) if file.is_file() else set()
    open_ = untested(root)
    for path, line, text in open_:
        if f"{path}: {text}" not in listed:
            yield f"{path}:{line}: no test prints this message: {text}"
    for entry in sorted(listed - {f"{path}: {text}" for path, _, text in open_}):
        yield f"{UNTESTED}: this stands in a test now, or is said no more: {entry}"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    if "--write" in sys.argv:
        lines = sorted({f"{path}: {text}" for path, _, text in untested(root)})
        (root / UNTESTED).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        print(f"{len(lines)} messages stand in no test")
        return 0
    findings = list(check(root))
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
