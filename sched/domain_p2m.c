// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How the p2m of a domain gets and gives up the domain's frames (struct p2m_frames). A frame that was allocated for a p2m has two references:
 * the domain's, for being its own (PAGE_ALLOCATED), and the trees', for being mapped (PAGE_MAPPED). Either may end first.
 *
 * DOMID_COW owns frames that their domain does not map any more, while others do. It has no list of them and no number: each goes when the last tree has
 * forgotten it, or to the domain of that tree if it writes.
 */
#include <tine/arch_fork.h>
#include <tine/domain.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/p2m.h>
#include <tine/softirq.h>
#include "fork_family.h"
#include "internal.h"

#define PUT_BATCH 64

static int alloc_mapped(struct domain *d, unsigned int order, bool overwritten, mfn_t *out)
{
	int ret = overwritten ? domain_alloc_unseen(d, out) : domain_alloc_pages(d, order, 0, out);

	for (unsigned long i = 0; i < BIT(order) && !ret; i++)
		(void)__atomic_fetch_add(&mfn_to_page(mfn_add(*out, i))->count_info,
					 PAGE_MAPPED + 1, __ATOMIC_RELAXED);
	return ret;
}

/* Pages of the hypervisor's own (shared info, grant frames) and those of other domains are not on D's list. */
static void put_mapped(struct domain *d, mfn_t mfn, unsigned int order)
{
	struct page *own[PUT_BATCH];
	unsigned int count = 0;

	for (unsigned long i = 0; i < BIT(order); i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

		if (pg->owner == DOMID_COW)
			(void)page_give_up(pg);
		if (pg->owner != d->id || READ_ONCE(pg->count_info) & PAGE_TINE)
			page_put(pg);
		else
			own[count++] = pg;
		if (count == PUT_BATCH || (count && i == BIT(order) - 1)) {
			pages_put(d, own, count);
			count = 0;
		}
	}
}

static void free_mapped(struct domain *d, mfn_t mfn, unsigned int order)
{
	for (unsigned long i = 0; i < BIT(order); i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

		if (pg->owner == DOMID_COW ||
		    (pg->owner == d->id && !(READ_ONCE(pg->count_info) & PAGE_TINE)))
			(void)page_give_up(pg);
		page_put(pg);
	}
}

/* Not what D goes on with (keeps()): its type_info counts who holds it, and DOMID_COW's pages have another one. */
static void leave(struct domain *d, mfn_t mfn)
{
	struct page *pg = mfn_to_page(mfn);

	if (pg->owner == d->id && !(READ_ONCE(pg->count_info) & PAGE_TINE) &&
	    !arch_frame_is_held(pg))
		domain_leave_page(d, pg);
}

static bool owns(const struct domain *d, mfn_t mfn)
{
	return READ_ONCE(mfn_to_page(mfn)->owner) == d->id;
}

static int adopt(struct domain *d, mfn_t mfn)
{
	struct page *pg = mfn_to_page(mfn);

	if (pg->owner == d->id)
		return 0;
	if (READ_ONCE(pg->count_info) & PAGE_TINE)
		return -EACCES;
	return pg->owner == DOMID_COW ? domain_adopt_page(d, pg) : -EPERM;
}

/* The hypervisor's pages in its memory, and those of its own that the hypervisor has mapped. */
static bool keeps(const struct domain *d, mfn_t mfn)
{
	const struct page *pg = mfn_to_page(mfn);

	return pg->owner == d->id &&
	       (READ_ONCE(pg->count_info) & PAGE_TINE || arch_frame_is_held(pg));
}

/* Without forks a domain's tables are bounded by its memory. */
static bool tables(struct domain *d, long n)
{
	fork_family_charge(fork_family_of(d), n);
	return n < 0 || fork_family_may_take(d);
}

static bool interrupted(void)
{
	return softirq_waiting();
}

const struct p2m_frames domain_p2m_frames = {
	.alloc = alloc_mapped,
	.put = put_mapped,
	.free = free_mapped,
	.leave = leave,
	.owns = owns,
	.adopt = adopt,
	.keeps = keeps,
	.tables = tables,
	.interrupted = interrupted,
};
