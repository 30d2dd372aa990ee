/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The register frame that entry code builds: in the vCPU when a guest was interrupted (TSS.RSP0 and the system-call
 * entry point there), on the CPU's own stack when the hypervisor was. Same order as the ABI's cpu_user_regs.
 */
#ifndef ASM_REGS_H
#define ASM_REGS_H

#include <tine/types.h>

struct cpu_regs {
	u64 r15, r14, r13, r12, rbp, rbx;
	u64 r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi;
	u32 error_code;
	u32 entry_vector; /* exception or interrupt vector; X86_ENTRY_SYSCALL ... */
	u64 rip;
	u64 cs; /* low 16 bits */
	u64 rflags;
	u64 rsp;
	u64 ss; /* low 16 bits; hardware pushes up to here */
};

#define X86_ENTRY_SYSCALL 0x100 /* may leave by SYSRET while rcx == rip and r11 == rflags */

#endif
