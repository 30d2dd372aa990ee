// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types of a PV domain's frames: which use a frame has, and the way from one use to another.
 *
 * type_info moves by compare-and-exchange, so there is no lock. At count 0 the next user decides
 * the type: it claims the frame with count 1 and, for a table, without PGT_VALIDATED. Others who
 * want the same type wait until the bit appears, those who want another are refused. The last user
 * of a table takes the bit away, releases what the entries refer to, and then drops the count; the
 * same waiting covers that. A wait is always for a frame of a lower level than those that the
 * waiter is working on, so nobody waits in a circle.
 *
 * Tables of tables may take long either way. Who finds that other work waits leaves the frame in a
 * state of its own (PGT_PARTIAL, PGT_DYING in frame_type.h) and is called again; waits end then, too.
 *
 * A frame that changes its type may still be reached through old translations. The count's fall to
 * 0 is stamped with the flush clock, and a new type flushes those CPUs of the domain that have not
 * flushed since (tlb.c).
 */
#include "descriptor.h"
#include "internal.h"
#include "tlb.h"
#include <asm/barrier.h>
#include <tine/softirq.h>

static bool type_is_table(enum pv_type type)
{
	return type >= PV_TYPE_L1 && type <= PV_TYPE_L4;
}

static int validate_descriptors(struct page *pg)
{
	u64 *desc = mfn_to_virt(page_to_mfn(pg));
	unsigned int i;

	for (i = 0; i < PAGE_SIZE / sizeof(*desc); i++) {
		if (!pv_descriptor_check(&desc[i]))
			return -EINVAL;
	}
	return 0;
}

static int validate(struct page *pg, const struct domain *d, enum pv_type type)
{
	if (type_is_table(type))
		return pv_table_validate(pg, d, type);
	return type == PV_TYPE_DESC ? validate_descriptors(pg) : 0;
}

static void set_info(struct page *pg, u64 info)
{
	__atomic_store_n(&pg->type_info, info, __ATOMIC_RELEASE);
}

/* It is ours alone and has count 1: nobody uses it any more. */
static void become_none(struct page *pg, u64 info)
{
	__atomic_store_n(&pg->stamp, pv_tlb_now(), __ATOMIC_RELAXED);
	set_info(pg, info & PGT_TYPE_MASK);
}

/* The same, and pg->aux of its entries still hold references. The caller has a general one. */
static void undo(struct page *pg, u64 info)
{
	enum pv_type type = pgt_type(info);

	if (!type_is_table(type) || type == PV_TYPE_L1) {
		if (type == PV_TYPE_L1)
			(void)pv_table_devalidate(pg, 1);
		become_none(pg, info);
		return;
	}
	(void)__atomic_fetch_add(&pg->count_info, 1, __ATOMIC_RELAXED);
	set_info(pg, (info & PGT_TYPE_MASK) | PGT_DYING | 1);
	pv_dying_add(pg);
}

/* The frame is claimed, in state INFO: makes it what its type says. */
static int complete(struct page *pg, const struct domain *d, u64 info)
{
	int rc = validate(pg, d, pgt_type(info));

	if (!rc) {
		set_info(pg, info | PGT_VALIDATED);
	} else if (rc == -ERESTART) {
		(void)__atomic_fetch_add(&pg->count_info, 1, __ATOMIC_RELAXED);
		set_info(pg, info | PGT_PARTIAL);
	} else {
		undo(pg, info);
	}
	return rc;
}

static int claim(struct page *pg, const struct domain *d, u64 last, u64 info)
{
	if (pgt_type(last) != pgt_type(info))
		pv_tlb_flush_since(d, __atomic_load_n(&pg->stamp, __ATOMIC_RELAXED));
	if (pgt_type(info) != PV_TYPE_WRITABLE)
		pg->aux = 0; /* else it may be mm/mapcount.h's */
	return complete(pg, d, info);
}

/* Goes on with a partial table; what it had of its own is ours now. */
static int resume(struct page *pg, const struct domain *d, u64 info)
{
	page_put(pg);
	return complete(pg, d, info);
}

