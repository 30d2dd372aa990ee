/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PV guests: the way in that is theirs alone (SYSCALL) and the one way out.
 *
 * SYSCALL from guest kernel mode is a hypercall. Its path keeps in the vCPU's frame only what C may
 * change: argument registers, RAX for a continuation, RIP, RFLAGS and RSP. The callee-saved
 * registers are still the guest's when the handler returns; if the way out then finds anything to
 * do, it first completes the frame. So within a hypercall rbx, rbp, r12 - r15, rcx, r11, cs and ss
 * of the frame are stale, unless the handler wrote entry_vector 0: then it wrote rcx, r11, cs, ss,
 * too, and they count.
 *
 * RSP holds the vCPU's address while there is no other free register; interrupts are off then, and
 * NMI and #MC have stacks of their own.
 */
#include <asm-offsets.h>
#include <asm/extable.h>
#include <asm/segment.h>

#define PERCPU(name) %gs:percpu_##name(%rip)

	.section .text.entry, "ax"

/* ---- SYSCALL in 64-bit mode: RCX is the return address, R11 the flags ---- */

	.balign 64
	.globl pv_syscall_entry
pv_syscall_entry:
	swapgs
	mov	%rsp, PERCPU(pv_guest_rsp)
	mov	PERCPU(current_vcpu), %rsp
	mov	%rcx, VCPU_RIP(%rsp)
	mov	%r11, VCPU_RFLAGS(%rsp)
	mov	%rax, VCPU_RAX(%rsp)
	mov	%rdi, VCPU_RDI(%rsp)
	mov	%rsi, VCPU_RSI(%rsp)
	mov	%rdx, VCPU_RDX(%rsp)
	mov	%r10, VCPU_R10(%rsp)
	mov	%r8, VCPU_R8(%rsp)
	mov	%r9, VCPU_R9(%rsp)
	mov	PERCPU(pv_guest_rsp), %rcx
	mov	%rcx, VCPU_RSP(%rsp)
	movl	$X86_ENTRY_SYSCALL, VCPU_ENTRY_VECTOR(%rsp)
	cmpb	$0, VCPU_KERNEL_MODE(%rsp)
	je	.Luser_syscall
	mov	VCPU_STACK_TOP(%rsp), %rsp
	sti
	cmp	$NR_HYPERCALLS, %rax
	jae	.Lno_such_hypercall
	sbb	%r11, %r11		/* a mispredicted branch must not index behind the table */
	and	%r11, %rax
	mov	%r10, %rcx
	lea	hypercall_table(%rip), %r11
	call	*(%r11, %rax, 8)

.Lhypercall_done:
	cli
	mov	PERCPU(current_vcpu), %rcx
	cmpl	$0, PERCPU(softirq_pending)
	jne	.Lhypercall_slow
	cmpl	$X86_ENTRY_SYSCALL, VCPU_ENTRY_VECTOR(%rcx)
	jne	.Lhypercall_slow
	mov	VCPU_INFO(%rcx), %rdx
	cmpb	$0, INFO_UPCALL_MASK(%rdx)
	je	.Lhypercall_unmasked

.Lhypercall_fast:
	/*
	 * SYSRET to an address that is not canonical would fault in ring 0 (on Intel): the last
	 * page of the lower half leads there.
	 */
	mov	VCPU_RIP(%rcx), %r11
	sar	$47, %r11
	dec	%r11
	jz	.Lhypercall_slow
	mov	VCPU_RDI(%rcx), %rdi
	mov	VCPU_RSI(%rcx), %rsi
	mov	VCPU_RDX(%rcx), %rdx
	mov	VCPU_R10(%rcx), %r10
	mov	VCPU_R8(%rcx), %r8
	mov	VCPU_R9(%rcx), %r9
	mov	VCPU_RFLAGS(%rcx), %r11
	mov	VCPU_RSP(%rcx), %rsp
	mov	VCPU_RIP(%rcx), %rcx
	swapgs
	sysretq

.Lhypercall_unmasked:
	cmpb	$0, INFO_UPCALL_PENDING(%rdx)
	je	.Lhypercall_fast

.Lhypercall_slow:
	mov	%rax, VCPU_RAX(%rcx)
	call	.Lstore_callee_saved
	cmpl	$X86_ENTRY_SYSCALL, VCPU_ENTRY_VECTOR(%rcx)
	jne	x86_return_to_guest
	call	.Lstore_syscall_rest
	jmp	x86_return_to_guest

.Lno_such_hypercall:
	call	hypercall_unknown
	jmp	.Lhypercall_done

/* The vCPU is in RCX. */
.Lstore_callee_saved:
	mov	%rbx, VCPU_RBX(%rcx)
	mov	%rbp, VCPU_RBP(%rcx)
	mov	%r12, VCPU_R12(%rcx)
	mov	%r13, VCPU_R13(%rcx)
	mov	%r14, VCPU_R14(%rcx)
	mov	%r15, VCPU_R15(%rcx)
	ret

/*
 * What hardware did to RCX and R11 at SYSCALL, and the flat segments that the guest is in by
 * definition.
 */
