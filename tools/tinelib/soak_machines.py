# SPDX-License-Identifier: GPL-2.0-or-later
"""A soak's machines that run to their end without a word typed: attacks, exhaustion, the hog, self-tests on any shape."""

import dataclasses
import re
import tempfile

from . import build, guests
from .iso import BootPlan, Module
from .ktap import FAIL, PASS, Result
from .machine import Machine
from .run import NO_SCRUB, TINE_OPTIONS
from .say import EXIT_OK
from .suite_hostile import CHECK, CLEAN, NEIGHBOUR_WELL, Attack, arm64, attack, calls_made, configured, hog, pvh_tables, verdict_of
from .suite_machines import SHAPES, Shape, boot, selftest

CALLS, MACHINES = "attack calls", "machines"
SEEDS_A_ROUND = 12
TABLES = [Attack("page tables, 3 of 4 vCPUs on 2 CPUs", 40000, vcpus=4, smp=2, words="attack tables"),
          Attack("page tables, 1 vCPU", 40000, words="attack tables")]
PVH_CALLS = 100_000


def looped(result):
    """Those that were told to end since nothing was heard any more: they were computing, and none waited, for it may have lost what it waited for."""
    states = {state for domain in result.stuck for state in re.findall(rf"\s{domain} \S+ +\d+ +\d+  (\w+)", "\n".join(result.lines))}
    return "running" in states and not states & {"blocked", "paused"}


def attackers_own_end(result):
    """With a seed that nobody has tried, the attacker may have hit itself, or have made itself an endless loop; that is its affair, and nobody
    else's."""
    text = "\n".join(result.lines)
    return CLEAN in text and "No domain is left" in text and "RESULT failure attack:" not in text and (not result.stuck or looped(result))


def judged(name, result, counters, neighbour=True):
    """An attack's machine, with a NEIGHBOUR that must not have noticed."""
    counters.add(MACHINES)
    why = result.verdict.summary
    if neighbour and NEIGHBOUR_WELL not in "\n".join(result.lines):
        return [Result(name, FAIL, f"the neighbour suffered: {why}")]
    if attackers_own_end(result):
        return [Result(name, PASS, "" if result.verdict.status == EXIT_OK else f"the attacker's own end: {why}")]
    return [Result(name, FAIL, why)]


def attack_job(shape, seed, counters):
    name, result = attack(shape, seed)
    counters.add(CALLS, calls_made(result.lines))
    return judged(name, result, counters, neighbour=shape.neighbour)


def jobs_of(shapes, rng, counters):
    seeds = [(shape, rng.randrange(1 << 40)) for shape in shapes]
    return [(shape.name, shape.smp > 1, lambda h=shape, s=seed: attack_job(h, s, counters)) for shape, seed in seeds]


def attacks(rng, counters):
    return jobs_of(CHECK * SEEDS_A_ROUND, rng, counters)


def table_attacks(rng, counters):
    return jobs_of(TABLES * 2, rng, counters)


def pvh_attacks(rng, counters):
    """The tiny PVH guest's attack, beside a PV one's; and its wrong page tables, beside another PVH guest."""
    seed, variant = rng.randrange(1 << 40), rng.choice(build.VARIANTS)
    name = f"PVH and PV attack side by side, seed {seed}"

    def run():
        words = f"attack seed={seed} calls=20000"
        with tempfile.TemporaryDirectory() as folder:
            modules = [configured(folder, "pvh", f"attack seed={seed}", type="pvh", kernel="tinypvh", memory=16),
                       configured(folder, "pv", words), Module(build.tiny_pvh(), "tinypvh"),
                       Module(guests.modules("tiny", "tine")[0].path, "tiny")]
            plan = BootPlan("Tine", build.image_of("debug"), f"{TINE_OPTIONS} consistency", modules)
            result = boot(name, plan, Machine(mem=192 << 20), may_hang=[1, 2])
        counters.add(CALLS, calls_made(result.lines))
        return judged(name, result, counters, neighbour=False)

    def tables():
        counters.add(CALLS, PVH_CALLS)
        return judged(*pvh_tables(seed, PVH_CALLS, variant), counters)

    return [(name, False, run), ("PVH, wrong page tables", True, tables)]


