// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The update_va_mapping hypercall and its other-domain form: one level-1 entry of the current page
 * tables, by the address that it maps.
 */
#include "foreign.h"
#include "internal.h"
#include "tlb.h"
#include "walk.h"
#include <asm/hypercalls.h>

#define FLUSH_KIND 3UL
#define FLUSH_WHERE (~FLUSH_KIND)

static int flush(struct domain *d, unsigned long va, unsigned long flags)
{
	cpumask_t cpus;
	int rc;

	if ((flags & FLUSH_WHERE) == UVMF_LOCAL) {
		if ((flags & FLUSH_KIND) == UVMF_INVLPG)
			__asm__ volatile("invlpg (%0)" : : "r"(va) : "memory");
		else
			pv_tlb_flush_local();
		return 0;
	}
	if ((flags & FLUSH_WHERE) == UVMF_ALL) {
		cpus = d->arch.pv.active_cpus;
	} else {
		rc = pv_cpus_of_vcpus(d, _gva(flags & FLUSH_WHERE), &cpus);
		if (rc)
			return rc;
	}
	if ((flags & FLUSH_KIND) == UVMF_INVLPG)
		pv_tlb_flush_page(d, &cpus, va);
	else
		pv_tlb_flush_mask(d, &cpus);
	return 0;
}

static __always_inline int set_entry(struct domain *d, domid_t owner, unsigned long va,
				     unsigned long val)
{
	struct page *pg;
	mfn_t l1;
	int rc = -EINVAL;

	if (unlikely(!guest_range_ok(va, 1) ||
		     !pv_walk_table(current->arch.pv.kernel_table, va, &l1)))
		return -EINVAL;
	pg = page_of_guest_mfn(mfn_x(l1));
	if (unlikely(!pg || !page_get(pg, d)))
		return -EINVAL;
	if (likely(pv_type_hold(pg, PV_TYPE_L1))) {
		rc = pv_entry_update(d, owner, (u64 *)mfn_to_virt(l1) + pt_index(va, 1), val, 1,
				     false);
		pv_type_put(pg);
	}
	page_put(pg);
	return rc;
}

long do_update_va_mapping(unsigned long va, unsigned long val, unsigned long flags,
			  unsigned long a4, unsigned long a5)
{
	struct domain *d = current->domain;
	int rc = set_entry(d, d->id, va, val);

	if (unlikely(rc == -ERESTART))
		return hypercall_continue(__HYPERVISOR_update_va_mapping, va, val, flags, 0, 0);
	if (!rc && (flags & FLUSH_KIND))
		rc = flush(d, va, flags);
	return rc;
}

/* The same, and the entry names a frame of another domain's. */
long do_update_va_mapping_otherdomain(unsigned long va, unsigned long val, unsigned long flags,
				      unsigned long id, unsigned long a5)
{
	struct domain *d = current->domain;
	struct pv_parties parties;
	int rc = pv_parties_find(&parties, (u16)id);

	if (rc)
		return rc;
	rc = pv_parties_allowed(&parties);
	if (!rc)
		rc = set_entry(d, parties.owner, va, val);
	pv_parties_forget(&parties);
	if (unlikely(rc == -ERESTART))
		return hypercall_continue(__HYPERVISOR_update_va_mapping_otherdomain, va, val,
					  flags, id, 0);
	if (!rc && (flags & FLUSH_KIND))
		rc = flush(d, va, flags);
	return rc;
}
