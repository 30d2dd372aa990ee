# SPDX-License-Identifier: GPL-2.0-or-later
"""Test results as programs print them: TAP from cmocka, KTAP from the tiny guest and the self-tests.

Console prefixes are taken off.  Nested tests (indented) speak through their parent's line.  A plan that does not
match what came, or no plan at all, is a failure of its own: a test that died half-way must not pass.
"""

import re
from dataclasses import dataclass

PASS, FAIL, SKIP = "pass", "fail", "skip"
PREFIX = re.compile(r"^(\((TINE|XEN|d\d+)\) ?)?(\[[^\]]*\] ?)?")
PLAN = re.compile(r"^1\.\.(\d+)")
RESULT = re.compile(r"^(not )?ok (\d+)(?: -)?\s*(.*?)\s*(?:# *(SKIP|TODO)\b\s*(.*))?$", re.IGNORECASE)


@dataclass
class Result:
    """One test's outcome; WHY is for people."""

    name: str
    state: str
    why: str = ""


class Ktap:
    """Feed it lines; `results` grows; finish() adds what the plan says is missing."""

    def __init__(self, source):
        self.source = source
        self.results = []
        self.planned = None
        self.remarks = []

    def line(self, text):
        """Takes one line; returns the Result it states, if it does."""
        text = PREFIX.sub("", text.rstrip(), count=1)
        plan = PLAN.match(text)
        if plan:
            # A program with several groups prints a plan for each.
            self.planned = (self.planned or 0) + int(plan[1])
            return None
        match = RESULT.match(text)
        if not match:
            if text.startswith("#"):
                self.remarks = [*self.remarks[-7:], text.lstrip("# ")]
            return None
        result = Result(f"{self.source}: {match[3] or match[2]}", PASS)
        if match[4] and match[4].upper() == "SKIP":
            result.state, result.why = SKIP, match[5] or ""
        elif match[1]:
            result.state, result.why = FAIL, "; ".join(self.remarks)
        self.remarks = []
        self.results.append(result)
        return result

    def finish(self):
        """All results, with one more failure if they are not all that was planned."""
        if self.planned is None:
            self.results.append(Result(f"{self.source}: plan", FAIL, "no plan was printed"))
        elif self.planned != len(self.results):
            self.results.append(Result(f"{self.source}: plan", FAIL,
                                       f"planned {self.planned} tests, saw {len(self.results)}"))
        return self.results
