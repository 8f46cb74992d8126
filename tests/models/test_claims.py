#!/usr/bin/env python3
"""Every claim of every model passes. The verdicts are kept for other tests.

usage: test_claims.py PROGRAM VERDICTS
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def main():
    program, verdicts = sys.argv[1:]
    done = subprocess.run([program, "check", "--json", "models"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"exit code {done.returncode}: {done.stderr}")
    claims = json.loads(done.stdout)["claims"]
    pathlib.Path(verdicts).write_text(done.stdout, encoding="utf-8")
    asked = {claim["model"] for claim in claims}
    wrong = [f"{claim['model']}: {claim['text']}: {claim['how']}" for claim in claims if not claim["passed"]]
    for path in sorted((ROOT / "models").rglob("*.lia")):
        has_claims = any(line.startswith(("claim", "misprint")) for line in path.read_text(encoding="utf-8").splitlines())
        if has_claims and str(path.relative_to(ROOT)) not in asked:
            wrong.append(f"{path.relative_to(ROOT)}: none of its claims was decided")
    print(f"{len(claims)} claims of {len(asked)} models")
    if wrong or done.returncode != 0:
        sys.exit("\n".join(wrong) or done.stderr)


if __name__ == "__main__":
    main()
