# SPDX-License-Identifier: GPL-2.0-or-later
"""Forks of live Linux guests: parent and child both go on, with the same past and each its own future."""

import pytest
from dialog import config, talk  # noqa: F401
from forks import (MIB, QUIET, Forks, all_there, both_go_on, forks_itself, goes_back, may_not, tiny_bound, tiny_churn, tiny_exhaust, tiny_fork,
                   tiny_may_not, while_it_writes)
from test_pvh import GOOD, linux

from tinelib import build, guests
from tinelib.iso import Module

BAD = (35, None)


@pytest.fixture
def start(talk, config):
    def boot(mem=1024, options="consistency", programs=None, smp=1, **fields):
        modules = linux(config, memory=256, extra=QUIET, **fields)
        if programs:
            modules[2] = Module(guests.ramdisk(programs), "initrd")
        return Forks(talk(*modules, mem=mem * MIB, smp=smp, options=options))
    return boot


def ended_well(forks):
    assert forks.console.status() == GOOD


@pytest.mark.parametrize("vcpus, strategy, cpus", [(1, "subtree", 1), (2, "run", 1), (2, "frame", 3), (4, "subtree", 3)])
def test_both_go_on(start, vcpus, strategy, cpus):
    forks = start(options=f"consistency fork={strategy}", vcpus=vcpus, smp=cpus)
    both_go_on(forks, vcpus, 64 if vcpus < 4 else 8, writers=vcpus == 2)
    ended_well(forks)
    all_there(forks.console)


def test_reset(start):
    forks = start()
    goes_back(forks)
    ended_well(forks)


@pytest.mark.parametrize("vcpus, cpus", [(1, 1), (4, 1), (4, 3)])
def test_linux_forks_itself(start, vcpus, cpus):
    forks = start(options="", programs=guests.fork_programs(), vcpus=vcpus, smp=cpus, fork=1)
    forks_itself(forks, 50)
    ended_well(forks)


def test_linux_that_may_not(start):
    forks = start(mem=512, options="", programs=guests.fork_programs())
    may_not(forks)
    ended_well(forks)


def test_forked_while_it_writes(start):
    forks = start(vcpus=4, smp=3)
    while_it_writes(forks)
    ended_well(forks)


def tiny(config, words, **fields):
    return [config("tiny", type="pvh", kernel="tinypvh", memory=80, extra=words, **fields), Module(build.tiny_pvh(), "tinypvh")]


@pytest.mark.parametrize("variant, strategy, many", [("release", "subtree", 100), ("debug", "subtree", 20), ("debug", "run", 6), ("debug", "frame", 6)])
def test_tiny(talk, config, variant, strategy, many):
    console = talk(*tiny(config, f"fork many={many} chain=16", fork=1, max_forks=many + 100), mem=512 * MIB, smp=1, variant=variant, options=f"consistency fork={strategy}")
    tiny_fork(console, many)
    assert console.status() == GOOD
    all_there(console)


def test_tiny_may_not(talk, config):
    console = talk(*tiny(config, "may-not"), smp=1)
    tiny_may_not(console)
    assert console.status() == GOOD


def test_tiny_in_no_order(talk, config):
    console = talk(*tiny(config, "fork churn=200", fork=1, max_forks=200), mem=512 * MIB, smp=1, options="consistency")
    tiny_churn(console)
    assert console.status() == GOOD


def test_tiny_as_many_as_it_may(talk, config):
    console = talk(*tiny(config, "fork bound", fork=1, max_forks=5), mem=512 * MIB, smp=1, options="consistency")
    tiny_bound(console)
    assert console.status() == BAD


def test_tiny_until_there_is_no_memory(talk, config):
    console = talk(*tiny(config, "fork exhaust", fork=1, max_forks=4096), mem=112 * MIB, smp=1, options="consistency")
    tiny_exhaust(console, 100)
    assert console.status() == GOOD
