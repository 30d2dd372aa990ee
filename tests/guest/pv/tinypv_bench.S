/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shortest handlers there are, for measuring the way into the guest and back (work/bench_traps.c): each takes
 * the frame that the hypervisor pushed (abi page 5.3) for the frame of the iret hypercall (5.4). And what they are
 * measured from.
 */
#include <xen/xen.h>

	/* The frame is left from RIP upwards; RCX and R11 are the interrupted code's. */
.macro back
	push	$0
	push	%rcx
	push	%r11
	push	%rax
	mov	$__HYPERVISOR_iret, %eax
	syscall
.endm

.macro entry name
	.balign	16
	.globl	\name
\name:
.endm

	.text
	/* A fault whose instruction has two bytes: goes on behind it. */
entry bench_skip_two
	pop	%rcx
	pop	%r11
	addq	$2, (%rsp)
	back

	/* The same with an error code. */
entry bench_skip_two_error
	pop	%rcx
	pop	%r11
	add	$8, %rsp
	addq	$2, (%rsp)
	back

	/* A trap, or a system call: RIP is behind the instruction already. */
entry bench_return
	pop	%rcx
	pop	%r11
	back

	/* An event: its port is no longer pending, nor anything else of its word. */
entry bench_upcall
	pop	%rcx
	pop	%r11
	push	$0
	push	%rcx
	push	%r11
	push	%rax
	mov	tiny_vcpu, %rcx
	movb	$0, (%rcx)
	movq	$0, 8(%rcx)
	mov	bench_port_word, %rcx
	mov	bench_port_bit, %rax
	lock btr %rax, (%rcx)
	incl	bench_upcalls
	mov	$__HYPERVISOR_iret, %eax
	syscall

	/* void bench_iret(void): to behind itself by the iret hypercall. */
entry bench_iret
	mov	%rsp, %rdx
	pushq	$FLAT_KERNEL_SS
	push	%rdx
	pushq	$2 /* events stay masked */
	pushq	$FLAT_KERNEL_CS & ~3
	push	$1f
	push	$0
	push	%rcx
	push	%r11
	push	%rax
	mov	$__HYPERVISOR_iret, %eax
	syscall
1:	ret

	/* Another vCPU: yields until it is told to stop, then ends itself. It has no stack. */
entry bench_other_vcpu
1:	mov	$__HYPERVISOR_sched_op, %eax
	xor	%edi, %edi /* SCHEDOP_yield */
	xor	%esi, %esi
	syscall
	incq	bench_other_yields
	cmpl	$0, bench_other_stop
	je	1b
	mov	$__HYPERVISOR_vcpu_op, %eax
	mov	$2, %edi /* VCPUOP_down */
	mov	$1, %esi
	xor	%edx, %edx
	syscall
	ud2

	.section .note.GNU-stack, "", @progbits
