# SPDX-License-Identifier: GPL-2.0-or-later
"""What fork(2) costs processes of the sizes that guests have: Debian's own kernel on the bare machine, the same emulated one.

The only process (tests/tine-fork/process-fork.c) times rounds: fork, the child writes to some pages and ends, wait.  It does so with pages of
4 KiB and with those of 2 MiB that the kernel gives whoever asks for them.
"""

import re

from . import build, cache, guests
from .bench_heap import fields
from .iso import BootPlan, Module
from .machine import CPU_MODELS, Machine
from .run import booted, host_memory, watch
from .say import EXIT_FAILED, EXIT_OK, Step, Stop, note
from .sizes import show_size

MIB = 1 << 20
ROUNDS = {64 * MIB: 10, 512 * MIB: 10, 2048 * MIB: 3}    # of each kind; others: one
LINE = re.compile(r"process-fork: (mib=.*)")
OPTIONS = "console=ttyS0 quiet nokaslr norandmaps"       # addresses that chance chooses would make figures differ
PAGES = ("4k", "2m")


def memory_for(size):
    """The process, tables of two such, and the kernel with what it keeps of each page."""
    return size + size // 32 + 512 * MIB


def lines_of(sizes):
    wanted = ",".join(f"{size // MIB}:{ROUNDS.get(size, 1)}" for size in sizes)
    plan = BootPlan("Linux", cache.linux_kernel(), f"{OPTIONS} sizes={wanted}", [Module(guests.only_program(build.process_fork()))])
    machine = Machine(mem=memory_for(max(sizes)), cpu=CPU_MODELS["tine"], firmware="pvh", icount=True)
    lines = []
    with booted(plan, machine, silence=600.0, timeout=1800.0) as qemu:
        verdict = watch(qemu, on_line=lines.append)
    if verdict.status != EXIT_OK:
        raise Stop(f"fork bench, Linux's processes: {verdict.summary}; it said: {' | '.join(lines[-3:])}", EXIT_FAILED)
    return [fields(match[1]) for match in map(LINE.search, lines) if match]


def measure(sizes, summary):
    """Rows like those of forks of guests, by SUMMARY(size, strategy, metric, values, whose)."""
    fitting = [size for size in sizes if memory_for(size) <= host_memory() // 4 * 3]
    for size in sizes:
        if size not in fitting:
            note(f"fork: a process of {show_size(size)} under Linux is left out: it writes to all of it, and this host has too little memory")
    if not fitting:
        return []
    with Step(f"fork: processes under Linux, {', '.join(map(show_size, fitting))}"):
        said = lines_of(fitting)
    found = {}
    for line in said:
        key = (int(line["mib"]) * MIB, f"process-{line['pages']}", f"fork_round_{line['dirty']}")
        found.setdefault(key, []).append(line["ticks"])
    return [summary(*key, values, "linux") for key, values in found.items()]
