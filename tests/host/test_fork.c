// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory fork, each strategy with each codec: what parent, child, grandchild read after any of them wrote, was reset or ended, in random order too, and
 * with memory that runs out at each allocation in turn. Counts and owners are computed anew from all tables and compared (forest.c).
 */
#include "host_machine.h"
#include "forest.h"
#include <asm/stage2_codec.h>
#include <asm/npt.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tine/errno.h>

static const struct p2m_codec *const codecs[] = { &svm_npt_codec, &stage2_codec };
static const char *const strategies[] = { "subtree", "run", "frame" };

static u64 next_value = 1UL << 32;

static void write_all(struct tree *t)
{
	for (unsigned int i = 0; i < MARKS; i++)
		assert_int_equal(guest_write(t, i, next_value++), 0);
}

static void for_all(void (*fn)(void))
{
	for (unsigned int s = 0; s < ARRAY_SIZE(strategies); s++) {
		for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
			assert_int_equal(p2m_fork_choose(strategies[s]), 0);
			forest_small = s > 0;
			forest_start(codecs[c]);
			fn();
			forest_stop();
		}
	}
}

static void diverge(void)
{
	struct tree *parent = forest_seed(), *child, *grandchild;

	child = forest_fork(parent, false);
	assert_non_null(child);
	forest_audit();
	forest_check();
	write_all(parent);
	forest_check();
	forest_audit();
	write_all(child);
	grandchild = forest_fork(child, false);
	assert_non_null(grandchild);
	write_all(child);
	forest_check();
	forest_destroy(parent);
	forest_audit();
	forest_check();
	forest_destroy(child);
	forest_check();
	write_all(grandchild);
	forest_check();
	forest_audit();
}

static void sides_diverge(void **state)
{
	for_all(diverge);
}

static void outlive(void)
{
	struct tree *parent = forest_seed(), *child = forest_fork(parent, false);
	unsigned long pages = parent->nr_pages;

	forest_destroy(parent);
	forest_audit();
	forest_check();
	for (unsigned int i = 0; i < MARKS; i++)
		assert_int_equal(p2m_unshare(&child->p2m, mark_gfn(i)), 0);
	forest_check();
	forest_audit();
	assert_true(child->nr_pages > MARKS / 2 && child->nr_pages <= pages);
}

static void child_outlives_parent(void **state)
{
	for_all(outlive);
}

/* Nothing of the last one's is copied. */
static void take_back(void)
{
	struct tree *parent = forest_seed(), *child = forest_fork(parent, false);
	struct p2m_stats before, after;
	unsigned long free;

	assert_int_equal(p2m_check(&parent->p2m, &before), 0);
	forest_destroy(child);
	free = heap_free_total();
	for (unsigned int i = 0; i < MARKS; i++) {
		mfn_t mfn = p2m_lookup(&parent->p2m, mark_gfn(i), NULL, NULL);

		assert_int_equal(guest_write(parent, i, next_value++), 0);
		assert_int_equal(mfn_x(p2m_lookup(&parent->p2m, mark_gfn(i), NULL, NULL)),
				 mfn_x(mfn));
	}
	assert_int_equal(p2m_check(&parent->p2m, &after), 0);
	assert_int_equal(free - heap_free_total(), after.tables - before.tables);
	forest_check();
}

static void last_sharer_takes_back(void **state)
{
	for_all(take_back);
}

static void reset(void)
{
	struct tree *parent = forest_seed(), *child = forest_fork(parent, true), *other;
	unsigned long free;

	assert_int_equal(forest_reset(parent), -ENOENT);
	for (unsigned int round = 0; round < 5; round++) {
		for (unsigned int i = round; i < MARKS; i += 3)
			assert_int_equal(guest_write(child, i, next_value++), 0);
		if (round == 1)
			assert_int_equal(guest_balloon_out(child, 17), 0);
		if (round == 2)
			write_all(parent);
		if (round == 3)
			forest_destroy(parent);
		assert_int_equal(forest_reset(child), 0);
		forest_check();
		forest_audit();
	}
	/* A second reset finds nothing to do; a round as the last one needs no more memory than that. */
	free = heap_free_total();
	assert_int_equal(forest_reset(child), 0);
	assert_int_equal(heap_free_total(), free);
	assert_int_equal(child->nr_pages, 0);
	for (unsigned int i = 4; i < MARKS; i += 3)
		assert_int_equal(guest_write(child, i, next_value++), 0);
	assert_int_equal(free - heap_free_total(), child->nr_pages);
	other = forest_fork(child, true);
	assert_int_equal(forest_reset(child), 0);
	forest_check();
	write_all(other);
	assert_int_equal(forest_reset(other), 0);
	forest_check();
	forest_audit();
}

