// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forking and resetting domains. Both need a domain whose vCPUs are off the CPUs: then all that they have is in memory. So a fork is work for
 * SOFTIRQ_FORK on CPU 0, which finds its turn once they are, also when it was one of them that asked by a hypercall; that vCPU has its
 * result written when the work is done. A reset of what has stopped already is done at once.
 *
 * domain.fork_busy belongs to whoever has claimed the domain; the list of work has a lock (LOCK_DOMAIN). A domain that was claimed is not taken
 * apart before it is released (domain_end.c).
 *
 * In order of time: the child is made, empty (the parent runs); parent stopped; state saved, memory shared; parent runs; the child gets its own
 * pages and the state; child runs.
 */
#include <tine/arch.h>
#include <tine/arch_fork.h>
#include <tine/console.h>
#include <tine/domain_fork.h>
#include <tine/errno.h>
#include <tine/grant.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/softirq.h>
#include <xen/sched.h>
#include "fork_state.h"
#include "internal.h"

#define FORK_CPU 0
#define MAPPINGS_AT_ONCE 64
#define PATIENCE (50 * NSEC_PER_USEC) /* for vCPUs on other CPUs to stop, in a hypercall */

struct fork_work {
	struct list link;
	struct domain *d;     /* to be forked, or reset; claimed; a reference */
	struct domain *child; /* NULL: a reset. A reference */
	struct vcpu *caller;  /* NULL: the console */
	bool wait;            /* the child is not to run */
	bool saved;           /* it is under way */
	int failed;           /* the child is being taken apart */
	u64 since;            /* when D stopped, in cycles */
};

static struct spinlock work_lock = SPINLOCK_INIT(LOCK_DOMAIN);
static struct list work_list = LIST_INIT(work_list);

/* ---- Stopping a domain for the time being ---- */

static bool claim(struct domain *d)
{
	return !__atomic_exchange_n(&d->fork_busy, true, __ATOMIC_ACQ_REL);
}

static void release(struct domain *d)
{
	__atomic_store_n(&d->fork_busy, false, __ATOMIC_RELEASE);
}

static void stop(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i)
		vcpu_stop(v, VCPU_FORKING);
}

static void go_on_without(struct domain *d, const struct vcpu *one)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i) {
		if (v != one)
			vcpu_wake(v, VCPU_FORKING);
	}
}

static void go_on(struct domain *d)
{
	go_on_without(d, NULL);
}

static bool has_stopped(const struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i) {
		if (!sched_is_gone(v))
			return false;
	}
	return true;
}

/* ---- The fork ---- */

static int no_grants_in_use(struct domain *parent)
{
	if (!grant_mappings(parent) && !grant_table_close(parent))
		return 0;
	pr_err("Domain %u: %lu of its frames are in use by others, it has mapped %u: that cannot "
	       "be forked\n",
	       parent->id, grant_table_uses(parent), grant_mappings(parent));
	return -EOPNOTSUPP;
}

/* The parent has stopped. -ERESTART: not all done, call it again. */
static int fork_from(struct fork_work *w)
{
	struct domain *parent = w->d, *child = w->child;
	int ret;

	if (READ_ONCE(parent->dying) || READ_ONCE(child->dying))
		return -ESRCH;
	ret = no_grants_in_use(parent);
	if (ret)
		return ret;
	if (!w->saved) {
		console_ring_poll(parent); /* else both would print it */
		ret = fork_state_save(child->fork->state, parent);
		if (!ret)
			ret = xenstore_fork(child, parent);
		w->saved = true;
	}
	return ret ? ret : arch_fork_memory(child, parent);
}

/* Before the checkpoint nobody may get at its frames by its grants. */
static int complete_child(struct fork_work *w)
{
	struct domain *child = w->child;
	const struct fork_state *s = child->fork->state;
	int ret = fork_state_load_domain(child, s);

	if (!ret)
		ret = fork_pages_of_child(child, w->d);
	if (ret)
		return ret;
	fork_state_load_vcpus(child, s);
	grant_table_open(child);
	if (s->evtchn.dropped)
		pr_info("Domain %u: %u event channels to other domains are not its parent's\n",
			child->id, s->evtchn.dropped);
	return 0;
}

/* Its trees must not be in the parent's way any longer than this. False: not all done, call it again. */
static bool discard_child(struct domain *child)
{
	domain_destroy(child);
	return arch_domain_destroy(child) != -ERESTART;
}

