# SPDX-License-Identifier: GPL-2.0-or-later
"""The arm64 machine: QEMU's `virt` with EL2, and how it is given a hypervisor and its modules.

QEMU's own loader takes the Image; each module is a guest-loader device, which puts a file into memory and a node under
/chosen.  The machine ends by PSCI, so the verdict is a line of the console (verdict.py).
"""

import os
from dataclasses import dataclass
from pathlib import Path

from .machine import ICOUNT, Machine
from .say import Stop

RAM_BASE = 0x40000000
DTB_ROOM = 16 << 20     # QEMU's tree lies below, at most 2 MiB long
MODULE_ALIGN = 2 << 20
CPU_MODEL = "cortex-a57"


@dataclass
class Virt(Machine):
    """One `virt`: what `tine run --arch arm64` lets people choose."""

    cpu: str = CPU_MODEL
    firmware: str = "image"
    gic: int = 3

    def command(self, boot, folder):
        """The whole command line; BOOT comes from virt_boot()."""
        arguments = ["qemu-system-aarch64", "-M", f"virt,virtualization=on,gic-version={self.gic}",
                     "-accel", self.accelerator(), "-cpu", self.cpu, "-m", f"{self.mem >> 20}M", "-smp", str(self.smp),
                     "-nodefaults", "-display", "none", "-no-reboot",
                     "-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console"]
        arguments += self.memory_arguments()
        if self.icount:
            arguments += ["-icount", ICOUNT, "-rtc", "base=2026-01-01T00:00:00,clock=vm"]
        return arguments + boot + list(self.extra)


def quoted(text):
    """TEXT as the value of a -device property."""
    return text.replace(",", ",,")


def virt_boot(plan, machine):
    """Arguments that load PLAN.  QEMU puts a later module's node before an earlier one's, so the last one is named first."""
    arguments = ["-kernel", str(plan.image), "-append", plan.options]
    address = RAM_BASE + min(machine.mem // 2, 128 << 20) + DTB_ROOM
    devices = []
    for module in plan.modules:
        size = os.path.getsize(module.path)
        node = f"guest-loader,addr={address:#x},kernel={quoted(str(Path(module.path)))}"
        if module.args:
            node += f",bootargs={quoted(module.args)}"
        devices = ["-device", node, *devices]
        address += (size + MODULE_ALIGN - 1) // MODULE_ALIGN * MODULE_ALIGN
    if plan.modules and address > RAM_BASE + machine.mem:
        raise Stop(f"the modules need memory up to {address - RAM_BASE >> 20} MiB, more than --mem")
    return arguments + devices
