#!/usr/bin/env python3
"""`import` of models of MuJoCo: against accelerations that MuJoCo computed from the same files.

usage: test_mjcf.py PROGRAM

The numbers are those of MuJoCo 4.0.0, written by

    bench/mjcf.py --states 4 --write tests/robot/mjcf/accelerations.json tests/robot/mjcf/*.xml
"""

import json
import pathlib
import sys
import unittest

from program import PROGRAM, ROOT, InFolder

sys.path.insert(0, str(ROOT / "bench"))
import mjcf  # noqa: E402

FOLDER = ROOT / "tests/robot/mjcf"
KEPT = json.loads((FOLDER / "accelerations.json").read_text(encoding="utf-8"))
SMALL = '<mujoco><worldbody><body name="a"><joint name="q"/><geom size="0.1"/></body>\n<geom type="plane" size="1 1 1"/></worldbody></mujoco>\n'


class Mjcf(InFolder):
    def test_accelerations_of_mujoco(self):
        self.assertEqual(sorted(KEPT), sorted(path.name for path in FOLDER.glob("*.xml") if not path.stem.endswith("_parts")))
        for name, states in KEPT.items():
            with self.subTest(name):
                self.assertLess(mjcf.compare(PROGRAM, FOLDER / name, states), 1e-11)

    def test_what_moves_it_and_is_not_there_is_said_beside_it(self):
        self.write(SMALL, "m.xml")
        code, out, err = self.run_in("import", "m.xml", "--json")
        self.assertEqual((code, err), (0, "m.xml: note: left out, though it moves the robot: contacts of 2 geoms (line 1)\n"))
        answer = json.loads(out)
        self.assertEqual(answer["missing"], ["contacts of 2 geoms (line 1)"])
        self.assertEqual(answer["coordinates"], {"q": ["q"]})

    def test_included_files(self):
        (self.folder / "parts").mkdir()
        self.write('<mujoco><include file="parts/arm.xml"/></mujoco>', "m.xml")
        self.write(SMALL, "parts/arm.xml")
        self.assertEqual(self.run_in("import", "m.xml")[0], 0)
        self.write(SMALL.replace("<joint", "<joint axes='0 0 1'"), "parts/arm.xml")
        code, out, err = self.run_in("import", "m.xml")
        self.assertEqual((code, out), (2, ""))
        self.assertTrue(err.startswith("parts/arm.xml:1:42: error: <joint> has no attribute `axes` [L0711]"), err)
        self.assertIn("did you mean `axis`?", err)

    def test_a_root_that_floats_is_of_the_file(self):
        self.write(SMALL, "m.xml")
        code, _, err = self.run_in("import", "m.xml", "--floating", "base")
        self.assertEqual(code, 2)
        self.assertIn("<freejoint/>", err)

    def test_held_and_limited(self):
        self.write(SMALL.replace('name="q"', 'name="q" range="-30 60"'), "m.xml")
        code, out, _ = self.run_in("import", "m.xml", "--limits")
        self.assertEqual(code, 0)
        self.assertIn("unilateral q_upper: q <= pi/3\n", out)


if __name__ == "__main__":
    unittest.main()
