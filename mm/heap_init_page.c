// SPDX-License-Identifier: GPL-2.0-or-later
/* heap-init=page: each frame is freed by itself and merged upwards, as hypervisors did before 2022. For comparison. */
#include "internal.h"

static unsigned long add_pages(struct heap_node *node, mfn_t start, mfn_t end, bool dirty)
{
	for (mfn_t mfn = start; mfn_x(mfn) < mfn_x(end); mfn = mfn_add(mfn, 1)) {
		heap_frames_born(mfn, 0, dirty);
		heap_give_block(node, mfn, 0, dirty);
	}
	return mfn_x(end) - mfn_x(start);
}

const struct heap_strategy heap_init_page = { .name = "page", .add = add_pages };
