# SPDX-License-Identifier: GPL-2.0-or-later
"""The arm64 machine: QEMU's `virt` with EL2, and how it is given a hypervisor and its modules.

QEMU's own loader takes the Image (firmware "image"), or UEFI starts GRUB, whose xen_hypervisor does (firmware "uefi").
With the former each module is a guest-loader device, which puts a file into memory and a node under
/chosen.  The machine ends by PSCI, so the verdict is a line of the console (verdict.py).
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import cache
from .iso import names_for, quoted as grub_quoted
from .machine import ICOUNT, Machine
from .say import Stop

RAM_BASE = 0x40000000
DTB_ROOM = 16 << 20     # QEMU's tree lies below, at most 2 MiB long
MODULE_ALIGN = 2 << 20
CPU_MODEL = "cortex-a57"
UEFI = Path("/usr/share/qemu-efi-aarch64/QEMU_EFI.fd")


@dataclass
class Virt(Machine):
    """One `virt`: what `tine run --arch arm64` lets people choose."""

    cpu: str = CPU_MODEL
    firmware: str = "image"
    gic: int = 3

    def command(self, boot, folder):
        """The whole command line; BOOT comes from virt_boot()."""
        arguments = ["qemu-system-aarch64", "-M", f"virt,virtualization=on,gic-version={self.gic},acpi=off",
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


def grub_config(plan, names):
    """GRUB's commands for PLAN, whose files it has under NAMES, hypervisor first; it switches off if it cannot load one."""
    commands = [f"xen_hypervisor (memdisk){names[0]} {grub_quoted(plan.options)}"]
    commands += [f"xen_module --nounzip (memdisk){name} {grub_quoted(module.args)}".rstrip()
                 for name, module in zip(names[1:], plan.modules)]
    lines = [f"if {command}; then" for command in commands]
    return "\n".join([*lines, "boot", *["fi"] * len(commands), "halt", ""])


def uefi_boot(plan, folder):
    """Arguments that make UEFI start GRUB from a disk that is FOLDER; all files are in GRUB's own image."""
    folder = Path(folder)
    names = names_for(plan)
    (folder / "esp" / "EFI" / "BOOT").mkdir(parents=True)
    (folder / "grub.cfg").write_text(grub_config(plan, names), encoding="utf-8")
    files = [f"boot/grub/grub.cfg={folder / 'grub.cfg'}"]
    files += [f"{name[1:]}={path}" for name, path in zip(names, [plan.image, *(module.path for module in plan.modules)])]
    command = ["grub-mkstandalone", "-O", "arm64-efi", f"--directory={cache.grub_modules_arm64()}", "--fonts=", "--themes=",
               "--locales=", "--modules=xen_boot fdt memdisk normal halt test",
               "-o", str(folder / "esp" / "EFI" / "BOOT" / "BOOTAA64.EFI"), *files]
    answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if answer.returncode:
        raise Stop(f"grub-mkstandalone: {(answer.stdout.strip().splitlines() or ['no message'])[-1]}")
    return ["-bios", str(UEFI), "-drive", f"file=fat:rw:{folder / 'esp'},format=raw,if=none,id=esp",
            "-device", "virtio-blk-device,drive=esp"]
