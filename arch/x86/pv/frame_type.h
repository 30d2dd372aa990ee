/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types and references of a PV domain's frames, and the entries of its page tables that hold them.
 *
 * A frame has at any time one type: none, a page table of one level, a descriptor page, or
 * writable. type_info holds it with a count of references that rely on it; only at count 0 may it
 * change, and becoming a page table or descriptor page then means that every entry is validated
 * first. Whoever holds a typed reference holds a general one (count_info) too, so a frame in use is
 * never freed. Nothing here takes a lock: counts and live entries change by compare-and-exchange.
 * See page_type.c for the protocol.
 */
#ifndef PV_FRAME_TYPE_H
#define PV_FRAME_TYPE_H

#include <asm/pte.h>
#include <tine/errno.h>
#include <tine/page.h>
#include <tine/domain.h>

enum pv_type {
	PV_TYPE_NONE,
	PV_TYPE_L1,
	PV_TYPE_L2,
	PV_TYPE_L3,
	PV_TYPE_L4,
	PV_TYPE_DESC,
	PV_TYPE_WRITABLE = 7,
};

#define PGT_TYPE_SHIFT 61
#define PGT_TYPE(t) ((u64)(t) << PGT_TYPE_SHIFT)
#define PGT_TYPE_MASK PGT_TYPE(7)
#define PGT_VALIDATED BIT(60) /* the contents are as the type promises; never set at count 0 */
#define PGT_PINNED BIT(59)    /* a reference that the guest asked for and may give back */
/*
 * A table of level 2 or above on its way to being one, or to not being one any more, that nobody works
 * on just now. Its first `aux` entries hold references. It has a count of 1, and a general reference,
 * on its own behalf. Partial ones wait to be wanted again, as this table or as something else; dying
 * ones are on a list of their domain's (dying_tables.c).
 */
#define PGT_PARTIAL BIT(58)
#define PGT_DYING BIT(57)
#define PGT_COUNT_BITS 56 /* more references than there can be entries */
#define PGT_COUNT_MASK (BIT(PGT_COUNT_BITS) - 1)
#define PGT_IN_USE_SHIFT 60 /* type and PGT_VALIDATED */

static inline enum pv_type pgt_type(u64 type_info)
{
	return (enum pv_type)(type_info >> PGT_TYPE_SHIFT);
}

/* ---- page_type.c ---- */

/*
 * Adds a typed reference to PG, on which the caller holds a general one. -EBUSY: is in use as
 * something else. -EINVAL: its contents are invalid. -ERESTART: it takes longer, and other work waits;
 * the same call again goes on with it.
 */
int pv_type_get_slow(struct page *pg, const struct domain *d, enum pv_type type) __must_check;
void pv_type_put_slow(struct page *pg);

/* General and typed reference at once, by number. */
int pv_page_get_type(struct domain *d, mfn_t mfn, enum pv_type type) __must_check;
void pv_page_put_type(struct page *pg);

/* The pin of a page table: a typed reference that type_info itself records. */
int pv_pin(struct domain *d, mfn_t mfn, enum pv_type type) __must_check;
int pv_unpin(struct domain *d, mfn_t mfn) __must_check;
/* What pv_pin() did for a domain that turned out to be ending, whatever it answered. -EINVAL. */
int pv_pin_undo(struct domain *d, mfn_t mfn) __must_check;
/* PG, if it is a partial table, becomes a dying one. */
void pv_type_abandon(struct page *pg);

/* Adds a reference only where TYPE is in use already: never promotes. */
static __always_inline bool pv_type_hold(struct page *pg, enum pv_type type)
{
	u64 old = READ_ONCE(pg->type_info);

	while (likely(old >> PGT_IN_USE_SHIFT == ((u64)type << 1 | 1))) {
		if (likely(__atomic_compare_exchange_n(&pg->type_info, &old, old + 1, false,
						       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)))
			return true;
	}
	return false;
}

static __always_inline int pv_type_get(struct page *pg, const struct domain *d, enum pv_type type)
{
	return likely(pv_type_hold(pg, type)) ? 0 : pv_type_get_slow(pg, d, type);
}

