# SPDX-License-Identifier: GPL-2.0-or-later
"""Unit tests and fuzzers of the real sources, built for this machine with ASan and UBSan.

build/host/test_* speak TAP (cmocka); build/host/tsan_* are judged by their exit status; build/host/fuzz_* are libFuzzer
programs, run for a fixed number of inputs from a fixed seed.  A soak (soak_host.py) runs all three from seeds of its
own, and for longer.
"""

import os

from . import build, deps, proc
from .ktap import FAIL, PASS, Ktap, Result
from .parallel import run_jobs
from .paths import BUILD, HOST_BIN, TREE, made
from .say import EXIT_FAILED, Stop

TEST_LIMIT = 1200
FUZZ_RUNS, FUZZ_SEED = 100_000, 20
SEED = "20261130"    # of what tests do at random, the same each time; a soak has new ones
FUZZ_LIMIT = 1200

ENVIRONMENT = {
    "CMOCKA_MESSAGE_OUTPUT": "tap",
    "ASAN_OPTIONS": "abort_on_error=0:halt_on_error=1",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
}


def programs(prefix):
    return sorted(path for path in HOST_BIN.glob(f"{prefix}*") if path.is_file() and os.access(path, os.X_OK)
                  and "." not in path.name)


def why(status, output):
    """What a program that ended with STATUS said last that explains it."""
    if status is None:
        return "did not end in time"
    telling = [line.strip() for line in output.splitlines()
               if any(word in line for word in ("ERROR:", "runtime error:", "SUMMARY:", "[  FAILED", "panic"))]
    return f"ended with status {status}" + (f": {telling[0]}" if telling else "")


def run_program(program, **more):
    """Its status and output, which is kept; MORE is for its environment."""
    status, output = proc.capture([program], TEST_LIMIT, env={"TINE_SEED": SEED, **os.environ, **ENVIRONMENT, **more})
    (made(BUILD / "test") / f"{program.name}.log").write_text(output, encoding="utf-8")
    return status, output


def unit_test(program, **more):
    status, output = run_program(program, **more)
    tap = Ktap(program.name)
    for line in output.splitlines():
        tap.line(line)
    results = tap.finish()
    if status != 0 and not any(result.state == FAIL for result in results):
        results.append(Result(f"{program.name}: ending", FAIL, why(status, output)))
    return results


def plain_test(program, **more):
    status, output = run_program(program, **more)
    return [Result(program.name, PASS)] if status == 0 else [Result(program.name, FAIL, why(status, output))]


def seeds(program):
    """A folder of inputs made from recorded firmware data, for the fuzzer to start from."""
    folder = made(BUILD / "test" / "corpus" / program.name)
    command = [TREE / "tests" / "host" / "fuzz_seeds.py", program.name.removeprefix("fuzz_"), folder]
    status, output = proc.capture(command, 60)
    if status != 0:
        raise Stop(f"{program.name}: no seeds: {output.strip()[-200:]}", EXIT_FAILED)
    return folder


def fuzz(program, limit=f"runs={FUZZ_RUNS}", seed=FUZZ_SEED):
    """The result, and what the fuzzer said."""
    corpus = seeds(program)
    command = [program, f"-{limit}", f"-seed={seed}", "-timeout=20", "-verbosity=0", "-print_final_stats=1",
               f"-artifact_prefix={corpus.parent}/", corpus]
    status, output = proc.capture(command, FUZZ_LIMIT, env={**os.environ, **ENVIRONMENT})
    (made(BUILD / "test") / f"{program.name}.log").write_text(output, encoding="utf-8")
    name = f"{program.name}: {limit} seed={seed}"
    return Result(name, PASS) if status == 0 else Result(name, FAIL, why(status, output)), output


def run(tally):
    deps.ensure("build", "host")
    build.make("hosttests")
    jobs = [(program.name, lambda p=program: unit_test(p)) for program in programs("test_")]
    jobs += [(program.name, lambda p=program: plain_test(p)) for program in programs("tsan_")]
    jobs += [(program.name, lambda p=program: [fuzz(p)[0]]) for program in programs("fuzz_")]
    tally.check("host: there are test programs", [] if jobs else [f"none in {HOST_BIN}"])
    run_jobs(tally, jobs)
