# SPDX-License-Identifier: GPL-2.0-or-later
"""A dialogue with a machine's console: fixtures for tests that answer what it says step by step."""

import contextlib
import sys
import time
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TREE / "tools"))

from tinelib import build, guests  # noqa: E402
from tinelib.console import SWITCH, Console  # noqa: E402, F401
from tinelib.iso import BootPlan, Module  # noqa: E402
from tinelib.machine import Machine  # noqa: E402
from tinelib.run import booted  # noqa: E402
from tinelib.sizes import parse_numa  # noqa: E402

OPTIONS = "console=com1 com1=115200,8n1"
MIB = 1 << 20
SILENCE = 300  # what counts as a hang; a loaded host is slow


def free_now(console):
    """Free frames, asked at the hypervisor's console, which has the input."""
    console.type("m")
    return int(console.expect(r"Node 0: \d+ frames, (\d+) free")[1])


def free_when(console, settled):
    """Free frames once SETTLED says yes to them: a domain's end is told before all its memory is back."""
    for _ in range(200):
        free = free_now(console)
        if settled(free):
            return free
        time.sleep(0.1)
    raise AssertionError(f"{free} frames are free, and no more come")


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
