// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a memory map to free lists: on every real machine's map, and on generated ones whose nodes interleave, overlap,
 * start off every alignment and hold single pages. Whatever the strategy, the lists are those of a reference that knows nothing of chunks.
 */
#include "host_machine.h"
#include "host_log.h"
#include "ref_blocks.h"
#include <glob.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <tine/bootmem.h>
#include <tine/numa.h>
#include "../../mm/internal.h"

static const char *const strategies[] = { "lazy", "chunk", "page" };
static struct ref_set expected, actual, other;

static unsigned long range_sum(void)
{
	const struct mfn_range *r;
	unsigned long n = 0;

	for (unsigned int i = bootmem_ranges(&r); i-- > 0;)
		n += mfn_x(r[i].end) - mfn_x(r[i].start);
	return n;
}

/* Frames that heap_init() itself took: the section map, and each node's lists. */
static unsigned long own_frames(unsigned int nodes)
{
	unsigned long sections =
		(mfn_x(bootmem_end_of_ram()) + SECTION_FRAMES - 1) / SECTION_FRAMES;
	unsigned long lists = (sizeof(struct heap_node) + PAGE_SIZE - 1) / PAGE_SIZE;

	return (sections * 2 + 8 * PAGE_SIZE - 1) / (8 * PAGE_SIZE) + nodes * lists;
}

/* After machine_boot_heap(): everything that must hold. RESERVED: frames that the test took away before. */
static void check_heap(const char *what, const struct heap_init_stats *stats,
		       unsigned long reserved)
{
	unsigned long total = machine_ram_frames(), zones = 0, nodes = 0;
	const struct mfn_range *ranges;
	unsigned int n = bootmem_ranges(&ranges);

	ref_expect(&expected, ranges, n, numa_node_of, numa_range_end);
	ref_actual(&actual);
	ref_assert_equal(&expected, &actual, what);
	if (heap_check())
		fail_msg("%s:\n%s", what, host_log_text());
	assert_int_equal(heap_free_total(), range_sum());
	assert_int_equal(stats->pages, range_sum());
	assert_int_equal(stats->pages + own_frames(stats->nodes) + reserved + machine_is_ram(0),
			 total);
	for (unsigned int id = 0; id < numa_nr_nodes(); id++) {
		struct heap_node_stats s;

		heap_node_stats((nodeid_t)id, &s);
		assert_int_equal(s.free_pages, s.total_pages);
		nodes += s.free_pages;
		for (unsigned int z = 0; z < HEAP_ZONES; z++)
			zones += heap_zone_free((nodeid_t)id, z);
	}
	assert_int_equal(nodes, stats->pages);
	assert_int_equal(zones, stats->pages);
}

static void boot_map(const char *path, const char *strategy, unsigned long limit)
{
	struct heap_init_stats stats;
	char options[64];

	machine_from_map(path);
	snprintf(options, sizeof(options), "heap-init=%s", strategy);
	machine_boot_heap(options, limit, &stats);
	assert_string_equal(stats.strategy, strategy);
	check_heap(path, &stats, 0);
}

static void for_each_map(void (*fn)(const char *path))
{
	const char *dir = getenv("TINE_MAPS") ? getenv("TINE_MAPS") : HOST_MAPS;
	char pattern[4096];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*.map", dir);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_true(found.gl_pathc >= 24);
	for (size_t i = 0; i < found.gl_pathc; i++)
		fn(found.gl_pathv[i]);
	globfree(&found);
}

static void whole_map(const char *path)
{
	boot_map(path, "lazy", 0);
	printf("# %-40s %5lu blocks, %9lu MiB, %2u nodes\n", strrchr(path, '/') + 1, actual.count,
	       heap_free_total() >> 8, numa_nr_nodes());
}

static void real_maps_lazily(void **state)
{
	for_each_map(whole_map);
}

/* Up to 6 GiB of each map: page and chunk write every struct. */
static void map_by_all(const char *path)
{
	unsigned long limit = GiB(6) >> PAGE_SHIFT;

	if (strstr(path, "23-arm64") || strstr(path, "29-xen"))
		limit = 0xa0000; /* 512 MiB above where their RAM starts */
	for (unsigned int i = 0; i < ARRAY_SIZE(strategies); i++) {
		boot_map(path, strategies[i], limit);
		if (i == 0)
			ref_actual(&other);
		ref_assert_equal(&other, &actual, path);
	}
}

static void real_maps_by_every_strategy(void **state)
{
	for_each_map(map_by_all);
}

/* ---- Generated machines ---- */

static u64 page_address(unsigned long most)
{
	return rnd_below(most) << PAGE_SHIFT;
}

