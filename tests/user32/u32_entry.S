/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What C cannot say: the start of the process, the three ways into the kernel, and loads of segment
 * registers in places that a signal handler can tell.
 */
	.text

	.globl _start
_start:
	xor	%ebp, %ebp
	mov	%esp, %eax
	and	$-16, %esp
	sub	$12, %esp
	push	%eax
	call	u32_begin
	hlt

/*
 * void u32_call(u32 way, struct u32_regs *regs): a system call with all registers and the arithmetic
 * and system flags from *REGS (eax ebx ecx edx esi edi ebp eflags), which takes what they are
 * afterwards. Ways: 0 by int 0x80, 1 by the address that the kernel gave as AT_SYSINFO.
 */
	.globl u32_call
u32_call:
	push	%ebp
	push	%ebx
	push	%esi
	push	%edi
	mov	24(%esp), %eax
	cmpl	$0, 20(%esp)
	je	1f
	push	$.Lby_sysinfo
	jmp	2f
1:	push	$.Lby_int80
2:	push	28(%eax)
	mov	4(%eax), %ebx
	mov	8(%eax), %ecx
	mov	12(%eax), %edx
	mov	16(%eax), %esi
	mov	20(%eax), %edi
	mov	24(%eax), %ebp
	mov	(%eax), %eax
	popf
	ret

.Lby_int80:
	int	$0x80
	jmp	.Lcalled
.Lby_sysinfo:
	call	*u32_sysinfo
.Lcalled:
	pushf
	push	%eax
	mov	32(%esp), %eax		/* regs: below it eax, eflags, 4 saved, return, way */
	mov	%ebx, 4(%eax)
	mov	%ecx, 8(%eax)
	mov	%edx, 12(%eax)
	mov	%esi, 16(%eax)
	mov	%edi, 20(%eax)
	mov	%ebp, 24(%eax)
	pop	(%eax)
	pop	28(%eax)
	push	$0x202
	popf
	pop	%edi
	pop	%esi
	pop	%ebx
	pop	%ebp
	ret

/* Where a signal handler goes back by. */
	.globl u32_restorer
u32_restorer:
	mov	$173, %eax		/* rt_sigreturn */
	int	$0x80

/*
 * One instruction each that may fault; the handler for it goes on at u32_faulted. All answer 0, or -1
 * after a fault.
 */
	.globl u32_try_syscall, u32_try_sysenter, u32_try_load_gs, u32_faulted
u32_try_syscall:
	mov	$20, %eax		/* getpid */
	push	%ebp
	syscall
	pop	%ebp
	xor	%eax, %eax
	ret
u32_try_sysenter:
	mov	$20, %eax
	push	%ebp
	sysenter
	pop	%ebp
	xor	%eax, %eax
	ret
u32_try_load_gs:
	mov	4(%esp), %eax
	push	%ebp
	mov	%eax, %gs
	pop	%ebp
	xor	%eax, %eax
	ret
u32_faulted:
	pop	%ebp
	or	$-1, %eax
	ret

/* u32 u32_in_segment(u32 selector): goes to code segment SELECTOR, yields there, says what CS was. */
	.globl u32_in_segment
u32_in_segment:
	push	%ebx
	mov	8(%esp), %eax
	push	%eax
	push	$1f
	lcall	*(%esp)
	add	$8, %esp
	pop	%ebx
	ret
1:	mov	$158, %eax		/* sched_yield */
	int	$0x80
	mov	%cs, %eax
	lret

	.section .note.GNU-stack, "", @progbits
