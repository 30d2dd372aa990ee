# SPDX-License-Identifier: GPL-2.0-or-later
"""What figures must not exceed: the design's limits, what was recorded plus 5 %, and, where both are measured by the same
guest file, what Xen took.

Figures repeat exactly, so the 5 % leave room for a compiler, not for noise.  docs/bench/bounds.json holds what
`tine bench --record` wrote last, Xen's figures under `NAME-xen`; it is committed on purpose, when a figure is meant to change.
"""

import json

from .paths import BOUNDS, made
from .say import Stop, note

SLACK = 1.05

HEAP_LIMITS = {1 << 30: 90_000, 4 << 30: 90_000, 8 << 30: 90_000, 512 << 30: 180_000}
PV_LIMITS = {
    "xen_version": 90,
    "update_descriptor": 180,
    "multicall3_update_descriptor": 500,
    "stack_switch": 90,
    "set_segment_base": 90,
    "update_va_mapping": 250,
    "sched_yield": 500,
    "forced_cpuid": 250,
    "evtchn_send_masked": 150,
    "mmu_update_1": 300,
    "mmu_update_128": 15_000,
    "decrease_reservation": 300,
    "populate_physmap": 900,
}
# The whole way. For Debian's kernel 1.5 times fewer than what Xen takes to build it, 4,494 M; the 358 M until it begins are not counted.
BOOT_LIMITS = {"tiny": 20_000_000, "linux": 4_494_000_000 * 2 // 3}
AHEAD = ("pv", "tls", "boot")    # benchmarks in whose every row Tine must be ahead of Xen

# Medians, with fork=subtree. Twice the 512 MiB guest's downtime is besides what an 8 GiB guest's may be (bench_fork.comparisons).
FORK_LIMITS = {
    (512 << 20, "subtree", "downtime"): 100_000,
    (8 << 30, "subtree", "downtime"): 200_000,
    (512 << 20, "subtree", "idle_bytes"): 128 << 10,
    (512 << 20, "subtree", "reset"): 300_000,
    (512 << 20, "subtree", "reset_64"): 300_000,
}
FORK_TIMES_FEWER = 100    # than with fork=run, from 512 MiB on


def key_of(name, row, hypervisor="tine"):
    """What a figure is filed under; None for those that are not HYPERVISOR's."""
    if row["hypervisor"] != hypervisor:
        return None
    if name == "boot":
        return row["guest"]
    if name.startswith("fork"):
        return f"{row['mem_bytes']}/{row['strategy']}/{row['metric']}"
    return f"{row['mem_bytes']}/{row['strategy']}" if name.startswith("heap") else row["call"]


def limit_of(name, row):
    if name.startswith("heap"):
        return HEAP_LIMITS.get(row["mem_bytes"]) if row["strategy"] == "lazy" else None
    if name.startswith("fork"):
        return FORK_LIMITS.get((row["mem_bytes"], row["strategy"], row["metric"]))
    return BOOT_LIMITS.get(row["guest"]) if name == "boot" else PV_LIMITS.get(row["call"])


def recorded(path=None):
    path = path or BOUNDS
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise Stop(f"{path}: {error}") from error


def record(name, rows, path=None):
    """Files the figures of ROWS; others that were recorded stay."""
    path = path or BOUNDS
    bounds = recorded(path)
    for hypervisor, place in (("tine", name), ("xen", f"{name}-xen")):
        figures = {key_of(name, row, hypervisor): row["instructions"] for row in rows if key_of(name, row, hypervisor)}
        if figures and (hypervisor == "tine" or name in AHEAD):
            bounds.setdefault(place, {}).update(figures)
    made(path.parent)
    path.write_text(json.dumps(bounds, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    note(f"bounds recorded in {path}")


def grain_of(row):
    """What a figure comes in: bytes in whole frames, instructions in the clock's ticks where it is slower than they are."""
    return 4096 if row.get("metric") == "idle_bytes" else row.get("resolution", 0)


def problems(name, rows, path=None):
    """One line for each figure of Tine's that is too high. Xen's are those in ROWS, else those that were recorded."""
    bounds, xens = recorded(path).get(name, {}), recorded(path).get(f"{name}-xen", {})
    if name in AHEAD:
        xens = {**xens, **{key_of(name, row, "xen"): row["instructions"] for row in rows if key_of(name, row, "xen")}}
    found = []
    for row in rows:
        key, figure = key_of(name, row), row["instructions"]
        if key is None:
            continue
        unit = "bytes" if row.get("metric") == "idle_bytes" else "instructions"
        limit = limit_of(name, row)
        if limit is not None and figure > limit:
            found.append(f"{name} {key}: {figure:,} {unit}, the design's limit is {limit:,}")
        if key in bounds and figure > bounds[key] * SLACK + grain_of(row):
            found.append(f"{name} {key}: {figure:,} {unit}, more than 5 % over the recorded {bounds[key]:,}")
        if key in xens and figure >= xens[key]:
            found.append(f"{name} {key}: {figure:,} {unit}, and Xen takes {xens[key]:,}")
    return found
