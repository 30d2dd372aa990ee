# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian's PV kernel crashes, reboots and powers off: what its configuration says is done, and all memory comes back.

Its kernel here is the ELF file without a wrapping, which spares unpacking it at each restart.  The tiny guest lives on
beside it, so that free memory can be looked at when it has gone.
"""

import lzma
import time

from dialog import SWITCH, config, talk, tiny  # noqa: F401
from repack import payload_of

from tinelib import cache, deps, guests
from tinelib.iso import Module

MIB = 1 << 20
MEMORY = 128


def free_frames(console):
    """Free frames of the machine; the input goes round to the hypervisor and back."""
    to = None
    while to != "the hypervisor":
        console.type(SWITCH)
        to = console.expect(r"Console input goes to (the hypervisor|domain \d+)")[1]
    console.type("m")
    return int(console.expect(r"Node 0: \d+ frames, (\d+) free")[1])


def settled(console, right):
    """A domain's end is told before all its memory is back."""
    for _ in range(100):
        free = free_frames(console)
        if right(free):
            return free
        time.sleep(0.1)
    raise AssertionError(f"{free} frames are free in the end")


def life(console, command, reason):
    """Linux comes up, in a domain of whatever number is free, and ends by COMMAND; what was free while it lived."""
    domain = console.expect(r"^\(d(\d+)\) user space on Linux")[1]
    free = free_frames(console)
    console.command(f"console {domain}")
    console.expect(f"input goes to domain {domain}")
    console.type(command + "\n")
    console.expect(rf"Domain {domain} shut down: {reason}$")
    return free


def test_each_end_of_linux(talk, config, tiny, tmp_path):
    deps.ensure("guests")
    kernel, ramdisk = tmp_path / "vmlinux", guests.modules("linux-pv", "tine")[1]
    kernel.write_bytes(lzma.decompress(payload_of(cache.linux_kernel().read_bytes())[1]))
    console = talk(config("deb", kernel="vmlinux", ramdisk="initrd", memory=MEMORY, extra=f"{guests.LINUX_ARGS} quiet",
                          on_crash="coredump-restart"),
                   config("last", extra="linger"), tiny(), Module(kernel, "vmlinux"), Module(ramdisk.path, "initrd"),
                   mem=512 * MIB, smp=1, options="consistency")
    console.expect(r"\(d2\) tiny: waiting")
    first = life(console, "echo c >/proc/sysrq-trigger", "crash")
    second = life(console, "reboot -f", "reboot")
    third = life(console, "poweroff -f", "poweroff")
    # The allocator of small objects may keep a page of each size.
    assert abs(second - first) < 10 and abs(third - first) < 10
    frames = MEMORY * MIB // 4096
    settled(console, lambda free: frames <= free - first < frames + 100)
    console.command("console 2")
    console.type("quit\n")
    console.expect("Domain 2 shut down: poweroff")
    console.expect("consistency: 0 differences")
    assert console.status() == (33, None)
