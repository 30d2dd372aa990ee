/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changing stacks: what the compiler expects kept is pushed on the old one and popped from the new
 * one.
 */
	.text
	/* void task_switch_stack(uint64_t *save_sp, uint64_t new_sp) */
	.globl	task_switch_stack
task_switch_stack:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, (%rdi)
	mov	%rsi, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

	/* Where a new task's first switch returns to, with the task in RBX. */
	.globl	task_begin
task_begin:
	mov	%rbx, %rdi
	xor	%ebp, %ebp
	call	task_main
	ud2

	.section .note.GNU-stack, "", @progbits
