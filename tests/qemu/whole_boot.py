# SPDX-License-Identifier: GPL-2.0-or-later
"""boot() runs a machine to its end without a word typed, and tells what it said and how it ended."""

import sys
from dataclasses import dataclass, field
from pathlib import Path

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


def boot(options="", guest=None, modules=(), mem="256M", numa=None, holes=(), **shape):
    """Boots Tine with OPTIONS, the tiny guest with the words GUEST (None: without it), and MODULES; no RAM in HOLES."""
    size = parse_size(mem, "mem")
    loaded = [*(guests.modules("tiny", "tine", guest) if guest is not None else []), *modules]
    plan = BootPlan("Tine", build.hypervisor(), f"{TINE_OPTIONS} {options}".strip(), loaded, holes)
    pc = Machine(mem=size, numa=parse_numa(numa, size) if numa else None, **shape)
    outcome = Outcome()
    with booted(plan, pc, silence=300.0, timeout=900.0) as qemu:
        outcome.verdict = watch(qemu, on_line=outcome.lines.append, verdict=Verdict(guest=bool(loaded)))
    return outcome


def module(folder, name, content, args=""):
    """A boot module with the given bytes or text, made in FOLDER."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Module(path, args)
