#!/usr/bin/env python3
"""Machine code that is kept from one command to the next.

usage: test_code_cache.py PROGRAM
"""

import os
import pathlib
import subprocess
import sys
import unittest

from program import LIMIT, PROGRAM, InFolder

# so many rods that those of one kind are evaluated together
MODEL = subprocess.run([sys.executable, pathlib.Path(__file__).parents[2] / "tools" / "make_chain.py", "100"], capture_output=True, text=True, check=True).stdout
RUN = ("simulate", "m.lia", "--until", "0.01", "--every", "0.005")
ALONE = "param c = 1\ncoord x\nkinetic x'^2/2\npotential c*(1 - cos(x))\nstart x = 1\n"


class CodeCache(InFolder):
    def setUp(self):
        super().setUp()
        self.write(MODEL)

    def run_with(self, variables, *arguments):
        kept = {name: value for name, value in os.environ.items() if name not in ("LIAISON_CACHE", "XDG_CACHE_HOME", "HOME")}
        done = subprocess.run([PROGRAM, *arguments, "-o", "rows.csv"], cwd=self.folder, env=kept | variables, capture_output=True, text=True,
                              timeout=LIMIT)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return (self.folder / "rows.csv").read_bytes()

    def codes(self, folder):
        return {path.name: path.read_bytes() for path in pathlib.Path(folder).glob("*")}

    def test_rows_are_the_same_bytes_with_code_that_was_kept(self):
        cache = self.folder / "cache"
        variables = {"LIAISON_CACHE": str(cache)}
        rows = self.run_with(variables, *RUN)
        made = self.codes(cache)
        self.assertGreater(len(made), 0)
        self.assertTrue(all(name.endswith(".code") for name in made))
        self.assertEqual(self.run_with(variables, *RUN), rows)
        self.assertEqual(self.codes(cache), made)
        for path in cache.glob("*"):
            path.write_bytes(made[path.name][:-1])
        self.assertEqual(self.run_with(variables, *RUN), rows)
        self.assertEqual(self.codes(cache), made)

    @unittest.skipUnless(" avx " in pathlib.Path("/proc/cpuinfo").read_text(), "all code is made by LLVM")
    def test_code_for_single_states_is_not_kept(self):
        self.write(ALONE)
        cache = self.folder / "cache"
        self.run_with({"LIAISON_CACHE": str(cache)}, "simulate", "m.lia", "--until", "2000", "--every", "500", "--integrator", "taylor")
        self.assertEqual(self.codes(cache), {})

    def test_where_it_is_kept(self):
        for variables, place in (({"XDG_CACHE_HOME": str(self.folder / "xdg")}, "xdg/liaison"), ({"HOME": str(self.folder / "home")}, "home/.cache/liaison"),
                                 ({"XDG_CACHE_HOME": "relative", "HOME": str(self.folder / "me")}, "me/.cache/liaison")):
            self.run_with(variables, *RUN)
            self.assertGreater(len(self.codes(self.folder / place)), 0, place)

    def test_where_nothing_is_kept(self):
        home = {"HOME": str(self.folder / "home")}
        for variables, more in ((home, ["--no-cache"]), (home | {"LIAISON_CACHE": ""}, []), ({}, []), ({"LIAISON_CACHE": str(self.folder / "m.lia")}, [])):
            self.run_with(variables, *RUN, *more)
            self.assertEqual(sorted(path.name for path in self.folder.glob("*")), ["m.lia", "rows.csv", "rows.csv.resume"])
        self.assertEqual((self.folder / "m.lia").read_text(), MODEL)


if __name__ == "__main__":
    unittest.main()
