// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frames that a domain owns. Each carries its owner's number and a count of references, one of
 * which (PAGE_ALLOCATED) stands for its having been given to the domain; the frame goes back to the
 * heap with the last.
 *
 * d->page_lock guards the list of them and nr_pages. A domain that owns frames has a reference on
 * itself for that, so a frame's owner can be looked up by number as long as the frame is there.
 */
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/grant.h>
#include <tine/heap.h>
#include <tine/p2m.h>
#include "fork_family.h"
#include "internal.h"

#define PAGE_LINK_NONE 0xfffffffeU /* in `next`: taken off its domain's list for good */

static unsigned long nr_cow_pages; /* DOMID_COW's; atomic */

unsigned long domain_cow_pages(void)
{
	return __atomic_load_n(&nr_cow_pages, __ATOMIC_RELAXED);
}

static u32 link_of(const struct page *pg)
{
	return (u32)mfn_x(page_to_mfn(pg));
}

/* A run of frames that are linked to one another goes to the front. */
static void list_frames(struct domain *d, mfn_t first, unsigned long count)
{
	struct page *head = mfn_to_page(first), *tail = head + count - 1;

	head->prev = PAGE_LINK_END;
	tail->next = d->pages;
	if (d->pages != PAGE_LINK_END)
		mfn_to_page(_mfn(d->pages))->prev = link_of(tail);
	d->pages = link_of(head);
}

static void unlist_frame(struct domain *d, struct page *pg)
{
	if (pg->next == PAGE_LINK_NONE)
		return;
	if (pg->prev != PAGE_LINK_END)
		mfn_to_page(_mfn(pg->prev))->next = pg->next;
	else
		d->pages = pg->next;
	if (pg->next != PAGE_LINK_END)
		mfn_to_page(_mfn(pg->next))->prev = pg->prev;
	pg->next = PAGE_LINK_NONE;
}

/* The flags that are the heap's (PAGE_OFFLINING) stay. They may be set at any time. */
static void start_counting(struct page *pg, u64 flags)
{
	pg->type_info = 0;
	(void)__atomic_fetch_or(&pg->count_info, flags | 1, __ATOMIC_RELEASE);
}

nodeid_t domain_home_node(const struct domain *d)
{
	return d->nr_vcpus ? cpu_to_node(READ_ONCE(d->vcpus[0]->cpu)) : NUMA_NO_NODE;
}

static void own_frames(struct domain *d, mfn_t mfn, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

		pg->next = link_of(pg) + 1;
		pg->prev = link_of(pg) - 1;
		pg->owner = d->id;
		start_counting(pg, PAGE_ALLOCATED);
	}
}

/* Nobody knows of them: D has not run. */
static void disown_frames(mfn_t mfn, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

		pg->owner = PAGE_NO_OWNER;
		(void)__atomic_fetch_and(&pg->count_info, ~(PAGE_ALLOCATED | PAGE_COUNT_MASK),
					 __ATOMIC_RELAXED);
	}
}

/* What forks own counts for their family. */
static void charge(const struct domain *d, long frames)
{
	if (d->fork)
		fork_family_charge(d->fork->first, frames);
}

/* OWNED: the frames are D's already, but for the list. MOST: as many as it may have then. */
static int assign_up_to(struct domain *d, mfn_t mfn, unsigned long count, bool owned,
			unsigned long most)
{
	int ret = 0;

	spin_lock(&d->page_lock);
	if (d->dying)
		ret = -EINVAL;
	else if (count > most || d->nr_pages > most - count)
		ret = -E2BIG;
	else if (!fork_family_may_take(d))
		ret = -ENOMEM;
	if (!ret) {
		charge(d, (long)count);
		if (!d->nr_pages)
			(void)__atomic_fetch_add(&d->refs, 1, __ATOMIC_RELAXED);
		d->nr_pages += count;
		if (!owned)
			own_frames(d, mfn, count);
		list_frames(d, mfn, count);
	}
	spin_unlock(&d->page_lock);
	return ret;
}

static int assign(struct domain *d, mfn_t mfn, unsigned long count, bool owned)
{
	return assign_up_to(d, mfn, count, owned, d->max_pages);
}

int domain_assign_pages(struct domain *d, mfn_t mfn, unsigned int order)
{
	return assign(d, mfn, 1UL << order, false);
}

/*
 * Frames become D's with page_lock held, since a domain that runs may give up what it owns at once,
 * and when they are clean. A domain that has not run can have them as its own from the start.
 */
