/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The iret hypercall into the kernel itself, for a test that wants to see every register it arrives
 * with.
 */
#include <xen/xen.h>

	.text
	/*
	 * void landing_iret(const void *frame, uint64_t *saved_sp): uses the frame of 9 words as
	 * the stack (abi page 5.4).
	 */
	.globl	landing_iret
landing_iret:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, (%rsi)
	mov	%rdi, %rsp
	mov	$__HYPERVISOR_iret, %eax
	syscall
	ud2

	/*
	 * RIP of such a frame: stores what it finds in landing_seen and returns from landing_iret.
	 */
	.globl	landing_pad
landing_pad:
	mov	%rax, landing_seen
	mov	%rcx, landing_seen + 8
	mov	%r11, landing_seen + 16
	mov	%rsp, landing_seen + 24
	pushf
	pop	%rax
	mov	%rax, landing_seen + 32
	mov	%cs, %eax
	mov	%rax, landing_seen + 40
	mov	%ss, %eax
	mov	%rax, landing_seen + 48
	cld
	mov	landing_saved_sp, %rdi
	jmp	user_leave

	.section .note.GNU-stack, "", @progbits
