/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-CPU variables on arm64: the linker gathers them in .percpu, which is CPU 0's area; TPIDR_EL2 holds the distance from there to the CPU's
 * own area, 0 on CPU 0. It is set before any C code runs and never changes, so the compiler may keep it.
 */
#ifndef ASM_PERCPU_H
#define ASM_PERCPU_H

#include <tine/compiler.h>
#include <tine/types.h>

#define DECLARE_PERCPU(type, name) extern __typeof__(type) percpu_##name
#define DEFINE_PERCPU(type, name) __typeof__(type) percpu_##name __section(".percpu")

extern unsigned long percpu_offset[]; /* by CPU number */

static __always_inline unsigned long percpu_own_offset(void)
{
	unsigned long offset;

	__asm__("mrs %0, tpidr_el2" : "=r"(offset));
	return offset;
}

#define percpu_at(name, offset)                                                                    \
	(*(__typeof__(percpu_##name) *)((uintptr_t)&percpu_##name + (offset)))
#define this_cpu(name) percpu_at(name, percpu_own_offset())
#define per_cpu(name, cpu) percpu_at(name, percpu_offset[cpu])

DECLARE_PERCPU(unsigned int, cpu_number);
#define smp_processor_id() ((unsigned int)this_cpu(cpu_number))

#endif
