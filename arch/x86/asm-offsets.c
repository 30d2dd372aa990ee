// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Structure offsets for assembly: compiled to assembly only; the Makefile turns the "->" lines into
 * build/.../asm-offsets.h.
 */
#include <tine/hypercall.h>
#include <asm/tss.h>
#include <tine/vcpu.h>

void asm_offsets(void);

#define DEFINE_VALUE(name, value) __asm__ volatile("\n#->" #name " %0" : : "i"(value))
#define DEFINE_OFFSET(name, type, member) DEFINE_VALUE(name, offsetof(type, member))

void asm_offsets(void)
{
	DEFINE_OFFSET(REGS_ERROR_CODE, struct cpu_regs, error_code);
	DEFINE_OFFSET(REGS_RIP, struct cpu_regs, rip);
	DEFINE_OFFSET(TSS_RSP0, struct x86_tss, rsp0);
	DEFINE_VALUE(REGS_SIZE, sizeof(struct cpu_regs));
	DEFINE_OFFSET(VCPU_STACK_TOP, struct vcpu, arch.stack_top);
	DEFINE_OFFSET(VCPU_REGS, struct vcpu, arch.regs);

	DEFINE_OFFSET(VCPU_R15, struct vcpu, arch.regs.r15);
	DEFINE_OFFSET(VCPU_R14, struct vcpu, arch.regs.r14);
	DEFINE_OFFSET(VCPU_R13, struct vcpu, arch.regs.r13);
	DEFINE_OFFSET(VCPU_R12, struct vcpu, arch.regs.r12);
	DEFINE_OFFSET(VCPU_RBP, struct vcpu, arch.regs.rbp);
	DEFINE_OFFSET(VCPU_RBX, struct vcpu, arch.regs.rbx);
	DEFINE_OFFSET(VCPU_R11, struct vcpu, arch.regs.r11);
	DEFINE_OFFSET(VCPU_R10, struct vcpu, arch.regs.r10);
	DEFINE_OFFSET(VCPU_R9, struct vcpu, arch.regs.r9);
	DEFINE_OFFSET(VCPU_R8, struct vcpu, arch.regs.r8);
	DEFINE_OFFSET(VCPU_RAX, struct vcpu, arch.regs.rax);
	DEFINE_OFFSET(VCPU_RCX, struct vcpu, arch.regs.rcx);
	DEFINE_OFFSET(VCPU_RDX, struct vcpu, arch.regs.rdx);
	DEFINE_OFFSET(VCPU_RSI, struct vcpu, arch.regs.rsi);
	DEFINE_OFFSET(VCPU_RDI, struct vcpu, arch.regs.rdi);
	DEFINE_OFFSET(VCPU_ENTRY_VECTOR, struct vcpu, arch.regs.entry_vector);
	DEFINE_OFFSET(VCPU_RIP, struct vcpu, arch.regs.rip);
	DEFINE_OFFSET(VCPU_CS, struct vcpu, arch.regs.cs);
	DEFINE_OFFSET(VCPU_RFLAGS, struct vcpu, arch.regs.rflags);
	DEFINE_OFFSET(VCPU_RSP, struct vcpu, arch.regs.rsp);
	DEFINE_OFFSET(VCPU_SS, struct vcpu, arch.regs.ss);
	DEFINE_OFFSET(VCPU_KERNEL_MODE, struct vcpu, arch.pv.kernel_mode);
	DEFINE_OFFSET(VCPU_INFO, struct vcpu, info);
	DEFINE_OFFSET(INFO_UPCALL_PENDING, vcpu_info_t, evtchn_upcall_pending);
	DEFINE_OFFSET(INFO_UPCALL_MASK, vcpu_info_t, evtchn_upcall_mask);
	DEFINE_VALUE(NR_HYPERCALLS, NR_HYPERCALLS);
	DEFINE_VALUE(X86_ENTRY_SYSCALL, X86_ENTRY_SYSCALL);
}
