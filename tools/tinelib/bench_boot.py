# SPDX-License-Identifier: GPL-2.0-or-later
"""From the boot loader's hand-over to the first guest: the tiny guest, and Debian's kernel as initial domain.

Tine says itself where its instructions go (`boot-phases:`).  Debian's Xen stamps its lines with the TSC
(console_timestamps=raw); its clock starts at its first line, later than its first instruction, in its favour.  The tiny
guest reads the TSC in its first instruction.  Debian's kernel does not: for it both clocks stop at the hypervisor's
last line before the guest.
"""

import re

from . import build, cache, guests, plots
from .bench_heap import XEN_LINE, console_until, fields
from .bounds import BOOT_LIMITS
from .iso import BootPlan
from .run import TINE_OPTIONS, XEN_OPTIONS
from .say import EXIT_FAILED, Step, Stop
from .tables import number, ratio, render

MEMORY = 4 << 30
GUESTS = {"tiny": "tiny", "linux": "linux-pv"}
PHASES = re.compile(r"boot-phases: (.*)")
FIRST = re.compile(r"tiny: first instruction at tsc (\d+)")
XEN_LAST = re.compile(r"Freed \d+kB init memory")
# What Xen has done when it prints these.
XEN_MARKS = {"entry-to-heap": "Domain heap initialised", "machine": "*** Building a PV Dom0 ***", "domain": "init memory"}
HYPERVISORS = ("xen", "tine")


def row(guest, hypervisor, instructions, phases):
    return {"guest": guest, "mem_bytes": MEMORY, "hypervisor": hypervisor, "instructions": instructions, "phases": phases}


def first_instruction(lines):
    for match in map(FIRST.search, lines):
        if match:
            return int(match[1])
    return None


def measure_tine(guest):
    plan = BootPlan("Tine", build.hypervisor(), TINE_OPTIONS, guests.modules(GUESTS[guest], "tine"))
    lines = console_until(plan, MEMORY, FIRST if guest == "tiny" else PHASES)
    phases = next((fields(match[1]) for match in map(PHASES.search, lines) if match), None)
    if phases is None:
        raise Stop("Tine printed no boot-phases", EXIT_FAILED)
    start, total = phases.pop("start"), phases.pop("total")
    end = first_instruction(lines)
    if end is not None:
        phases["enter-guest"] = end - start - total
        total = end - start
    return row(guest, "tine", total, phases)


def xen_phases(stamped):
    """Intervals between the marks, from the first stamp on."""
    phases, before = {}, stamped[0][0]
    for name, text in XEN_MARKS.items():
        at = next((stamp for stamp, line in stamped if text in line), None)
        if at is None:
            raise Stop(f'Xen did not say "{text}"', EXIT_FAILED)
        phases[name], before = at - before, at
    return phases


def measure_xen(guest):
    plan = BootPlan("Debian's Xen", cache.xen_image(), f"{XEN_OPTIONS} console_timestamps=raw",
                    guests.modules(GUESTS[guest], "xen"))
    lines = console_until(plan, MEMORY, FIRST if guest == "tiny" else XEN_LAST)
    stamped = [(int(match[1], 16), match[2]) for match in map(XEN_LINE.match, lines) if match]
    stamped = [(stamp, text) for stamp, text in stamped if stamp]
    phases = xen_phases(stamped)
    end = first_instruction(lines)
    total = sum(phases.values())
    if end is not None:
        phases["enter-guest"] = end - stamped[0][0] - total
        total = end - stamped[0][0]
    return row(guest, "xen", total, phases)


def measure(_sizes, _strategies, peer=True):
    rows = []
    for guest in GUESTS:
        if peer:
            with Step(f"boot: Debian's Xen, {guest}"):
                rows.append(measure_xen(guest))
        with Step(f"boot: Tine, {guest}"):
            rows.append(measure_tine(guest))
    return rows


def table(rows):
    lines = []
    found = {(item["guest"], item["hypervisor"]): item for item in rows}
    for guest in GUESTS:
        xen, tine = (found.get((guest, name), {}).get("instructions") for name in HYPERVISORS)
        lines.append([guest, number(xen), number(tine), number(BOOT_LIMITS.get(guest)), ratio(xen, tine)])
    parts = [render("Hand-over to the first guest, 4 GiB, 1 CPU, instructions (Xen: from its first line on)",
                    ["guest", "Xen", "Tine", "limit", "Xen/Tine"], lines)]
    for hypervisor, title in (("tine", "Where it goes on Tine"), ("xen", "On Xen, between its lines")):
        by = [found.get((guest, hypervisor), {}).get("phases", {}) for guest in GUESTS]
        names = list(dict.fromkeys(name for phases in by for name in phases))
        if names:
            parts.append(render(f"{title}, instructions", ["phase", *GUESTS],
                                [[name, *(number(phases.get(name)) for phases in by)] for name in names]))
    return "\n\n".join(parts)


def plot(rows):
    bars = {name: [next((item["instructions"] for item in rows
                         if (item["guest"], item["hypervisor"]) == (guest, key)), 0) for guest in GUESTS]
            for key, name in (("xen", "Xen 4.17"), ("tine", "Tine"))}
    plots.bars("boot", "Hand-over to the first guest, 4 GiB: instructions", list(GUESTS), bars)
