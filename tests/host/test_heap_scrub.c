// SPDX-License-Identifier: GPL-2.0-or-later
/* Scrubbing, step by step: what is dirty, who cleans it, and that a sleeping section stays asleep while it is cleaned. */
#include "host_machine.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tine/cpu.h>
#include "../../mm/internal.h"

#define NOISE 0x77

/* One node, RAM from 2 to 34 MiB but for what the heap's own things take: whole sections but the last. */
static void boot(const char *options)
{
	struct heap_init_stats stats;

	host_cpu = 0;
	machine_new();
	machine_ram(MiB(2), MiB(34));
	machine_boot(options, 0);
	memset(mfn_to_virt(_mfn(0x200)), NOISE, MiB(32)); /* what firmware left */
	heap_init(&stats);
	heap_boot_scrub();
}

static unsigned long dirty_pages(void)
{
	struct heap_node_stats s;

	heap_node_stats(0, &s);
	return s.dirty_pages;
}

static bool frame_is(mfn_t mfn, u8 byte)
{
	const u8 *at = mfn_to_virt(mfn);

	return at[0] == byte && !memcmp(at, at + 1, PAGE_SIZE - 1);
}

static unsigned long scrub_all(void)
{
	unsigned long steps = 0;

	while (heap_scrub_idle())
		assert_true(++steps < 100000);
	return steps;
}

/* All that is allocated one by one is zero. */
static void assert_all_clean(unsigned int flags)
{
	for (;;) {
		mfn_t mfn = heap_alloc(0, 0, 0, flags);

		if (mfn_eq(mfn, INVALID_MFN))
			return;
		assert_true(frame_is(mfn, 0));
	}
}

static void off_believes_firmware(void **state)
{
	boot("bootscrub=off");
	assert_int_equal(dirty_pages(), 0);
	assert_false(heap_scrub_idle());
	assert_true(frame_is(heap_alloc(0, 0, 0, 0), NOISE));
	assert_true(frame_is(heap_alloc(0, 0, 0, HEAP_ZERO), 0));
}

static void on_cleans_at_boot(void **state)
{
	boot("bootscrub=on");
	assert_int_equal(dirty_pages(), 0);
	assert_int_equal(heap_check(), 0);
	assert_all_clean(HEAP_DIRTY_OK);
}

static void idle_allocations_clean_for_themselves(void **state)
{
	boot("bootscrub=idle");
	assert_int_equal(dirty_pages(), heap_free_total());
	assert_true(frame_is(heap_alloc(0, 0, 0, HEAP_DIRTY_OK), NOISE));
	assert_int_equal(dirty_pages(), heap_free_total());
	assert_all_clean(0);
	assert_int_equal(dirty_pages(), 0);
}

static void idle_cpus_clean_without_waking_sections(void **state)
{
	unsigned long live = 0;

	boot("bootscrub=idle");
	scrub_all();
	assert_int_equal(dirty_pages(), 0);
	assert_int_equal(heap_check(), 0);
	for (unsigned long s = 0; s < nr_sections; s++)
		live += section_state(_mfn(s << SECTION_ORDER)) == SECTION_LIVE;
	assert_int_equal(live, 1);
	assert_false(heap_scrub_idle());
	assert_all_clean(HEAP_DIRTY_OK);
}

/*
 * After each number of steps the heap is in order, and just what the steps cleaned is clean: 16 frames each, but for 35
 * that they fall short of in the small blocks at the top.
 */
static void allocating_in_the_middle(void **state)
{
	for (unsigned int steps = 0; steps < 80; steps += 3) {
		unsigned long cleaned = 0;
		mfn_t mfn;

		boot("bootscrub=idle");
		for (unsigned int i = 0; i < steps; i++)
			assert_true(heap_scrub_idle());
		assert_int_equal(heap_check(), 0);
		while (!mfn_eq(mfn = heap_alloc(0, 0, 0, HEAP_DIRTY_OK), INVALID_MFN))
			cleaned += frame_is(mfn, 0);
		assert_true(cleaned <= 16UL * steps && cleaned + 35 >= 16UL * steps);
		assert_int_equal(dirty_pages(), 0);
		assert_int_equal(heap_check(), 0);
	}
}

