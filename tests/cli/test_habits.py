#!/usr/bin/env python3
"""What a person expects of every program: help, suggestions, colours, pipes, JSON, completion, a manual page, a first model.

usage: test_habits.py PROGRAM
"""

import json
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import subprocess
import unittest

from program import PROGRAM, ROOT, InFolder, run

PLANE = "coord x, y\nkinetic (x'^2 + y'^2)/2\n"


def table():
    code, out, _ = run("help", "--json")
    assert code == 0
    return json.loads(out)["commands"]


def run_with(arguments, cwd=ROOT, stdin="", **environment):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, encoding="utf-8", cwd=cwd, input=stdin, timeout=60,
                          env={**{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE")}, **environment})
    return done.returncode, done.stdout, done.stderr


def run_on_terminal(arguments, columns=80, **environment):
    """What a terminal of that width gets."""
    import fcntl
    import struct
    import termios
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE")}
    process = subprocess.Popen([PROGRAM, *arguments], stdin=follower, stdout=follower, stderr=follower, cwd=ROOT,
                               env={**clean, "TERM": "xterm", **environment})
    os.close(follower)
    shown = b""
    while select.select([leader], [], [], 30)[0]:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    process.wait()
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")


class Help(unittest.TestCase):
    def test_nothing_asked_is_help(self):
        code, out, err = run()
        self.assertEqual((code, err), (0, ""))
        self.assertEqual((0, out, ""), run("help"))
        self.assertEqual((0, out, ""), run("--help"))
        for command in table():
            self.assertRegex(out, rf"(?m)^  {command['name']} ")

    def test_each_command_has_its_help_with_examples(self):
        for command in table():
            code, out, err = run("help", command["name"])
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(out, run(command["name"], "--help")[1])
            self.assertTrue(command["examples"], f"{command['name']} has no example: src/cli/command_examples.cpp")
            self.assertNotEqual(command["group"], "Other commands", command["name"])
            self.assertTrue(out.startswith(f"liaison {command['name']}: "), out[:60])
            for option in command["options"]:
                self.assertIn(option["names"][-1], out)
                self.assertNotIn("{", option["about"])
                self.assertNotEqual(option.get("value"), "TEXT", f"{command['name']} {option['names']}: no word for its value in option_table.cpp")
            for example in command["examples"]:
                self.assertIn("  " + example["line"] + "\n", out)

    def test_the_examples_are_taken(self):
        """Commands that end soon are run; of the others each word is one that the program has."""
        quick = {"help", "explain", "zero", "simplify", "eval", "check", "derive", "stability", "motions", "completion", "man"}
        for command in table():
            options = {name for option in command["options"] for name in option["names"]}
            for example in command["examples"]:
                words = shlex.split(example["line"].split("|")[-1].split(">")[0].replace("source <(", "").replace(")", "") if command["name"] == "completion" else example["line"].split(" | ")[-1])
                self.assertEqual(words[:2], ["liaison", command["name"]], example)
                for word in words[2:]:
                    if word.startswith("--") or word == "-v" or word == "-o":
                        self.assertIn(word, options, example)
                    if word.startswith("models/"):
                        self.assertTrue((ROOT / word).exists(), word)
                if command["name"] in quick and "-o" not in words and ">" not in example["line"] and "all" not in words:
                    given = (ROOT / "models/tutorial/pendulum.lia").read_text() if "-" in words else ""
                    code, _, err = run_with(words[1:], stdin=given)
                    self.assertIn(code, (0, 1), (example, err))

    def test_the_width_is_that_of_the_terminal(self):
        for columns in (50, 100):
            longest = max(len(line) for line in run_on_terminal(["help"], columns, NO_COLOR="1").splitlines())
            self.assertLessEqual(longest, columns)
            self.assertGreater(longest, columns - 15)
        self.assertLessEqual(max(map(len, run_with(["help"], COLUMNS="60")[1].splitlines())), 60)
        self.assertLessEqual(max(map(len, run_with(["help"], COLUMNS="nonsense")[1].splitlines())), 80)


class Slips(unittest.TestCase):
    def refused(self, *arguments):
        code, out, err = run(*arguments)
        self.assertEqual((code, out), (2, ""), err)
        return err

    def test_commands(self):
        self.assertEqual(self.refused("dervie", "m.lia"), "error: unknown command `dervie` [L0514]\n   hint: did you mean `derive`?\n")
        self.assertEqual(self.refused("simul", "m.lia"), "error: unknown command `simul` [L0514]\n   hint: did you mean `simulate`?\n")
        self.assertEqual(self.refused("help", "evel"), "error: unknown command `evel` [L0514]\n   hint: did you mean `eval`?\n")
        self.assertRegex(self.refused("frobnicate"), r"^error: unknown command `frobnicate` \[L0514\]\n   hint: the commands are new, explain, .*simulate")
        self.assertEqual(self.refused("m.lia"), (
            "error: a command is missing before `m.lia` [L0514]\n"
            "   hint: `liaison derive m.lia`, `liaison eval m.lia`, `liaison simulate m.lia --until 10`\n"))

    def test_options(self):
        self.assertEqual(self.refused("derive", "m.lia", "--formt", "html"), "error: `derive` has no option `--formt` [L0514]\n   hint: did you mean `--format`?\n")
        self.assertEqual(self.refused("eval", "m.lia", "-json"), "error: `eval` has no option `-json` [L0514]\n   hint: did you mean `--json`?\n")
        self.assertEqual(self.refused("eval", "--jsn"), "error: `eval` has no option `--jsn` [L0514]\n   hint: did you mean `--json`?\n")
        self.assertEqual(self.refused("eval", "m.lia", "--lyapunov", "2"), "error: `eval` has no option `--lyapunov` [L0514]\n   hint: simulate has it\n")
        self.assertEqual(self.refused("eval", "m.lia", "--quux"), "error: `eval` has no option `--quux` [L0514]\n   hint: `liaison help eval` shows what is expected\n")
        self.assertEqual(self.refused("--versoin"), "error: liaison has no option `--versoin` [L0514]\n   hint: did you mean `--version`?\n")

    def test_values_and_arguments(self):
        self.assertEqual(self.refused("derive", "m.lia", "--format", "htm"), "--format: error: `htm` is none of text, latex, html, json [L0514]\n   hint: did you mean `html`?\n")
        self.assertEqual(self.refused("simulate", "m.lia", "--until"), "--until: error: a value is missing [L0514]\n   hint: --until T: the time at which the motion ends\n")
        self.assertEqual(self.refused("simulate", "m.lia"), (
            "error: --until T is missing: the time at which the motion ends [L0514]\n"
            "   hint: liaison simulate MODEL --until T [OPTIONS]; `liaison help simulate` has examples\n"))
        self.assertEqual(self.refused("eval", "a.lia", "b.lia"), "error: `b.lia` is one argument too many [L0514]\n   hint: liaison eval MODEL [OPTIONS]; what holds blanks needs quotes\n")
        self.assertEqual(self.refused("tour", "x"), "error: `tour` takes no argument, and `x` is given [L0514]\n   hint: liaison tour [OPTIONS]; what holds blanks needs quotes\n")


class Colours(unittest.TestCase):
    WRONG = ["zero", "sin(x"]

    def test_only_on_a_terminal(self):
        self.assertNotIn("\x1b", "".join(run_with(self.WRONG)[1:]) + "".join(run_with(["help"])[1:]))
        self.assertIn("\x1b[1;31merror:\x1b[0m", run_on_terminal(self.WRONG))
        self.assertIn("\x1b[1;31m     ^ the text ends here", run_on_terminal(self.WRONG))
        self.assertIn("\x1b[32mproved", run_on_terminal(["check", "models/tutorial/pendulum.lia"]))

    def test_the_usual_variables_are_kept(self):
        for variables in ({"NO_COLOR": "1"}, {"CLICOLOR": "0"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", run_on_terminal(self.WRONG, **variables), variables)
        self.assertIn("\x1b", run_with(self.WRONG, CLICOLOR_FORCE="1")[2])
        self.assertNotIn("\x1b", run_with(self.WRONG, CLICOLOR_FORCE="0")[2])
        self.assertNotIn("\x1b", run_with(self.WRONG, CLICOLOR_FORCE="1", NO_COLOR="1")[2])

    def test_colours_change_no_word(self):
        plain, painted = run_with(self.WRONG)[2], run_with(self.WRONG, CLICOLOR_FORCE="1")[2]
        self.assertEqual(re.sub(r"\x1b\[[0-9;]*m", "", painted), plain)


class Pipes(InFolder):
    def test_a_model_from_the_standard_input(self):
        for command in (["derive"], ["eval"], ["analyze", "--only", "constraints"], ["check"]):
            self.write(PLANE)
            code, out, err = run_with([command[0], "-", *command[1:]], stdin=PLANE)
            self.assertEqual((code, err), (0, ""), command)
            self.assertEqual(out.replace("<stdin>", "m.lia"), self.run_in(command[0], "m.lia", *command[1:])[1])
        bead = "coord x, y\nparticle P mass 1 at [x, y]\nstart x = 2\n"
        self.write(bead)
        code, out, err = run_with(["show", "-", "--json"], stdin=bead)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, self.run_in("show", "m.lia", "--json")[1])

    def test_its_name_in_messages(self):
        code, _, err = run_with(["eval", "-"], stdin="coord x\nkinetic x'^2/2\nforce y = 1\n")
        self.assertEqual(code, 2)
        self.assertTrue(err.startswith("<stdin>:3:7: error: "), err)

    def test_the_format_is_that_of_the_ending_or_an_error(self):
        self.write(PLANE)
        for name, what in (("a.pdf", "`.pdf` is the ending of no format"), ("a", "the name has no ending that says in which format")):
            for command in ("derive", "analyze"):
                self.assertEqual(self.run_in(command, "m.lia", "-o", name), (
                    2, "", f"{name}: error: {what} [L0518]\n   hint: end it in .txt, .tex, .html or .json, or give --format\n"))
                self.assertFalse((self.folder / name).exists())
        self.assertEqual(self.run_in("derive", "m.lia", "-o", "a", "--format", "latex"), (0, "", ""))
        self.assertTrue((self.folder / "a").read_text(encoding="utf-8").startswith("\\documentclass"))


class Json(InFolder):
    def one(self, *arguments, stdin=""):
        code, out, err = run_with(arguments, cwd=self.folder, stdin=stdin)
        value = json.loads(out)
        self.assertEqual(value["schema"], 1)
        return code, value, err

    def test_every_command_that_answers_takes_it(self):
        without = [c["name"] for c in table() if all("--json" not in o["names"] for o in c["options"])]
        self.assertEqual(without, ["lsp"])  # which speaks JSON anyway

    def test_an_object_on_every_error(self):
        self.write("coord x\nkinetic y'^2/2\n")
        for arguments, code, error, found in (
                (("eval", "nix.lia"), 2, "cannot be read: No such file or directory", ["L0510"]),
                (("eval", "m.lia"), 2, None, ["L0408"]),
                (("zero", "sin(x"), 2, "a `)` is missing", ["L0108"]),
                (("derive", "m.lia", "--format", "pdf"), 2, "`pdf` is none of text, latex, html, json", ["L0514"]),
                (("dervie",), 2, "unknown command `dervie`", ["L0514"]),
                (("explain", "L9999"), 2, "there is no error L9999", ["L0514"]),
                (("simplify", "1/0"), 2, None, ["L0001"])):
            status, value, err = self.one(*arguments, "--json")
            self.assertEqual(status, code, arguments)
            codes = [each["code"] for each in value["diagnostics"]]
            self.assertEqual(codes[:1], found, value)
            self.assertEqual(value["error"], error or value["diagnostics"][0]["message"])
            self.assertIn(f"[{found[0]}]", err)  # people read the same

    def test_the_place_of_a_message(self):
        self.write("coord x\nkinetic x'^2/2\nforce x = qq\n", "a:1:b.lia")
        _, value, _ = self.one("eval", "a:1:b.lia", "--json")
        place = value["diagnostics"][0]
        self.assertEqual((place["file"], place["line"], place["column"]), ("a:1:b.lia", 3, 11))

    def test_results_and_what_was_said_beside_them(self):
        self.write(PLANE + "force x = 3\nconstraint c: x' = 0 along dy\n")
        code, value, err = self.one("eval", "m.lia", "--json")
        self.assertEqual(code, 3)
        self.assertIs(value["compatible"], False)
        self.assertEqual([each["code"] for each in value["diagnostics"]], ["L0503"])
        self.assertIn("[L0503]", err)
        self.write(PLANE + "claim x'' == 0\n", "good.lia")
        self.write("coord\n", "bad.lia")
        code, value, _ = self.one("check", "good.lia", "bad.lia", "--json")
        self.assertEqual((code, len(value["claims"]), value["diagnostics"][0]["file"]), (2, 1, "bad.lia"))

    def test_what_went_well_has_no_error(self):
        self.write(PLANE)
        for arguments in (("eval", "m.lia"), ("derive", "m.lia"), ("zero", "x - x"), ("simplify", "x + x"), ("tour",), ("help",),
                          ("explain", "L0412"), ("new", "--list"), ("completion", "bash"), ("man",)):
            code, value, err = self.one(*arguments, "--json")
            self.assertEqual((code, err), (0, ""), arguments)
            self.assertNotIn("error", value)
            self.assertGreater(len(value), 1)
        self.assertEqual(self.one("zero", "x - 1", "--json")[1]["zero"], False)
        self.assertEqual(self.one("simplify", "x + x", "--json")[1]["readable"], "2*x")


class Files(InFolder):
    def codes(self, text):
        self.write(text)
        return re.findall(r"error: .*\[(L\d+)\]", self.run_in("check", "m.lia")[2])

    def test_one_error_for_what_is_no_model(self):
        others = {"<!DOCTYPE html><html>\n<p>x\n</html>\n": "a web page (HTML)", "t,x\n0,1\n": "rows of numbers (CSV)",
                  '{\n"a": 1}\n': "JSON", '<?xml version="1.0"?>\n<robot name="r">\n</robot>\n': "a robot file (URDF)",
                  '<mujoco model="m">\n<worldbody/>\n</mujoco>\n': "a model of MuJoCo (MJCF)",
                  "%PDF-1.4\n1 0 obj\n": "PDF", "<svg>\n<g>\n</svg>": "XML"}
        for text, what in others.items():
            self.write(text)
            code, out, err = self.run_in("check", "m.lia")
            self.assertEqual((code, out, err.count("error:")), (2, "", 1), err)
            self.assertIn(f"error: this is no model: it looks like {what} [L0405]", err)
        for text in ("Dear reader,\nthis is a letter.\n", "#include <x>\nint main() {\n}\n", "a\0b\n"):
            self.assertEqual(self.codes(text), ["L0405"], text)
        code, _, err = run("check", PROGRAM)
        self.assertEqual((code, err.count("error:")), (2, 1))

    def test_slips_in_a_model_are_no_other_file(self):
        self.assertIn("L0401", self.codes("cord x\n"))
        self.assertIn("L0401", self.codes("parameter m = 1\n"))

    def test_what_follows_from_an_error_is_not_told(self):
        self.assertEqual(self.codes("coord x\nkinetic m*x'^2/2\npotential m*x\nforce x = m\nclaim x'' == m\n"), ["L0408"])
        self.assertEqual(self.codes("coord x y\nkinetic (x'^2 + y'^2)/2\nforce y = 1\nforce x = y\n"), ["L0404"])
        self.assertEqual(self.codes("coord x, y\nbody B mass m inertia 1 at [x, y] angle 0\nmoment 1 on B\nforce [m, 0] at B\n"), ["L0408"])
        self.assertEqual(self.codes("coord x\nkinetic x'^2/2\nforce x = a\nforce x = b\n"), ["L0408", "L0408"])  # two slips


class New(InFolder):
    def templates(self):
        return [each["name"] for each in json.loads(run("new", "--list", "--json")[1])["templates"]]

    def test_each_checks_and_runs(self):
        for name in self.templates():
            self.assertEqual(self.run_in("new", f"my_{name}", "--template", name), (0, f"wrote my_{name}.lia; next: liaison check my_{name}.lia\n", ""))
            text = (self.folder / f"my_{name}.lia").read_text()
            self.assertIn(f'system "my_{name}"', text)
            self.assertNotIn("NAME", text)
            self.assertGreater(text.count("#"), 6)
            commands = re.findall(r"(?m)^#   (liaison .*?)(?:   .*)?$", text)
            self.assertGreaterEqual(len(commands), 3)
            for command in commands:  # what the comments say to do is done
                code, out, err = self.run_in(*shlex.split(command)[1:])
                self.assertEqual((code, err), (0, ""), command)
            self.assertRegex(self.run_in("check", f"my_{name}.lia")[1], r"\n(\d+) claims?: \1 proved\n$")

    def test_nothing_is_written_over(self):
        self.write("precious", "swing.lia")
        self.assertEqual(self.run_in("new", "swing"), (2, "", (
            "swing.lia: error: this file exists, and nothing is written over it [L0518]\n   hint: another name, or remove it first\n")))
        self.assertEqual((self.folder / "swing.lia").read_text(), "precious")

    def test_names(self):
        self.assertEqual(self.run_in("new", "a b.lia")[0], 0)
        self.assertIn('system "a b"', (self.folder / "a b.lia").read_text())
        self.assertEqual(self.run_in("new", 'a"b'), (2, "", "error: `a\"b` is no name for a model [L0514]\n   hint: liaison new swing\n"))
        self.assertEqual(self.run_in("new"), (2, "", "error: NAME is missing: the name of the model [L0514]\n   hint: liaison new swing; `liaison new --list` shows the templates\n"))
        self.assertEqual(self.run_in("new", "x", "--template", "robt"), (2, "", (
            "--template: error: `robt` is none of pendulum, spring, rolling, contact, linkage, robot [L0514]\n   hint: did you mean `robot`?\n")))
        code, _, err = self.run_in("new", "no/such")
        self.assertEqual(code, 3)
        self.assertTrue(err.startswith("no/such.lia: error: cannot be written: No such file or directory [L0513]\n"), err)


class Explain(unittest.TestCase):
    def test_every_code_that_the_program_can_print(self):
        known = {each["code"] for each in json.loads(run("explain", "--json")[1])["errors"]}
        printed = set()
        for path in (ROOT / "src").rglob("*.cpp"):
            printed |= set(re.findall(r'"(L\d{4})"', path.read_text(encoding="utf-8")))
        for path, head in (("include/liaison/mechanism/message.hpp", "enum class Problem"), ("include/liaison/expr/error.hpp", "enum class ErrorCode")):
            text = (ROOT / path).read_text(encoding="utf-8")
            body = text[text.index(head):]
            printed |= {f"L{int(n):04}" for n in re.findall(r"= (\d+),", body[:body.index("};")])}
        self.assertGreater(len(printed), 100)
        self.assertEqual(sorted(printed - known), [])

    def test_an_error_in_full(self):
        for word in ("L0412", "l0412", "412", "[L0412]"):
            code, out, err = run("explain", word)
            self.assertEqual((code, err), (0, ""))
            self.assertTrue(out.startswith("L0412: Two dimensions that should be the same"), out)
        models = json.loads(run("explain", "L0412", "--json")[1])["wrong_models"]
        self.assertEqual(len(models), len(list((ROOT / "tests/diagnostics").glob("L0412_*.lia"))))
        for model in models:
            self.assertIn("[L0412]", model["message"])
            self.assertIn(model["model"].splitlines()[-1], (ROOT / "docs/reference/model-errors.md").read_text())

    def test_no_code(self):
        self.assertEqual(run("explain", "L0499"), (2, "", (
            "error: there is no error L0499 [L0514]\n   hint: near it are L0501, L0502, L0503; `liaison explain` lists all\n")))
        self.assertEqual(run("explain", "units"), (2, "", (
            "error: `units` is no code of an error [L0514]\n"
            "   hint: a code is L and four digits, as in `liaison explain L0412`; `liaison explain` lists them\n")))


class Shells(InFolder):
    def complete(self, *words):
        script = (f'source <("{PROGRAM}" completion bash); COMP_WORDS=({" ".join(shlex.quote(w) for w in words)}); '
                  f"COMP_CWORD={len(words) - 1}; _liaison; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash(self):
        self.write("", "swing.lia")
        self.write("", "swing.csv")
        self.assertEqual(self.complete("liaison", "der"), ["derive"])
        self.assertEqual(self.complete("liaison", "derive", "--format", ""), ["text", "latex", "html", "json"])
        self.assertEqual(self.complete("liaison", "derive", "--formulation", "lag"), ["lagrange"])
        self.assertIn("all", self.complete("liaison", "derive", "--formulation", ""))
        self.assertNotIn("all", self.complete("liaison", "derive", "--lead", ""))
        self.assertEqual(self.complete("liaison", "analyze", "--only", "sym"), ["symmetries"])
        self.assertIn("moreau", self.complete("liaison", "simulate", "--integrator", ""))
        self.assertEqual(self.complete("liaison", "show", "--integrator", "vari"), [])  # it takes no step
        self.assertEqual(self.complete("liaison", "show", "--arrows", "re"), ["reactions"])
        self.assertEqual(self.complete("liaison", "simulate", "--unt"), ["--until"])
        self.assertEqual(self.complete("liaison", "eval", "sw"), ["swing.lia"])
        self.assertEqual(sorted(self.complete("liaison", "derive", "swing.lia", "-o", "sw")), ["swing.csv", "swing.lia"])
        self.assertEqual(sorted(self.complete("liaison", "help", "sim")), ["simplify", "simulate"])
        self.assertEqual(self.complete("liaison", "completion", "f"), ["fish"])
        for command in table():
            offered = self.complete("liaison", command["name"], "-")
            self.assertEqual(sorted(offered), sorted(n for o in command["options"] if not o["argument"] for n in o["names"]))

    def test_other_shells_read_theirs(self):
        for shell, check in (("zsh", ["zsh", "-n"]), ("fish", ["fish", "--no-execute"])):
            code, out, err = run("completion", shell)
            self.assertEqual((code, err), (0, ""))
            for command in table():
                self.assertIn(command["name"], out)
            if shutil.which(shell):
                self.write(out, "it")
                self.assertEqual(subprocess.run([*check, self.folder / "it"], capture_output=True, text=True).stderr, "")
        code, out, err = run("completion", "tcsh")
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, "SHELL: error: `tcsh` is none of bash, zsh, fish [L0514]\n   hint: liaison completion SHELL [OPTIONS]\n")

    @unittest.skipUnless(shutil.which("man"), "no man")
    def test_the_manual_page(self):
        code, out, err = run("man")
        self.assertEqual((code, err), (0, ""))
        self.write(out, "liaison.1")
        done = subprocess.run(["man", "-l", "--warnings", "-P", "cat", self.folder / "liaison.1"], capture_output=True, text=True,
                              env={**os.environ, "MANWIDTH": "90", "LC_ALL": "C.UTF-8"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        shown = re.sub(".\b", "", done.stdout)
        for command in table():
            for option in command["options"]:
                self.assertIn(option["names"][-1], shown)
            for example in command["examples"]:
                self.assertIn(" ".join(example["line"].split()), " ".join(shown.split()))
        if shutil.which("mandoc"):
            told = subprocess.run(["mandoc", "-Tlint", "-Wwarning", self.folder / "liaison.1"], capture_output=True, text=True)
            self.assertEqual([line for line in told.stdout.splitlines() if "missing date" not in line], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
