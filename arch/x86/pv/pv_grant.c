// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Other domains' frames in a PV guest's page tables. The entry holds references on the frame like
 * any other, so it may go by any way that entries go. It cannot be copied: an entry that a guest
 * writes may only name the guest's own frames.
 *
 * Entries change by exchange of what was looked at. So two vCPUs that withdraw mappings at the same
 * place cannot both have withdrawn it.
 */
#include "internal.h"
#include "tlb.h"
#include "walk.h"
#include <tine/arch.h>
#include <xen/grant_table.h>

#define AVAIL_SHIFT 9 /* of the three bits below the address that are software's */
#define AVAIL_BITS 7U

int pv_hold_frame(struct domain *d, unsigned long frame, bool write, struct page **out)
{
	struct page *pg = page_of_guest_mfn(frame);
	int rc = -EINVAL;

	if (!pg || !page_get(pg, d))
		return -EINVAL;
	if (!(READ_ONCE(pg->count_info) & PAGE_TINE))
		rc = write ? pv_type_get(pg, d, PV_TYPE_WRITABLE) : 0;
	if (rc) {
		page_put(pg);
		return rc == -ERESTART ? rc : -EINVAL;
	}
	*out = pg;
	return 0;
}

void arch_release_frame(struct page *pg, bool write)
{
	if (write)
		pv_type_put(pg);
	page_put(pg);
}

/* The machine address of the level-1 entry that HOST means, or 0. */
static u64 entry_address(const struct vcpu *v, u64 host, u32 flags)
{
	mfn_t l1;

	if (flags & GNTMAP_contains_pte)
		return IS_ALIGNED(host, sizeof(u64)) ? host : 0;
	if (!guest_range_ok(host, 1) || !pv_walk_table(v->arch.pv.kernel_table, host, &l1))
		return 0;
	return paddr_x(mfn_to_paddr(l1)) + pt_index(host, 1) * sizeof(u64);
}

/* The entry, with references on its table, that it stays one of level 1. NULL: there is none. */
static u64 *hold_entry(u64 host, u32 flags)
{
	u64 at = entry_address(current, host, flags);
	struct page *table = at ? page_of_guest_mfn(at >> PAGE_SHIFT) : NULL;

	if (!table || !page_get(table, current->domain))
		return NULL;
	if (!pv_type_hold(table, PV_TYPE_L1)) {
		page_put(table);
		return NULL;
	}
	return paddr_to_virt(_paddr(at));
}

static void release_entry(u64 *entry)
{
	struct page *table = mfn_to_page(virt_to_mfn(entry));

	pv_type_put(table);
	page_put(table);
}

static u64 entry_for(const struct page *pg, u32 flags)
{
	u64 entry = pte_make(page_to_mfn(pg), PTE_P | PTE_US | PTE_A | PTE_NX);

	if (!(flags & GNTMAP_readonly))
		entry |= PTE_RW | PTE_D;
	if (!(flags & GNTMAP_application_map))
		entry |= PTE_GUEST_KERNEL;
	return entry | (u64)((flags >> _GNTMAP_guest_avail0) & AVAIL_BITS) << AVAIL_SHIFT;
}

/* What was there before goes. */
static int place(u64 *slot, u64 entry)
{
	u64 none = 0;
	int rc = pv_entry_update(current->domain, current->domain->id, slot, 0, 1, false);

	if (rc)
		return rc;
	return __atomic_compare_exchange_n(slot, &none, entry, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED)
		       ? 0
		       : -EBUSY;
}

int pv_grant_map(u64 host, u32 flags, struct page *pg, const struct domain *owner)
{
	bool write = !(flags & GNTMAP_readonly);
	u64 *slot = hold_entry(host, flags);
	int rc = slot ? 0 : -EINVAL;

	if (rc)
		return rc;
	if (!page_get(pg, owner))
		rc = -EINVAL;
	if (!rc && write && pv_type_get(pg, owner, PV_TYPE_WRITABLE)) {
		page_put(pg);
		rc = -EINVAL;
	}
	if (!rc) {
		rc = place(slot, entry_for(pg, flags));
		if (rc)
			arch_release_frame(pg, write);
	}
	release_entry(slot);
	return rc;
}

int pv_grant_unmap(u64 host, u32 flags, struct page *pg)
{
	u64 same = PTE_P | PTE_ADDR_MASK | PTE_RW;
	u64 *slot = hold_entry(host, flags), old;
	bool gone = false;

	if (!slot)
		return -EINVAL;
	old = READ_ONCE(*slot);
	while (!gone && !((old ^ entry_for(pg, flags)) & same))
		gone = __atomic_compare_exchange_n(slot, &old, 0, false, __ATOMIC_ACQ_REL,
						   __ATOMIC_RELAXED);
	release_entry(slot);
	if (!gone)
		return -EINVAL;
	arch_release_frame(pg, !(flags & GNTMAP_readonly));
	return 0;
}

/*
 * The entry at FRESH keeps its references on the way. It is out of both places for a moment; a guest that
 * writes to one of them meanwhile gets what it wrote, and an entry that has lost its place ends.
 */
static int move_entry(u64 *from, u64 *to, u64 wanted, u64 same)
{
	u64 moved = __atomic_exchange_n(from, 0, __ATOMIC_ACQ_REL), old = READ_ONCE(*to), none = 0;

	while (!((old ^ wanted) & same)) {
		if (__atomic_compare_exchange_n(to, &old, moved, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			return 0;
	}
	if (!__atomic_compare_exchange_n(from, &none, moved, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		pv_entry_drop(current->domain, moved, virt_to_mfn(from));
	return -EINVAL;
}

int pv_grant_replace(u64 host, u32 flags, struct page *pg, u64 fresh)
{
	u64 *to, *from;
	int rc = -EINVAL;

	if (flags & GNTMAP_contains_pte) /* FRESH would not be one */
		return -EINVAL;
	to = hold_entry(host, flags);
	from = hold_entry(fresh, flags);
	if (to && from && to != from)
		rc = move_entry(from, to, entry_for(pg, flags), PTE_P | PTE_ADDR_MASK | PTE_RW);
	if (from)
		release_entry(from);
	if (to)
		release_entry(to);
	if (!rc)
		arch_release_frame(pg, !(flags & GNTMAP_readonly));
	return rc;
}

void arch_grant_flush(void)
{
	const struct domain *d = current->domain;
	cpumask_t cpus = d->arch.pv.active_cpus;

	pv_tlb_flush_mask(d, &cpus);
}
