// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of a PV guest's page tables. A present entry of a validated table holds references on
 * what it names: level 1 a general one, and a writable one when the mapping is; above that a
 * general one and the type of the level below. So no table is ever reachable for writing, and no
 * frame that a table names goes away.
 *
 * An entry of level 1 may name another domain's frame when a privileged domain says whose it is
 * (mmu_update.c), or by a grant. The references are on that frame, whose owner does not flush our
 * CPUs when it goes: so we do, when the entry goes and before its references.
 *
 * Entries are adjusted on the way in. The guest's kernel runs in ring 3, so all pages are
 * user-accessible; those that the guest meant for its kernel are told apart by a software bit, and
 * hidden from user mode by the second top-level table. None is global, whatever the guest asks: a
 * CR3 load must forget everything. Large pages are not offered.
 */
#include "internal.h"
#include "tlb.h"
#include <tine/softirq.h>

#define FLAGS_CACHE (PTE_PWT | PTE_PCD | PTE_PAT)

static inline bool flags_allowed(const struct domain *d, u64 entry, unsigned int level)
{
	u64 extra = entry & ~(PV_FLAGS_FREE | PTE_ADDR_MASK);

	if (likely(!extra))
		return true;
	/* Who drives real devices chooses how memory is cached. */
	return level == 1 && !(extra & ~(PTE_G | (d->config.initial ? FLAGS_CACHE : 0)));
}

/*
 * Is ENTRY, of the table SELF of LEVEL, one that names that table? In level 2 and 3 it may stand, for
 * reading (a linear page table): it needs no reference, and could never be given back if it had one.
 */
static __always_inline bool is_self(u64 entry, unsigned int level, mfn_t self)
{
	return level > 1 && unlikely(mfn_eq(pte_mfn(entry), self));
}

static __always_inline int table_get(const struct domain *d, u64 entry, unsigned int level,
				     mfn_t self)
{
	struct page *pg = page_of_guest_mfn(mfn_x(pte_mfn(entry)));
	int rc;

	/*
	 * Level 4 has the hypervisor's slots. Through an entry that makes it a table of a lower level, what
	 * they name would be in the guest's half: not for the guest, but for our copies on its behalf.
	 */
	if (is_self(entry, level, self))
		return level == 4 || (entry & PTE_RW) ? -EINVAL : 0;
	if (unlikely(!pg || !page_get(pg, d)))
		return -EINVAL;
	rc = pv_type_get(pg, d, (enum pv_type)(level - 1));
	if (likely(!rc))
		return 0;
	page_put(pg);
	return rc == -EBUSY ? -EINVAL : rc; /* as Xen says it; for frames it is -EBUSY */
}

static __always_inline int frame_get_own(const struct domain *d, u64 entry)
{
	struct page *pg = page_of_guest_mfn(mfn_x(pte_mfn(entry)));
	int rc;

	if (unlikely(!pg))
		return -EINVAL;
	if (unlikely(!page_get(pg, d)))
		return -EBUSY;
	if (!(entry & PTE_RW))
		return 0;
	rc = pv_type_get(pg, d, PV_TYPE_WRITABLE);
	if (unlikely(rc))
		page_put(pg);
	return rc;
}

/* A frame of another domain's, but for those that are the hypervisor's, or of one that is going. */
static __noinline int frame_get_others(domid_t owner, u64 entry)
{
	struct page *pg = page_of_guest_mfn(mfn_x(pte_mfn(entry)));
	const struct domain *of = domain_of_id(owner);

	if (!pg)
		return -EPERM;
	if (!of || READ_ONCE(of->dying) || READ_ONCE(pg->count_info) & PAGE_TINE)
		return -EBUSY;
	return frame_get_own(of, entry);
}

static __noinline int frame_get_redirected(const struct domain *d, u64 *entry, int rc)
{
	u64 other = pv_entry_redirect(d, *entry);

	if (other == *entry)
		return rc;
	*entry = other;
	return frame_get_own(d, other);
}

/* Takes the references of *ENTRY, which may become another one on the way (see empty_bus.c). */
static __always_inline int entry_get(const struct domain *d, domid_t owner, u64 *entry,
				     unsigned int level, mfn_t self)
{
	int rc;

	if (!(*entry & PTE_P))
		return 0;
	if (level > 1)
		return table_get(d, *entry, level, self);
	if (likely(owner == d->id)) {
		rc = frame_get_own(d, *entry);
		return likely(!rc) ? 0 : frame_get_redirected(d, entry, rc);
	}
	rc = frame_get_others(owner, *entry);
	return owner == DOMID_IO ? frame_get_redirected(d, entry, rc) : rc;
}

