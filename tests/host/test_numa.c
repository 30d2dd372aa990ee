// SPDX-License-Identifier: GPL-2.0-or-later
/* Nodes from firmware tables, good and bad: against a reference that decides for each frame by itself, and by cases. */
#include "host_machine.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tine/cpu.h>
#include <tine/numa.h>

#define FRAMES 300UL

static struct boot_info *bi;

static int setup(void **state)
{
	bi = machine_new();
	machine_options("numa=on");
	return 0;
}

static void add_cpu(u32 proximity)
{
	bi->cpus[bi->nr_cpus++] = (struct boot_cpu){ bi->nr_cpus, 0, proximity };
}

static void start(void)
{
	assert_int_equal(boot_info_sanitize(bi), 0);
	host_log_clear();
	numa_init(bi);
}

static void without_tables(void **state)
{
	machine_ram(0, GiB(1));
	start();
	assert_int_equal(numa_nr_nodes(), 1);
	assert_int_equal(numa_node_of(_mfn(12345)), 0);
	assert_true(mfn_eq(numa_range_end(_mfn(0)), INVALID_MFN));
	assert_int_equal(numa_distance(0, 0), 10);
	assert_int_equal(numa_fallback(0, 0), 0);
	assert_int_equal(numa_node_of_proximity(0), NUMA_NO_NODE);
	assert_log_lines(0);
}

static void numbers_are_dense(void **state)
{
	machine_ram(0, GiB(4));
	machine_node(77, GiB(2), GiB(3));
	machine_node(5, GiB(3), GiB(4));
	machine_node(9, 0, GiB(2));
	add_cpu(40); /* a node with CPUs only */
	add_cpu(9);
	start();
	assert_int_equal(numa_nr_nodes(), 4);
	assert_int_equal(numa_node_of_proximity(5), 0);
	assert_int_equal(numa_node_of_proximity(9), 1);
	assert_int_equal(numa_node_of_proximity(40), 2);
	assert_int_equal(numa_node_of_proximity(77), 3);
	assert_int_equal(numa_node_of(_mfn(0)), 1);
	assert_int_equal(numa_node_of(_mfn(GiB(2) >> PAGE_SHIFT)), 3);
	assert_int_equal(numa_node_of(_mfn(GiB(9) >> PAGE_SHIFT)), 0);
	numa_set_cpu_node(3, 2);
	numa_set_cpu_node(4, 17); /* there is no such node */
	assert_int_equal(cpu_to_node(3), 2);
	assert_int_equal(cpu_to_node(4), 0);
	assert_int_equal(cpu_to_node(9999), 0);
}

static void numa_off(void **state)
{
	machine_ram(0, GiB(4));
	machine_node(0, 0, GiB(2));
	machine_node(1, GiB(2), GiB(4));
	machine_options("numa=off");
	start();
	assert_int_equal(numa_nr_nodes(), 1);
	assert_int_equal(numa_node_of(_mfn(GiB(3) >> PAGE_SHIFT)), 0);
}

static void ranges_without_ram_count_for_nothing(void **state)
{
	machine_ram(0, GiB(1));
	machine_resv(GiB(4), GiB(5), MEM_PERSISTENT);
	machine_node(0, 0, GiB(1));
	machine_node(3, GiB(1), GiB(64));
	machine_node(2, GiB(4), GiB(5));
	start();
	assert_int_equal(numa_nr_nodes(), 1);
	assert_int_equal(numa_node_of_proximity(3), NUMA_NO_NODE);
	assert_true(mfn_eq(numa_range_end(_mfn(1)), INVALID_MFN));
	assert_log_lines(1); /* NUMA: 1 nodes ... */
}

