// SPDX-License-Identifier: GPL-2.0-or-later
/* The upcall mask of a PV guest: a byte in vcpu_info, which the hypervisor writes as well. */
#include "tiny_event.h"
#include "tiny_hypercall.h"

bool events_are_on(void)
{
	return !__atomic_load_n(&tiny_vcpu->evtchn_upcall_mask, __ATOMIC_SEQ_CST);
}

bool events_off(void)
{
	return !__atomic_exchange_n(&tiny_vcpu->evtchn_upcall_mask, 1, __ATOMIC_SEQ_CST);
}

void events_on(void)
{
	__atomic_store_n(&tiny_vcpu->evtchn_upcall_mask, 0, __ATOMIC_SEQ_CST);
	/* Any hypercall makes the hypervisor look for pending events on its way out. */
	if (__atomic_load_n(&tiny_vcpu->evtchn_upcall_pending, __ATOMIC_SEQ_CST))
		hv_xen_version(XENVER_version, NULL);
}

void events_restore(bool on)
{
	if (on)
		events_on();
}
