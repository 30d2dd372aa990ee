// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The update_descriptor hypercall: one entry of a GDT or LDT page, by machine address. Guests make
 * it at every task switch that changes thread-local storage, so it is as short as the references
 * allow.
 */
#include "descriptor.h"
#include "internal.h"
#include <asm/hypercalls.h>

long do_update_descriptor(unsigned long machine_addr, unsigned long desc, unsigned long a3,
			  unsigned long a4, unsigned long a5)
{
	struct domain *d = current->domain;
	struct page *pg = page_of_guest_mfn(machine_addr >> PAGE_SHIFT);
	enum pv_type type;
	u64 adjusted = desc;
	int rc;

	if (unlikely((machine_addr & 7) || !pg || !pv_descriptor_check(&adjusted)))
		return -EINVAL;
	if (unlikely(!page_get(pg, d)))
		return -EINVAL;
	/*
	 * A page that is not in use as descriptors may be written to as data, as the guest could do
	 * itself; never a page table.
	 */
	type = pgt_type(READ_ONCE(pg->type_info)) == PV_TYPE_DESC ? PV_TYPE_DESC : PV_TYPE_WRITABLE;
	rc = pv_type_get(pg, d, type);
	if (likely(!rc)) {
		WRITE_ONCE(*(u64 *)paddr_to_virt(_paddr(machine_addr)), adjusted);
		pv_type_put(pg);
	}
	page_put(pg);
	if (unlikely(rc == -ERESTART))
		return hypercall_continue(__HYPERVISOR_update_descriptor, machine_addr, desc, 0, 0,
					  0);
	return likely(!rc) ? 0 : -EINVAL;
}