/*
 * RAM in some pieces below SIZE frames; nodes as ranges of any place and size, often of a page or two, overlapping at
 * will; or dealt out in turn so that they interleave.
 */
static void generate(unsigned long size)
{
	unsigned int pieces = 1 + (unsigned int)rnd_below(6), ranges = (unsigned int)rnd_below(40);
	bool interleave = rnd_below(2);
	u64 at = 0;

	machine_new();
	machine_ram(page_address(size / 4), (size / 2 + rnd_below(size / 2)) << PAGE_SHIFT);
	for (unsigned int i = 0; i < pieces; i++) {
		u64 start = page_address(size);

		machine_ram(start, start + 1 + rnd_below(size << PAGE_SHIFT) / 4);
	}
	for (unsigned int i = 0; i < pieces / 2; i++) {
		u64 start = page_address(size);

		machine_resv(start + rnd_below(PAGE_SIZE),
			     start + PAGE_SIZE + rnd_below(size << PAGE_SHIFT) / 16, MEM_RESERVED);
	}
	for (unsigned int i = 0; i < ranges; i++) {
		unsigned long frames = rnd_below(3) ? 1 + rnd_below(4) : 1 + rnd_below(size / 4);
		u64 start = interleave ? at : page_address(size);
		u64 end = start + (frames << PAGE_SHIFT);

		if (!rnd_below(5))
			end -= 1 + rnd_below(PAGE_SIZE - 1); /* an edge inside a page */
		machine_node((u32)rnd_below(rnd_below(2) ? 4 : 60), start, end);
		at = end + (rnd_below(4) ? 0 : page_address(64));
	}
}

static void generated_machines(void **state)
{
	double start = machine_now();
	unsigned long runs = 0;

	machine_seed();
	for (; machine_now() - start < machine_seconds(6); runs++) {
		unsigned long size = 1UL << (8 + rnd_below(9));
		u64 repeat = rnd();

		for (unsigned int i = 0; i < ARRAY_SIZE(strategies); i++) {
			struct heap_init_stats stats;
			char options[64];

			rnd_set(repeat);
			generate(size);
			snprintf(options, sizeof(options), "heap-init=%s bootscrub=%s",
				 strategies[i], rnd_below(2) ? "idle" : "off");
			machine_boot_heap(options, 0, &stats);
			if (!host_log_has("are left out"))
				check_heap(options, &stats, 0);
			if (i == 0)
				ref_actual(&other);
			ref_assert_equal(&other, &actual, options);
		}
	}
	printf("# %lu generated machines\n", runs);
}

/* ---- A region across nodes, the boundary at every frame ---- */

static void check_crossing(const char *what)
{
	struct heap_init_stats stats;

	machine_boot_heap("", 0, &stats);
	check_heap(what, &stats, 0);
}

/* RAM of 8 MiB from an odd frame on: two nodes that meet at each of its frames in turn. */
static void two_nodes_at_every_frame(void **state)
{
	unsigned long first = 0x3f9, last = first + 2048;

	for (unsigned long edge = first; edge <= last; edge++) {
		char what[64];

		machine_new();
		machine_ram(first << PAGE_SHIFT, last << PAGE_SHIFT);
		machine_node(0, 0, edge << PAGE_SHIFT);
		machine_node(1, edge << PAGE_SHIFT, GiB(1));
		snprintf(what, sizeof(what), "edge at %lx", edge);
		check_crossing(what);
		if (edge > first + 1 && edge < last - 1)
			assert_int_equal(numa_nr_nodes(), 2);
	}
}

/* Three nodes: both boundaries over every pair of frames around a section's edge; the outer nodes are one in half of them. */
static void three_nodes_at_every_pair(void **state)
{
	unsigned long first = 512 - 36, last = 512 + 36;

	for (unsigned long a = first; a <= last; a++) {
		for (unsigned long b = a; b <= last; b++) {
			char what[64];

			machine_new();
			machine_ram(0x40 << PAGE_SHIFT, MiB(8));
			machine_node(0, 0, a << PAGE_SHIFT);
			machine_node(1, a << PAGE_SHIFT, b << PAGE_SHIFT);
			machine_node((a ^ b) & 1 ? 0 : 2, b << PAGE_SHIFT, GiB(1));
			snprintf(what, sizeof(what), "edges at %lx and %lx", a, b);
			check_crossing(what);
		}
	}
}

/* ---- The lazy promise ---- */