static void reset_brings_back(void **state)
{
	for_all(reset);
}

/*
 * A child gives back all of an aligned 2 MiB, so that its table goes and a reset puts a piece of what the checkpoint has in one: of the 1 GiB
 * leaf, or the 2 MiB one itself. Then a grandchild has that, and must keep it.
 */
static void give_back_2m(void)
{
	struct tree *parent = forest_seed(), *child = forest_fork(parent, true), *grandchild;
	const unsigned int mark = 1; /* of those close together */

	for (unsigned int round = 0; round < 2; round++) {
		assert_int_equal(guest_balloon_out_2m(child, mark), 0);
		assert_int_equal(child->marks[mark], 0);
		forest_check();
		assert_int_equal(forest_reset(child), 0);
		forest_audit();
		forest_check();
	}
	grandchild = forest_fork(child, false);
	forest_audit();
	forest_destroy(child);
	write_all(parent);
	forest_check();
	forest_destroy(parent);
	forest_check();
	write_all(grandchild);
	forest_audit();
}

static void reset_brings_back_2m(void **state)
{
	for_all(give_back_2m);
}

/* ---- Registers that parent and child both have, and write to as they like ---- */

static const gfn_t device_at = { (3UL << 18) + 5 }; /* beside pages that are shared */
static const mfn_t device = { FOREST_FRAMES * 2 };

/* A strategy that goes by frames leaves the device to who forks. */
static struct tree *fork_with_device(struct tree *parent)
{
	struct tree *t = forest_fork(parent, false);

	assert_non_null(t);
	if (mfn_eq(p2m_lookup(&t->p2m, device_at, NULL, NULL), INVALID_MFN)) {
		assert_true(forest_small);
		assert_int_equal(p2m_set(&t->p2m, device_at, device, 0, P2M_IO), 0);
	}
	assert_int_equal(p2m_checkpoint(&t->p2m), 0);
	t->checkpointed = true;
	return t;
}

static void use_device(struct tree *t, bool write)
{
	enum p2m_type type;

	assert_int_equal(p2m_fault(&t->p2m, device_at, write), 0);
	assert_int_equal(mfn_x(p2m_lookup(&t->p2m, device_at, &type, NULL)), mfn_x(device));
	assert_int_equal(type, P2M_IO);
}

static void a_device(void)
{
	struct tree *parent = forest_seed(), *all[3] = { parent };

	assert_int_equal(p2m_set(&parent->p2m, device_at, device, 0, P2M_IO), 0);
	all[1] = fork_with_device(parent);
	write_all(all[1]);
	all[2] = fork_with_device(all[1]);
	for (unsigned int i = 0; i < 6; i++) {
		use_device(all[i % 3], i < 3);
		forest_audit();
	}
	write_all(parent);
	assert_int_equal(forest_reset(all[1]), 0);
	use_device(all[1], true);
	forest_check();
	forest_audit();
	assert_int_equal(p2m_set(&all[2]->p2m, device_at, device, 0, P2M_GRANT), 0);
	assert_int_equal(p2m_fork(&all[1]->p2m, &all[2]->p2m), -EOPNOTSUPP);
}

static void devices_are_everybodys(void **state)
{
	for_all(a_device);
}

static void chain(void)
{
	struct tree *at = forest_seed(), *all[16];

	for (unsigned int i = 0; i < 16; i++) {
		all[i] = at;
		at = forest_fork(at, i & 1);
		assert_non_null(at);
		for (unsigned int n = 0; n < 20; n++)
			assert_int_equal(guest_write(at, (unsigned int)rnd_below(MARKS),
						     next_value++),
					 0);
	}
	forest_check();
	forest_audit();
	for (unsigned int i = 0; i < 16; i += 2)
		forest_destroy(all[i]);
	forest_check();
	for (unsigned int i = 1; i < 16; i += 2)
		assert_int_equal(guest_write(all[i], i, next_value++), 0);
	forest_check();
	forest_audit();
}

static void chains_16_deep(void **state)
{
	for_all(chain);
}

