/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register frame that entry code builds: in the vCPU when a guest was interrupted, on the CPU's stack when the hypervisor was. Its size is a
 * multiple of 16, as SP must be.
 */
#ifndef ASM_REGS_H
#define ASM_REGS_H

#include <tine/types.h>

struct cpu_regs {
	u64 x[31];
	u64 sp; /* of the interrupted level, where the entry code saw it; a guest's SP_EL0 and SP_EL1 are elsewhere */
	u64 pc;
	u64 pstate;
	u64 esr; /* of a synchronous exception or SError */
	u64 far;
};

_Static_assert(sizeof(struct cpu_regs) % 16 == 0, "SP is 16-byte aligned");

#endif
