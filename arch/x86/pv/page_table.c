// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries of a PV guest's page tables. A present entry of a validated table holds references on
 * what it names: level 1 a general one, and a writable one when the mapping is; above that a
 * general one and the type of the level below. So no table is ever reachable for writing, and no
 * frame that a table names goes away.
 *
 * Entries are adjusted on the way in. The guest's kernel runs in ring 3, so all pages are
 * user-accessible; those that the guest meant for its kernel are told apart by a software bit, and
 * hidden from user mode by the second top-level table. None is global, whatever the guest asks: a
 * CR3 load must forget everything. Large pages are not offered.
 */
#include "internal.h"
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

static int entry_get_own(const struct domain *d, u64 entry, unsigned int level)
{
	struct page *pg;
	int rc = 0;

	if (!(entry & PTE_P))
		return 0;
	pg = page_of_guest_mfn(mfn_x(pte_mfn(entry)));
	if (unlikely(!pg || !page_get(pg, d)))
		return -EINVAL;
	if (level > 1)
		rc = pv_type_get(pg, d, (enum pv_type)(level - 1));
	else if (entry & PTE_RW)
		rc = pv_type_get(pg, d, PV_TYPE_WRITABLE);
	if (unlikely(rc))
		page_put(pg);
	return rc;
}

/* Takes the references of *ENTRY, which may become another one on the way (see empty_bus.c). */
static inline int entry_get(const struct domain *d, u64 *entry, unsigned int level)
{
	int rc = entry_get_own(d, *entry, level);
	u64 other;

	if (likely(!rc) || level > 1)
		return rc;
	other = pv_entry_redirect(d, *entry);
	if (other == *entry)
		return rc;
	*entry = other;
	return entry_get_own(d, other, level);
}

static void entry_put(u64 entry, unsigned int level)
{
	struct page *pg;

	if (!(entry & PTE_P))
		return;
	pg = mfn_to_page(pte_mfn(entry));
	if (level > 1 || (entry & PTE_RW))
		pv_type_put(pg);
	page_put(pg);
}

int pv_entry_exchange(struct domain *d, u64 *slot, u64 old, u64 fresh, unsigned int level)
{
	int rc;

	if (fresh & PTE_P) {
		if (!flags_allowed(d, fresh, level))
			return -EINVAL;
		fresh = pv_entry_adjust(fresh, level);
	}
	rc = entry_get(d, &fresh, level);
	if (rc)
		return rc;
	if (__atomic_compare_exchange_n(slot, &old, fresh, false, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED)) {
		entry_put(old, level);
		return 0;
	}
	entry_put(fresh, level);
	return -EAGAIN;
}

int pv_entry_update_slow(struct domain *d, u64 *slot, u64 fresh, unsigned int level, bool keep_ad)
{
	u64 old = READ_ONCE(*slot);

	if (fresh & PTE_P) {
		if (unlikely(!flags_allowed(d, fresh, level)))
			return -EINVAL;
		fresh = pv_entry_adjust(fresh, level);
	}
	for (;;) {
		bool moves = ((old ^ fresh) & pv_entry_deciding(level)) != 0;
		u64 want;
		int rc;

		if (moves) {
			rc = entry_get(d, &fresh, level);
			if (unlikely(rc))
				return rc;
		}
		want = fresh;
		if (keep_ad && (fresh & PTE_P))
			want |= old & (PTE_A | PTE_D);
		if (likely(__atomic_compare_exchange_n(slot, &old, want, false, __ATOMIC_ACQ_REL,
						       __ATOMIC_RELAXED))) {
			if (moves)
				entry_put(old, level);
			return 0;
		}
		if (moves)
			entry_put(fresh, level); /* the CPU or another vCPU came between */
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
			rc = entry_get(d, &entry, level);
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
		entry_put(entry, level);
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
