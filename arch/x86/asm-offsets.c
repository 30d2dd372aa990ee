// SPDX-License-Identifier: GPL-2.0-or-later
/* Structure offsets for assembly: compiled to assembly only; the Makefile turns the "->" lines into build/.../asm-offsets.h. */
#include <tine/vcpu.h>

void asm_offsets(void);

#define DEFINE_VALUE(name, value) __asm__ volatile("\n#->" #name " %0" : : "i"(value))
#define DEFINE_OFFSET(name, type, member) DEFINE_VALUE(name, offsetof(type, member))

void asm_offsets(void)
{
	DEFINE_OFFSET(REGS_ERROR_CODE, struct cpu_regs, error_code);
	DEFINE_OFFSET(REGS_RIP, struct cpu_regs, rip);
	DEFINE_VALUE(REGS_SIZE, sizeof(struct cpu_regs));
	DEFINE_OFFSET(VCPU_STACK_TOP, struct vcpu, arch.stack_top);
	DEFINE_OFFSET(VCPU_REGS, struct vcpu, arch.regs);
}
