/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a guest whose memory is translated has what its tests need; each kind has its own. */
#ifndef TINY_PLACES_H
#define TINY_PLACES_H

#include "tiny_types.h"

struct tiny_places {
	uint64_t *pattern;  /* 48 MiB of memory that nothing else uses */
	const void *memory; /* where the RAM is that it knows, and how much */
	uint64_t memory_size;
	void *hole, *far; /* mapped by the guest's own tables, but there is nothing */
	void *unmapped;   /* not even that */
};

extern struct tiny_places tiny_places;

#endif
