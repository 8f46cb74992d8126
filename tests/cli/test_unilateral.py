#!/usr/bin/env python3
"""Contacts that open, close, stick and slip in runs; what is not computed is said: contacts that pull, speeds of zero that friction resists.

usage: test_unilateral.py PROGRAM
"""

import json
import math
import unittest

from program import InFolder

BALL = "param g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nunilateral ground: y >= 1 friction 0.3 restitution 0.5\nstart y = 2\n"


class Unilateral(InFolder):
    def test_eval_at_an_open_contact(self):
        code, out, err = self.run_model(BALL, "eval", "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(json.loads(out)["acceleration"], {"x": 0, "y": -9.81})
        self.assertEqual(self.run_in("eval", "m.lia", "--at", "y = 1, y' = 0.1")[0], 0)  # it opens

    def test_eval_of_a_closed_contact_names_motions(self):
        for state in ("y = 1", "y = 1, y' = -1"):
            code, out, err = self.run_model(BALL, "eval", "--at", state)
            self.assertEqual((code, out), (3, ""))
            self.assertTrue(err.startswith("m.lia:5:1: error: `ground` is closed at this state: it may press, open or slip [L0519]\n"
                                           "   hint: `liaison motions` lists what is possible here; or choose a state with a gap with --at"), err)

    def test_a_reset_beside_contacts_is_one(self):
        code, out, err = self.run_model(BALL + "start x' = 1\nevent kick: x = 1/10 then reset x' = 2\n", "simulate", "--until", "0.2", "--json")
        self.assertEqual(code, 0, err)
        event, = json.loads(out)["events"]
        self.assertEqual((event["kind"], event["name"]), ("reset", "kick"))
        self.assertAlmostEqual(event["energy"], 3 / 2, delta=1e-9)

    def test_the_limit_of_steps_is_that_of_the_run(self):
        code, out, err = self.run_model(BALL, "simulate", "--until", "1.5", "--max-steps", "7")  # of several modes
        self.assertEqual(code, 3)
        self.assertIn("error: 7 steps were not enough to come to t = 1.5 [L0517]", err)

    def test_a_violated_contact_is_an_error_with_its_place(self):
        for command, option, more in (("eval", "--at", []), ("simulate", "--start", ["--until", "1"])):
            code, out, err = self.run_model(BALL, command, option, "y = 0.5", *more)
            self.assertEqual((code, out), (2, ""))
            self.assertIn("m.lia:5:1: error: the state violates `ground`: y - 1 = -0.5, which is negative [L0501]", err)

    def test_what_sticks_and_slips_without_friction(self):  # coefficients of 0 and 1/2, as numbers and by name
        for friction in ("0", "f"):
            code, out, err = self.run_model("param f = 0\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nforce x = 1\n"
                                            f"unilateral c: y >= 0 friction {friction} sticking 1/2 on x'\n", "motions", "--json")
            self.assertEqual(code, 0, err)
            self.assertEqual((json.loads(out)["verdict"], len(json.loads(out)["motions"])), ("several", 2), out)

    def test_a_part_of_a_family_is_no_motion_of_its_own(self):  # limits of slip lie within what sticks, by any law of sharing
        code, out, err = self.run_model("param b = 0.5, h = 0.3\ncoord x, y, th\nkinetic (x'^2 + y'^2 + 0.1*th'^2)/2\npotential 10*y\nforce x = 1\n"
                                        "unilateral L: y - b*sin(th) - h*cos(th) >= 0 friction 3/10 sticking 4/10 on x' + (b*sin(th) + h*cos(th))*th'\n"
                                        "unilateral R: y + b*sin(th) - h*cos(th) >= 0 friction 3/10 sticking 4/10 on x' + (-b*sin(th) + h*cos(th))*th'\n"
                                        "start y = h\n", "motions", "--json")
        self.assertEqual(code, 0, err)
        result = json.loads(out)
        self.assertEqual((result["verdict"], len(result["motions"])), ("unique", 1), out)

    def test_what_is_kept_twice_ends_no_list(self):  # nothing can slip along its own gap; with b0 three contacts keep what two keep
        code, out, err = self.run_model("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 2\nunilateral c: -y >= 0 friction 4 on y'/3\n", "motions", "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out)["motions"][0]["vertices"][0]["acceleration"], {"x": 2, "y": 0}, out)
        code, out, err = self.run_model("coord q0, q1, q2, q3, q4\nkinetic (q0'^2 + q1'^2 + q2'^2 + q3'^2 + q4'^2)/2\n"
                                        "force q0 = 2\nforce q1 = -5/3\nforce q3 = -1\nforce q4 = -5\nconstraint b0: 2/3*q0 + q1 + 2*q3 - q4/3 = 0\n"
                                        "unilateral c0: -q0 + q2 + 2*q3 - q4/3 >= 0\nunilateral c1: -3*q0 >= 0 friction 4/5 sticking 23/10 on 2*q0' + 3*q1'\n"
                                        "unilateral c2: -q2 >= 0 friction 4 on 2*q0' - q1' - q2'/3\n", "motions", "--json")
        self.assertEqual(code, 0, err)
        self.assertGreaterEqual(len(json.loads(out)["motions"]), 2, out)

    def test_walls_that_part_are_not_kept_together(self):  # t^3 <= y <= t^3/2 has no y; two walls that move alike have one
        for walls, verdict in (("a: y - t^3 >= 0|b: -y + t^3/2 >= 0", "none"), ("a: y - t^3 >= 0|b: -y + t^3 >= 0", "unique"),
                               ("a: y + x^3 >= 0|b: -y + x^3 >= 0", None), ("a: y - 1 + x^5 >= 0|b: 1 - y + x^5 >= 0|start y = 1", None),
                               ("a: y - sin(1e6*t)^3 >= 0|b: -y + sin(1e6*t)^3 >= 0", "unique"), ("a: y >= 0|b: -2*y >= 0", "unique")):
            code, out, err = self.run_model("coord x, y\nkinetic (x'^2 + y'^2)/2\n" + "".join(f"{'' if wall.startswith('start') else 'unilateral '}{wall}\n" for wall in walls.split("|"))
                                            + "start x' = 1\n", "motions", "--json")
            self.assertEqual(code, 0, err)
            result = json.loads(out)
            self.assertEqual(result["verdict"], verdict, (walls, result))
            if "x^" in walls:
                self.assertEqual(result["motions"][0]["modes"], {"a": "opens", "b": "opens"}, walls)

    def test_a_ramp_that_begins_smoothly(self):  # y = x^3/10: the gap of the floor was always zero, and is -1e-49 where it opens
        code, out, err = self.run_model("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral a: y >= 0\nunilateral b: y - x^3/10 >= 0\n"
                                        "start x = -1, x' = 1\n", "simulate", "--until", "2", "--json")
        self.assertEqual(code, 0, err)
        end = json.loads(out)["final"]
        self.assertAlmostEqual(end["y"], end["x"] ** 3 / 10, delta=1e-12)
        self.assertAlmostEqual(end["x'"] ** 2 * (1 + 0.09 * end["x"] ** 4) / 2 + end["x"] ** 3, 0.5, delta=1e-7)

    def test_a_run_bounces_and_comes_to_rest(self):
        code, out, _ = self.run_model(BALL + "output N = lambda(ground)\n", "simulate", "--until", "10", "--json", "-o", "rows.csv")
        result = json.loads(out)
        self.assertEqual((code, result["outcome"]), (0, "finished"))
        self.assertAlmostEqual(result["impacts"][0]["t"], math.sqrt(2 / 9.81), delta=1e-9)
        self.assertAlmostEqual(result["accumulations"][0]["t"], 3 * math.sqrt(2 / 9.81), delta=1e-8)
        self.assertEqual([span["mode"] for span in result["contacts"]], ["open", "sticks"])
        self.assertAlmostEqual(result["final"]["y"], 1, delta=1e-12)
        with open(f"{self.folder}/rows.csv", encoding="utf-8") as rows:
            lines = [line.strip().split(",") for line in rows]
        self.assertEqual(lines[0], ["t", "x", "y", "x'", "y'", "lambda(ground)", "lambda(ground.slip)", "T", "V", "N"])
        self.assertAlmostEqual(float(lines[-1][5]), 9.81, delta=1e-9)
        self.assertEqual(lines[-1][5], lines[-1][9])
        text = self.run_in("simulate", "m.lia", "--until", "10")[1]
        self.assertIn("  impacts of ground accumulate at t = 1.35", text)
        self.assertRegex(text, r"after \d+ of them; it rests from t = 1.35\d* on\)")

    def test_a_run_with_contacts_is_not_resumed(self):
        self.run_model(BALL, "simulate", "--until", "1", "-o", "rows.csv")
        code, _, err = self.run_in("simulate", "m.lia", "--until", "2", "-o", "rows.csv", "--resume")
        self.assertEqual(code, 2)
        self.assertIn("a run with unilateral constraints from event to event is not gone on with yet", err)

    def test_a_verdict_is_not_taken_back(self):
        """Forces that are open beside one motion leave it the only one; what was not looked for leaves it open."""
        twice = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 2*y\nunilateral a: y >= 0\nunilateral b: 3*y >= 0\nclaim motions == unique at (y = 0)\n"
        code, out, _ = self.run_model(twice, "motions", "--at", "y = 0")
        self.assertEqual(code, 0)
        self.assertIn("unique: one motion is possible\n", out)
        self.assertIn("how the contacts share what they carry is not determined, and the motion does not depend on it", out)
        self.assertNotIn("not decided", out)
        self.assertIn("1 proved", self.run_in("check", "m.lia")[1])
        corner = ("coord x, y, z\nparticle P mass 1 at [x, y, z]\ngravity [0, 0, -10]\n"
                  "contact floor: P on ground at [x, y, z] normal [0, 0, 1] unilateral friction 1/2\n"
                  "contact wall: P on ground at [x, y, z] normal [-1, 0, 0] unilateral friction 1/2\n")
        code, out, _ = self.run_model(corner, "motions")
        self.assertEqual(code, 0)
        self.assertIn("one motion was found; whether it is the only one is not decided", out)
        self.assertNotIn("unique", out)
        self.assertIsNone(json.loads(self.run_in("motions", "m.lia", "--json")[1])["verdict"])

    def test_rest_is_one_motion_whatever_carries_it(self):
        """Forces that are a family, and forces of which one is none and its contact closed for ever, carry one rest."""
        wedged = ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = 10\nforce z = -10\n"
                  "unilateral c0: x + y + z >= 0 friction 0 sticking 1 on x' - z'\nunilateral c1: x + y >= 0 friction 1 on x' - y'\n"
                  "unilateral c2: -x >= 0 friction 1 on y' - 2*z'\nclaim motions == unique at (x = 0)\n")
        pushed = ("coord x, y, z\nkinetic 3*x'^2 + 5/2*y'^2 + z'^2\nforce y = -10\nforce z = -5\n"
                  "unilateral c0: -2*x + y - 2*z >= 0 friction 0 on x' - y' + z'\nunilateral c1: y + z >= 0 friction 0 sticking 2 on 2*y' - 2*z'\n"
                  "unilateral c2: -2*z >= 0\nclaim motions == unique at (x = 0)\n")
        for text in (wedged, pushed):
            code, out, err = self.run_model(text, "check")
            self.assertEqual(code, 0, out + err)
            found = json.loads(self.run_model(text, "motions", "--json")[1])
            self.assertEqual(found["verdict"], "unique")
            for motion in found["motions"]:
                self.assertTrue(motion["equilibrium"], motion)

    def test_a_gap_of_products_is_judged_beside_their_terms(self):
        """Its own terms vanish with it where it is closed; what it is told from zero by stands within them."""
        slope = ("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\n"
                 "unilateral a: sin(1/2)*(x - 7/10) + cos(1/2)*(y - 1/5) >= 0 friction 1/4\n")
        self.run_model(slope, "derive")
        for near in ("x = 7/10, y = 0.2", "x = 0.7 - 1e-14, y = 0.2", "x = 0.7 + 1e-14, y = 0.2"):
            code, out, err = self.run_in("motions", "m.lia", "--at", near)
            self.assertEqual((code, err), (0, ""), near)
            self.assertIn("motion 1: a slips", out, near)
            code, out, err = self.run_in("simulate", "m.lia", "--start", near, "--until", "0.1", "--json")
            self.assertEqual((code, [span["mode"] for span in json.loads(out)["contacts"]]), (0, ["slips"]), near)
        code, out, err = self.run_in("motions", "m.lia", "--at", "x = 1/3", "--touching", "a")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("motion 1: a slips", out)
        self.assertEqual(self.run_in("motions", "m.lia", "--at", "x = 0.7 - 1e-6, y = 0.2")[0], 2)  # violated

    def test_a_table_on_four_legs_at_rest_has_its_motion(self):
        """Friction carries 6 however four legs share it, and about the middle 6 sqrt(34)/10; pushed and turned, how they share it decides."""
        table = ("param F = 0, M = 0\ncoord x, y, z, a, b, r\nkinetic x'^2 + y'^2 + z'^2 + (a'^2 + b'^2 + r'^2)/5\npotential 20*z\nforce x = F\nforce r = M\n")
        for name, u, v in (("k", "+", "+"), ("l", "+", "-"), ("m", "-", "+"), ("n", "-", "-")):
            back = {"+": "-", "-": "+"}[v]
            table += f"unilateral {name}: z {u} a/2 {v} 3*b/10 >= 0 friction 3/10 on [x' {back} 3/10*r', y' {u} 1/2*r']\n"
        self.run_model(table, "derive")
        for loads, mode, x, r in (("F = 5.9", "sticks", 0, 0), ("F = 10", "slips", 2, 0), ("M = 5", "slips", 0, (5 - 0.6 * math.sqrt(34)) / 0.4)):
            code, out, _ = self.run_in("motions", "m.lia", "--set", loads, "--json")
            result = json.loads(out)
            self.assertEqual((code, result["verdict"], len(result["motions"])), (0, None, 1), loads)
            self.assertEqual(set(result["motions"][0]["modes"].values()), {mode}, loads)
            found = result["motions"][0]["acceleration"]
            self.assertAlmostEqual(found["x"], x, delta=1e-9, msg=loads)
            self.assertAlmostEqual(found["r"], r, delta=1e-9, msg=loads)
        result = json.loads(self.run_in("motions", "m.lia", "--set", "F = 7, M = 2", "--json")[1])
        self.assertEqual((result["verdict"], len(result["motions"])), ("several", 3))  # two legs may carry all
        self.assertIn("depends on how the contacts share", result["undecided"])

    def test_what_one_contact_carries_beside_a_rod_is_its_own(self):
        """A bob that rests where its rod and the floor hold it: neither force is determined, and one contact shares with none."""
        bob = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nconstraint rod: x^2 + y^2 = 1\nunilateral floor: y >= -1 friction 1/5 on x'\nstart y = -1\n"
        code, out, err = self.run_model(bob, "simulate", "--until", "0.1")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("note: how much `floor` carries is not determined", out)
        self.assertNotIn("share", out)

    def test_a_table_dropped_on_three_legs_comes_to_rest(self):
        """It lands flat, turning: its legs rebound in turn, ever lower, and then all three carry it, and friction ends slip and turn at one time."""
        table = ("coord x, y, z\nrotation R (p, q, r) in body\nbody table mass 3 inertia [1, 1, 1] at [x, y, z] rotation R\ngravity [0, 0, -10]\n")
        for name, a, b in (("fore", 0.5, 0), ("left", -0.25, 0.5), ("right", -0.25, -0.5)):
            at = ", ".join(f"{q} + {a}*R{i}1 + {b}*R{i}2 - R{i}3/2" for i, q in ((1, "x"), (2, "y"), (3, "z")))
            table += f"contact {name}: table on ground at [{at}] normal [0, 0, 1] unilateral restitution 0 friction 1/5\n"
        code, out, err = self.run_model(table + "start z = 0.6, x' = 1, r = 2\n", "simulate", "--until", "1.5", "--json")
        self.assertEqual((code, err), (0, ""))
        end = json.loads(out)["final"]
        self.assertEqual([end[name] for name in ("x'", "y'", "z'", "p", "q", "r")], [0] * 6)
        self.assertAlmostEqual(end["z"], 0.5, delta=1e-12)

    def test_friction_that_works_is_not_said_to_do_no_work(self):
        brick = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral floor: y >= 0 friction 1/4\n"
        slid = self.run_model(brick + "start x' = 1\n", "simulate", "--until", "1")[1]
        self.assertIn("power(floor)                    works, up to 2.5\n", slid)
        self.assertNotIn("power(floor.slip)", slid)
        begins = self.run_model(brick + "force x = 5*t\n", "simulate", "--until", "1")[1]
        self.assertRegex(begins, r"power\(floor\) +works, up to 1\.56")
        self.assertNotIn("power(floor.slip)", begins)
        self.assertIn("power(floor.slip)               no work, exactly\n", self.run_model(brick, "simulate", "--until", "1")[1])

    def test_nothing_is_checked_behind_a_moment_from_which_another_motion_is_possible(self):
        rod = ("coord x, y, theta\nkinetic (x'^2 + y'^2)/2 + 0.1*theta'^2\npotential 10*y\nforce theta = -20*t - 3\n"
               "unilateral floor: y - sin(theta) >= 0 friction 3 on x' + sin(theta)*theta'\n"
               "start theta = 1, y = sin(1), theta' = -1, x' = sin(1), y' = -cos(1)\n"
               "claim theta == 0.9407417829349984 after 0.05 within 1e-9\nclaim theta == 0.98960 after 0.01 within 1e-4\n")
        code, out, _ = self.run_model(rod, "check")
        self.assertEqual(code, 1, out)
        self.assertRegex(out, r"UNKNOWN .*after 0\.05")
        self.assertRegex(out, r"0\.0131314[0-9]*: 3 motions are possible")
        self.assertRegex(out, r"checked .*after 0\.01")
        code, out, _ = self.run_in("simulate", "m.lia", "--until", "0.05", "--on-indeterminate", "separate")
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"floor +t = 0\.0131314[0-9]* +to 0\.05 +open")

    def test_a_state_that_is_within_rounding_of_having_a_motion_says_so(self):
        text = ("param mu = {}, D = {}\ncoord x, y\nkinetic (x'^2 + y'^2)/2 - x'*y'/2\nforce x = 2\nforce y = -D\n"
                "unilateral floor: y >= 0 friction mu on x'\nstart x' = 1\n")
        for mu, drive in (("3", "1 + 1/10^16"), ("3", "1 - 1/10^16"), ("2 - 1/10^16", "2"), ("2 + 1/10^16", "2")):
            with self.subTest(mu=mu, drive=drive):
                result = json.loads(self.run_model(text.format(mu, drive), "motions", "--json")[1])
                self.assertIn("within rounding of a limit", result["undecided"])
        for mu, drive, verdict in (("3", "1", "unique"), ("2", "2", "none"), ("3", "1 + 1/10^6", "none")):
            with self.subTest(mu=mu, drive=drive):
                result = json.loads(self.run_model(text.format(mu, drive), "motions", "--json")[1])
                self.assertEqual(result["verdict"], verdict)
                self.assertNotIn("undecided", result)

    def test_of_many_contacts_that_touch_the_order_of_impacts_is_not_asked_and_that_is_said(self):
        text = ("for i in 1..{n}: coord x_{i}\nfor i in 1..{n}: particle P_{i} mass 1 at [x_{i}, 0]\n"
                "for i in 1..{m}: unilateral d_{i}: x_{i+1} - x_{i} >= 0 restitution 0\nstart x_1 = -1, x_1' = 1\n")
        for count, said in ((4, False), (9, True)):
            model = text.replace("{n}", str(count)).replace("{m}", str(count - 1))
            code, out, _ = self.run_model(model, "simulate", "--until", "2")
            self.assertEqual(code, 0, out)
            self.assertEqual("the order of impacts counts was not asked where more than 6 contacts touch" in out, said, out)

    def test_a_rank_that_digits_decide_is_said(self):
        text = ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 10*y\nconstraint c: z = 0\n{}"
                "unilateral floor: y >= 0 friction 1/5 on x'\nstart x' = 1\n")
        for second, said in (("", False), ("constraint d: 2*z + x^2/10^7*z = 0\n", True)):
            code, out, _ = self.run_model(text.format(second), "simulate", "--until", "0.2")
            self.assertEqual(code, 0, out)
            self.assertEqual("depend on each other as far as the digits of the state tell" in out, said, out)

    def test_a_state_within_rounding_of_a_limit_has_no_verdict_by_its_last_digit(self):
        text = ("param mu = {}, a = {}\ncoord x, y\nparticle P mass 1 at [x, y]\ngravity [10*sin(a), -10*cos(a)]\n"
                "unilateral plane: y >= 0 friction mu\n")
        slope = 0.5235987755982988  # a sixth of pi, rounded
        for mu in (math.tan(slope), math.nextafter(math.tan(slope), 0), math.nextafter(math.tan(slope), 1)):
            code, out, _ = self.run_model(text.format(repr(mu), repr(slope)), "motions", "--json")
            result = json.loads(out)
            self.assertIsNone(result["verdict"], mu)
            self.assertIn("within rounding of a limit", result["undecided"])
            for verdict in ("unique (`plane` sticks)", "unique (`plane` slips)"):
                self.assertIn(verdict, result["undecided"])
        # Exactly at its limit it sticks; a billionth away is away.
        exactly = text.format("3/4", "0").replace("[10*sin(a), -10*cos(a)]", "[10*sin(atan(3/4)), -10*cos(atan(3/4))]")
        for model, mode in ((exactly, "sticks"), (text.format(repr(math.tan(slope) * (1 + 1e-9)), repr(slope)), "sticks"),
                            (text.format(repr(math.tan(slope) * (1 - 1e-9)), repr(slope)), "slips")):
            result = json.loads(self.run_model(model, "motions", "--json")[1])
            self.assertEqual((result["verdict"], result["motions"][0]["modes"]["plane"]), ("unique", mode), model)

    def test_a_run_says_where_other_motions_were_looked_for(self):
        legs = "".join(f"unilateral g{i}: y + {i}/10*th >= 0 friction 1/2 on x'\n" for i in (-3, -1, 1, 3)).replace("g-", "h")
        table = "coord x, y, th\nkinetic (x'^2 + y'^2 + th'^2)/2\npotential 10*y\nforce x = sin(t)\n" + legs
        space = ("coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 10*z\nforce x = sin(t)\n"
                 "unilateral floor: z >= 0 friction 1/2 on [x', y']\n")
        alone = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nforce x = sin(t)\nunilateral floor: y >= 0 friction 1/2\n"
        for model, is_said in ((table, True), (space, True), (alone, False)):
            code, out, _ = self.run_model(model, "simulate", "--until", "2", "--json")
            notes = " ".join(json.loads(out).get("notes", []))
            self.assertEqual((code, bool("other motions were looked for at" in notes)), (0, is_said), model + notes)

    def test_the_work_of_what_moves_contacts_is_counted(self):
        ball = "coord y\nkinetic y'^2/2\npotential 10*y\nunilateral table: y - sin(12*t)/10 >= 0 restitution 1/2\nstart y' = 6/5\n"
        belt = ("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 5*x^2 + 10*y\nunilateral floor: y >= 0 friction 3/10 sticking 1/2 on x' - 1\nstart x' = 1\n")
        shaken = ("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral floor: y - sin(3*t)/10 >= 0 restitution 1/2 "
                  "friction 3/10 on x' - cos(2*t)\nstart x' = 1, y = 1/5\n")
        for model in (ball, belt, shaken):
            code, out, err = self.run_model(model, "simulate", "--until", "2", "--json")
            self.assertEqual(code, 0, err)
            monitors = {m["name"]: m for m in json.loads(out)["monitors"]}
            self.assertGreater(monitors["T + V - work"]["digits"], 8, model)
            self.assertLess(monitors["T + V"]["digits"], 3, model)
        still = ball.replace("sin(12*t)/10", "0")
        code, out, _ = self.run_model(still, "simulate", "--until", "2", "--json")
        self.assertNotIn("T + V - work", [m["name"] for m in json.loads(out)["monitors"]])

    def test_what_walls_give_in_impacts_stands_beside_what_the_law_takes(self):
        # a particle above a surface that rises and slides: free flight and one impact, all in closed form
        m, g, e, mu, rise, belt, turn = 2, 10, 0.6, 0.25, 0.3, 1.5, -0.7
        model = (f"coord x, y, z\nkinetic {m}/2*(x'^2 + y'^2 + z'^2)\npotential {m*g}*z\n"
                 f"unilateral floor: z - {rise}*t >= 0 restitution {e} friction {mu} on [x' - {belt}, y' - ({turn})]\nstart z = 1, x' = 1/2\n")
        t = (-rise + math.sqrt(rise**2 + 2 * g)) / g
        approach, slip = -g * t - rise, (0.5 - belt, -turn)
        push = -(1 + e) * m * approach
        speed = math.hypot(*slip)
        rub = min(mu * push, m * speed)
        impulse = [-rub * slip[0] / speed, -rub * slip[1] / speed, push]
        work = impulse[0] * belt + impulse[1] * turn + impulse[2] * rise
        loss = m / 2 * (1 - e**2) * approach**2 + m / 2 * (speed**2 - (speed - rub / m)**2)
        for text in (model, model.replace("coord x, y, z", "coord x, y, z, w").replace("z'^2)", "z'^2 + w'^2)") +
                     f"constraint gear: w' + z' = {rise}\n"):
            code, out, err = self.run_model(text, "simulate", "--until", "0.7", "--json")
            result = json.loads(out)
            self.assertEqual((code, len(result["impacts"])), (0, 1), err)
            hit, = result["impacts"]
            if text is model:
                for name, value in (("work", work), ("loss", loss), ("energy", work - loss)):
                    self.assertAlmostEqual(hit[name], value, delta=1e-8, msg=name)
            self.assertAlmostEqual(hit["energy"], hit["work"] - hit["loss"], delta=1e-12)
            self.assertGreater(next(m["digits"] for m in result["monitors"] if m["name"] == "T + V - work"), 11)
        self.assertIn("impacts: time, impulses, energy = work of what moves - loss", self.run_in("simulate", "m.lia", "--until", "0.7")[1])
        still = model.replace(f"{rise}*t", "0").replace(f" - {belt}", "").replace(f" - ({turn})", "")
        hit, = json.loads(self.run_model(still, "simulate", "--until", "0.7", "--json")[1])["impacts"]
        self.assertEqual(hit["work"], 0)
        self.assertAlmostEqual(hit["loss"], -hit["energy"], delta=1e-12)
        self.assertNotIn("work of what moves", self.run_in("simulate", "m.lia", "--until", "0.7")[1])

    def test_an_impact_of_bodies_that_touch_says_where_their_order_counts(self):
        balls = ("coord y1, y2\nkinetic (6*y1'^2 + 6/10*y2'^2)/20\npotential 6*y1 + 6/10*y2\n"
                 "unilateral floor: y1 >= 1/10 restitution 9/10\nunilateral touch: y2 - y1 >= 1/5 restitution 9/10\nstart y1 = 1, y2 = 6/5\n")
        out = self.run_model(balls, "simulate", "--until", "0.6")[1]
        self.assertRegex(out, r"note: at t = 0\.42\d* `floor`, `touch` touch: taken is one impact of all; one after the other they would end with velocities that differ by")
        self.assertNotIn("one after the other", self.run_in("simulate", "m.lia", "--until", "0.6", "--in-sequence")[1])
        self.assertNotIn("one after the other", self.run_in("simulate", "m.lia", "--until", "0.6", "--start", "y2 = 2")[1])

    def test_corners_that_rock_in_turn_come_to_one_end(self):
        block = ("param b = 0.2, h = 0.6\ncoord x, y, th\nbody B mass 1 inertia (b^2 + h^2)/3 at [x, y] angle th\ngravity [0, -9.81]\n"
                 "contact L: B on ground at [x - b*cos(th) + h*sin(th), y - b*sin(th) - h*cos(th)] normal [0, 1] unilateral friction 0.9\n"
                 "contact R: B on ground at [x + b*cos(th) + h*sin(th), y + b*sin(th) - h*cos(th)] normal [0, 1] unilateral friction 0.9\n"
                 "start th = 0.1, y = h*cos(0.1) + b*sin(0.1)\n")
        code, out, _ = self.run_model(block, "simulate", "--until", "3", "--json")
        ends = json.loads(out)["accumulations"]
        self.assertEqual((code, [one["name"] for one in ends]), (0, ["L", "R"]))
        for one in ends:  # the limit by mpmath, from the law of its rocking
            self.assertLess(abs(one["t"] - 2.8442951795), one["error"])
        self.assertIn("  impacts of L, R accumulate at t = 2.844295", self.run_in("simulate", "m.lia", "--until", "3")[1])

    def test_derive_names_the_gap(self):
        code, out, err = self.run_model(BALL, "derive")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("y − 1 > 0\n       the contact ground is open: where it closes, what follows does not hold\n", out)

    def test_claims_are_about_open_contacts(self):
        claims = ("claim y'' == -g\nclaim abs(y) == y\nmisprint y == 1\nclaim y'' == -g at (y = 1)\nclaim y'' == -g at (y = 0.5)\n"
                  "claim y == 2 - 0.01*g/2 after 0.1 within 1e-9\nclaim y == 2 - 4*g/2 after 2 within 1e-9\n"
                  "claim y == 1 at (y = 1) after 0 within 1e-9\nclaim y == 1.05 at (y = 1, y' = 1) after 0.1 within 1e-9\n")
        _, out, err = self.run_model(BALL + claims, "check", "--json")
        self.assertEqual(err, "")
        result = json.loads(out)["claims"]
        self.assertEqual([claim["status"] for claim in result],
                         ["proved", "proved", "refuted", "refuted", "unknown", "checked", "refuted", "checked", "refuted"])
        self.assertGreater(result[2]["witness"]["state"]["y"], 1)  # a witness is a state with a gap
        self.assertIn("y = 1, y' = 0: 0 is not -9.81", result[3]["how"])  # the ground carries it

    def test_questions_about_its_reaction_are_refused(self):
        for line in ("claim lambda(ground) == 0", "claim r(ground, ground) == 1", "claim drive(ground) == 0",
                     "claim power(ground) == 0", "claim dir(ground, x'') == 0", "claim independent(ground)", "claim holonomic(ground)",
                     "constraint c: x' = 0 power x' - lambda(ground)*x'"):
            for command in (["check", "m.lia"], ["eval", "m.lia"], ["derive", "m.lia"], ["simulate", "m.lia", "--until", "1"]):
                self.write(BALL + line + "\n")
                code, out, err = self.run_in(*command)
                self.assertEqual((code, out.startswith("interrupted")), (2, False), (line, command))
                self.assertRegex(err, r"^m.lia:[57]:1: error: `ground` is a unilateral constraint: no formula holds for its reaction at all states \[L0519\]\n")


