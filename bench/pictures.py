"""The pictures of docs/benchmarks.md, from the results of the group "simulate".

usage: pictures.py RESULTS.jsonl FOLDER
"""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

plt.rcParams |= {"svg.hashsalt": "liaison", "font.size": 9, "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True}
SERIES = {
    ("liaison", "work"): ("Liaison, dop853", "#b5232a", "o", "-"),
    ("liaison", "taylor"): ("Liaison, Taylor", "#e08a2e", "D", "-"),
    ("heyoka", "taylor"): ("heyoka, Taylor", "#1f5f99", "s", "-"),
    ("sundials", "arkode"): ("SUNDIALS ARKODE, order 8", "#3c7a3c", "^", "--"),
    ("sundials", "adams"): ("SUNDIALS CVODE, Adams", "#8a6d1d", "v", "--"),
    ("scipy", "dop853"): ("SciPy, DOP853", "#666666", "d", ":"),
}
SYSTEMS = {
    ("trajectory-chain", 2): "double pendulum, 10 s",
    ("trajectory-chain", 5): "chain of 5, 5 s",
    ("trajectory-tilting-disc", None): "tilting disc, 10 s",
}


def save(figure, path):
    figure.savefig(path, metadata={"Date": None, "Creator": None})


def work_precision(results, path):
    figure, axes = plt.subplots(1, len(SYSTEMS), figsize=(10, 3.8), sharey=True, layout="constrained")
    for axis, (key, title) in zip(axes, SYSTEMS.items()):
        for series, (label, colour, marker, line) in SERIES.items():
            runs = [r for r in results if (r["family"], r["size"]) == key and (r["tool"], r["method"]) == series and r["seconds"]]
            runs.sort(key=lambda r: r["tolerance"])
            axis.loglog([r["error"] for r in runs], [r["seconds"] for r in runs], line, marker=marker, color=colour, label=label)
        axis.set_title(title)
        axis.set_xlabel("error reached at the end")
        axis.invert_xaxis()
    axes[0].set_ylabel("processor time, s")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(SERIES), frameon=False)
    save(figure, path)


def growth(results, path):
    runs = sorted((r for r in results if r["task"] == "growth" and r["seconds"]), key=lambda r: r["size"])
    sizes = [r["size"] for r in runs]
    figure, axis = plt.subplots(figsize=(6, 4), layout="constrained")
    curves = {
        "one step of dop853, with projection": ([r["figures"]["step"] for r in runs], "#1f5f99", "s"),
        "one evaluation": ([r["seconds"] for r in runs], "#b5232a", "o"),
    }
    for label, (times, colour, marker) in curves.items():
        axis.loglog(sizes, times, marker=marker, color=colour, label=label)
        axis.loglog(sizes, [times[0] * n / sizes[0] for n in sizes], ":", color=colour, linewidth=1)
    axis.plot([], [], ":", color="#666666", label="proportional to the number of bodies")
    axis.set_xlabel("bodies")
    axis.set_ylabel("processor time, s")
    axis.legend(frameon=False)
    save(figure, path)


def main():
    lines = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    results, folder = [json.loads(line) for line in lines], pathlib.Path(sys.argv[2])
    work_precision([r for r in results if r["task"] == "trajectory"], folder / "work-precision.svg")
    growth(results, folder / "chain-growth.svg")


if __name__ == "__main__":
    main()
