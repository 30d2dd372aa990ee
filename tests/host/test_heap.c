// SPDX-License-Identifier: GPL-2.0-or-later
/* The heap by cases: placement, drain and refill, offlining, running low, wrong frees, small objects. */
#include "host_machine.h"
#include "host_log.h"
#include "ref_blocks.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tine/cpu.h>
#include <tine/errno.h>
#include <tine/numa.h>

static struct ref_set before, after;

static void boot(const char *options)
{
	struct heap_init_stats stats;

	machine_boot_heap(options, 0, &stats);
	host_log_clear();
}

/* Four nodes of 16 MiB; 0 and 1 near one another, 2 and 3 too. */
static void four_nodes(void)
{
	static const u8 slit[] = { 10, 12, 30, 30, 12, 10, 30, 30, 30, 30, 10, 12, 30, 30, 12, 10 };
	struct boot_info *bi = machine_new();

	host_cpu = 0;
	machine_ram(MiB(2), MiB(66));
	for (u32 i = 0; i < 4; i++)
		machine_node(i, MiB(2) + i * MiB(16), MiB(18) + i * MiB(16));
	bi->nr_slit = 4;
	memcpy(bi->slit, slit, sizeof(slit));
	boot("");
}

/* Allocates from NODE until it falls back; returns where to. */
static nodeid_t drain(nodeid_t node)
{
	for (;;) {
		mfn_t mfn = heap_alloc(0, node, 0, HEAP_DIRTY_OK);

		if (mfn_eq(mfn, INVALID_MFN))
			return NUMA_NO_NODE;
		if (numa_node_of(mfn) != node)
			return numa_node_of(mfn);
	}
}

static void nearest_node_first(void **state)
{
	four_nodes();
	assert_int_equal(drain(1), 0);
	assert_true(mfn_eq(heap_alloc(0, 1, 0, HEAP_EXACT_NODE), INVALID_MFN));
	assert_int_equal(drain(0), 2);
	assert_int_equal(drain(3), 2);
	assert_int_equal(drain(2), NUMA_NO_NODE);
	assert_int_equal(heap_free_total(), 0);
	assert_true(mfn_eq(heap_alloc(0, 0, 0, 0), INVALID_MFN));
	assert_null(heap_alloc_pages(0, 0));
	assert_null(kzalloc(8));
	assert_null(kzalloc(100000));
}

static void no_node_means_this_cpus(void **state)
{
	four_nodes();
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		numa_set_cpu_node(cpu, (nodeid_t)(3 - cpu));
	for (host_cpu = 0; host_cpu < 4; host_cpu++)
		assert_int_equal(numa_node_of(heap_alloc(0, NUMA_NO_NODE, 0, 0)), 3 - host_cpu);
	host_cpu = 0;
	assert_int_equal(numa_node_of(heap_alloc(0, 99, 0, 0)),
			 3); /* nor does one that is not there */
	assert_true(mfn_eq(heap_alloc(0, 99, 0, HEAP_EXACT_NODE), INVALID_MFN));
}

static void addresses_below_a_width(void **state)
{
	machine_new();
	machine_ram(0x1000, MiB(40));
	boot("");
	for (unsigned int bits = 0; bits <= 64; bits++) {
		mfn_t mfn = heap_alloc(0, 0, bits, 0);

		if (bits > 0 && bits <= 12) {
			assert_true(mfn_eq(mfn, INVALID_MFN));
			continue;
		}
		assert_false(mfn_eq(mfn, INVALID_MFN));
		assert_true(bits == 0 || bits > 40 || mfn_x(mfn) < 1UL << (bits - 12));
		if (bits == 0 || bits > 26)
			assert_true(mfn_x(mfn) >= MiB(32) >> PAGE_SHIFT); /* low memory is kept */
	}
	assert_true(mfn_eq(heap_alloc(11, 0, 23, 0), INVALID_MFN));
	assert_true(mfn_eq(heap_alloc(HEAP_MAX_ORDER + 1, 0, 0, 0), INVALID_MFN));
	assert_true(mfn_eq(heap_alloc(~0U, 0, 0, 0), INVALID_MFN));
}

