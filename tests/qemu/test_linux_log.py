# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian's kernel as the initial domain has nothing to complain of that it does not complain of on Debian's Xen.

One boot of Xen, with four CPUs, is what two boots of Tine are compared with: warnings and errors in the kernel's log, the
files of /sys/hypervisor, NMI backtraces.
"""

import re

import pytest
from whole_boot import build, guests

from tinelib import cache, deps
from tinelib.iso import BootPlan
from tinelib.machine import CPU_MODELS, Machine
from tinelib.run import TINE_OPTIONS, XEN_OPTIONS, booted, watch

LOGGED = re.compile(r"<[0-4]>\[ *[0-9.]+\] (.*)")  # levels from emergency to warning
TREE_FILE = re.compile(r"/sys/hypervisor/\S+$")
LINES = ["dmesg -r | grep '^<[0-4]>'", "find /sys/hypervisor -type f", "echo l >/proc/sysrq-trigger; sleep 1"]

# What Linux may say on Tine and not on Xen, and why.
ALLOWED = {
    "PCI: Fatal: No config space access function found": "the initial domain owns no devices: there is no PCI for it",
    "PCI: System does not support PCI": "the same",
}


def without_figures(text):
    return re.sub(r"\d+", "#", text.strip())


class Log:
    """What a boot said: WARNINGS without their figures, FILES of /sys/hypervisor, CPUS that were hit by an NMI."""

    def __init__(self, hypervisor, cpus):
        image, options = (build.hypervisor(), TINE_OPTIONS) if hypervisor == "Tine" else (cache.xen_image(), XEN_OPTIONS)
        plan = BootPlan(hypervisor, image, options, guests.modules("linux-pv", hypervisor.lower()))
        self.lines = []
        with booted(plan, Machine(mem=1 << 30, smp=cpus, cpu=CPU_MODELS[hypervisor.lower()]), silence=300.0, timeout=900.0) as qemu:
            self.verdict = watch(qemu, LINES, on_line=self.lines.append)
        self.warnings = {without_figures(match[1]) for match in map(LOGGED.search, self.lines) if match}
        self.files = {match[0] for match in map(TREE_FILE.search, self.lines) if match}
        self.cpus = {int(match[1]) for match in map(re.compile(r"NMI backtrace for cpu (\d+)").search, self.lines) if match}


@pytest.fixture(scope="module")
def on_xen():
    deps.ensure("guests")
    log = Log("Xen", 4)
    assert log.verdict.status == 0, log.verdict.summary
    assert log.warnings and log.files and log.cpus == {0, 1, 2, 3}
    return log


@pytest.mark.parametrize("cpus", [1, 4])
def test_nothing_to_complain_of(on_xen, cpus):
    log = Log("Tine", cpus)
    assert log.verdict.status == 0, log.verdict.summary
    assert log.warnings - on_xen.warnings - set(ALLOWED) == set()
    assert log.warnings & on_xen.warnings, "no line of the log was found at all"
    assert log.files == on_xen.files
    assert log.cpus == set(range(cpus))
    assert any("reboot: Power down" in line for line in log.lines)
