"""The program under test: `test_NAME.py PROGRAM`, run on models of the repository or on models written here."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
LIMIT = 240  # seconds a run may take, beside other tests on few cores


def run(*arguments, cwd=ROOT):
    """(exit code, standard output, standard error)"""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, encoding="utf-8", timeout=LIMIT, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


class InFolder(unittest.TestCase):
    """Tests that write models into an empty folder and run there: paths in messages are short."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="m.lia"):
        (self.folder / name).write_text(text, encoding="utf-8")

    def run_in(self, *arguments):
        return run(*arguments, cwd=self.folder)

    def run_model(self, text, command, *arguments):
        self.write(text)
        return self.run_in(command, "m.lia", *arguments)
