/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PVH guest from its 32-bit entry (abi page 7.1) to C: a line by a hypercall of that mode, then long mode with the first 4 GiB mapped as they
 * are, and gates for the two exceptions that tests provoke. EBX has the address of start information.
 */
#include <xen/elfnote.h>

#define STACK_SIZE 16384
#define CS64 8
#define DS 16

	.section .text.entry, "ax"
	.code32
	.globl tinypvh_entry
tinypvh_entry:
	mov	$stack_top, %esp
	mov	%ebx, %ebp
	mov	$18, %eax	/* console_io */
	xor	%ebx, %ebx	/* write */
	mov	$(hello_end - hello), %ecx
	mov	$hello, %edx
	vmmcall
	mov	%eax, call32_result

	/* 4 GiB in pages of 2 MiB: start information is at the end of low memory */
	movl	$(level3 + 3), tinypvh_level4
	movl	$(level2 + 3), level3
	movl	$(level2 + 0x1003), level3 + 8
	movl	$(level2 + 0x2003), level3 + 16
	movl	$(level2 + 0x3003), level3 + 24
	xor	%ecx, %ecx
1:	mov	%ecx, %eax
	shl	$21, %eax
	or	$0x83, %eax
	mov	%eax, level2(,%ecx,8)
	inc	%ecx
	cmp	$2048, %ecx
	jne	1b

	mov	$0x20, %eax	/* PAE */
	mov	%eax, %cr4
	mov	$tinypvh_level4, %eax
	mov	%eax, %cr3
	mov	$0xc0000080, %ecx
	rdmsr
	or	$0x100, %eax	/* LME */
	wrmsr
	mov	%cr0, %eax
	or	$0x80000000, %eax
	mov	%eax, %cr0
	lgdt	gdt_pointer
	ljmp	$CS64, $long_mode

	.code64
long_mode:
	mov	$DS, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	%ebp, %edi
	mov	call32_result(%rip), %esi
	xor	%ebp, %ebp
	call	tinypvh_start
1:	hlt
	jmp	1b

/*
 * #UD and #GP: count, and go on where tinypvh_skip says. The error code, if there is one, goes.
 */
	.globl tinypvh_ud, tinypvh_gp, tinypvh_upcall
tinypvh_gp:
	add	$8, %rsp
	incl	tinypvh_faults + 4(%rip)
	jmp	1f
tinypvh_ud:
	incl	tinypvh_faults(%rip)
1:	push	%rax
	mov	tinypvh_skip(%rip), %rax
	mov	%rax, 8(%rsp)
	pop	%rax
	iretq

/* An event: clear what was pending, so that it does not come again. */
tinypvh_upcall:
	push	%rax
	mov	tinypvh_vcpu_info(%rip), %rax
	movb	$0, (%rax)
	incl	tinypvh_upcalls(%rip)
	pop	%rax
	iretq

/* A single step: where it came to; the last one. */
	.globl tinypvh_step, tinypvh_stepped
tinypvh_step:
	push	%rax
	mov	8(%rsp), %rax
	mov	%rax, tinypvh_stepped(%rip)
	andl	$~0x100, 24(%rsp)
	pop	%rax
	iretq

/* Interrupts of the APIC end with an EOI; its timer's are counted. */
	.globl tinypvh_timer, tinypvh_stray, tinypvh_nmi
tinypvh_timer:
	incl	tinypvh_timers(%rip)
tinypvh_stray:
	push	%rax
	push	%rcx
	push	%rdx
	mov	$0x80b, %ecx
	xor	%eax, %eax
	xor	%edx, %edx
	wrmsr
	pop	%rdx
	pop	%rcx
	pop	%rax
	iretq

/* Counts how deep it is in itself, exits once while it is, and may send itself another one. */
tinypvh_nmi:
	push	%rax
	push	%rcx
	push	%rdx
	incl	tinypvh_nmis(%rip)
	incl	tinypvh_nmi_depth(%rip)
	mov	tinypvh_nmi_depth(%rip), %eax
	cmp	tinypvh_nmi_deepest(%rip), %eax
	jbe	1f
	mov	%eax, tinypvh_nmi_deepest(%rip)
1:	xor	%eax, %eax
	xchg	%eax, tinypvh_nmi_again(%rip)
	test	%eax, %eax
	jz	1f
	mov	$0x830, %ecx
	mov	$0x4400, %eax
	xor	%edx, %edx
	wrmsr
	mov	$63, %eax
	vmmcall
1:	decl	tinypvh_nmi_depth(%rip)
	pop	%rdx
	pop	%rcx
	pop	%rax
	iretq

	.data
	.balign 16
	.globl tinypvh_gdt
tinypvh_gdt:
	.quad	0
	.quad	0x00af9b000000ffff	/* 8: 64-bit code */
	.quad	0x00cf93000000ffff	/* 16: data */
	.quad	0x00cf9b000000ffff	/* 24: 32-bit code */
gdt_pointer:
	.word	. - tinypvh_gdt - 1
	.long	tinypvh_gdt
hello:
	.ascii	"tiny: PVH, at its 32-bit entry\n"
hello_end:
	.balign 8
	.globl tinypvh_skip, tinypvh_vcpu_info
tinypvh_skip:
	.quad	0
tinypvh_vcpu_info:
	.quad	0
	.globl tinypvh_timers, tinypvh_nmis, tinypvh_nmi_depth, tinypvh_nmi_deepest, tinypvh_nmi_again
tinypvh_stepped:
	.quad	0
tinypvh_timers:
	.long	0
tinypvh_nmis:
	.long	0
tinypvh_nmi_depth:
	.long	0
tinypvh_nmi_deepest:
	.long	0
tinypvh_nmi_again:
	.long	0
	.globl tinypvh_faults, tinypvh_upcalls
tinypvh_faults:
	.long	0, 0
tinypvh_upcalls:
	.long	0
call32_result:
	.long	-1

	.bss
	.balign 4096
	.globl	tinypvh_level4
tinypvh_level4:
	.skip 4096
level3:	.skip 4096
level2:	.skip 4 * 4096
	.skip	STACK_SIZE
stack_top:

	.section .note.Xen, "a", @note
	.long	4, 4, XEN_ELFNOTE_PHYS32_ENTRY
	.asciz	"Xen"
	.long	tinypvh_entry

	.section .note.GNU-stack, "", @progbits
