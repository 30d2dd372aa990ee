// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Says when memory runs low: once when less than 64 MiB (or an eighth of a small machine) is free, again at every
 * halving. A mark that was passed is armed again when twice as much is free. heap_lock guards the marks.
 */
#include <tine/printk.h>

#include "internal.h"

unsigned long heap_low_mark, heap_low_rearm = ~0UL;
static unsigned long top_mark;

static void set_mark(unsigned long mark)
{
	heap_low_mark = mark;
	heap_low_rearm = mark == top_mark ? ~0UL : max(4 * mark, 2UL);
}

void heap_low_init(unsigned long total_pages)
{
	unsigned long pages = min(MiB(64) >> PAGE_SHIFT, total_pages / 8);

	top_mark = pages ? BIT(msb(pages)) : 0;
	set_mark(top_mark);
}

void heap_low_crossed(void)
{
	unsigned long mark = heap_low_mark;

	while (mark > heap_free_pages_total)
		mark /= 2;
	set_mark(mark);
	pr_warn("Memory is low: %lu KiB are free", heap_free_pages_total << (PAGE_SHIFT - 10));
}

void heap_low_recovered(void)
{
	while (heap_free_pages_total >= heap_low_rearm)
		set_mark(heap_low_mark ? heap_low_mark * 2 : 1);
}
