#!/usr/bin/env python3
"""The moving picture of a mechanism: places against closed forms, what a page holds, what is refused.

usage: test_show.py PROGRAM
"""

import bisect
import json
import math
import unittest

from program import InFolder, run

THROWN = """param m = 1 [kg], g = 9.81 [m/s^2]
coord x [m], y [m]
particle P mass m at [x, y]
gravity [0, -g]
start x' = 3, y' = 9.81
"""
STRAIGHT = "coord x, y\nparticle P mass 1 at [x, y]\nstart x' = 1\n"
WHEEL = """param l = 2
coord phi
body B mass 1 inertia 1 on ground at [1, 0] by hinge phi centre [l, 0]
frame tip on B at [2*l, 0]
shape point tip
start phi = 0.5, phi' = 3
"""
# At rest on a rough floor, at a rough wall.
LADDER = """param m = 1, l = 2, g = 9.81, f = 0.4
coord x, y, th
body L mass m inertia m*l^2/12 at [x, y] angle -th
gravity [0, -g]
contact floor: L on ground at [x + l/2*cos(th), y - l/2*sin(th)] normal [0, 1] unilateral friction f
contact wall: L on ground at [x - l/2*cos(th), y + l/2*sin(th)] normal [1, 0] unilateral friction f
start th = pi/3, x = l/4, y = l*sqrt(3)/4
"""
# Turned about z, then about the x that it brings along, by angles that grow evenly.
TURNED = """coord a, b
kinetic a'^2/2 + b'^2/2
frame F on ground at [0, 0, 1] turned z a, x b
shape F box [1, 2, 3]
shape point F [1, 2, 3]
start a' = 1.3, b' = 0.7
"""


class Scene:
    """The JSON of a scene, evaluated straight between its rows."""

    def __init__(self, text):
        self.data = json.loads(text)
        self.t = self.data["t"]

    def number(self, value, t):
        if not isinstance(value, str):
            return value
        column = self.data["columns"][int(value)]
        b = min(max(bisect.bisect_right(self.t, t), 1), len(self.t) - 1)
        if len(self.t) == 1:
            return column[0]
        width = self.t[b] - self.t[b - 1]
        part = (t - self.t[b - 1]) / width if width > 0 else 0
        return column[b - 1] + part * (column[b] - column[b - 1])

    def point(self, values, t):
        return [self.number(value, t) for value in values]

    def one(self, part, **wanted):
        found = [each for each in self.data[part] if all(each[key] == value for key, value in wanted.items())]
        assert len(found) == 1, (part, wanted, [(each.get("name"), each.get("kind")) for each in self.data[part]])
        return found[0]


