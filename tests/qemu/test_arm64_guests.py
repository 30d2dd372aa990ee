# SPDX-License-Identifier: GPL-2.0-or-later
"""Linux on arm64: Debian's kernel to a shell and back, by both interrupt controllers, its CPUs off and on, reboot."""

import re

import pytest
from arm64 import MIB, QUIET, deed, ended_well, linux, talk  # noqa: F401
from dialog import config  # noqa: F401
from test_linux_domains import complaints

from tinelib.iso import Module


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


@pytest.mark.parametrize("number, said", [(0, "right"), (5, "hello")])
def test_deeds(talk, tmp_path, number, said):
    """A guest of a few instructions: what calls answer, and the last CPU off."""
    console = talk(Module(deed(tmp_path, number), "deed"), mem=256 * MIB)
    console.expect(rf"\(d0\) {said}")
    console.expect("Domain 0 shut down: poweroff")
    ended_well(console)


MISDEEDS = {
    1: "read of guest-physical address 1000, where it has nothing",
    2: "execution of guest-physical address 200, where it has nothing",
    3: "read of guest-physical address 3001000, where it has nothing",
    4: "execution of guest-physical address 200, where it has nothing",
    6: "execution of guest-physical address 200, where it has nothing",
}


@pytest.mark.parametrize("number", sorted(MISDEEDS))
def test_misdeeds(talk, config, tmp_path, number):
    """What is nobody's business ends that guest, with its registers; the other does not notice."""
    def guest(name, which):
        return [config(name, type="pvh", kernel=f"deed{which}", memory=8), Module(deed(tmp_path, which), f"deed{which}")]

    console = talk(*guest("bad", number), *guest("good", 0), mem=256 * MIB, cpu="max")
    console.expect("Power off: failure")
    console.status()
    text = "\n".join(console.lines)
    for wanted in (rf"d1v0 crashed: vCPU 0: {MISDEEDS[number]}", r"vCPU 0: pc [0-9a-f]{16}", r"  x0  +[0-9a-f]{16}",
                   "Domain 1 shut down: crash", r"\(d2\) right", "Domain 2 shut down: poweroff"):
        assert re.search(wanted, text), f"{wanted} in:\n{text}"
