# SPDX-License-Identifier: GPL-2.0-or-later
"""arm64 machines for tests that talk to them: the fixture that boots one, Debian's kernel as a guest, and what a good end is."""

import contextlib
import subprocess

import pytest
from dialog import SILENCE, TREE

from tinelib import build, deps, guests
from tinelib.console import Console
from tinelib.iso import BootPlan, Module
from tinelib.machine_arm64 import CPU_MODEL, Virt
from tinelib.run import ARM64_OPTIONS, booted

MIB = 1 << 20
GOOD = (0, "guest-shutdown")    # PSCI has no verdict; the one of Tine is its last line
QUIET = "console=hvc0 rdinit=/init quiet"


@pytest.fixture
def talk():
    with contextlib.ExitStack() as stack:
        def boot(*modules, smp=1, mem=768 * MIB, gic=3, cpu=CPU_MODEL, options="", variant="release"):
            plan = BootPlan("Tine", build.hypervisor(variant, "arm64"), f"{ARM64_OPTIONS} {options}", list(modules))
            return Console(stack.enter_context(booted(plan, Virt(mem=mem, smp=smp, gic=gic, cpu=cpu), silence=SILENCE, timeout=4 * SILENCE)))
        yield boot


def linux(config, **fields):
    kernel, ramdisk = guests.modules("linux", "tine", arch="arm64")[:2]
    return [config("deb", type="pvh", kernel="Image", ramdisk="initrd", **{"memory": 256, "extra": kernel.args, **fields}),
            Module(kernel.path, "Image"), Module(ramdisk.path, "initrd")]


def deed(folder, number):
    """The guest of a few instructions that does deed NUMBER, in FOLDER."""
    elf = folder / f"deed{number}"
    deps.ensure("arm64")
    subprocess.run(["aarch64-linux-gnu-gcc", "-nostdlib", "-static", "-Wl,-Ttext=0x40080000,--build-id=none", f"-DDEED={number}", "-o", elf,
                    TREE / "tests/guest/arm64/deeds.S"], check=True)
    return elf


def ended_well(console):
    console.expect("Power off: success")
    assert console.status() == GOOD
