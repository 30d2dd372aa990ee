// SPDX-License-Identifier: GPL-2.0-or-later
/* See ref_blocks.h. */
#include "ref_blocks.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void add(struct ref_set *set, struct heap_block block)
{
	if (set->count == set->room) {
		set->room = set->room ? 2 * set->room : 1024;
		set->block = realloc(set->block, set->room * sizeof(block));
	}
	set->block[set->count++] = block;
}

static unsigned int zone_by_counting(unsigned long mfn)
{
	unsigned int zone = 0;

	for (; mfn; mfn >>= 1)
		zone++;
	return zone;
}

struct search {
	struct ref_set *set;
	const struct mfn_range *ranges;
	unsigned int n;
	nodeid_t (*node_of)(mfn_t);
	mfn_t (*node_end)(mfn_t);
};

/* Index of the first range that ends above START. */
static unsigned int range_from(const struct search *s, unsigned long start)
{
	unsigned int low = 0, high = s->n;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (mfn_x(s->ranges[middle].end) > start)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void descend(const struct search *s, unsigned long start, unsigned int order)
{
	unsigned long end = start + (1UL << order);
	unsigned int i = range_from(s, start);

	if (i == s->n || mfn_x(s->ranges[i].start) >= end)
		return; /* nothing free in here */
	if (order <= HEAP_MAX_ORDER && mfn_x(s->ranges[i].start) <= start &&
	    end <= mfn_x(s->ranges[i].end) && mfn_x(s->node_end(_mfn(start))) >= end) {
		add(s->set, (struct heap_block){ s->node_of(_mfn(start)), zone_by_counting(start),
						 order, _mfn(start) });
		return;
	}
	descend(s, start, order - 1);
	descend(s, start + (1UL << (order - 1)), order - 1);
}

void ref_expect(struct ref_set *set, const struct mfn_range *ranges, unsigned int n,
		nodeid_t (*node_of)(mfn_t), mfn_t (*node_end)(mfn_t))
{
	struct search s = { set, ranges, n, node_of, node_end };

	set->count = 0;
	descend(&s, 0, 33);
}

static void add_actual(const struct heap_block *block, void *arg)
{
	add(arg, *block);
}

static int by_mfn(const void *a, const void *b)
{
	unsigned long x = mfn_x(((const struct heap_block *)a)->mfn);
	unsigned long y = mfn_x(((const struct heap_block *)b)->mfn);

	return x < y ? -1 : x > y;
}

void ref_actual(struct ref_set *set)
{
	set->count = 0;
	heap_for_each_block(add_actual, set);
	if (set->count)
		qsort(set->block, set->count, sizeof(set->block[0]), by_mfn);
}

void ref_assert_equal(const struct ref_set *expected, const struct ref_set *actual,
		      const char *what)
{
	for (unsigned long i = 0; i < expected->count && i < actual->count; i++) {
		const struct heap_block *e = &expected->block[i], *a = &actual->block[i];

		if (!mfn_eq(e->mfn, a->mfn) || e->order != a->order || e->node != a->node ||
		    e->zone != a->zone)
			fail_msg("%s: block %lu is %lx order %u node %u zone %u, not %lx order %u "
				 "node %u zone %u",
				 what, i, mfn_x(a->mfn), a->order, a->node, a->zone, mfn_x(e->mfn),
				 e->order, e->node, e->zone);
	}
	if (expected->count != actual->count)
		fail_msg("%s: %lu blocks instead of %lu", what, actual->count, expected->count);
}

void ref_free(struct ref_set *set)
{
	free(set->block);
	memset(set, 0, sizeof(*set));
}