static void lies_are_reported(void **state)
{
	machine_ram(0, GiB(4));
	machine_node(0, 0, GiB(2));
	machine_node(1, GiB(1), GiB(3));
	start();
	assert_log("SRAT: range 40000000-bfffffff of domain 1 overlaps domain 0's up to 7fffffff, "
		   "which keeps it");
	assert_log("SRAT: RAM at c0000000-ffffffff is in no range: taken for node 1's");
	assert_log_lines(3);
	assert_int_equal(numa_node_of(_mfn(0x7ffff)), 0);
	assert_int_equal(numa_node_of(_mfn(0x80000)), 1);
	assert_int_equal(numa_node_of(_mfn(0xfffff)), 1);
}

static void too_many_nodes(void **state)
{
	machine_ram(0, GiB(1));
	for (u32 i = 0; i < 70; i++)
		machine_node(i, i * MiB(1), (i + 1) * MiB(1));
	start();
	assert_int_equal(numa_nr_nodes(), MAX_NUMA_NODES);
	assert_log("NUMA: more than 64 nodes: proximity domain 64 ");
	assert_int_equal(numa_node_of(_mfn(0x4500)), 63);
}

static void distances(void **state)
{
	static const u8 slit[] = { 10, 20, 30, 25, 20, 10, 12, 21, 30, 12, 10, 11, 25, 21, 11, 10 };

	machine_ram(0, GiB(4));
	for (u32 i = 0; i < 3; i++)
		machine_node(i + 1, i * GiB(1), (i + 1) * GiB(1));
	bi->nr_slit = 4;
	memcpy(bi->slit, slit, sizeof(slit));
	start();
	assert_int_equal(numa_nr_nodes(), 3); /* domains 1, 2, 3 */
	assert_int_equal(numa_distance(0, 1), 12);
	assert_int_equal(numa_distance(0, 2), 21);
	assert_int_equal(numa_distance(1, 2), 11);
	assert_int_equal(numa_fallback(0, 0), 0);
	assert_int_equal(numa_fallback(0, 1), 1);
	assert_int_equal(numa_fallback(1, 1), 2);
	assert_int_equal(numa_fallback(1, 2), 0);
	assert_int_equal(numa_fallback(2, 1), 1);
	assert_int_equal(numa_distance(0, 200), 20);
	assert_int_equal(numa_fallback(200, 0), 0);
}

static void a_slit_that_lies(void **state)
{
	static const struct {
		unsigned int at;
		u8 value;
		const char *said;
	} cases[] = {
		{ 0, 11, "SLIT: distance 11 from 0 to 0 makes no sense" },
		{ 1, 9, "SLIT: distance 9 from 0 to 1 makes no sense" },
		{ 2, 0, "SLIT: distance 0 from 1 to 0 makes no sense" },
	};

	for (unsigned int i = 0; i <= ARRAY_SIZE(cases); i++) {
		bi = machine_new();
		machine_ram(0, GiB(4));
		machine_node(0, 0, GiB(2));
		machine_node(i < ARRAY_SIZE(cases) ? 1 : 2, GiB(2), GiB(4));
		bi->nr_slit = 2;
		memcpy(bi->slit, (u8[]){ 10, 42, 42, 10 }, 4);
		if (i < ARRAY_SIZE(cases))
			bi->slit[cases[i].at] = cases[i].value;
		start();
		assert_log(i < ARRAY_SIZE(cases)
				   ? cases[i].said
				   : "SLIT: 2 localities, but there is proximity domain 2");
		assert_int_equal(numa_distance(0, 1), 20);
		assert_int_equal(numa_distance(1, 1), 10);
	}
}

/* ---- Against the reference ---- */

/* Of the ranges that count and hold ADDR the one that starts lowest, of equals the first listed; -1: none. */
static int owner_of_byte(u64 addr, const bool *counts)
{
	int best = -1;

	for (unsigned int i = 0; i < bi->nr_node_ranges; i++) {
		const struct boot_node_range *r = &bi->node_ranges[i];

		if (!counts[i] || addr < paddr_x(r->start) || addr >= paddr_x(r->end))
			continue;
		if (best < 0 || paddr_x(r->start) < paddr_x(bi->node_ranges[best].start))
			best = (int)i;
	}
	return best;
}

