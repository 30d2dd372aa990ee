# SPDX-License-Identifier: GPL-2.0-or-later
"""Linux on arm64: Debian's kernel to a shell and back, by both interrupt controllers, its CPUs off and on, reboot, live forks."""

import contextlib
import subprocess

import pytest
from dialog import SILENCE, TREE, config  # noqa: F401
from test_fork import Forks, checked, fill
from test_linux_domains import complaints

from tinelib import build, deps, guests
from tinelib.console import Console
from tinelib.iso import BootPlan, Module
from tinelib.machine_arm64 import Virt
from tinelib.run import ARM64_OPTIONS, booted

MIB = 1 << 20
GOOD = (0, "guest-shutdown")    # PSCI has no verdict; the one of Tine is its last line
QUIET = "console=hvc0 rdinit=/init quiet"


@pytest.fixture
def talk():
    with contextlib.ExitStack() as stack:
        def boot(*modules, smp=1, mem=768 * MIB, gic=3, options="", variant="release"):
            plan = BootPlan("Tine", build.hypervisor(variant, "arm64"), f"{ARM64_OPTIONS} {options}", list(modules))
            return Console(stack.enter_context(booted(plan, Virt(mem=mem, smp=smp, gic=gic), silence=SILENCE, timeout=4 * SILENCE)))
        yield boot


def linux(config, **fields):
    kernel, ramdisk = guests.modules("linux", "tine", arch="arm64")[:2]
    return [config("deb", type="pvh", kernel="Image", ramdisk="initrd", memory=256, **{"extra": kernel.args, **fields}),
            Module(kernel.path, "Image"), Module(ramdisk.path, "initrd")]


def ended_well(console):
    console.expect("Power off: success")
    assert console.status() == GOOD


@pytest.mark.parametrize("gic,vcpus", [(3, 1), (3, 4), (2, 1), (2, 4)])
def test_shell(talk, config, gic, vcpus):
    console = talk(*linux(config, vcpus=vcpus), smp=min(vcpus, 2), gic=gic)
    console.expect(r"\(d1\) user space on Linux")
    console.type("echo $(nproc) processors; cat /sys/hypervisor/type\n")
    console.expect(rf"^\(d1\) {vcpus} processors")
    console.expect(r"^\(d1\) xen")
    console.type("exit\n")
    console.expect(r"Domain 1 shut down: poweroff")
    ended_well(console)
    assert not complaints(console.lines)


def test_reboot(talk, config):
    console = talk(*linux(config, extra=QUIET))
    console.expect(r"\(d1\) user space on Linux")
    console.type("reboot -f\n")
    console.expect(r"Domain 1 shut down: reboot")
    console.expect(r"\(d2\) user space on Linux")
    console.type("exit\n")
    ended_well(console)


def test_processor_off_and_on(talk, config):
    console = talk(*linux(config, vcpus=2, extra=QUIET), smp=2)
    console.expect(r"\(d1\) user space on Linux")
    for state, left in (0, 1), (1, 2):
        console.type(f"echo {state} > /sys/devices/system/cpu/cpu1/online; echo $(nproc) left\n")
        console.expect(rf"^\(d1\) {left} left")
    console.type("exit\n")
    ended_well(console)


@pytest.mark.parametrize("vcpus", [1, 4])
def test_fork(talk, config, vcpus):
    """Parent and child overwrite what they had in common; the parent ends first; a reset brings back what there was."""
    forks = Forks(talk(*linux(config, vcpus=vcpus, extra=QUIET)))
    seed = fill(forks)
    child = forks.fork(1)
    forks.sh(child, "echo child $((40 + 1)) on $(nproc)", f"child 41 on {vcpus}")
    forks.sh(1, "echo parent $((40 + 2)) on $(nproc)", f"parent 42 on {vcpus}")
    fresh = fill(forks)
    assert fresh != seed and checked(forks, 1) == fresh
    assert checked(forks, child) == seed
    forks.sh(child, "dd if=/dev/urandom of=/tmp/seed bs=1M count=64 2>/dev/null; sleep 1; echo done", "done")
    forks.command(f"reset {child}", rf"Domain {child}: reset in \d+ cycles")
    assert checked(forks, child) == seed
    forks.off(1)
    assert checked(forks, child) == seed
    forks.off(child)
    ended_well(forks.console)


ENDS = {
    0: (r"\(d0\) right", "Domain 0 shut down: poweroff"),
    1: ("vCPU 0: read of guest-physical address 1000, where it has nothing", "Domain 0 shut down: crash"),
    2: ("vCPU 0: execution of guest-physical address 200, where it has nothing", "Domain 0 shut down: crash"),
    3: ("vCPU 0: read of guest-physical address 3001000, where it has nothing", "Domain 0 shut down: crash"),
    4: ("vCPU 0: execution of guest-physical address 200, where it has nothing", "Domain 0 shut down: crash"),
    5: (r"\(d0\) hello", "Domain 0 shut down: poweroff"),
}


@pytest.mark.parametrize("deed", sorted(ENDS))
def test_deeds(talk, tmp_path, deed):
    """A guest of a few instructions: what calls answer; and what is nobody's business ends that guest, with its registers."""
    elf = tmp_path / "deed"
    deps.ensure("arm64")
    subprocess.run(["aarch64-linux-gnu-gcc", "-nostdlib", "-static", "-Wl,-Ttext=0x40080000,--build-id=none", f"-DDEED={deed}", "-o", elf,
                    TREE / "tests/guest/arm64/deeds.S"], check=True)
    console = talk(Module(elf, "deed"), mem=256 * MIB)
    console.expect(r"\(d0\) hello")
    said, end = ENDS[deed]
    if deed not in (0, 5):
        console.expect(said)
        console.expect(r"vCPU 0: pc [0-9a-f]{16}")
    elif deed == 0:
        console.expect(said)
    console.expect(end)
    console.expect(f"Power off: {'success' if deed in (0, 5) else 'failure'}")
