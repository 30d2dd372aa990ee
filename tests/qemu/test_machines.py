# SPDX-License-Identifier: GPL-2.0-or-later
"""Machines and options: what Tine finds, and that what it measures repeats."""

import re

import pytest
from whole_boot import boot, build, module

CPU_WITHOUT_SMAP = "EPYC,+pdpe1gb,-monitor,-smap"
HEAP = re.compile(r"heap-init: strategy=(\w+) ticks=(\d+) chunks=(\d+) pages=(\d+) nodes=(\d+)")


def heap(outcome):
    return HEAP.search(outcome.one("heap-init: ")).groups()


def test_maxcpus_limits():
    outcome = boot("selftest=mappings maxcpus=2", smp=4)
    outcome.one("CPUs: 2 running, 4 reported")
    assert outcome.status == 0


def test_all_cpus_come_up():
    outcome = boot("selftest=mappings", smp=8, mem="512M")
    outcome.one("CPUs: 8 running, 8 reported")
    assert outcome.status == 0


def test_nodes_of_firmware():
    outcome = boot("selftest=mappings", smp=2, mem="768M", numa="512M,256M,0@10:20:30/20:10:40/30:40:10")
    assert heap(outcome)[4] == "2" and outcome.status == 0


def test_strategies_find_the_same_pages():
    pages = {}
    for strategy in ("page", "chunk", "lazy"):
        outcome = boot(f"selftest=mappings heap-init={strategy}", mem="512M", numa="2", smp=2)
        said = heap(outcome)
        assert said[0] == strategy and outcome.status == 0
        pages[strategy] = said[3]
    assert len(set(pages.values())) == 1, pages


def test_bad_pages_stay_out():
    without = int(heap(boot("selftest=mappings"))[3])
    outcome = boot("selftest=mappings badpage=0x3000,0x4000-0x400f")
    assert int(heap(outcome)[3]) <= without - 17
    assert len(outcome.said("badpage")) >= 2


def test_figures_repeat_to_the_instruction():
    said = {heap(boot("selftest=mappings", icount=True, cpu=CPU_WITHOUT_SMAP))[1] for _ in range(3)}
    assert len(said) == 1


@pytest.mark.parametrize("cpu", ["qemu64,+nx", "Nehalem", "Haswell-noTSX", "EPYC,+svm,+npt", "max"])
def test_cpu_models(cpu):
    """With and without SMEP, SMAP, 1 GiB pages, NX; Intel's and AMD's."""
    outcome = boot(guest="only=version", cpu=cpu)
    assert outcome.status == 0, "\n".join(outcome.lines[-12:])


def test_memory_around_the_hole_below_4g():
    for mem in ("2816M", "4G", "6G"):
        outcome = boot("selftest=mappings bootscrub=off", mem=mem)
        assert int(heap(outcome)[3]) * 4096 > 0.97 * int(mem[:-1]) * (1 << (20 if mem[-1] == "M" else 30))


def test_small_boot():
    assert boot(guest="only=version", mem="16M").status == 0


def test_guest_that_wants_more_than_there_is():
    outcome = boot("dom0_mem=1G", guest="only=version", mem="64M")
    assert not outcome.verdict.hang and not outcome.verdict.panic
    assert outcome.said("was not built") or outcome.said("MiB, 1 vCPU")


def test_more_vcpus_than_cpus(tmp_path):
    text = 'name = "d{0}"\nmemory = 48\nkernel = "tiny"\nextra = "only=version"\n'
    files = [module(tmp_path, f"d{number}.cfg", text.format(number), f"d{number}.cfg") for number in range(6)]
    outcome = boot(modules=[module(tmp_path, "tiny", build.tiny_guest().read_bytes(), "tiny"), *files], mem="1G", smp=2)
    assert outcome.verdict.successes == 6 and outcome.status == 0, outcome.verdict.summary
