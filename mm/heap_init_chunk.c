// SPDX-License-Identifier: GPL-2.0-or-later
/* heap-init=chunk: maximal aligned blocks, with every frame's struct initialised: the published improvement. */
#include "internal.h"

static void chunk_born(mfn_t mfn, unsigned int order, bool dirty)
{
	unsigned int step = min(order, (unsigned int)SECTION_ORDER);

	for (unsigned long i = 0; i < 1UL << order; i += 1UL << step)
		heap_frames_born(mfn_add(mfn, i), step, dirty);
}

static unsigned long add_chunks(struct heap_node *node, mfn_t start, mfn_t end, bool dirty)
{
	unsigned long chunks = 0;

	while (mfn_x(start) < mfn_x(end)) {
		unsigned int order = chunk_order(start, end);

		chunk_born(start, order, dirty);
		heap_give_block(node, start, order, dirty);
		start = mfn_add(start, 1UL << order);
		chunks++;
	}
	return chunks;
}

const struct heap_strategy heap_init_chunk = { .name = "chunk", .add = add_chunks };
