#!/usr/bin/env python3
"""Asks the built program random questions of known truth, and counts wrong answers.

usage: run.py --program PATH [--seed N] [--count N] [--class NAME] [--only K] [--json OUT]

The truth of a question comes from how it is made and from mpmath; nothing is shared with the program. A class is asked `count` times.
Question k of a class depends on the seed, the class and k alone: `--class NAME --only K` asks it again.
"""

import argparse
import collections
import json
import multiprocessing
import os
import random
import signal
import sys
import traceback

try:
    import families
except ModuleNotFoundError as missing:
    sys.exit(f"{sys.executable} has no module `{missing.name}`: the judge needs mpmath and SymPy "
             "(on Debian: apt-get install python3-mpmath python3-sympy)")

WORKERS = 2
JUDGE_LIMIT = 120  # seconds of the processor for the judgement of a question


def give_up(*_):
    raise TimeoutError("the judge took too long")


def ask(job):
    """One question: (class, k, [(outcome, why, text)])."""
    kind, k, seed, path = job
    rng = random.Random(f"{seed}/{kind}/{k}")
    signal.setitimer(signal.ITIMER_PROF, JUDGE_LIMIT)
    try:
        return kind, k, families.ask(kind, rng, path)
    except Exception:  # a fault of the judge is a result like another: it must be seen
        return kind, k, [("judge failed", traceback.format_exc(), "")]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def tally(results):
    counts = collections.defaultdict(collections.Counter)
    wrong = []
    for kind, k, outcomes in results:
        for outcome, why, text in outcomes:
            counts[kind][outcome] += 1
            if outcome.startswith("wrong") or outcome == "judge failed":
                wrong.append({"class": kind, "k": k, "outcome": outcome, "why": why, "text": text})
    return counts, wrong


def column(counter, name):
    return sum(count for outcome, count in counter.items() if outcome.startswith(name))


def table(counts):
    print(f"{'class':34}{'asked':>8}{'right':>8}{'unknown':>9}{'refused':>9}{'timeout':>9}{'wrong':>8}")
    total = collections.Counter()
    for kind, counter in [*sorted(counts.items()), ("all", total)]:
        cells = [sum(counter.values())] + [column(counter, name) for name in ("right", "unknown", "refused", "timeout", "wrong")]
        print(f"{kind:34}{cells[0]:8}{cells[1]:8}{cells[2]:9}{cells[3]:9}{cells[4]:9}{cells[5]:8}")
        if kind != "all":
            total.update(counter)
    for outcome, count in sorted(total.items()):
        print(f"  {outcome:40}{count:8}")
    return total


def report(wrong, seed):
    for one in wrong:
        print(f"\n{one['outcome']} (--seed {seed} --class '{one['class']}' --only {one['k']})\n  {one['text']}\n  {one['why']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100, help="questions of each class")
    parser.add_argument("--class", dest="kind", help="classes whose name begins so")
    parser.add_argument("--only", type=int, help="the question of this number")
    parser.add_argument("--json", help="a file for the outcomes")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    kinds = [kind for kind in families.names() if kind.startswith(options.kind or "")]
    numbers = range(options.count) if options.only is None else [options.only]
    jobs = [(kind, k, options.seed, options.program) for kind in kinds for k in numbers]
    with multiprocessing.Pool(WORKERS, signal.signal, (signal.SIGPROF, give_up)) as pool:
        counts, wrong = tally(pool.imap_unordered(ask, jobs))
    wrong.sort(key=lambda one: (one["class"], one["k"]))
    total = table(counts)
    report(wrong, options.seed)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"seed": options.seed, "counts": counts, "wrong": wrong}, file, indent=1)
    sys.exit(1 if any(not name.startswith(("right", "unknown", "refused", "timeout")) for name in total) else 0)


if __name__ == "__main__":
    main()
