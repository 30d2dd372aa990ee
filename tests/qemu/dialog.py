# SPDX-License-Identifier: GPL-2.0-or-later
"""A dialogue with a machine's console: fixtures for tests that answer what it says step by step."""

import contextlib
import re
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TREE / "tools"))

from tinelib import build, guests  # noqa: E402
from tinelib.iso import BootPlan, Module  # noqa: E402
from tinelib.machine import Machine  # noqa: E402
from tinelib.qemu import Hang  # noqa: E402
from tinelib.run import booted  # noqa: E402
from tinelib.sizes import parse_numa  # noqa: E402
from tinelib.verdict import how_it_ended  # noqa: E402

OPTIONS = "console=com1 com1=115200,8n1"
MIB = 1 << 20
SILENCE = 300  # what counts as a hang; a loaded host is slow
SWITCH = "\x01\x01\x01"


class Console:
    """The serial line of a running machine. Nothing waits for time to pass, only for text."""

    def __init__(self, qemu):
        self.qemu = qemu
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

    def read(self, doing):
        try:
            kind, text = next(self.events)
        except StopIteration:
            ending = how_it_ended(self.qemu.status, self.qemu.reason)
            pytest.fail(f"ended {doing}: {ending}; it said:\n" + "\n".join(self.lines[-30:]))
        except Hang as hang:
            pytest.fail(f"{hang} {doing}; it said:\n" + "\n".join(self.lines[-30:]))
        if kind == "line":
            self.lines.append(text)

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
                    self.lines.append(text)
        return self.qemu.status, self.qemu.reason


@pytest.fixture
def config(tmp_path):
    """Makes FILE.cfg with the tiny guest as its kernel, FIELDS besides; returns the module."""
    def make(file, **fields):
        fields = {"kernel": "tiny", "memory": 32, **fields}
        path = tmp_path / f"{file}.cfg"
        path.write_text("".join(f"{key} = {value!r}\n" for key, value in fields.items()), encoding="utf-8")
        return Module(path, path.name)
    return make


@pytest.fixture
def tiny():
    """The tiny guest as a module; with ARGS, for a machine without configurations."""
    return lambda args="tiny": Module(guests.modules("tiny", "tine")[0].path, args)


@pytest.fixture
def talk():
    """Boots a machine with MODULES and returns its console."""
    with contextlib.ExitStack() as stack:
        def boot(*modules, smp=2, mem=256 * MIB, options="", firmware="bios", numa=None,
                 variant="release"):
            plan = BootPlan("Tine", build.hypervisor(variant), f"{OPTIONS} {options}", list(modules))
            shape = Machine(mem=mem, smp=smp, firmware=firmware, numa=parse_numa(numa, mem) if numa else None)
            return Console(stack.enter_context(booted(plan, shape, silence=SILENCE, timeout=4 * SILENCE)))
        yield boot