static bool exchange(struct page *pg, u64 *old, u64 want)
{
	return __atomic_compare_exchange_n(&pg->type_info, old, want, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

void pv_type_abandon(struct page *pg)
{
	u64 old = READ_ONCE(pg->type_info);

	if ((old & PGT_PARTIAL) && exchange(pg, &old, (old ^ PGT_PARTIAL) | PGT_DYING))
		pv_dying_add(pg);
}

/* PG is a table on its way out, or somebody is working on it. False: that takes too long. */
static bool wait_for(struct page *pg)
{
	if (!pv_dying_reap(domain_of_id(pg->owner)) || softirq_waiting())
		return false;
	cpu_relax();
	return true;
}

int pv_type_get_slow(struct page *pg, const struct domain *d, enum pv_type type)
{
	u64 old = READ_ONCE(pg->type_info), mine = PGT_TYPE(type) | 1;

	/* The hypervisor writes to these itself: a guest may only ever map them. */
	if ((READ_ONCE(pg->count_info) & PAGE_TINE) && type != PV_TYPE_WRITABLE)
		return -EINVAL;
	for (;;) {
		bool same = pgt_type(old) == type;

		if (!(old & PGT_COUNT_MASK)) {
			if (exchange(pg, &old, mine))
				return claim(pg, d, old, mine);
		} else if (same && (old & PGT_VALIDATED)) {
			if (exchange(pg, &old, old + 1))
				return 0;
		} else if (same && (old & PGT_PARTIAL)) {
			if (exchange(pg, &old, mine))
				return resume(pg, d, mine);
		} else if (same || (old & (PGT_PARTIAL | PGT_DYING))) {
			pv_type_abandon(pg);
			if (!wait_for(pg))
				return -ERESTART;
			old = READ_ONCE(pg->type_info);
		} else {
			return -EBUSY;
		}
	}
}

/* Perhaps the last reference. If so the count stays until all is undone: the others wait. */
void pv_type_put_slow(struct page *pg)
{
	u64 old = READ_ONCE(pg->type_info), want;

	do {
		ASSERT(old & PGT_COUNT_MASK);
		want = (old & PGT_COUNT_MASK) == 1 ? old & ~PGT_VALIDATED : old - 1;
	} while (!exchange(pg, &old, want));
	if ((old & PGT_COUNT_MASK) > 1)
		return;
	if (pgt_type(old) != PV_TYPE_WRITABLE)
		pg->aux = PT_ENTRIES;
	undo(pg, old);
}

int pv_page_get_type(struct domain *d, mfn_t mfn, enum pv_type type)
{
	struct page *pg = page_of_guest_mfn(mfn_x(mfn));
	int rc;

	if (!pg || !page_get(pg, d))
		return -EINVAL;
	rc = pv_type_get(pg, d, type);
	if (rc)
		page_put(pg);
	return rc;
}

void pv_page_put_type(struct page *pg)
{
	pv_type_put(pg);
	page_put(pg);
}

int pv_pin(struct domain *d, mfn_t mfn, enum pv_type type)
{
	int rc = pv_page_get_type(d, mfn, type);
	struct page *pg;

	if (rc)
		return rc;
	pg = mfn_to_page(mfn); /* not before: the number is the guest's, and may be any */
	if (__atomic_fetch_or(&pg->type_info, PGT_PINNED, __ATOMIC_ACQ_REL) & PGT_PINNED) {
		pv_page_put_type(pg);
		return -EINVAL;
	}
	return 0;
}

int pv_unpin(struct domain *d, mfn_t mfn)
{
	struct page *pg = page_of_guest_mfn(mfn_x(mfn));
	bool pinned;

	if (!pg || !page_get(pg, d))
		return -EINVAL;
	pinned = __atomic_fetch_and(&pg->type_info, ~PGT_PINNED, __ATOMIC_ACQ_REL) & PGT_PINNED;
	if (pinned)
		pv_page_put_type(pg);
	page_put(pg);
	return pinned ? 0 : -EINVAL;
}

int pv_pin_undo(struct domain *d, mfn_t mfn)
{
	struct page *pg = page_of_guest_mfn(mfn_x(mfn));

	if (pg && page_get(pg, d)) {
		if (__atomic_fetch_and(&pg->type_info, ~PGT_PINNED, __ATOMIC_ACQ_REL) & PGT_PINNED)
			pv_page_put_type(pg);
		pv_type_abandon(pg);
		page_put(pg);
	}
	return -EINVAL;
}

int pv_get_writable(struct domain *d, unsigned long raw_mfn, struct page **pg)
{
	int rc = pv_page_get_type(d, _mfn(raw_mfn), PV_TYPE_WRITABLE);

	if (!rc)
		*pg = mfn_to_page(_mfn(raw_mfn));
	return rc == -EBUSY ? -EINVAL : rc;
}

void pv_put_writable(struct page *pg)
{
	pv_page_put_type(pg);
}
