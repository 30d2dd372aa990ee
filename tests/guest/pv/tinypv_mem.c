// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Guest frames, machine frames and page-table entries. Owns the page that maps shared_info. The
 * linear mapping the builder made (abi page 1.4) is never extended: the arena in the image and the
 * padding behind the boot stack are memory enough.
 */
#include "tinypv.h"
#include "tiny_lib.h"
#include "tiny_page.h"
#include "tinypv_hypercall.h"

const start_info_t *tiny_start_info;
shared_info_t *tiny_shared;

extern char tiny_arena_start[], tiny_arena_end[];

/* Gives up its frame for the one of shared_info. */
static char shared_info_window[PAGE_SIZE] __page_aligned;

mfn_t pfn_to_mfn(pfn_t frame)
{
	return mfn(((const uint64_t *)tiny_start_info->mfn_list)[frame.n]);
}

pfn_t mfn_to_pfn(mfn_t frame)
{
	return pfn(((const volatile uint64_t *)TINY_M2P)[frame.n]);
}

void *pfn_to_virt(pfn_t frame)
{
	return (void *)(TINY_VIRT_BASE + (frame.n << PAGE_SHIFT));
}

pfn_t virt_to_pfn(const void *address)
{
	return pfn(((uint64_t)address - TINY_VIRT_BASE) >> PAGE_SHIFT);
}

mfn_t virt_to_mfn(const void *address)
{
	return pfn_to_mfn(virt_to_pfn(address));
}

uint64_t virt_to_machine(const void *address)
{
	return virt_to_mfn(address).n << PAGE_SHIFT | ((uint64_t)address & ~PAGE_MASK);
}

const uint64_t *pte_of(const void *address, unsigned int level)
{
	const uint64_t *table = (const uint64_t *)tiny_start_info->pt_base, *entry;
	unsigned int at;

	for (at = 4;; at--) {
		entry = &table[(uint64_t)address >> (PAGE_SHIFT + 9 * (at - 1)) & 511];
		if (at == level)
			return entry;
		if (!(*entry & PTE_PRESENT) || *entry & PTE_LARGE)
			return NULL;
		table = pfn_to_virt(mfn_to_pfn(mfn((*entry & PTE_FRAME) >> PAGE_SHIFT)));
	}
}

int page_map(const void *page, uint64_t entry)
{
	return hv_update_va_mapping(page, entry, UVMF_INVLPG);
}

/*
 * Behind the boot page tables come the builder's stack page and padding: whatever is mapped there
 * is ours.
 */
static void add_padding(void)
{
	char *page =
		(char *)tiny_start_info->pt_base + (tiny_start_info->nr_pt_frames + 1) * PAGE_SIZE;
	char *end = page;
	const uint64_t *entry;

	while ((entry = pte_of(end, 1)) && *entry & PTE_PRESENT)
		end += PAGE_SIZE;
	page_add_range(page, end);
}

void mem_init(const start_info_t *info)
{
	int rc;

	tiny_start_info = info;
	rc = page_map(shared_info_window, info->shared_info | PTE_KERNEL_RW);
	if (rc)
		tiny_fail("mapping shared_info at 0x%lx: %d", info->shared_info, rc);
	tiny_shared = (shared_info_t *)shared_info_window;
	rings_init();
	add_padding();
	page_add_range(tiny_arena_start, tiny_arena_end);
}
