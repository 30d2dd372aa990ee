// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A vCPU's life: creation, stopping and waking, blocking and polling, its timers.
 *
 * It runs when pause_flags is 0. Whoever clears the last bit calls sched_wake(), whoever sets the
 * first sched_sleep(); both are told by the atomic operation's result, and the scheduler looks
 * again under its lock, so either may come late or twice.
 */
#include <asm/abi.h>
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/evtchn.h>
#include <tine/heap.h>
#include <tine/softirq.h>
#include <tine/string.h>
#include "internal.h"
#include <xen/sched.h>

#define PV_TICK (10 * NSEC_PER_MSEC)

static unsigned long flags_add(struct vcpu *v, unsigned long bits)
{
	return __atomic_fetch_or(&v->pause_flags, bits, __ATOMIC_SEQ_CST);
}

static unsigned long flags_remove(struct vcpu *v, unsigned long bits)
{
	return __atomic_fetch_and(&v->pause_flags, ~bits, __ATOMIC_SEQ_CST);
}

static void wake_bits(struct vcpu *v, unsigned long bits)
{
	unsigned long old = flags_remove(v, bits);

	if ((old & bits) && !(old & ~bits))
		sched_wake(v);
}

void vcpu_wake(struct vcpu *v, enum vcpu_pause why)
{
	wake_bits(v, BIT(why));
}

void vcpu_stop(struct vcpu *v, enum vcpu_pause why)
{
	(void)flags_add(v, BIT(why));
	sched_sleep(v);
}

/* The lock makes one of two that go at once the last. */
void vcpu_go_down(struct vcpu *v)
{
	struct domain *d = v->domain;
	struct vcpu *other;
	bool last = true;
	unsigned int i;

	spin_lock(&d->lock);
	for_each_vcpu (d, other, i)
		last &= other == v || READ_ONCE(other->pause_flags) & BIT(VCPU_DOWN);
	if (!last)
		vcpu_stop(v, VCPU_DOWN);
	spin_unlock(&d->lock);
	if (last)
		domain_shutdown(d, SHUTDOWN_poweroff);
}

void vcpu_stop_wait(const struct vcpu *v)
{
	if (v == current)
		return;
	while (READ_ONCE(v->running))
		cpu_relax();
}

/* ---- Blocking and polling; `current` only ---- */

static u32 *polling_of(struct vcpu *v)
{
	return &v->domain->evtchn.polling;
}

void vcpu_unblock(struct vcpu *v)
{
	if (READ_ONCE(v->pause_flags) & BIT(VCPU_POLLING))
		(void)__atomic_fetch_and(polling_of(v), ~(1U << v->id), __ATOMIC_SEQ_CST);
	wake_bits(v, BIT(VCPU_BLOCKED) | BIT(VCPU_POLLING));
}

static bool event_waits(const struct vcpu *v)
{
	return (READ_ONCE(v->info->evtchn_upcall_pending) && arch_event_deliverable(v)) ||
	       arch_nmi_waits(v);
}

void vcpu_block(void)
{
	struct vcpu *v = current;

	vcpu_info_set_mask(v->info, false);
	(void)flags_add(v, BIT(VCPU_BLOCKED));
	/*
	 * The sender sets pending, then looks at the flag; we set the flag, then look at pending.
	 */
	if (event_waits(v))
		(void)flags_remove(v, BIT(VCPU_BLOCKED));
	else
		softirq_raise(SOFTIRQ_SCHEDULE);
}

int vcpu_poll(const u32 *ports, unsigned int nr, stime_t timeout)
{
	struct vcpu *v = current;
	bool stay;
	int ret = 0;

	timer_stop(&v->poll_timer);
	WRITE_ONCE(v->poll_port, nr == 1 && ports[0] < EVTCHN_PORTS ? (u16)ports[0] : 0);
	/* In this order: who finds the flag and takes it back finds the bit, too. */
	(void)__atomic_fetch_or(polling_of(v), 1U << v->id, __ATOMIC_SEQ_CST);
	(void)flags_add(v, BIT(VCPU_BLOCKED) | BIT(VCPU_POLLING));

	stay = event_waits(v);
	for (unsigned int i = 0; i < nr && !stay && !ret; i++) {
		if (!evtchn_slot(v->domain, ports[i]))
			ret = -EINVAL;
		else
			stay = evtchn_port_pending(v->domain, ports[i]);
	}
	if (stay || ret) {
		vcpu_unblock(v);
		return ret;
	}
	if (timeout)
		timer_set(&v->poll_timer, timeout);
	softirq_raise(SOFTIRQ_SCHEDULE);
	return 0;
}

