# SPDX-License-Identifier: GPL-2.0-or-later
"""What the console asks of guests through their stores, and guests that use each other's frames."""

import pytest

from dialog import SWITCH, config, talk, tiny  # noqa: F401

GOOD = (33, None)  # isa-debug-exit's
BAD = (35, None)


def test_guests_are_asked_to_reboot_and_to_power_off(talk, tiny, config):
    console = talk(config("one", extra="wait"), config("two", extra="wait"), tiny())
    console.expect_all(r"\(d1\) wait: ready", r"\(d2\) wait: ready")
    console.type(2 * SWITCH)
    console.command("info 1")
    console.expect(r"store: \d+ nodes, 2 watches, 0 transactions, \d+ of \d+ bytes; \d+ requests, 0 events lost")
    console.expect(r"grants: 0 frames, 0 in use by others; has mapped 0 of others")
    console.command("reboot 1")
    console.expect(r"Domain 1 is asked: control/shutdown = reboot")
    console.expect(r"\(d1\) wait: control/shutdown = reboot")
    console.expect(r"Domain 1 shut down: reboot")
    # The new one's store knows nothing of the old one's.
    again = console.expect(r"\(d(\d)\) wait: ready")[1]
    console.command("shutdown 2")
    console.expect(r"Domain 2 shut down: poweroff")
    console.command(f"shutdown {again}")
    console.expect(rf"Domain {again} shut down: poweroff")
    assert console.status() == GOOD


def test_guests_are_asked_to_balloon(talk, tiny, config):
    console = talk(config("one", extra="wait", memory=64), tiny())
    console.expect(r"\(d1\) wait: memory/target = 65536")
    console.type(SWITCH)
    console.command("balloon 1 48")
    console.expect(r"\(d1\) wait: memory/target = 49152")
    console.command("balloon 1 50M")
    console.expect(r"\(d1\) wait: memory/target = 51200")
    console.command("balloon 1 65")
    console.expect(r"Domain 1 may have 65536 KiB at most")
    console.command("balloon 1 much")
    console.expect(r'"much" is not a size')
    console.command("balloon 1")
    console.expect(r"usage: balloon ID SIZE")
    console.command("shutdown 1")
    assert console.status() == GOOD


def test_who_does_not_listen_is_told_of(talk, tiny, config):
    console = talk(config("one", extra="linger"), tiny())
    console.expect(r"\(d1\) tiny: waiting")
    console.type(SWITCH)
    console.command("shutdown 1")
    console.expect(r"Domain 1 does not watch control/shutdown: it will not notice")
    console.command("shutdown 7")
    console.expect(r"there is no domain 7")
    console.command("destroy 1")
    assert console.status() == BAD


def test_the_initial_domain_has_no_store(talk, tiny):
    console = talk(tiny("linger"), options="dom0_mem=64M")
    console.expect(r"\(d0\) tiny: waiting")
    console.type(SWITCH)
    console.command("shutdown 0")
    console.expect(r"Domain 0 has no store to be asked in")
    console.type(SWITCH + "quit\n")
    assert console.status() == GOOD


def two(talk, tiny, config, grantor, grantee, smp):
    console = talk(config("one", extra=f"share {grantor} peer=2"), config("two", extra=f"share {grantee} peer=1"), tiny(),
                   smp=smp, options="consistency")
    status = console.status()
    text = "\n".join(console.lines)
    assert "(d1) tiny: RESULT success" in text
    assert "(d2) tiny: RESULT success" in text
    assert "consistency: 0 differences" in text
    assert status == GOOD
    return text


@pytest.mark.parametrize("smp", (1, 2))
def test_two_guests_map_and_copy_between_each_other(talk, tiny, config, smp):
    two(talk, tiny, config, "grantor", "grantee", smp)


def test_a_guest_that_ends_gives_back_what_it_had_mapped(talk, tiny, config):
    two(talk, tiny, config, "grantor", "grantee-leaves", 1)


def test_a_granted_frame_outlives_its_owner(talk, tiny, config):
    text = two(talk, tiny, config, "grantor-leaves", "grantee-outlives", 1)
    assert "Domain 1 has ended; others still hold 1 of its frames" in text


@pytest.mark.parametrize("variant", ("release", "debug"))
def test_a_guests_own_tests_of_rings_and_grants(talk, tiny, config, variant):
    """The initial domain has no rings, so the suite of guests leaves these out."""
    console = talk(config("one", extra="test only=rings,grants"), tiny(), variant=variant)
    status = console.status()
    text = "\n".join(console.lines)
    assert "(d1) tiny: RESULT success" in text
    assert "(d1) # rings: this line came through the ring" in text
    assert "not ok" not in text and "SKIP" not in text
    assert status == GOOD
