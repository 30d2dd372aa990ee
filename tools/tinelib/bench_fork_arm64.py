# SPDX-License-Identifier: GPL-2.0-or-later
"""As bench_fork.py, on arm64: QEMU's `virt` with EL2 and a GICv3.

Ticks are of 16 instructions (bench_heap_arm64.py).  Stage 2 has no permissions in the entries above a table: after a fork the first access below such an
entry, be it a read or the fetch of an instruction, wakes the table, which takes its entries' leave to write away one by one.  That is what the rows
first_read say; on x86 nothing is due there.
"""

from . import bench_fork, bench_process, build, plots
from .bench_fork import SIZES, STRATEGIES, Ground, comparisons  # noqa: F401
from .bench_heap_arm64 import TICK
from .machine_arm64 import Virt
from .run import ARM64_OPTIONS

ARM64 = Ground("arm64", lambda: build.hypervisor(arch="arm64"), ARM64_OPTIONS, build.tiny_arm64, lambda size: Virt(mem=size, icount=True), TICK)


def marked(rows):
    return [{**row, "arch": "arm64", "resolution": TICK} for row in rows]


def measure_tine(size, strategy, quick=False):
    return marked(bench_fork.measure_tine(size, strategy, ARM64, quick))


def measure(sizes, strategies, peer=True):
    rows = bench_fork.measure_all(sizes, strategies, ARM64)
    return marked(rows + (bench_process.measure(sizes, bench_fork.summary, "arm64") if peer else []))


def table(rows):
    return f"On arm64; the counter's resolution: {TICK} instructions\n\n" + bench_fork.table(rows)


def plot(rows):
    plots.curves("fork-arm64", "Downtime of a guest that is forked on arm64: instructions", "guest's memory, GiB", bench_fork.curves(rows))