static __noinline void flush_domain(domid_t id)
{
	const struct domain *d = domain_of_id(id);

	pv_tlb_flush_mask(d, &d->arch.pv.active_cpus);
}

/* OWNER: of the table. */
static __always_inline void entry_put(domid_t owner, u64 entry, unsigned int level, mfn_t self)
{
	struct page *pg;

	if (!(entry & PTE_P) || is_self(entry, level, self))
		return;
	pg = mfn_to_page(pte_mfn(entry));
	if (level == 1 && unlikely(pg->owner != owner))
		flush_domain(owner);
	if (level > 1 || (entry & PTE_RW))
		pv_type_put(pg);
	page_put(pg);
}

void pv_entry_drop(const struct domain *d, u64 entry, mfn_t table)
{
	entry_put(d->id, entry, 1, table);
}

int pv_entry_exchange(struct domain *d, u64 *slot, u64 old, u64 fresh, unsigned int level)
{
	int rc;

	if (fresh & PTE_P) {
		if (!flags_allowed(d, fresh, level))
			return -EINVAL;
		fresh = pv_entry_adjust(fresh, level);
	}
	rc = entry_get(d, d->id, &fresh, level, virt_to_mfn(slot));
	if (rc)
		return rc;
	if (__atomic_compare_exchange_n(slot, &old, fresh, false, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED)) {
		entry_put(d->id, old, level, virt_to_mfn(slot));
		return 0;
	}
	entry_put(d->id, fresh, level, virt_to_mfn(slot));
	return -EAGAIN;
}

int pv_entry_update_slow(struct domain *d, domid_t owner, u64 *slot, u64 fresh, unsigned int level,
			 bool keep_ad)
{
	u64 old = READ_ONCE(*slot);

	if (fresh & PTE_P) {
		if (unlikely(!flags_allowed(d, fresh, level)))
			return -EINVAL;
		fresh = pv_entry_adjust(fresh, level);
	}
	for (;;) {
		bool moves = ((old ^ fresh) & PV_ENTRY_DECIDING) != 0;
		u64 want;
		int rc;

		if (moves) {
			rc = entry_get(d, owner, &fresh, level, virt_to_mfn(slot));
			if (unlikely(rc))
				return rc;
		}
		want = fresh;
		if (keep_ad && (fresh & PTE_P))
			want |= old & (PTE_A | PTE_D);
		if (likely(__atomic_compare_exchange_n(slot, &old, want, false, __ATOMIC_ACQ_REL,
						       __ATOMIC_RELAXED))) {
			if (moves)
				entry_put(d->id, old, level, virt_to_mfn(slot));
			return 0;
		}
		if (moves)
			entry_put(d->id, fresh, level,
				  virt_to_mfn(slot)); /* the CPU or another vCPU came between */
	}
}

int pv_table_validate(struct page *pg, const struct domain *d, unsigned int level)
{
	u64 *table = mfn_to_virt(page_to_mfn(pg));
	bool some = false;
	unsigned int i;
	int rc = 0;

	for (i = pg->aux; i < PT_ENTRIES; i++) {
		u64 entry = table[i];

		if (!(entry & PTE_P) || !pv_slot_is_guests(level, i))
			continue;
		if (level > 1 && some && softirq_waiting())
			rc = -ERESTART;
		else if (!flags_allowed(d, entry, level))
			rc = -EINVAL;
		else
			rc = entry_get(d, d->id, &entry, level, page_to_mfn(pg));
		if (rc)
			break;
		table[i] = pv_entry_adjust(entry, level);
		some = true;
	}
	pg->aux = (u16)i;
	if (!rc && level == 4)
		pv_fill_hypervisor_slots(d, table);
	return rc;
}

bool pv_table_devalidate(struct page *pg, unsigned int level)
{
	u64 *table = mfn_to_virt(page_to_mfn(pg));
	unsigned int i = pg->aux;

	while (i) {
		u64 entry = table[--i];

		if (!(entry & PTE_P) || !pv_slot_is_guests(level, i))
			continue;
		entry_put(pg->owner, entry, level, page_to_mfn(pg));
		if (level > 1 && i && softirq_waiting())
			break;
	}
	pg->aux = (u16)i;
	if (i)
		return false;
	for (i = 0; level == 4 && i < PT_ENTRIES; i++) {
		if (!pv_slot_is_guests(level, i))
			table[i] = 0; /* the guest will see this page */
	}
	return true;
}
