#!/usr/bin/env python3
"""Models made for trouble, and the right verdict on each of their claims: expected.json lists what may be answered.

usage: test_verdicts.py PROGRAM [--every N] [--said FOLDER]    only each Nth model; what `check --json` says goes into FOLDER
"""

import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
EVERY = int(sys.argv[sys.argv.index("--every") + 1]) if "--every" in sys.argv else 1
SAID = pathlib.Path(sys.argv[sys.argv.index("--said") + 1]) if "--said" in sys.argv else None
LIMIT = 120  # seconds a model may take
PASSES = ("proved", "checked")


@functools.cache
def verdicts(model):
    """{name of a claim: its JSON object}"""
    done = subprocess.run([PROGRAM, "check", str(FOLDER / model), "--json"], capture_output=True, text=True, encoding="utf-8",
                          timeout=LIMIT)
    if done.returncode not in (0, 1):
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
    if SAID and (FOLDER / model).parent == FOLDER:
        SAID.mkdir(parents=True, exist_ok=True)
        (SAID / f"{model}.json").write_text(done.stdout, encoding="utf-8")
    return {claim["name"]: claim for claim in json.loads(done.stdout)["claims"]}


class Verdicts(unittest.TestCase):
    def judge(self, model, expected):
        found = verdicts(model)
        self.assertEqual(sorted(found), sorted(expected), "every claim has its row")
        for name, allowed in expected.items():
            with self.subTest(model=model, claim=name):
                claim = found[name]
                self.assertIn(claim["status"], allowed, f"{claim['text']}: {claim['how']}")

    def test_conditions_are_shown(self):
        claim = verdicts("integrable_unless_zero.lia")["helped"]
        self.assertEqual(claim["conditions"], ["k != 0"], claim["how"])

    def test_every_model_has_its_rows(self):
        self.assertEqual(sorted(path.name for path in FOLDER.glob("*.lia")), sorted(EXPECTED))

    def test_conditions_of_a_proof_are_told(self):
        for model, rows in CONDITIONS.items():
            found = verdicts(model)
            for name, condition in rows.items():
                with self.subTest(model=model, claim=name):
                    self.assertIn(condition, found[name]["how"])

    def test_equations_that_are_too_few_are_refuted_at_a_state(self):
        for name in ("few", "twice"):
            state = verdicts("accelerations_left_open.lia")[name]["witness"]["state"]
            self.assertEqual(sorted(state), ["x", "x'", "y", "y'", "z", "z'"])
        free = verdicts("equations.lia")["too_few"]["witness"]["state"]
        self.assertEqual(sorted(free), ["k", "m", "x", "x'", "y", "y'"])

    def test_a_witness_in_time_has_short_parameters(self):
        self.assertIn("refuted at m = 1, s = 3/10, g = 981/100, t = 7/10, phi = ", verdicts("after_a_while.lia")["quarter"]["how"])

    def test_the_nearest_other_state_is_told(self):
        for name in ("near", "other"):
            self.assertIn("x = 0.523599 was chosen on `wave`: 2.61799 is possible too", verdicts("nearest_other_state.lia")[name]["how"])

    def test_a_choice_is_told(self):
        self.assertIn("0.6 was chosen", verdicts("branch_of_a_circle.lia")["right"]["how"])

    def test_a_witness_with_tiny_values_is_taken_as_printed(self):
        model = "tiny_value_of_a_witness.lia"
        for name, claim in verdicts(model).items():
            point = re.search(r"refuted at (.*?): ", claim["how"])[1]
            done = subprocess.run([PROGRAM, "eval", str(FOLDER / model), "--at", point], capture_output=True, text=True,
                                  encoding="utf-8", timeout=LIMIT)
            self.assertEqual(done.returncode, 0, f"{name} at {point}: {done.stderr}")
            self.assertNotIn("y = 0,", point)

    def test_a_number_in_front_of_the_relations_changes_nothing(self):
        for model in (model for model in SCALED if model in JUDGED):
            text = (FOLDER / model).read_text(encoding="utf-8")
            for number in ("3", "1e9", "1e-9"):
                scaled = re.sub(r"^(constraint \w+: )(.*) = (.*)$", rf"\g<1>{number}*(\2) = {number}*(\3)", text, flags=re.M)
                self.assertNotEqual(text, scaled)
                with self.subTest(model=model, number=number), tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder) / model
                    path.write_text(scaled, encoding="utf-8")
                    found = {name: claim["status"] for name, claim in verdicts(path).items()}
                    self.assertEqual(found, {name: claim["status"] for name, claim in verdicts(model).items()})

    def test_a_claim_and_its_negation_never_both_pass(self):
        for model in JUDGED:
            passed = {claim["text"] for claim in verdicts(model).values() if claim["status"] in PASSES}
            for text in passed:
                self.assertNotIn(f"{text} == false", passed, model)


def test_of(model, expected):
    return lambda self: self.judge(model, expected)


# what a proof divides by, which may vanish at states
CONDITIONS = {"masses_that_vanish.lia": {"straight": "k != 0", "momentum": "k != 0", "both": "k != 0", "turning": "r != 0",
                                         "regular": "k != 0"},
              "mass_of_a_parameter.lia": {"regular": "k != 0"},
              "sign_of_a_place.lia": {"held": "y != 0", "regular": "y != 0", "alone": "y != 0"},
              "closed_contact.lia": {"above": "y != 0"},
              "growth_of_lost_relations.lia": {"plane": "k != 0"}, "growth_by_a_length.lia": {"steered": "l != 0"},
              "growth_of_a_function.lia": {"turned": "f'(z) != 0"},
              "growth_with_a_time_of_a_parameter.lia": {"growing": "k != 0", "flag": "k != 0"},
              "growth_with_a_size.lia": {"growing": "1 - abs(k) != 0"}, "growth_with_a_drive.lia": {"growing": "k != 0"},
              "growth_with_an_input.lia": {"growing": "u(t) != 0"}, "measure_with_a_time_of_a_parameter.lia": {"kept": "k != 0"}}
SCALED = ("coinciding_surfaces.lia", "equal_sines.lia", "irrational_corner.lia", "lost_on_a_side_of_a_parameter.lia")
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
JUDGED = sorted(EXPECTED)[::EVERY]
for file, rows in ((file, EXPECTED[file]) for file in JUDGED):
    setattr(Verdicts, f"test_{pathlib.Path(file).stem}", test_of(file, rows))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
