#!/usr/bin/env python3
"""A witness is a state: `eval --at` takes every one that `check` prints, as it is printed.

usage: test_witnesses.py PROGRAM [VERDICTS.json [SAID]]      what `check --json` has said of models before, and in the folder SAID of
                                                              those of tests/verdicts, if it was this program
"""

import json
import pathlib
import re
import sys
import unittest

from program import PROGRAM, ROOT, InFolder, run

FUNCTION_VALUE = re.compile(r"(?:^|, )\w+'*\([^=]*\) = ")
VERDICTS = ROOT / "tests" / "verdicts"
KNOWN = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].endswith(".json") else None
SAID = pathlib.Path(sys.argv.pop(1)) if KNOWN and len(sys.argv) > 1 else None


def has_witnesses(model):
    """Claims of models pass: only what they call wrong is refuted. Of the others the verdicts are known."""
    if model.parent == VERDICTS:
        expected = json.loads((VERDICTS / "expected.json").read_text(encoding="utf-8"))[model.name]
        return any("refuted" in allowed for allowed in expected.values())
    return re.search(r"\bmisprint\b|\bfalse\b", model.read_text(encoding="utf-8")) is not None


MODELS = [path for folder in (ROOT / "models", VERDICTS) for path in sorted(folder.rglob("*.lia")) if has_witnesses(path)]


def claims_of(model, cwd):
    if KNOWN and ROOT / "models" in pathlib.Path(model).parents:
        name = str(model.relative_to(ROOT))
        return [claim for claim in json.loads(KNOWN.read_text(encoding="utf-8"))["claims"] if claim["model"] == name]
    if SAID and pathlib.Path(model).parent == VERDICTS:
        said = SAID / f"{model.name}.json"
        if said.exists() and said.stat().st_mtime > max(pathlib.Path(PROGRAM).stat().st_mtime, model.stat().st_mtime):
            return json.loads(said.read_text(encoding="utf-8"))["claims"]
    code, out, err = run("check", str(model), "--json", cwd=cwd)
    if code not in (0, 1):
        raise AssertionError(f"{model}: exit code {code}: {err}")
    return json.loads(out)["claims"]


def witnesses(model, cwd=ROOT):
    """(text of a claim, its witness as printed, names in it)"""
    for claim in claims_of(model, cwd):
        if claim["witness"] is not None:
            values = re.search(r"refuted at (.*): \S+ is not \S+$", claim["how"])
            where = values or re.search(r"refuted at (.*?)(?: \(.*\))?$", claim["how"])  # a lost rank has no two sides
            yield claim["text"], where[1], claim["witness"]["state"]


class Witnesses(unittest.TestCase):
    def test_every_witness_is_a_state_to_eval(self):
        seen = computed = unknown_functions = 0
        for model in MODELS:
            for text, at, _ in witnesses(model):
                with self.subTest(model=str(model.relative_to(ROOT)), claim=text, at=at):
                    code, out, err = run("eval", str(model), "--at", at, "--json")
                    seen += 1
                    if FUNCTION_VALUE.search(at):
                        self.assertEqual(code, 2)
                        self.assertIn("of a function cannot be given", err)
                        unknown_functions += 1
                    elif "intrinsic chart" in err:  # a state that the chart of the model does not cover
                        self.assertEqual(code, 2)
                    elif code == 3:  # a state, and nothing moves there that could be computed
                        self.assertRegex(err, "no motion at this state|an unknown function has no value|mass matrix is singular"
                             "|the relation of `.*` has no value at this state|is too large for a double|is closed at this state")
                        unknown_functions += "unknown function" in err
                    else:
                        self.assertEqual((code, err), (0, ""))
                        self.assertTrue(json.loads(out)["acceleration"])
                        computed += 1
        self.assertGreater(seen, 100)
        self.assertGreater(computed, 0.9 * (seen - unknown_functions))


class Names(InFolder):
    MODEL = ("param m > 0, k, unused\ncoord x, y, z\nrotation (p, q, r) in body\n"
             "kinetic m/2*(x'^2 + y'^2 + z'^2) + p^2 + q^2 + r^2\nforce y = -k*y\nconstraint c: x' - z' = 0\n")

    def test_a_witness_names_the_whole_state_and_no_more(self):
        self.write(self.MODEL + "claim x == 0\nclaim y'' == 0\nclaim lambda(c) == 1\n")
        for text, _, state in witnesses("m.lia", self.folder):
            self.assertEqual(list(state), ["x", "y", "z", "rot1_e0", "rot1_e1", "rot1_e2", "rot1_e3", "x'", "y'", "z'", "p",
                                           "q", "r", "m", "k", "unused"], text)

    def test_parameters_may_be_given_with_the_state(self):
        self.write(self.MODEL)
        code, out, err = self.run_in("eval", "m.lia", "--at", "y = k/2, m = 1/3, k = 3, unused = 0", "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertAlmostEqual(json.loads(out)["acceleration"]["y"], -13.5)

    def test_what_is_no_state_is_refused(self):
        self.write("function f(s)\n" + self.MODEL)
        for at, message in (("f(x) = 2", "the value `f(x)` of a function cannot be given"),
                            ("lambda(c) = 2", "the value `lambda(c)` of a function cannot be given"),
                            ("x'' = 2", "`x''` is derived, not given"),
                            ("m = -1", "`m` is declared positive, and this is not")):
            code, out, err = self.run_in("eval", "m.lia", "--at", at)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(message, err)
        code, _, err = self.run_in("eval", "m.lia", "--set", "m = 1", "--at", "m = 2")
        self.assertEqual(code, 2)
        self.assertIn("`m` is given twice", err)


if __name__ == "__main__":
    unittest.main()
