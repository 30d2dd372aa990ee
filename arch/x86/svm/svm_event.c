// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is delivered to a PVH guest at its next entry: an exception that emulation wants, or an interrupt. Event channels come as a vector of the
 * guest's choice, either straight (HVM_PARAM_CALLBACK_IRQ: as long as an upcall is pending, no APIC involved) or through the local APIC of the
 * vCPU (HVMOP_set_evtchn_upcall_vector). While the guest cannot take it, a virtual interrupt makes it exit as soon as it can.
 *
 * Of the vCPU that runs, on its CPU.
 */
#include "internal.h"

#define VECTOR_UPCALL_NONE 0

void svm_inject(struct vcpu *v, unsigned int vector)
{
	svm_vmcb(v)->event_inject = SVM_EVENT_VALID | SVM_EVENT_EXCEPTION | vector;
}

void svm_inject_code(struct vcpu *v, unsigned int vector, u32 code)
{
	svm_vmcb(v)->event_inject = (u64)code << 32 | SVM_EVENT_VALID | SVM_EVENT_EXCEPTION |
				    SVM_EVENT_HAS_ERROR_CODE | vector;
}

/* An upcall through the APIC is an interrupt like any other, raised again if it is still wanted after its EOI. */
static void raise_upcall(struct vcpu *v)
{
	u8 vector = v->arch.svm->upcall_vector;

	if (vector && READ_ONCE(v->info->evtchn_upcall_pending) && !svm_lapic_in_service(v, vector))
		svm_lapic_raise(v, vector);
}

static unsigned int straight_upcall(const struct vcpu *v)
{
	if (v->arch.svm->upcall_vector || !READ_ONCE(v->info->evtchn_upcall_pending))
		return VECTOR_UPCALL_NONE;
	return v->domain->arch.svm.callback_vector;
}

void svm_event_prepare(struct vcpu *v)
{
	struct vmcb *c = svm_vmcb(v);
	unsigned int upcall, vector;

	c->v_intr &= ~SVM_V_IRQ;
	if (unlikely(READ_ONCE(v->arch.svm->nmi_pending)) && svm_nmi_inject(v))
		return;
	raise_upcall(v);
	upcall = straight_upcall(v);
	vector = upcall ? upcall : svm_lapic_pending(v);
	if (!vector)
		return;
	if (c->event_inject || !svm_event_deliverable(v)) {
		c->v_intr |= SVM_V_IRQ | SVM_V_PRIORITY_HIGHEST | SVM_V_IGNORE_TPR;
		return;
	}
	c->event_inject = SVM_EVENT_VALID | SVM_EVENT_INTERRUPT | vector;
	if (!upcall)
		svm_lapic_accept(v, vector);
}
