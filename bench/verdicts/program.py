"""The program that is asked, and what it answers."""

import json
import os
import re
import resource
import signal
import subprocess
import tempfile
from fractions import Fraction

import mpmath

import evaluate
import expression

LIMIT = 10  # seconds a question, of the processor: a busy machine changes no count
PATIENCE = 20  # times that, on the clock
STATUS = re.compile(r" = 0: (proved|checked|refuted|unknown|empty)(.*)", re.DOTALL)
ASSIGNMENT = re.compile(r"([A-Za-z_][\w']*(?:\([^=]*\))?) = ([^,:]+)(?:, |$)")


class Answer:
    """status: a verdict, or "refused" (exit code 2), "timeout", "crash"; point: the witness as printed, exact."""

    def __init__(self, status, text="", point=None):
        self.status, self.text, self.point = status, text, point or {}


def limit_processor():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))


def run(program, *arguments):
    try:
        done = subprocess.run([program, *arguments], capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE*LIMIT,
                              preexec_fn=limit_processor)
    except subprocess.TimeoutExpired:
        return None, "", ""
    if done.returncode == -signal.SIGXCPU:
        return None, "", ""
    return done.returncode, done.stdout, done.stderr


def number(text):
    """A rational number, or one that is written as an expression (`sqrt(2)`, `pi/2`); None for anything else."""
    try:
        return Fraction(text.strip())
    except ValueError:
        pass
    try:
        with mpmath.workdps(evaluate.MORE_DIGITS):
            return evaluate.value(expression.parse(text), {}).number
    except (expression.ParseError, evaluate.Undefined, evaluate.Undecided):
        return None


def witness(text):
    """The point in `refuted at x = 1/2, y = 3: 1 is not 2`."""
    match = re.search(r"refuted at (.*?): ", text)
    if not match:
        return {}
    found = {name: number(value) for name, value in ASSIGNMENT.findall(match[1])}
    return {name: value for name, value in found.items() if value is not None}


def ask_zero(program, text):
    code, out, err = run(program, "zero", text)
    if code is None:
        return Answer("timeout")
    if code == 2:
        return Answer("refused", err)
    match = STATUS.search(out)
    if code not in (0, 1) or not match:
        return Answer("crash", f"exit code {code}: {out}{err}")
    return Answer(match[1], match[1] + match[2].strip("\n"), witness(out))


def ask_simplify(program, text):
    """[canonical, readable], or an Answer that says why not."""
    code, out, err = run(program, "simplify", text)
    if code is None:
        return Answer("timeout")
    if code == 2:
        return Answer("refused", err)
    lines = dict(line.split(None, 1) for line in out.splitlines() if line.strip())
    if code != 0 or "readable" not in lines:
        return Answer("crash", f"exit code {code}: {out}{err}")
    return [lines[name].partition("   (")[0] for name in ("canonical", "readable")]


def ask_check(program, model):
    """The claims of a model text as JSON objects, in the order of the text, or an Answer that says why not."""
    handle, path = tempfile.mkstemp(suffix=".lia")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(model)
        code, out, err = run(program, "check", path, "--json")
    finally:
        os.unlink(path)
    if code is None:
        return Answer("timeout")
    try:
        return json.loads(out)["claims"]
    except (ValueError, KeyError):
        return Answer("refused" if code == 2 else "crash", f"exit code {code}: {out}{err}")
