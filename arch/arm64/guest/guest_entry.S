/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way into a guest and out. While it runs, SP_EL2 is the address of its registers in struct vcpu: the vectors (vectors.S) come here with it, so
 * they are saved without a free register, and only then the CPU's stack is taken up. Interrupts and SErrors are masked all the while.
 */
#include <asm-offsets.h>
#include <asm/save_registers.h>

	.section .text, "ax"

	.macro way_out name, kind
	.globl \name
\name:
	stp x0, x1, [sp]
	mov x0, #\kind
	b guest_out
	.endm

	way_out arm64_guest_sync, 0
	way_out arm64_guest_irq, 1
	way_out arm64_guest_serror, 2

/* Kind of exit in x0. */
guest_out:
	save_from_x2
	str x30, [sp, #REGS_X30]
	mrs x2, elr_el2
	mrs x3, spsr_el2
	mrs x4, esr_el2
	mrs x5, far_el2
	stp x2, x3, [sp, #REGS_PC]
	stp x4, x5, [sp, #REGS_ESR]
	sub x1, sp, #VCPU_REGS
	ldr x2, [x1, #VCPU_STACK]
	mov sp, x2
	mov x29, xzr
	mov x30, xzr
	b arm64_guest_exit

/* arm64_guest_enter(vcpu) */
	.globl arm64_guest_enter
arm64_guest_enter:
	add x0, x0, #VCPU_REGS
	mov sp, x0
	ldp x2, x3, [sp, #REGS_PC]
	msr elr_el2, x2
	msr spsr_el2, x3
	ldr x30, [sp, #REGS_X30]
	ldp x28, x29, [sp, #16 * 14]
	ldp x26, x27, [sp, #16 * 13]
	ldp x24, x25, [sp, #16 * 12]
	ldp x22, x23, [sp, #16 * 11]
	ldp x20, x21, [sp, #16 * 10]
	ldp x18, x19, [sp, #16 * 9]
	ldp x16, x17, [sp, #16 * 8]
	ldp x14, x15, [sp, #16 * 7]
	ldp x12, x13, [sp, #16 * 6]
	ldp x10, x11, [sp, #16 * 5]
	ldp x8, x9, [sp, #16 * 4]
	ldp x6, x7, [sp, #16 * 3]
	ldp x4, x5, [sp, #16 * 2]
	ldp x2, x3, [sp, #16 * 1]
	ldp x0, x1, [sp]
	eret
	/* Nothing behind it runs, also not ahead of time. */
	dsb nsh
	isb
