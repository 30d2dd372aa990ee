// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Saving a stopped domain's state and making another domain, or the same one later, be in it. Times are absolute: what was to happen at
 * a moment that has passed by then happens at once, since the clock does not go back for a fork.
 *
 * Loading leaves no event lost: where one might have come while its mark was being copied, the vCPU is told to look at all.
 */
#include <tine/arch_fork.h>
#include <tine/domain_physmap.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/string.h>
#include "fork_state.h"
#include "internal.h"

/* ---- vCPUs ---- */

static stime_t expiry(const struct timer *t)
{
	return list_empty(&t->link) ? STIME_MAX : t->expires;
}

static void save_vcpu(struct vcpu_state *s, struct vcpu *v)
{
	s->singleshot = expiry(&v->singleshot); /* before the marks that it makes */
	s->poll = expiry(&v->poll_timer);
	s->pause_flags = READ_ONCE(v->pause_flags) & FORK_PAUSES;
	s->initialised = v->initialised;
	s->periodic_period = v->periodic_period;
	s->periodic_last = v->periodic_last;
	memcpy(s->virq_port, v->virq_port, sizeof(s->virq_port));
	s->poll_port = v->poll_port;
	vcpu_get_runstate(v, &s->runstate);
	s->runstate_guest = v->runstate_guest;
	s->time_guest = v->time_guest;
	s->has_info = v->info_page != NULL;
	s->info_frame = v->info_frame;
	s->info_offset = (unsigned long)v->info & ~PAGE_MASK;
	arch_vcpu_state_save(v, s->arch);
}

static void set_timer(struct timer *t, stime_t expires)
{
	timer_stop(t);
	if (expires != STIME_MAX)
		timer_set(t, expires);
}

/* How long it ran, waited and slept is as it was; from now on it goes on. */
static void load_runstate(struct vcpu *v, const vcpu_runstate_info_t *was)
{
	unsigned long flags;
	struct run_queue *rq = sched_lock_queue(v, &flags);

	memcpy(v->runstate.time, was->time, sizeof(v->runstate.time));
	v->runstate.state_entry_time = (u64)system_time();
	spin_unlock_irqrestore(&rq->lock, flags);
}

static void look_at_all_events(struct vcpu *v)
{
	vcpu_info_t *info = v->info;

	__atomic_store_n(&info->evtchn_pending_sel, ~0UL, __ATOMIC_SEQ_CST);
	__atomic_store_n(&info->evtchn_upcall_pending, 1, __ATOMIC_SEQ_CST);
}

static void load_vcpu(struct vcpu *v, const struct vcpu_state *s)
{
	v->initialised = s->initialised;
	v->periodic_period = s->periodic_period;
	v->periodic_last = s->periodic_last;
	memcpy(v->virq_port, s->virq_port, sizeof(v->virq_port));
	v->poll_port = s->poll_port;
	v->runstate_guest = s->runstate_guest;
	v->time_guest = s->time_guest;
	v->waits_for_fork = false;
	load_runstate(v, &s->runstate);
	arch_vcpu_state_load(v, s->arch);
	timer_stop(&v->periodic);
	set_timer(&v->singleshot, s->singleshot);
	set_timer(&v->poll_timer, s->poll);
	(void)__atomic_fetch_and(&v->pause_flags, ~FORK_PAUSES, __ATOMIC_SEQ_CST);
	(void)__atomic_fetch_or(&v->pause_flags, s->pause_flags, __ATOMIC_SEQ_CST);
	if (s->pause_flags & BIT(VCPU_DOWN))
		return;
	look_at_all_events(v);
	vcpu_notify(v);
}

/* ---- All of it ---- */

struct fork_state *fork_state_alloc(const struct domain *d)
{
	struct fork_state *s = kzalloc(sizeof(*s) + d->nr_vcpus * sizeof(struct vcpu_state));
	bool enough;

	if (!s)
		return NULL;
	s->shared_info = heap_alloc_pages(0, HEAP_DIRTY_OK);
	s->arch = kzalloc(arch_domain_state_size());
	enough = s->shared_info && s->arch;
	for (; s->nr_vcpus < d->nr_vcpus && enough; s->nr_vcpus++) {
		s->vcpus[s->nr_vcpus].arch = kzalloc(arch_vcpu_state_size());
		enough = s->vcpus[s->nr_vcpus].arch;
	}
	if (enough)
		return s;
	fork_state_free(s);
	return NULL;
}

void fork_state_free(struct fork_state *s)
{
	if (!s)
		return;
	for (unsigned int i = 0; i < s->nr_vcpus; i++)
		kfree(s->vcpus[i].arch);
	fork_pages_free(s);
	grant_snapshot_free(&s->grants);
	evtchn_snapshot_free(&s->evtchn);
	kfree(s->arch);
	if (s->shared_info)
		heap_free_pages(s->shared_info, 0);
	kfree(s);
}

int fork_state_save(struct fork_state *s, struct domain *d)
{
	struct vcpu *v;
	unsigned int i;
	int ret = evtchn_snapshot_save(&s->evtchn, d);

	if (!ret)
		ret = grant_snapshot_save(&s->grants, d);
	if (!ret)
		ret = fork_pages_save(s, d);
	if (ret)
		return ret;
	for_each_vcpu (d, v, i)
		save_vcpu(&s->vcpus[i], v);
	s->vm_assist = d->vm_assist;
	domain_physmap_settle_placed(d);
	arch_domain_state_save(d, s->arch);
	memcpy(s->shared_info, d->shared_info, PAGE_SIZE);
	return 0;
}

int fork_state_load_domain(struct domain *d, const struct fork_state *s)
{
	int ret = evtchn_snapshot_load(d, &s->evtchn);

	if (!ret)
		ret = grant_snapshot_load(d, &s->grants);
	if (ret)
		return ret;
	arch_domain_state_load(d, s->arch);
	memcpy(d->shared_info, s->shared_info, PAGE_SIZE);
	d->vm_assist = s->vm_assist;
	return 0;
}

void fork_state_load_vcpus(struct domain *d, const struct fork_state *s)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i)
		load_vcpu(v, &s->vcpus[i]);
}
