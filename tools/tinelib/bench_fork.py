# SPDX-License-Identifier: GPL-2.0-or-later
"""What forks of a live guest cost, by its size and the strategy.

The tiny PVH guest forks itself and times that with the TSC (tests/guest/pvh/tinypvh_fork_bench.c says what each figure is); then it idles, and
forks made at the console give its downtime, from when its vCPUs are told to stop until they are let go, and the memory of an idle fork.
"""

import math
import re
import statistics
import tempfile
from pathlib import Path

from . import build, plots
from .bench_heap import fields
from .bounds import FORK_LIMITS, FORK_TIMES_FEWER
from .console import Console, Unexpected
from .iso import BootPlan, Module
from .machine import CPU_MODELS, Machine
from .run import TINE_OPTIONS, booted
from .say import EXIT_FAILED, Step, Stop, note
from .sizes import show_size
from .tables import number, ratio, render

MIB = 1 << 20
SIZES = [64 * MIB, 512 * MIB, 2048 * MIB, 8192 * MIB]
STRATEGIES = ["subtree", "run", "frame"]
FORKS = 40
BY_FRAMES = {64 * MIB: 4, 512 * MIB: 2}   # how many forks a kind with the strategies that go by the frame; others: one
SPARE = 256 * MIB           # for the hypervisor, tables, what children write to
LIMITS = {"silence": 900.0, "timeout": 3600.0}
METRICS = ["downtime", "self_fork", "first_instruction", "first_write", "first_write_2m", "parent_first_write", "reset_1", "reset_64",
           "reset_4096", "reset", "destroy", "destroy_waiting", "idle_bytes"]
LINE = re.compile(r"tiny: fork-bench: (metric=.*)")
FREE = r"Free: (\d+) frames"


def repetitions(size, strategy):
    """How many forks of each kind. What goes by the frame takes long, and says the same every time."""
    return FORKS if strategy == "subtree" else BY_FRAMES.get(size, 1)


def summary(size, strategy, metric, values):
    """A row. `instructions` is the median; p90 is the least value that nine tenths do not exceed."""
    ordered = sorted(values)
    return {"mem_bytes": size, "strategy": strategy, "metric": metric, "hypervisor": "tine",
            "instructions": round(statistics.median(values)), "mean": round(statistics.fmean(values), 1),
            "p90": ordered[math.ceil(len(ordered) * 0.9) - 1], "max": ordered[-1], "count": len(values)}


def free_bytes(console):
    console.command("memory")
    return int(console.expect(FREE)[1]) * 4096


def console_forks(console, count):
    """Downtimes, and bytes that each fork took: they run, find nothing to do and sleep."""
    console.to_hypervisor()
    before, downtimes, taken = free_bytes(console), [], []
    for _ in range(count):
        console.command("fork 1")
        downtimes.append(int(console.expect(r"Domain 1: forked as \d+ in (\d+) cycles")[1]))
        now = free_bytes(console)
        taken.append(before - now)
        before = now
    return {"downtime": downtimes, "idle_bytes": taken}


def figures_of(console, count):
    """{metric: values}, from the guest's lines until it idles, and from the console."""
    found = {}
    while True:
        text = console.expect(r"tiny: fork-bench: (.*)|tiny: RESULT failure (.*)|Domain 1 (crashed.*|could not be forked.*)")
        if text[1] == "idle":
            break
        if text[1] is None:
            raise Unexpected(f"the guest failed: {text[0]}")
        said = fields(text[1])
        found.setdefault(said["metric"], []).append(said["ticks"])
    found["reset"] = found["reset_64"]
    return found | console_forks(console, count)


