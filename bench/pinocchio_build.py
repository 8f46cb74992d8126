"""Compiles the benchmark program of Pinocchio against the headers of its Python package, once."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = [ROOT / "bench" / name for name in ("peers/pinocchio_bench.cpp", "timing.hpp", "worker.hpp")]
FLAGS = ["-std=c++20", "-O3", "-march=native", "-DNDEBUG", "-w"]
BOOST = ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]  # its list of joints is longer than Boost's


def build(folder):
    found = list(folder.glob("venv/lib/python3*/site-packages/cmeel.prefix/include/pinocchio"))
    program = folder / "bin/pinocchio_bench"
    if not found or (program.exists() and all(program.stat().st_mtime > s.stat().st_mtime for s in SOURCES)):
        return
    print("compiling bench/peers/pinocchio_bench.cpp, a minute or two", flush=True)
    folders = ["-I", str(ROOT / "bench"), "-isystem", str(found[0].parent), "-isystem", "/usr/include/eigen3"]
    made = subprocess.run(["c++", *FLAGS, *BOOST, *folders, str(SOURCES[0]), "-o", str(program)], check=False)
    if made.returncode != 0:
        print("Pinocchio's program could not be compiled")
