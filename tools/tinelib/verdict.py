# SPDX-License-Identifier: GPL-2.0-or-later
"""What a run amounts to, from the console's lines and from how QEMU ended.

A guest reports with a line `NAME: RESULT success` or `NAME: RESULT failure WHY`.  Of several reports the worst
counts; no report is a failure, unless no guest was loaded (self-tests): then the debug port alone decides.  A clean end is a power-off by ACPI, or isa-debug-exit with the value for
success, or (on Xen, which halts instead) its message that dom0 is down.  On arm64 there is no such port: Tine's last
line before PSCI's power-off is the verdict.
"""

import re

from .say import EXIT_FAILED, EXIT_OK, EXIT_TIMEOUT

REPORT = re.compile(r"\b(\w+): RESULT (success|failure)\b[: ]*(.*)")
PANICS = re.compile(r"^\(TINE\).*\bpanic\b|^Panic on CPU|^\(XEN\) Panic on CPU|Kernel panic - not syncing",
                    re.IGNORECASE)
XEN_DOWN = re.compile(r"Hardware Dom0 halted: halting machine")
XEN_CRASH = re.compile(r"Hardware Dom0 crashed: (.*)")
POWER_OFF = re.compile(r"^\(TINE\) Power off: (success|failure)$")
DEBUG_EXIT_SUCCESS = 33
DEBUG_EXIT_FAILURE = 35


def how_it_ended(status, reason):
    """QEMU's exit status and, unless the debug port ended it, the reason it gave: in words; "clean" if nothing is amiss."""
    if reason == "guest-shutdown" or status == DEBUG_EXIT_SUCCESS:
        return "clean"
    if status == DEBUG_EXIT_FAILURE:
        return "the hypervisor reported failure"
    if reason == "guest-reset":
        return "the machine reset (by a triple fault of the hypervisor, if nothing on the console asked for it)"
    if reason:
        return f"the machine ended by {reason}"
    if status is not None and status < 0:
        return f"QEMU was killed by signal {-status}"
    return f"QEMU ended with status {status}"


class Verdict:
    """Feed it each line, then ask `status` and `summary`."""

    def __init__(self, guest=True):
        self.guest = guest
        self.debug_exit = None
        self.successes = 0
        self.failure = None
        self.panic = None
        self.halted = False
        self.hang = None
        self.ending = None
        self.power_off = None

    def line(self, text):
        report = REPORT.search(text)
        if report and report[2] == "success":
            self.successes += 1
        elif report:
            self.failure = self.failure or f"{report[1]}: {report[3].strip() or 'no reason given'}"
        if PANICS.search(text):
            self.panic = self.panic or text.strip()
        if XEN_CRASH.search(text):
            self.failure = self.failure or "dom0 crashed"
        last_word = POWER_OFF.search(text)
        if last_word:
            self.power_off = last_word[1]
        if XEN_DOWN.search(text):
            self.halted = True

    def ended(self, status, reason):
        """How QEMU went (how_it_ended)."""
        self.debug_exit = None if reason else status
        self.ending = "clean" if self.halted else how_it_ended(status, reason)
        if self.ending == "clean" and self.power_off == "failure":
            self.ending = "the hypervisor reported failure"

    @property
    def reported(self):
        if self.guest:
            return self.successes > 0
        return self.debug_exit == DEBUG_EXIT_SUCCESS or (self.debug_exit is None and self.power_off == "success")

    @property
    def status(self):
        if self.hang:
            return EXIT_TIMEOUT
        good = self.reported and not self.failure and not self.panic and self.ending == "clean"
        return EXIT_OK if good else EXIT_FAILED

    @property
    def summary(self):
        if self.hang:
            return f"gave up: {self.hang}"
        problems = []
        if self.panic:
            problems.append(f"panic: {self.panic}")
        if self.failure:
            problems.append(f"guest failed: {self.failure}")
        elif not self.reported:
            problems.append("no guest reported a result" if self.guest else "no success by the debug port or the last line")
        if self.ending != "clean":
            problems.append(self.ending)
        return "; ".join(problems) if problems else ("guest success, clean power-off" if self.guest else "success")
