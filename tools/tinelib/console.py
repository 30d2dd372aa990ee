# SPDX-License-Identifier: GPL-2.0-or-later
"""A dialogue with a machine's console: it is answered step by step.  Nothing waits for time to pass, only for text."""

import contextlib
import re

from .qemu import Hang
from .verdict import how_it_ended

SWITCH = "\x01\x01\x01"    # Ctrl-A three times: the input goes on to the next


class Unexpected(AssertionError):
    """What was waited for did not come."""


class Console:
    """The serial line of a running machine; LOG, if there is one, gets each line as it comes."""

    def __init__(self, qemu, log=None):
        self.qemu = qemu
        self.log = log
        self.events = qemu.events()
        self.lines = []
        self.seen = 0

    def expect(self, pattern):
        """The match of PATTERN in the next line that has one; lines before it are passed over."""
        while True:
            while self.seen < len(self.lines):
                line = self.lines[self.seen]
                self.seen += 1
                match = re.search(pattern, line)
                if match:
                    return match
            self.read(f"waiting for {pattern!r}")

    def expect_all(self, *patterns):
        """Passes over lines until each of PATTERNS was in one of them, in whatever order."""
        missing = set(patterns)
        while missing:
            line = self.expect("|".join(f"(?:{pattern})" for pattern in sorted(missing))).string
            missing -= {pattern for pattern in missing if re.search(pattern, line)}

    def read(self, doing):
        try:
            kind, text = next(self.events)
        except StopIteration:
            ending = how_it_ended(self.qemu.status, self.qemu.reason)
            raise Unexpected(f"ended {doing}: {ending}; it said:\n" + "\n".join(self.lines[-30:] + self.qemu.registers)) from None
        except Hang as hang:
            raise Unexpected(f"{hang} {doing}; it said:\n" + "\n".join(self.lines[-30:])) from None
        if kind == "line":
            self.take(text)

    def take(self, text):
        self.lines.append(text)
        if self.log:
            self.log.write(text + "\n")
            self.log.flush()

    def type(self, text):
        self.qemu.type(text)

    def command(self, text):
        """A line for the hypervisor's command line; the console's focus is the hypervisor's."""
        self.type(":" + text + "\r")

    def to_hypervisor(self):
        """Ctrl-A three times goes round; where the round begins depends on who has just come or gone."""
        to = None
        while to != "the hypervisor":
            self.type(SWITCH)
            to = self.expect(r"Console input goes to (the hypervisor|domain \d+)")[1]

    def to_domain(self, domain):
        self.to_hypervisor()
        self.command(f"console {domain}")
        self.expect(f"Console input goes to domain {domain}")

    def status(self):
        """Follows the machine to its end: QEMU's exit status and the reason it gave."""
        with contextlib.suppress(StopIteration):
            while True:
                kind, text = next(self.events)
                if kind == "line":
                    self.take(text)
        return self.qemu.status, self.qemu.reason
