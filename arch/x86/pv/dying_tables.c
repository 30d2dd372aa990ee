// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Page tables that have lost their last use, of level 2 and above. Giving back what their entries refer
 * to takes down whole trees, so it is not done by recursion: each such table goes on a list of its
 * domain's, is worked on from the last entry to the first, and may put others on the list. Work stops
 * when something else waits; the hypercall that caused it is then continued, and anybody who wants
 * one of the frames goes on with it.
 *
 * The list is a stack of frame numbers linked by pg->stamp. Its head carries a tag in the upper half
 * that changes with every change, so that exchanges need no lock.
 */
#include "internal.h"
#include "tlb.h"
#include <tine/cpu.h>
#include <tine/softirq.h>

/* Is this CPU at it? A table that loses its last use meanwhile is only put on the list. */
static DEFINE_PERCPU(bool, reaping);

static u64 head_of(u64 old, u32 link)
{
	return ((old >> 32) + 1) << 32 | link;
}

static void push(struct domain *d, struct page *pg)
{
	u64 old = __atomic_load_n(&d->arch.pv.dying, __ATOMIC_RELAXED);

	do {
		__atomic_store_n(&pg->stamp, (u32)old, __ATOMIC_RELAXED);
	} while (!__atomic_compare_exchange_n(&d->arch.pv.dying, &old,
					      head_of(old, (u32)mfn_x(page_to_mfn(pg))), false,
					      __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static struct page *pop(struct domain *d)
{
	u64 old = __atomic_load_n(&d->arch.pv.dying, __ATOMIC_ACQUIRE);
	struct page *pg;

	do {
		if ((u32)old == PAGE_LINK_END)
			return NULL;
		pg = mfn_to_page(_mfn((u32)old));
	} while (!__atomic_compare_exchange_n(&d->arch.pv.dying, &old,
					      head_of(old, __atomic_load_n(&pg->stamp,
									   __ATOMIC_RELAXED)),
					      false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
	return pg;
}

void pv_dying_add(struct page *pg)
{
	struct domain *d = domain_of_id(pg->owner);

	push(d, pg);
	(void)pv_dying_reap(d);
}

/* Nothing refers to the table any more, and it to nothing. */
static void end(struct page *pg)
{
	u64 info = READ_ONCE(pg->type_info);

	__atomic_store_n(&pg->stamp, pv_tlb_now(), __ATOMIC_RELAXED);
	__atomic_store_n(&pg->type_info, info & PGT_TYPE_MASK, __ATOMIC_RELEASE);
	page_put(pg);
}

bool pv_dying_reap(struct domain *d)
{
	struct page *pg;

	if (this_cpu(reaping))
		return true; /* further up on this CPU's stack it goes on */
	this_cpu(reaping) = true;
	while ((pg = pop(d)) != NULL) {
		if (!pv_table_devalidate(pg, pgt_type(READ_ONCE(pg->type_info)))) {
			push(d, pg);
			break;
		}
		end(pg);
	}
	this_cpu(reaping) = false;
	return !pg;
}
