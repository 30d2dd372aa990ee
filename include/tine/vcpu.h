/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vCPUs: a domain's CPUs as the scheduler sees them. `current` is the one that runs on this CPU,
 * the idle vCPU of the CPU when none does. A vCPU's scheduling fields are guarded by its run
 * queue's lock (LOCK_RUN_QUEUE); pause_flags is atomic.
 */
#ifndef TINE_VCPU_H
#define TINE_VCPU_H

#include <asm/vcpu.h> /* struct arch_vcpu */
#include <tine/domain.h>
#include <tine/time.h>
#include <xen/vcpu.h>

/* Why a vCPU does not run; it is runnable when none is set. Bit numbers in vcpu.pause_flags. */
enum vcpu_pause {
	VCPU_BLOCKED, /* SCHEDOP_block: until an event can be delivered */
	VCPU_POLLING, /* SCHEDOP_poll, with VCPU_BLOCKED: until a port is pending or time is over */
	VCPU_DOWN,    /* not started, or VCPUOP_down */
	VCPU_PAUSED,  /* its domain is paused; changes under d->lock */
	VCPU_ENDED,   /* its domain is shut down; cleared only when a fork is reset */
	VCPU_FORKING, /* its domain is being forked or reset */
};

/*
 * abi/multicall.c: the list that the vCPU is in, and what is left of the call in it that wants to
 * be continued.
 */
struct vcpu_multicall {
	bool active, continued;
	unsigned long args[5];
};

struct vcpu {
	struct arch_vcpu arch; /* first: assembly reaches it at offset 0 */

	struct domain *domain; /* NULL: an idle vCPU */
	unsigned int id;
	unsigned int cpu; /* where it runs or ran last; its run queue */
	cpumask_t affinity;
	unsigned long pause_flags;
	bool initialised; /* has a context to run: the first, or after VCPUOP_initialise */
	bool running; /* is `current` of its cpu, or its registers are still being saved there */

	/* Scheduler's own. */
	bool yielding;
	bool moving; /* between two queues: balance.c is about to touch it */
	unsigned int weight;
	struct list run_link; /* in its queue while runnable and not running; else empty */
	u64 vruntime;         /* weighted nanoseconds it has run */
	stime_t charged_at;   /* until when vruntime counts, while running */

	struct vcpu_multicall multicall;

	/* In shared info, where the guest registered it, or here until it does; always mapped. */
	vcpu_info_t *info;
	vcpu_info_t own_info;     /* of those that shared info has no place for */
	struct page *info_page;   /* holds a reference when registered */
	unsigned long info_frame; /* what the guest calls that frame */
	struct page
		*forgotten_info; /* of a fork that was reset to before it registered one; held */
	u32 info_users; /* of a fork: CPUs that are writing where INFO points, or pointed; atomic */

	struct timer singleshot; /* VIRQ_TIMER */
	struct timer periodic;   /* ticks only while it runs, as on Xen */
	stime_t periodic_period; /* 0: off. 10 ms at start for PV, as on Xen */
	stime_t periodic_last;
	struct timer poll_timer;
	u16 virq_port[NR_VIRQS]; /* 0: not bound; written under the domain's event lock */
	u16 poll_port;           /* the one port polled on, 0: any of several */
	bool waits_for_fork;     /* sleeps until a child of its domain's has ended, or an event */

	vcpu_runstate_info_t runstate;
	gva_t runstate_guest; /* 0: not registered */
	gva_t time_guest;     /* VCPUOP_register_vcpu_time_memory_area; 0: not */
};

DECLARE_PERCPU(struct vcpu *, current_vcpu);
#define current (this_cpu(current_vcpu))

static inline bool vcpu_is_idle(const struct vcpu *v)
{
	return v->domain == NULL;
}

static inline bool vcpu_runnable(const struct vcpu *v)
{
	return READ_ONCE(v->pause_flags) == 0;
}

#define for_each_vcpu(d, v, i) for (i = 0; i < (d)->nr_vcpus && ((v) = (d)->vcpus[i]) != NULL; i++)

/*
 * Part of domain_create: a stopped vCPU, and its end when the domain's memory has gone. NULL: no
 * memory.
 */
struct vcpu *vcpu_create(struct domain *d, unsigned int id) __must_check;
void vcpu_destroy(struct vcpu *v);

/*
 * Removes the reason WHY; queues the vCPU and reschedules its CPU when that makes it runnable. Any
 * context.
 */
void vcpu_wake(struct vcpu *v, enum vcpu_pause why);

/*
 * Adds the reason WHY. It runs until its CPU reschedules, which is at once but not before this
 * returns. Any context.
 */
void vcpu_stop(struct vcpu *v, enum vcpu_pause why);

/*
 * After vcpu_stop: waits until V runs on no other CPU. Not with interrupts off, not with a lock
 * held, and not where two CPUs could each wait for what the other runs: a softirq polls
 * vcpu->running instead.
 */
void vcpu_stop_wait(const struct vcpu *v);

/* VCPUOP_down of V, whose domain ends with the last that is not down. */
void vcpu_go_down(struct vcpu *v);

/*
 * For SCHEDOP_block of `current`: clears its upcall mask, then sleeps unless something is
 * deliverable.
 */
void vcpu_block(void);

/*
 * For SCHEDOP_poll of `current` on PORTS, until TIMEOUT (0: none). 0, or -EINVAL for a port that
 * cannot be.
 */
int vcpu_poll(const u32 *ports, unsigned int nr, stime_t timeout) __must_check;

/* Ends a block or poll, if it is in one. Any context. */
void vcpu_unblock(struct vcpu *v);

/*
 * Makes V notice an event: wakes it if blocked, interrupts its CPU if it runs elsewhere. Called by
 * evtchn.
 */
void vcpu_notify(struct vcpu *v);

/* VCPUOP_set_periodic_timer of V, which may run elsewhere; 0 stops it. */
void vcpu_set_periodic(struct vcpu *v, stime_t period);

/* Where its vcpu_info is without the guest's doing. */
static inline vcpu_info_t *vcpu_first_info(struct vcpu *v)
{
	return v->id < XEN_LEGACY_MAX_VCPUS ? &v->domain->shared_info->vcpu_info[v->id]
					    : &v->own_info;
}

/*
 * Moves vcpu_info to INFO, a mapping of the guest's frame PG (reference passed on). Contents
 * follow, and events are marked as all pending so that none is lost. -EBUSY: was done before.
 */
int vcpu_move_info(struct vcpu *v, vcpu_info_t *info, struct page *pg) __must_check;

/*
 * Time records in its vcpu_info (version protocol of the ABI), and in the guest's area if V is
 * current.
 */
void vcpu_update_time(struct vcpu *v);

/* Accounts the time up to now and enters NEW_STATE (RUNSTATE_*). Its run queue's lock is held. */
void vcpu_update_runstate(struct vcpu *v, int new_state);
/*
 * Copies the record to the area that the guest registered; V is current. An unmapped one is
 * skipped.
 */
void vcpu_publish_runstate(struct vcpu *v);
/* The record with the current state's time counted up to now. */
void vcpu_get_runstate(struct vcpu *v, vcpu_runstate_info_t *out);

#endif
