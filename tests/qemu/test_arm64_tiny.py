# SPDX-License-Identifier: GPL-2.0-or-later
"""The tiny guest on arm64 (tests/guest/arm64), by its words."""

import contextlib

import pytest
from dialog import SILENCE, config  # noqa: F401

from tinelib import build
from tinelib.console import Console
from tinelib.iso import BootPlan, Module
from tinelib.machine_arm64 import Virt
from tinelib.run import ARM64_OPTIONS, booted

MIB = 1 << 20


@pytest.fixture
def talk():
    with contextlib.ExitStack() as stack:
        def boot(*modules, smp=1, mem=256 * MIB, gic=3, options="", variant="release"):
            plan = BootPlan("Tine", build.hypervisor(variant, "arm64"), f"{ARM64_OPTIONS} {options}", list(modules))
            return Console(stack.enter_context(booted(plan, Virt(mem=mem, smp=smp, gic=gic), silence=SILENCE, timeout=4 * SILENCE)))
        yield boot


def tiny(config, words, **fields):
    return [config("tiny", type="pvh", kernel="tinyarm", memory=80, extra=words, **fields), Module(build.tiny_arm64(), "tinyarm")]


def test_forks_by_hypercall(talk, config):
    """What test_fork.py has on x86: the guest says itself what it and its forks saw of each other's memory."""
    console = talk(*tiny(config, "fork many=20", fork=1), smp=2, mem=512 * MIB)
    console.expect("tiny: fork: 20 at the same time")
    console.expect("tiny: fork: done")
    console.expect("an orphan reads and writes")
    console.expect("Power off: success")


def test_may_not_fork(talk, config):
    console = talk(*tiny(config, "may-not"))
    console.expect("tiny: fork: a guest that may not")
    console.expect("Power off: success")
