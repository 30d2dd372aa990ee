// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NMIs between a guest's vCPUs (VCPUOP_send_nmi); hardware's are the hypervisor's own. As on a CPU
 * one waits while the handler of another runs, until that returns: by the iret hypercall, whichever
 * comes first. The handler is entry 2 of the trap table, by whatever name it was set.
 *
 * The way into a guest does not look here. Who makes an NMI deliverable raises a softirq on the
 * vCPU's CPU after setting nmi_pending, so that it comes by sched_run() and arch_vcpu_enter(), which
 * does. A vCPU that moves meanwhile comes by there on its new CPU.
 */
#include "internal.h"
#include <asm/segment.h>
#include <tine/arch.h>

#define TRAP_NMI 2
#define TI_MASK_EVENTS 4

void pv_vcpu_send_nmi(struct vcpu *v)
{
	if (__atomic_exchange_n(&v->arch.pv.nmi_pending, true, __ATOMIC_SEQ_CST))
		return;
	vcpu_unblock(v);
	softirq_raise_on(READ_ONCE(v->cpu), SOFTIRQ_SCHEDULE);
}

bool pv_nmi_waits(const struct vcpu *v)
{
	return READ_ONCE(v->arch.pv.nmi_pending) && !v->arch.pv.nmi_masked;
}

/* Without a handler it is lost, as on Xen. */
void pv_nmi_deliver(struct vcpu *v)
{
	struct pv_vcpu *pv = &v->arch.pv;

	if (pv->nmi_masked)
		return;
	__atomic_store_n(&pv->nmi_pending, false, __ATOMIC_SEQ_CST);
	if (!pv->traps[TRAP_NMI].address)
		return;
	pv->nmi_masked = true;
	pv_inject(v, TRAP_NMI, 0);
}

void pv_nmi_unmask(struct vcpu *v)
{
	v->arch.pv.nmi_masked = false;
	if (READ_ONCE(v->arch.pv.nmi_pending))
		softirq_raise(SOFTIRQ_SCHEDULE);
}

int pv_nmi_set_handler(struct vcpu *v, u64 address)
{
	trap_info_t *ti = &v->arch.pv.traps[TRAP_NMI];

	if (((s64)(address << 16) >> 16) != (s64)address)
		return -EINVAL;
	*ti = (trap_info_t){ 0 };
	if (address)
		*ti = (trap_info_t){ TRAP_NMI, TI_MASK_EVENTS, SEL_GUEST_CS64, address };
	return 0;
}
