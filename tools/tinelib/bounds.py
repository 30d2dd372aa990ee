# SPDX-License-Identifier: GPL-2.0-or-later
"""What figures must not exceed: the design's limits, and what was recorded plus 5 %.

Figures repeat exactly, so the 5 % leave room for a compiler, not for noise.  docs/bench/bounds.json holds what
`tine bench --record` wrote last; it is committed on purpose, when a figure is meant to change.
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
# The whole way. For Debian's kernel 1.5 times fewer than Xen's: 358 M until it begins to build, 4,494 M to build.
BOOT_LIMITS = {"tiny": 20_000_000, "linux": (358_000_000 + 4_494_000_000) * 2 // 3}


def key_of(name, row):
    """What a figure is filed under; None for those that are not Tine's."""
    if row["hypervisor"] != "tine":
        return None
    if name == "boot":
        return row["guest"]
    return f"{row['mem_bytes']}/{row['strategy']}" if name.startswith("heap") else row["call"]


def limit_of(name, row):
    if name.startswith("heap"):
        return HEAP_LIMITS.get(row["mem_bytes"]) if row["strategy"] == "lazy" else None
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
    bounds.setdefault(name, {}).update({key_of(name, row): row["instructions"] for row in rows if key_of(name, row)})
    made(path.parent)
    path.write_text(json.dumps(bounds, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    note(f"bounds recorded in {path}")


def problems(name, rows, path=None):
    """One line for each figure of Tine's that is too high."""
    bounds = recorded(path).get(name, {})
    found = []
    for row in rows:
        key, figure = key_of(name, row), row["instructions"]
        if key is None:
            continue
        limit = limit_of(name, row)
        if limit is not None and figure > limit:
            found.append(f"{name} {key}: {figure:,} instructions, the design's limit is {limit:,}")
        if key in bounds and figure > bounds[key] * SLACK:
            found.append(f"{name} {key}: {figure:,} instructions, more than 5 % over the recorded {bounds[key]:,}")
    return found
