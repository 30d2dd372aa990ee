# SPDX-License-Identifier: GPL-2.0-or-later
"""What forks of a live guest cost, by its size and the strategy.

The tiny PVH guest forks itself and times that with the TSC (tests/guest/translated/work_fork_bench.c says what each figure is); then it idles,
and forks made at the console give its downtime, from when its vCPUs are told to stop until they are let go, and the memory of an idle fork. Beside
them stand forks of processes (bench_process.py). bench_fork_arm64.py has another Ground for the same.
"""

import math
import re
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from . import bench_process, build, plots
from .bench_heap import fields
from .bounds import FORK_LIMITS, FORK_TIMES_FEWER
from .console import Console, Unexpected
from .iso import BootPlan, Module
from .machine import CPU_MODELS, Machine
from .run import TINE_OPTIONS, booted
from .say import EXIT_FAILED, Step, Stop
from .sizes import show_size
from .tables import number, ratio, render

MIB = 1 << 20
SIZES = [64 * MIB, 512 * MIB, 2048 * MIB, 8192 * MIB]
STRATEGIES = ["subtree", "run", "frame"]
# How many: forks of each kind by the guest itself, rounds, forks at the console. With the strategies that go by the frame each says the same and
# takes long, so they have as many as time allows.
REPEAT = {"subtree": (40, 200, 40)}
BY_FRAMES = {64 * MIB: (4, 4, 4), 512 * MIB: (10, 1, 40)}
QUICK = (10, 100, 10)
LARGE = (1, 0, 1)
SECOND = 1_000_000_000    # instructions of a nanosecond
SPARE = 256 * MIB           # for the hypervisor, tables, what children write to
LIMITS = {"silence": 900.0, "timeout": 3600.0}
CONSOLE_METRICS = ["downtime", "idle_bytes"]
GUEST_METRICS = ["self_fork", "first_instruction", "first_read", "first_read_2m", "first_write", "first_write_2m", "parent_first_read",
                 "parent_first_read_2m", "parent_first_write", "parent_first_write_2m", "reset_1", "reset_64", "reset_4096", "reset",
                 "destroy", "destroy_waiting"]
ROUND_METRICS = ["fork_round_1", "fork_round_64", "reset_round_1", "reset_round_64"]
DIRTY = (1, 64)             # pages that a round writes to
LINE = re.compile(r"tiny: fork-bench: (metric=.*)")
FREE = r"Free: (\d+) frames"


@dataclass
class Ground:
    """What is forked on: an architecture's hypervisor, options, tiny guest and machine of so much memory; instructions a tick of its clock."""

    name: str
    image: Callable
    options: str
    guest: Callable
    machine: Callable
    tick: int = 1


X86 = Ground("x86_64", build.hypervisor, TINE_OPTIONS, build.tiny_pvh,
             lambda size: Machine(mem=size, cpu=CPU_MODELS["tine"], icount=True))


def repetitions(size, strategy, quick):
    if quick:
        return QUICK
    if strategy in REPEAT:
        return REPEAT[strategy]
    return BY_FRAMES.get(size, LARGE)


def summary(size, strategy, metric, values, hypervisor="tine"):
    """A row. `instructions` is the median; p90 is the least value that nine tenths do not exceed."""
    ordered = sorted(values)
    return {"mem_bytes": size, "strategy": strategy, "metric": metric, "hypervisor": hypervisor,
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
    if "reset_64" in found:
        found["reset"] = found["reset_64"]
    return found | console_forks(console, count)


def boot_plan(ground, size, strategy, folder, forks, rounds):
    config, guest = Path(folder) / "bench.cfg", ground.guest()
    config.write_text(f'type = "pvh"\nkernel = "{guest.name}"\nmemory = {size // MIB}\nfork = 1\n'
                      f'extra = "fork-bench count={forks} rounds={rounds}"\n', encoding="utf-8")
    return BootPlan("Tine", ground.image(), f"{ground.options} fork={strategy}", [Module(config, config.name), Module(guest, guest.name)])


def measure_tine(size, strategy, ground=X86, quick=False):
    """QUICK: fewer forks, for tests; figures are the same within what their bounds allow."""
    forks, rounds, at_console = repetitions(size, strategy, quick)
    metrics = CONSOLE_METRICS + GUEST_METRICS * (forks > 0) + ROUND_METRICS * (rounds > 0)
    with tempfile.TemporaryDirectory(prefix="tine-bench-") as folder:
        try:
            with booted(boot_plan(ground, size, strategy, folder, forks, rounds), ground.machine(size + SPARE), **LIMITS) as qemu:
                found = figures_of(Console(qemu), at_console)
        except Unexpected as why:
            raise Stop(f"fork bench on {ground.name}, {strategy}, {show_size(size)}: {why}", EXIT_FAILED) from None
    missing = [metric for metric in metrics if metric not in found]
    if missing:
        raise Stop(f"fork bench on {ground.name}, {strategy}, {show_size(size)}: no figure for {', '.join(missing)}", EXIT_FAILED)
    return [summary(size, strategy, metric, [value * (1 if metric == "idle_bytes" else ground.tick) for value in found[metric]])
            for metric in metrics]


def measure_all(sizes, strategies, ground):
    rows = []
    for strategy in strategies:
        for size in sizes:
            with Step(f"fork on {ground.name}: {strategy}, {show_size(size)}"):
                rows += measure_tine(size, strategy, ground)
    return rows


def measure(sizes, strategies, peer=True):
    return measure_all(sizes, strategies, X86) + (bench_process.measure(sizes, summary) if peer else [])


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
    if any("round" in row["metric"] for row in rows):
        parts += [rounds_table(rows, dirty) for dirty in DIRTY]
    return "\n\n".join(parts)


def rounds_table(rows, dirty):
    """What one CPU could do in a second if an instruction took a nanosecond, and how that compares with a process."""
    lines = []
    for size in sorted({row["mem_bytes"] for row in rows}):
        forks, resets = (find(rows, size, "subtree", f"{kind}_round_{dirty}").get("instructions") for kind in ("fork", "reset"))
        processes = [find(rows, size, f"process-{pages}", f"fork_round_{dirty}").get("instructions") for pages in bench_process.PAGES]
        lines.append([show_size(size), *(number(figure and round(SECOND / figure)) for figure in (forks, resets, *processes)),
                      *(ratio(process, ours) for ours in (forks, resets) for process in processes)])
    return render(f"Rounds a second of one CPU at an instruction a nanosecond, {dirty} page{'s' * (dirty > 1)} written to in each; and times as many as Linux's",
                  ["size", "forks", "resets", "processes", "with 2 MiB pages", "forks/processes", "/2 MiB", "resets/processes", "/2 MiB"], lines)


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
    return found + behind_processes(rows)


def behind_processes(rows):
    """A round with a fork of a guest is less than one with a process of the size; up from 512 MiB, as a guest is more than its memory."""
    found = []
    for row in rows:
        size, metric = row["mem_bytes"], row["metric"]
        ours = find(rows, size, "subtree", metric).get("instructions")
        if row["strategy"] == "process-4k" and size >= 512 * MIB and ours and ours >= row["instructions"]:
            found.append(f"fork: {metric} at {show_size(size)} is {ours:,}, a process under Linux takes {row['instructions']:,}")
    return found


def curves(rows):
    lines = {}
    for row in rows:
        if row["metric"] == "downtime":
            lines.setdefault(row["strategy"], []).append((row["mem_bytes"] / (1 << 30), row["instructions"]))
    return lines


def plot(rows):
    plots.curves("fork", "Downtime of a guest that is forked: instructions", "guest's memory, GiB", curves(rows))
