# SPDX-License-Identifier: GPL-2.0-or-later
"""What fork(2) costs processes of the sizes that guests have: Debian's own kernel on the bare machine, the same emulated one.

The only process (tests/tine-fork/process-fork.c) times rounds: fork, the child writes to some pages and ends, wait.  It does so with pages of
4 KiB and with those of 2 MiB that the kernel gives whoever asks for them.
"""

import re
from dataclasses import dataclass
from typing import Callable

from . import build, cache, guests
from .bench_heap_arm64 import TICK
from .bench_heap import fields
from .iso import BootPlan, Module
from .machine import CPU_MODELS, Machine
from .machine_arm64 import Virt
from .run import booted, host_memory, watch
from .say import EXIT_FAILED, EXIT_OK, Step, Stop, note
from .sizes import show_size

MIB = 1 << 20
ROUNDS = {64 * MIB: 10, 512 * MIB: 10, 2048 * MIB: 3}    # of each kind; others: one
LINE = re.compile(r"process-fork: (mib=.*)")
OPTIONS = "quiet nokaslr norandmaps"       # addresses that chance chooses would make figures differ
PAGES = ("4k", "2m")


@dataclass
class Bare:
    """Linux on an architecture's machine without a hypervisor: its kernel, its console, the machine of so much memory with a ramdisk; instructions a tick."""

    kernel: Callable
    console: str
    machine: Callable
    tick: int = 1


# A machine takes the ramdisk as the only module (x86), or by a word of QEMU's own.
BARE = {
    "x86_64": Bare(cache.linux_kernel, "ttyS0", lambda size, disk: (
        Machine(mem=size, cpu=CPU_MODELS["tine"], firmware="pvh", icount=True), [Module(disk)])),
    "arm64": Bare(cache.linux_kernel_arm64, "ttyAMA0", lambda size, disk: (
        Virt(mem=size, icount=True, extra=("-initrd", str(disk))), []), TICK),
}


def memory_for(size):
    """The process, tables of two such, and the kernel with what it keeps of each page."""
    return size + size // 32 + 512 * MIB


def lines_of(sizes, arch):
    bare = BARE[arch]
    wanted = ",".join(f"{size // MIB}:{ROUNDS.get(size, 1)}" for size in sizes)
    machine, modules = bare.machine(memory_for(max(sizes)), guests.only_program(build.process_fork(arch)))
    plan = BootPlan("Linux", bare.kernel(), f"console={bare.console} {OPTIONS} sizes={wanted}", modules)
    lines = []
    with booted(plan, machine, silence=600.0, timeout=1800.0) as qemu:
        verdict = watch(qemu, on_line=lines.append)
    if verdict.status != EXIT_OK:
        raise Stop(f"fork bench, Linux's processes: {verdict.summary}; it said: {' | '.join(lines[-3:])}", EXIT_FAILED)
    return [fields(match[1]) for match in map(LINE.search, lines) if match]


def measure(sizes, summary, arch="x86_64"):
    """Rows like those of forks of guests, by SUMMARY(size, strategy, metric, values, whose)."""
    fitting = [size for size in sizes if memory_for(size) <= host_memory() // 4 * 3]
    for size in sizes:
        if size not in fitting:
            note(f"fork: a process of {show_size(size)} under Linux is left out: it writes to all of it, and this host has too little memory")
    if not fitting:
        return []
    with Step(f"fork on {arch}: processes under Linux, {', '.join(map(show_size, fitting))}"):
        said = lines_of(fitting, arch)
    found = {}
    for line in said:
        key = (int(line["mib"]) * MIB, f"process-{line['pages']}", f"fork_round_{line['dirty']}")
        found.setdefault(key, []).append(line["ticks"] * BARE[arch].tick)
    return [summary(*key, values, "linux") for key, values in found.items()]
