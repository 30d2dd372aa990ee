# SPDX-License-Identifier: GPL-2.0-or-later
"""Forks of live guests, for tests on any architecture: a console with shells of several Linux domains, and what is to hold of parents and forks.

Each scenario gets a Linux guest that has just come up, or the console of a machine that boots the tiny guest with the word that its name says; and leaves a
machine whose domains have all ended.
"""

import time

from dialog import SWITCH

MIB = 1 << 20
QUIET = "console=hvc0 rdinit=/init quiet"
HYPERVISOR = "the hypervisor"


class Forks:
    """A console with a guest that can be forked, domain 1; shells of any domain, and the hypervisor's command line."""

    def __init__(self, console):
        self.console = console
        self.at = "domain 1"
        console.expect(r"\(d1\) user space on Linux")

    def go(self, where):
        """Passes the console's input on until WHERE has it."""
        if self.at == HYPERVISOR and where != HYPERVISOR:
            self.console.command(f"console {where.split()[-1]}")
            self.at = self.console.expect(r"Console input goes to (domain \d+|the hypervisor)")[1]
        while self.at != where:
            self.console.type(SWITCH)
            self.at = self.console.expect(r"Console input goes to (domain \d+|the hypervisor)")[1]

    def command(self, text, answer):
        self.go(HYPERVISOR)
        self.console.command(text)
        return self.console.expect(answer)

    def fork(self, parent):
        return int(self.command(f"fork {parent}", rf"Domain {parent}: forked as (\d+) in \d+ cycles")[1])

    def reset(self, child):
        self.command(f"reset {child}", rf"Domain {child}: reset in \d+ cycles")

    def sh(self, domain, line, answer):
        """What the shell of DOMAIN says to LINE; ANSWER matches a whole line."""
        self.go(f"domain {domain}")
        self.console.type(line + "\n")
        return self.console.expect(rf"^\(d{domain}\) {answer}\r?$")

    def has(self, domain):
        """So many KiB, its own and what it has in common with others."""
        self.command(f"info {domain}", r"^")
        found = self.console.expect(r"memory: (\d+) KiB for itself, (\d+) KiB in common with forks")
        return int(found[1]) + int(found[2])

    def off(self, domain):
        self.go(f"domain {domain}")
        self.console.type("exit\n")
        self.console.expect(rf"Domain {domain} shut down: poweroff")
        self.at = None


def fill(forks, mib=64):
    """So much noise in the guest's tmpfs; its checksum."""
    return forks.sh(1, f"dd if=/dev/urandom of=/tmp/seed bs=1M count={mib} 2>/dev/null; echo sum $(md5sum </tmp/seed)", "sum ([0-9a-f]{32}) .*")[1]


def checked(forks, domain):
    return forks.sh(domain, "echo sum $(md5sum </tmp/seed)", "sum ([0-9a-f]{32}) .*")[1]


def ahead(forks, domain):
    """By how many seconds the guest's wall clock is ahead of the build host's, after a second's sleep."""
    guest = int(forks.sh(domain, "sleep 1; echo now $(date +%s)", r"now (\d+)")[1])
    return guest - time.time()


def clocks_agree(forks, one, other):
    """The machine's clock is right within a minute, as loaded as the host may be; and what forks say of it is the same."""
    first, second = ahead(forks, one), ahead(forks, other)
    assert abs(first) < 60
    assert abs(first - second) < 5


def all_there(console):
    """No fork misses a frame, and no count is wrong; the machine has ended."""
    assert not [line for line in console.lines if "not materialised" in line]
    checks = [line for line in console.lines if "consistency: " in line and "differences" in line]
    assert checks and all("consistency: 0 differences" in line for line in checks)


def start_writers(forks):
    """Two processes of domain 1 that write all the time; both have begun."""
    writer = "while true; do dd if=/dev/urandom of=/tmp/w$i bs=64k count=16 2>/dev/null; done"
    begun = "until [ -e /tmp/w1 ] && [ -e /tmp/w2 ]; do sleep 1; done"
    forks.sh(1, f"for i in 1 2; do ({writer}) & done; {begun}; echo writing", "writing")


def stop_writers(forks, domain):
    """The processes are there, in whichever domain."""
    forks.sh(domain, "kill $(jobs -p) && wait; rm /tmp/w1 /tmp/w2 && echo quiet", "quiet")


def both_go_on(forks, vcpus, mib, writers=False):
    """
    Parent and child overwrite what they had in common; a fork of the fork; the parents end first; what was never touched stays; and a reset. With
    WRITERS the parent's vCPUs write during the fork.
    """
    seed = fill(forks, mib)
    if writers:
        start_writers(forks)
    child = forks.fork(1)
    assert forks.has(child) == forks.has(1)
    if writers:
        stop_writers(forks, 1)
        stop_writers(forks, child)
    forks.sh(child, "echo child $((40 + 1)) on $(nproc)", f"child 41 on {vcpus}")
    forks.sh(1, "echo parent $((40 + 2)) on $(nproc)", f"parent 42 on {vcpus}")
    assert checked(forks, child) == seed
    fresh = fill(forks, mib)
    assert fresh != seed and checked(forks, 1) == fresh
    assert checked(forks, child) == seed
    clocks_agree(forks, child, 1)
    grandchild = forks.fork(child)
    forks.sh(child, f"dd if=/dev/zero of=/tmp/seed bs=1M count={mib} conv=notrunc 2>/dev/null; echo done", "done")
    forks.command(f"info {child}", r"fork of domain 1, reset 0 times")
    forks.console.expect(r"memory: \d+ KiB for itself, \d+ KiB in common with forks")
    forks.off(1)
    forks.off(child)
    assert checked(forks, grandchild) == seed
    forks.sh(grandchild, "rm /tmp/seed; dd if=/dev/zero of=/tmp/more bs=1M count=64 2>/dev/null; echo $(wc -c </tmp/more) more", "67108864 more")
    forks.reset(grandchild)
    assert checked(forks, grandchild) == seed
    forks.off(grandchild)


