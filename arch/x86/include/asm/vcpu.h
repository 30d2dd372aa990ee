/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A vCPU on x86. The first two members are fixed: entry code pushes a guest's registers so that they end at
 * X86_VCPU_FRAME_END, which is 16-byte aligned as the CPU aligns RSP before it pushes, then takes stack_top as its stack.
 */
#ifndef ASM_VCPU_H
#define ASM_VCPU_H

#include <asm/pv_vcpu.h> /* struct pv_vcpu */
#include <asm/regs.h>

struct svm_vcpu;

struct arch_vcpu {
	void *stack_top; /* of the CPU that it runs on; set at context switch */
	struct cpu_regs regs;
	void *fpu; /* FXSAVE/XSAVE image, 64-byte aligned */
	struct pv_vcpu pv;
	struct svm_vcpu *svm; /* a PVH guest's; arch/x86/svm/internal.h */
};

#define X86_VCPU_FRAME_END (8 + sizeof(struct cpu_regs))
_Static_assert(X86_VCPU_FRAME_END % 16 == 0, "the CPU aligns RSP before it pushes a frame");

#endif
