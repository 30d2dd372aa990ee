/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The general register that a number in an instruction means. */
#ifndef ASM_GPR_H
#define ASM_GPR_H

#include <asm/regs.h>
#include <tine/types.h>

/*
 * N is 0 .. 15, as ModRM, SIB and REX make it (AMD64 Architecture Programmer's Manual vol. 3, table
 * 1-10).
 */
static inline u64 *x86_gpr(struct cpu_regs *regs, unsigned int n)
{
	static const u8 at[16] = {
		offsetof(struct cpu_regs, rax), offsetof(struct cpu_regs, rcx),
		offsetof(struct cpu_regs, rdx), offsetof(struct cpu_regs, rbx),
		offsetof(struct cpu_regs, rsp), offsetof(struct cpu_regs, rbp),
		offsetof(struct cpu_regs, rsi), offsetof(struct cpu_regs, rdi),
		offsetof(struct cpu_regs, r8),  offsetof(struct cpu_regs, r9),
		offsetof(struct cpu_regs, r10), offsetof(struct cpu_regs, r11),
		offsetof(struct cpu_regs, r12), offsetof(struct cpu_regs, r13),
		offsetof(struct cpu_regs, r14), offsetof(struct cpu_regs, r15),
	};

	return (u64 *)(void *)((char *)regs + at[n & 15]);
}

#endif
