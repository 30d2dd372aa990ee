# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian's kernel, PV and PVH, as a domain without a control domain: it does what it is asked in its store."""

import time

import pytest
from dialog import SWITCH, config, talk  # noqa: F401

from tinelib import guests
from tinelib.iso import Module

MIB = 1 << 20
UNDER_SHARED_INFO = 1  # the frame of RAM that a PVH kernel gives up by putting that page over it
# Linux calls these programs; the shell of the test's ramdisk listens to no signal of theirs.
PROGRAMS = "".join(f"rm -f /sbin/{name}; printf '#!/bin/sh\\nbusybox {name} -f\\n' >/sbin/{name}; chmod +x /sbin/{name}; "
                   for name in ("poweroff", "reboot"))


def frames(console, domain):
    console.command(f"info {domain}")
    return int(console.expect(r"(\d+) frames \(\d+ MiB\), at most")[1])


def ballooned(console, domain, size):
    """Asks until it is done; the guest takes its time."""
    console.command(f"balloon {domain} {size}")
    console.expect(r"is asked: memory/target")
    while abs(frames(console, domain) - (size << 8)) > UNDER_SHARED_INFO:
        time.sleep(0.1)    # who asks without a pause keeps the CPU from it


@pytest.mark.parametrize("kind", ["pv", "pvh"])
def test_linux_follows_its_store(talk, config, kind):
    kernel, ramdisk = guests.modules("linux-pv", "tine")[:2]
    console = talk(config("deb", type=kind, kernel="vmlinuz", ramdisk="initrd", memory=256, extra=kernel.args),
                   Module(kernel.path, "vmlinuz"), Module(ramdisk.path, "initrd"), mem=640 * MIB, smp=1,
                   options="consistency")
    console.expect(r"Grant table initialized")
    console.expect(r"user space on Linux")
    console.type(PROGRAMS + "echo re''ady\n")
    console.expect(r"^\(d1\) ready")
    console.type(SWITCH)
    ballooned(console, 1, 128)
    ballooned(console, 1, 256)
    console.command("reboot 1")
    console.expect(r"Domain 1 shut down: reboot")
    console.expect(r"\(d2\) user space on Linux")
    console.command("console 2")
    console.type(PROGRAMS + "echo re''ady\n")
    console.expect(r"^\(d2\) ready")
    console.type(SWITCH)
    console.command("shutdown 2")
    console.expect(r"Domain 2 shut down: poweroff")
    console.expect(r"consistency: 0 differences")
    assert console.status() == (33, None)
