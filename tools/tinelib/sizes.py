# SPDX-License-Identifier: GPL-2.0-or-later
"""Sizes and NUMA shapes as people type them: `512M`, `1G`, `2`, `1G,512M,0@21`.

Everything here either returns numbers that are safe to hand to QEMU, or stops with one line that names the
argument at fault.
"""

import re
from dataclasses import dataclass, field

from .say import Stop

UNITS = {"": 1 << 20, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
NODE_GRAIN = 1 << 20
MAX_NODES = 64
LOCAL_DISTANCE = 10


def parse_size(text, option):
    """Bytes in TEXT; a bare number counts MiB, as QEMU's -m does."""
    match = re.fullmatch(r"(\d+)([KMGT]?)(i?B)?", text.strip(), re.IGNORECASE)
    if not match:
        raise Stop(f"{option}: '{text}' is not a size (try 512M or 1G)")
    return int(match[1]) * UNITS[match[2].upper()]


def show_size(size):
    """SIZE in the largest unit that divides it."""
    for unit in "TGMK":
        if size and size % UNITS[unit] == 0:
            return f"{size // UNITS[unit]}{unit}"
    return str(size)


@dataclass
class Numa:
    """Memory of each node in bytes (0: a node without memory) and the distances between them."""

    sizes: list
    distances: list = field(default_factory=list)   # rows of the SLIT; empty: firmware gives none

    def cpus_of(self, node, smp):
        """The CPUs of NODE: blocks of equal size, so that every CPU has a node."""
        count = len(self.sizes)
        return [cpu for cpu in range(smp) if cpu * count // smp == node] if smp >= count \
            else ([node] if node < smp else [])


def parse_numa(text, mem, option="--numa"):
    """A Numa from `N` (equal nodes) or a list of sizes, either followed by `@DISTANCES`.

    DISTANCES is one number for every pair, or rows as in `10:20/20:10`.  A list of sizes must add up to MEM
    unless MEM is None; then it decides the memory.
    """
    shape, _, distances = text.partition("@")
    if shape.isdigit() and "," not in shape:
        sizes = equal_nodes(int(shape), mem or 1 << 30, option)
    else:
        sizes = [parse_size(part, option) for part in shape.split(",")]
    check_nodes(sizes, mem, option)
    return Numa(sizes, parse_distances(distances, len(sizes), option) if distances else [])


def equal_nodes(count, mem, option):
    if not 1 <= count <= MAX_NODES:
        raise Stop(f"{option}: {count} nodes; between 1 and {MAX_NODES} are possible")
    each = mem // count // NODE_GRAIN * NODE_GRAIN
    return [each] * (count - 1) + [mem - each * (count - 1)]


def check_nodes(sizes, mem, option):
    if len(sizes) > MAX_NODES:
        raise Stop(f"{option}: {len(sizes)} nodes; at most {MAX_NODES} are possible")
    for size in sizes:
        if size % NODE_GRAIN:
            raise Stop(f"{option}: node size {size} is not a multiple of 1M")
    if not any(sizes):
        raise Stop(f"{option}: no node has memory")
    if mem is not None and sum(sizes) != mem:
        raise Stop(f"{option}: nodes add up to {show_size(sum(sizes))}, but --mem says {show_size(mem)}")


def parse_distances(text, count, option):
    if text.isdigit():
        rows = [[LOCAL_DISTANCE if a == b else int(text) for b in range(count)] for a in range(count)]
    else:
        rows = [[int(cell) if cell.isdigit() else -1 for cell in row.split(":")] for row in text.split("/")]
    if len(rows) != count or any(len(row) != count for row in rows):
        raise Stop(f"{option}: distances '{text}' do not make {count} rows of {count}")
    for a, row in enumerate(rows):
        for b, cell in enumerate(row):
            if (a == b and cell != LOCAL_DISTANCE) or (a != b and not LOCAL_DISTANCE < cell < 255):
                raise Stop(f"{option}: distance {a}->{b} must be {'10' if a == b else '11 to 254'}")
    return rows


def check_smp(smp, option="--smp"):
    if not 1 <= smp <= 255:
        raise Stop(f"{option}: {smp} CPUs; between 1 and 255 are possible")
    return smp
