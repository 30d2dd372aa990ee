# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole machines, driven by their console: `machine` boots one and tells what it said and how it ended."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TREE / "tools"))

from tinelib import build, guests  # noqa: E402
from tinelib.iso import BootPlan, Module  # noqa: E402
from tinelib.machine import Machine  # noqa: E402
from tinelib.run import TINE_OPTIONS, booted, watch  # noqa: E402
from tinelib.sizes import parse_numa, parse_size  # noqa: E402
from tinelib.verdict import Verdict  # noqa: E402


@dataclass
class Outcome:
    """A machine's console, line by line, and the verdict on it."""

    lines: list = field(default_factory=list)
    verdict: Verdict = None

    @property
    def status(self):
        return self.verdict.status

    def said(self, text):
        """Lines that hold TEXT."""
        return [line for line in self.lines if text in line]

    def one(self, text):
        """The only line that holds TEXT."""
        found = self.said(text)
        assert len(found) == 1, f"{len(found)} lines say '{text}':\n" + "\n".join(self.lines[-30:])
        return found[0]


@pytest.fixture(scope="session")
def image():
    return build.hypervisor()


@pytest.fixture
def machine(image):
    """Boots Tine with OPTIONS and modules; ANSWERS is a list of (text to wait for, keys to type then)."""
    def boot(options="", guest=None, modules=(), answers=(), mem="256M", numa=None, silence=90.0, **shape):
        size = parse_size(mem, "mem")
        loaded = [*(guests.modules("tiny", "tine", guest) if guest is not None else []), *modules]
        plan = BootPlan("Tine", image, f"{TINE_OPTIONS} {options}".strip(), loaded)
        pc = Machine(mem=size, numa=parse_numa(numa, size) if numa else None, **shape)
        outcome, waiting = Outcome(), list(answers)
        with booted(plan, pc, silence=silence, timeout=300.0) as qemu:
            def on_line(text):
                outcome.lines.append(text)
                if waiting and waiting[0][0] in text:
                    qemu.type(waiting.pop(0)[1])
            outcome.verdict = watch(qemu, on_line=on_line, verdict=Verdict(guest=bool(loaded)))
        assert not waiting, f"never said '{waiting[0][0]}':\n" + "\n".join(outcome.lines[-30:])
        return outcome
    return boot


@pytest.fixture
def module(tmp_path):
    """A boot module with the given bytes or text."""
    def make(name, content, args=""):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Module(path, args)
    return make
