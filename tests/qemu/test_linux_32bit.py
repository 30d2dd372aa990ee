# SPDX-License-Identifier: GPL-2.0-or-later
"""32-bit programs in Debian's 64-bit PV kernel, whose way in is sysenter on Intel's CPUs and syscall on AMD's.

One boot for each: Debian's i386 busybox, and our own program, which checks int80 and the other way with their flags,
TLS by set_thread_area, LDTs by modify_ldt, faults, and switches between processes (tests/user32).  The same boots on
Debian's Xen give the same lines.  At last the kernel counts its update_descriptor calls: one a switch between processes
with different TLS, none between those with the same.
"""

import re

import pytest
from whole_boot import build, guests

from tinelib.iso import BootPlan
from tinelib.machine import Machine
from tinelib.run import TINE_OPTIONS, booted, watch

LINES = [
    "user32 test",
    'busybox32 sh -c "busybox32 ls / | busybox32 grep -c init; exec busybox32 echo from a 32-bit shell"',
    "tls-bench 200",
]
CHECKS = 30


UPDATES = re.compile(r"tls-bench: mode=(\w+) switches=(\d+) updates=(\d+)")


def updates_per_switch(lines):
    """{mode: update_descriptor calls a switch}"""
    found = [match.groups() for match in map(UPDATES.search, lines) if match]
    return {mode: int(updates) / int(switches) for mode, switches, updates in found}


@pytest.mark.parametrize("cpu, way", [("Haswell-noTSX", "sysenter"), ("EPYC,+pdpe1gb,-monitor", "syscall")])
def test_32bit_programs(cpu, way):
    plan = BootPlan("Tine", build.hypervisor(), TINE_OPTIONS, guests.modules("linux-pv32", "tine"))
    lines = []
    with booted(plan, Machine(mem=512 << 20, cpu=cpu), silence=180.0, timeout=600.0) as qemu:
        verdict = watch(qemu, LINES, on_line=lines.append)
    said = [line[line.index("user32: "):] for line in lines if "user32: " in line]
    assert f"user32: the kernel's way in is {way}" in said, verdict.summary
    assert not [line for line in said if "FAILED" in line]
    assert len([line for line in said if line.startswith("user32: ok")]) == CHECKS
    assert "user32: all is well" in said
    assert any(line.endswith("from a 32-bit shell") and "echo" not in line for line in lines)
    updates = updates_per_switch(lines)
    # A kernel thread in between, which the timer may cause, costs two: there and back.
    assert updates["none"] == 0 and updates["same"] < 0.3 and 0.95 < updates["different"] < 1.4, updates
    assert verdict.status == 0, verdict.summary