static void finish_fork(struct fork_work *w, int ret, u64 cycles)
{
	struct domain *parent = w->d, *child = w->child;

	if (ret) {
		pr_err("Domain %u could not be forked: error %d\n", parent->id, -ret);
		return;
	}
	pr_info("Domain %u: forked as %u in %llu cycles\n", parent->id, child->id,
		(unsigned long long)cycles);
	domain_unpause(child);
}

/* The parent's vCPUs wait for no more than its own part, but for one that is to have the child's number or the error. */
static bool do_fork(struct fork_work *w)
{
	struct domain *parent = w->d;
	u64 cycles;
	int ret = w->failed ? w->failed : fork_from(w);

	if (ret == -ERESTART)
		return false;
	if (ret && !discard_child(w->child)) {
		w->failed = ret;
		return false;
	}
	grant_table_open(parent);
	go_on_without(parent, w->caller);
	cycles = arch_cycles() - w->since;
	if (!ret) {
		ret = complete_child(w);
		if (ret)
			domain_destroy(w->child);
		else if (!w->wait)
			go_on(w->child); /* it is paused still */
	}
	release(w->child); /* the caller may want to reset it at once */
	if (w->caller) {
		arch_hypercall_result(w->caller, ret ? ret : w->child->id);
		vcpu_wake(w->caller, VCPU_FORKING);
		cycles = arch_cycles() - w->since;
	}
	release(parent);
	finish_fork(w, ret, cycles);
	return true;
}

/* ---- Reset ---- */

/* Whatever it has come to since, it is to run again, unless it is on its way out. */
static void revive(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	d->end_seen = false;
	d->fork->code = 0;
	__atomic_store_n(&d->shutdown_code, SHUTDOWN_NONE, __ATOMIC_RELAXED);
	__atomic_store_n(&d->shutting_down, false, __ATOMIC_SEQ_CST);
	for_each_vcpu (d, v, i)
		vcpu_wake(v, VCPU_ENDED);
	if (!__atomic_load_n(&d->dying, __ATOMIC_SEQ_CST))
		return;
	for_each_vcpu (d, v, i)
		vcpu_stop(v, VCPU_ENDED);
}

/* What it had mapped of others' is in its memory no more. */
static int end_mappings(struct domain *d)
{
	while (!grant_domain_reap(d, MAPPINGS_AT_ONCE)) {
		if (softirq_waiting())
			return -ERESTART;
	}
	return 0;
}

static int reset_closed(struct domain *d, int (*before)(struct domain *child, void *arg), void *arg)
{
	const struct fork_state *s = d->fork->state;
	int ret = fork_pages_let_go(d);

	if (!ret)
		ret = arch_reset_memory(d);
	if (!ret)
		ret = end_mappings(d);
	if (!ret)
		ret = fork_state_load_domain(d, s);
	if (ret)
		return ret;
	fork_pages_reset(d);
	fork_state_load_vcpus(d, s);
	if (before)
		ret = before(d, arg);
	d->fork->resets++;
	revive(d);
	d->fork->waiting = ret != 0; /* for another try */
	return ret;
}

/* Half of it, and nobody gets at its frames before the other half. */
static int reset_stopped(struct domain *d, int (*before)(struct domain *child, void *arg),
			 void *arg)
{
	int ret = grant_table_close(d);

	if (ret) {
		pr_err("Domain %u: others use frames of it by %lu grants: it cannot be reset\n",
		       d->id, grant_table_uses(d));
		return ret;
	}
	console_ring_poll(d); /* what it said before is said */
	domain_destroy_own_forks(d);
	ret = reset_closed(d, before, arg);
	if (ret != -ERESTART)
		grant_table_open(d);
	return ret;
}

/* Half of it is there: it can be tried again, but not be run. */
static void give_up_reset(struct domain *d, int ret)
{
	pr_err("Domain %u could not be reset: error %d\n", d->id, -ret);
	domain_shutdown(d, SHUTDOWN_crash);
}

static bool wait_a_moment(const struct domain *d)
{
	stime_t end = system_time() + PATIENCE;

	while (!has_stopped(d)) {
		if (system_time() > end)
			return false;
		cpu_relax();
	}
	return true;
}

