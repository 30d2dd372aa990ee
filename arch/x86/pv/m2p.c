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

/* PAGE is complete: guests see it at once. */
static void put_below(u64 *slot, const void *page, u64 flags)
{
	__atomic_store_n(slot, pte_make(virt_to_mfn(page), flags), __ATOMIC_RELEASE);
}

static u64 *table_below_or_new(u64 *slot)
{
	u64 *table = below(slot);

	if (table)
		return table;
	table = heap_alloc_pages(0, HEAP_ZERO);
	if (table)
		put_below(slot, table, M2P_TABLE_FLAGS);
	return table;
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

/* The slot for that page; NULL: no memory. */
static u64 *slot_for(mfn_t mfn)
{
	unsigned long va = entry_address(mfn);
	u64 *l2 = table_below_or_new(&m2p_l3[pt_index(va, 3)]);
	u64 *l1 = l2 ? table_below_or_new(&l2[pt_index(va, 2)]) : NULL;

	return l1 ? &l1[pt_index(va, 1)] : NULL;
}

/* COUNT words of one page, those from MFN's on, count up from PFN. */
static int set_in_page(mfn_t mfn, unsigned long pfn, unsigned long count)
{
	u64 *slot, *page = NULL;

	spin_lock(&m2p_lock);
	slot = slot_for(mfn);
	if (slot)
		page = below(slot);
	if (slot && !page) {
		page = heap_alloc_pages(0, HEAP_DIRTY_OK);
		if (page && count != SECTION_FRAMES)
			memset(page, 0xff, PAGE_SIZE); /* M2P_INVALID */
	}
	if (page) {
		pv_count_up(&page[mfn_x(mfn) % SECTION_FRAMES], pfn, count);
		put_below(slot, page, M2P_PAGE_FLAGS);
	}
	spin_unlock(&m2p_lock);
	return page ? 0 : -ENOMEM;
}

int pv_m2p_set(mfn_t mfn, unsigned long pfn)
{
	u64 *page = page_for(mfn);

	if (!page)
		return set_in_page(mfn, pfn, 1);
	WRITE_ONCE(page[mfn_x(mfn) % SECTION_FRAMES], pfn);
	return 0;
}

int pv_m2p_set_run(mfn_t mfn, unsigned long pfn, unsigned long count)
{
	while (count) {
		unsigned long first = mfn_x(mfn) % SECTION_FRAMES;
		unsigned long n = min(SECTION_FRAMES - first, count);
		int rc = set_in_page(mfn, pfn, n);

		if (rc)
			return rc;
		mfn = mfn_add(mfn, n);
		pfn += n;
		count -= n;
	}
	return 0;
}

/* The first word makes sure of the page. */
int pv_m2p_set_list(mfn_t mfn, const unsigned long *pfns, unsigned int count)
{
	int rc = pv_m2p_set(mfn, pfns[0]);
	u64 *words = rc ? NULL : page_for(mfn) + mfn_x(mfn) % SECTION_FRAMES;

	for (unsigned int i = 1; !rc && i < count; i++)
		WRITE_ONCE(words[i], pfns[i]);
	return rc;
}

void pv_m2p_forget(struct page *const *pages, unsigned int count)
{
	u64 *words = NULL;
	unsigned long section = 0;

	for (unsigned int i = 0; i < count; i++) {
		unsigned long mfn = mfn_x(page_to_mfn(pages[i]));

		if (!words || mfn / SECTION_FRAMES != section) {
			section = mfn / SECTION_FRAMES;
			words = page_for(_mfn(mfn));
			BUG_ON(!words);
		}
		WRITE_ONCE(words[mfn % SECTION_FRAMES], M2P_INVALID);
	}
}

unsigned long pv_m2p_get(mfn_t mfn)
{
	const u64 *page = page_for(mfn);

	return page ? READ_ONCE(page[mfn_x(mfn) % SECTION_FRAMES]) : M2P_INVALID;
}
