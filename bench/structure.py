"""The group "structure": how long `liaison analyze` searches, by the size of what is searched, and Frobenius' condition, Lie derivatives and null
spaces over fields of functions against SymPy, Maxima and Sage.

The searches are timed as the whole program, from the model file to the answer. Sage takes part where it is installed; nothing installs it.
"""

import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import programs
import report
import structure_cases

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- structure: begin -->", "<!-- structure: end -->"
LIMIT = 30  # seconds of one request to a peer

HEAVY_TOP = """param A > 0 = 2, B > 0 = 3, C > 0 = 1, a = 0.5, b = 0.3, c = 1
rotation R (p, q, r) in body
kinetic (A*p^2 + B*q^2 + C*r^2)/2
potential a*R31 + b*R32 + c*R33
"""
KOVALEVSKAYA = "param k > 0 = 3\nrotation R (p, q, r) in body\nkinetic (k*p^2 + k*q^2 + r^2)/2\npotential R31\n"
TOPS = "param A > 0 = 3, B > 0 = 2\nrotation R (p, q, r) in body\nkinetic (A*p^2 + B*q^2 + r^2)/2\npotential R31\n"
HENON = "param e = 6\ncoord x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2*y + e/3*y^3\n"
TODA = "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential exp(x - y) + exp(y - z) + exp(z - x)\n"


def springs(n):
    x = [f"x{i}" for i in range(1, n + 1)]
    squares = " + ".join(f"{name}'^2" for name in x)
    stretched = " + ".join(f"({b} - {a})^2" for a, b in zip(x, x[1:]))
    return f"param m > 0 = 1, k > 0 = 1\ncoord {', '.join(x)}\nkinetic m*({squares})/2\npotential k*({stretched})/2\n"


def pendulums(n):
    lines = ["param g = 9.81, m > 0 = 1, l > 0 = 1", "coord " + ", ".join(f"a{i}" for i in range(1, n + 1))]
    for letter, function in (("u", "cos"), ("v", "sin")):
        for i in range(1, n + 1):
            lines.append(f"let {letter}{i} = " + " + ".join(f"l*{function}(a{j})*a{j}'" for j in range(1, i + 1)))
    lines.append("kinetic m/2*(" + " + ".join(f"u{i}^2 + v{i}^2" for i in range(1, n + 1)) + ")")
    lines.append("potential -m*g*l*(" + " + ".join(f"{n + 1 - i}*cos(a{i})" for i in range(1, n + 1)) + ")")
    return "\n".join(lines) + "\n"


# name, model, part of the analysis, further options, seconds that are asked for
SEARCHES = (
    *((f"heavy top, six symbolic parameters, degree {d}", HEAVY_TOP, "integrals", ["--degree", str(d)], 60 if d == 4 else None)
      for d in (1, 2, 3, 4)),
    *((f"the same, degree 4, `--budget {b}`", HEAVY_TOP, "integrals", ["--degree", "4", "--budget", b], None) for b in ("4e9", "2e10")),
    ("top with A = B = k C: which k, degree 4", KOVALEVSKAYA, "integrals", ["--degree", "4", "--vary", "k", "--budget", "2e8"], None),
    ("tops with C = 1: which pairs of A and B, degree 4", TOPS, "integrals", ["--degree", "4", "--vary", "A,B"], None),
    *((f"Hénon and Heiles: which ratio, degree {d}", HENON, "integrals", ["--degree", str(d), "--vary", "e"], None) for d in (2, 4)),
    *((f"Toda's ring of three, degree {d}", TODA, "integrals", ["--degree", str(d)], None) for d in (2, 3, 4)),
    *((f"symmetries, {n} masses with springs in a row", springs(n), "symmetries", [], 10 if n == 8 else None) for n in (2, 4, 8)),
    *((f"symmetries, {n} pendulums in a row", pendulums(n), "symmetries", [], 10 if n == 8 else None) for n in (2, 4, 8)),
)


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def searched(program, search, folder, rounds):
    name, model, part, options, asked = search
    path = folder / "m.lia"
    path.write_text(model, encoding="utf-8")
    times = []
    for _ in range(rounds):
        before = seconds_of_children()
        done = subprocess.run([program, "analyze", path, "--json", "--only", part, *options], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"bench/run: {name}: {done.stderr.strip()}")
        times.append(seconds_of_children() - before)
    answer = json.loads(done.stdout)
    if part == "symmetries":
        unknowns, found = answer["symmetries_searched"]["unknowns"], len(answer["symmetries"])
    else:
        unknowns, found = answer["integrals_searched"]["unknowns"], len(answer["first_integrals"])
        if "special_values" in answer:
            special = answer["special_values"]
            pairs = [" ".join(f"{name} = {value}" for name, value in entry["values"].items()) for entry in special.get("curves", []) + special.get("points", [])]
            found = "; ".join(pairs) if pairs else ", ".join(entry["value"] for entry in special["values"])
    return {"name": name, "unknowns": unknowns, "found": found, "seconds": min(times), "asked": asked}


