// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the entry code: system calls of a guest's processes to its kernel, events that wait to be
 * delivered, and an IRET that the CPU refused. Called with interrupts off and a complete frame; the
 * caller leaves by x86_return_to_guest.
 */
#include "internal.h"
#include "entry.h"
#include <asm/segment.h>
#include <tine/arch.h>
#include <tine/guest_access.h>
#include <tine/string.h>

#define TRAP_UD 6
#define SYSCALL_INSN_SIZE 2

static unsigned int callback_flags(const struct pv_callback *cb)
{
	return PV_BOUNCE_CLEAR_DF | (cb->mask_events ? PV_BOUNCE_MASK_EVENTS : 0);
}

/* Where there is no callback, the instruction does not exist. */
static void system_call(struct vcpu *v, const struct pv_callback *cb)
{
	if (cb->address) {
		pv_bounce(v, cb->address, callback_flags(cb), 0);
		return;
	}
	v->arch.regs.rip -= SYSCALL_INSN_SIZE;
	pv_inject(v, TRAP_UD, 0);
}

void pv_user_syscall(struct vcpu *v)
{
	system_call(v, &v->arch.pv.syscall);
}

void pv_user_syscall32(struct vcpu *v)
{
	system_call(v, &v->arch.pv.syscall32);
}

/*
 * SYSENTER is switched off (SYSENTER_CS 0), so it is a #GP that leaves us a frame to work with,
 * instead of an entry with the user's TF and NT set and no return address. The frame passed on is
 * the one the ABI has: the guest's kernel knows where to go on.
 */
bool pv_user_sysenter(struct vcpu *v)
{
	static const u8 sysenter[2] = { 0x0f, 0x34 };
	const struct pv_callback *cb = &v->arch.pv.sysenter;
	struct cpu_regs *regs = &v->arch.regs;
	u8 insn[2];

	if (v->arch.pv.kernel_mode || !cb->address || copy_from_guest(insn, _gva(regs->rip), 2) ||
	    memcmp(insn, sysenter, sizeof(insn)))
		return false;
	regs->rip = 0;
	regs->cs = 3;
	regs->rsp = 0;
	regs->ss = SEL_GUEST_DS;
	pv_bounce(v, cb->address, callback_flags(cb), 0);
	return true;
}

void pv_deliver_upcall(struct vcpu *v)
{
	if (v->arch.pv.event.address)
		pv_bounce(v, v->arch.pv.event.address, PV_BOUNCE_MASK_EVENTS, 0);
	else
		domain_crash(v->domain,
			     "vCPU %u: an event is deliverable, but there is no event callback",
			     v->id);
}

/*
 * The guest's kernel sees the fault as if its own return had faulted in the place that it returned
 * to.
 */
void pv_iret_fault(struct vcpu *v, u32 vector, u32 error_code)
{
	pv_inject(v, vector, error_code);
}

bool pv_event_deliverable(const struct vcpu *v)
{
	return !READ_ONCE(v->info->evtchn_upcall_mask);
}
