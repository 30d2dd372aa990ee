/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * First instruction, and every way into the guest afterwards. The hypervisor pushes SS RSP RFLAGS
 * CS RIP [error] R11 RCX on the kernel stack (abi page 5.3). A stub pops the two at the bottom,
 * makes sure of an error word, puts the vector into its upper half and saves the rest in the order
 * of struct tiny_regs; leaving is always by the iret hypercall.
 */
#include <xen/xen.h>

#include "tinypv_layout.h"
#include "tinypv_trap.h"

	.section .text.entry, "ax", @progbits
	.globl	tinypv_entry
tinypv_entry:
	rdtsc /* the hypervisor's boot ends here */
	mov	%eax, tiny_first_tsc
	mov	%edx, tiny_first_tsc + 4
	cld
	lea	tiny_boot_stack + TINY_STACK_SIZE, %rsp
	mov	%rsi, %rdi
	xor	%ebp, %ebp
	call	tinypv_start
	ud2

	/*
	 * Filled by the builder: slot n is `mov $n, %eax; syscall` with RCX and R11 kept (abi page
	 * 3).
	 */
	.section .text.pages, "ax", @progbits
	.balign	4096
	.globl	tinypv_hypercall_page
tinypv_hypercall_page:
	.skip	4096, 0xcc

	.text
common_entry:
	push	%rcx
	push	%r11
	push	%rax
	push	%rdi
	push	%rsi
	push	%rdx
	push	%r8
	push	%r9
	push	%r10
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	cld
	mov	%rsp, %rdi
	mov	%rsp, %rbx
	and	$-16, %rsp
	call	trap_dispatch
	mov	%rbx, %rsp
	/* Fall through with RSP at a struct tiny_regs. */

	.globl	tinypv_return
tinypv_return:
	movq	$0, REGS_ERROR(%rsp)
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdx
	pop	%rsi
	pop	%rdi
	mov	$__HYPERVISOR_iret, %eax
	syscall
	ud2

	/* TRAP_STUB_BYTES each, so that C finds the stub of a vector by counting. */
.macro stub vector, has_error
	.balign	TRAP_STUB_BYTES
	pop	%rcx
	pop	%r11
	.if	!\has_error
	push	$0
	.endif
	movl	$\vector, 4(%rsp)
	jmp	common_entry
.endm

	/* The set bits are the vectors that come with an error code: 8, 10-14, 17, 21, 29, 30. */
	.balign	TRAP_STUB_BYTES
	.globl	trap_stubs
trap_stubs:
	.set	vector, 0
	.rept	32
	stub	vector, ((1 << vector) & 0x60227d00) != 0
	.set	vector, vector + 1
	.endr

.macro named_stub name, vector
	.balign	TRAP_STUB_BYTES
	.globl	\name
\name:
	stub	\vector, 0
.endm

	named_stub trap_stub_user_gate, TRAP_USER_GATE
	named_stub trap_stub_kernel_gate, TRAP_KERNEL_GATE
	named_stub trap_stub_qemu_gate, TRAP_QEMU_GATE
	named_stub trap_stub_event, TRAP_EVENT
	named_stub trap_stub_syscall, TRAP_SYSCALL

	/* DS ES FS GS lie above R11 here: one of them could not be loaded. */
	.balign	32
	.globl	trap_stub_failsafe
trap_stub_failsafe:
	pop	%rcx
	pop	%r11
	pop	failsafe_selectors
	pop	failsafe_selectors + 8
	pop	failsafe_selectors + 16
	pop	failsafe_selectors + 24
	push	$0
	movl	$TRAP_FAILSAFE, 4(%rsp)
	jmp	common_entry

	.bss
	.balign	4096
tiny_boot_stack:
	.skip	TINY_STACK_SIZE

	.balign	8
	.globl	failsafe_selectors
failsafe_selectors:
	.skip	4 * 8
	.globl	tiny_first_tsc
tiny_first_tsc:
	.skip	8

	.section .note.GNU-stack, "", @progbits
