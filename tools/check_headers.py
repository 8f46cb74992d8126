#!/usr/bin/env python3
"""Each public header compiles alone, and twice: by the compiler of the build, without code.

The standard headers cost far more than ours and are read once, for all: a precompiled header holds every one that a
public header includes. What that would hide, a standard name without its header, is looked for in the text.

One run of the compiler looks at several headers, each of which includes all of ours that stand before it: what it sees there
it sees alone too, for its own text stands behind its includes.
"""

import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PUBLIC = ROOT / "include"

# The header of each name of namespace std that a public header may use; ANY: every header of the standard has it.
ANY = ""
HEADER_OF = {
    "array": "array", "atomic": "atomic", "bitset": "bitset", "byte": "cstddef", "complex": "complex", "condition_variable_any": "condition_variable", "deque": "deque", "function": "functional",
    "hash": ANY, "initializer_list": ANY, "int32_t": "cstdint", "int64_t": "cstdint", "map": "map",
    "exception_ptr": "exception", "filesystem": "filesystem", "memory_order_acquire": "atomic", "memory_order_relaxed": "atomic", "move": ANY, "mutex": "mutex", "nullopt": "optional", "optional": "optional", "out_of_range": "stdexcept", "pair": ANY, "recursive_mutex": "mutex",
    "pmr": "memory_resource", "runtime_error": "stdexcept", "set": "set", "shared_ptr": "memory", "size_t": ANY, "span": "span",
    "stop_callback": "stop_token", "stop_token": "stop_token", "string": "string", "string_view": "string_view", "thread": "thread",
    "strong_ordering": "compare", "uint32_t": "cstdint", "uint64_t": "cstdint", "uint8_t": "cstdint", "unique_lock": "mutex", "unique_ptr": "memory",
    "unordered_map": "unordered_map", "variant": "variant", "vector": "vector",
}
INCLUDE = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.MULTILINE)


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


def reached_from(header: pathlib.Path, seen: set[pathlib.Path]) -> set[str]:
    """The headers of others that it includes, itself or through ours."""
    if header in seen or not header.exists():
        return set()
    seen.add(header)
    result: set[str] = set()
    for bracket, name in INCLUDE.findall(header.read_text()):
        result |= {name} if bracket == "<" else reached_from(PUBLIC / name, seen)
    return result


def names_without_header(header: pathlib.Path) -> list[str]:
    name = header.relative_to(PUBLIC).as_posix()
    reached = reached_from(header, set())
    problems = []
    code = re.sub(r"//.*", "", header.read_text())
    for word in sorted(set(re.findall(r"\bstd::(\w+)", code))):
        if word not in HEADER_OF:
            problems.append(f"{name} uses std::{word}, which HEADER_OF in tools/check_headers.py does not know")
        elif not (HEADER_OF[word] in reached if HEADER_OF[word] else reached):
            problems.append(f"{name} uses std::{word} without <{HEADER_OF[word] or 'utility'}>")
    return problems


def precompile(headers: list[pathlib.Path], flags: list[str], folder: pathlib.Path) -> pathlib.Path:
    """Every header of others that a public one includes, compiled once."""
    names = sorted(set().union(*(reached_from(header, set()) for header in headers)))
    standard = folder / "standard.hpp"
    standard.write_text("".join(f"#include <{name}>\n" for name in names))
    subprocess.run([*flags, "-O0", "-x", "c++-header", str(standard), "-o", f"{standard}.gch"], cwd=ROOT, check=True)
    return standard


def late_includes(header: pathlib.Path) -> list[str]:
    """What stands in front of an include of ours would see less alone than behind other headers."""
    has_begun = False
    for line in re.sub(r"//.*", "", header.read_text()).splitlines():
        if INCLUDE.match(line) and has_begun:
            return [f"{header.relative_to(PUBLIC).as_posix()} includes behind its text"]
        has_begun = has_begun or (line.strip() != "" and not line.startswith("#"))
    return []


def chains(headers: list[pathlib.Path]) -> list[list[pathlib.Path]]:
    """All headers in lists in which each includes those before it and what these include."""
    @functools.cache
    def reached(header: pathlib.Path) -> frozenset[pathlib.Path]:
        ours = [PUBLIC / name for bracket, name in INCLUDE.findall(header.read_text()) if bracket == '"']
        return frozenset(ours).union(*map(reached, ours))

    left, result = set(headers), []
    for header in sorted(headers, key=lambda header: (-len(reached(header)), header)):
        if header not in left:
            continue

        @functools.cache
        def longest(last: pathlib.Path) -> tuple[pathlib.Path, ...]:
            return (*max(map(longest, sorted(reached(last) & left)), key=len, default=()), last)

        result.append(list(longest(header)))
        left -= set(result[-1])
    return result


def compile_alone(chain: list[pathlib.Path], flags: list[str], standard: pathlib.Path) -> list[str]:
    names = [header.relative_to(PUBLIC).as_posix() for header in chain]
    stub = standard.parent / f"{names[-1].replace('/', '_')}_{len(names)}.cpp"
    stub.write_text("".join(f'#include "{name}"\n' for name in names * 2))
    done = subprocess.run([*flags, "-O0", "-include", str(standard), "-fsyntax-only", str(stub)], cwd=ROOT, capture_output=True,
                          text=True)
    if done.returncode == 0:
        return []
    if len(chain) == 1:
        return [f"{names[0]} does not compile alone:\n{done.stderr}"]
    alone = [problem for header in chain for problem in compile_alone([header], flags, standard)]
    return alone or [f"{', '.join(names)} do not compile in this order:\n{done.stderr}"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path, help="a configured build folder")
    build = parser.parse_args().build
    flags = list(flags_by_layer(build).values())[-1]
    headers = sorted(PUBLIC.rglob("*.hpp"))
    problems = [problem for header in headers for problem in names_without_header(header) + late_includes(header)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        standard = precompile(headers, flags, pathlib.Path(folder))
        for found in pool.map(lambda chain: compile_alone(chain, flags, standard), chains(headers)):
            problems += found
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(headers)} public headers, {len(problems)} do not compile alone")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