class Corners(InFolder):
    EDGE = "coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 10*y\nunilateral g: y >= -abs(x)\n"

    def test_on_an_edge_there_is_no_normal(self):
        self.write(self.EDGE + "claim lambda(g) == 10 at (x = 0, y = 0)\n")
        code, out, err = self.run_in("motions", "m.lia")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("m.lia:4:1: error: `g` rests on an edge of its surface, where x = 0: its sides have different normals", err)
        self.assertIn("[L0522]", err)
        self.assertIn("closes at an edge", self.run_in("motions", "m.lia", "--at", "y' = -1")[2])
        code, out, err = self.run_in("check", "m.lia")
        self.assertEqual(code, 1)
        self.assertIn("unknown: `g` rests on an edge", out)
        for more in ([], ["--integrator", "moreau", "--step", "0.01"]):
            code, out, err = self.run_in("simulate", "m.lia", "--until", "1", *more)
            self.assertEqual(code, 3)
            self.assertIn("an edge of its surface, where x = 0", err)
        # Beside it, and where it is only passed, all is said.
        self.assertIn("lambda(g)            5", self.run_in("motions", "m.lia", "--at", "x = 1, y = -1")[1])
        self.assertIn("separating", self.run_in("motions", "m.lia", "--at", "x' = 1, y' = 1/2")[1])

    def test_a_gap_without_a_gradient_is_said(self):
        code, out, err = self.run_model("coord x, y\nkinetic (x'^2 + y'^2)/2\nunilateral g: y^2 >= x^2\n", "motions")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("the gradient of the gap of `g` vanishes at this state: its force has no direction [L0522]", err)

    def test_a_corner_is_two_contacts_in_every_command(self):
        self.write(self.EDGE.replace("-abs", "abs") + "claim lambda(g_1) == 5 at (x = 0, y = 0)\nclaim motions == unique at (x = 0, y = 0)\n")
        self.assertEqual(self.run_in("check", "m.lia")[0], 0)
        self.assertIn("g_2", self.run_in("derive", "m.lia")[1])
        code, out, err = self.run_in("simulate", "m.lia", "--start", "y = 1, x = 0.3", "--until", "3", "--integrator", "moreau", "--step", "0.001", "--json")
        self.assertEqual(code, 0)
        for name in ("x", "y", "x'", "y'"):
            self.assertAlmostEqual(json.loads(out)["final"][name], 0, delta=1e-2)


