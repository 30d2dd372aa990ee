# SPDX-License-Identifier: GPL-2.0-or-later
"""Console input: Ctrl-A three times moves it, keys and commands answer. The guest waits for `quit` meanwhile."""

SWITCH = "\x01\x01\x01"
WAITING = "tiny: waiting"
TO_HYPERVISOR = "Console input goes to the hypervisor"


def test_guest_reads_lines(machine):
    outcome = machine(guest="linger", answers=[(WAITING, "hello\n"), ('read "hello"', "quit\n")])
    assert outcome.status == 0


def test_keys_and_commands(machine):
    outcome = machine(guest="linger", answers=[
        (WAITING, SWITCH), (TO_HYPERVISOR, "h"), ("NUMA nodes and distances", "H"), ("Heap: 0 differences", ":list\n"),
        ("Domain-0", ":info 0\n"), ("the initial domain", ":pause 0\n"), ("is paused", ":unpause 0\n"), ("pause count 0", SWITCH),
        ("goes to domain 0", "quit\n")])
    assert outcome.status == 0, "\n".join(outcome.lines[-20:])


def test_wrong_commands_are_refused_with_a_reason(machine):
    outcome = machine(guest="linger", answers=[
        (WAITING, SWITCH), (TO_HYPERVISOR, ":fly\n"), ('no command "fly"', ":info\n"), ("usage: info", ":info x\n"),
        ("is not a domain's number", ":info 7\n"), ("there is no domain 7", ":" + "y" * 500 + "\n"),
        ("no command", SWITCH), ("goes to domain 0", "quit\n")])
    assert outcome.status == 0, "\n".join(outcome.lines[-20:])


def test_destroyed_domain_ends_the_machine_as_failure(machine):
    outcome = machine(guest="linger", answers=[(WAITING, SWITCH), (TO_HYPERVISOR, ":destroy 0\n")])
    assert outcome.status == 1 and outcome.said("Domain 0 destroyed") and not outcome.verdict.hang
