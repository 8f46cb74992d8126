#!/usr/bin/env python3
"""Every claim of every model passes: all are decided once and kept, then each model is a test of its own.

usage: test_claims.py PROGRAM VERDICTS       decide the claims of all models
       test_claims.py --of MODEL VERDICTS    those of one model pass
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def has_claims(model):
    return any(line.startswith(("claim", "misprint")) for line in (ROOT / model).read_text(encoding="utf-8").splitlines())


def decide(program, verdicts):
    verdicts.unlink(missing_ok=True)
    done = subprocess.run([program, "check", "--json", "models"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"exit code {done.returncode}: {done.stderr}")
    claims = json.loads(done.stdout)["claims"]
    verdicts.write_text(done.stdout, encoding="utf-8")
    failed = sum(not claim["passed"] for claim in claims)
    print(f"{len(claims)} claims, {failed} did not pass")
    if (failed > 0) != (done.returncode == 1):
        sys.exit(f"exit code {done.returncode} with {failed} claims that did not pass: {done.stderr}")


def judge(model, verdicts):
    claims = [claim for claim in json.loads(verdicts.read_text(encoding="utf-8"))["claims"] if claim["model"] == model]
    if has_claims(model) and not claims:
        sys.exit("none of its claims was decided")
    wrong = [f"{claim['text']}: {claim['how']}" for claim in claims if not claim["passed"]]
    print(f"{len(claims)} claims")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    if sys.argv[1] == "--of":
        judge(sys.argv[2], pathlib.Path(sys.argv[3]))
    else:
        decide(sys.argv[1], pathlib.Path(sys.argv[2]))