static void check_against_reference(void)
{
	bool counts[BOOT_MAX_NODE_RANGES] = { false };
	int first = -1, last = -1;

	for (unsigned int i = 0; i < bi->nr_node_ranges; i++)
		for (unsigned int k = 0; k < bi->nr_regions; k++)
			if (bi->regions[k].type == MEM_RAM &&
			    max(paddr_x(bi->regions[k].start), paddr_x(bi->node_ranges[i].start)) <
				    min(paddr_x(bi->regions[k].end),
					paddr_x(bi->node_ranges[i].end)))
				counts[i] = true;
	for (u64 addr = 0; addr < FRAMES * PAGE_SIZE && first < 0; addr += PAGE_SIZE / 4)
		first = owner_of_byte(addr, counts);
	last = first;
	for (unsigned long f = 0; f < FRAMES && first >= 0; f++) {
		int owner = owner_of_byte(f << PAGE_SHIFT, counts);
		nodeid_t node;

		/* A frame goes by its first byte; one that no range covers by the last one below that is covered. */
		for (u64 addr = f ? ((f - 1) << PAGE_SHIFT) + PAGE_SIZE / 4 : 0;
		     owner < 0 && addr < f << PAGE_SHIFT; addr += PAGE_SIZE / 4)
			if (owner_of_byte(addr, counts) >= 0)
				last = owner_of_byte(addr, counts);
		if (owner >= 0)
			last = owner;
		node = numa_node_of_proximity(bi->node_ranges[last].proximity);
		if (numa_node_of(_mfn(f)) != node)
			fail_msg("frame %lx is node %u's, not %u's", f, numa_node_of(_mfn(f)),
				 node);
	}
	for (unsigned long f = 0; f < FRAMES; f++) {
		unsigned long end = f + 1, said = mfn_x(numa_range_end(_mfn(f)));

		while (end < FRAMES && numa_node_of(_mfn(end)) == numa_node_of(_mfn(f)))
			end++;
		if (said != end && !(end == FRAMES && said >= FRAMES))
			fail_msg("frame %lx: range ends at %lx, not %lx", f, said, end);
	}
}

/* Addresses are multiples of a quarter page, so a few samples a page see every edge. */
static u64 quarter_pages(unsigned long most)
{
	return rnd_below(4) ? rnd_below(most / 4) * PAGE_SIZE : rnd_below(most) * (PAGE_SIZE / 4);
}

static void random_tables(void **state)
{
	double begin = machine_now();
	unsigned long runs = 0;

	machine_seed();
	for (; machine_now() - begin < machine_seconds(3); runs++) {
		unsigned int n = (unsigned int)rnd_below(20);

		bi = machine_new();
		machine_ram(quarter_pages(200), quarter_pages(400) + PAGE_SIZE * 50 + PAGE_SIZE);
		machine_ram(PAGE_SIZE * 240, PAGE_SIZE * 300);
		for (unsigned int i = 0; i < n; i++) {
			u64 start_at = quarter_pages(4 * FRAMES);

			machine_node((u32)rnd_below(5), start_at,
				     start_at + quarter_pages(rnd_below(2) ? 40 : 800));
		}
		start();
		check_against_reference();
	}
	printf("# %lu random tables\n", runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(without_tables, setup),
		cmocka_unit_test_setup(numbers_are_dense, setup),
		cmocka_unit_test_setup(numa_off, setup),
		cmocka_unit_test_setup(ranges_without_ram_count_for_nothing, setup),
		cmocka_unit_test_setup(lies_are_reported, setup),
		cmocka_unit_test_setup(too_many_nodes, setup),
		cmocka_unit_test_setup(distances, setup),
		cmocka_unit_test_setup(a_slit_that_lies, setup),
		cmocka_unit_test_setup(random_tables, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
