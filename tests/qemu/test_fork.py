# SPDX-License-Identifier: GPL-2.0-or-later
"""Forks of live Linux guests: parent and child both go on, with the same past and each its own future."""

import pytest
from dialog import config, talk  # noqa: F401
from forks import MIB, QUIET, Forks, all_there, both_go_on, forks_itself, goes_back, may_not, while_it_writes
from test_pvh import GOOD, SMP_TOO, linux

from tinelib import build, guests
from tinelib.iso import Module

BAD = (35, None)


@pytest.fixture
def start(talk, config):
    def boot(mem=1024, options="consistency", programs=None, **fields):
        modules = linux(config, memory=256, extra=QUIET, **fields)
        if programs:
            modules[2] = Module(guests.ramdisk(programs), "initrd")
        return Forks(talk(*modules, mem=mem * MIB, smp=1, options=options))
    return boot


def ended_well(forks):
    assert forks.console.status() == GOOD


@pytest.mark.parametrize("vcpus, strategy", [(1, "subtree"), (2, "run"), (2, "frame"), (4, "subtree")])
def test_both_go_on(start, vcpus, strategy):
    forks = start(options=f"consistency fork={strategy}", vcpus=vcpus)
    both_go_on(forks, vcpus, 64 if vcpus < 4 else 8, writers=vcpus == 2)
    ended_well(forks)
    all_there(forks.console)


def test_reset(start):
    forks = start()
    goes_back(forks)
    ended_well(forks)


@pytest.mark.parametrize("vcpus", [1, 4])
def test_linux_forks_itself(start, vcpus):
    forks = start(options="", programs=guests.fork_programs(), vcpus=vcpus, fork=1)
    forks_itself(forks, 50 if vcpus == 1 or SMP_TOO else 0)
    ended_well(forks)


def test_linux_that_may_not(start):
    forks = start(mem=512, options="", programs=guests.fork_programs())
    may_not(forks)
    ended_well(forks)


def test_forked_while_it_writes(start):
    forks = start(vcpus=4)
    while_it_writes(forks)
    ended_well(forks)


def tiny(config, words, **fields):
    return [config("tiny", type="pvh", kernel="tinypvh", memory=80, extra=words, **fields), Module(build.tiny_pvh(), "tinypvh")]


@pytest.mark.parametrize("variant, strategy, many", [("release", "subtree", 100), ("debug", "subtree", 20), ("debug", "run", 6), ("debug", "frame", 6)])
def test_tiny(talk, config, variant, strategy, many):
    """48 MiB of a pattern that parent, forks, and forks of forks overwrite; many forks at the same time, and 16 deep; all references checked."""
    console = talk(*tiny(config, f"fork many={many} chain=16", fork=1, max_forks=many + 20), mem=512 * MIB, smp=1, variant=variant, options=f"consistency fork={strategy}")
    console.expect(rf"\(d1\) tiny: fork: {many} at the same time")
    console.expect(r"\(d1\) tiny: fork: 16 deep")
    console.expect(r"\(d1\) tiny: fork: done")
    console.expect(r"\) tiny: fork: an orphan reads and writes")
    console.expect(r"consistency: 0 differences")
    assert console.status() == GOOD
    all_there(console)


def test_tiny_may_not(talk, config):
    console = talk(*tiny(config, "may-not"), smp=1)
    console.expect(r"\(d1\) tiny: fork: a guest that may not")
    assert console.status() == GOOD


def test_tiny_in_no_order(talk, config):
    """Forks made, run, reset and destroyed at random, each checking what it finds; all references checked at each end and at the last."""
    console = talk(*tiny(config, "fork churn=200", fork=1), mem=512 * MIB, smp=1, options="consistency")
    console.expect(r"tiny: fork: \d+ forks and \d+ resets in no order")
    console.expect(r"consistency: 0 differences")
    assert console.status() == GOOD


def test_tiny_as_many_as_it_may(talk, config):
    """max_forks is for forks of forks as well; the console is not bound by it, and ends what a guest has made together with the guest."""
    console = talk(*tiny(config, "fork bound", fork=1, max_forks=5), mem=512 * MIB, smp=1, options="consistency")
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
    assert console.status() == BAD


def test_tiny_until_there_is_no_memory(talk, config):
    """The parent and the forks that there are do not notice that there is no memory for another, and the memory comes back."""
    console = talk(*tiny(config, "fork exhaust", fork=1, max_forks=4096), mem=112 * MIB, smp=1, options="consistency")
    console.expect(r"tiny: fork: no memory for another")
    assert int(console.expect(r"tiny: fork: (\d+) at the same time")[1]) > 100
    console.expect(r"tiny: fork: a fork when there is memory again")
    console.expect(r"consistency: 0 differences")
    assert console.status() == GOOD
