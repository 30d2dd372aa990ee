/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vCPUs: a domain's CPUs as the scheduler sees them. `current` is the one that runs on this CPU, the idle vCPU of the CPU when
 * none does. A vCPU's scheduling fields are guarded by its run queue's lock (LOCK_RUN_QUEUE).
 */
#ifndef TINE_VCPU_H
#define TINE_VCPU_H

#include <asm/vcpu.h> /* struct arch_vcpu */
#include <tine/domain.h>
#include <tine/time.h>
#include <xen/vcpu.h>

/* Why a vCPU does not run; it is runnable when none is set. Atomic bits in vcpu.pause_flags. */
enum vcpu_pause {
	VCPU_BLOCKED, /* SCHEDOP_block: until an event can be delivered */
	VCPU_POLLING, /* SCHEDOP_poll: until a port of its is pending or the timer fires (implies VCPU_BLOCKED set too) */
	VCPU_DOWN,   /* not started, or VCPUOP_down */
	VCPU_PAUSED, /* its domain is paused or shut down */
};

struct vcpu {
	struct arch_vcpu arch; /* first: assembly reaches it at offset 0 */

	struct domain *domain; /* NULL: an idle vCPU */
	unsigned int id;
	unsigned int cpu; /* where it runs or ran last; its run queue */
	cpumask_t affinity;
	unsigned long pause_flags;
	bool initialised; /* has a context to run: the first, or after VCPUOP_initialise */
	bool running;     /* is `current` of its cpu; run-queue lock */

	/* Scheduler's own. */
	struct list run_link; /* in its queue while runnable and not running; else empty */
	u64 vruntime;         /* weighted nanoseconds it has run */
	stime_t slice_start;

	vcpu_info_t *info; /* in shared info, or where the guest registered it; always mapped */
	struct page *info_page; /* holds a reference when registered */

	struct timer singleshot; /* VIRQ_TIMER */
	struct timer periodic;
	stime_t periodic_period; /* 0: off. 10 ms at start for PV, as on Xen */
	struct timer poll_timer;
	u16 virq_port[NR_VIRQS]; /* 0: not bound; domain's event lock */
	u16 poll_port;           /* the one port polled on, 0: any of several */

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

#define for_each_vcpu(d, v, i) for (i = 0; i < (d)->nr_vcpus && ((v) = (d)->vcpus[i]) != NULL; i++)

struct vcpu *vcpu_create(struct domain *d, unsigned int id) __must_check; /* NULL: no memory */

/* Removes the reason WHY; queues the vCPU and reschedules its CPU when that makes it runnable. Any context. */
void vcpu_wake(struct vcpu *v, enum vcpu_pause why);
/* Adds the reason WHY; when it runs on another CPU and SYNC, returns after it has stopped there. */
void vcpu_stop(struct vcpu *v, enum vcpu_pause why, bool sync);

/* For SCHEDOP_block of `current`: clears its upcall mask, then sleeps unless something is deliverable. */
void vcpu_block(void);

/* Makes V notice an event: wakes it if blocked, interrupts its CPU if it runs elsewhere. Called by evtchn. */
void vcpu_notify(struct vcpu *v);

/* Time records in its vcpu_info (version protocol of the ABI) and runstate areas; on each switch-in and at registration. */
void vcpu_update_time(struct vcpu *v);
void vcpu_update_runstate(struct vcpu *v, int new_state);

#endif
