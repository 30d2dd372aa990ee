# SPDX-License-Identifier: GPL-2.0-or-later
"""A soak's machines that are talked to: Debian's kernel under stress, and domains that come and go."""

import contextlib
import re
import tempfile
import time

from . import build, guests
from .console import Console, Unexpected
from .iso import BootPlan, Module
from .ktap import FAIL, PASS, Result
from .machine import Machine
from .run import TINE_OPTIONS, booted
from .suite_hostile import CLEAN, configured
from .suite_machines import log_path

LIMITS = {"silence": 300.0, "timeout": 1800.0}
DOWN_WELL = (33, None)     # QEMU's status and reason
FORKS, LIVES, BALLOONS, MACHINES, BOOTS = "forks", "domain lives", "balloon moves", "machines", "PVH boots"
USUAL = re.compile(r"Speculative Return Stack Overflow|AMD Zen1 .* bug")    # the kernel about the CPU model, on Debian's Xen as well
COMPLAINT = re.compile(r"^\(d\d+\) \[.*\b(WARNING|BUG|Oops|Call Trace|general protection|bad page)\b|^\(TINE\).*(panic|leak|still hold)")


@contextlib.contextmanager
def talk(name, modules, mem, smp, options="", threads=""):
    """The console of a debug machine that checks its domains as they end."""
    plan = BootPlan("Tine", build.image_of("debug"), f"{TINE_OPTIONS} consistency {options}".strip(), modules)
    with open(log_path(name), "w", encoding="utf-8") as log, booted(plan, Machine(mem=mem << 20, smp=smp, threads=threads), **LIMITS) as qemu:
        yield Console(qemu, log)


def verdict(name, dialogue):
    """The result of DIALOGUE(), which raises Unexpected when something is not as it should be."""
    try:
        return [Result(name, PASS, dialogue() or "")]
    except Unexpected as problem:
        return [Result(name, FAIL, str(problem).splitlines()[0])]


def demand(condition, why):
    if not condition:
        raise Unexpected(why)


def end_well(console, status=DOWN_WELL):
    ended = console.status()
    demand(ended == status, f"the machine ended with {ended}")
    bad = [line for line in console.lines if COMPLAINT.search(line) and not USUAL.search(line)]
    demand(not bad, f"it complained: {bad[0] if bad else ''}")
    checks = [line for line in console.lines if "consistency: " in line and "differences" in line]
    demand(checks and all(CLEAN in line for line in checks), "the consistency check found differences")


# ---- Debian's kernel: four vCPUs that fork, 32-bit programs, a balloon that goes up and down ----

LINUX_VCPUS, LINUX_CPUS = 4, 2
BALLOON_LOOKS = 600


def script(rng):
    """LOOPS that fork and execute at once, beside one that has 32-bit programs change their descriptors; and the count."""
    loops, turns, programs = rng.randrange(3, 7), rng.randrange(10, 25), rng.randrange(1, 3)
    kinds = ["/bin/true", "(echo $i | cat >/dev/null)", "(sleep 0; :)", "dd if=/dev/zero of=/tmp/f$k bs=4k count=64 2>/dev/null",
             "(sleep 9 & kill -9 $!) 2>/dev/null", "ls -lR /bin >/dev/null"]
    body = "; ".join(rng.sample(kinds, 4))
    return (f"u=0; for k in $(seq {loops}); do (i=0; while [ $i -lt {turns} ]; do {body}; i=$((i+1)); done) & done; "
            f"(u=0; while [ $u -lt {programs} ]; do user32 test >/tmp/u || {{ tail -5 /tmp/u; echo user32 fai''led; }}; u=$((u+1)); done) & "
            "wait; echo all do''ne, $(grep processes /proc/stat)\n")


def balloon(console, size):
    """Domain 1 is told to have SIZE MiB, and followed until it has: an eighth is left to what it cannot free at once."""
    console.command(f"balloon 1 {size}M")
    console.expect(r"Domain 1 is asked")
    for _ in range(BALLOON_LOOKS):
        console.command("info 1")
        has = int(console.expect(r"  \d+ frames \((\d+) MiB\), at most")[1])
        if abs(has - size) <= size // 8:
            return
        time.sleep(0.2)
    raise Unexpected(f"the balloon stops at {has} MiB on its way to {size}")


def forks(rng, counters):
    memory = rng.randrange(192, 320)
    low = rng.randrange(96, 160)
    line, name = script(rng), f"4 vCPUs fork on 2 CPUs, balloon {low} to {memory} MiB"
    attacker = f"attack seed={rng.randrange(1 << 40)} calls=4000"

    def dialogue(console):
        console.expect(r"\(d1\) user space on Linux")
        console.type(line)
        console.to_hypervisor()
        moves = 0
        while not any("all done" in said for said in console.lines):
            balloon(console, memory if moves % 2 else low)
            moves += 1
        done = next(said for said in console.lines if "all done" in said)
        demand(not any("user32 failed" in said for said in console.lines), "a 32-bit program failed")
        console.command("console 1")
        console.expect("Console input goes to domain 1")
        console.type("exit\n")
        console.expect(r"Domain 1 shut down: poweroff")
        end_well(console)
        count = int(re.search(r"processes (\d+)", done)[1])
        for what, number in ((FORKS, count), (BALLOONS, moves), (MACHINES, 1), (LIVES, 2)):
            counters.add(what, number)
        return f"{count} forks, {moves} balloon moves"

    def run():
        kernel, ramdisk = guests.modules("linux-pv32", "tine")[:2]
        with tempfile.TemporaryDirectory() as folder:
            modules = [configured(folder, "deb", kernel.args, kernel="vmlinuz", ramdisk="initrd", memory=memory, vcpus=LINUX_VCPUS),
                       configured(folder, "attacker", attacker, memory=32), Module(kernel.path, "vmlinuz"),
                       Module(ramdisk.path, "initrd"), Module(guests.modules("tiny", "tine")[0].path, "tiny")]
            with talk(name, modules, 640, LINUX_CPUS) as console:
                return verdict(name, lambda: dialogue(console))

    return [(name, True, run)]


