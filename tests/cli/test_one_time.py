#!/usr/bin/env python3
"""What happens at one time happens once: events beside impacts and ends of slips, walls that turn where a run begins.

usage: test_one_time.py PROGRAM
"""

import json
import unittest

from program import InFolder

METHODS = ("dop853", "taylor", "arkode", "adams", "bdf")
RESET = "then reset u' = u' + 3\n"


class OneTime(InFolder):
    def ran(self, model, until, *more):
        code, out, err = self.run_model(model, "simulate", "--until", str(until), "--json", *more)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_a_reset_beside_an_impact_is_done_once(self):
        elastic = f"coord x, u\nkinetic (x'^2 + u'^2)/2\nunilateral fx: x >= 0 restitution 1\nevent half: t = 1 {RESET}start x = 1, x' = -1\n"
        falls = f"coord x, u\nkinetic (x'^2 + u'^2)/2\npotential 10*x\nunilateral fx: x >= 0 restitution 0.5\nevent half: t = 1 {RESET}start x = 5\n"
        late = f"coord x, u\nkinetic (x'^2 + u'^2)/2\nunilateral fx: x >= 0 restitution 1\nevent half: t = 1001 {RESET}start t = 1000, x = 1, x' = -1\n"
        for model, begin in ((elastic, 0), (falls, 0), (late, 1000)):
            for method in METHODS:
                for until in (1.0001, 1.2, 1.7):
                    with self.subTest(model=model, method=method, until=until):
                        result = self.ran(model, begin + until, "--integrator", method)
                        self.assertEqual([event["name"] for event in result["events"]], ["half"])
                        self.assertAlmostEqual(result["final"]["u'"], 3, 9)
                        self.assertEqual(len(result["impacts"]), 1)

    def test_an_event_of_the_state_beside_an_impact(self):
        model = (f"coord x, y, u\nkinetic (x'^2 + y'^2 + u'^2)/2\nunilateral fx: x >= 0 restitution 1\nevent h: y = 0 falling {RESET}"
                 "start x = 1, x' = -1, y = 1, y' = -1\nclaim u' == 3 after 2\nclaim x == 1 after 2\n")
        code, out, err = self.run_model(model, "check")
        self.assertEqual((code, err), (0, ""), out)
        for method in METHODS:
            result = self.ran(model, 3, "--integrator", method)
            self.assertAlmostEqual(result["final"]["u'"], 3, 9, method)
            self.assertAlmostEqual(result["final"]["x"], 2, 9, method)

    def test_a_reset_at_the_end_of_a_slip_is_done_once(self):
        model = (f"param m = 1\ncoord x, y, u\nparticle P mass m at [x, y]\nkinetic u'^2/2\ngravity [0, -10]\nunilateral f: y >= 0 friction 0.2 on x'\n"
                 f"event h: t = 1 {RESET}start x' = 2\n")
        for method in METHODS:
            result = self.ran(model, 1.5, "--integrator", method)
            self.assertAlmostEqual(result["final"]["u'"], 3, 9, method)
            self.assertAlmostEqual(result["final"]["x"], 1, 9, method)
            self.assertEqual(result["final"]["x'"], 0, method)

    def test_a_zero_that_comes_again_is_another(self):
        """A bounce every 0.4 s, and an event that happens with every second of them."""
        model = (f"coord x, u\nkinetic (x'^2 + u'^2)/2\nunilateral left: x >= 0 restitution 1\nunilateral right: x <= 1 restitution 1\n"
                 f"event h: sin(pi*t/0.8) = 0 {RESET}start x = 0.5, x' = 2.5, u' = 1\n")
        result = self.ran(model, 4.1)
        self.assertEqual([round(event["t"], 9) for event in result["events"]], [0, 0.8, 1.6, 2.4, 3.2, 4])
        self.assertAlmostEqual(result["final"]["u'"], 19, 9)

    def test_a_wall_that_turns_where_the_run_begins_has_turned(self):
        """The impulse m*(1 + e)*0.5 of a floor that begins to rise."""
        for begin in (0, -3, 1000):
            for wall in ("table lift points (0, 0), (1, 0.5), (2, 0.5) linear\nrheonomic s = lift(t - (BEGIN))\n", "rheonomic s = max(0, t - (BEGIN))/2\n"):
                model = ("param m = 2, g = 9.81\ncoord z\n" + wall.replace("BEGIN", str(begin)) + "particle P mass m at [0, z]\ngravity [0, -g]\n"
                         f"unilateral c: z >= s restitution 0.4\nstart t = {begin}, z = 0, z' = 0.5\n")
                with self.subTest(begin=begin, wall=wall):
                    rests = self.ran(model, begin + 0.5, "-o", "r.csv")
                    self.assertEqual(rests["impacts"], [])
                    self.assertAlmostEqual(rests["final"]["z"], 0.25, 9)
                    self.assertEqual(float((self.folder / "r.csv").read_text().splitlines()[1].split(",")[0]), begin)
                    struck = self.ran(model, begin + 0.03, "--start", "z' = 0", "-o", "s.csv")
                    self.assertAlmostEqual(struck["impacts"][0]["impulses"]["c"], 1.4, 6)
                    self.assertAlmostEqual(struck["final"]["z'"], 0.7 - 9.81 * 0.03, 6)

    def test_a_motor_that_begins_to_turn_meets_its_relation(self):
        model = ("param m = 1, k = 10\ntable lift points (0, 0), (1, 0.5) linear\ncoord x, s\nkinetic m/2*(x'^2 + s'^2)\n"
                 "potential k/2*(x - s)^2\nmotor mo: s = lift(t)\n")
        result = self.ran(model, 0.5)
        levels = [monitor for monitor in result["monitors"] if monitor["name"] == "holonomic levels"]
        self.assertGreater(levels[0]["digits"], 12)


if __name__ == "__main__":
    unittest.main()
