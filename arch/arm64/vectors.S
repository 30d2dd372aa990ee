/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exception vectors of EL2 (DDI 0487, D1.3.1). The hypervisor runs on SP_EL2; what interrupts it is saved on the same stack, below a link frame by
 * which backtraces find the way past it. What interrupts a guest is arch/arm64/guest's: it finds the registers untouched and the CPU's stack in SP.
 *
 * Every stack is the upper half of 64 KiB whose lower half is not mapped: bit 15 of an address inside is set. A frame that would lie in the guard
 * goes to the CPU's overflow stack.
 */
#include <asm-offsets.h>
#include <asm/save_registers.h>
#include <asm/stack.h>

#define FRAME (REGS_SIZE + 16)

	.macro save_registers
	stp x0, x1, [sp, #16 * 0]
	save_from_x2
	.endm

	.section .text, "ax"

/* A vector of the hypervisor's own. */
	.macro own_vector handler, number
	.balign 128
	sub sp, sp, #FRAME
	/* No register is free and nothing may be stored yet: SP and x0 carry both values in turn as sum and difference. */
	add sp, sp, x0
	sub x0, sp, x0
	tbz x0, #STACK_BIT, 1f
	sub x0, sp, x0
	sub sp, sp, x0
	save_registers
	add x1, sp, #FRAME
	mov x0, #\number
	b \handler
1:	b stack_overflow
	.endm

	.macro guest_vector handler
	.balign 128
	b \handler
	.endm

	.balign 2048
	.globl arm64_vectors
arm64_vectors:
	own_vector bad_entry, 0 /* on SP_EL0, which is never used */
	own_vector bad_entry, 1
	own_vector bad_entry, 2
	own_vector bad_entry, 3
	own_vector sync_entry, 4
	own_vector irq_entry, 5
	own_vector irq_entry, 6 /* FIQ: a GIC that delivers group 0 */
	own_vector serror_entry, 7
	guest_vector arm64_guest_sync
	guest_vector arm64_guest_irq
	guest_vector arm64_guest_irq
	guest_vector arm64_guest_serror
	guest_vector arm64_guest_sync /* EL0 in AArch32 */
	guest_vector arm64_guest_irq
	guest_vector arm64_guest_irq
	guest_vector arm64_guest_serror

/* x1: SP as it was. The rest of the frame, and the link. */
	.macro finish_frame
	mrs x2, elr_el2
	mrs x3, spsr_el2
	mrs x4, esr_el2
	mrs x5, far_el2
	stp x30, x1, [sp, #REGS_X30]
	stp x2, x3, [sp, #REGS_PC]
	stp x4, x5, [sp, #REGS_ESR]
	stp x29, x2, [sp, #REGS_SIZE]
	add x29, sp, #REGS_SIZE
	.endm

sync_entry:
	finish_frame
	mov x0, sp
	bl arm64_trap
	b return_from_exception

irq_entry:
	finish_frame
	bl arm64_interrupt
	b return_from_exception

serror_entry:
	finish_frame
	mov x0, sp
	bl arm64_serror
	b return_from_exception

bad_entry:
	mov x6, x0
	finish_frame
	mov x0, sp
	mov x1, x6
	bl arm64_bad_vector

/* x0: where the frame would be; SP: that plus x0 as it was. The machine ends here, so EL0's thread registers may be used. */
stack_overflow:
	msr tpidrro_el0, x0
	sub x0, sp, x0
	msr tpidr_el0, x0
	adrp x0, percpu_overflow_stack
	add x0, x0, :lo12:percpu_overflow_stack
	mov sp, x0
	mrs x0, tpidr_el2
	add sp, sp, x0
	add sp, sp, #OVERFLOW_STACK_SIZE
	sub sp, sp, #FRAME
	mrs x0, tpidr_el0
	save_registers
	mrs x1, tpidrro_el0
	add x1, x1, #FRAME
	finish_frame
	mov x0, sp
	bl arm64_stack_overflow

return_from_exception:
	ldp x2, x3, [sp, #REGS_PC]
	msr elr_el2, x2
	msr spsr_el2, x3
	ldp x0, x1, [sp, #16 * 0]
	ldp x2, x3, [sp, #16 * 1]
	ldp x4, x5, [sp, #16 * 2]
	ldp x6, x7, [sp, #16 * 3]
	ldp x8, x9, [sp, #16 * 4]
	ldp x10, x11, [sp, #16 * 5]
	ldp x12, x13, [sp, #16 * 6]
	ldp x14, x15, [sp, #16 * 7]
	ldp x16, x17, [sp, #16 * 8]
	ldp x18, x19, [sp, #16 * 9]
	ldp x20, x21, [sp, #16 * 10]
	ldp x22, x23, [sp, #16 * 11]
	ldp x24, x25, [sp, #16 * 12]
	ldp x26, x27, [sp, #16 * 13]
	ldp x28, x29, [sp, #16 * 14]
	ldr x30, [sp, #REGS_X30]
	add sp, sp, #FRAME
	eret