static int shuffle(const void *a, const void *b)
{
	return (int)(rnd() & 2) - 1;
}

/* Every frame once, and back in another order: the lists are what they were. */
static void drain_and_refill(void **state)
{
	static const char *const options[] = { "heap-init=lazy", "heap-init=chunk bootscrub=idle",
					       "heap-init=page", "heap-init=lazy bootscrub=idle" };

	for (unsigned int i = 0; i < ARRAY_SIZE(options); i++) {
		unsigned long n, seen = 0;
		mfn_t *got;
		u8 *given;

		machine_new();
		machine_ram(0, 0x9f000);
		machine_ram(MiB(1) + 0x3000, MiB(150) + 0x7000);
		machine_node(0, 0, MiB(60) + 0x1000);
		machine_node(1, MiB(60) + 0x1000, MiB(200));
		boot(options[i]);
		ref_actual(&before);
		n = heap_free_total();
		got = calloc(n, sizeof(*got));
		given = calloc(mfn_x(bootmem_end_of_ram()), 1);
		for (mfn_t mfn;
		     !mfn_eq(mfn = heap_alloc(0, i & 1, 0, HEAP_DIRTY_OK), INVALID_MFN);) {
			assert_true(seen < n);
			assert_false(given[mfn_x(mfn)]++);
			assert_true(machine_is_ram(mfn_x(mfn)) && mfn_x(mfn) != 0);
			got[seen++] = mfn;
		}
		assert_int_equal(seen, n);
		assert_int_equal(heap_check(), 0);
		qsort(got, n, sizeof(*got), shuffle);
		while (seen)
			heap_free(got[--seen], 0, false);
		ref_actual(&after);
		ref_assert_equal(&before, &after, options[i]);
		assert_int_equal(heap_check(), 0);
		free(got);
		free(given);
	}
}

/* ---- Offlining ---- */

static unsigned long offline_pages(void)
{
	struct heap_node_stats s;

	heap_node_stats(0, &s);
	return s.offline_pages;
}

static void one_node(const char *options)
{
	host_cpu = 0;
	machine_new();
	machine_ram(MiB(1), GiB(1) + MiB(8));
	boot(options);
}

static void offline_a_free_frame(void **state)
{
	static const unsigned long frames[] = { 0x100,   0x101,   0x200,   0x3ff,  0x12345,
						0x20000, 0x3ffff, 0x40000, 0x40200 };

	one_node("bootscrub=idle");
	ref_actual(&before);
	for (unsigned int i = 0; i < ARRAY_SIZE(frames); i++) {
		unsigned long total = heap_free_total();

		assert_int_equal(heap_offline(_mfn(frames[i])), 0);
		assert_int_equal(heap_offline(_mfn(frames[i])), 0); /* already */
		assert_int_equal(heap_free_total(), total - 1);
		assert_int_equal(offline_pages(), i + 1);
		assert_int_equal(heap_check(), 0);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(frames); i++) {
		assert_int_equal(heap_online(_mfn(frames[i])), 0);
		assert_int_equal(heap_online(_mfn(frames[i])), -EINVAL);
		assert_int_equal(heap_check(), 0);
	}
	ref_actual(&after);
	ref_assert_equal(&before, &after, "back online");
}

static void offline_a_frame_in_use(void **state)
{
	mfn_t block;

	one_node("");
	ref_actual(&before);
	block = heap_alloc(10, 0, 0, 0);
	assert_int_equal(heap_offline(mfn_add(block, 700)), -EBUSY);
	assert_int_equal(heap_offline(mfn_add(block, 701)), -EBUSY);
	assert_int_equal(heap_online(mfn_add(block, 701)), 0); /* changed our mind */
	assert_int_equal(offline_pages(), 0);
	heap_free(block, 10, true);
	assert_int_equal(offline_pages(), 1);
	assert_int_equal(heap_check(), 0);
	for (mfn_t mfn; !mfn_eq(mfn = heap_alloc(0, 0, 0, HEAP_DIRTY_OK), INVALID_MFN);)
		assert_false(mfn_eq(mfn, mfn_add(block, 700)));
}