int domain_alloc_pages(struct domain *d, unsigned int order, unsigned int flags, mfn_t *out)
{
	bool owned = flags == HEAP_DIRTY_OK;
	mfn_t mfn = owned ? heap_alloc_owned(order, domain_home_node(d), d->id)
			  : heap_alloc(order, domain_home_node(d), 0, flags);
	int ret;

	if (mfn_eq(mfn, INVALID_MFN))
		return -ENOMEM;
	ret = assign(d, mfn, 1UL << order, owned);
	if (!ret) {
		*out = mfn;
		return 0;
	}
	if (owned)
		disown_frames(mfn, 1UL << order);
	heap_free(mfn, order, owned);
	return ret;
}

/*
 * One that holds what others wrote until the caller has overwritten it: no guest can name it before. It is to take the place of another, which
 * leaves D right after: so each vCPU may be one over the limit for a moment.
 */
int domain_alloc_unseen(struct domain *d, mfn_t *out)
{
	mfn_t mfn = heap_alloc(0, domain_home_node(d), 0, HEAP_DIRTY_OK);
	int ret;

	if (mfn_eq(mfn, INVALID_MFN))
		return -ENOMEM;
	*out = mfn;
	ret = assign_up_to(d, mfn, 1, false,
			   d->max_pages == ~0UL ? ~0UL : d->max_pages + MAX_VCPUS);
	if (ret)
		heap_free(mfn, 0, true);
	return ret;
}

void *domain_alloc_shared(struct domain *d)
{
	void *va = heap_alloc_pages(0, HEAP_ZERO);
	struct page *pg;

	if (!va)
		return NULL;
	pg = mfn_to_page(virt_to_mfn(va));
	pg->owner = d->id;
	pg->next = PAGE_LINK_NONE;
	start_counting(pg, PAGE_TINE);
	return va;
}

bool page_give_up(struct page *pg)
{
	u64 old = __atomic_fetch_and(&pg->count_info, ~PAGE_ALLOCATED, __ATOMIC_ACQ_REL);

	if (!(old & PAGE_ALLOCATED))
		return false;
	page_put(pg);
	return true;
}

static void clear_owner(struct page *pg)
{
	WRITE_ONCE(pg->owner, PAGE_NO_OWNER);
	(void)__atomic_fetch_and(&pg->count_info, ~(PAGE_ALLOCATED | PAGE_TINE), __ATOMIC_RELAXED);
	pg->type_info = 0;
}

/* How many of PAGES follow each other; 1 where they might be of several nodes. */
static unsigned int run_length(struct page *const *pages, unsigned int count)
{
	unsigned int n = 1;

	if (numa_nr_nodes() > 1)
		return 1;
	while (n < count && pages[n] == pages[0] + n)
		n++;
	return n;
}

/* Neighbours go back to the heap as blocks, which saves their merging. */
static void free_runs(struct page *const *pages, unsigned int count)
{
	while (count) {
		unsigned int run = run_length(pages, count), order;

		for (count -= run; run; run -= 1U << order, pages += 1U << order) {
			mfn_t mfn = page_to_mfn(pages[0]);

			order = min(msb(run), lsb(mfn_x(mfn)));
			heap_free(mfn, order, true);
		}
	}
}

/*
 * D's frames PAGES have no reference left, and nobody gets one any more: so this is the moment for D's
 * CPUs to forget them. Before it another vCPU could still map one and take it back again, and the last
 * reference would go with its translation still there. Then they are nobody's.
 */
static void disown(struct domain *d, struct page *const *pages, unsigned int count)
{
	bool last;

	arch_forget_frames(d);
	spin_lock(&d->page_lock);
	for (unsigned int i = 0; i < count; i++)
		unlist_frame(d, pages[i]);
	d->nr_pages -= count;
	charge(d, -(long)count);
	last = !d->nr_pages;
	spin_unlock(&d->page_lock);
	for (unsigned int i = 0; i < count; i++)
		clear_owner(pages[i]);
	free_runs(pages, count);
	if (last)
		domain_put(d);
}

/* With page_lock; whoever calls it has a reference on D. */
static void one_frame_less(struct domain *d, struct page *pg)
{
	bool last;

	spin_lock(&d->page_lock);
	unlist_frame(d, pg);
	charge(d, -1);
	last = !--d->nr_pages;
	spin_unlock(&d->page_lock);
	if (last)
		domain_put(d);
}