def search_row(result):
    asked = f"{result['asked']} s" if result["asked"] else "–"
    return f"| {result['name']} | {result['unknowns']} | {result['found']} | {result['seconds']:.2f} s | {asked} |"


# programs of the comparison, their method, and the head of the column
COLUMNS = (("sympy", "plain", "SymPy typed"), ("sympy", None, "SymPy best"), ("maxima", None, "Maxima"), ("sage", "plain", "Sage typed"), ("sage", None, "Sage best"))


def tools_of(build):
    tools = {"liaison": programs.Program([str(build / "bin/liaison_bench")], limit_memory=False)}
    venv = build / "venv/bin/python"
    python = str(venv) if venv.exists() else sys.executable
    tools["sympy"] = programs.Program([python, str(ROOT / "bench/peers/sympy_bench.py")])
    found = programs.exact_programs(build)
    if "maxima" in found:
        tools["maxima"] = found["maxima"]
    if sage := shutil.which("sage"):
        tools["sage"] = programs.Program([sage, "-python", str(ROOT / "bench/peers/sage_bench.py")])
    missing = sorted({tool for tool, _, _ in COLUMNS} - tools.keys())
    if missing:
        print(f"not installed, left out: {', '.join(missing)}", flush=True)
    return tools


def compared_row(case, records):
    ratios = {head: report.ratio(records, tool, method) for tool, method, head in COLUMNS}
    cells = [report.shown_time(report.ours(records)["seconds"]), *map(report.shown_ratio, ratios.values())]
    slower = [f"`{case.name}` against {head}: {report.shown_ratio(found)}" for head, found in ratios.items() if found and found[1] and found[0] < 1]
    return "| " + " | ".join([case.name, *cells]) + " |", slower


def compared(build, quick, commit):
    """Rows of the table; where a peer is faster; where it has no answer."""
    tools, beyond, rows, slower, without = tools_of(build), {}, [], [], []
    folder = build / "cases"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for case in structure_cases.structure_cases(quick):
            case.write(folder)
            series = programs.measure(case, folder / f"{case.name}.txt", tools, beyond, 1 if quick else 3, 3 if quick else LIMIT)
            records = [one.record(case, commit) for one in series]
            row, behind = compared_row(case, records)
            rows.append(row)
            slower += behind
            print(row, flush=True)
            for record in records:
                if record["note"].startswith("another result") or (record["tool"] == "liaison" and record["note"]):
                    print(f"{record['case']}: {record['tool']} ({record['method']}): {record['note']}", file=sys.stderr)
                if record["note"] and not record["note"].startswith("stopped"):
                    without.append(f"`{record['case']}`, {report.NAMES[record['tool']]} ({record['method']}): {record['note']}")
    finally:
        for tool in tools.values():
            tool.stop()
    return rows, slower, without


def told(head, lines):
    return ["", head, "", *(f"- {line}" for line in lines)] if lines else []


def section(searches, compared_cases, commit):
    rows, slower, without = compared_cases
    return "\n".join((
        BEGIN,
        "| search | unknowns | found | time | asked |", "|---|---|---|---|---|", *map(search_row, searches), "",
        "`found`: integrals, symmetries, or the values of the parameter. Times are processor times of the whole program, the least of three.", "",
        f"| case | Liaison | {' | '.join(head for _, _, head in COLUMNS)} |", "|---|---" + len(COLUMNS) * "|---" + "|", *rows,
        *told("Slower than a peer:", slower), *told("Without an answer:", without), "",
        f"Limit of a peer {LIMIT} s, commit {commit}.",
        END))


def run(build, quick, commit):
    """Prints the tables, and writes them to docs/benchmarks.md after a full run."""
    program = build / "liaison"
    if not program.exists():
        raise SystemExit(f"bench/run: no {program}; ./dev bench builds it")
    searches = []
    with tempfile.TemporaryDirectory() as folder:
        for search in SEARCHES[:2] if quick else SEARCHES:
            searches.append(searched(program, search, pathlib.Path(folder), 1 if quick else 3))
            print(search_row(searches[-1]), flush=True)
    rows = compared(build, quick, commit)
    if not quick:
        page = ROOT / "docs/benchmarks.md"
        text = page.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        page.write_text(before + section(searches, rows, commit) + rest.split(END)[1], encoding="utf-8")
    late = [s["name"] for s in searches if s["asked"] and s["seconds"] > s["asked"]]
    for name in late:
        print(f"slower than asked: {name}", file=sys.stderr)
    return 1 if late else 0