.Lstore_syscall_rest:
	mov	VCPU_RIP(%rcx), %rdx
	mov	%rdx, VCPU_RCX(%rcx)
	mov	VCPU_RFLAGS(%rcx), %rdx
	mov	%rdx, VCPU_R11(%rcx)
	movq	$SEL_GUEST_CS64, VCPU_CS(%rcx)
	movq	$SEL_GUEST_DS, VCPU_SS(%rcx)
	ret

/* From guest user mode: a system call for the guest's kernel. */
.Luser_syscall:
	mov	%rsp, %rcx
	mov	VCPU_STACK_TOP(%rcx), %rsp
	call	.Lstore_callee_saved
	call	.Lstore_syscall_rest
	mov	%rcx, %rdi
	call	pv_user_syscall
	jmp	x86_return_to_guest

/*
 * ---- SYSCALL in compatibility mode: always for the guest's kernel. (SYSENTER is disabled and
 * comes as #GP: upcalls.c.) ----
 */

	.globl pv_syscall32_entry
pv_syscall32_entry:
	swapgs
	mov	%rsp, PERCPU(pv_guest_rsp)
	mov	PERCPU(current_vcpu), %rsp
	mov	%rdi, VCPU_RDI(%rsp)
	mov	%rsi, VCPU_RSI(%rsp)
	mov	%rdx, VCPU_RDX(%rsp)
	mov	%rax, VCPU_RAX(%rsp)
	mov	%r8, VCPU_R8(%rsp)
	mov	%r9, VCPU_R9(%rsp)
	mov	%r10, VCPU_R10(%rsp)
	mov	%rcx, VCPU_RCX(%rsp)
	mov	%r11, VCPU_R11(%rsp)
	mov	%rsp, %rcx
	mov	VCPU_STACK_TOP(%rcx), %rsp
	call	.Lstore_callee_saved
	mov	VCPU_RCX(%rcx), %rdx
	mov	%rdx, VCPU_RIP(%rcx)
	mov	VCPU_R11(%rcx), %rdx
	mov	%rdx, VCPU_RFLAGS(%rcx)
	mov	PERCPU(pv_guest_rsp), %rdx
	mov	%rdx, VCPU_RSP(%rcx)
	movq	$SEL_GUEST_CS32, VCPU_CS(%rcx)
	movq	$SEL_GUEST_DS, VCPU_SS(%rcx)
	movl	$0, VCPU_ENTRY_VECTOR(%rcx)
	mov	%rcx, %rdi
	call	pv_user_syscall32
	jmp	x86_return_to_guest

/* ---- The way into the guest; the frame of `current` is complete ---- */

	.globl x86_return_to_guest
x86_return_to_guest:
	cli
	mov	PERCPU(current_vcpu), %rax
	mov	VCPU_STACK_TOP(%rax), %rsp
	cmpl	$0, PERCPU(softirq_pending)
	jne	.Lwork
	mov	VCPU_INFO(%rax), %rdx
	cmpb	$0, INFO_UPCALL_MASK(%rdx)
	je	.Lunmasked
.Lleave:
	pushq	VCPU_SS(%rax)
	pushq	VCPU_RSP(%rax)
	pushq	VCPU_RFLAGS(%rax)
	pushq	VCPU_CS(%rax)
	pushq	VCPU_RIP(%rax)
	mov	VCPU_R15(%rax), %r15
	mov	VCPU_R14(%rax), %r14
	mov	VCPU_R13(%rax), %r13
	mov	VCPU_R12(%rax), %r12
	mov	VCPU_RBP(%rax), %rbp
	mov	VCPU_RBX(%rax), %rbx
	mov	VCPU_R11(%rax), %r11
	mov	VCPU_R10(%rax), %r10
	mov	VCPU_R9(%rax), %r9
	mov	VCPU_R8(%rax), %r8
	mov	VCPU_RCX(%rax), %rcx
	mov	VCPU_RDX(%rax), %rdx
	mov	VCPU_RSI(%rax), %rsi
	mov	VCPU_RDI(%rax), %rdi
	mov	VCPU_RAX(%rax), %rax
	swapgs
	.globl x86_iret_to_guest
x86_iret_to_guest:
	iretq
	EX_TABLE x86_iret_to_guest, .Liret_fault

.Lunmasked:
	cmpb	$0, INFO_UPCALL_PENDING(%rdx)
	je	.Lleave
	mov	%rax, %rdi
	call	pv_deliver_upcall
	jmp	x86_return_to_guest

.Lwork:
	xor	%ebp, %ebp
	call	sched_run

/*
 * The guest's CS, SS or RIP is not loadable. GS is the hypervisor's again (the trap entry knows
 * this instruction).
 */
.Liret_fault:
	mov	PERCPU(current_vcpu), %rdi
	mov	VCPU_STACK_TOP(%rdi), %rsp
	mov	PERCPU(x86_fixup_vector), %esi
	mov	PERCPU(x86_fixup_error_code), %edx
	call	pv_iret_fault
	jmp	x86_return_to_guest

	.section .note.GNU-stack, "", @progbits