def arm64_attacks(rng, counters):
    """The arm64 guest's attack, beside another one of them."""
    seed, gic = rng.randrange(1 << 40), rng.choice((2, 3))

    def run():
        return judged(*arm64(seed, gic), counters)

    return [(f"arm64 attack, GICv{gic}", False, run)]


def forked_domains(rng, counters):
    """The tiny PVH guest's forks, made, run, reset and destroyed in no order; its own verdict, and all references at each end."""
    seed = rng.randrange(1 << 30)
    name = f"forks of a domain in no order, seed {seed}"

    def run():
        with tempfile.TemporaryDirectory() as folder:
            modules = [configured(folder, "tiny", f"fork churn=10000 seed={seed} many=100", type="pvh", kernel="tinypvh", memory=80, fork=1, max_forks=1000),
                       Module(build.tiny_pvh(), "tinypvh")]
            plan = BootPlan("Tine", build.image_of("release"), f"{TINE_OPTIONS} consistency", modules)
            result = boot(name, plan, Machine(mem=512 << 20))
        counters.add(MACHINES)
        text = "\n".join(result.lines)
        good = "(d1) tiny: RESULT success" in text and "consistency: 0 differences" in text and "an orphan reads and writes" in text
        return [Result(name, PASS if good else FAIL, "" if good else result.verdict.summary)]

    return [(name, False, run)]


def exhaustion(rng, counters):
    """All ports, grant frames and handles taken by two domains at once, while a third one tests what it has."""
    turns, cpus = rng.randrange(3, 8), rng.randrange(1, 3)
    name = f"exhaustion, {turns} turns, {cpus} CPUs"

    def run():
        with tempfile.TemporaryDirectory() as folder:
            modules = [configured(folder, "greedy", f"exhaust turns={turns}"), configured(folder, "gross", f"exhaust turns={turns}"),
                       configured(folder, "modest", "test"), Module(guests.modules("tiny", "tine")[0].path, "tiny")]
            plan = BootPlan("Tine", build.image_of("debug"), f"{TINE_OPTIONS} consistency", modules)
            result = boot(name, plan, Machine(mem=256 << 20, smp=cpus))
        counters.add(MACHINES)
        return [verdict_of(name, result, CLEAN, "(d1) tiny: RESULT success", "(d2) tiny: RESULT success",
                           "(d3) tiny: RESULT success")]

    return [(name, cpus > 1, run)]


def hogs(rng, counters):
    variant = rng.choice(build.VARIANTS)

    def run():
        counters.add(MACHINES)
        return [hog(f"hog, 1 CPU, {variant} build: a neighbour keeps its latency", variant)]

    return [("hog", False, run)]


def any_shape(rng):
    """A machine that nobody has thought of: nodes of any sizes, some without memory, any build and firmware."""
    cpus, nodes = rng.randrange(1, 5), rng.randrange(1, 9)
    sizes = [rng.choice((0, rng.randrange(64, 4096))) for _ in range(nodes)]
    sizes[0] = rng.randrange(256, 2048)    # QEMU's firmware wants memory there
    return Shape(f"{cpus} CPUs, nodes of {','.join(map(str, sizes))} MiB", f"{sum(sizes)}M", smp=cpus,
                 numa=",".join(f"{size}M" if size else "0" for size in sizes), firmware=rng.choice(("bios", "bios", "uefi")),
                 variant=rng.choice(build.VARIANTS), compress=rng.random() < 0.3, options=NO_SCRUB)


def selftests(rng, counters):
    def run(shape):
        results = selftest(shape)
        counters.add(MACHINES)
        failed = [result for result in results if result.state == FAIL]
        name = f"selftest, {shape.name}"
        return failed or [Result(name, PASS, f"{len(results)} tests")]

    shapes = [*rng.sample(SHAPES, 3), any_shape(rng), any_shape(rng)]
    return [(shape.name, shape.smp > 1, lambda s=dataclasses.replace(shape): run(s)) for shape in shapes]
