/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host has no interrupts: a flag a thread. Where interrupts come on again a thread may be made to lose the CPU, every so often
 * by chance: there the real machine is interrupted, and with few host CPUs little else would run in between.
 */
#ifndef ASM_IRQFLAGS_H
#define ASM_IRQFLAGS_H

#include <sched.h>
#include <stdbool.h>

extern __thread bool host_irqs_off;
extern __thread unsigned int host_chaos; /* 0: never; else the state of the chance */

static inline void host_interrupt(void)
{
	if (host_chaos && (host_chaos = host_chaos * 1664525 + 1013904223) >> 29 == 0)
		sched_yield();
}

static inline bool local_irqs_enabled(void)
{
	return !host_irqs_off;
}

static inline void local_irq_disable(void)
{
	host_irqs_off = true;
}

static inline void local_irq_enable(void)
{
	host_irqs_off = false;
}

static inline unsigned long local_irq_save(void)
{
	bool off = host_irqs_off;

	host_irqs_off = true;
	return off;
}

static inline void local_irq_restore(unsigned long flags)
{
	host_irqs_off = flags;
	if (!flags)
		host_interrupt();
}

#endif
