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


def two(talk, config, grantor, grantee, gic, smp):
    def side(name, words):
        return config(name, type="pvh", kernel="tinyarm", memory=16, extra=words)
    console = talk(side("one", f"share {grantor} peer=2"), side("two", f"share {grantee} peer=1"), Module(build.tiny_arm64(), "tinyarm"),
                   smp=smp, gic=gic, options="consistency")
    console.expect("Power off: success")
    text = "\n".join(console.lines)
    assert "(d1) tiny: RESULT success" in text
    assert "(d2) tiny: RESULT success" in text
    assert "consistency: 0 differences" in text
    return text


@pytest.mark.parametrize("gic,smp", [(3, 2), (2, 1)])
def test_two_guests_map_and_copy_between_each_other(talk, config, gic, smp):
    two(talk, config, "grantor", "grantee", gic, smp)


def test_a_guest_that_ends_gives_back_what_it_had_mapped(talk, config):
    two(talk, config, "grantor", "grantee-leaves", 3, 1)


def test_a_granted_frame_outlives_its_owner(talk, config):
    text = two(talk, config, "grantor-leaves", "grantee-outlives", 3, 1)
    assert "Domain 1 has ended; others still hold 1 of its frames" in text


def test_a_guest_hears_and_obeys(talk, config):
    console = talk(*tiny(config, "linger"))
    console.expect(r"\(d1\) tiny: waiting")
    console.type("reboot\n")
    console.expect("Domain 1 shut down: reboot")
    console.expect(r"\(d2\) tiny: waiting")
    console.type("quit\n")
    console.expect("Power off: success")


def test_an_exception_that_nobody_expects(talk, config):
    console = talk(*tiny(config, "oops"))
    console.expect("tiny: RESULT failure exception at [0-9a-f]+: syndrome f20003e8")
    console.expect("Domain 1 shut down: crash")


def test_may_not_fork(talk, config):
    console = talk(*tiny(config, "may-not"))
    console.expect("tiny: fork: a guest that may not")
    console.expect("Power off: success")
