// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A family: a domain that is no fork, and all that descend from it by forking. How many forks it has is bounded for what guests ask for, and what they use is
 * counted for the family as a whole, as one of them can end and leave it all to the others: frames that forks own, frames that are in common and nobody's
 * (DOMID_COW's), tables. The first domain's own frames are not in it; they have a limit already.
 *
 * Each family is promised a share of memory. What it uses beyond that it gets as long as there is memory that nobody else was promised: so one that forks and
 * rewrites its memory without end takes nothing from the copies on write of others.
 *
 * `fork_room` of the first domain is what is left of the promise, below 0 what was used beyond it, and far below 0 while there are no forks. It and the sum of all that
 * are above 0 change by one atomic addition each, so the sum is right without a lock. nr_forks: the first domain's lock.
 */
#include <tine/errno.h>
#include <tine/heap.h>
#include "fork_family.h"

#define PROMISED_SHARE 64 /* one frame of so many of the first domain's */
#define COMMON_FRAMES 512 /* left by families that are over, for the hypervisor's own needs */
#define NO_FORKS (1L << 40)

static long promised;         /* to all, and not used by them; atomic */
static unsigned int families; /* that have forks; atomic */

void fork_family_init(struct domain *first)
{
	first->fork_room = -NO_FORKS;
}

static long promise(const struct domain *first)
{
	return first->max_pages == ~0UL ? 0 : (long)(first->max_pages / PROMISED_SHARE);
}

static void add_room(struct domain *first, long frames)
{
	long now = __atomic_add_fetch(&first->fork_room, frames, __ATOMIC_RELAXED);

	(void)__atomic_add_fetch(&promised, max(now, 0L) - max(now - frames, 0L), __ATOMIC_RELAXED);
}

void fork_family_charge(struct domain *first, long frames)
{
	add_room(first, -frames);
}

static long room(const struct domain *first)
{
	return max(__atomic_load_n(&first->fork_room, __ATOMIC_RELAXED), 0L);
}

static long promised_to_others(const struct domain *first)
{
	return __atomic_load_n(&promised, __ATOMIC_RELAXED) - room(first);
}

bool fork_family_may_take(struct domain *d)
{
	const struct domain *first;

	if (likely(!__atomic_load_n(&families, __ATOMIC_RELAXED)))
		return true;
	first = fork_family_of(d);
	return room(first) || (long)heap_free_total() >= promised_to_others(first) + COMMON_FRAMES;
}

/* Both sides of a fork need memory for what they write next, and one that gets none ends there: the fork that takes the last of it is not made. */
static bool enough_memory(const struct domain *first)
{
	return (long)heap_free_total() >=
	       promised_to_others(first) + promise(first) + COMMON_FRAMES;
}

int fork_family_join(struct domain *first, unsigned int most)
{
	int ret = 0;

	spin_lock(&first->lock);
	if (first->nr_forks >= most)
		ret = -ENOSPC;
	else if (!enough_memory(first))
		ret = -ENOMEM;
	else if (!first->nr_forks++) {
		first->fork_promise = promise(first);
		add_room(first, NO_FORKS + first->fork_promise);
		(void)__atomic_add_fetch(&families, 1, __ATOMIC_RELAXED);
	}
	spin_unlock(&first->lock);
	return ret;
}

void fork_family_leave(struct domain *first)
{
	spin_lock(&first->lock);
	if (!--first->nr_forks) {
		add_room(first, -NO_FORKS - first->fork_promise);
		(void)__atomic_sub_fetch(&families, 1, __ATOMIC_RELAXED);
	}
	spin_unlock(&first->lock);
}

/* ---- Frames that are nobody's, each with a reference on the first domain: a frame may outlive all forks where others share it ---- */

void fork_family_gets(struct domain *d, struct page *pg)
{
	struct domain *first = fork_family_of(d);

	(void)__atomic_add_fetch(&first->refs, 1, __ATOMIC_RELAXED);
	pg->prev = first->id;
	fork_family_charge(first, 1);
}

void fork_family_loses(const struct page *pg)
{
	struct domain *first = domain_of_id((domid_t)pg->prev);

	BUG_ON(!first);
	fork_family_charge(first, -1);
	domain_put(first);
}

/* ---- Ends ---- */

struct ending {
	const struct domain *of;
	bool found;
};

static bool descends_by_itself(const struct domain *d, const struct domain *from)
{
	const struct domain_fork *f = __atomic_load_n(&d->fork, __ATOMIC_ACQUIRE);

	for (; f && f->self_made; f = f->parent->fork) {
		if (f->parent == from)
			return true;
	}
	return false;
}

static void end_descendant(struct domain *d, void *arg)
{
	struct ending *e = arg;

	if (READ_ONCE(d->dying) || !descends_by_itself(d, e->of))
		return;
	domain_destroy(d);
	e->found = true;
}

/* Whoever is found dying makes no fork any more (domain_fork.c); what it made just before is found in the next round. */
void domain_destroy_own_forks(struct domain *d)
{
	struct ending e = { .of = d };

	do {
		e.found = false;
		if (__atomic_load_n(&d->own_forks, __ATOMIC_RELAXED))
			domain_for_each(end_descendant, &e);
	} while (e.found);
}

/* ---- For the console ---- */

unsigned long fork_family_used(const struct domain *first)
{
	long used = first->fork_promise - __atomic_load_n(&first->fork_room, __ATOMIC_RELAXED);

	return first->nr_forks ? (unsigned long)max(used, 0L) : 0;
}
