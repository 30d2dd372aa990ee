# SPDX-License-Identifier: GPL-2.0-or-later
"""`tine test soak`: rounds of all parts until the time is over.

Round R of seed S has the seed S + R, printed with every result, and all that a part does at random follows from it: one
round of one part is repeated by `--part NAME --seed THAT --minutes 0`.  Jobs that need both CPUs run alone, the others
side by side.  The random attack goes on until its share of 10 million calls an hour is done, whatever the time.
"""

import random
import threading
import time
from dataclasses import dataclass, field

from . import build, cache, deps, guests, soak_domains, soak_forks, soak_host, soak_machines
from .ktap import FAIL, Result
from .parallel import run_jobs
from .say import EXIT_FAILED, Stop
from .suite_machines import log_path

CALLS_AN_HOUR = 10_000_000
DEFAULT_MINUTES = 60.0
ATTACK = "attack"

# A part is a function: from a seed and the counters to jobs (name, whether it needs all CPUs, function that returns Results).
PARTS = {
    ATTACK: soak_machines.attacks,
    "tables": soak_machines.table_attacks,
    "exhaust": soak_machines.exhaustion,
    "hog": soak_machines.hogs,
    "pvh": soak_machines.pvh_attacks,
    "pvh-boots": soak_domains.pvh_boots,
    "arm64": soak_machines.arm64_attacks,
    "domain-forks": soak_machines.forked_domains,
    "linux-forks": soak_forks.linux,
    "forks": soak_domains.forks,
    "churn": soak_domains.churn,
    "selftest": soak_machines.selftests,
    "host": soak_host.tests,
    "fuzz": soak_host.fuzzers,
}


class Counters:
    """What was done in all: add() from any thread."""

    def __init__(self):
        self.lock = threading.Lock()
        self.count = {}

    def add(self, what, number=1):
        with self.lock:
            self.count[what] = self.count.get(what, 0) + number

    def line(self):
        return ", ".join(f"{number:,} {what}" for what, number in self.count.items())


@dataclass
class Soak:
    """One run: its end, what it counts."""

    tally: object
    minutes: float
    parts: list
    start: float = field(default_factory=time.monotonic)
    counters: Counters = field(default_factory=Counters)

    def elapsed(self):
        return (time.monotonic() - self.start) / 60

    def calls_missing(self):
        wanted = int(self.minutes / 60 * CALLS_AN_HOUR) if ATTACK in self.parts else 0
        return self.counters.count.get(soak_machines.CALLS, 0) < wanted

    def over(self):
        return self.elapsed() >= self.minutes

    def judged(self, part, seed, first, function):
        """The job as run_jobs() wants it: nothing once the time is over, but for the first round and the attack's share."""
        def run():
            if self.over() and not first and not (part == ATTACK and self.calls_missing()):
                return []
            start = time.monotonic()
            try:
                results = function()
            except Stop as stop:
                results = [Result(part, FAIL, str(stop))]
            return [self.told(result, part, seed, time.monotonic() - start) for result in results]
        return run

    def told(self, result, part, seed, took):
        """With what a person needs to repeat it."""
        name = f"[{self.elapsed():5.1f} min] {part}: {result.name} ({took:.0f} s)"
        if result.state != FAIL:
            log_path(result.name).unlink(missing_ok=True)
            return Result(name, result.state, result.why)
        return Result(name, FAIL, f"{result.why}; again: tools/tine test soak --part {part} --seed {seed} --minutes 0")

    def round(self, number, seed):
        self.tally.say(f"--- round {number}, seed {seed}, {self.elapsed():.0f} of {self.minutes:.0f} minutes")
        beside = []
        for part in self.parts:
            for name, whole, function in PARTS[part](random.Random(f"{part} {seed}"), self.counters):
                job = (name, self.judged(part, seed, number == 0, function))
                if whole:
                    run_jobs(self.tally, [job], workers=1)
                else:
                    beside.append(job)
        run_jobs(self.tally, beside)
        self.tally.say(f"    so far: {self.counters.line()}")

    def run(self, seed):
        number = 0
        while number == 0 or not self.over() or self.calls_missing():
            self.round(number, seed + number)
            number += 1
        self.tally.say(f"\nsoak: {number} rounds, seeds {seed} to {seed + number - 1}, {self.elapsed():.0f} minutes: "
                       f"{self.counters.line()}")


def add_arguments(parser):
    parser.add_argument("--minutes", type=float, default=DEFAULT_MINUTES, metavar="N",
                        help="soak: how long; 0 is one round (default: 60)")
    parser.add_argument("--seed", type=int, default=None, metavar="S", help="soak: what chance starts from (default: new)")
    parser.add_argument("--part", action="append", default=[], choices=tuple(PARTS), metavar="PART",
                        help=f"soak: only this one of {', '.join(PARTS)}")


def prepare():
    """Builds and fetches all there is, so that no part waits for another's."""
    deps.ensure("build", "arm64", "host", "machine", "guests")
    for arch in build.ARCHES:
        for variant in build.VARIANTS:
            build.hypervisor(variant, arch)
    build.tiny_guest()
    build.tiny_pvh()
    build.make("hosttests")
    cache.linux_kernel()
    guests.ramdisk(guests.programs_32bit())


def main(options, tally):
    if options.minutes < 0:
        raise Stop("--minutes: a time cannot be negative")
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 40)
    parts = [part for part in PARTS if not options.part or part in options.part]
    try:
        prepare()
    except Stop as stop:
        raise Stop(f"soak: {stop}", EXIT_FAILED) from stop
    Soak(tally, options.minutes, parts).run(seed)
    return tally.finish()