/* A section whose first frames are clean but which still counts as dirty is woken: what is clean counts at once. */
static void waking_a_section_that_is_partly_clean(void **state)
{
	unsigned long dirty;
	mfn_t mfn;

	boot("bootscrub=idle");
	while (!frame_is(_mfn(0x1000 + 16),
			 0)) /* the largest block below 32 MiB, when all above is clean */
		assert_true(heap_scrub_idle());
	assert_false(frame_is(_mfn(0x1000 + 32), 0));
	dirty = dirty_pages();
	mfn = heap_alloc(0, 0, 25, HEAP_DIRTY_OK);
	assert_int_equal(mfn_x(mfn), 0x1000);
	assert_true(frame_is(mfn, 0));
	assert_int_equal(dirty_pages(), dirty - 32);
	assert_int_equal(heap_check(), 0);
	scrub_all();
	assert_int_equal(dirty_pages(), 0);
	assert_int_equal(heap_check(), 0);
	assert_all_clean(HEAP_DIRTY_OK);
}

static void freed_memory_is_dirty_if_the_caller_says_so(void **state)
{
	mfn_t a, b;

	boot("bootscrub=on");
	a = heap_alloc(3, 0, 0, 0);
	b = heap_alloc(0, 0, 0, 0);
	memset(mfn_to_virt(a), NOISE, PAGE_SIZE << 3);
	heap_free(a, 3, true);
	heap_free(b, 0, false);
	assert_int_equal(dirty_pages(), 8);
	assert_int_equal(heap_check(), 0);
	assert_all_clean(0);

	boot("bootscrub=on");
	a = heap_alloc(10, 0, 0, 0);
	memset(mfn_to_virt(a), NOISE, PAGE_SIZE << 10);
	heap_free(a, 10, true);
	assert_int_equal(dirty_pages(), 1024);
	scrub_all();
	assert_int_equal(dirty_pages(), 0);
	assert_int_equal(heap_check(), 0);
	assert_all_clean(HEAP_DIRTY_OK);
}

/* Cleaning one dirty frame among many clean ones does not clean the others again. */
static void one_dirty_frame_in_a_large_block(void **state)
{
	mfn_t mfn;

	boot("bootscrub=off");
	mfn = heap_alloc(9, 0, 0, 0);
	heap_free(mfn, 0, true);
	for (unsigned int order = 0; order < 9; order++)
		heap_free(mfn_add(mfn, 1UL << order), order, false);
	assert_int_equal(dirty_pages(), 1);
	scrub_all();
	assert_int_equal(dirty_pages(), 0);
	assert_true(frame_is(mfn, 0));
	for (unsigned long i = 1; i < 512; i++)
		assert_true(frame_is(mfn_add(mfn, i), NOISE));
	assert_int_equal(heap_check(), 0);
}

/* Of blocks of one size who needs a clean one gets a clean one, and who does not leaves it to others. */
static void clean_to_those_who_need_it(void **state)
{
	mfn_t block;

	boot("bootscrub=off");
	block = heap_alloc(2, 0, 0, 0);
	heap_free(block, 0, false);
	heap_free(mfn_add(block, 2), 0, true);
	assert_true(mfn_eq(heap_alloc(0, 0, 0, 0), block));
	heap_free(block, 0, false);
	assert_true(mfn_eq(heap_alloc(0, 0, 0, HEAP_DIRTY_OK), mfn_add(block, 2)));
}

static void hypervisor_pages_are_dirty_when_freed(void **state)
{
	u8 *page;

	boot("bootscrub=off");
	page = heap_alloc_pages(0, HEAP_ZERO);
	assert_true(frame_is(virt_to_mfn(page), 0));
	memset(page, 1, PAGE_SIZE);
	heap_free_pages(page, 0);
	heap_free_pages(NULL, 0);
	assert_int_equal(dirty_pages(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(off_believes_firmware),
		cmocka_unit_test(on_cleans_at_boot),
		cmocka_unit_test(idle_allocations_clean_for_themselves),
		cmocka_unit_test(idle_cpus_clean_without_waking_sections),
		cmocka_unit_test(allocating_in_the_middle),
		cmocka_unit_test(waking_a_section_that_is_partly_clean),
		cmocka_unit_test(freed_memory_is_dirty_if_the_caller_says_so),
		cmocka_unit_test(one_dirty_frame_in_a_large_block),
		cmocka_unit_test(clean_to_those_who_need_it),
		cmocka_unit_test(hypervisor_pages_are_dirty_when_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
