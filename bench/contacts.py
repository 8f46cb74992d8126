"""The group "contacts": complementarity problems by Liaison, brute force and Siconos, the P-matrix decision, random impacts, bodies
that bounce for a million of them, a bouncing ball, and discs that settle in a box.

Each part is kept in the build folder with the commit at which it was measured: --only PART[,PART...] measures these anew and takes
the others from there. The page is written where all are known.

bin/contacts_bench compares and times the problems in one process; a result that differs ends the run with exit code 1 and has no
ratio. SICONOS_LCP_DATA may name a folder with problems of Siconos' own tests (lcp_*.dat), which are then compared too.
"""

import json
import os
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- contacts: begin -->", "<!-- contacts: end -->"
SEED, COUNT, IMPACTS = 1, 100_000, 1_000_000
PARTS = ("compare", "enumeration", "lemke", "p-matrix", "impacts", "bouncing", "ball", "discs")
DISCS = ((100, 13), (300, 22), (1000, 40))  # and columns of the box
KINDS = {"P": "P-matrix", "any": "integers from −9 to 9", "friction": "p/3 contacts with friction", "redundant": "p contacts, 3 freedoms",
         "symmetric": "symmetric", "unsymmetric": "with a skew part",
         "definite": "definite", "not definite": "P, not definite", "last minor fails": "the greatest minor vanishes"}
BALL = {2.9: (0.0046875, 0.0625), 4: (0.0, 0.0)}  # height and velocity: impacts at 1, 2, 2.5, 2.75, ... end at 3


def duration(seconds):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1 or unit == "µs":
            return f"{seconds * factor:.3g} {unit}"
    return ""


