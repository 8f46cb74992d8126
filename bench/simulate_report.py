"""The tables of the benchmark "simulate": what it takes until a model runs, one evaluation, trajectories, long chains."""

import json
import math
import os
import pathlib
import subprocess

import report

KINDS = report.SIMULATE
FIRST_STEP_GOAL = 100
HEYOKA_GOAL = 2
PACKAGES = {"casadi": "CasADi", "pin": "Pinocchio", "heyoka": "heyoka", "scipy": "SciPy", "sympy": "SymPy"}


def of_task(results, task):
    return {name: records for name, records in report.by_case(results).items() if records[0]["task"] == task}


def found(records, tool, method=None):
    mine = [r for r in records if r["tool"] == tool and method in (None, r["method"]) and r["seconds"]]
    return min(mine, key=lambda r: r["seconds"]) if mine else {}


def shown(record):
    return report.shown_time(record.get("seconds"))


def ratio_to(records, tool, method=None):
    """Their time divided by ours, median over the rounds."""
    record = found(records, tool, method)
    return report.ratio(records, tool, record["method"]) if record else None


def short_name(name):
    return name.partition("-")[2] if not name.startswith("first-step") else name.removeprefix("first-step-")


# From a model file to the first step.


def imports(record):
    return record.get("figures", {}).get("imports", 0)


def first_step_cells(records):
    """Our process; SymPy within its process, and its whole process; ratios."""
    mine, peer = report.ours(records), found(records, "sympy")
    cells = [report.shown_time(mine["seconds"])]
    if not peer or not mine["seconds"]:
        return cells + ["–"] * 5
    whole = peer["seconds"] + imports(peer)
    inside = report.shown_ratio((peer["seconds"] / mine["seconds"], True))
    outside = report.shown_ratio((whole / mine["seconds"], True))
    return [*cells, peer["method"], shown(peer), inside, report.shown_time(whole), outside]


FIRST_STEP_HEADS = ["Liaison, process", "SymPy's faster", "SymPy, inside", "ratio", "SymPy, process", "ratio"]


# One evaluation.


def count(number):
    return f"{number:,.0f}".replace(",", " ") if number else "–"


def evaluate_cells(records):
    mine, casadi, pinocchio = report.ours(records), found(records, "casadi"), found(records, "pinocchio")
    cells = [shown(mine), mine.get("words", "–"), count(mine.get("operations")), shown(casadi), casadi.get("method", "–")]
    cells.append(count(casadi.get("figures", {}).get("operations")))
    cells.append(report.shown_ratio(ratio_to(records, "casadi")))
    return cells + [shown(pinocchio), report.shown_ratio(ratio_to(records, "pinocchio"))]


EVALUATE_HEADS = ["Liaison", "how", "operations", "CasADi", "its best", "operations", "ratio", "Pinocchio", "ratio"]


# Trajectories.

RUNS = {
    ("liaison", "work"): "Liaison",
    ("liaison", "bare"): "steps alone",
    ("liaison", "taylor"): "taylor",
    ("heyoka", "taylor"): "heyoka",
    ("sundials", "arkode"): "ARKODE",
    ("sundials", "adams"): "CVODE Adams",
    ("scipy", "dop853"): "SciPy",
}


def run_cell(records, tool, method):
    record = found(records, tool, method)
    return f"{shown(record)}, {record['error']:.0e}" if record else "–"


def trajectory_cells(records):
    cells = [run_cell(records, *key) for key in RUNS]
    series = heyoka_to_taylor(records)
    return cells + [report.shown_ratio(ratio_to(records, "heyoka")), f"{series:.2g}" if series else "–"]


def heyoka_to_taylor(records):
    """heyoka's time divided by that of our Taylor series, the least of each."""
    mine, peer = found(records, "liaison", "taylor"), found(records, "heyoka")
    return peer["seconds"] / mine["seconds"] if mine and peer else None


TRAJECTORY_HEADS = [*RUNS.values(), "heyoka : Liaison", "heyoka : taylor"]


# Growth.


def growth_cells(records):
    mine = report.ours(records)
    figures, size = mine.get("figures", {}), mine["size"]
    if not mine["seconds"]:
        return ["–"] * len(GROWTH_HEADS)
    times = [mine["seconds"], mine["seconds"] / size, figures["step"], figures["step"] / size, figures["projection"], figures["setup"]]
    return [mine["words"], *map(report.shown_time, times), f"{figures['residual']:.0e}"]


GROWTH_HEADS = ["how", "evaluation", "a body", "step", "a body", "projection in it"]
GROWTH_HEADS += ["from the file to the first evaluation", "off the constraints"]

CELLS = {
    "first-step": (FIRST_STEP_HEADS, first_step_cells),
    "evaluate": (EVALUATE_HEADS, evaluate_cells),
    "trajectory": (TRAJECTORY_HEADS, trajectory_cells),
    "growth": (GROWTH_HEADS, growth_cells),
}


def terminal_head():
    return f"{'case':28}"


def terminal_row(name, records):
    heads, cells = CELLS[records[0]["task"]]
    return f"{name:28}" + "  ".join(f"{head}: {cell}" for head, cell in zip(heads, cells(records)))


def table_of(results, task):
    heads, cells = CELLS[task]
    return report.table(["case", *heads], [[short_name(name), *cells(records)] for name, records in of_task(results, task).items()])


# In words.