int domain_reset(struct domain *d, int (*before)(struct domain *child, void *arg), void *arg)
{
	int ret;

	if (!domain_is_fork(d))
		return -EINVAL;
	if (!claim(d))
		return -EBUSY;
	stop(d);
	ret = wait_a_moment(d) ? 0 : -ERESTART;
	if (!ret && READ_ONCE(d->dying))
		ret = -ESRCH;
	if (!ret) {
		ret = reset_stopped(d, before, arg);
		if (ret == -ERESTART)
			d->fork->waiting =
				true; /* half of its memory is back: it is not to run before the rest is */
		else if (ret && ret != -EFAULT && ret != -EBUSY)
			give_up_reset(d, ret);
	}
	if (!d->fork->waiting)
		go_on(d);
	release(d); /* not before: who claims it next wants it stopped */
	return ret;
}

static bool do_reset(struct fork_work *w)
{
	struct domain *d = w->d;
	int ret = READ_ONCE(d->dying) ? -ESRCH : reset_stopped(d, NULL, NULL);

	if (ret == -ERESTART)
		return false;
	if (!ret)
		pr_info("Domain %u: reset in %llu cycles\n", d->id,
			(unsigned long long)(arch_cycles() - w->since));
	else if (ret != -ESRCH && ret != -EBUSY)
		give_up_reset(d, ret);
	if (!d->fork->waiting)
		go_on(d);
	release(d); /* not before: who claims it next wants it stopped */
	return true;
}

/* ---- Work ---- */

static struct fork_work *next_work(struct fork_work *after)
{
	struct list *at;

	spin_lock(&work_lock);
	at = after ? after->link.next : work_list.next;
	spin_unlock(&work_lock);
	return at == &work_list ? NULL : list_entry(at, struct fork_work, link);
}

static void end_work(struct fork_work *w)
{
	spin_lock(&work_lock);
	list_del(&w->link);
	spin_unlock(&work_lock);
	if (w->child)
		domain_put(w->child);
	domain_put(w->d);
	kfree(w);
}

/* Only here is work ended; others add behind. */
static void fork_softirq(void)
{
	struct fork_work *w = next_work(NULL);
	bool more = false;

	while (w) {
		struct fork_work *next = next_work(w);

		if (has_stopped(w->d) && (w->child ? do_fork(w) : do_reset(w)))
			end_work(w);
		else
			more = true;
		w = next;
	}
	if (more)
		softirq_raise_on(FORK_CPU, SOFTIRQ_FORK);
}

void fork_init(void)
{
	softirq_register(SOFTIRQ_FORK, fork_softirq);
}

static void begin_work(struct fork_work *w)
{
	(void)__atomic_add_fetch(&w->d->refs, 1, __ATOMIC_RELAXED);
	w->since = arch_cycles();
	stop(w->d);
	spin_lock(&work_lock);
	list_add_tail(&work_list, &w->link);
	spin_unlock(&work_lock);
	softirq_raise_on(FORK_CPU, SOFTIRQ_FORK);
}

static int begin_fork(struct domain *parent, struct vcpu *caller, bool wait)
{
	struct fork_work *w;
	int ret;

	if (arch_fork_check(parent))
		return -EOPNOTSUPP;
	w = kzalloc(sizeof(*w));
	if (!w)
		return -ENOMEM;
	if (!claim(parent)) {
		kfree(w);
		return -EBUSY;
	}
	ret = fork_make_child(parent, caller, &w->child);
	if (ret) {
		release(parent);
		kfree(w);
		return ret;
	}
	stop(w->child);
	w->child->fork->waiting = wait;
	w->d = parent;
	w->caller = caller;
	w->wait = wait;
	begin_work(w);
	return 0;
}

int domain_fork_later(struct domain *parent)
{
	return begin_fork(parent, NULL, false);
}

int domain_reset_later(struct domain *child)
{
	struct fork_work *w;

	if (!domain_is_fork(child))
		return -EINVAL;
	w = kzalloc(sizeof(*w));
	if (!w)
		return -ENOMEM;
	if (!claim(child)) {
		kfree(w);
		return -EBUSY;
	}
	w->d = child;
	begin_work(w);
	return 0;
}

long domain_fork_self(bool wait)
{
	if (!current->domain->config.may_fork)
		return -EPERM;
	/* The result is to be the vCPU's own register, and not that of a list. */
	if (current->multicall.active)
		return -EOPNOTSUPP;
	return begin_fork(current->domain, current, wait);
}
