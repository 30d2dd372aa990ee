# SPDX-License-Identifier: GPL-2.0-or-later
"""Memory in pieces as firmware likes it: islands of a page and more, far from anything, in every alignment.

The boot loader takes the holes out of the map that it hands over, so the frame table has nothing behind them.
"""

import pytest
from whole_boot import boot

PAGE = 1 << 12
MIB = 1 << 20


def islands(*pieces, top):
    """The holes that leave only PIECES (pairs of start and end) between 512 MiB and TOP."""
    edges = [512 * MIB, *[edge for piece in pieces for edge in piece], top]
    return tuple(zip(edges[::2], edges[1::2]))


CASES = {
    "one page": [(1280 * MIB, 1280 * MIB + PAGE)],
    "three pages inside a section": [(1280 * MIB + 5 * PAGE, 1280 * MIB + 8 * PAGE)],
    "the last page of a section": [(1282 * MIB - PAGE, 1282 * MIB)],
    "across a section's edge": [(1282 * MIB - PAGE, 1282 * MIB + PAGE)],
    "one section": [(1282 * MIB, 1284 * MIB)],
    "many": [(base * MIB + base * PAGE, base * MIB + (base + 1 + base % 5) * PAGE) for base in range(520, 1990, 70)],
}


@pytest.mark.parametrize("pieces", CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("strategy", ["lazy", "page"])
def test_islands(pieces, strategy):
    outcome = boot(f"selftest=heap bootscrub=off heap-init={strategy}", mem="2G", holes=islands(*pieces, top=2032 * MIB))
    assert outcome.status == 0, "\n".join(outcome.lines[-20:])
    regions = [line for line in outcome.said("boot: memory [") if line.endswith(" RAM")]
    assert len(regions) == 3 + len(pieces)      # below 640 KiB, from 1 MiB, the islands, the end
    assert int(outcome.one("heap-init:").split("pages=")[1].split()[0]) > sum(end - start for start, end in pieces) // PAGE