def goes_back(forks, mib=64):
    """A reset brings back what there was, twice, also after the parent has gone; then the shell is where it was."""
    seed = fill(forks, mib)
    child = forks.fork(1)
    for parent_lives in (True, False):
        forks.sh(child, f"dd if=/dev/urandom of=/tmp/seed bs=1M count={mib} 2>/dev/null; touch /tmp/new; echo done", "done")
        assert checked(forks, child) != seed
        forks.reset(child)
        assert checked(forks, child) == seed
        forks.sh(child, "ls /tmp/new 2>&1 | tail -n 1; echo listed", "ls: /tmp/new: No such file or directory")
        if parent_lives:
            clocks_agree(forks, child, 1)
            forks.off(1)
    forks.off(child)


def forks_itself(forks, inputs, panic=3):
    """A process asks; it is in both, parent and fork, and the parent learns how the fork ended, with reason PANIC in that case. Then a loop over so many INPUTS."""
    forks.sh(1, "insmod /bin/xen-privcmd.ko unrestricted=1; tine-fork", "tine-fork: I am the parent of 2")
    forks.sh(2, "", ".*")
    forks.sh(2, "tine-fork exit 77; echo not here", ".*")
    forks.sh(1, "tine-fork wait 2", "tine-fork: 2 ended with code 77, reason 0")
    forks.sh(1, "tine-fork reset 2; echo back again", "back again")
    forks.sh(2, "echo c > /proc/sysrq-trigger", ".*")
    forks.sh(1, "tine-fork wait 2", f"tine-fork: 2 ended with code 0, reason {panic}")
    forks.sh(1, "tine-fork destroy 2; tine-fork wait 2", "tine-fork: wait: No such process")
    if inputs:
        forks.sh(1, f"tine-fork loop {inputs}", f"tine-fork: {inputs} inputs, all as expected")
    forks.off(1)


def may_not(forks):
    forks.sh(1, "insmod /bin/xen-privcmd.ko unrestricted=1; tine-fork", "tine-fork: fork: Operation not permitted")
    forks.sh(1, "tine-fork exit 1", "tine-fork: exit: Operation not permitted")
    forks.off(1)


def while_it_writes(forks):
    """Two processes write all the time; each fork has them, they write on in it, and what was written before stays."""
    forks.sh(1, "dd if=/dev/urandom of=/tmp/seed bs=1M count=8 2>/dev/null; echo filled", "filled")
    start_writers(forks)
    seed = checked(forks, 1)
    children = [forks.fork(1) for _ in range(2)]
    for child in children:
        assert checked(forks, child) == seed
        stop_writers(forks, child)
        forks.off(child)
    assert checked(forks, 1) == seed
    stop_writers(forks, 1)
    forks.off(1)


# ---- The tiny guest, which looks at its memory and its forks' itself ----


def tiny_fork(console, many):
    """`fork many=MANY chain=16`: 48 MiB of a pattern that parent, forks, and forks of forks overwrite; many at the same time, and 16 deep."""
    console.expect(rf"\(d1\) tiny: fork: {many} at the same time")
    console.expect(r"\(d1\) tiny: fork: 16 deep")
    console.expect(r"\(d1\) tiny: fork: done")
    console.expect(r"\) tiny: fork: an orphan reads and writes")
    console.expect(r"consistency: 0 differences")


def tiny_may_not(console):
    console.expect(r"\(d1\) tiny: fork: a guest that may not")


def tiny_churn(console):
    """`fork churn=N`: forks made, run, reset and destroyed at random, each checking what it finds; all references checked at each end and at the last."""
    console.expect(r"tiny: fork: \d+ forks and \d+ resets in no order")
    console.expect(r"consistency: 0 differences")


def tiny_bound(console):
    """
    `fork bound` with max_forks=5, which is for forks of forks as well; the console is not bound by it, and ends what a guest has made together with the
    guest. A failure for the machine.
    """
    console.expect(r"tiny: fork: no more than it may")
    console.expect(r"tiny: fork: those of its forks are among them")
    console.to_hypervisor()
    console.command("fork 1")
    console.expect(r"Domain 1: forked as 7 in")
    console.command("info 1")
    console.expect(r"family of domain 1: 6 forks \(5 by itself at most\), \d+ KiB of them all")
    console.command("destroy 1")
    for _ in range(6):
        console.expect(r"Domain [1-6] (destroyed|shut down: poweroff)")
    console.command("destroy 7")
    console.expect(r"Domain 7 destroyed")
    console.expect(r"consistency: 0 differences")


def tiny_exhaust(console, least):
    """`fork exhaust`: parent and forks do not notice that there is no memory for another, when there are LEAST or more; and the memory comes back."""
    console.expect(r"tiny: fork: no memory for another")
    assert int(console.expect(r"tiny: fork: (\d+) at the same time")[1]) > least
    console.expect(r"tiny: fork: a fork when there is memory again")
    console.expect(r"consistency: 0 differences")
