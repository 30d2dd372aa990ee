/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes that C cannot express: a jump to where nothing may execute, and a fault with known
 * contents in every register.
 */
#include <asm/extable.h>

	.text
	.globl probe_exec
probe_exec:
	push %rdi
	lea .Lfaulted(%rip), %rsi
	call extable_expect
	pop %rdi
	lea .Lran(%rip), %rdx
	jmp *%rdi
.Lran:
	mov $1, %eax
	jmp .Ldone
.Lfaulted:
	xor %eax, %eax
.Ldone:
	push %rax
	xor %edi, %edi
	xor %esi, %esi
	call extable_expect
	pop %rax
	ret

	.globl probe_registers
probe_registers:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	.irp reg, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
	lea .L\reg(%rip), %\reg
	.endr
.Lfault:
	movb $0, 0x7ff /* never mapped */
.Lafter:
	push %rax
	push %rbx
	xor %ebx, %ebx
	.irp reg, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
	lea .L\reg(%rip), %rax
	cmp %rax, %\reg
	je .L\reg
	inc %ebx
.L\reg:
	.endr
	pop %rcx
	lea .Lrbx(%rip), %rax
	cmp %rax, %rcx
	je .Lrbx
	inc %ebx
.Lrbx:
	pop %rcx
	lea .Lrax(%rip), %rax
	cmp %rax, %rcx
	je .Lrax
	inc %ebx
.Lrax:
	mov %ebx, %eax
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret

	EX_TABLE .Lfault, .Lafter
	.section .note.GNU-stack, "", @progbits
