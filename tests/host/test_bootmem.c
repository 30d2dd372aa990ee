// SPDX-License-Identifier: GPL-2.0-or-later
/* The boot allocator against one byte a frame, and what it says of options and limits. */
#include "host_machine.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tine/bootmem.h>
#include <tine/numa.h>

#define FRAMES 4096UL

static bool is_free[FRAMES + 1];

static void check_ranges(void)
{
	const struct mfn_range *r;
	unsigned int n = bootmem_ranges(&r);
	unsigned long at = 0;

	for (unsigned int i = 0; i < n; i++) {
		assert_true(mfn_x(r[i].start) < mfn_x(r[i].end));
		assert_true(mfn_x(r[i].end) <= FRAMES);
		for (; at < mfn_x(r[i].start); at++)
			assert_false(is_free[at]);
		for (; at < mfn_x(r[i].end); at++)
			assert_true(is_free[at]);
	}
	for (; at < FRAMES; at++)
		assert_false(is_free[at]);
}

static void start(const char *options)
{
	machine_boot(options, 0);
	for (unsigned long i = 0; i < FRAMES; i++)
		is_free[i] = i > 0 && machine_is_ram(i);
}

static bool fits(unsigned long at, unsigned long count, unsigned long limit, nodeid_t node)
{
	for (unsigned long i = at; i < at + count; i++)
		if (i >= limit || i >= FRAMES || !is_free[i] ||
		    (node != NUMA_NO_NODE && numa_node_of(_mfn(i)) != node))
			return false;
	return true;
}

/* The highest fit; on NODE if there is one, else anywhere. */
static unsigned long reference(unsigned long count, unsigned long align, unsigned long limit,
			       nodeid_t node)
{
	for (unsigned long at = ROUND_DOWN(FRAMES, align); at + align > 0; at -= align)
		if (fits(at, count, limit, node))
			return at;
	return node == NUMA_NO_NODE ? ~0UL : reference(count, align, limit, NUMA_NO_NODE);
}

static void one_operation(void)
{
	unsigned long count = 1 + rnd_below(rnd_below(2) ? 4 : 60), align = 1UL << rnd_below(6);
	unsigned long limit = rnd_below(2) ? ~0UL : rnd_below(FRAMES);
	nodeid_t node = rnd_below(2) ? NUMA_NO_NODE : (nodeid_t)rnd_below(3);
	unsigned long at, wanted;

	if (rnd_below(3) == 0) {
		at = rnd_below(FRAMES);
		bootmem_reserve(_mfn(at), count, "test");
		for (unsigned long i = at; i < at + count && i < FRAMES; i++)
			is_free[i] = false;
		return;
	}
	wanted = reference(count, align, limit, node);
	at = mfn_x(bootmem_try_alloc(count, align, _mfn(limit), node));
	if (at != wanted)
		fail_msg("%lx instead of %lx for %lu aligned to %lu", at, wanted, count, align);
	for (unsigned long i = 0; at != ~0UL && i < count; i++)
		is_free[at + i] = false;
}

static void random_operations(void **state)
{
	double begin = machine_now();
	unsigned long runs = 0;

	machine_seed();
	for (; machine_now() - begin < machine_seconds(3); runs++) {
		machine_new();
		for (unsigned int i = 0; i < 6; i++) {
			u64 s = rnd_below(FRAMES << PAGE_SHIFT);

			machine_ram(s, min(s + rnd_below(MiB(6)), FRAMES << PAGE_SHIFT));
		}
		machine_ram(MiB(8), MiB(9));
		machine_node(0, 0, PAGE_SIZE * rnd_below(FRAMES));
		machine_node(1, PAGE_SIZE * rnd_below(FRAMES), MiB(12));
		machine_node(2, MiB(12) - PAGE_SIZE * rnd_below(300), MiB(16));
		start("");
		check_ranges();
		for (unsigned int i = 0; i < 40; i++)
			one_operation();
		check_ranges();
		host_log_clear();
	}
	printf("# %lu machines\n", runs);
}

