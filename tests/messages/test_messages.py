#!/usr/bin/env python3
"""What the program says: the cases of tests/messages/*.cases, each a model (`| `), files (`@ NAME`), a command (`$ `) and what it prints (`> `).

usage: test_messages.py PROGRAM [--write]     (--write puts what is printed now into the files: read it)
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
MODELS = FOLDER.parent.parent / "models"
WRITES = "--write" in sys.argv
if WRITES:
    sys.argv.remove("--write")
PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())


def cases(path):
    """(lines without what is printed, files, commands, lines that are printed)"""
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
        head, files, commands, printed, name = [], {}, [], [], "m.lia"
        for line in block.splitlines():
            if line.startswith(">"):
                printed.append(line[2:])
                continue
            head.append(line)
            if line.startswith("@ "):
                name = line[2:].strip()
                files[name] = ""
            elif line.startswith("|"):
                files[name] = files.get(name, "") + line[2:] + "\n"
            elif line.startswith("$ "):
                commands.append(line[2:])
            else:
                raise ValueError(f"{path.name}: {line}")
        yield head, files, commands, printed


def answer(files, commands):
    """What the last command says: its errors, or what it prints where it has none."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
        (pathlib.Path(folder) / "models").symlink_to(MODELS)
        for command in commands:
            done = subprocess.run(["bash", "-c", f'liaison() {{ "{PROGRAM}" "$@"; }}; {command}'], cwd=folder, capture_output=True, text=True,
                                  encoding="utf-8", timeout=120, stdin=subprocess.DEVNULL)
        return [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]


class Messages(unittest.TestCase):
    maxDiff = None

    def test_they_are_what_was_promised(self):
        for path in sorted(FOLDER.glob("*.cases")):
            kept = []
            for head, files, commands, printed in cases(path):
                with self.subTest(file=path.name, case=head):
                    said = answer(files, commands)
                    kept.append("\n".join(head + ["> " + line for line in said]))
                    if not WRITES:
                        self.assertEqual(said, printed)
            if WRITES:
                path.write_text("\n\n".join(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    unittest.main()
