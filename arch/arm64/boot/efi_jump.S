/* SPDX-License-Identifier: GPL-2.0-or-later */
/* efi_jump(image, tree): leaves UEFI's translations, which map everything at its physical address, and enters IMAGE as the Image protocol has it. */
#include <asm/sysreg.h>

	.section .text, "ax"
	.globl efi_jump
efi_jump:
	msr daifset, #0xf
	mov x4, x0
	mov x0, x1
	mrs x5, sctlr_el2
	mov x6, #(SCTLR_M | SCTLR_C)
	orr x6, x6, #SCTLR_I
	bic x5, x5, x6
	msr sctlr_el2, x5
	isb
	ic iallu
	dsb nsh
	isb
	mov x1, xzr
	mov x2, xzr
	mov x3, xzr
	br x4
