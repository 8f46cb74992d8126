#!/usr/bin/env python3
"""Files, standard streams, signals, and options that are judged before work begins.

usage: test_files.py PROGRAM
"""

import json
import os
import signal
import subprocess
import time
import unittest

from program import LIMIT, PROGRAM, InFolder

OSCILLATOR = "param c = 1, d = 0\ncoord x\nkinetic x'^2/2\npotential c*x^2/2\nforce x = -d*x'\nstart x = 1\n"
RUN = ("simulate", "m.lia", "--until", "2", "--every", "0.5", "-o", "run.csv")


class Outputs(InFolder):
    def setUp(self):
        super().setUp()
        self.write(OSCILLATOR)

    def assert_model_untouched(self):
        self.assertEqual((self.folder / "m.lia").read_text(), OSCILLATOR)

    def test_the_model_is_never_written_over(self):
        os.symlink("m.lia", self.folder / "soft.csv")
        os.link(self.folder / "m.lia", self.folder / "hard.csv")
        os.link(self.folder / "m.lia", self.folder / "rows.csv.resume")
        os.link(self.folder / "m.lia", self.folder / "plot.svg")
        (self.folder / "sub").mkdir()
        for path in ("m.lia", "./m.lia", "sub/../m.lia", "soft.csv", "hard.csv", "rows.csv"):
            code, out, err = self.run_in("simulate", "m.lia", "--until", "1", "-o", path)
            self.assertEqual((code, out), (2, ""), path)
            self.assertIn("error: this is the model m.lia, and would be written over [L0518]\n   hint: name another file\n", err)
            self.assert_model_untouched()
        for arguments in (["simulate", "m.lia", "--until", "1", "--plot", "plot.svg"], ["derive", "m.lia", "-o", "soft.csv"]):
            code, out, err = self.run_in(*arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn("[L0518]", err)
            self.assert_model_untouched()

    def test_what_the_model_reads_is_never_written_over(self):
        files = {"road.csv": "0, 0\n1, 1\n", "part.lia": 'table f from "inner.csv"\n', "inner.csv": "0, 0\n1, 1\n"}
        for name, text in files.items():
            self.write(text, name)
        os.symlink("inner.csv", self.folder / "soft.csv")
        self.write(OSCILLATOR + 'table road from "road.csv"\nimport "part.lia" as P  # "free.csv"\n')
        for arguments, read in ((["simulate", "m.lia", "--until", "1", "-o", "road.csv"], "road.csv"),
                                (["simulate", "m.lia", "--until", "1", "-o", "soft.csv"], "inner.csv"),
                                (["reduce", "m.lia", "-o", "./part.lia"], "part.lia")):
            code, out, err = self.run_in(*arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertIn(f"error: the model reads {read}, which would be written over [L0518]\n", err)
            self.assertEqual({name: (self.folder / name).read_text() for name in files}, files)
        self.assertEqual(self.run_in("simulate", "m.lia", "--until", "1", "-o", "free.csv")[0], 0)

    def test_two_outputs_are_two_files(self):
        for arguments in (["-o", "a.svg", "--plot", "./a.svg"], ["--plot", "a.svg", "--plot", "a.svg"]):
            code, _, err = self.run_in("simulate", "m.lia", "--until", "1", *arguments)
            self.assertEqual(code, 2, arguments)
            self.assertIn("which is written too [L0518]", err)
            self.assertFalse((self.folder / "a.svg").exists())

    def test_a_place_that_cannot_be_written_is_said_before_work_begins(self):
        (self.folder / "folder.svg").mkdir()
        (self.folder / "file").write_text("")
        for path, reason in (("no/such/run.svg", "No such file or directory"), ("folder.svg", "Is a directory"),
                             ("file/run.svg", "Not a directory")):
            for arguments in (["simulate", "m.lia", "--until", "1e9", "--plot", path], ["simulate", "no.lia", "--until", "1", "-o", path],
                              ["derive", "no.lia", "-o", path]):
                code, out, err = self.run_in(*arguments)
                self.assertEqual((code, out), (3, ""), arguments)
                self.assertIn(f"{path}: error: cannot be written: {reason} [L0513]", err)

    def running(self, *arguments):
        process = subprocess.Popen([PROGRAM, "simulate", "m.lia", "--until", "1e8", "--flush-every", "0", *arguments], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, path):
        for _ in range(2000):
            if path.exists() and path.read_bytes().count(b"\n") > 20:
                return
            time.sleep(0.005)
        self.fail(f"no rows in {path}")

    def test_two_runs_on_one_output(self):
        for name, rows in (("run.csv", "run.csv"), ("run.npz", "run.npz.part")):
            process = self.running("-o", name)
            self.wait_for(self.folder / rows)
            os.symlink(name, self.folder / ("link_to_" + name)) if name == rows else None
            for other in (name, "link_to_" + name) if name == rows else (name,):
                for more in ((), ("--resume",)):
                    code, out, err = self.run_in("simulate", "m.lia", "--until", "1e8", "-o", other, *more)
                    self.assertEqual((code, out), (2, ""), (other, more))
                    self.assertRegex(err, r"\[L051[68]\]")
                code, _, err = self.run_in("simulate", "m.lia", "--until", "1", "-o", other)
                self.assertIn("error: another run is writing it [L0518]\n   hint: wait for its end, or name another file\n", err)
            size = (self.folder / rows).stat().st_size
            time.sleep(0.3)
            self.assertGreater((self.folder / rows).stat().st_size, size)  # it goes on undisturbed
            process.kill()  # a lock does not outlive its run
            process.communicate()
            code, _, err = self.run_in("simulate", "m.lia", "--until", "1", "-o", name)
            self.assertEqual((code, err), (0, ""))

    def test_a_finished_run_goes_on_only_as_itself(self):
        self.assertEqual(self.run_in(*RUN)[0], 0)
        before = (self.folder / "run.csv").read_bytes()
        longer = [*RUN[:3], "4", *RUN[4:], "--resume"]
        for other in (["--set", "d = 1"], ["--start", "x = 2"], ["--tol", "1e-6"], ["--integrator", "arkode"], ["--free-drift"]):
            code, _, err = self.run_in(*longer, *other)
            self.assertEqual(code, 2, other)
            self.assertIn("run.csv.resume: error: this belongs to another run: the model or an option has changed [L0516]", err)
            self.assertEqual((self.folder / "run.csv").read_bytes(), before)
        self.write(OSCILLATOR.replace("c = 1", "c = 2"))
        self.assertIn("[L0516]", self.run_in(*longer)[2])
        self.write(OSCILLATOR)
        os.remove(self.folder / "run.csv.resume")
        code, _, err = self.run_in(*longer)
        self.assertEqual(code, 2)
        self.assertIn("run.csv: error: nothing tells which run wrote it: run.csv.resume is not there, or is damaged [L0516]", err)
        self.assertEqual((self.folder / "run.csv").read_bytes(), before)

    def without_numbers(self, saved, count):
        """The file beside the rows as it is written before the first step: so many bytes of rows, nothing to go on from."""
        first, *head = saved.splitlines()[:3]
        body = "\n".join([*head, str(count), "0", "0x0p+0", "0", ""])
        total = 0xCBF29CE484222325
        for byte in body.encode():
            total = (total ^ byte) * 0x100000001B3 % 2**64
        return f"{first}\n{body}end {total:016x}\n"

    def test_a_run_that_was_cut_off_before_its_first_row_begins(self):
        self.assertEqual(self.run_in(*RUN)[0], 0)
        whole = (self.folder / "run.csv").read_bytes()
        header = whole[:whole.index(b"\n") + 1]
        # what a run leaves that is ended between the header and the first row
        saved = (self.folder / "run.csv.resume").read_text(encoding="utf-8")
        for rest in (b"", b"0,1"):
            (self.folder / "run.csv").write_bytes(header + rest)
            (self.folder / "run.csv.resume").write_text(self.without_numbers(saved, len(header)), encoding="utf-8")
            code, _, err = self.run_in(*RUN, "--resume")
            self.assertEqual((code, err), (0, ""))
            self.assertEqual((self.folder / "run.csv").read_bytes(), whole)
        # a file of other columns is not written over
        (self.folder / "run.csv").write_bytes(b"t,z\n" + b" " * len(header))
        (self.folder / "run.csv.resume").write_text(self.without_numbers(saved, 4), encoding="utf-8")
        code, _, err = self.run_in(*RUN, "--resume")
        self.assertEqual(code, 2)
        self.assertIn("this is not the trajectory of this model [L0516]", err)

    def test_what_is_known_of_a_run_is_not_forgotten(self):
        """What was looked for at samples, and which factors were open: of the whole run, though it was gone on with."""
        self.write("coord x, y\nkinetic (x'^2 + y'^2)/2\nforce y = 1 + 0.1*abs(sqrt((x - 2)^2 + y^2) - abs(x - 2)*1.0000001)\nstart x' = 1\n", "sampled.lia")
        self.write("coord x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint a: x^2 + y^2 = 1\n"
                   "constraint b: (1 + exp(-20*t))*(x^2 + y^2 - 1) = 0\nstart x = 1, y' = 1\n", "open.lia")
        for model, first, last in (("sampled.lia", "8", "8.5"), ("open.lia", "3", "3.5")):
            told = []
            for until, more in ((first, ()), (last, ("--resume",))):
                code, out, err = self.run_in("simulate", model, "--until", until, "--every", "0.5", "-o", "part.csv", "--json", *more)
                self.assertEqual((code, err), (0, ""))
                run = json.loads(out)
                told.append((run.get("notes"), run.get("undetermined")))
            self.assertEqual(told[0], told[1], model)
            self.assertTrue(told[0][0] or told[0][1]["determined"] == [], model)

    def test_the_same_values_in_other_words_are_the_same_run(self):
        self.assertEqual(self.run_in(*RUN, "--set", "d=0.1")[0], 0)
        longer = [*RUN[:3], "4", *RUN[4:], "--resume"]
        code, _, err = self.run_in(*longer, "--set", "d = 1/10", "--start", "x = 1")
        self.assertEqual((code, err), (0, ""))


class StandardStreams(InFolder):
    def setUp(self):
        super().setUp()
        self.write(OSCILLATOR)
        self.write("coord x\nkinetic x'^2/2\n" + "claim x'' == 0\n" * 300, "many.lia")

    def shell(self, command):
        """(exit code, standard output, standard error)"""
        done = subprocess.run(["bash", "-c", command.replace("liaison", PROGRAM, 1)], capture_output=True, text=True, timeout=LIMIT,
                              cwd=self.folder)
        return done.returncode, done.stdout, done.stderr

    def test_a_closed_stream_does_not_move_messages_into_data(self):
        for closed in (">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
            code, _, _ = self.shell(f"liaison simulate m.lia --until 2 --every 0.5 -o run.csv {closed}")
            self.assertEqual(code, 3 if ">&- " in closed + " " and not closed.startswith("2") else 0, closed)
            lines = (self.folder / "run.csv").read_text().splitlines()
            self.assertEqual(len(lines), 6, closed)
            self.assertTrue(all(len(line.split(",")) == 5 for line in lines))
        code, _, _ = self.shell("liaison simulate m.lia --until 1e9 --max-steps 10 -o run.csv >&- 2>&-")
        self.assertEqual(code, 3)
        self.assertNotIn("error", (self.folder / "run.csv").read_text())
        code, _, _ = self.shell("liaison derive m.lia -o run.txt >&- 2>&-")
        self.assertEqual(code, 0)
        self.assertNotIn("error", (self.folder / "run.txt").read_text())

    def test_a_closed_standard_output_is_said(self):
        for command in ("eval m.lia", "eval m.lia --json", "check many.lia", "check many.lia --json", "derive m.lia", "zero x",
                        "simulate m.lia --until 1"):
            code, _, err = self.shell(f"liaison {command} >&-")
            self.assertEqual(code, 3, command)
            self.assertIn("error: the standard output cannot be written: Bad file descriptor [L0513]", err)
            self.assertEqual(self.shell(f"liaison {command} >&- 2>&-")[0], 3, command)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_stream_is_no_crash(self):
        for command in ("eval m.lia", "eval m.lia --json", "check many.lia", "check many.lia --json", "derive m.lia", "zero x",
                        "simulate m.lia --until 1", "tour"):
            code, _, err = self.shell(f"liaison {command} > /dev/full")
            self.assertEqual(code, 3, command)
            self.assertEqual(err, "error: the standard output cannot be written: No space left on device [L0513]\n"
                                  "   hint: make room where it goes, or write to another place\n")
        for command, expected in (("eval no.lia", 2), ("eval m.lia --set k=1", 2), ("check no.lia", 2), ("simulate m.lia", 2),
                                  ("simulate m.lia --until 1e9 --max-steps 10", 3), ("zero 'x +'", 2), ("nothing", 2)):
            code, _, _ = self.shell(f"liaison {command} 2> /dev/full")
            self.assertEqual(code, expected, command)

    def test_claims_come_through_a_pipe_one_by_one(self):
        self.write("coord x\nkinetic x'^2/2\n" + "claim x'' == 0\n" * 20000, "many.lia")
        with subprocess.Popen([PROGRAM, "check", "many.lia"], cwd=self.folder, stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "many.lia\n")
            self.assertEqual(process.stdout.readline(), "  proved      x'' == 0\n")
            self.assertIsNone(process.poll())  # there is more to come
            process.kill()


class Options(InFolder):
    def test_numbers_are_judged_before_work_begins(self):
        # the model does not exist: what is said about an option was said before it was read
        for arguments, words in ((["--until", ""], "--until: error: `` is not a number"),
                                 (["--until", "ten"], "--until: error: `ten` is not a number"),
                                 (["--until", "1s"], "--until: error: `1s` is not a number"),
                                 (["--until", "1e400"], "--until: error: `1e400` is beyond the range of a double"),
                                 (["--until", "nan"], "--until: error: the end of a run is a finite time"),
                                 (["--until", "inf"], "--until: error: the end of a run is a finite time"),
                                 (["--until", "1", "--every", "-1"], "--every: error: the distance of two rows is not negative"),
                                 (["--until", "1", "--every", "nan"], "--every: error: the distance of two rows is not negative"),
                                 (["--until", "1", "--tol", "0"], "--tol: error: a tolerance lies between 1e-15 and 1"),
                                 (["--until", "1", "--tol", "nan"], "--tol: error: a tolerance lies between 1e-15 and 1"),
                                 (["--until", "1", "--step", "-1"], "--step: error: a step is not negative"),
                                 (["--until", "1", "--step", "inf"], "--step: error: a step is not negative"),
                                 (["--until", "1", "--flush-every", "nan"], "--flush-every: error: the seconds between two states"),
                                 (["--until", "1", "--flush-every", "-1"], "--flush-every: error: the seconds between two states"),
                                 (["--until", "1", "--max-steps", "-1"], "--max-steps: error: `-1` is not a whole number of steps"),
                                 (["--until", "1", "--lyapunov", "-1"], "--lyapunov: error: `-1` is not a whole number of exponents"),
                                 (["--until", "1", "--lyapunov", "0"], "--lyapunov: error: `0` is not a whole number of exponents"),
                                 (["--until", "1", "--max-steps", "0"], "--max-steps: error: `0` is not a whole number of steps"),
                                 (["--until", "1", "--max-steps", "1.5"], "--max-steps: error: `1.5` is not a whole number of steps"),
                                 (["--until", "1", "--max-steps", ""], "--max-steps: error: `` is not a whole number of steps")):
            code, out, err = self.run_in("simulate", "no.lia", *arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assertTrue(err.startswith(words), err)
            self.assertIn("[L0514]\n   hint: --", err)
        for budget in ("", "0", "-1", "1.5", "nan", "1e400"):
            code, out, err = self.run_in("check", "no.lia", "--budget", budget)
            self.assertEqual((code, out), (2, ""), budget)
            self.assertTrue(err.startswith(f"--budget: error: `{budget}` is not a whole number of operations from 1 to 9e15 [L0514]"), err)

    def test_numbers_as_people_write_them(self):
        code, out, err = self.run_model(OSCILLATOR, "simulate", "--until", "1e0", "--max-steps", "1e6", "--every", ".5", "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(json.loads(out)["rows"], 3)


class Signals(InFolder):
    """Every loop ends soon, whatever it is doing."""

    def stopped(self, sent, *arguments, after=1.0):
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = process.communicate(timeout=after)
            self.fail(f"{arguments} ended by itself: {out}{err}")
        except subprocess.TimeoutExpired:
            process.send_signal(sent)
        begin = time.monotonic()
        out, err = process.communicate(timeout=LIMIT)
        self.assertLess(time.monotonic() - begin, 15)
        return process.returncode, out, err

    def test_simulate(self):
        self.write(OSCILLATOR)
        for sent in (signal.SIGINT, signal.SIGTERM):
            code, out, err = self.stopped(sent, "simulate", "m.lia", "--until", "1e8", "-o", "run.csv")
            self.assertEqual(code, 130)
            self.assertRegex(err, r"^stopped at t = \S+; --resume goes on from here\n$")
            lines = (self.folder / "run.csv").read_text().splitlines()
            self.assertGreater(len(lines), 100)
            self.assertEqual({line.count(",") for line in lines}, {4})

    def test_exact_work(self):
        letters = "abcdefghijklmnopqrstuvwxyz"
        angles = [" + ".join(letters[i:i + 12]) for i in range(12)]
        slow = " + ".join(f"sin({angle})^2 + cos({angle})^2" for angle in angles) + " - 12"
        numbers = range(1, 4)
        self.write("\n".join(["param m > 0, g > 0, l > 0", "coord x0, y0, " + ", ".join(f"x{i}, y{i}" for i in numbers),
                              "kinetic m/2*(x0'^2 + y0'^2 + " + " + ".join(f"x{i}'^2 + y{i}'^2" for i in numbers) + ")"]
                             + [f"constraint rod{i}: (x{i} - x{i - 1})^2 + (y{i} - y{i - 1})^2 = l^2" for i in numbers]
                             + ["claim conserved(T)", "claim lambda(rod1) == 0"] * 2000) + "\n")
        for arguments in (["zero", slow], ["simplify", slow], ["derive", "m.lia", "--formulation", "all"],
                          ["check", "m.lia", "--budget", "9e15"]):
            for sent in (signal.SIGINT, signal.SIGTERM):
                code, _, err = self.stopped(sent, *arguments)
                self.assertEqual(code, 130, arguments)
                self.assertIn(err, ("interrupted\n", ""), arguments)

    def test_what_never_looks_at_the_signal(self):
        self.write(OSCILLATOR)
        os.mkfifo(self.folder / "run.csv")  # nobody reads it: the program waits in the system
        code, out, err = self.stopped(signal.SIGTERM, "simulate", "m.lia", "--until", "1", "-o", "run.csv")
        self.assertEqual((code, out, err), (130, "", "interrupted\n"))


if __name__ == "__main__":
    unittest.main()