class Places(InFolder):
    def scene(self, text, *arguments):
        code, out, err = self.run_model(text, "show", "--json", *arguments)
        self.assertEqual((code, err), (0, ""))
        return Scene(out)

    def test_a_thrown_particle_is_on_its_parabola(self):
        scene = self.scene(THROWN, "--until", "2")
        at = scene.one("tracks", name="P")["at"]
        velocity = scene.one("arrows", kind="velocity", name="P")["vector"]
        self.assertEqual((scene.data["dimension"], scene.data["unit"]), (2, "s"))
        for t in (0, 0.1, 0.77, 1, 1.5, 2):
            x, y, z = scene.point(at, t)
            self.assertAlmostEqual(x, 3 * t, delta=1e-5)
            self.assertAlmostEqual(y, 9.81 * t - 9.81 / 2 * t * t, delta=8e-3)  # a thousandth of the picture
            self.assertEqual(z, 0)
            self.assertAlmostEqual(scene.point(velocity, t)[1], 9.81 - 9.81 * t, delta=2e-2)
        for i, t in enumerate(scene.t):  # rows that were kept are exact, also those between two steps
            self.assertAlmostEqual(scene.point(at, t)[1], 9.81 * t - 9.81 / 2 * t * t, delta=1e-5)

    def test_a_point_of_a_body_runs_around(self):
        scene = self.scene(WHEEL, "--until", "4")
        self.assertEqual([track["name"] for track in scene.data["tracks"] if track["traced"]], [""])
        at = scene.one("tracks", name="")["at"]
        link = scene.one("solids", name="B", kind="link")
        for t in (0, 0.3, 1.9, 4):
            angle = 0.5 + 3 * t
            x, y, _ = scene.point(at, t)
            self.assertAlmostEqual(x, 1 + 4 * math.cos(angle), delta=2e-2)
            self.assertAlmostEqual(y, 4 * math.sin(angle), delta=2e-2)
            self.assertAlmostEqual(scene.number(link["turns"][0]["angle"], t), angle, delta=1e-5)
        # from the hinge to the tip, seen from the centre: both ends are round by the same radius
        xs = link["mesh"]["v"][::3]
        self.assertAlmostEqual(max(xs) + min(xs), 0, delta=1e-6)
        self.assertGreater(max(xs), 2)
        scene.one("solids", kind="support")

    def test_turns_follow_each_other(self):
        scene = self.scene(TURNED, "--until", "3")
        at, solid = scene.data["tracks"][0]["at"], scene.one("solids", kind="box")
        self.assertEqual(scene.data["dimension"], 3)
        self.assertEqual([turn["axis"] for turn in solid["turns"]], [[0, 0, 1], [1, 0, 0]])
        for t in (0, 1, 2.2, 3):
            a, b = 1.3 * t, 0.7 * t
            x, y, z = 1, 2 * math.cos(b) - 3 * math.sin(b), 2 * math.sin(b) + 3 * math.cos(b)
            wanted = [x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a), z + 1]
            for found, true in zip(scene.point(at, t), wanted):
                self.assertAlmostEqual(found, true, delta=1.5e-2)
            self.assertAlmostEqual(scene.number(solid["turns"][1]["angle"], t), b, delta=1e-5)

    def test_rods_are_drawn_where_a_distance_is_proved_to_stay(self):
        pendulum = "param l = 1, g = 9.81\ncoord x, y\nparticle P mass 1 at [x, y]\nconstraint rod: (x - 2)^2 + y^2 = l^2\ngravity [0, -g]\nstart x = 3\n"
        scene = self.scene(pendulum, "--until", "1")
        rod = scene.one("solids", kind="rod")
        for t in (0, 0.4, 1):
            (a, b, _), (c, d, _) = scene.point(rod["from"], t), scene.point(rod["to"], t)
            self.assertAlmostEqual(a, 2, delta=1e-6)
            self.assertAlmostEqual(b, 0, delta=1e-6)
            self.assertAlmostEqual(math.hypot(a - c, b - d), 1, delta=2e-3)
        # its force by the balance along the rod: m v^2/l + m g cos = 3 m g cos, cos = -y/l, pulls towards the pivot
        reaction = scene.one("arrows", kind="reaction", name="rod")
        x, y, _ = scene.point(reaction["at"], 1)
        fx, fy, _ = scene.point(reaction["vector"], 1)
        self.assertAlmostEqual(fx, 3 * 9.81 * -y * (2 - x), delta=1e-3)
        self.assertAlmostEqual(fy, 3 * 9.81 * -y * -y, delta=1e-3)
        # a pivot that is a particle has a rod though it is the one that rests; what rests by itself has none
        resting = "coord phi\nparticle P mass 1 at [3 + cos(phi), 4 + sin(phi)]\nparticle A mass 2 at [3, 4]\nparticle B mass 1 at [2*3, 0*t]\n"
        scene = self.scene(resting, "--at", "phi = pi/2")
        rod = scene.one("solids", kind="rod")
        for found, true in zip(scene.point(rod["from"], 0) + scene.point(rod["to"], 0), [3, 5, 0, 3, 4, 0]):
            self.assertAlmostEqual(found, true, delta=1e-6)
        self.assertEqual([solid["kind"] for solid in scene.data["solids"]].count("joint"), 0)
        fixed = self.scene("coord x, y\nparticle P mass 1 at [x, y]\nparticle A mass 2 at [3, 4]\nparticle B mass 2 at [3, 5]\n")
        self.assertEqual([(solid["kind"], solid["name"]) for solid in fixed.data["solids"]], [("particle", "P"), ("particle", "A"), ("particle", "B")])
        free = self.scene("coord x, y\nparticle P mass 1 at [x, y]\nparticle Q mass 1 at [2*x, y]\n")
        self.assertEqual([solid["kind"] for solid in free.data["solids"]], ["particle", "particle"])

    def test_ropes_are_drawn_where_a_gap_keeps_points_from_parting(self):
        for relation, ends in (("x^2 + (y - 1)^2 <= 4", (0, 1)), ("sqrt((x - 3)^2 + y^2) <= 4", (3, 0))):
            scene = self.scene(f"coord x, y\nparticle P mass 1 at [x, y]\nunilateral rope: {relation}\nstart x' = 0.5, y' = 0.2\n", "--until", "1")
            rope = scene.one("solids", kind="line")
            for t in (0, 0.5, 1):
                found = scene.point(rope["from"], t) + scene.point(rope["to"], t)
                for here, true in zip(found, [*ends, 0, 0.5 * t, 0.2 * t, 0]):
                    self.assertAlmostEqual(here, true, delta=1e-6)
        between = self.scene("coord x, y, u, v\nparticle P mass 1 at [x, y]\nparticle Q mass 1 at [u, v]\n"
                             "unilateral rope: (x - u)^2 + (y - v)^2 <= 9\nstart u = 1, u' = 1\n", "--until", "1")
        rope = between.one("solids", kind="line")
        self.assertAlmostEqual(abs(between.point(rope["from"], 1)[0] - between.point(rope["to"], 1)[0]), 2, delta=1e-6)
        # what keeps a point out of a circle is no rope
        out = self.scene("coord x, y\nparticle P mass 1 at [x, y]\nunilateral post: x^2 + y^2 >= 1\nstart x = 2\n")
        self.assertEqual([solid["kind"] for solid in out.data["solids"]], ["particle"])

    def test_a_floor_that_moves_is_a_line_that_moves(self):
        floor = "coord x, y\nparticle P mass 1 at [x, y]\nunilateral floor: 2*y >= 0.6*sin(5*t) + 0.2\nstart x = 3, y = 2\n"
        scene = self.scene(floor, "--until", "1")
        line = scene.one("solids", kind="line")
        self.assertEqual(scene.data["grounds"], [])
        for t in (0, 0.3, 1):
            (a, b, _), (c, d, _) = scene.point(line["from"], t), scene.point(line["to"], t)
            self.assertAlmostEqual((a + c) / 2, 3, delta=1e-9)
            for height in (b, d):
                self.assertAlmostEqual(height, 0.3 * math.sin(5 * t) + 0.1, delta=5e-3)
        # who draws it himself has it once
        drawn = self.scene(floor + "frame F on ground at [3, 0.3*sin(5*t) + 0.1]\nshape F box [2, 0.1]\n", "--until", "1")
        self.assertEqual([solid["kind"] for solid in drawn.data["solids"] if solid["kind"] == "line"], [])
        # who draws something else has both; what touches stays in any case
        table = "param A = 1, w = 2\ncoord x, y\nparticle P mass 1 at [x, y]\nunilateral floor: {} >= 0\nframe F on ground at {}\n{}start x = 1, y = 3\n"
        for gap, place, shape, lines in (("y - A*sin(w*t)", "[A*cos(w*t) + 1, 2]", "", 1), ("y - A*sin(w*t)", "[A*cos(w*t) + 1, 2]", "shape F box [2, 0.1]\n", 1),
                                         ("y - A*sin(w*t)", "[0, A*sin(w*t)]", "", 1), ("y - A*sin(w*t)", "[0, A*sin(w*t)]", "shape F disc radius 0.2\n", 1),
                                         ("y - A*sin(w*t)", "[0, A*sin(w*t) - 1/20]", "shape F box [2, 0.1]\n", 0),
                                         ("3*y - x - A*sin(w*t)", "[w*t, (A*sin(w*t) + w*t)/3 - 1/3]", "shape F box [2, 0.1]\n", 0),
                                         ("y - A*sin(w*t)", "[0, 1]", "shape rod [-1, A*sin(w*t)] to [1, A*sin(w*t)]\n", 0),
                                         ("y - A*sin(w*t)", "[0, 1]", "shape rod [-1, A*sin(w*t)] to [1, 2*A*sin(w*t)]\n", 1)):
            found = self.scene(table.format(gap, place, shape), "--until", "0.5")
            self.assertEqual([contact["name"] for contact in found.data["contacts"]], ["floor"], (gap, place, shape))
            self.assertEqual(sum(solid["kind"] == "line" for solid in found.data["solids"]), lines, (gap, place, shape))

    def test_contacts_have_modes_impacts_and_a_ground(self):
        ball = "param g = 10\ncoord x, y\nparticle P mass 1 at [x, y]\ngravity [0, -g]\ncontact floor: P on ground at [x, y - 1/4] normal [0, 1] unilateral restitution 1/2\nstart y = 5.25, x' = 1\n"
        scene = self.scene(ball, "--until", "2.4")
        contact = scene.one("contacts", name="floor")
        self.assertAlmostEqual(contact["impacts"][0], 1, delta=1e-6)
        self.assertAlmostEqual(contact["impacts"][1], 2, delta=1e-6)
        self.assertEqual({mode for _, _, mode in contact["modes"]}, {"open"})
        self.assertEqual(scene.data["grounds"], [{"normal": [0, 1, 0], "height": 0}])
        self.assertAlmostEqual(scene.point(contact["at"], 1)[1], 0, delta=1e-5)

    def test_a_motion_that_stops_is_one_object_with_what_was_said(self):
        # x'' = 3 x^2 from x = 1 at rest is at infinity at t = B(1/6, 1/2)/(3 sqrt(2)), 1.717
        code, out, err = self.run_model("coord x, y\nparticle P mass 1 at [x, y]\npotential -x^3\nstart x = 1\n", "show", "--until", "3", "--json")
        self.assertEqual(code, 3)
        answer = json.loads(out)
        self.assertEqual(answer["schema"], 1)
        self.assertAlmostEqual(answer["t"][-1], math.gamma(1 / 6) * math.gamma(1 / 2) / math.gamma(2 / 3) / (3 * math.sqrt(2)), delta=1e-2)
        self.assertEqual([(one["severity"], one["message"]) for one in answer["diagnostics"]], [("error", answer["error"])])
        self.assertIn(answer["error"], err)
        self.assertEqual(out.count("\n"), 1)  # as without an error: a scene is read by programs

    def forces(self, scene, t):
        """(at, vector) of each reaction; one for a name."""
        arrows = [arrow for arrow in scene.data["arrows"] if arrow["kind"] == "reaction"]
        found = {arrow["name"]: (scene.point(arrow["at"], t), scene.point(arrow["vector"], t)) for arrow in arrows}
        self.assertEqual(len(found), len(arrows))
        return found

    def test_the_arrows_at_a_ladder_are_in_equilibrium(self):
        scene = self.scene(LADDER, "--until", "1")
        forces = self.forces(scene, 1)
        self.assertEqual(set(forces), {"floor", "wall"})
        at, total, moment = scene.point(scene.one("tracks", name="L")["at"], 1), [0, -9.81], 0
        for (x, y, _), (fx, fy, _) in forces.values():
            total = [total[0] + fx, total[1] + fy]
            moment += (x - at[0]) * fy - (y - at[1]) * fx
        for rest in (*total, moment):
            self.assertAlmostEqual(rest, 0, delta=1e-4)
        for name, normal in (("floor", 1), ("wall", 0)):  # friction holds it up: each within its cone
            force = forces[name][1]
            self.assertGreater(force[normal], 0)
            self.assertGreater(abs(force[1 - normal]), 0.01 * force[normal])
            self.assertLess(abs(force[1 - normal]), 0.4 * force[normal])
        self.assertLess(forces["floor"][1][0], 0)
        self.assertGreater(forces["wall"][1][1], 0)

    def test_what_slips_is_pushed_back_by_the_arrow_of_its_contact(self):
        n, f = 10, 0.25
        plane = "param g = 10, f = 1/4\ncoord x, y\nparticle P mass 1 at [x, y]\ngravity [0, -g]\n{}\nstart x' = {}\n"
        contact = "contact floor: P on ground at [x, y] normal [0, 1] {}friction f"
        for floor in (contact.format("unilateral "), contact.format(""), "unilateral floor: y >= 0 friction f on x'"):
            for v in (2, -2):
                forces = self.forces(self.scene(plane.format(floor, v), "--until", "0.5"), 0.25)
                self.assertEqual(set(forces), {"floor"})
                for here, true in zip(forces["floor"][1], (-f * n * v / abs(v), n, 0)):
                    self.assertAlmostEqual(here, true, delta=1e-5)
        space = ("param g = 10, f = 1/4, R = 1/2\ncoord x, y, z\nrotation (a, b, c) in space\n"
                 "body S mass 1 inertia [1, 1, 1] at [x, y, z] rotation (a, b, c)\ngravity [0, 0, -g]\n"
                 "contact floor: S on ground at [x, y, z - R] normal [0, 0, 1] {}friction f {}\nstart z = R, x' = 3, y' = -4, b = 1\n")
        for kind, more in (("unilateral ", ""), ("unilateral ", "rolling 0.01 pivoting 0.001"), ("", "")):
            scene = self.scene(space.format(kind, more), "--until", "0.2")
            at, force = self.forces(scene, 0)["floor"]
            # the slip at the point that touches is v + w x (0, 0, -R) = (3 - 1/2, -4)
            size = math.hypot(2.5, 4)
            for here, true in zip(at + force, (0, 0, 0, -f * n * 2.5 / size, f * n * 4 / size, n)):
                self.assertAlmostEqual(here, true, delta=1e-4)

    def test_what_holds_in_space_holds_by_its_arrow(self):
        # on a slope of 3 : 4 with friction 0.8 > 3/4: the arrow is the weight turned round
        slope = ("param g = 10\ncoord x, y, z\nparticle P mass 1 at [x, y, z]\ngravity [0, 0, -g]\n"
                 "contact floor: P on ground at [x, y, z] normal [{}, 4/5] unilateral friction 4/5\n")
        for normal in ("3/5, 0", "0, -3/5", "9/25, 12/25"):
            at, force = self.forces(self.scene(slope.format(normal), "--until", "0.5"), 0.5)["floor"]
            for here, true in zip(force, (0, 0, 10)):
                self.assertAlmostEqual(here, true, delta=1e-5)

    def test_a_state_is_drawn_without_a_run(self):
        scene = self.scene(WHEEL, "--at", "phi = pi/2")
        self.assertEqual(scene.t, [0])
        x, y, _ = scene.point(scene.one("tracks", name="")["at"], 0)
        self.assertAlmostEqual(x, 1, delta=1e-6)
        self.assertAlmostEqual(y, 4, delta=1e-6)

    def test_a_state_has_the_reactions_with_which_a_motion_begins(self):
        # held by a rod of length 1 about (2, 0), at rest at the angle a from below: the pull is m g cos a
        pendulum = ("param g = 9.81\ncoord x, y\nparticle P mass 2 at [x, y]\nconstraint rod: (x - 2)^2 + y^2 = 1\ngravity [0, -g]\n")
        a = 0.4
        scene = self.scene(pendulum, "--at", f"x = 2 + sin({a}), y = -cos({a})")
        (fx, fy, _) = self.forces(scene, 0)["rod"][1]
        self.assertAlmostEqual(fx, -2 * 9.81 * math.cos(a) * math.sin(a), delta=1e-5)
        self.assertAlmostEqual(fy, 2 * 9.81 * math.cos(a) ** 2, delta=1e-5)
        self.assertEqual(scene.data["notes"], [])
        # what stands on a floor: its weight; what slips there: friction against it
        floor = "param g = 10\ncoord x, y\nparticle P mass 2 at [x, y]\ngravity [0, -g]\ncontact floor: P on ground at [x, y] normal [0, 1] unilateral friction 1/4\n"
        for state, force in (("x = 1", (0, 20)), ("x' = 3", (-5, 20)), ("x' = -3", (5, 20)), ("y = 1", (0, 0))):
            scene = self.scene(floor, "--at", state)
            for here, true in zip(self.forces(scene, 0)["floor"][1], force):
                self.assertAlmostEqual(here, true, delta=1e-6)
            self.assertEqual(scene.t, [0])
        # an impact that is due is not what a state is asked for
        scene = self.scene(floor, "--at", "y' = -1")
        self.assertEqual(self.forces(scene, 0), {})
        self.assertEqual(scene.data["notes"], ["the reactions are not drawn: an impact is due at this state"])
        self.assertAlmostEqual(scene.point(scene.one("arrows", kind="velocity")["vector"], 0)[1], -1)
        # what a state leaves open is said
        scene = self.scene("param g = 10\ncoord x, y\nparticle P mass 1 at [x, y]\ngravity [0, -g]\nconstraint a: y = 0\nconstraint b: 2*y = 0\n")
        self.assertEqual(scene.data["notes"], ["how `a`, `b` share what they carry is not determined at this state: one way of many is drawn"])
        self.assertAlmostEqual(sum(force[1][1] for force in self.forces(scene, 0).values()), 10, delta=1e-9)
        code, out, err = run("show", "models/contacts/table_on_four_legs.lia", "--json")
        legs = "`fore_left`, `fore_right`, `hind_left`, `hind_right`"
        self.assertEqual(json.loads(out)["notes"], [f"how {legs} share what they carry is not determined at this state: one way of many is drawn"])
        # an unknown function draws places
        scene = self.scene("function f(u)\ncoord x, y\nparticle P mass 1 at [x, y]\nforce x = f(x)\nconstraint c: y = 0\n")
        self.assertIn("the reactions are not drawn: the function `f` has no formula", scene.data["notes"][0])

    def test_a_body_that_touches_by_its_corners_is_drawn_between_them(self):
        scene = self.scene(LADDER)
        mesh = scene.one("solids", name="L")["mesh"]["v"]
        self.assertGreater(max(mesh[::3]), 0.97)  # a ladder of length 2 on its own axes, no disc of its inertia
        self.assertLessEqual(max(mesh[::3]), 1.0001)
        self.assertLess(max(mesh[1::3]), 0.1)
        block = ("param a = 0.5, b = 0.3\ncoord x, y, th\nbody B mass 1 inertia 1 at [x, y] angle th\n"
                 "contact l: B on ground at [x - a*cos(th) + b*sin(th), y - a*sin(th) - b*cos(th)] normal [0, 1] unilateral\n"
                 "contact r: B on ground at [x + a*cos(th) + b*sin(th), y + a*sin(th) - b*cos(th)] normal [0, 1] unilateral\nstart y = 1, th = 0.2\n")
        mesh = self.scene(block).one("solids", name="B")["mesh"]["v"]
        for k, half in ((0, 0.5), (1, 0.3)):
            self.assertAlmostEqual(max(mesh[k::3]), half, delta=0.02)
            self.assertAlmostEqual(min(mesh[k::3]), -half, delta=0.02)
        # what rolls touches with another point of its own each time
        disc = "param R = 0.5\ncoord x, y, th\nbody B mass 2 inertia R^2 at [x, y] angle th\ncontact c: B on ground at [x, y - R] normal [0, 1] unilateral friction 1\nstart y = R\n"
        mesh = self.scene(disc).one("solids", name="B")["mesh"]["v"]
        self.assertAlmostEqual(max(mesh[1::3]), 0.5, delta=1e-2)

    def test_bodies_without_joints_are_as_large_as_their_inertia(self):
        text = "coord x, y, z\nrotation (p, q, r) in body\nbody B mass 2 inertia {} at [x, y, z] rotation (p, q, r)\n"
        for inertia, sides in (("[0.8*0.09, 0.8*0.09, 0.8*0.09]", [0.3] * 3), ("[2/12*(4 + 9), 2/12*(9 + 1), 2/12*(1 + 4)]", [0.5, 1, 1.5])):
            mesh = self.scene(text.format(inertia)).one("solids", name="B")["mesh"]["v"]
            for k in range(3):
                self.assertAlmostEqual(max(mesh[k::3]), sides[k], delta=2e-2 * sides[k])

    def test_a_disc_about_any_axis_is_a_disc(self):
        text = "coord x, y, z\nrotation (p, q, r) in body\nbody B mass 2 inertia {} at [x, y, z] rotation (p, q, r)\n{}"
        disc = 2 * 0.3**2 / 2
        moments = ([disc, disc / 2, disc / 2], [disc / 2, disc, disc / 2], [disc / 2, disc / 2, disc])
        extent = lambda mesh: [max(mesh[k::3]) - min(mesh[k::3]) for k in range(3)]
        for k, inertia in enumerate(moments):
            sides = extent(self.scene(text.format(inertia, "")).one("solids", name="B")["mesh"]["v"])
            for i, side in enumerate(sides):
                self.assertAlmostEqual(side, 0.015 if i == k else 0.6, places=3)
        # a rod along x is no disc
        rod = extent(self.scene(text.format([0.001, 1, 1], "")).one("solids", name="B")["mesh"]["v"])
        self.assertGreater(rod[0], 10 * rod[1])

    def test_what_slides_is_a_block_and_a_uniform_rod_has_both_its_ends(self):
        scene = self.scene("param l = 0.8\ncoord x, phi\nbody cart mass 2 inertia 1 on ground by slider x axis [1, 0]\n"
                           "body rod mass 3 inertia 3*l^2/12 on cart by hinge phi centre [0, -l/2]\nstart x = 0.1, phi = 0.3\n")
        cart, rod = (scene.one("solids", name=name)["mesh"]["v"] for name in ("cart", "rod"))
        self.assertLess(max(map(abs, cart)), 0.2)  # the disc with its inertia has the radius 1
        self.assertAlmostEqual(max(rod[1::3]) + min(rod[1::3]), 0, delta=1e-9)
        self.assertGreater(max(rod[1::3]), 0.4)

    def test_a_rod_ends_at_places_that_are_drawn(self):
        """A distance from a plate's corner, which nothing names, is no rod from the air."""
        plate = ("coord x, y, u, v\nparticle P mass 1 at [x, y]\nparticle Q mass 1 at [u, v]\n"
                 "constraint c: (x - u - {})^2 + (y - v)^2 = 4\nstart x = {}\n")
        rods = lambda far: [one for one in self.scene(plate.format(far, far + 2)).data["solids"] if one["kind"] == "rod"]
        self.assertEqual([len(rods(far)) for far in (0, 1)], [1, 0])

    def test_springs_and_joints_draw_themselves(self):
        code, out, err = run("show", "models/bodies/excavator.lia", "--json")
        self.assertEqual((code, err), (0, ""))
        scene = Scene(out)
        self.assertEqual([s["name"] for s in scene.data["solids"] if s["kind"] == "spring"], ["lift", "push", "curl"])
        self.assertEqual({s["name"] for s in scene.data["solids"] if s["kind"] in ("polygon", "link")}, {"B", "S", "K", "C", "D"})
        lift = [s for s in scene.data["solids"] if s["name"] == "lift"][0]
        x, y, _ = scene.point(lift["to"], 0)
        self.assertEqual(scene.point(lift["from"], 0), [0.4, -0.6, 0])
        self.assertAlmostEqual(x, 2.4 * math.cos(0.6) - 0.6 * math.sin(0.6), delta=1e-5)
        self.assertAlmostEqual(y, 2.4 * math.sin(0.6) + 0.6 * math.cos(0.6), delta=1e-5)

    def test_gaps_ropes_and_wheels_draw_themselves(self):
        ladder = self.scene("param a = 1, c = 0.2\ncoord x, y, th\nkinetic (x'^2 + y'^2 + th'^2)/2\nunilateral floor: y - a*sin(th) >= 0\nunilateral wall: 2*(c + x - a*cos(th)) >= 0\nstart x = 1, y = 1, th = 0.8\nshape rod [x - a*cos(th), y + a*sin(th)] to [x + a*cos(th), y - a*sin(th)]\n")
        self.assertEqual(ladder.data["grounds"], [{"normal": [0, 1, 0], "height": 0}, {"normal": [1, 0, 0], "height": -0.2}])
        # what is round lies on the ground when the gap is closed; a point is on it; a moving floor and another body are none
        text = "param R = 0.5\ncoord x, y, u, v\nbody B mass 1 inertia R^2/2 at [x, y] angle 0*t\nshape B disc radius R\nparticle P mass 1 at [u, v]\nunilateral a: y - {} >= 0\nstart y = 4, v = 1\n"
        for gap, grounds in (("R", [{"normal": [0, 1, 0], "height": 0}]), ("v", []), ("sin(t)", [])):
            self.assertEqual(self.scene(text.format(gap)).data["grounds"], grounds)
        disc = self.scene(text.format("R"))
        self.assertEqual(disc.point(disc.one("contacts", name="a")["at"], 0), [0, 3.5, 0])
        # where the other one is not given by coordinates of its own, too
        polar = "coord x, y, r, w\nparticle P mass 1 at [x, y]\nparticle Q mass 1 at {}\nunilateral a: y - {} >= 0\nstart y = 4, r = 1\n"
        for place, height in (("[r*cos(w), r*sin(w)]", "r*sin(w)"), ("[x, r]\nparticle W mass 1 at [w, 9]", "r")):
            self.assertEqual(self.scene(polar.format(place, height)).data["grounds"], [])
        rope = self.scene("coord x, y, u, v\nparticle P mass 1 at [x, y]\nparticle Q mass 1 at [u, v]\nrope R: P to [0, 0] to Q length 2\nstart x = 1, u = -1\n")
        lines = [solid for solid in rope.data["solids"] if solid["kind"] == "line"]
        self.assertEqual([[rope.point(line[end], 0) for end in ("from", "to")] for line in lines],
                         [[[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [-1, 0, 0]]])
        wheel = "coord x, phi\nbody W mass 1 inertia 3 at [x, 0.4] angle phi\nwheel w: W radius 0.4\n"
        radius = lambda scene: [round(max(solid["mesh"]["v"]), 6) for solid in scene.data["solids"] if solid["name"] == "W"]
        self.assertEqual(radius(self.scene(wheel)), [0.4])
        self.assertEqual(radius(self.scene(wheel + "shape W disc radius 0.3\n")), [0.3])

    def test_a_place_without_a_value_is_an_error(self):
        text = "coord x, y\nparticle P mass 1 at [x, y]\nframe F on ground at [x, sqrt(1 - x)]\nshape F disc radius 0.1\nstart x' = 1"
        code, out, err = self.run_model(text + ", x = 2\n", "show")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("the place of `F` has no value at this state: a fractional power needs a nonnegative base in sqrt(1 - x) [L0505]", err)
        code, out, err = self.run_model("coord x\nparticle P mass 1 at [log(x), 0]\n", "show", "--json", "--at", "x = -1")
        self.assertEqual((code, json.loads(out)["diagnostics"][0]["place"]), (3, "m.lia:2:1"))
        scene = self.scene(text + "\n", "--until", "2")  # later in a run: a note, and a gap from there
        self.assertEqual(scene.data["notes"], ["the place of `F` has no value at t = 1: it is not drawn there"])
        column = scene.data["columns"][int(scene.one("solids", name="F")["at"][1])]
        for t, height in zip(scene.t, column):
            if abs(t - 1) > 1e-5:  # times have seven digits
                self.assertEqual(height is None, t > 1, t)
            if height is not None:
                self.assertAlmostEqual(height, math.sqrt(1 - t), delta=1e-5)

    def test_a_run_that_cannot_begin_shows_its_start(self):
        for name in ("rod.svg", "rod.png"):
            code, out, err = run("show", "models/contacts/sliding_rod.lia", "--until", "1", "-o", str(self.folder / name))
            self.assertEqual(code, 3)
            self.assertIn("no motion is possible", err)
            self.assertIn("at t = 0 s", out)

    def test_what_has_no_places_says_so(self):
        code, out, err = self.run_model("coord phi\nkinetic phi'^2/2\n", "show", "--until", "1e15")  # before the run
        self.assertEqual((code, out), (2, ""))
        code, out, err = self.run_model("coord phi\nkinetic phi'^2/2\n", "show")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("there is nothing to draw: the model is energies and coordinates alone", err)
        self.assertIn("[L0505]", err)
        for hidden in ("shape P none\n", "shape P none\nframe F on ground at [x, y]\nshape F none\n"):
            code, out, err = self.run_model("coord x, y\nparticle P mass 1 at [x, y]\n" + hidden, "show")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("there is nothing to draw: `shape ... none` hides all that has a place [L0505]", err)
        scene = self.scene("coord x, y\nkinetic (x'^2 + y'^2)/2\nstart x = 1\n")
        self.assertEqual(scene.data["notes"], ["the model names no places: its coordinates are drawn as points"])
        self.assertEqual(scene.data["tracks"][0]["name"], "(x, y)")


if __name__ == "__main__":
    unittest.main()
