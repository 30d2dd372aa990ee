/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exceptions and interrupts: from the CPU's frame to a struct cpu_regs and C.
 *
 * From a guest (ring 3) the CPU pushed into the current vCPU, where TSS.RSP0 points; the rest of
 * the registers follows there, then the CPU's stack is taken, empty. From the hypervisor the frame
 * is on that stack already and is left by IRETQ. NMI, double fault, machine check and debug
 * exceptions have stacks of their own and may come at any instruction (#DB: a breakpoint that a
 * guest hits by MOV SS and then enters by SYSCALL arrives at that entry's first instruction), so
 * they neither trust GS nor leave it changed: their stack's top holds the CPU's GS base.
 */
#include <asm/msr.h>
#include <asm/segment.h>
#include <asm/usercopy.h>
#include <asm/vectors.h>
#include <asm-offsets.h>

	.macro PUSH_REGS
	push %rdi
	push %rsi
	push %rdx
	push %rcx
	push %rax
	push %r8
	push %r9
	push %r10
	push %r11
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	.endm

	.macro POP_REGS
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	pop %r11
	pop %r10
	pop %r9
	pop %r8
	pop %rax
	pop %rcx
	pop %rdx
	pop %rsi
	pop %rdi
	.endm

/* What was interrupted, as a stack frame for backtraces; keeps the stack aligned for a call. */
	.macro PUSH_LINK
	push REGS_RIP(%rsp)
	push %rbp
	mov %rsp, %rbp
	sub $8, %rsp
	.endm

	.text
	.balign 16
	.globl x86_entry_stubs
x86_entry_stubs:
	.set vector, 0
	.set with_error_code, TRAPS_WITH_ERROR_CODE
	.rept 256
	.balign 16
	.if !(with_error_code & 1)
	push $0
	.endif
	movl $vector, 4(%rsp)
	jmp entry_common
	.set vector, vector + 1
	.set with_error_code, with_error_code >> 1
	.endr

	.balign 16
entry_common:
	testb $3, 16(%rsp) /* CS: behind the error code and RIP */
	jz entry_from_hypervisor
	swapgs
entry_from_guest:
	PUSH_REGS
	cld
	SMAP_PATCH SMAP_CLAC
	mov %rsp, %rdi
	mov VCPU_STACK_TOP - VCPU_REGS(%rsp), %rsp
	xor %ebp, %ebp
	call x86_trap_from_guest
	jmp x86_return_to_guest

entry_from_hypervisor:
	PUSH_REGS
	cld
	SMAP_PATCH SMAP_CLAC
	/* A fault of the IRETQ to a guest comes with the guest's GS already in place. */
	lea x86_iret_to_guest(%rip), %rax
	cmp %rax, REGS_RIP(%rsp)
	jne 1f
	swapgs
1:	mov %rsp, %rdi
	PUSH_LINK
	call x86_trap_from_hypervisor
	add $24, %rsp
	POP_REGS
	add $8, %rsp
	iretq

	.globl x86_ist_debug
x86_ist_debug:
	push $0
	movl $TRAP_DEBUG, 4(%rsp)
	testb $3, 16(%rsp)
	jz ist_common
	/*
	 * A guest's own: moves to the vCPU, where it would have been pushed without the stack of
	 * its own.
	 */
	swapgs
	push %rax
	mov %gs:percpu_x86_tss + TSS_RSP0(%rip), %rax
	.irp slot, 8, 16, 24, 32, 40, 48
	pushq 56 - \slot(%rsp)
	popq -\slot(%rax)
	.endr
	lea -48(%rax), %rax
	xchg %rax, (%rsp)
	pop %rsp
	jmp entry_from_guest

	.globl x86_ist_double_fault, x86_ist_nmi, x86_ist_machine_check
x86_ist_double_fault:
	movl $TRAP_DOUBLE_FAULT, 4(%rsp)
	jmp ist_common
x86_ist_nmi:
	push $0
	movl $TRAP_NMI, 4(%rsp)
	jmp ist_common
x86_ist_machine_check:
	push $0
	movl $TRAP_MACHINE_CHECK, 4(%rsp)
ist_common:
	PUSH_REGS
	cld
	SMAP_PATCH SMAP_CLAC
	mov $MSR_GS_BASE, %ecx
	rdmsr
	mov %eax, %r12d
	mov %edx, %r13d
	mov REGS_SIZE(%rsp), %rax /* percpu.c put it above where the CPU starts to push */
	mov %rax, %rdx
	shr $32, %rdx
	wrmsr
	mov %rsp, %rdi
	PUSH_LINK
	call x86_trap_ist
	add $24, %rsp
	mov $MSR_GS_BASE, %ecx
	mov %r12d, %eax
	mov %r13d, %edx
	wrmsr
	POP_REGS
	add $8, %rsp
	iretq

/* arch/x86/pv has the real ones. */
	.weak x86_return_to_guest, x86_iret_to_guest
	.hidden x86_return_to_guest, x86_iret_to_guest
x86_return_to_guest:
x86_iret_to_guest:
	ud2

	.section .note.GNU-stack, "", @progbits
