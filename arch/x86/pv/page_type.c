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
 * A frame that changes its type may still be reached through old translations. The count's fall to
 * 0 is stamped with the flush clock, and a new type flushes those CPUs of the domain that have not
 * flushed since (tlb.c).
 */
#include "descriptor.h"
#include "internal.h"
#include "tlb.h"
#include <asm/barrier.h>

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

/* The frame is claimed, in state *INFO: makes it what its type says. */
static int claim(struct page *pg, const struct domain *d, u64 last, u64 info)
{
	enum pv_type type = pgt_type(info);
	int rc;

	if (pgt_type(last) != type)
		pv_tlb_flush_since(d, pg->stamp);
	rc = validate(pg, d, type);
	if (rc) {
		pg->stamp = pv_tlb_now();
		__atomic_store_n(&pg->type_info, PGT_TYPE(PV_TYPE_NONE), __ATOMIC_RELEASE);
		return rc;
	}
	__atomic_store_n(&pg->type_info, info | PGT_VALIDATED, __ATOMIC_RELEASE);
	return 0;
}

int pv_type_get_slow(struct page *pg, const struct domain *d, enum pv_type type)
{
	u64 old = READ_ONCE(pg->type_info);

	/* The hypervisor writes to these itself: a guest may only ever map them. */
	if ((READ_ONCE(pg->count_info) & PAGE_TINE) && type != PV_TYPE_WRITABLE)
		return -EINVAL;
	for (;;) {
		u64 want;

		if (!(old & PGT_COUNT_MASK)) {
			want = PGT_TYPE(type) | 1;
		} else if (pgt_type(old) != type) {
			return -EBUSY;
		} else if (!(old & PGT_VALIDATED)) {
			cpu_relax();
			old = READ_ONCE(pg->type_info);
			continue;
		} else {
			want = old + 1;
		}
		if (!__atomic_compare_exchange_n(&pg->type_info, &old, want, false,
						 __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		return old & PGT_COUNT_MASK ? 0 : claim(pg, d, old, want);
	}
}

/* Perhaps the last reference. If so the count stays until all is undone: the others wait. */
void pv_type_put_slow(struct page *pg)
{
	u64 old = READ_ONCE(pg->type_info), want;

	do {
		ASSERT(old & PGT_COUNT_MASK);
		want = (old & PGT_COUNT_MASK) == 1 ? old & ~PGT_VALIDATED : old - 1;
	} while (!__atomic_compare_exchange_n(&pg->type_info, &old, want, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
	if ((old & PGT_COUNT_MASK) > 1)
		return;
	if (type_is_table(pgt_type(old)))
		pv_table_devalidate(pg, pgt_type(old));
	pg->stamp = pv_tlb_now();
	__atomic_store_n(&pg->type_info, old & PGT_TYPE_MASK, __ATOMIC_RELEASE);
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
	struct page *pg = mfn_to_page(mfn);

	if (rc)
		return rc;
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

struct page *pv_get_writable(struct domain *d, unsigned long raw_mfn)
{
	if (pv_page_get_type(d, _mfn(raw_mfn), PV_TYPE_WRITABLE))
		return NULL;
	return mfn_to_page(_mfn(raw_mfn));
}

void pv_put_writable(struct page *pg)
{
	pv_page_put_type(pg);
}