def against(values, goal, above):
    """Where a goal is reached and where it is missed; values are ratios by case."""
    if not values:
        return "No ratio was measured."
    missed = [f"`{short_name(name)}` ({value:.2g})" for name, value in values.items() if (value < goal if above else value > goal)]
    if not missed:
        return "It is reached in every case."
    return f"It is missed by {len(missed)} of {len(values)}: {', '.join(missed)}."


def first_step_goal(results):
    values = {}
    for name, records in of_task(results, "first-step").items():
        peer, mine = found(records, "sympy"), report.ours(records)
        if peer and mine["seconds"]:
            values[name] = (peer["seconds"] + imports(peer)) / mine["seconds"]
    return f"The goal is a ratio of {FIRST_STEP_GOAL}, process against process. " + against(values, FIRST_STEP_GOAL, above=True)


def evaluate_goal(results):
    values = {name: r[0] for name, records in of_task(results, "evaluate").items() if (r := ratio_to(records, "casadi"))}
    return "The goal is a ratio to CasADi of at least 1. " + against(values, 1, above=True)


def trajectory_goal(results):
    values = {}
    for name, records in of_task(results, "trajectory").items():
        r = ratio_to(records, "heyoka")
        if r and records[0].get("tolerance") == 1e-12:
            values[name] = 1 / max(r[0], heyoka_to_taylor(records) or 0)  # the better of our two
    words = f"The goal is at most {HEYOKA_GOAL} times heyoka's time at a tolerance of 1e-12. "
    return words + against(values, HEYOKA_GOAL, above=False)


def trajectory_steps(results):
    """Steps of the two programs at the smallest tolerance, in words."""
    words = []
    for name, records in of_task(results, "trajectory").items():
        mine, peer = found(records, "liaison", "work"), found(records, "heyoka")
        if mine and peer and mine["tolerance"] == 1e-12:
            counts = mine["figures"]["steps"], mine["figures"]["evaluations"], peer["figures"]["steps"]
            words.append("`{}` {:.0f} ({:.0f} evaluations), heyoka {:.0f}".format(short_name(name), *counts))
    return "; ".join(words) or "not measured"


def fitted(points):
    """Exponent of n, least squares in the logarithms."""
    points = [(math.log(n), math.log(value)) for n, value in points if value]
    if len(points) < 2:
        return "–"
    x, y = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    return f"{sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points):.2f}"


def growth_points(results, key, how):
    """Sizes and times of the cases that were solved in that way; nothing: in any way."""
    for records in of_task(results, "growth").values():
        mine = report.ours(records)
        if mine["seconds"] and how in (None, mine["words"]):
            yield mine["size"], mine["figures"][key] if key else mine["seconds"]


def exponents(results):
    keys = {"evaluation": None, "step": "step", "from the file to the first evaluation": "setup"}
    ways = {"all": None, "sparse only": "sparse"}
    rows = [[label, *[fitted(growth_points(results, key, how)) for key in keys.values()]] for label, how in ways.items()]
    return report.table(["sizes", *keys], rows)


def losses(results):
    """Cases in which a peer is faster, by the peer."""
    lines = []
    for task, tool in (("evaluate", "casadi"), ("evaluate", "pinocchio"), ("trajectory", "heyoka"), ("trajectory", "sundials")):
        values = {name: r[0] for name, records in of_task(results, task).items() if (r := ratio_to(records, tool)) and r[0] < 1}
        if values:
            lines.append(f"- {report.NAMES[tool]}: " + ", ".join(f"`{short_name(name)}` {value:.2g}" for name, value in values.items()))
    return "\n".join(lines) or "- nowhere in this run"


def problems(results):
    mine = [r for r in results if r["task"] in KINDS]
    return "\n".join(f"- {line}" for line in report.no_answer(mine)) or "- none"


def versions(build):
    python = str(build / "venv/bin/python")
    ask = "import importlib.metadata as m, sys; print(' '.join(m.version(p) for p in sys.argv[1:]))"
    answer = subprocess.run([python, "-c", ask, *PACKAGES], capture_output=True, text=True, check=False).stdout.split()
    sundials = report.said(["dpkg-query", "-W", "-f", "${Version}", "libsundials-dev"], r"[\d.]+")
    return ", ".join([f"{name} {version}" for name, version in zip(PACKAGES.values(), answer)] + [f"SUNDIALS {sundials}"])


def load():
    return ", ".join(f"{value:.1f}" for value in os.getloadavg())


def parts(results, build):
    return {
        "simulate_title": report.TITLES["simulate"],
        "first_step_goal": first_step_goal(results),
        "first_step_table": table_of(results, "first-step"),
        "evaluate_goal": evaluate_goal(results),
        "evaluate_table": table_of(results, "evaluate"),
        "trajectory_goal": trajectory_goal(results),
        "trajectory_table": table_of(results, "trajectory"),
        "trajectory_steps": trajectory_steps(results),
        "growth_table": table_of(results, "growth"),
        "growth_exponents": exponents(results),
        "simulate_losses": losses(results),
        "simulate_no_answer": problems(results),
        "simulate_machine": report.machine(build),
        "simulate_versions": versions(build),
        "simulate_load": load(),
        "simulate_commit": next(r["commit"] for r in results if r["task"] in KINDS),
    }


def write_pictures(results, build, folder):
    """By matplotlib, in the environment of the peers."""
    folder.mkdir(exist_ok=True)
    mine = build / "simulate.jsonl"
    mine.write_text("".join(json.dumps(r) + "\n" for r in results if r["task"] in KINDS), encoding="utf-8")
    pictures = pathlib.Path(__file__).parent / "pictures.py"
    subprocess.run([str(build / "venv/bin/python"), "-B", str(pictures), str(mine), str(folder)], check=False)
