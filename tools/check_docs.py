#!/usr/bin/env python3
"""Everything that the documentation shows is run and compared.

  ```console    `$ command` lines and exactly what they print; a line `...` stands for any lines. Files that they write
                are gone at the end of the page
  ```console measured
                the same with numbers that depend on the machine: those of six digits and more agree to six, others may differ
  ```sh         commands that must succeed, run in the root of the repository with `liaison` on the path
  ```sh no-run  only `git clone`, `cd` and known `./dev` commands: they install or take long
  ```cpp        `// file: name.cpp` first: a whole program, compiled and run; a ```text block after it is its output
                otherwise: a fragment, compiled inside a function that has a `Pool& pool`
  ```cmake      `# file: path` first: exactly that file of the repository
  ```lia        a whole model: it must read without errors, and print back (tests/model)
  ```text       a drawing or a formula, or the output of the program before it
  links         lead to a file, and to a heading in it; every page of docs/ is reached from docs/README.md

The build calls `--extract FOLDER` to get the C++ (it prints the name of each source), then `PAGE`.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
TAGS = ("console", "sh", "cpp", "cmake", "lia", "text")
FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(.*)")
LINK = re.compile(r"!?\[(?:[^\]\\]|\\.)*\]\(([^()\s]+)(?:\s+\"[^\"]*\")?\)")
PROGRAM = re.compile(r"// file: (\w+)\.cpp$")
NO_RUN = re.compile(r"(git clone \S+( \S+)?|cd \S+|\./dev ([a-z]+)( .*)?)$")
TIME_LIMIT = 120


@dataclass
class Block:
    line: int
    tag: str
    note: str
    lines: list = field(default_factory=list)

    def text(self):
        return "".join(line + "\n" for line in self.lines)

    def program(self):
        """The name of the whole program in this block, or None."""
        match = PROGRAM.match(self.lines[0]) if self.tag == "cpp" and self.lines else None
        return match.group(1) if match else None


def read(page):
    """The blocks of a page, and its (line number, text) outside of blocks."""
    blocks, prose, open_block, fence = [], [], None, ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        match = FENCE.match(line)
        if open_block is None and match:
            fence = match.group(1)
            tag, _, note = match.group(2).strip().partition(" ")
            open_block = Block(number, tag, note.strip())
            blocks.append(open_block)
        elif open_block is not None and match and match.group(1).startswith(fence) and not match.group(2):
            open_block = None
        elif open_block is not None:
            open_block.lines.append(line)
        else:
            prose.append((number, line))
    return blocks, prose


def stem(root, page):
    """docs/how-to/read.md -> how_to_read, README.md -> readme."""
    name = page.relative_to(root).with_suffix("").as_posix().removeprefix("docs/")
    return re.sub(r"\W+", "_", name).lower()


def fragments_source(root, page, blocks):
    """One translation unit that holds every fragment of a page, each in a function of its own."""
    headers = sorted((root / "include").rglob("*.hpp"))
    out = [f'#include "{header.relative_to(root / "include").as_posix()}"' for header in headers]
    bodies = []
    for block in blocks:
        out += [line for line in block.lines if line.startswith("#include")]
        body = [("" if line.startswith("#include") else line) for line in block.lines]
        bodies += [
            f"void {stem(root, page)}_{block.line}([[maybe_unused]] Pool& pool) {{ {{",
            f'#line {block.line + 1} "{page.relative_to(root)}"',
            *body,
            "} }",
        ]
    return "\n".join([*out, "using namespace liaison;", *bodies, ""])


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def extract(root, pages, folder):
    """Writes the C++ of the pages; prints `program NAME` and `fragments NAME` lines for the build."""
    for page in pages:
        blocks = [block for block in read(page)[0] if block.tag == "cpp"]
        for block in blocks:
            if name := block.program():
                text = f'#line {block.line + 1} "{page.relative_to(root)}"\n' + block.text()
                write_if_changed(folder / f"{stem(root, page)}_{name}.cpp", text)
                print(f"program {stem(root, page)}_{name}")
        fragments = [block for block in blocks if not block.program()]
        if fragments:
            write_if_changed(folder / f"{stem(root, page)}.cpp", fragments_source(root, page, fragments))
            print(f"fragments {stem(root, page)}")


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def agree(expected, printed):
    """The same text, with numbers as they are compared in a measured block."""
    if NUMBER.sub("#", re.sub(" +", " ", expected)) != NUMBER.sub("#", re.sub(" +", " ", printed)):
        return False
    for a, b in zip(NUMBER.findall(expected), NUMBER.findall(printed)):
        exact = sum(c.isdigit() for c in a.partition("e")[0].lstrip("-0.")) >= 6
        if exact and abs(float(a) - float(b)) > max(1e-9, 1e-6 * abs(float(a))):
            return False
    return True


def indented(lines):
    return "".join("\n    " + line for line in lines or ["(nothing)"])


class Checker:
    """Findings of one page, each `page:line: what is wrong`."""

    def __init__(self, root, page, programs, examples):
        self.root, self.page, self.examples = root, page, examples
        self.environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        self.findings = []
        self.folder = root

    def find(self, line, text):
        self.findings.append(f"{self.page.relative_to(self.root)}:{line}: {text}")

    def run(self, command):
        """(exit status, everything printed)"""
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=self.environment, timeout=TIME_LIMIT, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
            )
        except subprocess.TimeoutExpired:
            return 124, f"still running after {TIME_LIMIT} s\n"
        except OSError as error:
            return 127, f"{error}\n"
        return done.returncode, done.stdout

    def compare(self, line, what, expected, printed, measured=False):
        expected = [text.rstrip() for text in expected]
        printed = [text.rstrip() for text in printed.splitlines()]
        if measured:
            same = "..." not in expected and agree("\n".join(expected), "\n".join(printed))
        else:
            pattern = "".join("(?:.*\n)*" if text == "..." else re.escape(text) + "\n" for text in expected)
            same = re.fullmatch(pattern, "".join(text + "\n" for text in printed))
        if not same:
            self.find(line, f"{what} prints something else:{indented(printed)}")

    def console(self, block):
        commands = []  # (line, command, expected lines)
        for number, line in enumerate(block.lines, start=block.line + 1):
            if line.startswith("$ "):
                commands.append((number, line[2:], []))
            elif commands:
                commands[-1][2].append(line)
            else:
                self.find(number, "a console block begins with `$ command`")
                return
        for number, command, expected in commands:
            printed = self.run(["bash", "-c", command])[1]
            self.compare(number, f"`{command}`", expected, printed, block.note == "measured")

    def sh(self, block):
        status, printed = self.run(["bash", "-euo", "pipefail", "-c", block.text()])
        if status:
            self.find(block.line, f"the commands end with status {status}:{indented(printed.splitlines())}")

    def sh_no_run(self, block):
        known = set(re.findall(r"^  ([a-z]+) ", self.run(["./dev", "help"])[1], re.MULTILINE))
        for number, line in enumerate(block.lines, start=block.line + 1):
            line = line.partition("#")[0].strip()
            match = NO_RUN.match(line)
            if line and not match:
                self.find(number, "a `sh no-run` block holds only git clone, cd and ./dev")
            elif match and match.group(3) and match.group(3) not in known:
                self.find(number, f"`./dev {match.group(3)}` is not a command of ./dev")

    def cpp(self, block, following):
        name = block.program()
        if not name:
            return  # a fragment: the build has compiled it
        status, printed = self.run([str(self.examples / f"{stem(self.root, self.page)}_{name}")])
        if status:
            self.find(block.line, f"{name}.cpp ends with status {status}:{indented(printed.splitlines())}")
        elif following and following.tag == "text":
            self.compare(following.line, f"{name}.cpp", following.lines, printed)

    def cmake(self, block):
        match = re.match(r"# file: (\S+)$", block.lines[0] if block.lines else "")
        path = self.root / match.group(1) if match else None
        if not path or not path.is_file():
            self.find(block.line, "a cmake block begins with `# file: path` of a file of the repository")
        elif path.read_text(encoding="utf-8") != block.text():
            self.find(block.line, f"differs from {match.group(1)}")

    def blocks(self, blocks):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            for entry in self.root.iterdir():
                (self.folder / entry.name).symlink_to(entry)
            for block in blocks:
                if block.tag == "console":
                    self.console(block)
        self.folder = self.root
        for block, following in zip(blocks, [*blocks[1:], None]):
            if block.tag not in TAGS:
                self.find(block.line, f"a code block tagged '{block.tag}'; it must be one of {', '.join(TAGS)}")
            elif block.tag == "sh":
                self.sh_no_run(block) if block.note == "no-run" else self.sh(block)
            elif block.tag == "cpp":
                self.cpp(block, following)
            elif block.tag == "cmake":
                self.cmake(block)

    def links(self, prose):
        for number, line in prose:
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, heading = target.partition("#")
                path = (self.page.parent / name).resolve() if name else self.page
                if not path.exists():
                    self.find(number, f"the link {target} leads nowhere")
                elif heading and path.suffix == ".md" and heading not in headings(path):
                    self.find(number, f"the link {target} leads to no heading of that page")


def headings(page):
    """The anchors of a page, made from its headings the way web hosts do."""
    titles = [line.lstrip("#").strip() for _, line in read(page)[1] if re.match(r"#{1,6} ", line)]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def unreached(root):
    """Pages under docs/ that no link leads to from docs/README.md."""
    docs = root / "docs"
    todo, seen = [docs / "README.md"], set()
    while todo:
        page = todo.pop()
        if page in seen or not page.is_file():
            continue
        seen.add(page)
        for _, line in read(page)[1]:
            targets = [target.partition("#")[0] for target in LINK.findall(line)]
            todo += [(page.parent / name).resolve() for name in targets if name.endswith(".md")]
    return [page for page in sorted(docs.rglob("*.md")) if page not in seen]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--extract", type=pathlib.Path, metavar="FOLDER", help="write the C++ of the pages there")
    parser.add_argument("--programs", type=pathlib.Path, help="the folder of the program liaison")
    parser.add_argument("--examples", type=pathlib.Path, help="the folder of the compiled C++ of the pages")
    parser.add_argument("--index", action="store_true", help="every page is reached from docs/README.md")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    root = options.root.resolve()
    pages = [page.resolve() for page in options.pages]
    if options.extract:
        return extract(root, pages, options.extract)
    findings = []
    if options.index:
        findings = [f"{page.relative_to(root)}:1: not reached from docs/README.md" for page in unreached(root)]
    for page in pages:
        checker = Checker(root, page, options.programs, options.examples)
        blocks, prose = read(page)
        checker.blocks(blocks)
        checker.links(prose)
        findings += checker.findings
    print("\n".join(findings), end="\n" if findings else "")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
