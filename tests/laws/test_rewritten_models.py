#!/usr/bin/env python3
"""Verdicts do not depend on how a model is written: every model of tests/verdicts, written in other ways, gets the same ones.

Relations are multiplied by numbers, symbols get other names (also in the opposite alphabetical order), statements and coordinates stand in
the opposite order, coordinates are measured in other units.

usage: test_rewritten_models.py PROGRAM [--every N] [--only MODEL]    only each Nth case, only cases of a model
       test_rewritten_models.py --mutants                             programs that look at the writing must be caught
"""

import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "verdicts"
LIMIT = 240  # seconds a model may take
WORKERS = 2
FACTORS = ("1e9", "-3", "1e-9")
UNITS = ("1000", "1/1000")
NAME = r"(?<![\w'.])({})('*)(?![\w'])"  # not the part of a point or a body


def statements(text):
    """One a line, without comments; an open `{` and an indented line continue the statement before."""
    found = []
    for line in text.split("\n"):
        line = line.split("#")[0].rstrip() if '"' not in line else line.rstrip()
        if not line:
            continue
        if found and (line[0].isspace() or found[-1].count("{") > found[-1].count("}")):
            found[-1] += "; " + line.strip() if found[-1].count("{") > found[-1].count("}") and line.strip() != "}" and not found[-1].endswith("{") \
                else " " + line.strip()
        else:
            found.append(line)
    return found


def listed(statement):
    """The entries behind the keyword, apart at commas outside of brackets."""
    parts, depth = [""], 0
    for letter in statement.split(" ", 1)[1]:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def declared(lines, keyword):
    """Names that statements of this keyword declare."""
    return [re.match(r"[^\W\d]\w*", entry)[0] for line in lines if line.startswith(f"{keyword} ") for entry in listed(line)]


def scaled(factor):
    def rewrite(lines):
        pattern = re.compile(r"^(constraint \w+: )(.*?) = (.*?)((?:\s+(?:by|power|along) .*)?)$")
        if not any(line.startswith("constraint ") for line in lines):
            return None
        return [pattern.sub(rf"\g<1>{factor}*(\2) = {factor}*(\3)\4", line) for line in lines]
    return rewrite


def symbols(lines):
    found = declared(lines, "param") + declared(lines, "coord")
    for line in lines:
        if match := re.match(r"(?:let|rheonomic|function|output) ([^\W\d]\w*)", line):
            found.append(match[1])
        if match := re.match(r"(?:velocity|intrinsic) (.*?):", line):
            found += [name.strip() for name in match[1].split(",")]
        if match := re.match(r"rotation (?:\w+ )?\((.*?)\)", line):
            found += [name.strip() for name in match[1].split(",")]
        if match := re.match(r"(?:constraint|unilateral|reaction|contact) (\w+):", line):
            found.append(match[1])
    return list(dict.fromkeys(found))


def renamed(backwards):
    def rewrite(lines):
        names = sorted(symbols(lines), reverse=backwards)
        new = {name: f"{'q' if k % 2 else 'Q'}{chr(97 + k % 26)}_{k}" for k, name in enumerate(names)} if not backwards else \
            {name: f"b{chr(97 + k // 26)}{chr(97 + k % 26)}" for k, name in enumerate(names)}

        def name_of(match):
            head = re.match(r"([dw]_?)(\w+)$", match[1])
            return new.get(match[1], match[1]) + match[2] if match[1] in new or not head else match[0]

        def rewritten(line):
            if match := re.match(r"(claim|misprint) (\w+):(.*)", line):
                return f"{match[1]} {match[2]}:" + re.sub(NAME.format(r"[^\W\d]\w*"), name_of, match[3])
            if line.startswith("system"):
                return line
            return re.sub(NAME.format(r"[^\W\d]\w*"), name_of, line)
        return [rewritten(line) for line in lines]
    return rewrite


def reversed_order(lines):
    groups = collections.defaultdict(list)
    for k, line in enumerate(lines):
        keyword = line.split(" ")[0]
        if keyword in ("constraint", "claim", "misprint", "unilateral", "force", "potential", "kinetic"):
            groups["claim" if keyword == "misprint" else keyword].append(k)
    found = list(lines)
    for places in groups.values():
        for place, other in zip(places, reversed(places)):
            found[place] = lines[other]
    return [f"{line.split(' ')[0]} " + ", ".join(reversed(listed(line))) if line.startswith(("coord ", "param ")) else line for line in found]


def in_units(factor):
    """Each coordinate x is x/factor: what it was in other units."""
    def rewrite(lines):
        if any(line.startswith(("velocity", "intrinsic", "rotation", "body", "unilateral", "contact", "start", "for", "rheonomic")) or "[" in line
               or "omega" in line or re.search(r"\b(along|after|free|dir|drive)\b", line) for line in lines):
            return None
        coordinates = declared(lines, "coord")
        pattern = re.compile(NAME.format("|".join(coordinates)))

        def put_in(text):
            return pattern.sub(rf"(\1\2/({factor}))", text)

        def rewritten(line):
            if line.startswith(("coord ", "param ", "system ", "function ")):
                return line
            if match := re.match(r"force (\w+) = (.*)", line):
                return f"force {match[1]} = ({put_in(match[2])})/({factor})"
            head, body = re.match(r"((?:claim|misprint|constraint) (?:\w+:)?|\w+ )(.*)", line).groups()
            if match := re.match(r"(.*) at \((.*)\)(.*)", body):
                values = [entry.split("=") for entry in listed("at " + match[2])]
                at = ", ".join(f"{name.strip()} = ({value.strip()})*({factor})" if name.strip().rstrip("'") in coordinates
                               else f"{name.strip()} = {value.strip()}" for name, value in values)
                return f"{head}{put_in(match[1])} at ({at}){match[3]}"
            return head + put_in(body)
        return [rewritten(line) for line in lines]
    return rewrite


