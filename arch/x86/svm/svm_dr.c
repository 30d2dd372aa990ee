// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A PVH guest's hardware breakpoints, which under QEMU 7.2 it does not have. QEMU inserts a breakpoint where DR7 is written and keeps it over #VMEXIT: one
 * on an address of the hypervisor's would stop it there for ever. What a watchpoint found while an instruction exits is raised in the hypervisor, before it has its
 * own segments back; and watchpoints are compared with physical addresses as well, so one on the control block could break #VMEXIT off. So DR7 is
 * the guest's to write and to read, and no bit of it reaches the emulator. A processor has none of this: there DR7 is not intercepted.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/debugreg.h>
#include <asm/gpr.h>
#include <asm/msr.h>

#define DR_NUMBER 0xfU

u32 svm_dr_intercepts(void)
{
	if (!x86_cpu.qemu_tcg)
		return 0;
	return SVM_INTERCEPT_DR_READ(5) | SVM_INTERCEPT_DR_READ(7) | SVM_INTERCEPT_DR_WRITE(5) |
	       SVM_INTERCEPT_DR_WRITE(7);
}

static void write_dr7(struct vcpu *v, u64 value)
{
	if (value >> 32) {
		svm_inject_code(v, TRAP_GP, 0);
		return;
	}
	if ((value & DR7_ENABLES) &&
	    !__atomic_exchange_n(&v->domain->arch.svm.told_of_breakpoints, true, __ATOMIC_RELAXED))
		pr_info("Domain %u: its hardware breakpoints do nothing: this is QEMU\n",
			v->domain->id);
	v->arch.svm->dr7 = (value & ~DR7_RESERVED_ZEROS) | DR7_NONE;
	svm_skip(v);
}

/* DR5 is another name of DR7, until CR4.DE takes it away. */
void svm_exit_dr(struct vcpu *v)
{
	const struct vmcb *c = svm_vmcb(v);
	unsigned int number = (unsigned int)c->exit_code & DR_NUMBER;
	bool write = c->exit_code >= SVM_EXIT_DR_WRITE;
	int gpr = svm_insn_find_mov(v, write ? SVM_MOV_TO_DR : SVM_MOV_FROM_DR, number);
	u64 *reg = x86_gpr(&v->arch.regs, (unsigned int)gpr);

	if (gpr < 0) {
		svm_inject_code(v, TRAP_GP, 0); /* the code was changed under the exit */
	} else if (number == 5 && (c->cr4 & CR4_DE)) {
		svm_inject(v, TRAP_UD);
	} else if (write) {
		write_dr7(v, svm_in_long_mode(c) ? *reg : (u32)*reg);
	} else {
		*reg = v->arch.svm->dr7;
		svm_skip(v);
	}
}
