#!/usr/bin/env python3
"""The installed program, moved elsewhere: it finds the module that makes machine code, and opens it only for code.

usage: test_program.py PREFIX LIBDIR MODELS
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PREFIX, LIBDIR, MODELS = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
MODEL = MODELS / "classics" / "tilting_disc.lia"
MANY_RODS = MODELS.parent / "tools" / "make_chain.py"  # those of one kind are evaluated together: the module makes code for that


class MovedProgram(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "bin").mkdir()
        shutil.copy(PREFIX / "bin" / "liaison", self.folder / "bin")
        self.modules = self.folder / LIBDIR / "liaison"
        shutil.copytree(PREFIX / LIBDIR / "liaison", self.modules)
        rods = self.folder / "rods.lia"
        rods.write_text(subprocess.run([sys.executable, MANY_RODS, "100"], capture_output=True, text=True, check=True).stdout)
        self.simulate = ("simulate", rods, "--until", "0.01", "--no-cache")

    def run_it(self, *arguments, **environment):
        return subprocess.run([self.folder / "bin" / "liaison", *arguments], capture_output=True, text=True, cwd=self.folder,
                              env=os.environ | environment)

    def test_code_is_made_by_the_module_beside_it(self):
        result = self.run_it(*self.simulate, LD_DEBUG="files")
        self.assertEqual(result.returncode, 0, result.stderr[-500:])
        self.assertIn(f"{self.modules}", os.path.normpath(next(l for l in result.stderr.splitlines() if "init:" in l and "liaison_llvm" in l).split()[-1]))

    def test_what_makes_no_code_does_not_open_it(self):
        for command in (("check", MODEL), ("derive", MODEL), ("eval", MODEL)):
            result = self.run_it(*command, LD_DEBUG="files")
            self.assertEqual(result.returncode, 0, result.stderr[-500:])
            for library in ("llvm", "cairo", "x11", "icu", "xml", "sundials"):
                self.assertNotIn(library, result.stderr.lower(), command[0])

    def test_libraries_are_opened_by_what_needs_them(self):
        robot = Path(MODEL).parent.parent / "robots" / "two_link_arm.urdf"
        for library, command in (("cairo", ("simulate", MODEL, "--until", "1", "--plot", "run.png")),
                                 ("sundials", ("simulate", MODEL, "--until", "1", "--integrator", "bdf")),
                                 ("xml", ("import", robot))):
            result = self.run_it(*command, LD_DEBUG="files")
            self.assertEqual(result.returncode, 0, result.stderr[-500:])
            for other in ("cairo", "sundials", "xml"):
                (self.assertIn if other == library else self.assertNotIn)(f"liaison_{other}", result.stderr)
            os.rename(self.modules / f"liaison_{library}.so", self.modules / "away")
            result = self.run_it(*command)
            self.assertEqual(result.returncode, 3)
            self.assertIn(f"error: liaison_{library}.so, the part that ", result.stderr)
            self.assertIn("it stands in lib/liaison beside the program's bin", result.stderr)
            os.rename(self.modules / "away", self.modules / f"liaison_{library}.so")

    def test_without_the_module(self):
        shutil.rmtree(self.modules)
        result = self.run_it(*self.simulate)
        self.assertEqual(result.returncode, 3)
        self.assertIn("error: liaison_llvm.so, the part that makes machine code, cannot be opened", result.stderr)
        self.assertIn("`simulate --engine interpreted` runs without it", result.stderr)
        self.assertEqual(self.run_it(*self.simulate, "--engine", "interpreted").returncode, 0)
        model = self.folder / "fall.lia"
        model.write_text("coord y\nkinetic y'^2/2\npotential y^2/2\nstart y = 1\nclaim y == cos(9000) after 9000\nclaim y'' == -y\n")
        result = self.run_it("check", model)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("UNKNOWN     y == cos(9000) after 9000", result.stdout)
        self.assertIn("proved      y'' == -y", result.stdout)

    def test_a_module_of_another_version(self):
        module = self.modules / "liaison_llvm.so"
        module.unlink()
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", module], check=True, text=True,
                       input="void *liaison_code_maker(const char *version, _Bool thorough) { (void)version; (void)thorough; return (void *)0; }")
        result = self.run_it(*self.simulate)
        self.assertEqual(result.returncode, 3)
        self.assertIn("error: liaison_llvm.so is not of version 0.", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
