/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that an interrupt leaves for the next safe moment on the same CPU: before it returns to a
 * guest, or in the main loop. Handlers run with interrupts enabled, no lock held, on the CPU's own
 * stack, and may change `current`.
 */
#ifndef TINE_SOFTIRQ_H
#define TINE_SOFTIRQ_H

#include <tine/cpu.h>

enum softirq {
	SOFTIRQ_TIMER,    /* sched/timer.c: run expired timers */
	SOFTIRQ_CONSOLE,  /* sched/console_input.c: input bytes wait */
	SOFTIRQ_DOMAIN,   /* sched/domain_end.c: a domain has shut down or is being destroyed */
	SOFTIRQ_SCHEDULE, /* sched/scheduler.c: pick who runs; after what may wake others */
	SOFTIRQ_FORK, /* sched/domain_fork.c: fork or reset a domain; last, when its vCPUs are off */
	SOFTIRQ_COUNT
};

/* A bit per softirq; assembly tests it before it returns to a guest. */
DECLARE_PERCPU(u32, softirq_pending);

void softirq_register(enum softirq nr, void (*handler)(void));
/* On this CPU; any context. */
void softirq_raise(enum softirq nr);
/* On CPU, with an IPI if it is another's; any context. */
void softirq_raise_on(unsigned int cpu, enum softirq nr);
/* Runs all that is pending; interrupts enabled. */
void softirq_process(void);

/* For long operations: is there something that should not wait? Then return -ERESTART. */
static inline bool softirq_waiting(void)
{
	return READ_ONCE(this_cpu(softirq_pending)) != 0;
}

#endif
