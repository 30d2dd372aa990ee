/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs in user mode: a page of position-independent pieces, copied to TINY_USER_CODE. Each
 * gets its argument in RDI and ends by a trap; the ud2 behind it would show that the trap was
 * skipped.
 */
#include "tinypv_layout.h"

.macro program name
	.balign	16
	.globl	user_\name
user_\name:
.endm

	.section .text.pages, "ax", @progbits
	.balign	4096
	.globl	userland_start
userland_start:

	/*
	 * Every register the kernel must see unchanged. Comes back with CF set if the kernel's
	 * answer in RAX is not 1 + RDI.
	 */
program syscall
	mov	$0x1111, %ebx
	mov	$0x2222, %ebp
	mov	$0x3333, %r12d
	mov	$0x4444, %r15d
	mov	$0x5555, %r8d
	mov	$0x6666, %eax
	syscall
	.globl	user_syscall_return
user_syscall_return:
	sub	%rdi, %rax
	dec	%rax
	neg	%rax
	mov	$0x7777, %eax
	syscall
	ud2

program int80
	mov	$0x8080, %eax
	int	$0x80
	.globl	user_int80_return
user_int80_return:
	ud2

program int_kernel_gate
	int	$0x28
	ud2

program breakpoint
	int3
	ud2

program undefined
	ud2

program divide
	xor	%edx, %edx
	xor	%ecx, %ecx
	div	%ecx
	ud2

program read
	mov	(%rdi), %rax
	ud2

program write
	mov	%rdi, (%rdi)
	ud2

program fetch
	jmp	*%rdi

program cli
	cli
	ud2

	/* A port in RDI; ends with a system call. */
program in_byte
	mov	%edi, %edx
	xor	%eax, %eax
	inb	%dx, %al
	syscall
	ud2

program in_word
	mov	%edi, %edx
	xor	%eax, %eax
	inw	%dx, %ax
	syscall
	ud2

program hlt
	hlt
	ud2

	/*
	 * The forced-emulation prefix: the leaf in RDI, then ud2 with the answer in RAX RBX RCX
	 * RDX.
	 */
program forced_cpuid
	mov	%edi, %eax
	xor	%ecx, %ecx
	ud2
	.ascii	"xen"
	cpuid
	syscall
	ud2

	/* Says over %gs what the kernel put into the user's base. */
program read_gs
	mov	%gs:0, %rax
	syscall
	ud2

program read_fs
	mov	%fs:0, %rax
	syscall
	ud2

program stack
	push	%rdi
	pop	%rax
	syscall
	ud2

	/* Until an event comes and the kernel does not return here. */
program spin
	inc	%rax
	jmp	user_spin

.macro ticks to
	rdtsc
	shl	$32, %rdx
	or	%rdx, %rax
	mov	%rax, \to
.endm

	/* RDI system calls, or reads of address 0, to handlers that do nothing; how long, in RAX. */
program bench_syscalls
	ticks	%rsi
1:	syscall
	dec	%edi
	jnz	1b
	ticks	%rax
	sub	%rsi, %rax
	ud2

program bench_faults
	ticks	%r8
	xor	%esi, %esi
1:	mov	(%rsi), %al
	dec	%edi
	jnz	1b
	ticks	%rax
	sub	%r8, %rax
	ud2

	.globl	userland_end
userland_end:

	.text
	/*
	 * void user_enter(struct tiny_regs *regs, uint64_t *saved_sp): returns when
	 * user_leave(*saved_sp) is called.
	 */
	.globl	user_enter, user_leave
user_enter:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, (%rsi)
	mov	%rdi, %rsp
	jmp	tinypv_return

user_leave:
	mov	%rdi, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

	.section .note.GNU-stack, "", @progbits
