// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How the p2m of a domain gets and gives up the domain's frames (struct p2m_frames). A frame that was allocated for a p2m has two references:
 * the domain's, for being its own (PAGE_ALLOCATED), and the tree's, for being mapped. Either may end first.
 */
#include <tine/domain.h>
#include <tine/heap.h>
#include <tine/p2m.h>

#define PUT_BATCH 64

static int alloc_mapped(struct domain *d, unsigned int order, mfn_t *out)
{
	int ret = domain_alloc_pages(d, order, 0, out);

	for (unsigned long i = 0; i < BIT(order) && !ret; i++)
		(void)__atomic_fetch_add(&mfn_to_page(mfn_add(*out, i))->count_info, 1,
					 __ATOMIC_RELAXED);
	return ret;
}

/* Pages of the hypervisor's own (shared info, grant frames) and those of other domains are not on D's list. */
static void put_mapped(struct domain *d, mfn_t mfn, unsigned int order)
{
	struct page *own[PUT_BATCH];
	unsigned int count = 0;

	for (unsigned long i = 0; i < BIT(order); i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

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

		(void)page_give_up(pg);
		page_put(pg);
	}
}

const struct p2m_frames domain_p2m_frames = {
	.alloc = alloc_mapped,
	.put = put_mapped,
	.free = free_mapped,
};
