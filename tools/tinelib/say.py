# SPDX-License-Identifier: GPL-2.0-or-later
"""What the command says and how it ends.

Owns the exit statuses and the one way to stop with a message.  Notes go to standard error, so that
standard output carries only the console, the table or the JSON that was asked for.
"""

import sys
import time

EXIT_OK = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_TIMEOUT = 3
EXIT_INTERRUPTED = 130


class Stop(Exception):
    """Ends the command with one line on standard error and the given status."""

    def __init__(self, message, status=EXIT_USAGE):
        super().__init__(message)
        self.status = status


def note(message):
    """One line about what is being done, for a person who waits."""
    print(f"tine: {message}", file=sys.stderr, flush=True)


class Step:
    """Says what takes long, and how long it took once that is more than a moment."""

    def __init__(self, what):
        self.what = what

    def __enter__(self):
        self.start = time.monotonic()
        note(f"{self.what} ...")
        return self

    def __exit__(self, kind, value, trace):
        took = time.monotonic() - self.start
        if kind is None and took >= 2:
            note(f"{self.what}: done in {took:.0f} s")
        return False