static void only_edges_come_to_life(void **state)
{
	struct heap_init_stats stats;
	unsigned long live = 0;

	machine_new();
	machine_ram(0, 0x9fc00);
	machine_ram(MiB(1), 0xbffe0000);
	machine_ram(GiB(4), GiB(512) + GiB(1));
	machine_boot_heap("bootscrub=idle", 0, &stats);
	for (unsigned long s = 0; s < nr_sections; s++)
		live += section_state(_mfn(s << SECTION_ORDER)) == SECTION_LIVE;
	assert_int_equal(
		live,
		3); /* around the hole below 1 MiB, below 3 GiB, where the top was taken from */
	assert_true(stats.chunks < 600);
	assert_int_equal(stats.nodes, 1);
	check_heap("512 GiB", &stats, 0);
	assert_null(page_of_guest_mfn(GiB(64) >> PAGE_SHIFT));
	assert_null(page_of_guest_mfn(~0UL));
	assert_null(page_of_guest_mfn(GiB(513) >> PAGE_SHIFT));
	assert_non_null(page_of_guest_mfn(0x100));
}

static void excluded_frames_stay_out(void **state)
{
	struct heap_init_stats stats;
	struct boot_info *bi = machine_new();

	machine_ram(0, MiB(64));
	bi->image_start = _paddr(MiB(2));
	bi->image_end = _paddr(MiB(3) + 1);
	bi->nr_modules = 1;
	bi->modules[0].start = _paddr(MiB(16) + 5);
	bi->modules[0].end = _paddr(MiB(17));
	machine_boot("badpage=0x1000,0x1234-0x1237,8191,999999", 0);
	bootmem_reserve(_mfn(0x800), 3, "test");
	heap_init(&stats);
	/* Frame 8191 is the last, so the section map comes from below it; 0x1000-0x10ff is the module's. */
	check_heap("exclusions", &stats, 257 + 256 + 4 + 1 + 3);
	for (unsigned long i = 0; i < 8192; i++) {
		bool out = i == 0 || (i >= 0x200 && i <= 0x300) || (i >= 0x1000 && i < 0x1100) ||
			   (i >= 0x1234 && i <= 0x1237) || i == 8191 || (i >= 0x800 && i < 0x803);

		for (unsigned long b = 0; out && b < actual.count; b++)
			assert_false(mfn_x(actual.block[b].mfn) <= i &&
				     i < mfn_x(actual.block[b].mfn) +
						     (1UL << actual.block[b].order));
	}
}

static void memory_can_come_later(void **state)
{
	struct heap_init_stats stats;
	const struct mfn_range *r;
	struct mfn_range with[64];
	unsigned int n, m = 0;
	unsigned long before;

	machine_new();
	machine_ram(MiB(1), MiB(64));
	machine_node(0, 0, MiB(33));
	machine_node(1, MiB(33), GiB(1));
	machine_boot("", 0);
	bootmem_reserve(_mfn(0x1f01), 0x800, "modules");
	heap_init(&stats);
	before = heap_free_total();
	heap_add(_mfn(0x1f01), 0x800);
	assert_int_equal(heap_free_total(), before + 0x800);
	assert_int_equal(heap_check(), 0);
	/* As if it had been there from the start. */
	n = bootmem_ranges(&r);
	for (unsigned int i = 0; i < n; i++) {
		if (mfn_x(r[i].start) == 0x1f01 + 0x800)
			with[m++] = (struct mfn_range){ _mfn(0x1f01), r[i].end };
		else
			with[m++] = r[i];
	}
	ref_expect(&expected, with, m, numa_node_of, numa_range_end);
	ref_actual(&actual);
	ref_assert_equal(&expected, &actual, "added later");
}

static void a_node_too_small_for_its_lists(void **state)
{
	struct heap_init_stats stats;
	struct heap_node_stats s;

	machine_new();
	machine_ram(MiB(1), MiB(8));
	machine_node(0, 0, MiB(4));
	machine_node(1, MiB(4), MiB(4) + PAGE_SIZE);
	machine_node(0, MiB(4) + PAGE_SIZE, MiB(8));
	machine_boot_heap("", 0, &stats);
	check_heap("single page", &stats, 0);
	heap_node_stats(1, &s);
	assert_int_equal(s.free_pages, 1);
	assert_int_equal(mfn_x(heap_alloc(0, 1, 0, HEAP_EXACT_NODE)), MiB(4) >> PAGE_SHIFT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_edges_come_to_life),
		cmocka_unit_test(excluded_frames_stay_out),
		cmocka_unit_test(memory_can_come_later),
		cmocka_unit_test(a_node_too_small_for_its_lists),
		cmocka_unit_test(real_maps_lazily),
		cmocka_unit_test(real_maps_by_every_strategy),
		cmocka_unit_test(two_nodes_at_every_frame),
		cmocka_unit_test(three_nodes_at_every_pair),
		cmocka_unit_test(generated_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
