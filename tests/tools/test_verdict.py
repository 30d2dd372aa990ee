# SPDX-License-Identifier: GPL-2.0-or-later
"""The verdict on a run: only a reported success with a clean end is one."""

import pytest

from tinelib.verdict import Verdict


def judge(lines, status=0, reason=None, guest=True):
    verdict = Verdict(guest)
    for line in lines:
        verdict.line(line)
    verdict.ended(status, reason)
    return verdict


@pytest.mark.parametrize("lines, status, reason", [
    (["tiny: RESULT success"], 33, None),
    (["(d0) tiny: RESULT success"], 0, "guest-shutdown"),
    (["tiny: RESULT success", "(XEN) Hardware Dom0 halted: halting machine"], -9, None),
    (["(d1) tiny: RESULT success", "(d2) tiny: RESULT success"], 33, None),
])
def test_success(lines, status, reason):
    assert judge(lines, status, reason).status == 0


@pytest.mark.parametrize("lines, status, reason, words", [
    ([], 33, None, "no guest reported"),
    (["tiny: RESULT failure no GDT"], 33, None, "tiny: no GDT"),
    (["(d1) tiny: RESULT success", "(d2) tiny: RESULT failure x"], 33, None, "tiny: x"),
    (["tiny: RESULT success"], 35, None, "hypervisor reported failure"),
    (["tiny: RESULT success"], 0, "guest-reset", "the machine reset"),
    (["tiny: RESULT success"], -11, None, "killed by signal 11"),
    (["tiny: RESULT success"], 0, None, "QEMU ended with status 0"),
    (["tiny: RESULT success"], 1, None, "QEMU ended with status 1"),
    (["tiny: RESULT success", "(TINE) Panic: out of frames"], 33, None, "out of frames"),
    (["tiny: RESULT success", "(XEN) Hardware Dom0 crashed: rebooting machine in 5 seconds."], 0, "guest-reset",
     "dom0 crashed"),
])
def test_failure(lines, status, reason, words):
    verdict = judge(lines, status, reason)
    assert verdict.status == 1 and words in verdict.summary


def test_hang_is_told_apart():
    verdict = Verdict()
    verdict.line("tiny: RESULT success")
    verdict.hang = "no output for 5 s"
    verdict.ended(-9, None)
    assert verdict.status == 3 and "no output" in verdict.summary


@pytest.mark.parametrize("status, reason, wanted", [(33, None, 0), (35, None, 1), (0, "guest-shutdown", 1)])
def test_without_a_guest_the_debug_port_decides(status, reason, wanted):
    assert judge([], status, reason, guest=False).status == wanted


@pytest.mark.parametrize("lines, reason, wanted", [
    (["(TINE) Power off: success"], "guest-shutdown", 0),
    (["(TINE) Power off: failure"], "guest-shutdown", 1),
    ([], "guest-shutdown", 1),
    (["(TINE) Power off: success", "(TINE) Power off: failure"], "guest-shutdown", 1),    # a guest may say what it wants
    (["(d1) (TINE) Power off: success"], "guest-shutdown", 1),
    (["(TINE) Power off: success"], "guest-reset", 1),
])
def test_on_arm64_the_last_line_decides(lines, reason, wanted):
    assert judge(lines, 0, reason, guest=False).status == wanted


def test_a_guest_that_succeeds_does_not_outweigh_the_hypervisors_failure():
    lines = ["linux: RESULT success", "(TINE) Power off: failure"]
    assert judge(lines, 0, "guest-shutdown").status == 1
