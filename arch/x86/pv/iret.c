// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The iret hypercall: a guest kernel's return from a handler, to itself or to a process, in one
 * step with unmasking events. The frame lies on its stack. Whatever it holds, the guest ends up in
 * ring 3 with interrupts on.
 */
#include "internal.h"
#include <asm/guest.h>
#include <asm/hypercalls.h>

#define EFLAGS_IF 0x200UL
#define EFLAGS_ALWAYS 0x202UL
#define EFLAGS_GUESTS 0x254dd5UL /* CF PF AF ZF SF TF DF OF NT RF AC ID */

/* Words of the frame, from the guest's RSP up. */
enum { F_RAX, F_R11, F_RCX, F_FLAGS, F_RIP, F_CS, F_RFLAGS, F_RSP, F_SS, F_WORDS };

#define FLAG_IN_SYSCALL BIT(8)

long do_iret(unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
	     unsigned long a5)
{
	struct vcpu *v = current;
	struct cpu_regs *regs = &v->arch.regs;
	u64 frame[F_WORDS];

	if (unlikely(copy_from_guest(frame, _gva(regs->rsp), sizeof(frame)))) {
		domain_crash(v->domain, "vCPU %u: iret frame at %016lx cannot be read", v->id,
			     (unsigned long)regs->rsp);
		return -EFAULT;
	}
	if ((frame[F_CS] & 3) == 3) {
		if (unlikely(mfn_eq(v->arch.pv.user_table, INVALID_MFN))) {
			domain_crash(v->domain,
				     "vCPU %u: iret to user mode without user page tables", v->id);
			return -EINVAL;
		}
		pv_toggle_mode(v);
	}
	/*
	 * A system call leaves in RCX and R11 what SYSCALL put there: so does this one when asked
	 * to.
	 */
	regs->rcx = frame[F_FLAGS] & FLAG_IN_SYSCALL ? regs->rip : frame[F_RCX];
	regs->r11 = frame[F_FLAGS] & FLAG_IN_SYSCALL ? regs->rflags : frame[F_R11];
	regs->rip = frame[F_RIP];
	regs->cs = (frame[F_CS] & 0xffff) | 3;
	regs->rflags = (frame[F_RFLAGS] & EFLAGS_GUESTS) | EFLAGS_ALWAYS;
	regs->rsp = frame[F_RSP];
	regs->ss = (frame[F_SS] & 0xffff) | 3;
	regs->entry_vector = 0; /* the frame counts as a whole: leave by IRET */
	if (unlikely(v->arch.pv.nmi_masked))
		pv_nmi_unmask(v);
	if (v->domain->vm_assist & BIT(VMASST_TYPE_architectural_iopl))
		v->arch.pv.iopl = frame[F_RFLAGS] >> 12 & 3;
	v->info->evtchn_upcall_mask = !(frame[F_RFLAGS] & EFLAGS_IF);
	return (long)frame[F_RAX];
}
