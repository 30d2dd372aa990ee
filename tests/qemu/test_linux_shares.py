# SPDX-License-Identifier: GPL-2.0-or-later
"""Two of Debian's kernels and the tiny guest at once: one is prompt while the other spins; shares by weight while both spin, and
the third answers; all memory is back when they have ended."""

import time

import pytest
from dialog import config, free_now, free_when, talk, tiny  # noqa: F401
from whole_boot import guests

from tinelib.iso import Module

LIGHT, HEAVY = 1, 2  # domains
WEIGHTS = (256, 512)
SECONDS = 6
LINES = 30


def account(console, domain, vcpus):
    """(ms that a domain's vCPUs ran, ms that they were ready and had no CPU); the input is the hypervisor's."""
    console.command(f"info {domain}")
    console.expect(rf'Domain {domain} "')
    found = [console.expect(rf"  v{vcpu}: .* ran (\d+) ms, waited (\d+),") for vcpu in range(vcpus)]
    return sum(int(match[1]) for match in found), sum(int(match[2]) for match in found)


def fair(console, cpus):
    """Looks for a while. A host that is away while one CPU runs, and not the other, disturbs it; hence several looks."""
    before = [account(console, domain, cpus)[0] for domain in (LIGHT, HEAVY)]
    time.sleep(SECONDS)
    light, heavy = (account(console, domain, cpus)[0] - ran for domain, ran in zip((LIGHT, HEAVY), before))
    assert heavy + light > 0.8 * SECONDS * 1000 * cpus
    return WEIGHTS[0] / WEIGHTS[1] * 0.95 < light / heavy < WEIGHTS[0] / WEIGHTS[1] * 1.05


def start(talk, tiny, config, cpus):
    """The console of a machine with both Linuxes at their shells, and a third domain."""
    kernel, ramdisk = guests.modules("linux-pv", "tine")
    linux = {"kernel": "vmlinuz", "ramdisk": "initrd.gz", "memory": 160, "vcpus": cpus, "extra": guests.LINUX_ARGS}
    console = talk(config("light", **linux, cpu_weight=WEIGHTS[0]), config("heavy", **linux, cpu_weight=WEIGHTS[1]),
                   config("third", extra="linger"), tiny(), Module(kernel.path, "vmlinuz"), Module(ramdisk.path, "initrd.gz"),
                   smp=cpus, mem=512 << 20)
    up = {console.expect(r"\(d(\d)\) user space on Linux")[1] for _ in WEIGHTS}
    assert up == {"1", "2"}
    return console


def spin(console, domain, cpus):
    console.to_domain(domain)
    console.type("while :; do :; done & " * cpus + "echo it sp''ins\n")
    console.expect(rf"\(d{domain}\) it spins")


def power_off(console, domain):
    console.to_domain(domain)
    console.type("poweroff -f\n")
    console.expect(rf"Domain {domain} shut down: poweroff")


def prompt(console, domain, vcpus):
    """Has lines repeated by its shell, one by one; says whether the domain had the CPU soon each time. Behind a slice of the other's a
    line would wait 10 ms and more; what it waits for its share when it works (a slow host) is at most half of that work."""
    console.to_hypervisor()
    before = account(console, domain, vcpus)
    console.to_domain(domain)
    for number in range(LINES):
        console.type(f"line{number}\n")
        console.expect(rf"\(d{domain}\) said line{number}$")
        time.sleep(0.02)
    console.to_hypervisor()
    ran, waited = (b - a for a, b in zip(before, account(console, domain, vcpus)))
    print(f"{LINES} lines: ran {ran} ms, waited {waited}")
    return waited < ran + 3 * LINES


def frames(console, domain):
    console.command(f"info {domain}")
    return int(console.expect(r"  (\d+) frames \(")[1])


@pytest.mark.parametrize("cpus", [1, 2])
def test_two_linuxes_and_the_tiny_guest(talk, tiny, config, cpus):
    console = start(talk, tiny, config, cpus)
    spin(console, LIGHT, cpus)
    console.to_domain(HEAVY)
    console.type("while read word; do echo said $word; done\n")
    assert any(prompt(console, HEAVY, cpus) for _ in range(4)), "four times not prompt beside one that spins"
    console.to_domain(HEAVY)
    console.type("\x04")
    spin(console, HEAVY, cpus)
    console.to_hypervisor()
    assert any(fair(console, cpus) for _ in range(4)), "four times not by weight"
    console.to_domain(3)
    for word in ("one", "two", "three"):
        console.type(f"{word}\n")
        console.expect(rf'tiny: read "{word}"')
    console.to_hypervisor()
    full = free_now(console)
    theirs = frames(console, LIGHT) + frames(console, HEAVY)
    for domain in (LIGHT, HEAVY):
        power_off(console, domain)
    console.to_hypervisor()
    free = free_when(console, lambda free: free - full >= theirs)
    assert free - full < theirs + 300  # what domains have besides their memory: tables, stores, small objects
    console.to_domain(3)
    console.type("quit\n")
    console.expect("Domain 3 shut down: poweroff")
    assert console.status() == (33, None)
