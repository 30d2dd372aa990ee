/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each CPU's task-state segment and own descriptor table. */
#ifndef ASM_TSS_H
#define ASM_TSS_H

#include <tine/compiler.h>
#include <tine/cpu.h>
#include <tine/types.h>

/* Slots of the interrupt-stack table (1 .. 7 in a gate; 0: none). */
#define IST_DOUBLE_FAULT 1
#define IST_NMI 2
#define IST_MACHINE_CHECK 3
#define IST_DEBUG 4
#define IST_COUNT 4

/* Intel SDM vol. 3, 8.7. */
struct x86_tss {
	u32 reserved0;
	u64 rsp0; /* where a trap from ring 3 pushes: the current vCPU's frame end */
	u64 rsp1, rsp2;
	u64 reserved1;
	u64 ist[7];
	u64 reserved2;
	u16 reserved3;
	u16 iomap_base; /* beyond the limit: no port is allowed to ring 3 */
} __packed __aligned(4);

DECLARE_PERCPU(struct x86_tss, x86_tss);
DECLARE_PERCPU(void *, x86_stack_top); /* of this CPU's one stack; 16-byte aligned */

/* Loads the CPU's own GDT and segment registers, TR and IDT. The CPU's GS base is kept. */
void x86_segments_init(void);

/* LGDT of the CPU's own table only, when no guest's is wanted any more. */
void x86_load_own_gdt(void);

#endif
