# SPDX-License-Identifier: GPL-2.0-or-later
"""What it costs to make the boot heap, by memory size and strategy.

Tine says it itself: `heap-init:` gives TSC ticks for the heap, and from its entry point to the heap being ready;
`heap-deferred:` (from selftest=heap-price) what the first use of each page costs afterwards.  Debian's Xen hands
over chunks; its raw console timestamps before and at "Domain heap initialised" bound the cost from above.  All
boot by GRUB on BIOS, on the same CPU model, and are stopped as soon as they have said their figure.
"""

import re

from . import build, cache, guests, plots
from .bounds import HEAP_LIMITS
from .iso import BootPlan, Module
from .machine import CPU_MODELS, Machine
from .qemu import Hang
from .run import TINE_OPTIONS, XEN_OPTIONS, booted
from .say import EXIT_FAILED, Step, Stop
from .sizes import show_size
from .tables import number, ratio, render

SIZES = [gib << 30 for gib in (1, 4, 8, 64, 512)]
STRATEGIES = ["page", "chunk", "lazy"]
DEFERRED_SIZE = 4 << 30
LIMITS = {"silence": 900.0, "timeout": 1800.0}

TINE_LINE = re.compile(r"heap-init: (.*)")
PRICE_LINE = re.compile(r"heap-deferred: (.*)")
XEN_LINE = re.compile(r"^\(XEN\) \[([0-9a-f]{16})\] (.*)")


def numeric(text):
    """TEXT as a number if it is one."""
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        return text


def fields(text):
    """`a=1 b=x` as a dictionary, numbers as numbers."""
    pairs = (word.partition("=") for word in text.split() if "=" in word)
    return {name: numeric(value) for name, _, value in pairs}


def console_until(plan, size, stop):
    """Lines of a boot of PLAN, up to and with the one that STOP matches."""
    machine = Machine(mem=size, cpu=CPU_MODELS["xen"], icount=True)
    lines = []
    try:
        with booted(plan, machine, **LIMITS) as qemu:
            for kind, text in qemu.events():
                if kind != "line":
                    continue
                lines.append(text)
                if stop.search(text):
                    return lines
    except Hang as hang:
        lines.append(str(hang))
    tail = " | ".join(lines[-3:])
    raise Stop(f"{plan.title} with {show_size(size)} said no figure; it ended with: {tail}", EXIT_FAILED)


def measure_xen(size):
    options = f"{XEN_OPTIONS} console_timestamps=raw"
    plan = BootPlan("Debian's Xen", cache.xen_image(), options, [Module(build.tiny_guest())])
    lines = console_until(plan, size, re.compile("Domain heap initialised"))
    stamps = [int(match[1], 16) for match in map(XEN_LINE.match, lines) if match]
    return {"mem_bytes": size, "strategy": "chunk", "hypervisor": "xen", "instructions": stamps[-1] - stamps[-2],
            "bound": "upper"}


def measure_tine(size, strategy):
    price = size == DEFERRED_SIZE
    options = f"{TINE_OPTIONS} heap-init={strategy}" + (" selftest=heap-price" if price else "")
    plan = BootPlan("Tine", build.IMAGE, options, guests.modules("tiny", "tine"))
    lines = console_until(plan, size, PRICE_LINE if price else TINE_LINE)
    said = [fields(match[1]) for match in map(TINE_LINE.search, lines) if match]
    if not said or said[0].get("strategy") != strategy:
        raise Stop(f"Tine was asked for heap-init={strategy} and said {said}", EXIT_FAILED)
    row = {"mem_bytes": size, "strategy": strategy, "hypervisor": "tine", "instructions": said[0]["ticks"],
           "boot_instructions": said[0]["boot-ticks"], "chunks": said[0]["chunks"]}
    if price:
        price_said = fields(PRICE_LINE.search(lines[-1])[1])
        row["deferred_alloc_per_page"] = price_said["alloc-ticks-per-page"]
        row["deferred_free_per_page"] = price_said["free-ticks-per-page"]
    return row


def measure(sizes, strategies, peer=True):
    build.hypervisor()
    rows = []
    for size in sizes:
        if peer:
            with Step(f"heap: Debian's Xen, {show_size(size)}"):
                rows.append(measure_xen(size))
        for strategy in strategies:
            with Step(f"heap: Tine, {strategy}, {show_size(size)}"):
                rows.append(measure_tine(size, strategy))
    return rows


def find(rows, size, hypervisor, strategy):
    for row in rows:
        if (row["mem_bytes"], row["hypervisor"], row["strategy"]) == (size, hypervisor, strategy):
            return row
    return {}


def table(rows):
    """Three tables: heap init, entry to heap ready, and the deferred price."""
    sizes = sorted({row["mem_bytes"] for row in rows})
    lines, boot = [], []
    for size in sizes:
        xen = find(rows, size, "xen", "chunk").get("instructions")
        tine = {name: find(rows, size, "tine", name) for name in STRATEGIES}
        figures = [tine[name].get("instructions") for name in STRATEGIES]
        lines.append([show_size(size), number(xen), *map(number, figures), number(HEAP_LIMITS.get(size)),
                      ratio(xen, figures[-1])])
        boot.append([show_size(size), *(number(tine[name].get("boot_instructions")) for name in STRATEGIES)])
    parts = [render("Boot heap, instructions to make it (Xen: upper bound)",
                    ["memory", "Xen, chunk", "page", "chunk", "lazy", "limit of lazy", "Xen/lazy"], lines),
             render("Tine's entry to heap ready, instructions", ["memory", *STRATEGIES], boot)]
    price = [find(rows, DEFERRED_SIZE, "tine", name) for name in STRATEGIES]
    if any("deferred_alloc_per_page" in row for row in price):
        parts.append(render(f"Afterwards, every page of {show_size(DEFERRED_SIZE)} singly, instructions a page",
                            ["strategy", "allocate", "free"],
                            [[row["strategy"], number(row["deferred_alloc_per_page"]),
                              number(row["deferred_free_per_page"])] for row in price if row]))
    return "\n\n".join(parts)


def plot(rows):
    curves = {}
    for row in rows:
        name = "Xen 4.17, chunks (upper bound)" if row["hypervisor"] == "xen" else f"Tine, {row['strategy']}"
        curves.setdefault(name, []).append((row["mem_bytes"] / (1 << 30), row["instructions"]))
    plots.curves("heap", "Boot heap: instructions to make it", "memory, GiB", curves)
