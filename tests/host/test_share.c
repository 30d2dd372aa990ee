// SPDX-License-Identifier: GPL-2.0-or-later
/* Frames shared on request: Xen's answers, what a write does to them, and random sharing among forks with all counts computed anew (forest.c). */
#include "host_machine.h"
#include "forest.h"
#include <asm/stage2_codec.h>
#include <asm/npt.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>
#include <tine/errno.h>
#include <tine/share.h>

static const struct p2m_codec *const codecs[] = { &svm_npt_codec, &stage2_codec };
static u64 next_value = 1UL << 40;

static void for_all(void (*fn)(void))
{
	for (unsigned int c = 0; c < ARRAY_SIZE(codecs); c++) {
		forest_small = true;
		forest_start(codecs[c]);
		fn();
		forest_stop();
	}
}

static struct share_place place(struct tree *t, unsigned int mark)
{
	struct share_place p = { .p2m = &t->p2m, .gfn = mark_gfn(mark) };

	assert_int_equal(share_nominate(p.p2m, p.gfn, &p.handle), 0);
	assert_int_not_equal(p.handle, 0);
	return p;
}

static mfn_t frame_of(const struct share_place *p)
{
	return p2m_lookup(p->p2m, p->gfn, NULL, NULL);
}

static void answers(void)
{
	struct tree *a = forest_seed(), *b = forest_seed();
	struct share_place s = place(a, 3), c = place(b, 3), bad, hole;
	unsigned long free = heap_free_total();
	mfn_t held;
	u64 again;

	assert_int_equal(share_nominate(s.p2m, s.gfn, &again), 0);
	assert_int_equal(again, s.handle);
	assert_int_not_equal(s.handle, c.handle);
	assert_int_equal(share_count(s.p2m, s.gfn), 1);

	bad = s;
	bad.handle++;
	assert_int_equal(share_frames(&bad, &c), SHARE_BAD_SOURCE);
	bad = c;
	bad.handle = 0;
	assert_int_equal(share_frames(&s, &bad), SHARE_BAD_CLIENT);
	bad.gfn = _gfn(BIT(24));
	assert_int_equal(share_frames(&bad, &c), SHARE_BAD_SOURCE);
	forest_audit();

	/* The client's frame goes; a second time its handle is the source's. */
	assert_int_equal(share_frames(&s, &c), 0);
	b->marks[3] = a->marks[3];
	assert_int_equal(mfn_x(frame_of(&s)), mfn_x(frame_of(&c)));
	assert_int_equal(heap_free_total(), free + 1);
	assert_int_equal(share_frames(&s, &c), SHARE_BAD_CLIENT);
	assert_int_equal(share_count(c.p2m, c.gfn), 2);
	forest_check();
	forest_audit();

	/* Another place of the same tree, which is a hole at first. */
	hole = (struct share_place){ .p2m = &b->p2m, .gfn = mark_gfn(7) };
	assert_int_equal(share_add(&s, &hole), -EINVAL);
	assert_int_equal(guest_balloon_out(b, 7), 0);
	assert_int_equal(share_add(&s, &hole), 0);
	b->marks[7] = a->marks[3];
	assert_int_equal(share_count(s.p2m, s.gfn), 3);
	forest_check();
	forest_audit();

	/* Writers leave; the last has it for itself, and the handle is void. */
	assert_int_equal(guest_write(b, 3, next_value++), 0);
	assert_int_equal(guest_write(b, 7, next_value++), 0);
	assert_int_equal(share_count(s.p2m, s.gfn), 1);
	assert_int_equal(guest_write(a, 3, next_value++), 0);
	assert_int_equal(share_count(s.p2m, s.gfn), 0);
	assert_int_equal(share_frames(&s, &c), SHARE_BAD_SOURCE);
	forest_check();
	forest_audit();

	/* What the hypervisor holds stays where it is; holes and what cannot be, as well. */
	assert_int_equal(p2m_hold(&a->p2m, mark_gfn(11), true, &held), 0);
	assert_int_equal(share_nominate(&a->p2m, mark_gfn(11), &again), -E2BIG);
	mfn_to_page(held)->count_info--;
	assert_int_equal(share_nominate(&a->p2m, mark_gfn(11), &again), 0);
	assert_int_equal(share_nominate(&a->p2m, _gfn(BIT(20)), &again), -EINVAL);
	assert_int_equal(share_nominate(&a->p2m, _gfn(BIT(50)), &again), -EINVAL);
	forest_audit();
}

