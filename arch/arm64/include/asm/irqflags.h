/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interrupt mask of this CPU: PSTATE.I, and F with it, since a GIC may be set up to deliver group 0 as FIQ. */
#ifndef ASM_IRQFLAGS_H
#define ASM_IRQFLAGS_H

#include <tine/types.h>

#define DAIF_I 0x80UL

static inline unsigned long local_irq_flags(void)
{
	unsigned long flags;

	__asm__ volatile("mrs %0, daif" : "=r"(flags));
	return flags;
}

static inline bool local_irqs_enabled(void)
{
	return !(local_irq_flags() & DAIF_I);
}

static inline void local_irq_disable(void)
{
	__asm__ volatile("msr daifset, #3" ::: "memory");
}

static inline void local_irq_enable(void)
{
	__asm__ volatile("msr daifclr, #3" ::: "memory");
}

static inline unsigned long local_irq_save(void)
{
	unsigned long flags = local_irq_flags();

	local_irq_disable();
	return flags;
}

static inline void local_irq_restore(unsigned long flags)
{
	if (!(flags & DAIF_I))
		local_irq_enable();
}

#endif
