# SPDX-License-Identifier: GPL-2.0-or-later
"""Sizes and NUMA shapes: what is taken, and what is refused with which words."""

import pytest

from tinelib.machine import Machine
from tinelib.say import Stop
from tinelib.sizes import Numa, parse_numa, parse_size, show_size

GIB = 1 << 30


@pytest.mark.parametrize("text, size", [("512", 512 << 20), ("1G", GIB), ("2g", 2 * GIB), ("64K", 65536),
                                        ("1T", 1 << 40), ("1GiB", GIB), ("0", 0)])
def test_size(text, size):
    assert parse_size(text, "--mem") == size


@pytest.mark.parametrize("text", ["", "G", "-1G", "1.5G", "1X", "1G 2G"])
def test_bad_size_names_option(text):
    with pytest.raises(Stop, match="--mem: .* is not a size"):
        parse_size(text, "--mem")


@pytest.mark.parametrize("size, text", [(GIB, "1G"), (1536 << 20, "1536M"), (1000, "1000"), (0, "0")])
def test_show(size, text):
    assert show_size(size) == text


def test_equal_nodes_add_up():
    numa = parse_numa("3", GIB)
    assert sum(numa.sizes) == GIB and len(numa.sizes) == 3
    assert all(size % (1 << 20) == 0 for size in numa.sizes)


def test_sizes_with_memoryless_node_and_distances():
    numa = parse_numa("1G,512M,0@21", 1536 << 20)
    assert numa.sizes == [GIB, 512 << 20, 0]
    assert numa.distances == [[10, 21, 21], [21, 10, 21], [21, 21, 10]]


@pytest.mark.parametrize("text, mem, words", [
    ("1G,1G", GIB, "add up to 2G"), ("0", GIB, "between 1 and 64"), ("65", GIB, "between 1 and 64"),
    ("0,0", None, "no node has memory"), ("1G,1000K", None, "multiple of 1M"), ("2@5", GIB, "distance 0->1"),
    ("2@10:20/20", GIB, "2 rows of 2"), ("2@11:20/20:10", GIB, "distance 0->0 must be 10"),
    ("2@a:b/c:d", GIB, "distance"), ("1G,x", None, "not a size"),
])
def test_bad_numa(text, mem, words):
    with pytest.raises(Stop, match=words):
        parse_numa(text, mem)


@pytest.mark.parametrize("nodes, smp", [(1, 1), (2, 4), (8, 4), (3, 8), (4, 4)])
def test_every_cpu_has_one_node(nodes, smp):
    numa = Numa([GIB] * nodes)
    cpus = [cpu for node in range(nodes) for cpu in numa.cpus_of(node, smp)]
    assert sorted(cpus) == list(range(smp))


def test_memory_arguments_leave_memoryless_node_without_backend():
    text = " ".join(Machine(numa=parse_numa("1G,0@30", GIB), smp=2).memory_arguments())
    assert "node,nodeid=0,memdev=m0,cpus=0" in text
    assert "node,nodeid=1,cpus=1" in text
    assert "reserve=off" in text and "dist,src=0,dst=1,val=30" in text
