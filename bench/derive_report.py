"""The tables of the benchmark "derive": from a model file to equations of motion, against SymPy's mechanics."""

import math

import report

GOAL = 200
METHODS = {"kane": "Kane", "lagrange": "Lagrange"}
FAMILY = "derive-"
CHAIN = "derive-chain"
FITTED_FROM = 5  # smaller chains are fixed costs


def found(records, tool, method):
    return next((r for r in records if r["tool"] == tool and r["method"] == method), {})


def count(number):
    return f"{number:,}".replace(",", " ") if number else "–"


def peer_time(records, method):
    record = found(records, "sympy", method)
    if not record.get("seconds") and "at_least" in record:
        return f"> {report.shown_time(record['at_least'])}"
    return report.shown_time(record.get("seconds"))


def closed_time(records):
    """Of the default options, where these give a closed form."""
    record = found(records, "liaison", "default")
    return report.shown_time(record.get("seconds")) if record.get("closed_form") else "–"


def ratios(records):
    return {method: report.ratio(records, "sympy", method) for method in METHODS}


def columns(records):
    """Our time and count, then for each method of SymPy its time and the ratio."""
    mine = report.ours(records)
    cells = [report.shown_time(mine["seconds"]), count(mine.get("operations"))]
    for method, value in ratios(records).items():
        cells += [peer_time(records, method), report.shown_ratio(value)]
    return cells


HEADS = ["Liaison", "operations"] + [head for name in METHODS.values() for head in (f"SymPy {name}", "ratio")]


def terminal_head():
    return f"{'case':24}" + "".join(f"{head:>16}" for head in [*HEADS, "closed form"])


def terminal_row(name, records):
    return f"{name:24}" + "".join(f"{cell:>16}" for cell in [*columns(records), closed_time(records)])


def chain_table(named):
    rows = []
    for records in named.values():
        size, operations = records[0]["size"], report.ours(records).get("operations")
        cells = columns(records)
        cells.insert(2, f"{operations / size**2:.1f}" if operations else "–")
        rows.append([str(size), *cells])
    heads = ["n", *HEADS]
    heads.insert(3, "operations/n²")
    return report.table(heads, rows)


def exponent(points):
    """Slope of the straight line through (log n, log value), least squares; nothing for fewer than two points."""
    points = [(n, value) for n, value in points if n >= FITTED_FROM and value]
    if len(points) < 2:
        return "–"
    xs, ys = [math.log(n) for n, _ in points], [math.log(value) for _, value in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)
    return f"{slope:.2f} ({points[0][0]}..{points[-1][0]})"


def exponents_table(named):
    def points(tool, method, key):
        return [(records[0]["size"], found(records, tool, method).get(key)) for records in named.values()]

    columns_of = [("liaison", "work", "seconds"), ("liaison", "work", "operations")]
    columns_of += [("sympy", method, "seconds") for method in METHODS]
    heads = ["Liaison, time", "Liaison, operations"] + [f"SymPy {name}, time" for name in METHODS.values()]
    return report.table(heads, [[exponent(points(*column)) for column in columns_of]])


def systems_table(named):
    return report.table(["system", *HEADS], [[name.removeprefix(FAMILY), *columns(records)] for name, records in named.items()])


def goal(named):
    """Where the goal is reached, in words; a case that SymPy did not finish counts by its bound."""
    values = {(name, METHODS[m]): r for name, records in named.items() for m, r in ratios(records).items() if r}
    if not values:
        return "No ratio was measured."
    missed = [f"`{name}` against {method}: {report.shown_ratio(r)}" for (name, method), r in values.items() if r[0] < GOAL]
    least = min(values, key=lambda key: values[key][0])
    text = f"The goal is a ratio of {GOAL}. The least is {report.shown_ratio(values[least])}, `{least[0]}` against {least[1]}. "
    return text + ("It is missed by " + "; ".join(missed) + "." if missed else "It is reached in every case.")


def closed_words(named):
    """Time of the closed form of each case, and SymPy's best time for the assembled equations divided by it."""
    words = []
    for name, records in named.items():
        record, peer = found(records, "liaison", "default"), report.best(records, "sympy")
        if record.get("closed_form") and record["seconds"] and peer and peer["seconds"]:
            ratio = report.short(peer["seconds"] / record["seconds"])
            words.append(f"`{name.removeprefix(FAMILY)}` {report.shown_time(record['seconds'])} ({ratio})")
    return ", ".join(words) or "not measured"


def parts(results, build, limit):
    """What the section of the page is filled with."""
    named = {name: records for name, records in report.by_case(results).items() if records[0]["task"] == "derive"}
    chains = {name: records for name, records in named.items() if records[0]["family"] == CHAIN}
    others = {name: records for name, records in named.items() if name not in chains}
    problems = [f"- {line}" for line in report.no_answer([r for records in named.values() for r in records])]
    return {
        "derive_title": report.TITLES["derive"],
        "derive_machine": report.machine(build),
        "derive_commit": results[0]["commit"],
        "derive_sympy": report.sympy_version(build),
        "derive_goal": goal(named),
        "derive_chains": chain_table(chains),
        "derive_exponents": exponents_table(chains),
        "derive_systems": systems_table(others),
        "derive_closed": closed_words(named),
        "derive_limit": str(limit),
        "derive_from": str(FITTED_FROM),
        "derive_no_answer": "\n".join(problems) or "- none",
    }
