/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forking a live domain: a child with the parent's memory (copy on write), vCPUs, events and clock as they were in one moment, while
 * the parent runs on; and going back to that moment (reset). sched/domain_fork.c; docs/fork.md says what a fork has and has not.
 *
 * Whoever works on a domain's state this way has it by itself (domain.fork_busy), and its vCPUs do not run (VCPU_FORKING).
 */
#ifndef TINE_DOMAIN_FORK_H
#define TINE_DOMAIN_FORK_H

#include <tine/domain.h>

struct fork_state; /* sched/fork_state.h */

/* What a domain that is a fork has more than others; struct domain.fork. */
struct domain_fork {
	struct domain *parent;    /* a reference on the structure: it may have ended */
	struct domain *first;     /* of the family: the parent that is no fork; PARENT keeps it */
	struct fork_state *state; /* as it was; NULL until it was made */
	/*
	 * The parent asked for it by its own hypercall: how it ends is for the parent to see, and it stays, stopped, until that resets or
	 * destroys it, or ends itself.
	 */
	bool self_made;
	bool waiting;       /* has not run yet */
	u8 code;            /* of its exit */
	unsigned int maker; /* number of the vCPU that forked */
	unsigned long resets;
};

/*
 * For the console. Answers come as lines, when it is done. -EOPNOTSUPP: no such domain can be forked; -EBUSY: another fork or reset
 * of it is under way; -ENOMEM. No bound on their number. Reset: -EINVAL: it is no fork.
 */
int domain_fork_later(struct domain *parent) __must_check;
int domain_reset_later(struct domain *child) __must_check;

/*
 * For the running vCPU's hypercall: forks its domain. The result here is for the meantime; once the vCPU runs again it has the
 * child's number or an error as its own, the child's 0. WAIT: the child does not run before it is reset. -ENOSPC: there are as many as may be.
 */
long domain_fork_self(bool wait) __must_check;

/*
 * Back to the moment of the fork, now; the child runs when it returns. What it has mapped of others' is given back, forks that it made are destroyed. -EINVAL: it is
 * no fork; -EBUSY: somebody is at it, or others use frames of it by grants; -ESRCH: it is being destroyed;
 * -ERESTART: its vCPUs have not stopped yet, call again. BEFORE is called when its memory is back, and may fail.
 */
int domain_reset(struct domain *child, int (*before)(struct domain *child, void *arg),
		 void *arg) __must_check;

/* Destroys all forks that D, and forks that go with it, made by themselves; not those that were made by hand. D has stopped, or is being destroyed. */
void domain_destroy_own_forks(struct domain *d);

/* The child of that number that PARENT made by itself, with a reference; NULL: no such. */
struct domain *domain_own_fork(const struct domain *parent, domid_t id) __must_check;

/*
 * How CHILD, the running domain's own, ended: code + SHUTDOWN_* << 8. -EAGAIN: not yet; the running vCPU sleeps now until that or an event.
 */
long domain_fork_wait(struct domain *child) __must_check;

/* domain_end.c: D's vCPUs were stopped for good; and: does D, which has ended, stay for its parent to see? */
void domain_fork_ended(struct domain *d);
bool domain_fork_is_kept(const struct domain *d);
bool domain_fork_is_orphan(
	const struct domain *d); /* waits to be let run by a parent that has ended */
void domain_fork_free(struct domain *d);

static inline bool domain_is_fork(const struct domain *d)
{
	return d->fork != NULL;
}

#endif