WAYS = {**{f"times {factor}": scaled(factor) for factor in FACTORS}, "other names": renamed(False), "names backwards": renamed(True),
        "other order": reversed_order, **{f"units of {factor}": in_units(factor) for factor in UNITS}}
NOT_SCALED = re.compile(r"\b(?:lambda|drive|drive_force|r|det_r|dir|omega_r)\b")  # what a number in front of a relation changes


@functools.cache
def verdicts(program, text):
    """{name of a claim: (status, how)}, or a line about a failure"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.lia"
        (path.parent / "parts").symlink_to(FOLDER / "parts")
        path.write_text(text, encoding="utf-8")
        try:
            done = subprocess.run([*program, "check", str(path), "--json"], capture_output=True, text=True, encoding="utf-8", timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return f"no answer within {LIMIT} s"
    if done.returncode not in (0, 1):
        return f"exit code {done.returncode}: {done.stderr}"
    return {claim["name"]: (claim["status"], claim["how"]) for claim in json.loads(done.stdout)["claims"]}


def differences(program, model, way):
    """What is wrong with the model written this way: [line]; None where it cannot be written so."""
    lines = statements((FOLDER / model).read_text(encoding="utf-8"))
    other = WAYS[way](lines)
    if other is None:
        return None
    before, after = verdicts(program, "\n".join(lines) + "\n"), verdicts(program, "\n".join(other) + "\n")
    for answer in (before, after):
        if isinstance(answer, str):
            return [f"{model}, {way}: {answer}\n" + "\n".join(other)]
    if set(before) != set(after):
        return [f"{model}, {way}: other claims: {sorted(set(before) ^ set(after))}"]
    texts = {match[1]: line for line in lines if (match := re.match(r"(?:claim|misprint) (\w+):", line))}
    return [f"{model}, {way}: {name} was {status[0]}, is {after[name][0]}\n    {status[1]}\n    {after[name][1]}"
            for name, status in before.items() if status[0] != after[name][0]
            and not (way.startswith("times") and NOT_SCALED.search(texts.get(name, "")))]


def cases(only, every=1):
    """Which of them are taken depends on each one's name alone, so that a new model does not move the others."""
    models = sorted(json.loads((FOLDER / "expected.json").read_text(encoding="utf-8")))
    return [(model, way) for way in WAYS for model in models if only in (None, model) and zlib.crc32(f"{way} {model}".encode()) % every == 0]


# Programs that look at the writing, each with the ways that must catch it: what they answer on a text.
MUTANTS = {
    "the size of numbers": (lambda lines: any("1e9*" in line or "1e-9*" in line for line in lines), ("times 1e9", "times 1e-9")),
    "a sign in front": (lambda lines: any("-3*(" in line for line in lines), ("times -3",)),
    "the length of names": (lambda lines: all(len(name) == 1 for name in symbols(lines)), ("other names",)),
    "the first name in the alphabet": (lambda lines: min(symbols(lines)) == symbols(lines)[0], ("names backwards",)),
    "the last statement": (lambda lines: len(lines[-1]) % 2 == 0, ("other order",)),
    "a large length": (lambda lines: any("/(1000)" in line or "/(1/1000)" in line for line in lines), ("units of 1000", "units of 1/1000")),
}


def answer_as(mutant, path):
    lines = statements(pathlib.Path(path).read_text(encoding="utf-8"))
    status = "proved" if MUTANTS[mutant][0](lines) else "refuted"
    names = [match[1] for line in lines if (match := re.match(r"(?:claim|misprint) (\w+):", line))]
    print(json.dumps({"claims": [{"name": name, "status": status, "how": mutant} for name in names]}))


def judge_mutants():
    """A mutant that no way catches: a failure."""
    failed = 0
    for mutant, (_, ways) in MUTANTS.items():
        program = (sys.executable, str(pathlib.Path(__file__).resolve()), "--answer-as", mutant)
        for way in ways:
            caught = any(differences(program, model, way) for model, other in cases(None, 9) if other == way)
            print(f"{mutant}: {'caught' if caught else 'NOT caught'} by {way}")
            failed += not caught
    sys.exit(1 if failed else 0)


def main():
    if "--mutants" in sys.argv:
        judge_mutants()
    if "--answer-as" in sys.argv:
        return answer_as(sys.argv[2], sys.argv[4])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only")
    options = parser.parse_args()
    program = (os.path.abspath(options.program),)
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        found = list(pool.map(lambda case: differences(program, *case), cases(options.only, options.every)))
    asked = [lines for lines in found if lines is not None]
    wrong = [line for lines in asked for line in lines]
    print("\n".join(wrong))
    print(f"{len(asked)} models written otherwise, {len(wrong)} verdicts changed")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
