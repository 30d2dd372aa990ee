/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that an interrupt leaves for the next safe moment on the same CPU: before it returns to a guest, or in the main
 * loop. Handlers run with interrupts enabled, no lock held, on the CPU's own stack, and may change `current`.
 */
#ifndef TINE_SOFTIRQ_H
#define TINE_SOFTIRQ_H

#include <tine/cpu.h>

enum softirq {
	SOFTIRQ_TIMER,    /* sched/timer.c: run expired timers */
	SOFTIRQ_SCHEDULE, /* sched/scheduler.c: pick who runs */
	SOFTIRQ_CONSOLE,  /* sched/console_input.c: input bytes wait */
	SOFTIRQ_COUNT
};

DECLARE_PERCPU(
	u32, softirq_pending); /* bit per softirq; assembly tests it before it returns to a guest */

void softirq_register(enum softirq nr, void (*handler)(void));
void softirq_raise(enum softirq nr); /* on this CPU; any context */
void softirq_raise_on(unsigned int cpu,
		      enum softirq nr); /* on CPU, with an IPI if it is another's */
void softirq_process(void);             /* run all that is pending; interrupts enabled */

/* For long operations: is there something that should not wait? Then return -ERESTART. */
static inline bool softirq_waiting(void)
{
	return this_cpu(softirq_pending) != 0;
}

#endif
