/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Families of forks: how many there are, and what they use of the machine's memory. sched/fork_family.c */
#ifndef SCHED_FORK_FAMILY_H
#define SCHED_FORK_FAMILY_H

#include <tine/domain.h>
#include <tine/domain_fork.h>

/* The domain from which D and all its relatives descend. It stays as long as one of them. */
static inline struct domain *fork_family_of(struct domain *d)
{
	return d->fork ? d->fork->first : d;
}

void fork_family_init(struct domain *first);

/* One fork more, of at most MOST. -ENOSPC: it has as many; -ENOMEM: there is not enough memory for what they may write. */
int fork_family_join(struct domain *first, unsigned int most) __must_check;
/* The structure of one has gone. */
void fork_family_leave(struct domain *first);

/* FRAMES more, or less, are used by forks. */
void fork_family_charge(struct domain *first, long frames);
/* May D keep what it has just been given from the heap? False: that is for others. Any domain. */
bool fork_family_may_take(struct domain *d);

/* The frame, D's until now, is DOMID_COW's, and it is no more. */
void fork_family_gets(struct domain *d, struct page *pg);
void fork_family_loses(const struct page *pg);

unsigned long fork_family_used(const struct domain *first); /* frames, by forks */

#endif
