// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which memory the frame table lies in: for each range of RAM the structs of its frames get memory of
 * their own node where it has some, in the largest pages that fit. Start of day, single CPU, no lock.
 */
#include <tine/arch.h>
#include <tine/bootmem.h>
#include <tine/lib.h>
#include <tine/numa.h>
#include <tine/page.h>

/*
 * Backs [VA, END) of the frame table, whole 2 MiB pages, from NODE's memory where it has some.
 * Returns how far it got.
 */
static unsigned long back_large(unsigned long va, unsigned long end, nodeid_t node)
{
	unsigned long want = min(end - va, GiB(1) - va % GiB(1));
	unsigned long align = MiB(2);

	if (arch_largest_page() == GiB(1) && IS_ALIGNED(va, GiB(1)) && want >= GiB(1) - GiB(1) / 8)
		want = align =
			GiB(1); /* covers some frames that are no RAM: fewer pages are worth it */
	while (want >= MiB(2)) {
		mfn_t mfn = bootmem_try_alloc(want / PAGE_SIZE, align / PAGE_SIZE,
					      arch_direct_map_limit(), node);

		if (!mfn_eq(mfn, INVALID_MFN)) {
			arch_map_frame_table((void *)va, mfn_to_paddr(mfn), want);
			return va + want;
		}
		align = MiB(2);
		want = ROUND_DOWN(want / 2, MiB(2));
	}
	return va;
}

/* The same in 4 KiB pages, in as many pieces as memory has. */
static unsigned long back_small(unsigned long va, unsigned long end)
{
	unsigned long len = min(end - va, MiB(2) - va % MiB(2));
	mfn_t limit = arch_direct_map_limit(), mfn;

	for (;;) {
		mfn = bootmem_try_alloc(len / PAGE_SIZE, 1, limit, NUMA_NO_NODE);
		if (!mfn_eq(mfn, INVALID_MFN))
			break;
		if (len == PAGE_SIZE)
			panic("No memory for the frame table");
		len = ROUND_UP(len / 2, PAGE_SIZE);
	}
	arch_map_frame_table((void *)va, mfn_to_paddr(mfn), len);
	return va + len;
}

static mfn_t frame_of_struct(unsigned long va)
{
	return _mfn((va - (unsigned long)frame_table) / sizeof(struct page));
}

unsigned long frame_table_back(unsigned long cursor, mfn_t first_frame, mfn_t end_frame)
{
	unsigned long end = mfn_x(end_frame);
	unsigned long va = (unsigned long)mfn_to_page(first_frame);
	unsigned long stop = (unsigned long)&frame_table[end];
	bool large = stop - va >= MiB(1);
	/* The heap writes to all structs of a section in which it has any memory. */
	unsigned long unit = large ? MiB(2) : SECTION_FRAMES * sizeof(struct page);

	va = max(cursor, ROUND_DOWN(va, unit));
	stop = ROUND_UP(stop, unit);
	while (va < stop) {
		mfn_t first = frame_of_struct(va);
		unsigned long node_end = min(mfn_x(numa_range_end(first)), end);
		unsigned long node_stop = (unsigned long)&frame_table[node_end];
		unsigned long piece = min(stop, ROUND_UP(node_stop, MiB(2))), got = va;

		if (large && IS_ALIGNED(va, MiB(2)) && piece > va)
			got = back_large(va, piece, numa_node_of(first));
		va = got > va ? got : back_small(va, stop);
	}
	return max(cursor, va);
}
