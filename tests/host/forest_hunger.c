// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes the forest's free memory away and gives it back by the frame. */
#include "host_machine.h"
#include "forest_frames.h"

static mfn_t hoard[FOREST_FRAMES];
unsigned long forest_hoarded;

void forest_starve(void)
{
	for (;; forest_hoarded++) {
		hoard[forest_hoarded] = heap_alloc(0, 0, 0, HEAP_DIRTY_OK);
		if (mfn_eq(hoard[forest_hoarded], INVALID_MFN))
			break;
	}
}

void forest_give(unsigned long count)
{
	while (count-- && forest_hoarded)
		heap_free(hoard[--forest_hoarded], 0, true);
}

void forest_feed(void)
{
	while (forest_hoarded)
		heap_free(hoard[--forest_hoarded], 0, true);
}