static __always_inline void pv_type_put(struct page *pg)
{
	u64 old = READ_ONCE(pg->type_info);

	while (likely((u32)old > 1)) { /* the cheap half of the count says enough */
		if (likely(__atomic_compare_exchange_n(&pg->type_info, &old, old - 1, false,
						       __ATOMIC_RELEASE, __ATOMIC_RELAXED)))
			return;
	}
	pv_type_put_slow(pg);
}

/* ---- page_table.c ---- */

/*
 * The entries of a table of LEVEL from number pg->aux on, on promotion. 0: all are valid now. -EINVAL,
 * -ERESTART: those below pg->aux hold references.
 */
int pv_table_validate(struct page *pg, const struct domain *d, unsigned int level) __must_check;
/* The reverse, from pg->aux down. False: other work waits (never at level 1). */
bool pv_table_devalidate(struct page *pg, unsigned int level);

/* ---- dying_tables.c ---- */

/* PG, in state PGT_DYING, has lost its last use. */
void pv_dying_add(struct page *pg);
/* Works on those of D. False: some are left, and other work waits. */
bool pv_dying_reap(struct domain *d);

static inline bool pv_any_dying(const struct domain *d)
{
	return (u32)READ_ONCE(d->arch.pv.dying) != PAGE_LINK_END;
}

/* What a guest may set in a present entry of any level as it likes. */
#define PV_FLAGS_FREE (PTE_P | PTE_RW | PTE_US | PTE_A | PTE_D | PTE_AVAIL | PTE_NX)

/* A present entry as it goes in. */
static __always_inline u64 pv_entry_adjust(u64 entry, unsigned int level)
{
	if (level > 1)
		return entry | PTE_US | (level == 4 ? PTE_A : 0);
	if (!(entry & PTE_US))
		entry |= PTE_US | PTE_GUEST_KERNEL;
	return entry & ~PTE_G;
}

/* Bits on which the references of an entry depend, or (above level 1) whether it may stand. */
#define PV_ENTRY_DECIDING (PTE_P | PTE_ADDR_MASK | PTE_RW)

/*
 * Replaces the entry at SLOT of a validated table of LEVEL of D's with ENTRY, adjusted; references
 * move. OWNER: whose frames an entry of level 1 may name: D's, DOMID_IO, or another domain's, which
 * the caller keeps from going. KEEP_AD: accessed and dirty bits that the CPU set meanwhile survive.
 * -EINVAL, -EBUSY, -EPERM: not allowed, nothing changed. The slow form is the general one; often
 * only flags change.
 */
int pv_entry_update_slow(struct domain *d, domid_t owner, u64 *slot, u64 entry, unsigned int level,
			 bool keep_ad) __must_check;

static __always_inline int __must_check pv_entry_update(struct domain *d, domid_t owner, u64 *slot,
							u64 entry, unsigned int level, bool keep_ad)
{
	u64 old = READ_ONCE(*slot), want = pv_entry_adjust(entry, level);

	if (unlikely(((old ^ want) & PV_ENTRY_DECIDING) || !(entry & PTE_P) ||
		     (entry & ~(PV_FLAGS_FREE | PTE_ADDR_MASK))))
		return pv_entry_update_slow(d, owner, slot, entry, level, keep_ad);
	if (keep_ad)
		want |= old & (PTE_A | PTE_D);
	if (likely(__atomic_compare_exchange_n(slot, &old, want, false, __ATOMIC_ACQ_REL,
					       __ATOMIC_RELAXED)))
		return 0;
	return pv_entry_update_slow(d, owner, slot, entry, level, keep_ad);
}

/* The same for D's own frames, if SLOT holds OLD; -EAGAIN: it does not. */
int pv_entry_exchange(struct domain *d, u64 *slot, u64 old, u64 new,
		      unsigned int level) __must_check;

/* ENTRY was taken out of TABLE, of level 1 and D's, and goes nowhere else. */
void pv_entry_drop(const struct domain *d, u64 entry, mfn_t table);

/* May a guest write entry I of a table of LEVEL? Not the hypervisor's slots of the top level. */
static inline bool pv_slot_is_guests(unsigned int level, unsigned long i)
{
	return level < 4 || i < 256 || i > 271;
}

#endif
