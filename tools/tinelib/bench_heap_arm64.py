# SPDX-License-Identifier: GPL-2.0-or-later
"""As bench_heap.py, on arm64: the same line of the log, on QEMU's `virt` with EL2.

The generic timer counts at 62.5 MHz, whatever the CPU does: where one instruction is one nanosecond a tick is 16 of
them, so a figure here is a multiple of 16, and up to 15 more or less than what was executed.  Debian's Xen for arm64 is
not measured.
"""

from . import build, plots
from .bench_heap import PRICE_LINE, STRATEGIES, TINE_LINE, DEFERRED_SIZE, LIMITS, fields, find
from .bounds import HEAP_LIMITS
from .iso import BootPlan
from .machine_arm64 import Virt
from .qemu import Hang
from .run import ARM64_OPTIONS, booted
from .say import EXIT_FAILED, Step, Stop
from .sizes import show_size
from .tables import number, render

TICK = 16


def console_until(plan, size, stop):
    """Lines of a boot of PLAN, up to and with the one that STOP matches."""
    lines = []
    try:
        with booted(plan, Virt(mem=size, icount=True), **LIMITS) as qemu:
            for kind, text in qemu.events():
                if kind == "line":
                    lines.append(text)
                    if stop.search(text):
                        return lines
    except Hang as hang:
        lines.append(str(hang))
    raise Stop(f"Tine on arm64 with {show_size(size)} said no figure; it ended with: {' | '.join(lines[-3:])}", EXIT_FAILED)


def measure_tine(size, strategy):
    price = size == DEFERRED_SIZE
    options = f"{ARM64_OPTIONS} heap-init={strategy}" + (" selftest=heap-price" if price else "")
    plan = BootPlan("Tine", build.image_of("release", "arm64"), options)
    lines = console_until(plan, size, PRICE_LINE if price else TINE_LINE)
    said = [fields(match[1]) for match in map(TINE_LINE.search, lines) if match]
    if not said or said[0].get("strategy") != strategy:
        raise Stop(f"Tine was asked for heap-init={strategy} and said {said}", EXIT_FAILED)
    row = {"mem_bytes": size, "strategy": strategy, "hypervisor": "tine", "arch": "arm64", "resolution": TICK,
           "instructions": said[0]["ticks"] * TICK, "boot_instructions": said[0]["boot-ticks"] * TICK,
           "chunks": said[0]["chunks"]}
    if price:
        price_said = fields(PRICE_LINE.search(lines[-1])[1])
        row["deferred_alloc_per_page"] = price_said["alloc-ticks-per-page"] * TICK
        row["deferred_free_per_page"] = price_said["free-ticks-per-page"] * TICK
    return row


def measure(sizes, strategies, peer=True):
    build.hypervisor(arch="arm64")
    rows = []
    for size in sizes:
        for strategy in strategies:
            with Step(f"heap: Tine on arm64, {strategy}, {show_size(size)}"):
                rows.append(measure_tine(size, strategy))
    return rows


def table(rows):
    sizes = sorted({row["mem_bytes"] for row in rows})
    lines, boot = [], []
    for size in sizes:
        tine = {name: find(rows, size, "tine", name) for name in STRATEGIES}
        lines.append([show_size(size), *(number(tine[name].get("instructions")) for name in STRATEGIES),
                      number(HEAP_LIMITS.get(size))])
        boot.append([show_size(size), *(number(tine[name].get("boot_instructions")) for name in STRATEGIES)])
    parts = [render(f"Boot heap on arm64, instructions to make it (the counter's resolution: {TICK} instructions)",
                    ["memory", *STRATEGIES, "limit of lazy"], lines),
             render("Tine's entry to heap ready, instructions", ["memory", *STRATEGIES], boot)]
    price = [row for row in rows if "deferred_alloc_per_page" in row]
    if price:
        parts.append(render(f"Afterwards, every page of {show_size(DEFERRED_SIZE)} singly, instructions a page",
                            ["strategy", "allocate", "free"],
                            [[row["strategy"], number(row["deferred_alloc_per_page"]),
                              number(row["deferred_free_per_page"])] for row in price]))
    return "\n\n".join(parts)


def plot(rows):
    curves = {}
    for row in rows:
        curves.setdefault(f"Tine on arm64, {row['strategy']}", []).append((row["mem_bytes"] / (1 << 30), row["instructions"]))
    plots.curves("heap-arm64", "Boot heap on arm64: instructions to make it", "memory, GiB", curves)