# ---- Debian's kernel as a PVH guest of several vCPUs, booted again and again ----

REBOOTS = 10


def pvh_boots(rng, counters):
    """On three CPUs, of which QEMU lets such a guest have two (svm_affinity.c), with a thread for each or one for all."""
    threads, vcpus = rng.choice(("single", "multi")), rng.choice((2, 4))
    name = f"Debian's kernel, PVH, {vcpus} vCPUs on 3 CPUs, {threads} thread, booted {REBOOTS + 1} times"

    def dialogue(console):
        for boot in range(1, REBOOTS + 2):
            console.expect(rf"\(d{boot}\) user space on Linux")
            console.type(f"echo $(nproc) processors; {'reboot -f' if boot <= REBOOTS else 'exit'}\n")
            console.expect(rf"^\(d{boot}\) {vcpus} processors")
            counters.add(BOOTS)
        end_well(console)
        counters.add(MACHINES)

    def run():
        kernel, ramdisk = guests.modules("linux-pv", "tine")[:2]
        with tempfile.TemporaryDirectory() as folder:
            modules = [configured(folder, "deb", "console=hvc0 rdinit=/init quiet", type="pvh", kernel="vmlinuz", ramdisk="initrd",
                                  memory=256, vcpus=vcpus),
                       Module(kernel.path, "vmlinuz"), Module(ramdisk.path, "initrd")]
            with talk(name, modules, 768, 3, threads=threads) as console:
                return verdict(name, lambda: dialogue(console))

    return [(name, True, run)]


# ---- Domains that end and are built again, several at once ----

WAITING = r"\(d(\d+)\) (?:tiny: waiting|wait: ready)"
# In frames. Small objects of a new life share pages with those of the last one, so that some pages more are kept at first: not for long.
SETTLING, TOLERANCE = 400, 40


def free_frames(console):
    console.type("m")
    return int(console.expect(r"Node 0: \d+ frames, (\d+) free")[1])


class Births:
    """Domains that have said that they wait, wherever between other lines."""

    def __init__(self, console):
        self.console, self.seen, self.born = console, 0, []

    def next(self, number):
        """The ids of the next NUMBER."""
        while len(self.born) < number:
            while self.seen == len(self.console.lines):
                self.console.read("waiting for domains to be built again")
            found = re.search(WAITING, self.console.lines[self.seen])
            self.seen += 1
            if found:
                self.born.append(int(found[1]))
        self.console.seen = self.seen
        born, self.born = self.born[:number], self.born[number:]
        return sorted(born)


def settled(console):
    """Free frames, once two looks agree: a domain's end is told before all its memory is back."""
    before, now = -1, free_frames(console)
    while before != now:
        before, now = now, free_frames(console)
    return now


def churn(rng, counters):
    """Workers wait until they are asked to end, most attack before they do; all are asked at once, so that ends and births meet.
    They are asked by their store: the console's input stays with the hypervisor, wherever domains come and go."""
    rounds, count = rng.randrange(12, 20), rng.randrange(2, 5)
    name = f"{count} domains that come and go, {rounds} times"
    works = [(f"wait attack seed={rng.randrange(1 << 40)} calls={rng.randrange(200, 2000)}", rng.randrange(24, 64),
              rng.randrange(1, 4)) for _ in range(count)]
    ends = [[rng.choice(("shutdown", "shutdown", "reboot")) for _ in range(count)] for _ in range(rounds)]

    def dialogue(console):
        births = Births(console)
        workers = births.next(count + 1)
        console.to_hypervisor()
        free = [settled(console)]
        keeper = count + 1    # the last that was configured has the last number
        workers.remove(keeper)
        for orders in ends:
            for worker, order in zip(workers, orders):
                console.command(f"{order} {worker}")
            workers = births.next(count)
            free.append(settled(console))
        middle = free[len(free) // 2]
        demand(free[0] - middle <= SETTLING and middle - free[-1] <= TOLERANCE, f"free frames become less: {free}")
        for worker in workers:
            console.command(f"destroy {worker}")
            console.expect(f"Domain {worker} destroyed")
        console.to_domain(keeper)
        console.type("quit\n")
        end_well(console, (35, None))    # a domain that was destroyed has not powered off
        counters.add(LIVES, count * (rounds + 1) + 1)
        counters.add(MACHINES)
        return f"free frames: {free[0]}, {middle}, {free[-1]}"

    def run():
        with tempfile.TemporaryDirectory() as folder:
            again = {"on_poweroff": "restart", "on_reboot": "restart", "on_crash": "restart"}
            modules = [configured(folder, f"worker{i}", words, memory=memory, vcpus=vcpus, **again)
                       for i, (words, memory, vcpus) in enumerate(works)]
            modules += [configured(folder, "keeper", "linger", memory=16), Module(guests.modules("tiny", "tine")[0].path, "tiny")]
            with talk(name, modules, 512, 2) as console:
                return verdict(name, lambda: dialogue(console))

    return [(name, True, run)]
