/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Probes that C cannot express: a call of what may not execute, and a fault with known contents in every register. */
#include <asm/extable.h>

#define FRAME 384
#define REGISTERS 96 /* in the frame: x0 to x30 as the fault left them */

	.text
	.globl probe_exec
probe_exec:
	stp x29, x30, [sp, #-32]!
	mov x29, sp
	str x0, [sp, #16]
	adr x1, .Lfaulted
	bl extable_expect
	ldr x2, [sp, #16]
	blr x2
	mov x0, #1
	b .Ldone
.Lfaulted:
	mov x0, #0
.Ldone:
	str x0, [sp, #16]
	mov x0, #0
	mov x1, #0
	bl extable_expect
	ldr x0, [sp, #16]
	ldp x29, x30, [sp], #32
	ret

	.globl probe_registers
probe_registers:
	sub sp, sp, #FRAME
	stp x19, x20, [sp, #16 * 0]
	stp x21, x22, [sp, #16 * 1]
	stp x23, x24, [sp, #16 * 2]
	stp x25, x26, [sp, #16 * 3]
	stp x27, x28, [sp, #16 * 4]
	stp x29, x30, [sp, #16 * 5]
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
	mov x\n, #(\n * 8) /* x0: never mapped */
	.endr
.Lfault:
	ldr xzr, [x0]
.Lafter:
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
	str x\n, [sp, #(REGISTERS + \n * 8)]
	.endr
	mov x0, #0
	mov x1, #0
	add x2, sp, #REGISTERS
1:	ldr x3, [x2, x1]
	cmp x3, x1
	cinc x0, x0, ne
	add x1, x1, #8
	cmp x1, #(31 * 8)
	b.lo 1b
	ldp x19, x20, [sp, #16 * 0]
	ldp x21, x22, [sp, #16 * 1]
	ldp x23, x24, [sp, #16 * 2]
	ldp x25, x26, [sp, #16 * 3]
	ldp x27, x28, [sp, #16 * 4]
	ldp x29, x30, [sp, #16 * 5]
	add sp, sp, #FRAME
	ret

	EX_TABLE .Lfault, .Lafter
	.section .note.GNU-stack, "", %progbits
