#!/usr/bin/env python3
"""A program that is wrong on purpose: `run.py --program mutant.py` must count it so.

It answers LIAISON_MUTANT, or "proved", to everything."""

import json
import os
import re
import sys

STATUS = os.environ.get("LIAISON_MUTANT", "proved")


def claims(path):
    with open(path, encoding="utf-8") as file:
        return [match[1] for match in re.finditer(r"^claim (.*)", file.read(), re.MULTILINE)]


def main():
    command, argument = sys.argv[1:3]
    if command == "zero":
        print(f"{argument} = 0: {STATUS}")
    elif command == "simplify":
        print(f"given      {argument}\ncanonical  {argument} + 1\nreadable   {argument} + 1")
    else:
        print(json.dumps({"schema": 1, "claims": [{"text": text, "status": STATUS, "how": STATUS} for text in claims(argument)]}))


if __name__ == "__main__":
    main()