static void many(void)
{
	struct tree *parent = forest_seed(), *child[100];
	unsigned long free = heap_free_total();

	for (unsigned int i = 0; i < 100; i++)
		child[i] = forest_fork(parent, true);
	printf("# an idle fork: %lu frames\n", (free - heap_free_total()) / 100);
	for (unsigned int i = 0; i < 100; i++) {
		assert_int_equal(guest_write(child[i], i, next_value++), 0);
		assert_int_equal(guest_write(parent, i * 2, next_value++), 0);
	}
	forest_check();
	forest_audit();
	for (unsigned int i = 0; i < 100; i += 2)
		forest_destroy(child[i]);
	forest_check();
}

static void a_hundred_of_one_parent(void **state)
{
	for_all(many);
}

/* ---- Random order ---- */

static struct tree *some_tree(void)
{
	for (;;) {
		struct tree *t = &trees[rnd_below(TREES)];

		if (t->alive)
			return t;
	}
}

static unsigned int alive(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < TREES; i++)
		n += trees[i].alive;
	return n;
}

static void random_step(void)
{
	struct tree *t = some_tree();
	unsigned int mark = (unsigned int)rnd_below(MARKS), n = alive();
	unsigned long what = rnd_below(100);

	if (what < 6 && n < 12)
		(void)forest_fork(t, rnd_below(2));
	else if (what < 10 && n > 1)
		forest_destroy(t);
	else if (what < 14)
		(void)forest_reset(t);
	else if (what < 18)
		(void)(rnd_below(16) ? guest_balloon_out : guest_balloon_out_2m)(t, mark);
	else if (what < 24)
		(void)guest_balloon_in(t, mark, next_value++);
	else if (what < 26)
		assert_int_equal(p2m_checkpoint(&t->p2m), 0);
	else
		for (unsigned int i = 0; i < 8; i++) {
			mark = (unsigned int)rnd_below(MARKS);
			(void)(what < 60 ? guest_read(t, mark)
					 : guest_write(t, mark, next_value++));
		}
	if (what >= 24 && what < 26) {
		t->checkpointed = true;
		memcpy(t->origin, t->marks, sizeof(t->marks));
	}
}

static void at_random(void)
{
	double end = machine_now() + machine_seconds(1);
	unsigned long steps = 0;

	machine_seed();
	(void)forest_seed();
	for (; machine_now() < end || steps < 1800; steps++) {
		random_step();
		if (steps % 300 == 0) {
			forest_check();
			forest_audit();
		}
	}
	forest_check();
	forest_audit();
	printf("# %s, %u levels: %lu steps, %u trees\n", p2m_fork_strategy(), forest_codec->levels,
	       steps, alive());
}

static void in_random_order(void **state)
{
	for_all(at_random);
}

/* ---- Memory runs out ---- */

/* With one frame more each time, until there is a fork. */
static struct tree *fork_when_there_is_enough(struct tree *parent)
{
	struct tree *child = NULL;

	for (unsigned long have = 0; !child; have++) {
		unsigned long free = heap_free_total();

		assert_true(have < 100000);
		child = forest_fork(parent, true);
		/* Of the parent's leaves some may be in pieces now, where a strategy does that. */
		if (!child && !forest_small)
			assert_int_equal(heap_free_total(), free);
		if (have % 8 == 0)
			forest_audit();
		forest_check();
		forest_give(1);
	}
	return child;
}

static void write_when_there_is_enough(struct tree *t, unsigned int mark)
{
	for (unsigned long have = 0; guest_write(t, mark, next_value++); have++) {
		assert_true(have < 20);
		forest_check();
		forest_audit();
		forest_give(1);
	}
}

static void starve(void)
{
	struct tree *parent = forest_seed(), *child;

	forest_starve();
	child = fork_when_there_is_enough(parent);
	forest_audit();
	for (unsigned int mark = 0; mark < 8; mark++) {
		forest_starve();
		write_when_there_is_enough(mark & 4 ? parent : child, mark);
	}
	/* A reset needs none. */
	forest_starve();
	assert_int_equal(forest_reset(child), 0);
	forest_feed();
	forest_check();
	forest_audit();
}

static void memory_runs_out(void **state)
{
	for_all(starve);
}

static int boot(void **state)
{
	forest_boot();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sides_diverge),          cmocka_unit_test(child_outlives_parent),
		cmocka_unit_test(last_sharer_takes_back), cmocka_unit_test(reset_brings_back),
		cmocka_unit_test(chains_16_deep),         cmocka_unit_test(a_hundred_of_one_parent),
		cmocka_unit_test(memory_runs_out),        cmocka_unit_test(reset_brings_back_2m),
		cmocka_unit_test(in_random_order),        cmocka_unit_test(devices_are_everybodys),
	};

	return cmocka_run_group_tests(tests, boot, NULL);
}
