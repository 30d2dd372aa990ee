# SPDX-License-Identifier: GPL-2.0-or-later
"""PVH guests: Debian's kernel to a shell and back, beside a PV guest; and what a guest does wrong ends that guest alone."""

import re

import pytest
from dialog import SWITCH, config, talk  # noqa: F401
from test_linux_domains import SHELL, complaints

from tinelib import build, guests
from tinelib.iso import Module

MIB = 1 << 20
GOOD = (33, None)

# Said on Debian's Xen, too: of tables without a PCI bus, and by further processors on a loaded host (ABI page 12.8).
USUAL = re.compile("PCI: Using host bridge windows|calibrate_delay_direct")


def linux(config, **fields):
    kernel, ramdisk = guests.modules("linux-pv", "tine")[:2]
    return [config("deb", type="pvh", kernel="vmlinuz", ramdisk="initrd", **{"extra": kernel.args, **fields}),
            Module(kernel.path, "vmlinuz"), Module(ramdisk.path, "initrd")]


@pytest.mark.parametrize("vcpus", [1, 4])
def test_shell(talk, config, vcpus):
    console = talk(*linux(config, vcpus=vcpus, memory=256), mem=512 * MIB, smp=1 if vcpus == 1 else 3)
    console.expect(r"\(d1\) user space on Linux")
    for command, answer in SHELL:
        console.type(command + "\n")
        console.expect(answer)
    console.type("echo $(nproc) processors\n")
    console.expect(rf"^\(d1\) {vcpus} processors")
    console.type("exit\n")
    console.expect(r"Domain 1 shut down: poweroff")
    assert console.status() == GOOD
    assert not [line for line in complaints(console.lines) if not USUAL.search(line)]


def test_reboot(talk, config):
    console = talk(*linux(config, memory=256, extra="console=hvc0 rdinit=/init quiet"), mem=512 * MIB, smp=1)
    console.expect(r"\(d1\) user space on Linux")
    console.type("reboot -f\n")
    console.expect(r"Domain 1 shut down: reboot")
    console.expect(r"\(d2\) user space on Linux")
    console.type("exit\n")
    console.expect(r"Domain 2 shut down: poweroff")
    assert console.status() == GOOD


def test_processor_off_and_on(talk, config):
    console = talk(*linux(config, vcpus=2, memory=256, extra="console=hvc0 rdinit=/init quiet"), mem=512 * MIB, smp=3)
    console.expect(r"\(d1\) user space on Linux")
    console.type("echo 0 >/sys/devices/system/cpu/cpu1/online; echo $(nproc) left\n")
    console.expect(r"^\(d1\) 1 left")
    console.type("echo 1 >/sys/devices/system/cpu/cpu1/online; echo $(nproc) again\n")
    console.expect(r"^\(d1\) 2 again")
    console.type("taskset 2 sleep 1; exit\n")
    console.expect(r"Domain 1 shut down: poweroff")
    assert console.status() == GOOD


def test_beside_pv(talk, config):
    modules = linux(config, vcpus=2, memory=256)
    pv = config("pv", type="pv", kernel="vmlinuz", ramdisk="initrd", memory=128, extra="console=hvc0 rdinit=/init quiet")
    console = talk(*modules, pv, mem=640 * MIB, smp=2)
    for _ in (1, 2):
        console.expect(r"\(d[12]\) user space on Linux")
    console.type("echo sum $((40 + 1)); sleep 3; exit\n")
    console.expect(r"^\(d1\) sum 41")
    console.type(SWITCH)
    console.type("echo sum $((40 + 2)); exit\n")
    console.expect(r"^\(d2\) sum 42")
    assert console.status() == GOOD


def tiny(config, file, word):
    return config(file, type="pvh", kernel="tinypvh", memory=16, extra=word)


def test_tiny(talk, config):
    console = talk(tiny(config, "tiny", "test"), Module(build.tiny_pvh(), "tinypvh"), smp=1)
    console.expect(r"\(d1\) tiny: RESULT success")
    assert console.status() == GOOD


def test_not_on_the_first_cpu(talk, config):
    """QEMU changes that one's state from other threads (svm_affinity.c)."""
    console = talk(config("tiny", type="pvh", kernel="tinypvh", memory=16, cpus="0", extra="test"), Module(build.tiny_pvh(), "tinypvh"), smp=2)
    console.expect(r"PVH guests: not on CPU 0")
    console.expect(r'Domain "tiny": none of its CPUs is another one')
    console.expect(r"\(d1\) tiny: RESULT success")
    assert console.status() == GOOD


def test_attack(talk, config):
    """It goes on to its tests afterwards; in the debug build, which knows what may not be."""
    console = talk(tiny(config, "tiny", "attack"), Module(build.tiny_pvh(), "tinypvh"), smp=1, variant="debug")
    console.expect(r"\(d1\) tiny: 100000 steps")
    console.expect(r"Domain 1 shut down: poweroff")
    assert console.status() == GOOD


# What each guest does, what is said of it, and the name of the exit.
MISDEEDS = [("hole", "read of guest-physical address 30000000, where it has nothing", "NPF"),
            ("write", "write of guest-physical address 30000000, where it has nothing", "NPF"),
            ("fetch", "execution of guest-physical address 30000000, where it has nothing", "NPF"),
            ("no-tables", "guest-physical address 30000[0-9a-f]{3}, where it has nothing", "NPF"),
            ("lapic", "access to the local APIC's page at fee00000", "NPF"),
            ("triple", "triple fault", "SHUTDOWN"),
            ("state", "exit INVALID", "INVALID"),
            ("watch", "write of guest-physical address 30000000, where it has nothing", "NPF")]


def test_misdeeds(talk, config):
    """They all are in one machine; the last guest does not notice."""
    bad = [tiny(config, word, word) for word, _, _ in MISDEEDS]
    console = talk(*bad, tiny(config, "good", "test"), Module(build.tiny_pvh(), "tinypvh"), smp=1, variant="debug", options="consistency")
    assert console.status()[1] is None
    for number, (_, line, name) in enumerate(MISDEEDS, 1):
        crash = next((at for at, said in enumerate(console.lines) if re.search(rf"d{number}v0 crashed: .*{line}", said)), None)
        assert crash is not None, line
        dump = "\n".join(console.lines[crash:crash + 4])
        assert re.search(rf"last exit {name} ", dump) and re.search(r"  rip [0-9a-f]{16}", dump), dump
    said = "\n".join(console.lines)
    assert f"(d{len(MISDEEDS) + 1}) tiny: RESULT success" in said
    assert said.count("consistency: 0 differences") == 1
