# SPDX-License-Identifier: GPL-2.0-or-later
"""Guests that attack: the tiny guest's word `attack`, from one vCPU and from several, as the initial domain and as
another's neighbour; the PVH guest's wrong page tables; and `hog`, beside which `latency` must not be late.

A machine passes if its guests reported success, it ended well, and the hypervisor's own check said
`consistency: 0 differences`. Seeds are printed; a soak (soak_machines.py) has new ones.
"""

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import build, guests
from .iso import BootPlan, Module
from .ktap import FAIL, PASS, Result
from .machine import Machine
from .machine_arm64 import Virt
from .run import ARM64_OPTIONS, TINE_OPTIONS
from .say import EXIT_OK
from .suite_machines import boot

SEED = 20261130  # of `make check`: the same attack each time
PVH_CALLS = 12000
CLEAN = "consistency: 0 differences"
NEIGHBOUR_WELL = "(d2) tiny: RESULT success"
ARM64_OVER = "(d1) tiny: 60000 steps, "
LATENCY_LIMIT_US = {"release": 1000, "debug": 3000}


@dataclass
class Attack:
    """CALLS by each of the vCPUs that attack: all but the last."""

    name: str
    calls: int
    vcpus: int = 1
    smp: int = 1
    variant: str = "debug"
    neighbour: bool = False  # an unprivileged domain attacks, and another does its work beside it
    words: str = "attack"


# 200,000 calls in all.
CHECK = [
    Attack("1 vCPU", 40000),
    Attack("1 vCPU, unprivileged, with a neighbour", 40000, neighbour=True),
    Attack("2 of 3 vCPUs on one CPU", 20000, vcpus=3),
    Attack("3 of 4 vCPUs on 2 CPUs", 20000, vcpus=4, smp=2),
    Attack("1 vCPU, release build", 20000, variant="release"),
]


def configured(folder, name, extra, **fields):
    """A module that describes a domain."""
    fields = {"name": name, "kernel": "tiny", "memory": 48, "extra": extra, **fields}
    path = Path(folder) / f"{name}.cfg"
    path.write_text("".join(f"{key} = {value!r}\n" for key, value in fields.items()), encoding="utf-8")
    return Module(path, path.name)


def verdict_of(name, result, *wanted):
    """All of WANTED must be among what the machine said, besides its good end."""
    text = "\n".join(result.lines)
    missing = [line for line in wanted if line not in text]
    good = result.verdict.status == EXIT_OK and not missing
    return Result(name, PASS if good else FAIL,
                  "" if good else "; ".join([result.verdict.summary] + [f"no {line!r}" for line in missing]))


def calls_made(lines):
    """By all of a machine's attackers; of one that died on the way, what it said last."""
    over = [int(match[1]) for match in re.finditer(r"attack: over: seed=\d+ made=(\d+)", "\n".join(lines))]
    said = [int(match[1]) for match in re.finditer(r"attack: (\d+) calls, ", "\n".join(lines))]
    return sum(over) or max(said, default=0)


def attack(shape, seed):
    """Boots the machine of SHAPE; its name, and what came of it."""
    name = f"attack, {shape.name}, seed {seed}"
    words = f"{shape.words} seed={seed} calls={shape.calls}"
    options = f"{TINE_OPTIONS} consistency dom0_max_vcpus={shape.vcpus}"
    machine = Machine(mem=192 << 20, smp=shape.smp)
    tiny = guests.modules("tiny", "tine")[0].path
    with tempfile.TemporaryDirectory() as folder:
        modules = [Module(tiny, words)]
        if shape.neighbour:
            modules = [configured(folder, "attacker", words), configured(folder, "neighbour", "test"),
                       Module(tiny, "tiny")]
        return name, boot(name, BootPlan("Tine", build.image_of(shape.variant), options, modules), machine,
                          may_hang=[1 if shape.neighbour else 0])


def pvh_tables(seed, calls, variant="debug"):
    """The PVH guest's wrong page tables, from two vCPUs on two CPUs, with another PVH guest beside it; the name, and what came of it."""
    name = f"PVH, wrong page tables, 2 vCPUs on 2 CPUs, seed {seed}"
    with tempfile.TemporaryDirectory() as folder:
        shape = {"type": "pvh", "kernel": "tinypvh", "memory": 16}
        modules = [configured(folder, "attacker", f"tables seed={seed} calls={calls}", vcpus=2, **shape),
                   configured(folder, "neighbour", "test", **shape), Module(build.tiny_pvh(), "tinypvh")]
        plan = BootPlan("Tine", build.image_of(variant), f"{TINE_OPTIONS} consistency", modules)
        return name, boot(name, plan, Machine(mem=192 << 20, smp=2), may_hang=[1])


def arm64(seed, gic):
    """The arm64 guest's attack, with another guest beside it on the same CPU; the name, and what came of it."""
    name = f"arm64, GICv{gic}, seed {seed}"
    with tempfile.TemporaryDirectory() as folder:
        shape = {"type": "pvh", "kernel": "tinyarm", "memory": 64}
        modules = [configured(folder, "attacker", f"attack seed={seed}", **shape),
                   configured(folder, "neighbour", "test", **shape), Module(build.tiny_arm64(), "tinyarm")]
        plan = BootPlan("Tine", build.image_of("debug", "arm64"), f"{ARM64_OPTIONS} consistency", modules)
        return name, boot(name, plan, Virt(mem=256 << 20, gic=gic), may_hang=[1])


def hog(name, variant="release"):
    """On one CPU whose time is counted in instructions: what the figure says does not depend on the host. Without the
    check at the hog's end, which holds the CPU (debug builds do it unasked)."""
    machine = Machine(mem=192 << 20, icount=True)
    with tempfile.TemporaryDirectory() as folder:
        modules = [configured(folder, "hog", "hog"),
                   configured(folder, "sleeper", f"latency limit={LATENCY_LIMIT_US[variant]}"),
                   Module(guests.modules("tiny", "tine")[0].path, "tiny")]
        result = boot(name, BootPlan("Tine", build.image_of(variant), f"{TINE_OPTIONS} consistency=off", modules), machine)
    return verdict_of(name, result, "latency: naps=", "hog: turn=2 ")


def run(tally):
    for variant in build.VARIANTS:
        build.hypervisor(variant)
    build.hypervisor("debug", "arm64")
    build.tiny_guest()
    for shape in CHECK:
        tally.say(f"attack, {shape.name}: seed={SEED}")
        tally.add(verdict_of(*attack(shape, SEED), CLEAN, f"attack: over: seed={SEED} "))
    tally.say(f"attack, PVH: seed={SEED}")
    tally.add(verdict_of(*pvh_tables(SEED, PVH_CALLS), CLEAN, NEIGHBOUR_WELL, f"tables: seed={SEED}, calls={PVH_CALLS}, "))
    for gic in (2, 3):
        tally.add(verdict_of(*arm64(SEED, gic), CLEAN, NEIGHBOUR_WELL, ARM64_OVER))
    for variant in build.VARIANTS:
        tally.add(hog(f"hog, 1 CPU, {variant} build: a neighbour keeps its latency", variant))
