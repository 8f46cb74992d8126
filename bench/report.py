"""Tables of benchmark results: for the terminal and for docs/benchmarks.md."""

import math
import pathlib
import re
import statistics
import subprocess

TITLES = {
    "derive": "From a model file to equations of motion",
    "chain": "Derivatives: kinetic energy of planar chains, all first and second derivatives",
    "zero": "Zero test of rational-trigonometric identities",
    "matrix": "Exact determinant and solution of trigonometric systems",
    "forms": "Exterior derivative and wedge of random forms in 10 variables",
    "simulate": "Derived systems that run",
}
# What has a table of its own in the terminal: the groups, and the parts of "simulate".
KINDS = TITLES | {
    "first-step": "From a model file to the first step",
    "evaluate": "One evaluation of accelerations and reactions",
    "trajectory": "Trajectories at a tolerance",
    "growth": "Chains in absolute coordinates: cost of one evaluation and of one step",
}
SIMULATE = ("first-step", "evaluate", "trajectory", "growth")
NAMES = {"liaison": "Liaison", "sympy": "SymPy", "ginac": "GiNaC", "maxima": "Maxima", "casadi": "CasADi", "pinocchio": "Pinocchio"}
NAMES |= {"sage": "Sage", "heyoka": "heyoka", "sundials": "SUNDIALS", "scipy": "SciPy"}
HEADS = ["Liaison", "SymPy typed", "SymPy best", "GiNaC", "Maxima"]


def kind_of(task):
    return task if task in SIMULATE else group_of(task)


def group_of(task):
    if task in ("chain", "derive", "zero"):
        return task
    if task in SIMULATE:
        return "simulate"
    return "matrix" if task in ("determinant", "solve") else "forms"


def ours(records):
    return next(r for r in records if r["tool"] == "liaison" and r["method"] == "work")


def best(records, tool, method=None):
    """The fastest method of a program that did the work; else one that was stopped; else nothing."""
    mine = [r for r in records if r["tool"] == tool and (r["method"] != "raw" if method is None else r["method"] == method)]
    done = [r for r in mine if r["seconds"]]
    if done:
        return min(done, key=lambda r: r["seconds"])
    stopped = [r for r in mine if "at_least" in r]
    return min(stopped, key=lambda r: r["at_least"]) if stopped else None


def ratio(records, tool, method=None):
    """(ratio, certain): certain is False where it is only a lower bound. Nothing where the program has no answer."""
    reference, other = ours(records), best(records, tool, method)
    if other is None or not reference["seconds"]:
        return None
    if other["seconds"]:
        pairs = list(zip(other["rounds"], reference["rounds"]))
        return statistics.median(a / b for a, b in pairs), True
    return other["at_least"] / reference["seconds"], False


def short(number):
    return f"{number:.2g}" if number < 10 else f"{number:,.0f}".replace(",", " ")


def shown_ratio(found):
    if found is None:
        return "–"
    value, certain = found
    digits = 2 if value < 100 else 3
    rounded = round(value, digits - 1 - math.floor(math.log10(value))) if value > 0 else 0
    return ("" if certain else "> ") + short(rounded)


def shown_time(seconds):
    if seconds is None:
        return "–"
    for unit, scale in (("s", 1), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us" if seconds >= 1e-6 else f"{seconds * 1e9:.3g} ns"


def typed(records):
    return ratio(records, "sympy", "plain") or ratio(records, "sympy", "work") or ratio(records, "sympy", "kane")


def cells(records):
    """Our time, then ratio to SymPy as typed, SymPy at its best, GiNaC, Maxima."""
    ratios = [typed(records)] + [ratio(records, tool) for tool in ("sympy", "ginac", "maxima")]
    return [shown_time(ours(records)["seconds"])] + [shown_ratio(found) for found in ratios]


def terminal_head():
    return f"{'case':24}" + "".join(f"{head:>14}" for head in HEADS)


def terminal_row(name, records):
    return f"{name:24}" + "".join(f"{cell:>14}" for cell in cells(records))


def by_case(results):
    found = {}
    for result in results:
        found.setdefault(result["case"], []).append(result)
    return found


def grouped(results):
    groups = {}
    for name, records in by_case(results).items():
        groups.setdefault(group_of(records[0]["task"]), {})[name] = records
    return groups


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values))


def summary_rows(results):
    for group, named in grouped(results).items():
        row = [TITLES[group].split(":")[0]]
        for label in ("typed", "sympy", "ginac", "maxima"):
            found = [typed(records) if label == "typed" else ratio(records, label) for records in named.values()]
            found = [one for one in found if one]
            if not found:
                row.append("–")
                continue
            values = [value for value, _ in found]
            bound = "" if all(certain for _, certain in found) else "> "
            row.append(f"{bound}{short(geometric_mean(values))} ({short(min(values))}..{short(max(values))})")
        yield row


