# SPDX-License-Identifier: GPL-2.0-or-later
"""Forks of live Linux guests on arm64: what holds on x86 holds here (forks.py), with either interrupt controller and each strategy.

TCG is slow at this, so each boot has a combination of its own: all controllers with 1 and 4 vCPUs, each strategy once or more.
"""

import pytest
from arm64 import MIB, QUIET, ended_well, linux, talk  # noqa: F401
from dialog import config  # noqa: F401
from forks import Forks, all_there, both_go_on, forks_itself, goes_back, may_not, while_it_writes

from tinelib import guests
from tinelib.iso import Module


@pytest.fixture
def start(talk, config):
    def boot(gic, options="consistency", programs=False, **fields):
        modules = linux(config, **{"extra": QUIET, **fields})
        if programs:
            modules[2] = Module(guests.ramdisk(guests.fork_programs("arm64")), "initrd")
        return Forks(talk(*modules, mem=1024 * MIB, gic=gic, options=options))
    return boot


@pytest.mark.parametrize("gic, vcpus, strategy", [(2, 1, "subtree"), (3, 4, "run")])
def test_both_go_on(start, gic, vcpus, strategy):
    forks = start(gic, f"consistency fork={strategy}", vcpus=vcpus)
    both_go_on(forks, vcpus, 32 if vcpus == 1 else 8, writers=vcpus > 1)
    ended_well(forks.console)
    all_there(forks.console)


@pytest.mark.parametrize("gic, vcpus, strategy", [(3, 4, "subtree"), (2, 1, "frame")])
def test_reset(start, gic, vcpus, strategy):
    forks = start(gic, f"consistency fork={strategy}", vcpus=vcpus)
    goes_back(forks, 8)
    ended_well(forks.console)
    all_there(forks.console)


@pytest.mark.parametrize("gic, vcpus", [(3, 1), (2, 4)])
def test_linux_forks_itself(start, gic, vcpus):
    """Linux does not say on arm64 that it has panicked; it resets."""
    forks = start(gic, programs=True, vcpus=vcpus, fork=1, extra=f"{QUIET} panic=-1")
    forks_itself(forks, 20, panic=1)
    ended_well(forks.console)


def test_linux_that_may_not(start):
    forks = start(3, programs=True)
    may_not(forks)
    ended_well(forks.console)


def test_forked_while_it_writes(start):
    forks = start(2, vcpus=4)
    while_it_writes(forks)
    ended_well(forks.console)
