# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian's unmodified PV kernel and PV GRUB as unprivileged domains: what works, and what the kernel has to say about it."""

import re
import subprocess
import tarfile

import pytest
from dialog import SWITCH, config, talk  # noqa: F401

from tinelib import cache, deps, guests
from tinelib.iso import Module

MIB = 1 << 20
GOOD = (33, None)

# The kernel's own messages that are no complaint about the hypervisor: the same on Debian's Xen.
USUAL = re.compile(r"Fast TSC calibration failed|Speculative Return Stack Overflow|AMD-Vi: AMD IOMMUv2|"
                   r"AMD Zen1 .* bug|installing Xen timer|RAS: Correctable Errors collector")
COMPLAINT = re.compile(r"\b(WARNING|BUG|Oops|error|failed|stall|soft lockup|mismatch|Call Trace)\b", re.IGNORECASE)

SHELL = [
    ("cat /sys/hypervisor/type", r"^\(d1\) xen$"),
    ("cat /sys/hypervisor/version/major /sys/hypervisor/version/minor", r"^\(d1\) 17$"),
    ("cat /sys/hypervisor/properties/capabilities", r"^\(d1\) xen-3.0-x86_64"),
    ("wc -c </sys/hypervisor/properties/buildid", r"^\(d1\) 20$"),
    ("sleep 1; echo time passes", r"^\(d1\) time passes"),
]


def linux(config, **fields):
    kernel, ramdisk = guests.modules("linux-pv", "tine")[:2]
    return [config("deb", kernel="vmlinuz", ramdisk="initrd", **{"extra": kernel.args, **fields}),
            Module(kernel.path, "vmlinuz"), Module(ramdisk.path, "initrd")]


def complaints(lines):
    return [line for line in lines if COMPLAINT.search(line) and line.startswith("(d1) [") and not USUAL.search(line)]


# The machine has so much, but its host provides only what is touched: hence no scrubbing.
@pytest.mark.parametrize("vcpus, memory", [(1, 96), (4, 192), (1, 8192)])
def test_shell(talk, config, vcpus, memory):
    console = talk(*linux(config, vcpus=vcpus, memory=memory), mem=(memory + 320) * MIB, smp=min(vcpus, 2),
                   options="consistency bootscrub=off")
    console.expect(r"\(d1\) user space on Linux")
    for command, answer in SHELL:
        console.type(command + "\n")
        console.expect(answer)
    console.type("echo $(nproc) processors\n")
    console.expect(rf"^\(d1\) {vcpus} processors")
    console.type(SWITCH)
    console.command("info 1")
    console.expect(rf" {memory << 8} frames .*\b0 unknown hypercalls")
    console.command("console 1")
    console.type("exit\n")
    console.expect(r"Domain 1 shut down: poweroff")
    console.expect(r"consistency: 0 differences")
    assert console.status() == GOOD
    assert not complaints(console.lines)


def test_pv_grub(talk, config):
    grub = Module(cache.pv_grub(), "grub-x86_64-xen.bin")
    console = talk(config("grub", kernel="grub-x86_64-xen.bin", memory=64), grub, mem=256 * MIB, smp=1)
    console.expect(r"\(d1\) +GNU GRUB +version")
    console.expect(r"line editing is supported")
    console.type("echo hello-$grub_platform\r")
    console.expect(r"^\(d1\) hello-xen")
    console.type("halt\r")
    console.expect(r"Domain 1 shut down: poweroff")
    assert console.status() == GOOD


def grub_with(folder, files):
    """A PV GRUB with a file system of FILES {name: file} inside."""
    deps.ensure("guests")
    archive, image = folder / "files.tar", folder / "grub"
    with tarfile.open(archive, "w") as tar:
        for name, file in files.items():
            tar.add(file, name)
    subprocess.run(["grub-mkimage", "-O", "x86_64-xen", "-d", cache.pv_grub_modules(), "-p", "(memdisk)/", "-m", archive,
                    "-o", image, "normal", "tar", "memdisk", "linux", "xzio"], check=True)
    return Module(image, "grub")


def test_pv_grub_boots_linux(talk, config, tmp_path):
    """It builds the kernel's memory and page tables itself, with those that it was given, and does what else Tine's builder does."""
    kernel, ramdisk = guests.modules("linux-pv", "tine")[:2]
    console = talk(config("chain", kernel="grub", memory=256), grub_with(tmp_path, {"vmlinuz": kernel.path, "initrd": ramdisk.path}),
                   mem=512 * MIB, smp=1, options="consistency")
    console.expect(r"line editing is supported")
    console.type(f"linux (memdisk)/vmlinuz {kernel.args}\r")
    console.type("initrd (memdisk)/initrd\r")
    console.type("boot\r")
    console.expect(r"\(d1\) user space on Linux")
    console.type("exit\n")
    console.expect(r"Domain 1 shut down: poweroff")
    console.expect(r"consistency: 0 differences")
    assert console.status() == GOOD
    assert not complaints(console.lines)
