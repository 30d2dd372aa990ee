// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the initial domain finds where its machine's memory map has no RAM. It owns no hardware, but
 * its kernel looks for some all the same: firmware tables below 1 MiB, register windows. Such a
 * mapping gets one page of the domain's own instead, which reads as all ones at first, as a bus
 * does where nothing answers. So it goes on without devices, and no device or firmware memory is
 * ever within reach.
 *
 * The page is an ordinary shared one, so an entry that names it is counted like any other. Other
 * domains get none.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <tine/boot_info.h>
#include <tine/string.h>

/* Wholly: what is RAM only in part is nobody's. */
static bool frame_is_ram(u64 mfn)
{
	u64 at = mfn << PAGE_SHIFT;
	unsigned int i;

	for (i = 0; i < boot_info.nr_regions; i++) {
		const struct mem_region *r = &boot_info.regions[i];

		if (r->type == MEM_RAM && at >= paddr_x(r->start) &&
		    at + PAGE_SIZE <= paddr_x(r->end))
			return true;
	}
	return false;
}

int pv_empty_bus_create(struct domain *d)
{
	void *page;

	if (!d->config.initial)
		return 0;
	page = domain_alloc_shared(d);
	if (!page)
		return -ENOMEM;
	memset(page, 0xff, PAGE_SIZE);
	d->arch.pv.empty_bus = page;
	return 0;
}

void pv_empty_bus_destroy(struct domain *d)
{
	if (d->arch.pv.empty_bus)
		page_put(mfn_to_page(virt_to_mfn(d->arch.pv.empty_bus)));
	d->arch.pv.empty_bus = NULL;
}

u64 pv_entry_redirect(const struct domain *d, u64 entry)
{
	u64 mfn = mfn_x(pte_mfn(entry));

	if (!d->arch.pv.empty_bus || !(entry & PTE_P) || frame_is_ram(mfn) ||
	    mfn >> (x86_cpu.phys_bits - PAGE_SHIFT)) /* no such address at all */
		return entry;
	return (entry & ~(PTE_ADDR_MASK | PTE_PWT | PTE_PCD | PTE_PAT)) |
	       pte_make(virt_to_mfn(d->arch.pv.empty_bus), 0);
}