class Friction(InFolder):
    SLIDER = "param f = 0.2, g = 9.81\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential g*y\nconstraint floor: y' = 0 power y' - f*abs(x' + z'/10)\n"

    def test_a_speed_of_zero_has_no_direction(self):
        for command, option, more in (("eval", "--at", []), ("simulate", "--start", ["--until", "0.01"])):
            for state in ("x' = 0", "x' = -0.1, z' = 1", "x' = -0.03, z' = 0.3", "x' = -pi/10, z' = pi"):  # zero up to rounding
                code, out, err = self.run_model(self.SLIDER, command, option, state, *more)
                self.assertEqual((code, out), (3, ""), state)
                self.assertIn("m.lia:5:1: error: `floor` resists x' + z'/10, which is zero at this state: friction has no direction there, "
                              "and sticking is not computed yet [L0520]", err)
            self.assertEqual(self.run_in(command, "m.lia", option, "x' = 1", *more)[0], 0)
            self.assertEqual(self.run_in(command, "m.lia", option, "x' = 0", "--set", "f = 0", *more)[0], 0)  # nothing resists

    def test_contacts_in_the_plane(self):
        body = "param f = 0.1, d = 0, g = 9.81\ncoord x, y, phi\nbody B mass 1 inertia 1 at [x, y] angle phi\npotential g*y\n"
        contact = body + "contact floor: B on ground at [x, y - 1/2] normal [0, 1] friction f rolling d\n"
        self.assertIn("resists phi'/2 + x', which is zero", self.run_model(contact, "eval", "--at", "phi' = 2, x' = -1")[2])
        self.assertEqual(self.run_in("eval", "m.lia", "--at", "x' = 1")[0], 0)
        self.assertIn("resists phi', which is zero", self.run_in("eval", "m.lia", "--at", "x' = 1", "--set", "d = 0.01")[2])


