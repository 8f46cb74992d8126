#!/usr/bin/env python3
"""Each public header compiles alone, and twice: by the compiler of the build, without precompiled headers and without code."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PUBLIC = ROOT / "include"


def layer_of(source: pathlib.Path, build: pathlib.Path) -> str | None:
    """The layer a source belongs to, or a group of sources that are compiled together: the folder below src."""
    for folder in (ROOT / "src", build.resolve() / "src"):
        if source.is_relative_to(folder):
            return source.relative_to(folder).parts[0]
    return None


def flags_by_layer(build: pathlib.Path) -> dict[str, list[str]]:
    """How the first source of each layer is compiled, less what belongs to that source, to its object or to a precompiled header."""
    result: dict[str, list[str]] = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        layer = layer_of(pathlib.Path(entry["file"]), build)
        if layer is None or layer in result or entry["file"].endswith((".hxx", ".hxx.cxx")):
            continue
        words = shlex.split(entry["command"])
        compiler = next(i for i, word in enumerate(words) if word == entry.get("compiler") or "++" in pathlib.Path(word).name)
        kept, skip = [words[compiler]], False
        for word, following in zip(words[compiler + 1:], words[compiler + 2:] + [""]):
            if skip:
                skip = False
            elif word in ("-o", "-c", "-MF", "-MT", "-MQ") or (word == "-include" and "cmake_pch" in following):
                skip = True
            elif word not in ("-MD", "-Winvalid-pch", "-fpch-preprocess") and not word.startswith("-O"):
                kept.append(word)
        result[layer] = kept
    return result


def compile_alone(header: pathlib.Path, flags: list[str], folder: pathlib.Path) -> str:
    name = header.relative_to(PUBLIC).as_posix()
    stub = folder / (name.replace("/", "_") + ".cpp")
    stub.write_text(f'#include "{name}"\n#include "{name}"\n')
    done = subprocess.run([*flags, "-O0", "-fsyntax-only", str(stub)], cwd=ROOT, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"{name} does not compile alone:\n{done.stderr}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="a configured build folder")
    build = parser.parse_args().build
    flags = flags_by_layer(build)
    last = list(flags)[-1]
    headers = sorted(PUBLIC.rglob("*.hpp"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compile_alone, header, flags.get(header.relative_to(PUBLIC / "liaison").parts[0], flags[last]),
                            pathlib.Path(folder)) for header in headers]
        problems = [job.result() for job in jobs]
    problems = [problem for problem in problems if problem]
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(headers)} public headers, {len(problems)} do not compile alone")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
