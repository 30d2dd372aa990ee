# SPDX-License-Identifier: GPL-2.0-or-later
"""A soak's parts on this machine: the unit tests that know chance, with new seeds and for longer, and the fuzzers."""

import re

from . import suite_host
from .ktap import FAIL, PASS, Result
from .paths import TREE

TEST_SECONDS = 15
FUZZ_SECONDS = 20
FUZZ_INPUTS = "fuzz inputs"
HOST_TESTS = "host tests"
EXECUTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")


def knows_chance(program):
    return "machine_seed" in (TREE / "tests" / "host" / f"{program.name}.c").read_text(encoding="utf-8")


def tests(rng, counters):
    seed = rng.randrange(1, 1 << 63)
    chance = {"TINE_SEED": str(seed), "TINE_SECONDS": str(TEST_SECONDS)}

    def one(program, run):
        results = run(program, **chance)
        counters.add(HOST_TESTS, len(results))
        failed = [result for result in results if result.state == FAIL]
        for result in failed:
            result.why += f"; TINE_SEED={seed}"
        return failed or [Result(f"{program.name}, TINE_SEED={seed}", PASS, f"{len(results)} tests")]

    return [(program.name, False, lambda p=program, r=run: one(p, r))
            for prefix, run in (("test_", suite_host.unit_test), ("tsan_", suite_host.plain_test))
            for program in suite_host.programs(prefix) if knows_chance(program)]


def fuzzers(rng, counters):
    def one(program, seed):
        result, output = suite_host.fuzz(program, f"max_total_time={FUZZ_SECONDS}", seed)
        executed = EXECUTED.search(output)
        counters.add(FUZZ_INPUTS, int(executed[1]) if executed else 0)
        return [result]

    return [(program.name, False, lambda p=program, s=rng.randrange(1, 1 << 31): one(p, s))
            for program in suite_host.programs("fuzz_")]
