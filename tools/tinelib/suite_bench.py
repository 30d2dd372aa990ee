# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures as tests: none may exceed the design's limit, or its recorded bound by more than 5 %, or reach Xen's recorded figure."""

from . import bench_boot, bench_fork, bench_fork_arm64, bench_heap, bench_heap_arm64, bench_pv, bench_tls, bounds, build
from .ktap import FAIL, PASS, Result
from .parallel import run_jobs
from .sizes import show_size

# The cheap half of the benchmark's table; 512 GiB by page or chunk take minutes and say nothing new.
HEAP = [(1 << 30, "page"), (1 << 30, "chunk"), (1 << 30, "lazy"), (4 << 30, "lazy"), (8 << 30, "lazy"), (64 << 30, "lazy"),
        (512 << 30, "lazy")]


def judged(name, rows):
    """A result for each of Tine's figures; one without a recorded bound or limit fails, since nothing holds it."""
    results = []
    known, xens = bounds.recorded().get(name, {}), bounds.recorded().get(f"{name}-xen", {})
    for row in rows:
        key = bounds.key_of(name, row)
        if key is None:
            continue
        problems = bounds.problems(name, [row])
        if name in bounds.AHEAD and key not in xens:
            problems.append(f"Xen's figure is not recorded for {key} (tine bench {name} --record)")
        if key not in known:
            problems.append(f"no bound recorded for {key} (tine bench {name} --record)")
        results.append(Result(f"bench {name} {key}: {row['instructions']:,}", FAIL if problems else PASS,
                              "; ".join(problems)))
    return results


def heap_case(size, strategy):
    return judged("heap", [bench_heap.measure_tine(size, strategy)])


def arm64_case(size, strategy):
    return judged("heap-arm64", [bench_heap_arm64.measure_tine(size, strategy)])


def boot_case(guest):
    return judged("boot", [bench_boot.measure_tine(guest)])


def pv_case():
    rows = bench_pv.measure_on("tine")
    missing = sorted(set(bounds.PV_LIMITS) - {row["call"] for row in rows})
    results = judged("pv", rows)
    if missing:
        results.append(Result("bench pv: every call of the design", FAIL, f"no figure for {', '.join(missing)}"))
    return results


def tls_case():
    return judged("tls", bench_tls.measure_on("tine"))


def fork_case():
    return judged("fork", bench_fork.measure_tine(512 << 20, "subtree", quick=True))


def fork_arm64_case():
    return judged("fork-arm64", bench_fork_arm64.measure_tine(512 << 20, "subtree", quick=True))


def run(tally):
    build.hypervisor()
    build.hypervisor(arch="arm64")
    build.tiny_guest()
    build.tiny_pvh()
    build.tiny_arm64()
    jobs = [(f"bench heap {show_size(size)}/{strategy}", lambda s=size, t=strategy: heap_case(s, t))
            for size, strategy in HEAP]
    jobs += [(f"bench heap on arm64 {show_size(size)}/{strategy}", lambda s=size, t=strategy: arm64_case(s, t))
             for size, strategy in HEAP]
    jobs += [(f"bench boot {guest}", lambda g=guest: boot_case(g)) for guest in bench_boot.GUESTS]
    run_jobs(tally, [*jobs, ("bench pv", pv_case), ("bench tls", tls_case), ("bench fork", fork_case), ("bench fork on arm64", fork_arm64_case)])
