# SPDX-License-Identifier: GPL-2.0-or-later
"""The machine to boot on, and the QEMU command line that makes it.

Guest memory is never reserved on the host, so that 512 GiB cost what is touched of them.  Port 0xf4 ends QEMU
(isa-debug-exit: a written v becomes the exit status 2v+1).
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from .sizes import Numa
from .say import Stop

OVMF_CODE = Path("/usr/share/OVMF/OVMF_CODE_4M.fd")
OVMF_VARS = Path("/usr/share/OVMF/OVMF_VARS_4M.fd")

# QEMU 7.2 checks SMAP wrongly on a PV guest's iret, so Xen must not see the feature; Tine finds out for itself.
# Its mwait refuses the hint that Xen's idle loop gives.
CPU_MODELS = {"tine": "EPYC,+pdpe1gb,-monitor", "xen": "EPYC,+pdpe1gb,-monitor,-smap"}

ICOUNT = "shift=0,sleep=off"


@dataclass
class Machine:
    """One PC: what `tine run` lets people choose."""

    mem: int = 1 << 30
    smp: int = 1
    cpu: str = CPU_MODELS["tine"]
    firmware: str = "bios"
    numa: Numa = None
    icount: bool = False
    extra: tuple = ()
    threads: str = ""     # single or multi; else as accelerator() says

    def accelerator(self):
        """A thread a CPU only where the host has one for each: a spinning CPU whose lock's holder is not being run wastes
        the host's whole slice, while QEMU's own round robin goes on at each PAUSE."""
        return "tcg,thread=" + (self.threads or ("single" if self.icount or self.smp > (os.cpu_count() or 1) else "multi"))

    def memory_arguments(self):
        backend = "memory-backend-ram,id={},size={},reserve=off"
        if not self.numa:
            return ["-object", backend.format("m", self.mem), "-machine", "memory-backend=m"]
        arguments = []
        for node, size in enumerate(self.numa.sizes):
            spec = f"node,nodeid={node}"
            if size:
                arguments += ["-object", backend.format(f"m{node}", size)]
                spec += f",memdev=m{node}"
            for cpu in self.numa.cpus_of(node, self.smp):
                spec += f",cpus={cpu}"
            arguments += ["-numa", spec]
        for a, row in enumerate(self.numa.distances):
            for b, distance in enumerate(row):
                arguments += ["-numa", f"dist,src={a},dst={b},val={distance}"]
        return arguments

    def firmware_arguments(self, folder):
        """UEFI needs its own writable variables, made in FOLDER."""
        if self.firmware != "uefi":
            return []
        if not OVMF_CODE.exists():
            raise Stop(f"no UEFI firmware at {OVMF_CODE} (tine deps machine)")
        variables = Path(folder) / "efi-variables.fd"
        shutil.copyfile(OVMF_VARS, variables)
        return ["-drive", f"if=pflash,format=raw,unit=0,readonly=on,file={OVMF_CODE}",
                "-drive", f"if=pflash,format=raw,unit=1,file={variables}"]

    def command(self, boot, folder):
        """The whole command line; BOOT says what to start (see iso_boot, pvh_boot)."""
        arguments = ["qemu-system-x86_64", "-M", "q35", "-accel", self.accelerator(), "-cpu", self.cpu,
                     "-m", f"{self.mem >> 20}M", "-smp", str(self.smp),
                     "-nodefaults", "-display", "none", "-vga", "none", "-action", "reboot=shutdown,shutdown=pause",
                     "-chardev", "stdio,id=console,signal=off", "-serial", "chardev:console",
                     "-device", "isa-debug-exit,iobase=0xf4,iosize=4"]
        arguments += self.memory_arguments() + self.firmware_arguments(folder)
        if self.icount:
            # A wall clock that follows the host's would make whoever waits for its next second take another time each run.
            arguments += ["-icount", ICOUNT, "-rtc", "base=2026-01-01T00:00:00,clock=vm"]
        return arguments + boot + list(self.extra)


def iso_boot(iso):
    return ["-drive", f"file={iso},format=raw,media=cdrom,readonly=on", "-boot", "order=d,menu=off"]


def pvh_boot(plan):
    """QEMU's own loader: it enters at the PVH note, and knows one module without arguments."""
    if len(plan.modules) > 1 or any(module.args for module in plan.modules):
        raise Stop("--firmware pvh: QEMU passes one module, and no arguments with it")
    arguments = ["-kernel", str(plan.image), "-append", plan.options]
    for module in plan.modules:
        arguments += ["-initrd", str(module.path)]
    return arguments