def measure_tine(size, strategy):
    count = repetitions(size, strategy)
    with tempfile.TemporaryDirectory(prefix="tine-bench-") as folder:
        config = Path(folder) / "bench.cfg"
        config.write_text(f'type = "pvh"\nkernel = "tinypvh"\nmemory = {size // MIB}\nfork = 1\nextra = "fork-bench count={count}"\n',
                          encoding="utf-8")
        plan = BootPlan("Tine", build.hypervisor(), f"{TINE_OPTIONS} fork={strategy}",
                        [Module(config, config.name), Module(build.tiny_pvh(), "tinypvh")])
        machine = Machine(mem=size + SPARE, cpu=CPU_MODELS["tine"], icount=True)
        try:
            with booted(plan, machine, **LIMITS) as qemu:
                found = figures_of(Console(qemu), count)
        except Unexpected as why:
            raise Stop(f"fork bench, {strategy}, {show_size(size)}: {why}", EXIT_FAILED) from None
    missing = [metric for metric in METRICS if metric not in found]
    if missing:
        raise Stop(f"fork bench, {strategy}, {show_size(size)}: no figure for {', '.join(missing)}", EXIT_FAILED)
    return [summary(size, strategy, metric, found[metric]) for metric in METRICS]


def measure(sizes, strategies, peer=True):
    rows = []
    for strategy in strategies:
        for size in sizes:
            if strategy == "frame" and size > 512 * MIB and len(strategies) > 1:
                note(f"fork: frame, {show_size(size)} is left out: it takes minutes and goes by the frame; --strategy frame measures it")
                continue
            with Step(f"fork: {strategy}, {show_size(size)}"):
                rows += measure_tine(size, strategy)
    if peer:
        note("fork: no other hypervisor here forks under QEMU's AMD-V: there is no peer")
    return rows


def find(rows, size, strategy, metric):
    return next((row for row in rows if (row["mem_bytes"], row["strategy"], row["metric"]) == (size, strategy, metric)), {})


def table(rows):
    sizes = sorted({row["mem_bytes"] for row in rows})
    strategies = [name for name in STRATEGIES if any(row["strategy"] == name for row in rows)]
    lines = []
    for size in sizes:
        medians = {name: find(rows, size, name, "downtime").get("instructions") for name in strategies}
        lines.append([show_size(size), *(number(medians[name]) for name in strategies),
                      number(FORK_LIMITS.get((size, "subtree", "downtime"))), ratio(medians.get("run"), medians.get("subtree"))])
    parts = [render("Downtime of a guest that is forked, instructions, median", ["guest", *strategies, "limit of subtree", "run/subtree"],
                    lines)]
    for size in sizes:
        for name in strategies:
            by = [row for row in rows if (row["mem_bytes"], row["strategy"]) == (size, name)]
            if not by:
                continue
            parts.append(render(f"{name}, {show_size(size)}", ["metric", "mean", "median", "p90", "forks", "limit"],
                                [[row["metric"], number(row["mean"]), number(row["instructions"]), number(row["p90"]), number(row["count"]),
                                  number(FORK_LIMITS.get((size, name, row["metric"])))] for row in by]))
    return "\n\n".join(parts)


def comparisons(rows):
    """One line for each limit between figures that does not hold."""
    found = []
    by = {(row["mem_bytes"], row["strategy"]): row["instructions"] for row in rows if row["metric"] == "downtime"}
    small, large = by.get((512 * MIB, "subtree")), by.get((8192 * MIB, "subtree"))
    if small and large and large > 2 * small:
        found.append(f"fork: downtime at 8G is {large:,}, more than twice that at 512M, {small:,}")
    for (size, strategy), figure in by.items():
        other = by.get((size, "subtree"))
        if strategy == "run" and size >= 512 * MIB and other and figure < FORK_TIMES_FEWER * other:
            found.append(f"fork: downtime at {show_size(size)} is {other:,}, not {FORK_TIMES_FEWER} times fewer than run's {figure:,}")
    return found


def plot(rows):
    lines = {}
    for row in rows:
        if row["metric"] == "downtime":
            lines.setdefault(row["strategy"], []).append((row["mem_bytes"] / (1 << 30), row["instructions"]))
    plots.curves("fork", "Downtime of a guest that is forked: instructions", "guest's memory, GiB", lines)
