# SPDX-License-Identifier: GPL-2.0-or-later
"""A soak's forks of Debian's kernel: a hundred of one parent at the same time, and forks of forks sixteen deep, by a strategy that chance picks."""

import tempfile

from . import guests
from .iso import Module
from .soak_domains import FORKS, MACHINES, demand, end_well, talk, verdict
from .suite_hostile import configured

# A hundred kernels on one CPU: each is right that it is kept waiting.
QUIET = "console=hvc0 rdinit=/init quiet nowatchdog rcupdate.rcu_cpu_stall_suppress=1"
STRATEGIES = ("subtree", "run", "frame")
AT_ONCE, DEEP = 100, 16
NOISE = 4    # MiB


class Shells:
    """The shells of domain 1 and its forks, one at a time."""

    def __init__(self, console):
        self.console, self.at = console, None
        console.expect(r"\(d1\) user space on Linux")

    def command(self, text, answer):
        if self.at != "the hypervisor":
            self.console.to_hypervisor()
            self.at = "the hypervisor"
        self.console.command(text)
        return self.console.expect(answer)

    def say(self, domain, line, answer):
        if self.at != domain:
            self.command(f"console {domain}", rf"Console input goes to domain {domain}\b")
            self.at = domain
        self.console.type(line + "\n")
        return self.console.expect(rf"^\(d{domain}\) {answer}\r?$")

    def fork(self, parent):
        return int(self.command(f"fork {parent}", rf"Domain {parent}: forked as (\d+) in \d+ cycles")[1])

    def noise(self, domain):
        """New noise; its checksum."""
        line = f"dd if=/dev/urandom of=/tmp/seed bs=1M count={NOISE} 2>/dev/null; echo sum $(md5sum </tmp/seed)"
        return self.say(domain, line, "sum ([0-9a-f]{32}) .*")[1]

    def checked(self, domain):
        return self.say(domain, "echo sum $(md5sum </tmp/seed)", "sum ([0-9a-f]{32}) .*")[1]

    def off(self, domain):
        self.say(domain, "exit", ".*")
        self.console.expect(rf"Domain {domain} shut down: poweroff")
        self.at = None


def many(shells, rng):
    """All run; the parent overwrites; some, picked by chance, have what was there, and write."""
    seed = shells.noise(1)
    forks = [shells.fork(1) for _ in range(AT_ONCE)]
    demand(shells.noise(1) != seed, "noise repeats")
    for fork in rng.sample(forks, 8):
        demand(shells.checked(fork) == seed, f"fork {fork} has not what was there")
        demand(shells.noise(fork) != seed, "noise repeats")
    for fork in rng.sample(forks, 8):
        shells.command(f"reset {fork}", rf"Domain {fork}: reset in \d+ cycles")
        demand(shells.checked(fork) == seed, f"fork {fork} has not what was there after a reset")
    return forks


def chain(shells, rng):
    """Each makes noise before it is forked; in no order each has its own. All are there at the same time."""
    links, sums = [1], [shells.noise(1)]
    for _ in range(DEEP):
        links.append(shells.fork(links[-1]))
        demand(shells.checked(links[-1]) == sums[-1], f"fork {links[-1]} has not what was there")
        sums.append(shells.noise(links[-1]))
    order = list(range(len(links)))
    rng.shuffle(order)
    for at in order:
        demand(shells.checked(links[at]) == sums[at], f"domain {links[at]}, {at} deep, has not its own")
    return links[1:]


def linux(rng, counters):
    strategy, what = rng.choice(STRATEGIES), rng.choice((many, chain))
    vcpus = 1 if what is many else 2
    name = f"Debian's kernel, {vcpus} vCPUs, {what.__name__}, fork={strategy}"

    def dialogue(console):
        shells = Shells(console)
        forks = what(shells, rng)
        for fork in forks:
            shells.command(f"destroy {fork}", f"Domain {fork} destroyed")
        shells.off(1)
        end_well(console)
        demand(not any("not materialised" in line for line in console.lines), "a frame is missing")
        counters.add(FORKS, len(forks))
        counters.add(MACHINES)
        return f"{len(forks)} forks"

    def run():
        kernel, ramdisk = guests.modules("linux-pv", "tine")[:2]
        with tempfile.TemporaryDirectory() as folder:
            modules = [configured(folder, "deb", QUIET, type="pvh", kernel="vmlinuz", ramdisk="initrd", memory=128, vcpus=vcpus),
                       Module(kernel.path, "vmlinuz"), Module(ramdisk.path, "initrd")]
            with talk(name, modules, 4096, 1, f"fork={strategy}") as console:
                return verdict(name, lambda: dialogue(console))

    return [(name, False, run)]
