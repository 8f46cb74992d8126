#!/usr/bin/env python3
"""./dev says what it can do and refuses what it cannot, with exit code 2 and a reason."""

import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def dev(*arguments):
    done = subprocess.run(["./dev", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


class Dev(unittest.TestCase):
    def test_help_names_every_command(self):
        status, out, _ = dev("help")
        self.assertEqual(status, 0)
        for command in ("run", "build", "test", "bench", "format", "lint", "fuzz", "verdicts", "scenes", "docs", "package", "help"):
            self.assertRegex(out, rf"(?m)^  {command} ")
        self.assertEqual(dev()[1], out)

    def test_an_unknown_command_is_refused(self):
        status, out, err = dev("tset")
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err.splitlines()[0], "./dev: unknown command 'tset'")

    def test_wrong_arguments_are_refused(self):
        self.assertEqual(dev("build", "x"), (2, "", "./dev: 'build' takes no arguments, found 'x'\n"))
        reason = "./dev: 'fuzz' takes seconds, --runs N or --keep, found 'soon'\n"
        self.assertEqual(dev("fuzz", "soon"), (2, "", reason))
        self.assertEqual(dev("fuzz", "--runs"), (2, "", "./dev: 'fuzz --runs' needs a number, found ''\n"))
        self.assertEqual(dev("test", "a", "b"), (2, "", "./dev: 'test' takes at most one name, found 'a b'\n"))


if __name__ == "__main__":
    unittest.main()
