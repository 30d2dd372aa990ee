// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory in one piece that is no power of two, for start of day: a block of the heap whose unneeded
 * end goes back at once. Contents are whatever was there.
 */
#include "unpack.h"
#include <tine/heap.h>
#include <tine/lib.h>

static unsigned int order_for(size_t size)
{
	unsigned int order = 0;

	while (order <= HEAP_MAX_ORDER && (PAGE_SIZE << order) < size)
		order++;
	return order;
}

/* Pages [FIRST, END) behind AT, in the largest aligned parts. */
static void free_pages(u8 *at, unsigned long first, unsigned long end)
{
	while (first < end) {
		unsigned int order = msb(end - first);

		if (first)
			order = min(order, (unsigned int)__builtin_ctzl(first));
		heap_free_pages(at + (first << PAGE_SHIFT), order);
		first += 1UL << order;
	}
}

void *extent_alloc(size_t size)
{
	unsigned int order = order_for(size);
	u8 *at = order <= HEAP_MAX_ORDER && size ? heap_alloc_pages(order, HEAP_DIRTY_OK) : NULL;

	if (at)
		free_pages(at, DIV_ROUND_UP(size, PAGE_SIZE), 1UL << order);
	return at;
}

void extent_free(void *at, size_t size)
{
	free_pages(at, 0, DIV_ROUND_UP(size, PAGE_SIZE));
}
