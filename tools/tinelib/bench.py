# SPDX-License-Identifier: GPL-2.0-or-later
"""`tine bench`: measurements in instructions, Tine beside Debian's Xen on the same emulated machine.

All run with one instruction a nanosecond (icount), so that the TSC counts instructions and a figure repeats
exactly.  Each benchmark gives rows (dictionaries); here they become a table, JSON, a plot and recorded bounds.
"""

import json
from pathlib import Path

from . import bench_boot, bench_fork, bench_fork_arm64, bench_heap, bench_heap_arm64, bench_pv, bench_tls, bounds, build, deps
from .paths import BENCH_OUT, made
from .say import EXIT_FAILED, EXIT_OK, Stop, note
from .sizes import parse_size

BENCHES = {"heap": bench_heap, "pv": bench_pv, "boot": bench_boot, "tls": bench_tls, "fork": bench_fork}
BENCHES_ARM64 = {"heap-arm64": bench_heap_arm64, "fork-arm64": bench_fork_arm64}    # by the names of files and bounds


def add_arguments(parser):
    parser.add_argument("what", choices=(*BENCHES, "all"),
                        help="boot heap, a PV guest's calls, hand-over to first guest, Linux's TLS at switches, forks of a live guest, or all")
    parser.add_argument("--arch", choices=build.ARCHES, default="x86_64", help="arm64: heap and fork, without Xen")
    parser.add_argument("--mem", default=None, metavar="A,B", help="heap: memory sizes (default: 1G,4G,8G,64G,512G); fork: guests' (64M,512M,2G,8G)")
    parser.add_argument("--strategy", default=None, metavar="S", help="only this one; heap: page, chunk, lazy; fork: subtree, run, frame")
    parser.add_argument("--no-peer", action="store_true", help="leave Debian's Xen out, and processes under Linux")
    parser.add_argument("--json", default=None, metavar="FILE", help="where the rows go (default: build/bench/WHAT.json)")
    parser.add_argument("--record", action="store_true", help="make these figures the bounds that `make check` holds")


def parse_sizes(text):
    sizes = [parse_size(part, "--mem") for part in text.split(",")]
    if min(sizes) < 64 << 20 or any(size % (1 << 20) for size in sizes):
        raise Stop("--mem: at least 64M each, in whole MiB")
    return sizes


def parse_filter(options, bench):
    """The sizes and strategies of BENCH that were asked for. Those without any have the heap's, which they do not look at."""
    offered = getattr(bench, "STRATEGIES", bench_heap.STRATEGIES)
    if options.strategy and options.strategy not in offered:
        raise Stop(f"--strategy: '{options.strategy}' is none of {', '.join(offered)}")
    sizes = parse_sizes(options.mem) if options.mem else getattr(bench, "SIZES", bench_heap.SIZES)
    return sizes, [options.strategy] if options.strategy else offered


def write_json(rows, path):
    made(path.parent)
    try:
        path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise Stop(f"--json {path}: {error.strerror}") from error
    note(f"{len(rows)} rows in {path}")


def main(options):
    benches, names = BENCHES, list(BENCHES) if options.what == "all" else [options.what]
    if options.arch == "arm64":
        benches, names = BENCHES_ARM64, list(BENCHES_ARM64) if options.what == "all" else [f"{options.what}-arm64"]
        if names[0] not in benches:
            raise Stop(f"bench {options.what}: not on arm64")
    if options.json and len(names) > 1:
        raise Stop("--json: one benchmark at a time")
    filters = {name: parse_filter(options, benches[name]) for name in names}
    whole = not (options.mem or options.strategy or options.no_peer)
    status = EXIT_OK
    for name in names:
        rows = benches[name].measure(*filters[name], peer=not options.no_peer)
        print(benches[name].table(rows), flush=True)
        write_json(rows, Path(options.json) if options.json else BENCH_OUT / f"{name}.json")
        if whole:
            deps.ensure("bench")
            benches[name].plot(rows)
        if options.record:
            bounds.record(name, rows)
        for problem in bounds.problems(name, rows) + getattr(benches[name], "comparisons", lambda rows: [])(rows):
            note(problem)
            status = EXIT_FAILED
    return status
