#!/usr/bin/env python3
"""A program that is wrong on purpose: `run.py --program mutant.py` must count it so.

It answers LIAISON_MUTANT, or "proved", to everything; "by spelling" it answers what the letters of the text say."""

import hashlib
import json
import os
import re
import sys

STATUS = os.environ.get("LIAISON_MUTANT", "proved")


def claims(model):
    return [match[1] for match in re.finditer(r"^claim (.*)", model, re.MULTILINE)]


def status(text):
    if STATUS != "by spelling":
        return STATUS
    return ("proved", "refuted")[hashlib.sha256(text.encode()).digest()[0] % 2]


def check(path):
    with open(path, encoding="utf-8") as file:
        model = file.read()
    answers = [(text, status(model + text)) for text in claims(model)]
    print(json.dumps({"schema": 1, "claims": [{"text": text, "status": answer, "how": answer} for text, answer in answers]}))


def main():
    command, argument = sys.argv[1:3]
    if command == "zero":
        print(f"{argument} = 0: {status(argument)}")
    elif command == "simplify":
        print(f"given      {argument}\ncanonical  {argument} + 1\nreadable   {argument} + 1")
    else:
        check(argument)


if __name__ == "__main__":
    main()
