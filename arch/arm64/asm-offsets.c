// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Structure offsets for assembly: compiled to assembly only; the Makefile turns the "->" lines into
 * build/.../asm-offsets.h.
 */
#include <asm/regs.h>
#include <tine/vcpu.h>

void asm_offsets(void);

#define DEFINE_VALUE(name, value) __asm__ volatile("\n#->" #name " %0" : : "i"(value))
#define DEFINE_OFFSET(name, type, member) DEFINE_VALUE(name, offsetof(type, member))

void asm_offsets(void)
{
	DEFINE_VALUE(REGS_SIZE, sizeof(struct cpu_regs));
	DEFINE_OFFSET(REGS_X0, struct cpu_regs, x[0]);
	DEFINE_OFFSET(REGS_X30, struct cpu_regs, x[30]);
	DEFINE_OFFSET(REGS_PC, struct cpu_regs, pc);
	DEFINE_OFFSET(REGS_ESR, struct cpu_regs, esr);
	DEFINE_OFFSET(VCPU_REGS, struct vcpu, arch.regs);
	DEFINE_OFFSET(VCPU_STACK, struct vcpu, arch.guest.stack);
}