static void exhaustion_names_who_asked(void **state)
{
	machine_new();
	machine_ram(MiB(1), MiB(2));
	machine_boot("", 0);
	assert_true(HOST_PANICS((void)bootmem_alloc(257, 1, INVALID_MFN, "a large thing")));
	assert_log(
		"Out of memory at boot: no 257 contiguous frames (aligned to 1) for a large thing");
	assert_int_equal(mfn_x(bootmem_alloc(256, 1, INVALID_MFN, "all")), 0x100);
	assert_int_equal(mfn_x(bootmem_try_alloc(1, 1, INVALID_MFN, NUMA_NO_NODE)), ~0UL);
	bootmem_close();
	assert_true(HOST_PANICS((void)bootmem_alloc(1, 1, INVALID_MFN, "late")));
}

static void ram_beyond_the_limit(void **state)
{
	machine_new();
	machine_ram(0, MiB(16));
	machine_ram(MiB(32), MiB(64));
	machine_ram(MiB(100), MiB(101));
	machine_boot("", MiB(48) >> PAGE_SHIFT);
	assert_log("RAM at 3000000-3ffffff is beyond the direct map's reach: 16 MiB are left out");
	assert_log("RAM at 6400000-64fffff is beyond the direct map's reach: 1 MiB are left out");
	assert_int_equal(mfn_x(bootmem_end_of_ram()), MiB(48) >> PAGE_SHIFT);
}

static void part_pages_do_not_count(void **state)
{
	const struct mfn_range *r;

	machine_new();
	machine_ram(0x100, 0x5fff);
	machine_ram(0x7001, 0x7fff);
	machine_ram(0x9000, 0xa000);
	machine_boot("", 0);
	assert_int_equal(bootmem_ranges(&r), 2);
	assert_int_equal(mfn_x(r[0].start), 1);
	assert_int_equal(mfn_x(r[0].end), 5);
	assert_int_equal(mfn_x(r[1].start), 9);
	assert_int_equal(mfn_x(r[1].end), 10);
}

static void too_many_pieces(void **state)
{
	const struct mfn_range *r;
	unsigned int n;

	machine_new();
	machine_ram(0, MiB(64));
	machine_boot("", 0);
	host_log_clear();
	for (unsigned long i = 2; i < 4096; i += 2)
		bootmem_reserve(_mfn(i), 1, NULL);
	assert_int_equal(host_log_count("Memory is in more than 1024 pieces: frames "), 1024);
	n = bootmem_ranges(&r);
	assert_int_equal(n, 1024);
	for (unsigned int i = 1; i < n; i++)
		assert_true(mfn_x(r[i - 1].end) < mfn_x(r[i].start));
	/* The large rest was kept, single frames were given up. */
	assert_true(mfn_x(r[n - 1].end) - mfn_x(r[n - 1].start) >= 16384 - 4096);
}

static void bad_pages(void **state)
{
	static const char *const wrong[] = { "badpage=x",
					     "badpage=5-",
					     "badpage=9-5",
					     "badpage=5;6",
					     "badpage=5-6-7",
					     "badpage=-5",
					     "badpage=99999999999999999999999" };
	extern const struct cmdline_option __start_cmdline_options[], __stop_cmdline_options[];

	for (unsigned int i = 0; i < ARRAY_SIZE(wrong); i++) {
		host_log_clear();
		if (cmdline_parse(wrong[i], __start_cmdline_options, __stop_cmdline_options) != 1)
			fail_msg("%s was taken", wrong[i]);
		assert_log("badpage");
		assert_log_lines(1);
	}
	machine_new();
	machine_ram(0, FRAMES << PAGE_SHIFT);
	start("badpage=0x10 badpage=32-0x2f,100,4095-5000");
	for (unsigned long i = 0; i < FRAMES; i++)
		if (i == 0x10 || (i >= 32 && i <= 0x2f) || i == 100 || i == 4095)
			is_free[i] = false;
	check_ranges();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exhaustion_names_who_asked),
		cmocka_unit_test(ram_beyond_the_limit),
		cmocka_unit_test(part_pages_do_not_count),
		cmocka_unit_test(too_many_pieces),
		cmocka_unit_test(bad_pages),
		cmocka_unit_test(random_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
