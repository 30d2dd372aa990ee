// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine-to-physical table that all PV guests read: one word a frame, its number in its
 * owner's own numbering. It is an array at M2P_VIRT_START, read-only and user-accessible; a page of
 * it covers the 512 frames of a section and exists once a PV domain got one of them. Elsewhere a
 * guest's look at it is a page fault of its own.
 *
 * Tables and pages are added under m2p_lock and stay; entries are single words that their frames'
 * owners write.
 */
#include "internal.h"
#include "m2p.h"
#include <asm/paging.h>
#include <tine/heap.h>
#include <tine/string.h>

#define M2P_TABLE_FLAGS (PTE_P | PTE_RW | PTE_US | PTE_A | PTE_D)
#define M2P_PAGE_FLAGS (PTE_P | PTE_US | PTE_A | PTE_NX)

static struct spinlock m2p_lock = SPINLOCK_INIT(LOCK_MAPPING);
static u64 *m2p_l3;

int pv_m2p_init(void)
{
	u64 *l4 = x86_master_l4();
	unsigned int slot = pt_index(M2P_VIRT_START, 4);
	int rc = 0;

	spin_lock(&m2p_lock);
	if (!m2p_l3) {
		m2p_l3 = heap_alloc_pages(0, HEAP_ZERO);
		if (m2p_l3)
			l4[slot] = pte_make(virt_to_mfn(m2p_l3), M2P_TABLE_FLAGS);
		else
			rc = -ENOMEM;
	}
	spin_unlock(&m2p_lock);
	return rc;
}

/* What entry SLOT of a table points to, in the direct map; NULL: nothing. */
static void *below(const u64 *slot)
{
	u64 entry = READ_ONCE(*slot);

	return entry & PTE_P ? mfn_to_virt(pte_mfn(entry)) : NULL;
}

static void *below_or_new(u64 *slot, bool table)
{
	void *page = below(slot);

	if (page)
		return page;
	page = heap_alloc_pages(0, table ? HEAP_ZERO : HEAP_DIRTY_OK);
	if (!page)
		return NULL;
	if (!table)
		memset(page, 0xff, PAGE_SIZE); /* M2P_INVALID */
	__atomic_store_n(slot,
			 pte_make(virt_to_mfn(page), table ? M2P_TABLE_FLAGS : M2P_PAGE_FLAGS),
			 __ATOMIC_RELEASE);
	return page;
}

static unsigned long entry_address(mfn_t mfn)
{
	return M2P_VIRT_START + mfn_x(mfn) * sizeof(u64);
}

/* The page of the table that holds MFN's word, or NULL. */
static u64 *page_for(mfn_t mfn)
{
	unsigned long va = entry_address(mfn);
	u64 *l2 = below(&m2p_l3[pt_index(va, 3)]);
	u64 *l1 = l2 ? below(&l2[pt_index(va, 2)]) : NULL;

	return l1 ? below(&l1[pt_index(va, 1)]) : NULL;
}

static u64 *page_for_or_new(mfn_t mfn)
{
	unsigned long va = entry_address(mfn);
	u64 *l2, *l1, *page = NULL;

	spin_lock(&m2p_lock);
	l2 = below_or_new(&m2p_l3[pt_index(va, 3)], true);
	l1 = l2 ? below_or_new(&l2[pt_index(va, 2)], true) : NULL;
	if (l1)
		page = below_or_new(&l1[pt_index(va, 1)], false);
	spin_unlock(&m2p_lock);
	return page;
}

int pv_m2p_set(mfn_t mfn, unsigned long pfn)
{
	u64 *page = page_for(mfn);

	if (!page)
		page = page_for_or_new(mfn);
	if (!page)
		return -ENOMEM;
	WRITE_ONCE(page[mfn_x(mfn) % SECTION_FRAMES], pfn);
	return 0;
}

int pv_m2p_set_run(mfn_t mfn, unsigned long pfn, unsigned long count)
{
	unsigned long done = 0;

	while (done < count) {
		unsigned long first = (mfn_x(mfn) + done) % SECTION_FRAMES;
		unsigned long n = min(SECTION_FRAMES - first, count - done), i;
		u64 *page = page_for_or_new(mfn_add(mfn, done));

		if (!page)
			return -ENOMEM;
		for (i = 0; i < n; i++)
			page[first + i] = pfn + done + i;
		done += n;
	}
	return 0;
}

unsigned long pv_m2p_get(mfn_t mfn)
{
	const u64 *page = page_for(mfn);

	return page ? READ_ONCE(page[mfn_x(mfn) % SECTION_FRAMES]) : M2P_INVALID;
}
