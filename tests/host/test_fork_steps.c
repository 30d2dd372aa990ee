// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How much is done at once to the memory of forks while other work waits: bounded, whatever a guest made of it; and each step goes on where the last one
 * stopped. Also what a fork dirtied before it forked, and forgets by a reset, is not its own any more.
 */
#include "host_machine.h"
#include "forest.h"
#include <asm/npt.h>
#include <asm/stage2_codec.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>
#include <tine/errno.h>
#include "../../mm/p2m_internal.h"

#define AT_ONCE 1600 /* frames: what a reset does at once, a table or leaf of 2 MiB, and some */
#define EMPTY (5UL << 18) /* where the first tree has nothing */

static unsigned long decoded;

static struct p2m_entry count_and_decode(u64 raw, unsigned int level)
{
	decoded++;
	return svm_npt_codec.decode(raw, level);
}

static struct p2m_codec counting;
static u64 next_value = 1UL << 40;

static int start(void **state)
{
	counting = svm_npt_codec;
	counting.decode = count_and_decode;
	forest_small = false;
	forest_start(*state ? *state : &counting);
	forest_impatient = true;
	return 0;
}

static int stop(void **state)
{
	forest_impatient = false;
	forest_stop();
	return 0;
}

static void write_all(struct tree *t)
{
	for (unsigned int i = 0; i < MARKS; i++)
		assert_int_equal(guest_write(t, i, next_value++), 0);
}

/* ---- The end of a tree ---- */

static unsigned long entries_of(struct tree *t)
{
	struct p2m_stats stats;

	assert_int_equal(p2m_check(&t->p2m, &stats), 0);
	return stats.tables * 512 + stats.leaves[0] + stats.leaves[1] + stats.leaves[2];
}

/* Every entry is looked at once, and on the way to where it goes on, one a level. */
static void an_end_goes_on_where_it_stopped(void **state)
{
	struct tree *parent = forest_seed(), *child = forest_fork(parent, false);
	unsigned long entries, steps;

	write_all(child);
	forest_destroy(parent);
	entries = entries_of(child) + 512 * 512; /* and a 1 GiB leaf is taken apart in pieces */
	decoded = 0;
	steps = forest_asked;
	forest_destroy(child);
	steps = forest_asked - steps;
	printf("# %lu entries, %lu steps, %lu looked at\n", entries, steps, decoded);
	assert_true(steps > 1000);
	assert_in_range(decoded, steps, entries + 5 * steps);
	assert_true(forest_most_at_once <= 512);
}

/* ---- Looking at all of one ---- */

/* Every few tables somebody else may have the lock, and other work its turn; all of it is looked at, once. */
static void an_audit_goes_on_where_it_stopped(void **state)
{
	struct tree *parent = forest_seed(), *child = forest_fork(parent, true);
	unsigned long entries, asked, wrong, calls = 1;

	write_all(child);
	decoded = 0;
	(void)entries_of(child);
	entries = decoded; /* as one look at all takes */
	asked = forest_asked;
	decoded = 0;
	for (; p2m_audit(&child->p2m, &wrong) == -ERESTART; calls++)
		assert_true(decoded <= calls * 17 * 1024 * 2);
	assert_int_equal(wrong, 0);
	printf("# %lu calls, %lu looked at\n", calls, decoded);
	assert_true(calls > 5);
	assert_int_equal(forest_asked - asked, calls - 1);
	assert_in_range(decoded, entries, entries + 5 * calls);
	/* What is wrong with the checkpoint is found, and the next time not once more. */
	for (unsigned int round = 0; round < 2; round++) {
		u16 *used = p2m_table_used(child->p2m.origin);

		*used += !round;
		while (p2m_audit(&child->p2m, &wrong) == -ERESTART)
			;
		*used -= !round;
		assert_int_equal(wrong, !round);
	}
}

/* ---- Resets ---- */

/* 32 MiB in pages, 32 MiB in leaves of 2 MiB, and if there is one a leaf of 1 GiB. */
static void fill(struct tree *t)
{
	const gfn_t pages = _gfn(EMPTY), large = _gfn(EMPTY + 4 * 8192),
		    whole = _gfn(EMPTY + BIT(18));

	for (unsigned long i = 0; i < 8192; i++)
		assert_int_equal(p2m_populate(&t->p2m, gfn_add(pages, i), 1), 0);
	assert_int_equal(p2m_populate(&t->p2m, large, 8192), 0);
	assert_int_equal(p2m_populate(&t->p2m, whole, BIT(18)), 0);
}

/* What the checkpoint had as a hole. */
static void a_reset_gives_up_little_at_once(void **state)
{
	for (unsigned int log = 0; log < 2; log++) {
		struct tree *parent = forest_seed(), *child = forest_fork(parent, true);
		unsigned long free = heap_free_total();

		child->p2m.log.max_pages = log ? 64 : 0;
		fill(child);
		forest_most_at_once = 0;
		assert_int_equal(forest_reset(child), 0);
		printf("# log %u: %lu frames at once\n", log, forest_most_at_once);
		assert_in_range(forest_most_at_once, 1, AT_ONCE);
		assert_int_equal(child->nr_pages, 0);
		assert_in_range(heap_free_total(), free - 4, free);
		forest_audit();
		forest_check();
		forest_destroy(child);
		forest_destroy(parent);
	}
}

/* A round of a fuzzer whose fork has forked: dirty, fork, reset. Nothing is left with it. */
static void what_a_grandchild_keeps_is_not_the_childs(void **state)
{
	struct tree *parent = forest_seed(), *child = forest_fork(parent, true), *grandchild;

	for (unsigned int round = 0; round < 4; round++) {
		unsigned long free = heap_free_total();

		write_all(child);
		assert_int_equal(guest_balloon_out_2m(child, 1), 0);
		if (round & 1)
			fill(child);
		grandchild = forest_fork(child, round & 2);
		if (round == 3)
			assert_int_equal(guest_write(child, 3, next_value++), 0);
		forest_most_at_once = 0;
		assert_int_equal(forest_reset(child), 0);
		assert_in_range(forest_most_at_once, 0, AT_ONCE);
		assert_int_equal(child->nr_pages, 0);
		forest_audit();
		forest_check();
		write_all(grandchild);
		forest_check();
		forest_destroy(grandchild);
		forest_audit();
		/* Tables that the child keeps for its next round. */
		assert_in_range(heap_free_total(), free - 520, free);
	}
}

static int boot(void **state)
{
	forest_boot();
	return 0;
}

static struct CMUnitTest test(const char *name, CMUnitTestFunction fn,
			      const struct p2m_codec *codec)
{
	return (struct CMUnitTest){ name, fn, start, stop, (void *)codec };
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test("an_end_goes_on_where_it_stopped", an_end_goes_on_where_it_stopped, NULL),
		test("an_audit_goes_on_where_it_stopped", an_audit_goes_on_where_it_stopped, NULL),
		test("a_reset_gives_up_little_at_once: npt", a_reset_gives_up_little_at_once, NULL),
		test("a_reset_gives_up_little_at_once: stage 2", a_reset_gives_up_little_at_once,
		     &stage2_codec),
		test("what_a_grandchild_keeps_is_not_the_childs: npt",
		     what_a_grandchild_keeps_is_not_the_childs, NULL),
		test("what_a_grandchild_keeps_is_not_the_childs: stage 2",
		     what_a_grandchild_keeps_is_not_the_childs, &stage2_codec),
	};

	return cmocka_run_group_tests(tests, boot, NULL);
}