def summary(results):
    lines = ["ratios, geometric mean (least..greatest):"]
    lines.append(f"{'':60}" + "".join(f"{head:>26}" for head in HEADS[1:]))
    for row in summary_rows(results):
        lines.append(f"{row[0]:60}" + "".join(f"{cell:>26}" for cell in row[1:]))
    return "\n".join(lines)


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def growth(named):
    """For each family with several sizes: the exponent of the growth of time with size, between least and greatest."""
    families = {}
    for records in named.values():
        if records[0]["size"]:
            families.setdefault(records[0]["family"], []).append(records)
    for family, members in families.items():
        row = [family]
        for tool in ("liaison", "sympy", "ginac", "maxima"):
            points = [(r[0]["size"], best(r, tool, "work" if tool == "liaison" else None)) for r in members]
            points = [(size, b["seconds"]) for size, b in points if b and b["seconds"]]
            if len(points) < 2:
                row.append("–")
                continue
            (a, s), (b, t) = points[0], points[-1]
            row.append(f"{math.log(t / s) / math.log(b / a):.1f} ({a}..{b})")
        yield row


def losses(results):
    for name, records in by_case(results).items():
        for tool in ("sympy", "ginac", "maxima"):
            found = ratio(records, tool)
            if found and found[0] < 1:
                yield f"`{name}` against {NAMES[tool]}: {found[0]:.2g}"


def no_answer(results):
    """One line for each program and reason, with the cases."""
    reasons = {}
    for record in results:
        if record["note"] and "at_least" not in record:
            reasons.setdefault((record["tool"], record["method"], record["note"]), []).append(f"`{record['case']}`")
    for (tool, method, note), names in reasons.items():
        yield f"{NAMES[tool]} ({method}), {note}: {', '.join(names)}"


def machine(build):
    text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"model name\s*: (.*)", text)
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    compiler = re.search(r"CMAKE_CXX_COMPILER:\w+=(.*)", cache).group(1)
    flags = re.search(r"CMAKE_CXX_FLAGS_RELEASE:\w+=(.*)", cache).group(1)
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    cores = text.count("processor\t:")
    return f"{cores} cores, {model.group(1) if model else 'unknown processor'}; {version}, `{flags}`"


def said(command, pattern):
    try:
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "absent"
    return re.search(pattern, text).group(0)


def sympy_version(build):
    python = str(build / "venv/bin/python")
    sympy = said([python, "-c", "import sympy; print(sympy.__version__)"], r"[\d.]+")
    return f"SymPy {sympy} (Python {said([python, '--version'], r'[0-9.]+')})"


def versions(build):
    ginac = said(["pkg-config", "--modversion", "ginac"], r"[\d.]+")
    maxima = said(["maxima", "--version"], r"[\d.]+")
    return f"{sympy_version(build)}, GiNaC {ginac}, Maxima {maxima}"


TEMPLATE = pathlib.Path(__file__).parent / "benchmarks.md.in"


def filled(template, parts):
    return re.sub(r"@(\w+)@", lambda match: parts[match.group(1)], template)


def section(text, name):
    """The part of a page between its marks, marks included."""
    found = re.search(rf"<!-- {name}: begin -->.*<!-- {name}: end -->", text, re.DOTALL)
    if not found:
        raise ValueError(f"no section '{name}' between marks")
    return found.group(0)


def page_with_section(old, name, parts):
    """The page with one section made anew; all others stay as they are."""
    return old.replace(section(old, name), filled(section(TEMPLATE.read_text(encoding="utf-8"), name), parts))


# Groups whose tables stand between marks of the page, and whose chapters also have lines that were written by hand, of runs that are
# not made each time.
BETWEEN_MARKS = ("mbs", "robots", "machines", "contacts", "structure")


def chapter(text, name):
    """The chapter of a page that has the marks of a group, from its heading to the next."""
    begin = text.rindex("\n## ", 0, text.index(f"<!-- {name}: begin -->")) + 1
    end = text.find("\n## ", text.index(f"<!-- {name}: end -->"))
    return text[begin:] if end < 0 else text[begin : end + 1]


def with_chapters_of(old, new):
    """The new page with the chapters of the old one that their groups write themselves."""
    for name in BETWEEN_MARKS:
        if f"<!-- {name}: begin -->" in old:
            new = new.replace(chapter(new, name), chapter(old, name))
    return new


def page(results, build, section_parts):
    results = [r for r in results if group_of(r["task"]) not in ("derive", "simulate")]  # they have tables of their own
    groups = grouped(results)
    parts = section_parts | {"machine": machine(build), "versions": versions(build), "commit": results[0]["commit"]}
    parts["summary"] = table(["work"] + HEADS[1:], summary_rows(results))
    for group in (g for g in TITLES if g not in ("derive", "simulate")):
        rows = []
        for name, records in groups.get(group, {}).items():
            row = [name] + cells(records)
            if group == "matrix":
                row.append(shown_ratio(ratio(records, "sympy", "raw")))
            if group == "zero":
                row.insert(2, shown_time(best(records, "liaison", "canonical")["seconds"]))
            rows.append(row)
        heads = ["case"] + HEADS
        if group == "matrix":
            heads.append("SymPy unsimplified")
        if group == "zero":
            heads.insert(2, "canonical form of both sides")
        parts[group] = table(heads, rows)
        parts[f"{group}_title"] = TITLES[group]
        parts[f"{group}_growth"] = table(["family", "Liaison", "SymPy", "GiNaC", "Maxima"], growth(groups.get(group, {})))
    parts["losses"] = "\n".join(f"- {line}" for line in losses(results)) or "- nowhere in this run"
    parts["no_answer"] = "\n".join(f"- {line}" for line in no_answer(results)) or "- none"
    return filled(TEMPLATE.read_text(encoding="utf-8"), parts)
