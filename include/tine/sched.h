/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler: a run queue a CPU, weighted fair sharing by virtual run time, affinity, wake-up
 * preemption, stealing by idle CPUs. See sched/scheduler.c.
 */
#ifndef TINE_SCHED_H
#define TINE_SCHED_H

#include <tine/vcpu.h>

/* Before any vCPU; registers the softirqs of sched/. */
void sched_init(void);
/* Makes the CPU's idle vCPU its current one; on that CPU, the heap is up. */
void sched_cpu_init(unsigned int cpu);

/* Gives it a CPU of its affinity; still stopped. */
void sched_vcpu_init(struct vcpu *v);

/* SCHEDOP_yield of current: the others of its queue first, once. */
void sched_give_way(void);

/*
 * A CPU's main loop, on its own empty stack, from CPU bring-up and whenever the way back to a guest
 * finds work: runs softirqs, then enters `current` (arch_vcpu_enter) or idles. Interrupts may be in
 * any state on entry.
 */
void sched_run(void) __noreturn;

/* One CPU's queue, for the debug keys. */
void sched_dump(unsigned int cpu);

#endif
