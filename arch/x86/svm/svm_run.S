/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Into a PVH guest and back (AMD APM vol. 2, 15.5). VMRUN switches what is in the save area up to RAX; VMLOAD and VMSAVE switch
 * segment bases, TR, LDTR and the system-call registers; general registers are moved here. Between CLGI and STGI nothing
 * interrupts, not even an NMI, so GS need not be the hypervisor's. Interrupts are allowed by RFLAGS all the same, as that is what lets one
 * end the guest's turn (15.21.1).
 */
#include <asm-offsets.h>

	.text
	.balign 16
	.globl svm_run
svm_run:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	push	%rdx
	push	%rsi
	push	%rdi
	clgi
	sti
	mov	VCPU_R15(%rsi), %r15
	mov	VCPU_R14(%rsi), %r14
	mov	VCPU_R13(%rsi), %r13
	mov	VCPU_R12(%rsi), %r12
	mov	VCPU_RBP(%rsi), %rbp
	mov	VCPU_RBX(%rsi), %rbx
	mov	VCPU_R11(%rsi), %r11
	mov	VCPU_R10(%rsi), %r10
	mov	VCPU_R9(%rsi), %r9
	mov	VCPU_R8(%rsi), %r8
	mov	VCPU_RCX(%rsi), %rcx
	mov	VCPU_RDX(%rsi), %rdx
	mov	VCPU_RDI(%rsi), %rdi
	mov	VCPU_RSI(%rsi), %rsi
	mov	(%rsp), %rax
	vmload	%rax
	vmrun	%rax
	vmsave	%rax
	push	%rsi
	mov	16(%rsp), %rsi
	mov	%r15, VCPU_R15(%rsi)
	mov	%r14, VCPU_R14(%rsi)
	mov	%r13, VCPU_R13(%rsi)
	mov	%r12, VCPU_R12(%rsi)
	mov	%rbp, VCPU_RBP(%rsi)
	mov	%rbx, VCPU_RBX(%rsi)
	mov	%r11, VCPU_R11(%rsi)
	mov	%r10, VCPU_R10(%rsi)
	mov	%r9, VCPU_R9(%rsi)
	mov	%r8, VCPU_R8(%rsi)
	mov	%rcx, VCPU_RCX(%rsi)
	mov	%rdx, VCPU_RDX(%rsi)
	mov	%rdi, VCPU_RDI(%rsi)
	pop	VCPU_RSI(%rsi)
	mov	16(%rsp), %rax
	vmload	%rax
	cli
	stgi
	add	$24, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

	.section .note.GNU-stack, "", @progbits
