# SPDX-License-Identifier: GPL-2.0-or-later
"""32-bit processes in Debian's own kernel: what a system call costs, and what thread-local storage does at a switch.

Linux keeps shadow copies of its three TLS descriptors and calls update_descriptor for those that change.  Two
processes send a byte to and fro (tests/user32/tls-bench): with the same descriptor no call is due, with different
ones one a switch, in a multicall with the change of page tables.  The kernel's own trace point counts them.
"""

import re

from . import build, cache, guests, plots
from .bench_heap import fields
from .iso import BootPlan
from .machine import CPU_MODELS, Machine
from .run import TINE_OPTIONS, XEN_OPTIONS, booted, watch
from .say import EXIT_FAILED, EXIT_OK, Step, Stop
from .tables import number, ratio, render

CALL = re.compile(r"user32: price (way=.*)")
PRICE = re.compile(r"user32: pingpong (mode=.*)")
COUNT = re.compile(r"tls-bench: (mode=.*)")
MODES = ("none", "same", "different")
HYPERVISORS = ("xen", "tine")
MEMORY = 512 << 20


def measure_on(hypervisor):
    modules = guests.modules("linux-pv32", hypervisor, "RUN=tls-bench")
    plan = BootPlan("Debian's Xen", cache.xen_image(), XEN_OPTIONS, modules) if hypervisor == "xen" else \
        BootPlan("Tine", build.hypervisor(), TINE_OPTIONS, modules)
    lines = []
    with booted(plan, Machine(mem=MEMORY, cpu=CPU_MODELS["xen"], icount=True), silence=300.0, timeout=1200.0) as qemu:
        verdict = watch(qemu, on_line=lines.append)
    calls = [fields(match[1]) for match in map(CALL.search, lines) if match]
    prices = [fields(match[1]) for match in map(PRICE.search, lines) if match]
    counts = [fields(match[1]) for match in map(COUNT.search, lines) if match]
    if verdict.status != EXIT_OK or len(calls) != 2 or len(prices) != len(MODES) or len(counts) != len(MODES):
        raise Stop(f"tls bench on {hypervisor}: {verdict.summary}", EXIT_FAILED)
    rows = [{"call": f"linux_getpid_{call['way']}", "hypervisor": hypervisor, "instructions": call["instructions"]}
            for call in calls]
    return rows + [{"call": f"linux_switch_tls_{price['mode']}", "hypervisor": hypervisor,
                    "instructions": price["instructions_per_switch"], "updates": count["updates"],
                    "switches": count["switches"]} for price, count in zip(prices, counts)]


def measure(_sizes, _strategies, peer=True):
    rows = []
    for hypervisor in HYPERVISORS:
        if hypervisor == "tine" or peer:
            with Step(f"tls: Linux's 32-bit processes on {hypervisor}"):
                rows += measure_on(hypervisor)
    return rows


def by_name(rows, prefix):
    """{what follows PREFIX: {hypervisor: row}}"""
    found = {}
    for row in rows:
        if row["call"].startswith(prefix):
            found.setdefault(row["call"].removeprefix(prefix), {})[row["hypervisor"]] = row
    return found


def table(rows):
    ways = [[way, *map(number, figures), ratio(*figures)]
            for way, by in by_name(rows, "linux_getpid_").items()
            for figures in [[by.get(name, {}).get("instructions") for name in HYPERVISORS]]]
    found, lines = by_name(rows, "linux_switch_tls_"), []
    for mode, by in found.items():
        figures = [by.get(name, {}).get("instructions") for name in HYPERVISORS]
        above = [figure - found["same"][name]["instructions"] if figure is not None else None
                 for figure, name in zip(figures, HYPERVISORS)]
        calls = [f"{by[name]['updates'] / by[name]['switches']:.2f}" if name in by else "-" for name in HYPERVISORS]
        lines.append([mode, *map(number, figures), ratio(*figures), *map(number, above), *calls])
    calls = render("Linux's getpid for a 32-bit process, instructions there and back", ["way", "Xen", "Tine", "Xen/Tine"], ways)
    return calls + "\n\n" + render("Linux's switch between two 32-bit processes, instructions; against equal TLS; update_descriptor a switch",
                  ["TLS", "Xen", "Tine", "Xen/Tine", "more on Xen", "more on Tine", "calls on Xen", "calls on Tine"], lines)


def plot(rows):
    found = by_name(rows, "linux_switch_tls_")
    bars = {name: [by.get(key, {}).get("instructions", 0) for by in found.values()]
            for key, name in (("xen", "Xen 4.17"), ("tine", "Tine"))}
    plots.bars("tls", "Linux's switch between two 32-bit processes, by their TLS: instructions", list(found), bars)
