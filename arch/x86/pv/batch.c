// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What mmu_update and mmuext_op have in common: a count that may carry the mark of a continuation,
 * a place where the guest wants the number of requests done, and pausing between two requests when
 * something waits. And how a PV guest's hypercall is made to happen again.
 */
#include "batch.h"
#include "internal.h"
#include <asm/hypercalls.h>
#include <tine/guest_access.h>
#include <tine/hypercall.h>

#define MMU_UPDATE_PREEMPTED                                                                       \
	0x80000000UL /* in a count: it continues a call; guests do not use it */

int pv_batch_begin(struct pv_batch *b, unsigned long *count, unsigned long done_ptr)
{
	*b = (struct pv_batch){ .done_ptr = done_ptr };
	if (*count & ~0xffffffffUL)
		return -EINVAL;
	if (!(*count & MMU_UPDATE_PREEMPTED))
		return 0;
	*count &= ~(unsigned long)MMU_UPDATE_PREEMPTED;
	if (done_ptr && copy_from_guest(&b->done, _gva(done_ptr), sizeof(b->done)))
		return -EFAULT;
	return 0;
}

static int note_done(const struct pv_batch *b)
{
	u32 done = b->done + b->i;

	if (b->done_ptr && copy_to_guest(_gva(b->done_ptr), &done, sizeof(done)))
		return -EFAULT;
	return 0;
}

long pv_batch_pause(const struct pv_batch *b, unsigned int op, unsigned long next,
		    unsigned long count, unsigned long foreign)
{
	if (note_done(b))
		return -EFAULT;
	return hypercall_continue(op, next, (count - b->i) | MMU_UPDATE_PREEMPTED, b->done_ptr,
				  foreign, 0);
}

long pv_batch_end(const struct pv_batch *b, long rc)
{
	return note_done(b) ? -EFAULT : rc;
}

#define SYSCALL_INSN_SIZE 2

long pv_hypercall_continue(struct vcpu *v, unsigned int op, const unsigned long args[5])
{
	struct cpu_regs *regs = &v->arch.regs;
	u64 *const homes[] = { &regs->rdi, &regs->rsi, &regs->rdx, &regs->r10, &regs->r8 };

	for (unsigned int i = 0; i < hypercall_args[op]; i++)
		*homes[i] = args[i];
	regs->rip -= SYSCALL_INSN_SIZE;
	return op;
}
