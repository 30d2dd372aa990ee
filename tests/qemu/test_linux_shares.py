# SPDX-License-Identifier: GPL-2.0-or-later
"""Two of Debian's kernels and the tiny guest at once: shares by weight while both Linuxes spin, and the third answers."""

import time

import pytest
from dialog import config, talk, tiny  # noqa: F401
from whole_boot import guests

from tinelib.iso import Module

WEIGHTS = (256, 512)
SECONDS = 6


def run_times(console, vcpus):
    """What each Linux has run for, by the hypervisor's account; the input is the hypervisor's."""
    totals = []
    for domain in (1, 2):
        console.command(f"info {domain}")
        console.expect(rf'Domain {domain} "')
        totals.append(sum(int(console.expect(rf"  v{vcpu}: .* ran (\d+) ms")[1]) for vcpu in range(vcpus)))
    return totals


def fair(console, cpus):
    """Looks for a while. A host that is away while one CPU runs, and not the other, disturbs it; hence several looks."""
    before = run_times(console, cpus)
    time.sleep(SECONDS)
    light, heavy = (b - a for a, b in zip(before, run_times(console, cpus)))
    assert heavy + light > 0.8 * SECONDS * 1000 * cpus
    return WEIGHTS[0] / WEIGHTS[1] * 0.95 < light / heavy < WEIGHTS[0] / WEIGHTS[1] * 1.05


@pytest.mark.parametrize("cpus", [1, 2])
def test_two_linuxes_share_by_weight_and_the_tiny_guest_answers(talk, tiny, config, cpus):
    kernel, ramdisk = guests.modules("linux-pv", "tine")
    linux = {"kernel": "vmlinuz", "ramdisk": "initrd.gz", "memory": 160, "vcpus": cpus, "extra": guests.LINUX_ARGS}
    console = talk(config("light", **linux, cpu_weight=WEIGHTS[0]), config("heavy", **linux, cpu_weight=WEIGHTS[1]),
                   config("third", extra="linger"), tiny(), Module(kernel.path, "vmlinuz"), Module(ramdisk.path, "initrd.gz"),
                   smp=cpus, mem=512 << 20)
    up = {console.expect(r"\(d(\d)\) user space on Linux")[1] for _ in WEIGHTS}
    assert up == {"1", "2"}
    for domain in (1, 2):
        console.to_domain(domain)
        console.type("while :; do :; done & " * cpus + "echo it sp''ins\n")
        console.expect(rf"\(d{domain}\) it spins")
    console.to_hypervisor()
    assert any(fair(console, cpus) for _ in range(4)), "four times not by weight"
    console.to_domain(3)
    for word in ("one", "two", "three"):
        console.type(f"{word}\n")
        console.expect(rf'tiny: read "{word}"')
    console.type("quit\n")
    console.expect("Domain 3 shut down: poweroff")
    for domain in (1, 2):
        console.to_domain(domain)
        console.type("poweroff -f\n")
        console.expect(rf"Domain {domain} shut down: poweroff")
    assert console.status() == (33, None)