void vcpu_notify(struct vcpu *v)
{
	smp_mb(); /* the event before the look at the flags; see vcpu_block() */
	if (READ_ONCE(v->pause_flags) & BIT(VCPU_BLOCKED))
		vcpu_unblock(v);
	else if (READ_ONCE(v->running) && READ_ONCE(v->cpu) != smp_processor_id())
		arch_send_ipi(READ_ONCE(v->cpu), IPI_RESCHEDULE);
}

/* ---- Timers ---- */

static void singleshot_expired(void *arg)
{
	evtchn_send_virq(arg, VIRQ_TIMER);
}

/* A stale one, of a poll that has ended, ends the next wait early: that is allowed. */
static void poll_expired(void *arg)
{
	struct vcpu *v = arg;

	if (READ_ONCE(v->pause_flags) & BIT(VCPU_POLLING))
		vcpu_unblock(v);
}

/* Sends the tick that is due and sets the timer for the next. V runs on this CPU. */
static void periodic_work(struct vcpu *v)
{
	stime_t period = READ_ONCE(v->periodic_period);
	stime_t now = system_time();

	if (!period)
		return;
	if (now >= v->periodic_last + period) {
		v->periodic_last = now;
		evtchn_send_virq(v, VIRQ_TIMER);
	}
	timer_set(&v->periodic, v->periodic_last + period);
}

static void periodic_expired(void *arg)
{
	struct vcpu *v = arg;

	if (v == current)
		periodic_work(v);
}

void vcpu_set_periodic(struct vcpu *v, stime_t period)
{
	WRITE_ONCE(v->periodic_period, period);
	timer_stop(&v->periodic);
	if (!period)
		return;
	v->periodic_last = system_time();
	/* If it runs, here or elsewhere, it ticks from now on; else from when it is switched in. */
	timer_set(&v->periodic, v->periodic_last + period);
}

void vcpu_switched_in(struct vcpu *v)
{
	unsigned int cpu = v->cpu;

	vcpu_update_time(v);
	if (gva_x(v->runstate_guest))
		vcpu_publish_runstate(v);
	if (unlikely(v->singleshot.cpu != cpu)) {
		timer_migrate(&v->singleshot, cpu);
		timer_migrate(&v->periodic, cpu);
		timer_migrate(&v->poll_timer, cpu);
	}
	if (READ_ONCE(v->periodic_period))
		periodic_work(v);
}

/* ---- vcpu_info elsewhere ---- */

int vcpu_move_info(struct vcpu *v, vcpu_info_t *info, struct page *pg)
{
	vcpu_info_t *old = v->info;

	if (v->info_page)
		return -EBUSY;
	if (v->id < XEN_LEGACY_MAX_VCPUS) {
		memcpy(info, old, sizeof(*info));
	} else {
		memset(info, 0, sizeof(*info));
		vcpu_info_set_mask(info, true);
	}
	v->info_page = pg;
	__atomic_store_n(&v->info, info, __ATOMIC_SEQ_CST);

	/*
	 * A sender may still be writing to the old place: what it set there is marked here in any
	 * case.
	 */
	__atomic_store_n(&info->evtchn_pending_sel, ~0UL, __ATOMIC_SEQ_CST);
	__atomic_store_n(&info->evtchn_upcall_pending, 1, __ATOMIC_SEQ_CST);
	vcpu_notify(v);
	return 0;
}

/* ---- Creation and end ---- */

struct vcpu *vcpu_create(struct domain *d, unsigned int id)
{
	struct vcpu *v = kzalloc(sizeof(*v));

	if (!v)
		return NULL;
	v->domain = d;
	v->id = id;
	v->affinity = d->config.affinity;
	v->weight = d->config.cpu_weight;
	v->pause_flags = BIT(VCPU_PAUSED) | (id ? BIT(VCPU_DOWN) : 0);
	v->initialised = id == 0;
	v->info = vcpu_first_info(v);
	vcpu_info_set_mask(v->info, true);
	sched_vcpu_init(v);
	timer_init(&v->singleshot, singleshot_expired, v, v->cpu);
	timer_init(&v->periodic, periodic_expired, v, v->cpu);
	timer_init(&v->poll_timer, poll_expired, v, v->cpu);
	if (d->config.type == DOMAIN_PV)
		v->periodic_period = PV_TICK;
	if (arch_vcpu_create(v)) {
		kfree(v);
		return NULL;
	}
	vcpu_update_time(v);
	return v;
}

void vcpu_destroy(struct vcpu *v)
{
	timer_kill(&v->singleshot);
	timer_kill(&v->periodic);
	timer_kill(&v->poll_timer);
	arch_vcpu_destroy(v);
	kfree(v);
}
