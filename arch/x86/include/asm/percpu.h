/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-CPU variables on x86: the linker gathers them in .percpu, which is CPU 0's area until areas are allocated; every
 * CPU's GS base holds the distance from there to its own area. So %gs:name(%rip) reaches the CPU's own copy.
 */
#ifndef ASM_PERCPU_H
#define ASM_PERCPU_H

#include <tine/compiler.h>
#include <tine/types.h>

#define DECLARE_PERCPU(type, name) extern __typeof__(type) percpu_##name
#define DEFINE_PERCPU(type, name) __typeof__(type) percpu_##name __section(".percpu")

extern unsigned long percpu_offset[]; /* by CPU number */

#define this_cpu(name) (*(__seg_gs __typeof__(percpu_##name) *)(uintptr_t)&percpu_##name)
#define per_cpu(name, cpu)                                                                         \
	(*(__typeof__(percpu_##name) *)((uintptr_t)&percpu_##name + percpu_offset[cpu]))

DECLARE_PERCPU(unsigned int, cpu_number);
#define smp_processor_id() ((unsigned int)this_cpu(cpu_number))

#endif
