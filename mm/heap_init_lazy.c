// SPDX-License-Identifier: GPL-2.0-or-later
/* heap-init=lazy: maximal aligned blocks, of which only the heads are touched: sections that lie whole in one stay asleep. */
#include "internal.h"

static unsigned long add_sleeping(struct heap_node *node, mfn_t start, mfn_t end, bool dirty)
{
	unsigned long chunks = 0;

	while (mfn_x(start) < mfn_x(end)) {
		unsigned int order = chunk_order(start, end);

		if (order >= SECTION_ORDER)
			section_sleep(start, order, dirty);
		else
			heap_frames_born(start, order, dirty);
		heap_give_block(node, start, order, dirty);
		start = mfn_add(start, 1UL << order);
		chunks++;
	}
	return chunks;
}

const struct heap_strategy heap_init_lazy = { .name = "lazy", .add = add_sleeping };
