# SPDX-License-Identifier: GPL-2.0-or-later
"""Plots for docs/bench/: SVG that is the same, byte for byte, for the same figures."""

from .paths import PLOTS, made
from .say import note


def canvas(title):
    """A figure and its axes; matplotlib is imported here since only plotting needs it."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "tine", "svg.fonttype": "none", "font.size": 10,
                                "axes.spines.top": False, "axes.spines.right": False})
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    axes.set_title(title, loc="left")
    axes.set_ylabel("instructions (log scale)")
    return figure, axes


def save(figure, name):
    path = made(PLOTS) / f"{name}.svg"
    figure.tight_layout()
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    note(f"plot in {path}")


def curves(name, title, xlabel, lines):
    """LINES is {label: [(x, y)]}; both axes logarithmic."""
    figure, axes = canvas(title)
    ticks = sorted({x for points in lines.values() for x, _ in points})
    for label, points in lines.items():
        points = sorted(points)
        axes.plot([x for x, _ in points], [y for _, y in points], marker="o", label=label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xlabel(xlabel)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False)
    save(figure, name)


def bars(name, title, labels, groups):
    """GROUPS is {label: [height for each of LABELS]}, drawn side by side."""
    figure, axes = canvas(title)
    width = 0.8 / len(groups)
    for index, (label, heights) in enumerate(groups.items()):
        axes.bar([place + index * width for place in range(len(labels))], heights, width, label=label)
    axes.set_yscale("log")
    axes.set_xticks([place + width * (len(groups) - 1) / 2 for place in range(len(labels))], labels, rotation=40,
                    ha="right")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False)
    save(figure, name)
