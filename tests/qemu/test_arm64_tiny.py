# SPDX-License-Identifier: GPL-2.0-or-later
"""The tiny guest on arm64 (tests/guest/arm64), by its words; its forks as test_fork.py has them on x86."""

import pytest
from arm64 import MIB, ended_well, talk  # noqa: F401
from dialog import config  # noqa: F401
from forks import all_there, tiny_bound, tiny_churn, tiny_exhaust, tiny_fork, tiny_may_not

from tinelib import build
from tinelib.iso import Module


def guest(config, words, **fields):
    return [config("tiny", type="pvh", kernel="tinyarm", memory=80, extra=words, **fields), Module(build.tiny_arm64(), "tinyarm")]


def two(talk, config, grantor, grantee, gic, smp):
    def side(name, words):
        return config(name, type="pvh", kernel="tinyarm", memory=16, extra=words)
    console = talk(side("one", f"share {grantor} peer=2"), side("two", f"share {grantee} peer=1"), Module(build.tiny_arm64(), "tinyarm"),
                   mem=256 * MIB, smp=smp, gic=gic, options="consistency")
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
    console = talk(*guest(config, "linger"), mem=256 * MIB)
    console.expect(r"\(d1\) tiny: waiting")
    console.type("reboot\n")
    console.expect("Domain 1 shut down: reboot")
    console.expect(r"\(d2\) tiny: waiting")
    console.type("quit\n")
    console.expect("Power off: success")


def test_firmware_ends_a_guest(talk, config):
    ends = [config(word, type="pvh", kernel="tinyarm", memory=16, extra=f"firmware-{word}", on_reboot="destroy") for word in ("off", "reset")]
    console = talk(*ends, Module(build.tiny_arm64(), "tinyarm"), mem=256 * MIB)
    console.expect("Power off: ")
    text = "\n".join(console.lines)
    assert "Domain 1 shut down: poweroff" in text and "Domain 2 shut down: reboot" in text


def test_an_exception_that_nobody_expects(talk, config):
    console = talk(*guest(config, "oops"), mem=256 * MIB)
    console.expect("tiny: RESULT failure exception at [0-9a-f]+: syndrome f20003e8")
    console.expect("Domain 1 shut down: crash")


# ---- Forks ----


@pytest.fixture
def forking(talk, config):
    def boot(words, mem=512, options="consistency", smp=1, gic=3, **fields):
        return talk(*guest(config, words, **fields), mem=mem * MIB, smp=smp, gic=gic, options=options)
    return boot


@pytest.mark.parametrize("smp, gic, strategy, many", [(2, 3, "subtree", 20), (1, 2, "run", 6), (1, 3, "frame", 6)])
def test_forks(forking, smp, gic, strategy, many):
    console = forking(f"fork many={many} chain=16", fork=1, max_forks=many + 40, smp=smp, gic=gic, options=f"consistency fork={strategy}")
    tiny_fork(console, many)
    ended_well(console)
    all_there(console)


def test_may_not_fork(forking):
    console = forking("may-not")
    tiny_may_not(console)
    ended_well(console)


def test_forks_in_no_order(forking):
    console = forking("fork churn=100", fork=1, gic=2)
    tiny_churn(console)
    ended_well(console)


def test_as_many_forks_as_it_may(forking):
    console = forking("fork bound", fork=1, max_forks=5)
    tiny_bound(console)
    console.expect("Power off: failure")


def test_forks_until_there_is_no_memory(forking):
    """More than there are VMIDs of eight bits."""
    console = forking("fork exhaust", mem=160, smp=2, fork=1, max_forks=4096)
    tiny_exhaust(console, 256)
    ended_well(console)
