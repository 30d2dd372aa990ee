// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NMIs of a PVH vCPU, from VCPUOP_send_nmi and the local APIC; the machine's own are the hypervisor's. As on a CPU, one waits while the handler of
 * another runs, until that returns by IRET. The exit comes before the IRET (APM vol. 2, 15.12.8), so the next one goes in at the first entry
 * that is not for that instruction any more.
 *
 * nmi_pending is set by anybody; the rest is the vCPU's own.
 */
#include "internal.h"
#include <tine/arch.h>
#include <tine/softirq.h>

#define VECTOR_NMI 2

void svm_nmi_send(struct vcpu *v)
{
	if (__atomic_exchange_n(&v->arch.svm->nmi_pending, true, __ATOMIC_SEQ_CST))
		return;
	vcpu_unblock(v);
	softirq_raise_on(READ_ONCE(v->cpu), SOFTIRQ_SCHEDULE);
}

static bool is_masked(const struct vcpu *v)
{
	const struct svm_vcpu *svm = v->arch.svm;

	return svm->nmi_masked && (!svm->nmi_iret || svm->nmi_iret == v->arch.regs.rip);
}

bool svm_nmi_waits(const struct vcpu *v)
{
	return READ_ONCE(v->arch.svm->nmi_pending) && !is_masked(v);
}

bool svm_nmi_inject(struct vcpu *v)
{
	struct svm_vcpu *svm = v->arch.svm;
	struct vmcb *c = svm->vmcb;

	if (is_masked(v) || c->event_inject || c->shadow)
		return false;
	__atomic_store_n(&svm->nmi_pending, false, __ATOMIC_SEQ_CST);
	c->event_inject = SVM_EVENT_VALID | SVM_EVENT_NMI | VECTOR_NMI;
	c->intercept_1 |= SVM_INTERCEPT_IRET;
	svm->nmi_masked = true;
	svm->nmi_iret = 0;
	return true;
}

void svm_exit_iret(struct vcpu *v)
{
	v->arch.svm->nmi_iret = v->arch.regs.rip;
	svm_vmcb(v)->intercept_1 &= ~SVM_INTERCEPT_IRET;
}

void svm_nmi_reset(struct vcpu *v)
{
	struct svm_vcpu *svm = v->arch.svm;

	__atomic_store_n(&svm->nmi_pending, false, __ATOMIC_RELAXED);
	svm->nmi_masked = false;
	svm->nmi_iret = 0;
	svm->vmcb->intercept_1 &= ~SVM_INTERCEPT_IRET;
}