void domain_leave_page(struct domain *d, struct page *pg)
{
	WRITE_ONCE(pg->type_info, 0); /* mm/share.c's from now on */
	WRITE_ONCE(pg->owner, DOMID_COW);
	(void)__atomic_fetch_add(&nr_cow_pages, 1, __ATOMIC_RELAXED);
	one_frame_less(d, pg);
	fork_family_gets(d, pg); /* whoever gets at it waits for p2m_frame_lock() */
}

int domain_adopt_page(struct domain *d, struct page *pg)
{
	int ret = 0;

	spin_lock(&d->page_lock);
	if (d->dying)
		ret = -EINVAL;
	else if (d->nr_pages >= d->max_pages)
		ret = -E2BIG;
	if (!ret) {
		fork_family_loses(pg);
		charge(d, 1);
		if (!d->nr_pages++)
			(void)__atomic_fetch_add(&d->refs, 1, __ATOMIC_RELAXED);
		list_frames(d, page_to_mfn(pg), 1);
		WRITE_ONCE(pg->type_info, 0);
		WRITE_ONCE(pg->owner, d->id);
	}
	spin_unlock(&d->page_lock);
	if (!ret)
		(void)__atomic_fetch_sub(&nr_cow_pages, 1, __ATOMIC_RELAXED);
	/* Who gave it up while it was mapped has taken the owner's reference away. */
	if (!ret && !(__atomic_fetch_or(&pg->count_info, PAGE_ALLOCATED, __ATOMIC_RELAXED) &
		      PAGE_ALLOCATED))
		(void)__atomic_fetch_add(&pg->count_info, 1, __ATOMIC_RELAXED);
	return ret;
}

void page_release(struct page *pg)
{
	struct domain *d;

	if (pg->owner == DOMID_COW) {
		(void)__atomic_fetch_sub(&nr_cow_pages, 1, __ATOMIC_RELAXED);
		fork_family_loses(pg);
	}
	if (pg->count_info & PAGE_TINE || pg->owner == DOMID_COW) {
		clear_owner(pg);
		heap_free(page_to_mfn(pg), 0, true);
		return;
	}
	d = domain_of_id(pg->owner);
	BUG_ON(!d);
	disown(d, &pg, 1);
}

void pages_put(struct domain *d, struct page **pages, unsigned int count)
{
	unsigned int last = 0;

	for (unsigned int i = 0; i < count; i++) {
		u64 old = __atomic_fetch_sub(&pages[i]->count_info, 1, __ATOMIC_ACQ_REL);

		if ((old & PAGE_COUNT_MASK) == 1)
			pages[last++] = pages[i];
	}
	if (last)
		disown(d, pages, last);
}

/* True: other domains' p2ms map the frame of D's, which is off its list, and it is D's no more. */
static bool left_to_others(struct domain *d, struct page *pg)
{
	struct spinlock *lock = p2m_frame_lock(page_to_mfn(pg));
	bool mapped;

	if (!(READ_ONCE(pg->count_info) & PAGE_MAPPED))
		return false;
	spin_lock(lock);
	mapped = READ_ONCE(pg->count_info) & PAGE_MAPPED;
	if (mapped)
		domain_leave_page(d, pg);
	spin_unlock(lock);
	return mapped;
}

/*
 * Frames that others still refer to leave the list as well: they go back when those references do.
 */
bool domain_pages_reap(struct domain *d, unsigned int batch)
{
	while (batch--) {
		struct page *pg = NULL;
		bool held = false;

		spin_lock(&d->page_lock);
		if (d->pages != PAGE_LINK_END) {
			pg = mfn_to_page(_mfn(d->pages));
			held = page_get(pg,
					d); /* else it is going; what is on the list is D's still */
			unlist_frame(d, pg);
		}
		spin_unlock(&d->page_lock);
		if (!pg)
			return true;
		if (!held)
			continue;
		if (!left_to_others(d, pg))
			(void)page_give_up(pg);
		page_put(pg);
	}
	return false;
}

void domain_for_each_hold(struct domain *d, void (*fn)(struct page *pg, bool writable, void *arg),
			  void *arg)
{
	struct page *rings[] = { console_ring_page(d), xenstore_page(d) };
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i) {
		if (v->info_page)
			fn(v->info_page, true, arg);
	}
	for (i = 0; i < ARRAY_SIZE(rings); i++) {
		if (rings[i])
			fn(rings[i], true, arg);
	}
	evtchn_for_each_hold(d, fn, arg);
	grant_for_each_use(d, fn, arg);
}