static void xens_answers(void **state)
{
	for_all(answers);
}

static int range(struct tree *a, struct tree *b, unsigned long first, unsigned long last)
{
	unsigned long done = 0;
	int ret;

	do
		ret = share_range(&a->p2m, &b->p2m, _gfn(first), _gfn(last), &done);
	while (ret == -ERESTART);
	return ret;
}

static void ranges(void)
{
	struct tree *a = forest_seed(), *b = forest_seed();
	unsigned long before = heap_free_total();

	assert_int_equal(range(a, b, 5, 4), -EINVAL);
	assert_int_equal(range(a, b, 0, BIT(50)), -EINVAL);
	/* Ends in a hole. Each frame but those is one less; some of them became table pages. */
	assert_int_equal(range(a, b, 0, 799), 0);
	for (unsigned int i = 0; i < MARKS; i++) {
		if (i % 4 < 2)
			b->marks[i] = a->marks[i];
	}
	assert_in_range(heap_free_total() - before, 690, 712);
	forest_check();
	forest_audit();
	forest_destroy(a);
	forest_check();
	for (unsigned int i = 0; i < MARKS; i++)
		assert_int_equal(guest_write(b, i, next_value++), 0);
	forest_check();
	forest_audit();
}

static void whole_ranges(void **state)
{
	for_all(ranges);
}

/* ---- In random order, with forks in between ---- */

static void random_share(struct tree *a, struct tree *b)
{
	unsigned int from = (unsigned int)rnd_below(MARKS), to = (unsigned int)rnd_below(MARKS);
	struct share_place s = { &a->p2m, mark_gfn(from), 0 }, c = { &b->p2m, mark_gfn(to), 0 };
	bool add = !b->marks[to];
	int ret;

	if (share_nominate(s.p2m, s.gfn, &s.handle)) {
		assert_int_equal(a->marks[from], 0);
		return;
	}
	if (!add)
		assert_int_equal(share_nominate(c.p2m, c.gfn, &c.handle), 0);
	ret = (add ? share_add : share_frames)(&s, &c);
	assert_int_equal(ret, 0);
	b->marks[to] = a->marks[from];
}

static void at_random(void)
{
	struct tree *t[6] = { forest_seed() };

	machine_seed();
	for (unsigned int i = 1; i < ARRAY_SIZE(t); i++)
		t[i] = i & 1 ? forest_seed() : forest_fork(t[i - 1], true);
	for (unsigned int step = 0; step < 3000; step++) {
		struct tree *a = t[rnd_below(ARRAY_SIZE(t))];
		unsigned int mark = (unsigned int)rnd_below(MARKS),
			     which = (unsigned int)rnd_below(6);

		switch (rnd_below(12)) {
		case 0:
			assert_int_equal(guest_balloon_out(a, mark), 0);
			break;
		case 1:
			if (rnd_below(8) || t[which] == a)
				break;
			forest_destroy(t[which]);
			t[which] = forest_fork(a, true);
			assert_non_null(t[which]);
			break;
		case 2:
			(void)forest_reset(a);
			break;
		case 3:
		case 4:
		case 5:
			assert_int_equal(guest_write(a, mark, next_value++), 0);
			break;
		default:
			random_share(a, t[which]);
		}
		if (step % 300 == 0) {
			forest_check();
			forest_audit();
		}
	}
	forest_check();
	forest_audit();
}

static void in_random_order(void **state)
{
	for_all(at_random);
}

static int boot(void **state)
{
	forest_boot();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(xens_answers),
		cmocka_unit_test(whole_ranges),
		cmocka_unit_test(in_random_order),
	};

	return cmocka_run_group_tests(tests, boot, NULL);
}
