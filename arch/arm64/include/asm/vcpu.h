/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A vCPU on arm64: the registers that the way in saves come first, so that assembly reaches them at offset 0 of struct vcpu. */
#ifndef ASM_VCPU_H
#define ASM_VCPU_H

#include <asm/guest_vcpu.h> /* struct guest_vcpu */
#include <asm/regs.h>

struct arch_vcpu {
	struct cpu_regs regs;
	struct guest_vcpu guest;
};

#endif
