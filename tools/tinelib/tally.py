# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts results and prints them as they come; the last line is the count, alone, and true."""

import sys
import time

from .ktap import FAIL, PASS, SKIP, Result
from .say import EXIT_FAILED, EXIT_OK


class Tally:
    """What has been seen so far.  Failures are repeated at the end, since output is long."""

    def __init__(self, out=None):
        self.out = out or sys.stdout
        self.count = {PASS: 0, FAIL: 0, SKIP: 0}
        self.failures = []
        self.start = time.monotonic()

    def add(self, result):
        self.count[result.state] += 1
        if result.state == FAIL:
            self.failures.append(result)
        words = {PASS: "ok", FAIL: "NOT OK", SKIP: "skip"}[result.state]
        self.say(f"{words:6} {result.name}{': ' + result.why if result.why else ''}")

    def check(self, name, problems):
        """A test that fails if PROBLEMS, a list of lines, is not empty."""
        for problem in problems[:40]:
            self.say(f"       {problem}")
        more = f"{len(problems)} problems, the first: {problems[0]}" if problems else ""
        self.add(Result(name, FAIL if problems else PASS, more))

    def say(self, text):
        self.out.write(text + "\n")
        self.out.flush()

    def finish(self):
        """Prints the end; returns the exit status.  No test at all is a failure."""
        if self.failures:
            self.say("\nfailed:")
            for result in self.failures:
                self.say(f"  {result.name}{': ' + result.why if result.why else ''}")
        self.say(f"\n{time.monotonic() - self.start:.0f} s")
        skipped = f", {self.count[SKIP]} skipped" if self.count[SKIP] else ""
        self.say(f"{self.count[PASS]} passed, {self.count[FAIL]} failed{skipped}")
        return EXIT_OK if self.count[PASS] and not self.count[FAIL] else EXIT_FAILED
