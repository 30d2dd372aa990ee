/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interrupt flag of this CPU. */
#ifndef ASM_IRQFLAGS_H
#define ASM_IRQFLAGS_H

#include <tine/types.h>

#define X86_EFLAGS_IF 0x200UL

static inline unsigned long local_irq_flags(void)
{
	unsigned long flags;

	__asm__ volatile("pushf; pop %0" : "=rm"(flags));
	return flags;
}

static inline bool local_irqs_enabled(void)
{
	return local_irq_flags() & X86_EFLAGS_IF;
}

static inline void local_irq_disable(void)
{
	__asm__ volatile("cli" ::: "memory");
}

static inline void local_irq_enable(void)
{
	__asm__ volatile("sti" ::: "memory");
}

static inline unsigned long local_irq_save(void)
{
	unsigned long flags = local_irq_flags();

	local_irq_disable();
	return flags;
}

static inline void local_irq_restore(unsigned long flags)
{
	if (flags & X86_EFLAGS_IF)
		local_irq_enable();
}

#endif
