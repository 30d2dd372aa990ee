// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A PVH guest's hardware breakpoints, under QEMU 7.2. A processor has them only while the guest runs. QEMU inserts them where a guest writes DR7, and
 * takes none out at #VMEXIT: one on an address of the hypervisor's would stop it there for ever. So writes of a guest's are intercepted;
 * QEMU is told of its breakpoints just before VMRUN, and to forget them just after it; and those in the hypervisor's range are never enabled.
 * Anywhere else nothing of this is needed, and the registers are the guest's own.
 *
 * Of the vCPU that runs: DR0 to DR3 are in the CPU.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/debugreg.h>
#include <asm/gpr.h>
#include <asm/memory.h>
#include <asm/msr.h>

#define DR_NUMBER 0xfU
#define LARGEST_MASK 7UL /* a breakpoint is for at most 8 bytes, aligned */

u32 svm_dr_intercepts(void)
{
	if (!x86_cpu.qemu_tcg)
		return 0;
	return SVM_INTERCEPT_DR_WRITE(0) | SVM_INTERCEPT_DR_WRITE(1) | SVM_INTERCEPT_DR_WRITE(2) |
	       SVM_INTERCEPT_DR_WRITE(3) | SVM_INTERCEPT_DR_WRITE(5) | SVM_INTERCEPT_DR_WRITE(7);
}

static u64 permitted(u64 dr7, const u64 dr[DR_ADDRESSES])
{
	dr7 = (dr7 & ~(DR7_RESERVED_ZEROS | DR7_GD)) | DR7_NONE;
	for (unsigned int n = 0; n < DR_ADDRESSES; n++) {
		if ((dr[n] | LARGEST_MASK) >= HYPERVISOR_VIRT_START &&
		    (dr[n] & ~LARGEST_MASK) < HYPERVISOR_VIRT_END)
			dr7 &= ~DR7_ENABLES_OF(n);
	}
	return dr7;
}

static int write_dr(struct vcpu *v, unsigned int number, u64 value)
{
	struct vmcb *c = svm_vmcb(v);
	u64 dr[DR_ADDRESSES];

	x86_read_dr(dr);
	if (number < DR_ADDRESSES) {
		dr[number] = value;
		x86_write_dr(dr);
		c->dr7 = permitted(c->dr7, dr);
		return 0;
	}
	if (value >> 32)
		return -EINVAL;
	c->dr7 = permitted(value, dr);
	return 0;
}

/* DR5 is another name of DR7, until CR4.DE takes it away. */
void svm_exit_dr(struct vcpu *v)
{
	const struct vmcb *c = svm_vmcb(v);
	unsigned int number = (unsigned int)c->exit_code & DR_NUMBER;
	int gpr = svm_insn_find_mov(v, SVM_MOV_TO_DR, number);
	u64 value = *x86_gpr(&v->arch.regs, (unsigned int)gpr);

	if (number == 5 && (c->cr4 & CR4_DE))
		svm_inject(v, TRAP_UD);
	else if (gpr < 0 || write_dr(v, number, svm_in_long_mode(c) ? value : (u32)value))
		svm_inject_code(v, TRAP_GP, 0);
	else
		svm_skip(v);
}