static void what_cannot_go_offline(void **state)
{
	one_node("badpage=0x5000");
	assert_int_equal(heap_offline(_mfn(0)), -EINVAL);
	assert_int_equal(heap_offline(_mfn(0x50)), -EINVAL);     /* no RAM */
	assert_int_equal(heap_offline(_mfn(0x5000)), -EINVAL);   /* badpage= */
	assert_int_equal(heap_offline(_mfn(0x999999)), -EINVAL); /* beyond */
	assert_int_equal(heap_offline(INVALID_MFN), -EINVAL);
	assert_int_equal(heap_online(INVALID_MFN), -EINVAL);
	assert_int_equal(heap_online(_mfn(0x20000)), -EINVAL); /* asleep */
	assert_int_equal(heap_online(_mfn(0x5000)), -EINVAL);
}

/* ---- Running low ---- */

static void low_memory_is_said_once_a_mark(void **state)
{
	static mfn_t got[(1UL << 18) + 4096];
	unsigned long n = 0;

	one_node("");
	while (heap_free_total() >= 4096)
		got[n++] = heap_alloc(0, 0, 0, HEAP_DIRTY_OK);
	assert_int_equal(host_log_count("Memory is low: "), 3);
	for (unsigned int i = 0; i < 1000; i++) { /* to and fro at one mark says nothing more */
		heap_free(got[--n], 0, false);
		heap_free(got[--n], 0, false);
		got[n++] = heap_alloc(0, 0, 0, HEAP_DIRTY_OK);
		got[n++] = heap_alloc(0, 0, 0, HEAP_DIRTY_OK);
	}
	assert_int_equal(host_log_count("Memory is low: "), 3);
	while (!mfn_eq(got[n] = heap_alloc(0, 0, 0, HEAP_DIRTY_OK), INVALID_MFN))
		n++;
	/* 64 MiB is 2^14 pages: below 2^14, 2^13, ... 2, 1. */
	assert_int_equal(host_log_count("Memory is low: "), 15);
	assert_log("Memory is low: 65532 KiB are free");
	assert_log("Memory is low: 0 KiB are free");
	host_log_clear();
	while (n)
		heap_free(got[--n], 0, false);
	while (!mfn_eq(heap_alloc(6, 0, 0, HEAP_DIRTY_OK), INVALID_MFN))
		;
	assert_true(host_log_count("Memory is low: ") >= 8);
}

/* ---- Mistakes ---- */

static void wrong_frees_stop_the_machine(void **state)
{
	mfn_t mfn;

	one_node("");
	mfn = heap_alloc(2, 0, 0, 0);
	assert_true(HOST_PANICS(heap_free(mfn_add(mfn, 1), 1, false)));
	assert_true(HOST_PANICS(heap_free(_mfn(0x20000), 0, false)));
	assert_true(HOST_PANICS(heap_free(INVALID_MFN, 0, false)));
	/* The last one, since it leaves the lock taken. */
	heap_free(mfn, 2, false);
	assert_true(HOST_PANICS(heap_free(mfn, 2, false)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nearest_node_first),
		cmocka_unit_test(no_node_means_this_cpus),
		cmocka_unit_test(addresses_below_a_width),
		cmocka_unit_test(drain_and_refill),
		cmocka_unit_test(offline_a_free_frame),
		cmocka_unit_test(offline_a_frame_in_use),
		cmocka_unit_test(what_cannot_go_offline),
		cmocka_unit_test(low_memory_is_said_once_a_mark),
		cmocka_unit_test(wrong_frees_stop_the_machine),
	};

	machine_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
