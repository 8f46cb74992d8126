"""The multibody benchmarks A01 to A05 of the IFToMM library (models/mbs): error as that library defines it, and processor time.

The time is that of the whole program, from the model file to the rows.
"""

import pathlib
import resource
import subprocess
import tempfile

import mpmath

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOLERANCES = (1e-5, 1e-7, 1e-9)
BEGIN, END = "<!-- mbs: begin -->", "<!-- mbs: end -->"
GOVERNOR = 0.6196229169  # height of the slider after 10 s, by an implicit method of SciPy at 1e-11, and by three of ours at 1e-12
ANDREWS = {"beta": 15.81077119629904, "theta": -15.75637105984298}  # at t = 0.03, the test set of Hairer and Wanner


def pendulum(t):
    """Let go from the horizontal, by Jacobi's elliptic functions."""
    sine = mpmath.sqrt(0.5) * mpmath.ellipfun("cd", mpmath.sqrt(9.81) * t, m=0.5)
    angle = 2 * mpmath.asin(sine)
    return -mpmath.sin(angle), -mpmath.cos(angle)


def error_of_position(columns, rows):
    x, y = columns.index("x"), columns.index("y")
    exact = [(row, pendulum(row[0])) for row in rows]
    return max(float(mpmath.hypot(row[x] - a, row[y] - b)) for row, (a, b) in exact)


def error_of_energy(columns, rows):
    kinetic, potential = columns.index("T"), columns.index("V")
    energies = [row[kinetic] + row[potential] for row in rows]
    return max(abs(energy - energies[0]) for energy in energies)


def error_of_angles(columns, rows):
    return max(abs(rows[-1][columns.index(name)] - value) for name, value in ANDREWS.items())


def error_of_height(columns, rows):
    return abs(rows[-1][columns.index("s")] - GOVERNOR)


# name, model, end, distance of rows, error, its unit, what the library asks for; method
PROBLEMS = (
    ("A01 simple pendulum", "simple_pendulum", 10, 0.1, error_of_position, "m", 1e-5, "dop853"),
    ("A02 four-bar loops, N = 2", "four_bar_loops_2", 10, 0.1, error_of_energy, "J", 0.1, "dop853"),
    ("A02 four-bar loops, N = 40", "four_bar_loops_40", 10, 0.1, error_of_energy, "J", 0.1, "dop853"),
    ("A03 Andrews' mechanism", "andrews_mechanism", 0.03, 0.001, error_of_angles, "rad", None, "dop853"),
    ("A04 Bricard's mechanism", "bricard_mechanism", 10, 0.1, error_of_energy, "J", None, "dop853"),
    ("A05 flyball governor", "flyball_governor", 10, 0.1, error_of_height, "m", None, "dop853"),
    ("A05 flyball governor", "flyball_governor", 10, 0.1, error_of_height, "m", None, "bdf"),
)


def seconds_of(command):
    """Processor time of a run that finishes or meets a singular state; ends this program where it does neither."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"bench/run: {' '.join(map(str, command))}: {done.stderr.strip()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, problem, tolerance, folder, rounds):
    name, model, until, every, error, unit, asked, method = problem
    rows_file = folder / "rows.csv"
    command = [program, "simulate", ROOT / f"models/mbs/{model}.lia", "--tol", f"{tolerance:g}", "--integrator", method, "-o", rows_file]
    whole = [seconds_of([*command, "--until", f"{until}", "--every", f"{every}"]) for _ in range(rounds)]
    lines = rows_file.read_text(encoding="utf-8").splitlines()
    rows = [[float(number) for number in line.split(",")] for line in lines[1:]]
    finished = rows[-1][0] == until
    wrong = error(lines[0].split(","), rows) if finished else None
    return {"problem": name, "tolerance": tolerance, "error": wrong, "end": rows[-1][0], "unit": unit, "asked": asked, "method": method,
            "seconds": min(whole)}


def row(result):
    asked = f"{result['asked']:g} {result['unit']}" if result["asked"] else "–"
    error = f"{result['error']:.1e} {result['unit']}" if result["error"] is not None else f"stops after t = {result['end']:.3g}"
    return (f"| {result['problem']} | {asked} | `{result['method']}` | {result['tolerance']:.0e} | {error} "
            f"| {result['seconds']:.2f} s |")


def section(results, commit):
    head = ("| problem | asked | method | `--tol` | error | time |", "|---|---|---|---|---|---|")
    return "\n".join((BEGIN, *head, *map(row, results), "", f"The least of three times, commit {commit}.", END))


def run(build, quick, commit):
    """Prints the table, and writes it to docs/benchmarks.md after a full run."""
    program = build / "liaison"
    if not program.exists():
        raise SystemExit(f"bench/run: no {program}; ./dev bench builds it")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for problem in PROBLEMS:
            for tolerance in TOLERANCES[:1] if quick else TOLERANCES:
                results.append(measure(program, problem, tolerance, pathlib.Path(folder), 1 if quick else 3))
                print(row(results[-1]), flush=True)
    if not quick:
        page = ROOT / "docs/benchmarks.md"
        text = page.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        page.write_text(before + section(results, commit) + rest.split(END)[1], encoding="utf-8")
    return 0
