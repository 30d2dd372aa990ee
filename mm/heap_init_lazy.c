// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * heap-init=lazy: maximal aligned blocks, of which only the heads are touched: sections that lie whole in one stay
 * asleep. What grows with RAM is one insertion a gigabyte.
 */
#include "internal.h"

/* How many blocks of the largest order follow one another from START on, within [start, end) and START's zone. */
static unsigned long largest_in_a_row(mfn_t start, mfn_t end)
{
	unsigned long zone_end = 1UL << frame_zone(start);

	return (min(mfn_x(end), zone_end) - mfn_x(start)) >> HEAP_MAX_ORDER;
}

static unsigned long add_sleeping(struct heap_node *node, mfn_t start, mfn_t end, bool dirty)
{
	unsigned long chunks = 0;

	while (mfn_x(start) < mfn_x(end)) {
		unsigned int order = chunk_order(start, end);
		unsigned long n = order == HEAP_MAX_ORDER ? largest_in_a_row(start, end) : 1;

		if (order >= SECTION_ORDER)
			section_sleep(start, n << order, dirty);
		else
			heap_frames_born(start, order, dirty);
		if (order == HEAP_MAX_ORDER)
			heap_give_largest(node, start, n, dirty);
		else
			heap_give_block(node, start, order, dirty);
		start = mfn_add(start, n << order);
		chunks += n;
	}
	return chunks;
}

const struct heap_strategy heap_init_lazy = { .name = "lazy", .add = add_sleeping };
