/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PVH guest's ways into other modes. A hypercall from 32-bit code: in long mode's compatibility, or after leaving long mode for whatever kind of
 * paging, or none, that the caller describes (tinypvh_mode.h). And the second processor's way from its STARTUP in real mode to C.
 * Code, stack and these words lie where all modes have the same address for them; interrupts are off.
 */
#include "pvh/tinypvh_mode.h"

#define CS64 8
#define DS 16
#define CS32 24
#define CR0_PE 1
#define CR0_PG 0x80000000
#define CR4_PAE 0x20
#define EFER 0xc0000080
#define EFER_LME 0x100
#define STACK_SIZE 16384

	.text
	.code64
	.globl tinypvh_call_in_mode
tinypvh_call_in_mode:
	push	%rbx
	push	%rbp
	mov	%rsp, stack(%rip)
	mov	%edi, description(%rip)
	pushq	$CS32
	pushq	$1f
	lretq

	.code32
1:	mov	description, %ebp
	cmpl	$0, MODE_COMPATIBILITY(%ebp)
	jne	2f
	mov	%cr0, %eax
	and	$~CR0_PG, %eax
	mov	%eax, %cr0
	cmpl	$LME_STAYS, MODE_LME(%ebp)
	je	5f
	mov	$EFER, %ecx
	rdmsr
	and	$~EFER_LME, %eax
	wrmsr
5:	mov	MODE_CR4(%ebp), %eax
	mov	%eax, %cr4
	cmpl	$LME_AFTER, MODE_LME(%ebp)
	jne	6f
	mov	$EFER, %ecx
	rdmsr
	or	$EFER_LME, %eax
	wrmsr
6:	mov	$EFER, %ecx
	rdmsr
	mov	%eax, MODE_EFER(%ebp)
	mov	MODE_CR3(%ebp), %eax
	mov	%eax, %cr3
	mov	%cr0, %eax
	or	MODE_CR0(%ebp), %eax
	mov	%eax, %cr0

2:	mov	MODE_ARGS(%ebp), %ebx
	mov	MODE_ARGS+4(%ebp), %ecx
	mov	MODE_ARGS+8(%ebp), %edx
	mov	MODE_ARGS+12(%ebp), %esi
	mov	MODE_ARGS+16(%ebp), %edi
	mov	MODE_OP(%ebp), %eax
	vmmcall
	mov	description, %ebp
	mov	%eax, MODE_RESULT(%ebp)

	cmpl	$0, MODE_COMPATIBILITY(%ebp)
	jne	3f
	call	to_long_mode
3:	ljmp	$CS64, $4f

	.code64
4:	mov	stack(%rip), %rsp
	pop	%rbp
	pop	%rbx
	ret

	.code32
to_long_mode:
	mov	%cr0, %eax
	and	$~CR0_PG, %eax
	mov	%eax, %cr0
	mov	$CR4_PAE, %eax
	mov	%eax, %cr4
	mov	$tinypvh_level4, %eax
	mov	%eax, %cr3
	mov	$EFER, %ecx
	rdmsr
	or	$EFER_LME, %eax
	wrmsr
	mov	%cr0, %eax
	or	$CR0_PG, %eax
	mov	%eax, %cr0
	ret

/* Copied to TRAMPOLINE; DS is 0 there. */
	.code16
	.globl tinypvh_trampoline, tinypvh_trampoline_end
tinypvh_trampoline:
	lgdtl	TRAMPOLINE + pointer - tinypvh_trampoline
	mov	%cr0, %eax
	or	$CR0_PE, %al
	mov	%eax, %cr0
	ljmpl	$CS32, $second32
pointer:
	.word	4 * 8 - 1
	.long	tinypvh_gdt
tinypvh_trampoline_end:

	.code32
second32:
	mov	$DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	$second_stack, %esp
	call	to_long_mode
	ljmp	$CS64, $1f
	.code64
1:	xor	%ebp, %ebp
	call	tinypvh_second
2:	cli
	hlt
	jmp	2b

	.data
	.balign 8
stack:
	.quad	0
description:
	.long	0

	.bss
	.balign 16
	.skip	STACK_SIZE
second_stack:

	.section .note.GNU-stack, "", @progbits
