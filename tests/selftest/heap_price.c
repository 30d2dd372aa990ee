// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the heap's initialisation left to be done later: the price of allocating every page of the machine singly and of
 * freeing it again. Pages are taken as they are (HEAP_DIRTY_OK), so that no scrubbing is measured.
 */
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/selftest.h>

SELFTEST(heap, price, true)
{
	u32 top = PAGE_LINK_END;
	unsigned long pages = 0;
	u64 start = arch_cycles(), alloc, free;
	mfn_t mfn;

	while (!mfn_eq(mfn = heap_alloc(0, 0, 0, HEAP_DIRTY_OK), INVALID_MFN)) {
		mfn_to_page(mfn)->next = top;
		top = (u32)mfn_x(mfn);
		pages++;
	}
	alloc = arch_cycles() - start;
	REQUIRE(pages > 0);
	start = arch_cycles();
	while (top != PAGE_LINK_END) {
		mfn = _mfn(top);
		top = mfn_to_page(mfn)->next;
		heap_free(mfn, 0, false);
	}
	free = arch_cycles() - start;
	printk_always("heap-deferred: strategy=%s pages=%lu alloc-ticks-per-page=%lu "
		      "free-ticks-per-page=%lu",
		      heap_init_strategy(), pages, alloc / pages, free / pages);
}
