# SPDX-License-Identifier: GPL-2.0-or-later
"""What a PV guest's calls cost, from the guest's side, and task switches with TLS descriptors.

The tiny guest, started with the words `bench tls`, prints the averages; the same file runs on both hypervisors.
"""

import re

from . import build, cache, guests, plots
from .bench_heap import fields
from .bounds import PV_LIMITS
from .iso import BootPlan
from .machine import CPU_MODELS, Machine
from .run import TINE_OPTIONS, XEN_OPTIONS, booted, watch
from .say import EXIT_FAILED, EXIT_OK, Step, Stop
from .tables import number, ratio, render

CALL_LINE = re.compile(r"\bbench: (call=.*)")
TLS_LINE = re.compile(r"\btls: (mode=.*)")
WORK = "bench tls"
MEMORY = 256 << 20
HYPERVISORS = ("xen", "tine")
TWO_VCPUS = "dom0_max_vcpus=2"      # on one CPU: they take turns


def plan_for(hypervisor):
    if hypervisor == "xen":
        return BootPlan("Debian's Xen", cache.xen_image(), f"{XEN_OPTIONS} {TWO_VCPUS}", guests.modules("tiny", "xen", WORK))
    return BootPlan("Tine", build.hypervisor(), f"{TINE_OPTIONS} {TWO_VCPUS}", guests.modules("tiny", "tine", WORK))


def measure_on(hypervisor):
    lines = []
    machine = Machine(mem=MEMORY, cpu=CPU_MODELS["xen"], icount=True)
    with booted(plan_for(hypervisor), machine, silence=300.0, timeout=900.0) as qemu:
        verdict = watch(qemu, on_line=lines.append)
    if verdict.status != EXIT_OK:
        raise Stop(f"pv bench on {hypervisor}: {verdict.summary}", EXIT_FAILED)
    # A call that a hypervisor does not offer has no figure.
    rows = [row_from(hypervisor, match[1]) for match in map(CALL_LINE.search, lines)
            if match and "ticks=" in match[1]]
    rows += [tls_row(hypervisor, match[1]) for match in map(TLS_LINE.search, lines) if match]
    if not rows:
        raise Stop(f"pv bench on {hypervisor}: the guest printed no figures", EXIT_FAILED)
    return rows


def row_from(hypervisor, text):
    """A call's row. The guest counts ticks of the TSC: under icount, instructions."""
    said = fields(text)
    return {"call": said["call"], "hypervisor": hypervisor, "instructions": said["ticks"],
            "count": said["count"]}


def tls_row(hypervisor, text):
    """A task-switch workload is a row like a call's, named after workload and mode."""
    said = fields(text)
    return {"call": f"{said['workload']}_{said['mode']}", "hypervisor": hypervisor,
            "instructions": said["ticks_per_switch"], "tasks": said["tasks"],
            "switches": said["switches"], "hypercalls": said["hypercalls"]}


def measure(_sizes, _strategies, peer=True):
    rows = []
    for hypervisor in HYPERVISORS:
        if hypervisor == "tine" or peer:
            with Step(f"pv: the tiny guest on {hypervisor}"):
                rows += measure_on(hypervisor)
    return rows


def figures(rows):
    """{call: {hypervisor: row}}, in the order in which calls came."""
    found = {}
    for row in rows:
        found.setdefault(row["call"], {})[row["hypervisor"]] = row
    return found


def table(rows):
    calls, switches = [], []
    for call, by in figures(rows).items():
        xen, tine = (by.get(name, {}).get("instructions") for name in HYPERVISORS)
        line = [call, number(xen), number(tine)]
        if any("switches" in row for row in by.values()):
            counts = [number(by.get(name, {}).get("hypercalls")) for name in HYPERVISORS]
            switches.append(line + counts + [ratio(xen, tine)])
        else:
            calls.append(line + [number(PV_LIMITS.get(call)), ratio(xen, tine)])
    parts = [render("A PV guest's call, instructions", ["call", "Xen", "Tine", "limit", "Xen/Tine"], calls)]
    if switches:
        parts.append(render("A task switch with TLS descriptors, instructions; hypercalls in all",
                            ["workload", "Xen", "Tine", "calls on Xen", "calls on Tine", "Xen/Tine"], switches))
    return "\n\n".join(parts)


def plot(rows):
    found = figures(rows)
    bars = {name: [by.get(key, {}).get("instructions", 0) for by in found.values()]
            for key, name in (("xen", "Xen 4.17"), ("tine", "Tine"))}
    plots.bars("pv", "A PV guest's calls and task switches: instructions", list(found), bars)
