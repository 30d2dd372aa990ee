/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host has no interrupts: a flag a thread, so that code that nests them wrongly is seen. */
#ifndef ASM_IRQFLAGS_H
#define ASM_IRQFLAGS_H

#include <stdbool.h>

extern __thread bool host_irqs_off;

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
}

#endif