def lines_of(command):
    """The JSON lines that a program prints, and whether it found results that differ."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"bench/run: {' '.join(map(str, command))} ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")], done.returncode != 0


def comparison(name, result):
    text = [f"{name}: {result['brute_force']} enumerations equal brute force over all hypotheses, families and rays included"]
    if result["p_matrices"] + result["others"]:
        text.append(f"{result['p_matrices']} P-matrices have exactly one motion, and for {result['others']} others a drive with "
                    "several is constructed and found by the enumeration")
    if result["siconos"]:
        text.append(f"of {result['enumerated']} problems whose solutions are isolated and strict all are found by Siconos' "
                    f"`lcp_enum` too, which on {result['invented']} of them has further points, from singular matrices whose LU in "
                    f"doubles is regular ({result['degenerate']} problems have families or equalities, which it does not describe)")
        text.append(f"Lemke's path: of {result['lemke']} problems both have a solution on {result['both']}, only ours, exactly, on "
                    f"{result['only_exact']}, only Siconos' on {result['only_siconos']}; where there is one solution it is the same")
    return "- " + "; ".join(text) + f". {result['differences']} differ."


def table(results, columns, found):
    """`columns`: heading and program; the first is ours, the others are ratios to it."""
    head = ["problem", "size", *([found] if found else []), *(heading for heading, _ in columns)]
    rows = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for result in results:
        cells = [KINDS[result["kind"]], str(result["size"])] + ([result["found"]] if found else [])
        cells.append(duration(result["seconds"]["liaison"]))
        for _, program in columns[1:]:
            ratio = result["ratios"].get(program)
            cells.append("–" if ratio is None or result["note"] else f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}")
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows)


ENUMERATION = (("Liaison", "liaison"), ("brute force, exact", "brute force"), ("Siconos `lcp_enum`", "siconos"))
LEMKE = (("Liaison, doubles", "liaison"), ("Liaison, exact", "exact"), ("Siconos `lcp_lexicolemke`", "siconos"),
         ("Siconos `lcp_pgs`", "pgs"))
MINORS = (("Liaison", "liaison"), ("all minors, exact", "brute force"))


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ball_by_liaison(program, until):
    with tempfile.TemporaryDirectory() as folder:
        rows = pathlib.Path(folder) / "rows.csv"
        before = seconds_of_children()
        subprocess.run([program, "simulate", ROOT / "models/contacts/bouncing_ball.lia", "--until", f"{until}", "-o", rows],
                       capture_output=True, check=True)
        whole = seconds_of_children() - before
        names, *_, last = rows.read_text(encoding="utf-8").splitlines()
        values = dict(zip(names.split(","), map(float, last.split(","))))
        return values["y"], values["y'"], whole


def ball_by_siconos(kind, step, until):
    """Nothing where Siconos is not installed. The time is without the start of Python and the imports."""
    command = ["/usr/bin/python3", ROOT / "bench/peers/siconos_ball.py", kind, f"{step}", f"{until}", "0.5"]
    before = seconds_of_children()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    whole = seconds_of_children() - before
    if done.returncode != 0:
        return None
    result = json.loads(done.stdout.splitlines()[-1])
    return result["height"], result["velocity"], whole, result["seconds"]


def ball_rows(program):
    rows = ["| run | to t | error of the height | error of the velocity | whole process | inside |", "|---|---|---|---|---|---|"]
    for until, (height, velocity) in BALL.items():
        runs = [("Liaison, event-driven, `--tol 1e-9`", ball_by_liaison(program, until))]
        runs += [(f"Siconos, {name}, step {step:g}", ball_by_siconos(kind, step, until))
                 for kind, name, step in (("event", "`EventDriven` with LSODAR", 0.1), ("step", "Moreau and Jean", 1e-3),
                                          ("step", "Moreau and Jean", 1e-4))]
        for name, run in runs:
            if run:
                inside = duration(run[3]) if len(run) > 3 else "–"
                rows.append(f"| {name} | {until:g} | {abs(run[0] - height):.1e} | {abs(run[1] - velocity):.1e} | "
                            f"{duration(run[2])} | {inside} |")
    return "\n".join(rows)


def impact_rows(results):
    rows = ["| impacts | law | how many | momentum | approach after | energy | no solution | not all looked for | each |", "|---" * 9 + "|"]
    for r in results:
        energy = [f"of {r['promised']} grows by {max(r['gained'], 0):.0e} at most"] if r["promised"] else []
        if r["promised"] < r["impacts"]:
            energy.append(f"{r['creating']} of {r['impacts'] - r['promised']} gain some")
        energy = ", ".join(energy)
        rows.append(f"| {r['kind']} | {r['law']} | {r['impacts']} | {r['momentum']:.1e} | {r['approach']:.1e} | {energy} | {r['without']} | "
                    f"{r['incomplete']} | {duration(r['seconds'] / r['impacts'])} |")
    return "\n".join(rows)


def bouncing_rows(results):
    rows = ["| bodies | impacts | runs | states looked at | deepest gap | momentum | energy gained | beyond the cone | restitution | "
            "beside the free flight | each |", "|---" * 11 + "|"]
    for r in results:
        rough = "friction" in r["kind"]
        rows.append(f"| {r['kind']} | {r['impacts']} | {r['runs']} | {r['looks']} | {r['depth']:.0e} | {r['momentum']:.0e} | {r['gained']:.0e} | "
                    f"{r['cone'] if rough else 0:.0e} | {'–' if rough else format(r['restitution'], '.0e')} | {r['flight']:.0e} | "
                    f"{duration(r['seconds'] / r['impacts'])} |")
    return "\n".join(rows)


def disc_rows(program, quick):
    """Discs of tools/make_pile.py from their places to rest: 2.5 s in steps of 2 ms."""
    rows = ["| discs | possible contacts | press at the end | whole process | a step | deepest gap / its terms | laws met to | T/V at the end |", "|---" * 8 + "|"]
    for count, columns in ((50, 10),) if quick else DISCS:
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "pile.lia"
            with model.open("w", encoding="utf-8") as file:
                subprocess.run(["python3", ROOT / "tools/make_pile.py", f"{count}", "--columns", f"{columns}"], stdout=file, check=True)
            trajectory = pathlib.Path(folder) / "rows.csv"
            before = seconds_of_children()
            done = subprocess.run([program, "simulate", model, "--until", "2.5", "--integrator", "moreau", "--step", "0.002", "--tol", "1e-6", "--every", "2.5", "--json",
                                   "-o", trajectory], capture_output=True, text=True, check=False)
            whole = seconds_of_children() - before
            if done.returncode != 0:
                rows.append(f"| {count} | the run ended: {done.stderr.splitlines()[0]} |")
                continue
            result = json.loads(done.stdout)
            monitors = {monitor["name"]: monitor for monitor in result["monitors"]}
            note = next(note for note in result["notes"] if "not written out" in note).split()
            names, *_, last = trajectory.read_text(encoding="utf-8").splitlines()
            values = dict(zip(names.split(","), map(float, last.split(","))))
            rows.append(f"| {count} | {note[0]} | {int(note[13]) + int(note[18])} | {duration(whole)} | {duration(whole / result['steps'])} | "
                        f"{monitors['gaps']['largest']:.1e} | {monitors['laws of contacts']['largest']:.1e} | {values['T'] / values['V']:.1e} |")
    return "\n".join(rows)


def section(kept):
    compared, enumeration, lemke, minors, impacts, bouncing, ball, discs = (kept[part]["result"] for part in PARTS)
    commits = sorted({part["commit"] for part in kept.values()})

    def lost(results, program):
        return "; ".join(f"{KINDS[r['kind']]}, {r['size']}" for r in results if r["ratios"].get(program, 1) < 1) or "none of these"

    return "\n".join((
        BEGIN, "Compared before a time counted:", "", *compared, "",
        "All solutions. Ratios: the other program's time divided by ours.", "", table(enumeration, ENUMERATION, "solutions"), "",
        "One solution by Lemke's path. Ratios as above; the exact path and the one in doubles end at the same point.", "",
        table(lemke, LEMKE, ""), "", "Is it a P-matrix?", "", table(minors, MINORS, "answer"), "",
        "Random impacts of bodies, all contacts at once; seeds from 1 on. Momentum: `v+ - v- - p r` beside its terms. The energetic law promises that no energy is "
        "gained, and so do the others without friction and with one coefficient of restitution; Newton's only where no closed contact separates before the impact.", "",
        impact_rows(impacts), "",
        "The same in time: runs by `dop853` at 1e-9 from event to event, e = 1 or 0.95, with gravity and without, judged by formulas that share nothing with the run "
        "(`tests/simulate/bouncing.cpp`). Gaps are looked at in every row and seven times between two; lengths are beside the smallest radius, half a rod, "
        "or the ball's radius. Momentum: what is given outside of the directions of closed contacts. Energy: by an impact, beside what was there.", "",
        bouncing_rows(bouncing), "",
        "Discs of `tools/make_pile.py` that fall into a box and settle, by `moreau --tol 1e-6`, 1,250 steps of 2 ms:", "", discs, "",
        "The ball of `models/contacts/bouncing_ball.lia`, after five impacts and after infinitely many:", "", ball, "",
        f"Where we lose. `lcp_enum` is faster than our enumeration for: {lost(enumeration, 'siconos')}. `lcp_lexicolemke` is faster than our path "
        f"in doubles for: {lost(lemke, 'siconos')}; `lcp_pgs` for: {lost(lemke, 'pgs')}. The exact path is thousands of times slower than doubles from "
        "about 20 constraints on. Without its start, Siconos' event-driven run of the ball takes a fraction of the time of our process; "
        "where ours goes was not measured.", "",
        f"Processor times of one core, medians of up to five rounds in turns. Commit {', '.join(commits)}.", END))


def compare(bench, quick):
    count = COUNT // 100 if quick else COUNT
    print(f"comparing {count} random problems with brute force and Siconos, seeds {SEED} to {SEED + count - 1}", flush=True)
    (result,), differs = lines_of([bench, "compare", f"{SEED}", f"{count}"])
    texts = [comparison(f"Random problems, p ≤ 8, seeds {SEED} to {SEED + count - 1}", result)]
    if folder := os.environ.get("SICONOS_LCP_DATA"):
        (result,), wrong = lines_of([bench, "files", folder])
        differs |= wrong
        texts.append(comparison("Problems of Siconos' own tests", result))
    print("\n".join(texts), flush=True)
    return texts, differs


def measure(part, program, bench, quick):
    """What is kept of a part, and whether results differ."""
    size, total = ["quick"] if quick else [], IMPACTS // 50 if quick else IMPACTS
    tables = {"enumeration": (ENUMERATION, "solutions"), "lemke": (LEMKE, ""), "p-matrix": (MINORS, "answer")}
    if part == "compare":
        return compare(bench, quick)
    if part in tables:
        results, differs = lines_of([bench, part, *size])
        for bad in (r for r in results if r["note"]):
            print(f"{part}, {bad['kind']}, size {bad['size']}: {bad['note']}")
        print(f"\n{table(results, *tables[part])}", flush=True)
    elif part in ("impacts", "bouncing"):
        print(f"\n{total} random impacts, {part}, seeds from {SEED} on", flush=True)
        results, differs = lines_of([bench, part, f"{SEED}", f"{total}"])
        print(impact_rows(results) if part == "impacts" else bouncing_rows(results), flush=True)
    else:
        results, differs = ball_rows(program) if part == "ball" else disc_rows(program, quick), False
        print(f"\n{results}", flush=True)
    return results, differs


def run(build, quick, commit, only=""):
    """Prints the tables; writes them to docs/benchmarks.md where all were measured in full."""
    program, bench = build / "liaison", build / "bin/contacts_bench"
    for path in (program, bench):
        if not path.exists():
            raise SystemExit(f"bench/run: no {path}; ./dev bench builds it")
    asked = only.split(",") if only else PARTS
    if unknown := set(asked) - set(PARTS):
        raise SystemExit(f"bench/run: no part {', '.join(sorted(unknown))} of contacts; there are {', '.join(PARTS)}")
    store = build / "contacts.json"
    kept = json.loads(store.read_text(encoding="utf-8")) if store.exists() else {}
    differs = False
    for part in asked:
        results, wrong = measure(part, program, bench, quick)
        differs |= wrong
        if not quick:
            kept[part] = {"commit": commit, "result": results}
            store.write_text(json.dumps(kept), encoding="utf-8")
    if not quick and set(kept) == set(PARTS):
        page = ROOT / "docs/benchmarks.md"
        before, rest = page.read_text(encoding="utf-8").split(BEGIN)
        page.write_text(before + section(kept) + rest.split(END)[1], encoding="utf-8")
    return 1 if differs else 0
