#!/usr/bin/env python3
"""`simulate` as its user meets it: files, plots, faults, going on.

usage: test_simulate.py PROGRAM
"""

import json
import math
import os
import pty
import signal
import struct
import subprocess
import time
import unittest
import zipfile

from program import PROGRAM, ROOT, InFolder, run

PENDULUM = "param g = 9.81 [m/s^2], l > 0 = 1 [m], m = 1 [kg]\ncoord theta\nparticle P mass m at [l*sin(theta), -l*cos(theta)]\n" \
           "gravity [0, -g]\noutput height = -l*cos(theta)\nstart theta = 1\n"
CARTESIAN = "param g = 9.81\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nconstraint rod: x^2 + y^2 = 1\nstart x = 0.6, y = -0.8\n"
DOUBLE = str(ROOT / "models/classics/double_pendulum.lia")


def rows_of(path):
    lines = path.read_text().splitlines()
    return lines[0].split(","), [[float(x) for x in line.split(",")] for line in lines[1:]]


class Runs(InFolder):
    def test_an_open_input_is_no_parameter(self):
        code, out, error = self.run_model("coord x\ninput u\nkinetic x'^2/2\nforce x = u\n", "simulate", "--until", "1", "--set", "u = 3")
        self.assertEqual(code, 2, out + error)
        self.assertIn("it is an open input or function: the model gives it, `input u = 3*sin(t)`, or a table", error)

    def test_a_divisor_that_ends_a_run_is_named(self):
        level = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: {}\nstart x = 1, x' = -1\n"
        for relation, divisor in (("x*y/(x - 1/2) = 1", "`x - 1/2`"), ("y = (1 - cos(x))/x^2", "`x`")):
            for method in ("dop853", "bdf"):
                code, _, err = self.run_model(level.format(relation), "simulate", "--until", "3", "--integrator", method)
                if code == 0:
                    continue  # the divisor cancels, and the method passes
                with self.subTest(relation=relation, method=method):
                    self.assertEqual(code, 3)
                    self.assertIn(f"{divisor}, by which the equations divide, comes to zero", err)

    def test_json_has_what_the_contract_says(self):
        code, out, err = self.run_model(CARTESIAN, "simulate", "--until", "2", "--tol", "1e-11", "--json")
        self.assertEqual((code, err), (0, ""))
        result = json.loads(out)
        self.assertEqual((result["schema"], result["outcome"], result["t"]), (1, "finished", 2))
        self.assertEqual(set(result["final"]), {"x", "y", "x'", "y'"})
        self.assertAlmostEqual(result["final"]["x"] ** 2 + result["final"]["y"] ** 2, 1, delta=1e-14)
        kept = {m["name"]: m for m in result["monitors"]}
        self.assertTrue(kept["T + V"]["expected"] and kept["T + V"]["digits"] > 9)
        self.assertGreater(kept["holonomic levels"]["digits"], 14)

    def test_the_csv_has_the_columns_of_the_contract(self):
        code, _, _ = self.run_model(PENDULUM, "simulate", "--until", "1", "--every", "0.25", "-o", "run.csv")
        self.assertEqual(code, 0)
        columns, rows = rows_of(self.folder / "run.csv")
        self.assertEqual(columns, ["t", "theta", "theta'", "T", "V", "height"])
        self.assertEqual([row[0] for row in rows], [0, 0.25, 0.5, 0.75, 1])
        for row in rows:
            self.assertAlmostEqual(row[5], -math.cos(row[1]), delta=1e-15)
            self.assertAlmostEqual(row[3] + row[4], rows[0][3] + rows[0][4], delta=1e-7)

    def test_the_archive_has_the_same_numbers(self):
        self.run_model(PENDULUM, "simulate", "--until", "1", "--every", "0.25", "-o", "run.csv")
        code, _, _ = self.run_model(PENDULUM, "simulate", "--until", "1", "--every", "0.25", "-o", "run.npz")
        self.assertEqual(code, 0)
        columns, rows = rows_of(self.folder / "run.csv")
        with zipfile.ZipFile(self.folder / "run.npz") as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), [name + ".npy" for name in columns])
            for i, name in enumerate(columns):
                data = archive.read(name + ".npy")
                self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
                begin = 10 + struct.unpack("<H", data[8:10])[0]
                self.assertEqual(begin % 64, 0)
                self.assertEqual(list(struct.unpack(f"<{len(rows)}d", data[begin:])), [row[i] for row in rows])
        self.assertFalse((self.folder / "run.npz.part").exists())

    def test_small_units_beside_a_relation(self):
        """A circle of a nanometre is followed as one of a metre; next to the origin a circle of a metre is measured by its radius."""
        for size in ("1e-9", "1e-6", "1", "1e6"):
            code, out, err = self.run_model(f"param s = {size}\ncoord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + y^2 = s^2\nstart x = s, y = 0, y' = s\n",
                                            "simulate", "--until", "10", "--json")
            self.assertEqual(code, 0, err)
            self.assertAlmostEqual(json.loads(out)["final"]["x"] / float(size), math.cos(10), delta=1e-7)
        code, out, err = self.run_model("coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x^2 + (y - 1)^2 = 1\nstart x = 1e-13, x' = 1e-13\n",
                                        "simulate", "--until", "10", "--json")
        self.assertEqual(code, 0, err)
        self.assertLess(json.loads(out)["steps"], 200)
        self.assertAlmostEqual(json.loads(out)["final"]["x"], 1.1e-12, delta=1e-14)

    def test_plots_follow_the_ending_and_have_units(self):
        code, out, _ = self.run_model(PENDULUM, "simulate", "--until", "3", "--every", "0.02", "--plot", "a.svg", "--plot", "a.png",
                                      "--plot", "a.html")
        self.assertEqual(code, 0)
        svg = (self.folder / "a.svg").read_text()
        self.assertIn("θ", svg)
        self.assertIn("[s]", svg)
        self.assertEqual((self.folder / "a.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertIn("<svg", (self.folder / "a.html").read_text())
        self.assertIn("wrote a.svg\n  wrote a.png\n  wrote a.html", out)

    def test_the_same_input_gives_the_same_bytes(self):
        for name in ("a.csv", "b.csv"):
            self.assertEqual(run("simulate", DOUBLE, "--until", "5", "-o", name, cwd=self.folder)[0], 0)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def test_parameters_start_and_projection(self):
        _, out, _ = self.run_model(PENDULUM, "simulate", "--until", "1", "--tol", "1e-12", "--set", "g = 0", "--start",
                                   "theta = 0, theta' = pi", "--json")
        self.assertAlmostEqual(json.loads(out)["final"]["theta"], math.pi, delta=1e-10)
        code, _, err = self.run_model(CARTESIAN, "simulate", "--until", "1", "--start", "x = 1, y = 1")
        self.assertEqual(code, 2)
        self.assertIn("the state is not on `rod`: x^2 + y^2 - 1 = 1, not 0 [L0501]", err)
        code, out, _ = self.run_model(CARTESIAN, "simulate", "--until", "1", "--start", "x = 1, y = 1", "--project", "--json")
        self.assertEqual((code, json.loads(out)["outcome"]), (0, "finished"))

    def test_every_integrator_comes_to_the_same_end(self):
        _, out, _ = self.run_model(CARTESIAN, "simulate", "--until", "1", "--tol", "1e-13", "--json")
        exact = json.loads(out)["final"]
        for how, bound in ((["dop853"], 1e-7), (["arkode"], 1e-7), (["adams"], 1e-5), (["bdf"], 1e-5), (["ida"], 1e-5),
                           (["dop853", "--step", "0.01"], 1e-10), (["variational", "--step", "0.001"], 1e-4),
                           (["variational4", "--step", "0.01"], 1e-6), (["variational6", "--step", "0.01"], 1e-9)):
            code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "--json", "--integrator", *how)
            self.assertEqual(code, 0, err)
            self.assertAlmostEqual(json.loads(out)["final"]["x"], exact["x"], delta=bound, msg=how)

    def test_outputs_may_speak_of_everything_that_is_derived(self):
        code, out, err = self.run_model(CARTESIAN + "output det = det_r\noutput pull = lambda(rod) + x''\n", "simulate", "--until", "1",
                                        "--every", "0.5", "-o", "run.csv")
        self.assertEqual((code, err), (0, ""))
        columns, rows = rows_of(self.folder / "run.csv")
        for row in rows:
            value = dict(zip(columns, row))
            self.assertAlmostEqual(value["det"], 4 * (value["x"] ** 2 + value["y"] ** 2), delta=1e-12)


class Faults(InFolder):
    def test_a_run_away_solution_ends_with_what_where_and_when(self):
        code, out, err = self.run_model("coord x\nkinetic x'^2/2\npotential -x^3\nstart x = 1\n", "simulate", "--until", "10", "-o", "run.csv")
        self.assertEqual(code, 3)
        self.assertRegex(err, r"^m.lia: error: at t = 1.7173\d+: the step fell to nothing: .* \[L0517\]\n   hint: the motion up to there is in run.csv\n$")
        _, rows = rows_of(self.folder / "run.csv")
        self.assertGreater(rows[-1][0], 1.7173)
        self.assertTrue(all(math.isfinite(x) for row in rows for x in row))

    def test_a_state_on_a_singularity(self):
        code, _, err = self.run_model("coord r, phi\nkinetic r'^2/2 + r^2*phi'^2/2\nstart r = 0\n", "simulate", "--until", "1", "-o", "run.csv")
        self.assertEqual(code, 3)
        self.assertIn("at t = 0: undetermined motion: the mass matrix is singular", err)

    def test_a_function_without_a_formula_and_one_without_a_value(self):
        code, _, err = self.run_model("function f(v)\ncoord x\nkinetic x'^2/2\nforce x = f(x')\n", "simulate", "--until", "1")
        self.assertEqual(code, 2)
        self.assertIn("the function `f` has no formula [L0505]", err)
        code, _, err = self.run_model("function f(s) = sqrt(1 - s)\ncoord x\nkinetic x'^2/2\nforce x = f(x)\nstart x' = 1\n", "simulate",
                                      "--until", "10", "-o", "run.csv")
        self.assertEqual(code, 3, err)
        self.assertRegex(err, r"at t = 0\.\d+: ")
        _, rows = rows_of(self.folder / "run.csv")
        self.assertTrue(all(math.isfinite(x) for row in rows for x in row))

    def test_a_parameter_without_a_value(self):
        code, _, err = self.run_model("param m\ncoord x\nkinetic m/2*x'^2\n", "simulate", "--until", "1")
        self.assertEqual(code, 2)
        self.assertIn("the parameter `m` has no value [L0502]", err)

    def test_places_that_cannot_be_written(self):
        code, _, err = self.run_model(PENDULUM, "simulate", "--until", "1", "-o", "no/such/run.csv")
        self.assertEqual(code, 3)
        self.assertIn("no/such/run.csv: error: cannot be written: No such file or directory [L0513]", err)
        code, _, err = self.run_model(PENDULUM, "simulate", "--until", "1", "--plot", "no/such/run.svg")
        self.assertEqual(code, 3)
        code, _, err = self.run_model(PENDULUM, "simulate", "--until", "1", "--plot", "run.gif")
        self.assertEqual(code, 2)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk(self):
        code, _, err = self.run_model(PENDULUM, "simulate", "--until", "1000", "-o", "/dev/full")
        self.assertEqual(code, 3)
        self.assertIn("/dev/full: error: cannot be written: No space left on device [L0513]", err)

    def test_rows_have_two_formats(self):
        self.assertEqual(self.run_model(PENDULUM, "simulate", "--until", "1", "-o", "ball.txt"), (2, "", (
            "ball.txt: error: rows are written as .csv or .npz, not as .txt [L0514]\n   hint: -o ball.csv; .npz is for NumPy, and `-o -` writes .csv to the standard output\n")))

    def test_constraints_that_no_state_satisfies_are_named_together(self):
        model = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint one: x = 1\nconstraint free: y = x\nconstraint two: x = 2\n"
        for command in (["simulate", "--until", "1"], ["eval"]):
            self.assertEqual(self.run_model(model, *command), (2, "", (
                "m.lia:5:1: error: no state is on all of `one`, `two`: a sum of multiples of them says 1 = 0 [L0515]\n"
                "   hint: take one of them away, or change it\n")))
        # what is only off at this state is named as before
        model = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint one: x = 1\nconstraint two: x*y = 2\nstart x = 3, y = 3\n"
        code, _, err = self.run_model(model, "eval")
        self.assertEqual((code, err.count("the state is not on")), (2, 2), err)

    def test_the_text_says_what_ended_a_run_and_what_was_not_kept(self):
        model = "coord a_rather_long_name_of_a_coordinate, x\nkinetic (a_rather_long_name_of_a_coordinate'^2 + x'^2)/2\n" \
                "start x = 1, x' = 1\nevent far: x = 2 then stop\nclaim conserved(x + a_rather_long_name_of_a_coordinate + x^2 + 1/x)\n"
        code, out, err = self.run_model(model, "simulate", "--until", "3")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("\n  ended by the event `far`\n", out)
        self.assertRegex(out, r"\n    conserved\(.*\)  +not kept: changes by up to 3\.5\n")
        columns = {len(line) - len(line[4:].split(None, 1)[1]) for line in out.splitlines() if line.startswith(("    a_rather", "    x"))}
        self.assertLessEqual(max(columns) - min(columns), 1, out)  # a sign

    def test_a_series_of_a_function_that_a_canonical_form_would_expand(self):
        for force, x in (("-x + sign(sin(-0.52*t - 0.62))", 0.003944793), ("-x + sign(max(sin(0.51*t - 0.53), -0.36))", 3.346876212)):
            model = "coord x\nkinetic x'^2/2\nforce x = %s\nstart x = 0.174, x' = -0.676\n" % force
            code, out, err = self.run_model(model, "simulate", "--until", "5", "--integrator", "taylor", "--json")
            self.assertEqual(code, 0, err)
            self.assertAlmostEqual(json.loads(out)["final"]["x"], x, 7)

    def test_options_that_do_not_fit(self):
        for arguments, words in ((["--until", "1", "--integrator", "dop835"], "did you mean `dop853`?"),
                                 (["--until", "1", "--integrator", "variational"], "this integrator needs a step"),
                                 (["--until", "1", "--integrator", "bdf", "--step", "0.1"], "chooses its steps itself"),
                                 (["--until", "-1"], "the run would end at -1 and begins at 0"),
                                 (["--until", "1", "--tol", "2"], "a tolerance lies between"),
                                 (["--until", "1", "--resume"], "there is no file to go on with"),
                                 (["--until", "1", "--resume", "-o", "none.csv"], "there is nothing to go on from"),
                                 (["--until", "nan"], "the end of a run is a finite time"),
                                 (["--until", "3", "--every", "1e-30"], "so many rows cannot be told apart in time"),
                                 (["--until", "3", "--step", "1e-320"], "so many steps cannot be told apart in time"),
                                 (["--until", "3", "--max-step", "1e-320"], "so many steps cannot be told apart in time"),
                                 (["--until", "pi/q"], "`pi/q` is not a number"),
                                 (["--until", "1/0"], "`1/0` is not a number"),
                                 ([], "--until T is missing")):
            code, _, err = self.run_model(PENDULUM, "simulate", *arguments)
            self.assertEqual(code, 2, arguments)
            self.assertIn(words, err)

    def test_numbers_are_expressions_of_constants(self):
        code, out, _ = self.run_model(PENDULUM, "simulate", "--until", "pi/10", "--every", "pi/100", "--tol", "10^-8", "--json")
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["t"], math.pi / 10)

    def test_zero_is_no_length_of_time(self):
        for option in ("--every", "--step", "--max-step"):
            code, _, err = self.run_model(PENDULUM, "simulate", "--until", "1", option, "0")
            self.assertEqual(code, 2, option)
            self.assertIn(option + ": error: zero is no length of time", err)

    def test_a_method_that_is_not_for_the_system(self):
        code, _, err = run("simulate", "models/classics/sphere_sliding.lia", "--until", "0.1", "--integrator", "variational", "--step", "0.01")
        self.assertEqual(code, 2)
        self.assertIn("[L0601]", err)

    def test_a_method_that_cannot_begin_says_why(self):
        twice = CARTESIAN + "constraint again: 2*x^2 + 2*y^2 = 2\n"
        for how in (["ida"], ["taylor"], ["variational", "--step", "0.01"]):
            code, _, err = self.run_model(twice, "simulate", "--until", "1", "--integrator", *how)
            self.assertEqual(code, 3, how)
            self.assertRegex(err, r"^m.lia: error: at t = 0: .*depend.* \[L0517\]\n", how)
        code, out, err = self.run_model(twice, "simulate", "--until", "1", "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertGreater({m["name"]: m["digits"] for m in json.loads(out)["monitors"]}["T + V"], 8)

    def test_the_end_of_a_slip_is_not_an_endless_loop(self):
        code, _, err = run("simulate", "models/classics/sphere_sliding.lia", "--until", "10")
        self.assertEqual(code, 3)
        self.assertRegex(err, r"at t = \d")


class GoingOn(InFolder):
    LONG = ["simulate", DOUBLE, "--until", "60", "--every", "0.05", "--flush-every", "0"]

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for_rows(self, process, path, count):
        for _ in range(2000):
            if path.exists() and path.read_bytes().count(b"\n") > count:
                return
            if process.poll() is not None:
                return
            time.sleep(0.005)

    def whole(self):
        self.assertEqual(run(*self.LONG, "-o", "whole.csv", cwd=self.folder)[0], 0)
        return (self.folder / "whole.csv").read_bytes()

    def test_killed_in_mid_run_and_resumed_to_the_same_bytes(self):
        whole = self.whole()
        path = self.folder / "run.csv"
        process = self.start(*self.LONG, "-o", "run.csv")
        self.wait_for_rows(process, path, 100)
        process.kill()
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL)
        columns, rows = rows_of(path)  # readable up to the last flushed row
        self.assertGreater(len(rows), 50)
        self.assertTrue(all(len(row) == len(columns) for row in rows))
        code, _, err = run(*self.LONG, "-o", "run.csv", "--resume", cwd=self.folder)
        self.assertEqual(code, 0, err)
        self.assertEqual(path.read_bytes(), whole)

    def test_ctrl_c_ends_cleanly_and_the_run_goes_on(self):
        whole = self.whole()
        path = self.folder / "run.csv"
        process = self.start(*self.LONG, "-o", "run.csv")
        self.wait_for_rows(process, path, 20)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assertRegex(err.decode(), r"stopped at t = \S+; --resume goes on from here")
        self.assertTrue(path.read_bytes().endswith(b"\n"))
        self.assertEqual(run(*self.LONG, "-o", "run.csv", "--resume", cwd=self.folder)[0], 0)
        self.assertEqual(path.read_bytes(), whole)

    def test_another_run_is_not_continued(self):
        process = self.start(*self.LONG, "-o", "run.csv")
        self.wait_for_rows(process, self.folder / "run.csv", 20)
        process.kill()
        process.communicate()
        code, _, err = run(*self.LONG, "-o", "run.csv", "--resume", "--tol", "1e-6", cwd=self.folder)
        self.assertEqual(code, 2)
        self.assertRegex(err, r"^run.csv.resume: error: this belongs to another run: .* \[L0516\]")
        (self.folder / "run.csv").write_text("t\n")
        code, _, err = run(*self.LONG, "-o", "run.csv", "--resume", cwd=self.folder)
        self.assertEqual(code, 2)
        self.assertIn("fewer rows than the run had written", err)

    def test_files_that_are_damaged(self):
        self.write(PENDULUM)
        for rows, run_file, words in (("t,theta\n1,zero\n", None, "line 2 is not a row of numbers"),
                                      ("t,theta,theta',T,V,height\n", None, "this is not the trajectory of this model"),
                                      ("", None, "this is not the trajectory of this model"),
                                      ("t,theta,theta',T,V,height\n0,1,0,0,0,0\n", "liaison run 1\nx", "nothing tells which run wrote it")):
            (self.folder / "run.csv").write_text(rows)
            if run_file:
                (self.folder / "run.csv.resume").write_text(run_file)
            code, _, err = self.run_in("simulate", "m.lia", "--until", "1", "-o", "run.csv", "--resume")
            self.assertEqual(code, 2, err)
            self.assertIn(words, err)

    def test_a_run_that_ended_by_itself_is_not_prolonged(self):
        ball = "param g = 9.81\ncoord y\nkinetic y'^2/2\npotential g*y\nstart y = 1\n"
        for what, why in (("unilateral floor: y >= 0\n", r"^--resume: error: a run with unilateral constraints from event to event is not gone on with yet \[L0516\]"),
                          ("event floor: y = 0 then stop\n",
                           r"^run.csv: error: this run does not go on: the event `floor` ended the run at t = 0.4515\d* \[L0516\]")):
            self.write(ball + what)
            command = ("simulate", "m.lia", "--until", "2", "-o", "run.csv")
            self.assertEqual(self.run_in(*command)[0], 0)
            before = (self.folder / "run.csv").read_bytes()
            code, out, err = self.run_in(*command, "--resume")
            self.assertEqual((code, out), (2, ""))
            self.assertRegex(err, why)
            self.assertEqual((self.folder / "run.csv").read_bytes(), before)

    def test_a_prolonged_run_remembers_what_happened(self):
        self.write("coord x\nkinetic x'^2/2\nstart x' = 1\nevent here: x = 1\nevent end: x = 2\n")
        self.run_in("simulate", "m.lia", "--until", "2", "-o", "run.csv")
        code, out, err = self.run_in("simulate", "m.lia", "--until", "3", "-o", "run.csv", "--resume", "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([event["name"] for event in json.loads(out)["events"]], ["here", "end"])

    def test_a_finished_run_is_prolonged_from_its_end(self):
        self.write(PENDULUM)
        self.run_in("simulate", "m.lia", "--until", "1", "--every", "0.25", "-o", "run.csv")
        code, _, err = self.run_in("simulate", "m.lia", "--until", "2", "--every", "0.25", "-o", "run.csv", "--resume")
        self.assertEqual((code, err), (0, ""))
        _, rows = rows_of(self.folder / "run.csv")
        self.assertEqual([row[0] for row in rows], [0.25 * k for k in range(9)])
        self.run_in("simulate", "m.lia", "--until", "2", "--every", "0.25", "-o", "whole.csv")
        _, whole = rows_of(self.folder / "whole.csv")
        self.assertAlmostEqual(rows[-1][1], whole[-1][1], delta=1e-7)

    def test_a_pipe_shows_no_bar(self):
        _, out, err = run(*self.LONG, cwd=self.folder)
        self.assertEqual(err, "")
        self.assertNotIn("█", out)

    def test_a_terminal_shows_one(self):
        terminal, end = pty.openpty()
        process = subprocess.Popen([PROGRAM, "simulate", DOUBLE, "--until", "6000", "--tol", "1e-12"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=end)
        os.close(end)
        shown = b""
        while True:
            try:
                piece = os.read(terminal, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        process.wait()
        os.close(terminal)
        self.assertEqual(process.returncode, 0)
        self.assertRegex(shown.decode(), r"█+░* +\d+ %  t = [\d.]+ of 6000")


if __name__ == "__main__":
    unittest.main()
