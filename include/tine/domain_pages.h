/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a domain: given to it, referred to, given up. <tine/domain.h> includes this.
 */
#ifndef TINE_DOMAIN_PAGES_H
#define TINE_DOMAIN_PAGES_H

#include <tine/domain.h>

/*
 * Allocates a block of frames for D: state in use, owner D, PAGE_ALLOCATED | 1 reference, type
 * none. FLAGS as heap_alloc's; HEAP_DIRTY_OK only before D has run. -ENOMEM, -E2BIG above
 * max_pages, -EINVAL for a dying domain.
 */
int domain_alloc_pages(struct domain *d, unsigned int order, unsigned int flags,
		       mfn_t *out) __must_check;

/* The node for its memory: where its first vCPU runs, or ran last. */
nodeid_t domain_home_node(const struct domain *d);

/*
 * The same of a block that the caller has from the heap, and keeps if this fails.
 */
int domain_assign_pages(struct domain *d, mfn_t mfn, unsigned int order) __must_check;

/*
 * A zeroed page of the hypervisor's that D may map (PAGE_TINE), one reference held; NULL: no
 * memory. page_put ends it.
 */
void *domain_alloc_shared(struct domain *d) __must_check;

/* For page_put: no references are left. */
void page_release(struct page *pg);

/* Drops a general reference; the last one frees the frame (dirty). */
static inline void page_put(struct page *pg)
{
	u64 old = __atomic_fetch_sub(&pg->count_info, 1, __ATOMIC_ACQ_REL);

	if (unlikely((old & PAGE_COUNT_MASK) == 1))
		page_release(pg);
}

/* The same for COUNT frames of D's, with one flush for all; the list is changed. */
void pages_put(struct domain *d, struct page **pages, unsigned int count);

/*
 * Takes a general reference on a frame of a live section; false when it is not D's or is going
 * away. Only frames that a domain owns have a count, and the owner cannot change under a reference,
 * but by forks, which begin when no grant is in use and none can be begun: so it is looked at once,
 * with one in hand.
 */
static __always_inline bool __must_check page_get(struct page *pg, const struct domain *d)
{
	u64 old = READ_ONCE(pg->count_info);

	do {
		if (unlikely(!(old & PAGE_COUNT_MASK)))
			return false;
	} while (unlikely(!__atomic_compare_exchange_n(&pg->count_info, &old, old + 1, false,
						       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)));
	if (likely(READ_ONCE(pg->owner) == d->id))
		return true;
	page_put(pg);
	return false;
}

/*
 * Calls FN for each frame of D's that generic code holds by arch_map_guest_frame() (WRITABLE: with
 * the type) or otherwise. For the consistency check; D does not run.
 */
void domain_for_each_hold(struct domain *d, void (*fn)(struct page *pg, bool writable, void *arg),
			  void *arg);

/*
 * Drops the owner's reference for having been given the frame, the first time it is asked; false
 * the second time.
 */
bool page_give_up(struct page *pg);

/* For p2m_init(): how the p2m of a domain gets frames of the domain's, and gives them up. */
extern const struct p2m_frames domain_p2m_frames;

#endif