class Pulling(InFolder):
    HILL = ("param g = 9.81\ncoord x, y, phi\nbody B mass 1 inertia 1 at [x, y] angle phi\npotential g*y\n"
            "contact hill: B on ground at [x, y] normal [x/sqrt(x^2 + y^2), y/sqrt(x^2 + y^2)]\nstart y = 1, x' = 1\n")

    def test_a_contact_that_pulls_is_said(self):
        self.assertEqual(self.run_model(self.HILL, "eval")[0], 0)
        for command, option, more in (("eval", "--at", []), ("simulate", "--start", ["--until", "1"])):
            code, out, err = self.run_model(self.HILL, command, option, "x' = 4", *more)
            self.assertEqual((code, out), (3, ""))
            self.assertIn("m.lia:5:1: error: the contact `hill` pulls: its normal reaction is -6.19, and bodies that touch only push [L0521]", err)

    def test_a_run_ends_where_a_contact_opens(self):
        code, out, err = self.run_model(self.HILL, "simulate", "--until", "10", "--tol", "1e-12", "--json")
        self.assertEqual((code, err), (0, ""))
        result = json.loads(out)
        self.assertEqual(result["outcome"], "event")
        self.assertAlmostEqual(result["final"]["y"], 2 / 3 + 1 / (3 * 9.81), delta=1e-9)  # v^2 = g y on the circle
        self.assertRegex(self.run_in("simulate", "m.lia", "--until", "10")[1],
                         r"\n  ended by the contact `\w+`, whose pressure ends there: it would pull\n")


    def test_an_impact_carries_an_event_over_zero(self):
        model = ("coord x\nkinetic x'^2/2\nunilateral w: x <= 1 restitution 0.5\nevent up: x' = 1 rising\n"
                 "event d: x' = 1 falling then stop\nstart x' = 2\n")
        for method in ("dop853", "taylor", "arkode", "adams", "bdf", "ida"):
            code, out, _ = self.run_model(model, "simulate", "--until", "6", "--integrator", method, "--json")
            self.assertEqual(code, 0, method)
            result = json.loads(out)
            self.assertEqual((result["outcome"], [event["name"] for event in result["events"]]), ("event", ["d"]), method)
            self.assertAlmostEqual(result["t"], 0.5, 12, method)
            self.assertAlmostEqual(result["final"]["x'"], -1, 12, method)

    def test_a_slip_that_begins_in_space_refutes_no_true_claim(self):
        """It is given a velocity of 5e-9, for its direction: x' is (t^2)/2 where the pull is 5 + t."""
        text = ("coord x, y, z\nparticle P mass 1 at [x, y, z]\ngravity [0, 0, -10]\nunilateral floor: z >= 0 friction 1/2\nforce x = 5 + t\n"
                "claim a: x' == 1/2 after 1\nclaim b: x' == 0.6 after 1\n")
        out = self.run_model(text, "check")[1]
        self.assertNotIn("REFUTED     a", out)
        self.assertIn("REFUTED     b", out)

    def test_rounding_refutes_no_claim_in_time(self):
        model = ("param a = 3/100\ncoord x, y, th\nkinetic (x'^2 + y'^2)/2 + a^2/5*th'^2\nunilateral cushion: x >= 0 friction 3/4 restitution 1/2 on y' + a*th'\n"
                 "start x = 1/4, x' = -1, y' = 2, th' = 10\nclaim y' + a*th' == 0 after 1/2\nclaim y' + a*th' == 10^-6 after 1/2\n")
        out = self.run_model(model, "check")[1]
        self.assertNotIn("REFUTED     y' + a*th' == 0 after", out)
        self.assertIn("REFUTED     y' + a*th' == 10^-6 after 1/2", out)


if __name__ == "__main__":
    unittest.main()
