#!/usr/bin/env python3
"""`import`: a robot file as a model, against hand-written energies and against the recursion of Newton and Euler.

usage: test_import.py PROGRAM
"""

import json
import random
import unittest

import newton_euler
from program import ROOT, InFolder

ALL_JOINTS = ROOT / "tests/robot/all_joints.urdf"
CART = """<robot name="cart">
  <link name="rail"/>
  <link name="cart"><inertial><mass value="3"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="pole"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.25" iyz="0" izz="0.1"/></inertial></link>
  <link name="bob"><inertial><mass value="0.4"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
  <joint name="x" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
    <limit lower="-0.3" upper="0.3" effort="1" velocity="1"/></joint>
  <joint name="phi" type="continuous"><parent link="cart"/><child link="pole"/><axis xyz="0 -1 0"/><dynamics damping="0.7"/></joint>
  <joint name="end" type="fixed"><origin xyz="0 0 -1"/><parent link="pole"/><child link="bob"/></joint>
</robot>
"""


class Import(InFolder):
    def imported(self, path, *options):
        code, out, err = self.run_in("import", str(path), "--json", "-o", "m.lia", *options)
        self.assertEqual((code, err), (0, ""))
        return json.loads(out)

    def test_energies_written_by_hand(self):
        self.write(CART, "cart.urdf")
        self.imported("cart.urdf")
        with open(self.folder / "m.lia", "a", encoding="utf-8") as file:
            file.write("claim T == 3/2*x'^2 + (x'^2 + x'*phi'*cos(phi) + phi'^2/4) + 1/8*phi'^2 + 1/5*(x'^2 + 2*x'*phi'*cos(phi) + phi'^2)\n"
                       "claim V == -g*(1 + 2/5)*cos(phi)\n"
                       "claim balance: 27/5*x'' + 7/5*(phi''*cos(phi) - phi'^2*sin(phi)) == 0\n"
                       "claim T' + V' == -7/10*phi'^2\n"
                       "misprint T == 3/2*x'^2\n")
        code, out, err = self.run_in("check", "m.lia", "--json")
        self.assertEqual(code, 0, out + err)
        grades = [claim["status"] for claim in json.loads(out)["claims"]]
        self.assertEqual(grades, ["proved"] * 4 + ["refuted"])

    def compare(self, path, floating, seed, *options):
        robot = newton_euler.Robot(path, floating)
        options = (*options, "--motors", *(("--floating", "base") if floating else ()))
        found = self.imported(path, *options)
        choice = random.Random(seed)
        prefix = {name: found["coordinates"][name][0] for name in found["coordinates"]}
        # Names in the model of the velocities of the judge: one a joint, or parts of it.
        names = []
        for name in robot.names:
            joint = next((j for j in found["coordinates"] if name == j or name.rsplit("_", 1)[0] == j), None)
            if joint is None:
                names.append(name)
            elif name == joint:
                names.append(prefix[joint])
            else:
                parts = found["coordinates"][joint]
                names.append(next(part for part in parts if part.endswith("_" + name.rsplit("_", 1)[1])))
        for _ in range(4):
            n = robot.size
            q, v = ([choice.uniform(-0.8, 0.8) for _ in range(n)] for _ in range(2))
            motors = [0.0] * n
            turns, state, values = {}, [], []
            balls = [step for steps in robot.steps.values() for step in steps if step[0] == "ball"]
            rates = {k + i for _, _, k in balls for i in range(3)}
            for _, name, _ in balls:
                e = newton_euler.unit([choice.uniform(-1, 1) for _ in range(4)])
                turns[name] = e
                state += [f"{name}_e{i} = {part!r}" for i, part in enumerate(e)]
            mimics = robot.mimics()
            for k, name in enumerate(names):
                if k in mimics:
                    continue
                state.append(f"{name} = {v[k]!r}" if k in rates else f"{name} = {q[k]!r}, {name}' = {v[k]!r}")
                for ending in ("_torque", "_force"):
                    if f"{name}{ending} = 0" in found["model"]:
                        motors[k] = choice.uniform(-3, 3)
                        values.append(f"{name}{ending} = {motors[k]!r}")
            code, out, err = self.run_in("eval", "m.lia", "--json", "--project", "--at", ", ".join(state), "--set", ", ".join(values))
            self.assertEqual(code, 0, err)
            accelerations = json.loads(out)["acceleration"]
            expected = robot.accelerations(q, turns, v, motors)
            size = max(map(abs, expected.values()))
            for name, value in expected.items():
                self.assertLess(abs(accelerations[names[robot.names.index(name)]] - value), 1e-10 * size, name)

    def test_every_joint_against_newton_and_euler(self):
        self.compare(ALL_JOINTS, False, 1)

    def test_a_free_root(self):
        self.compare(ALL_JOINTS, True, 2)

    def test_limits_and_a_run(self):
        self.write(CART, "cart.urdf")
        self.imported("cart.urdf", "--limits", "--motors")
        code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "--set", "x_force = 5", "--json")
        self.assertEqual(code, 0, err)
        self.assertAlmostEqual(json.loads(out)["final"]["x"], 0.3, delta=1e-8)  # it rests at its end

    def test_limits_that_leave_no_place(self):
        joint = '<joint name="k" type="continuous"><parent link="cart"/><child link="pole"/><axis xyz="0 1 0"/>'
        follows = joint.replace("continuous", "revolute") + '<mimic joint="x" multiplier="2"/><limit lower="5" upper="6" effort="1" velocity="1"/>'
        self.write(CART.replace('<joint name="phi" type="continuous"><parent link="cart"/><child link="pole"/><axis xyz="0 -1 0"/>', follows), "cart.urdf")
        self.assertEqual(self.run_in("import", "cart.urdf", "-o", "m.lia")[0], 0)
        code, _, err = self.run_in("import", "cart.urdf", "--limits")
        self.assertEqual(code, 2)
        self.assertIn("no value of the joint `x` is within its limits and those of `k`, which follows it", err)

    def test_held(self):
        self.write(CART, "cart.urdf")
        self.assertIn("by slider 0.1 axis", self.imported("cart.urdf", "--hold", "x=0.1")["model"])
        for value, reason in (("y", "no joint `y`"), ("x=one", "`one` is not a number")):
            code, _, err = self.run_in("import", "cart.urdf", "--hold", value)
            self.assertEqual(code, 2)
            self.assertIn(reason, err)

    def test_refused(self):
        self.write("<robot name='r'>\n<link name='a'/>\n<link name='b'/>\n</robot>\n", "two.urdf")
        code, out, err = self.run_in("import", "two.urdf", "-o", "m.lia")
        self.assertEqual((code, out), (2, ""))
        self.assertTrue(err.startswith("two.urdf:3:1: error: there are 2 links that no joint carries, `a`, `b`: a robot has one root [L0709]"), err)
        self.assertIn("hint: join them", err)
        self.assertFalse((self.folder / "m.lia").exists())
        self.assertEqual(self.run_in("import", "nothing.urdf")[0], 2)
        self.assertEqual(self.run_in("import", ".")[0], 2)
        self.write(CART, "cart.urdf")
        self.assertEqual(self.run_in("import", "cart.urdf", "-o", "cart.urdf")[0], 2)
        self.assertEqual(self.run_in("import", "cart.urdf", "--fixed", "--floating", "b")[0], 2)
        self.assertEqual(self.run_in("import", "cart.urdf", "--smooth-friction", "0")[0], 2)
        self.assertEqual(self.run_in("import", "cart.urdf", "-o", "no/folder.lia")[0], 3)


if __name__ == "__main__":
    unittest.main()
