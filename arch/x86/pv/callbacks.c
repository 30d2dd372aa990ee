// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a PV guest's kernel wants to be entered: trap table, callbacks, and the stack for entries
 * from user mode.
 */
#include "internal.h"
#include <asm/guest.h>
#include <asm/hypercalls.h>
#include <xen/callback.h>
#include <xen/nmi.h>

/* Handlers of exceptions and software interrupts, each with the privilege that may call it. */
long do_set_trap_table(unsigned long table, unsigned long a2, unsigned long a3, unsigned long a4,
		       unsigned long a5)
{
	trap_info_t *traps = current->arch.pv.traps;
	trap_info_t ti;
	unsigned int i;

	if (!table) {
		for (i = 0; i < 256; i++)
			traps[i] = (trap_info_t){ 0 };
		return 0;
	}
	/* A table longer than there are vectors says some twice; it still has to end. */
	for (i = 0; i < 256; i++, table += sizeof(ti)) {
		if (copy_from_guest(&ti, _gva(table), sizeof(ti)))
			return -EFAULT;
		if (!ti.address)
			return 0;
		if (!address_canonical(ti.address))
			return -EINVAL;
		ti.cs |= 3;
		traps[ti.vector] = ti;
	}
	return 0;
}

static struct pv_callback *callback_of(struct pv_vcpu *pv, unsigned int type)
{
	switch (type) {
	case CALLBACKTYPE_event:
		return &pv->event;
	case CALLBACKTYPE_failsafe:
		return &pv->failsafe;
	case CALLBACKTYPE_syscall:
		return &pv->syscall;
	case CALLBACKTYPE_sysenter_deprecated:
	case CALLBACKTYPE_sysenter:
		return &pv->sysenter;
	case CALLBACKTYPE_syscall32:
		return &pv->syscall32;
	default:
		return NULL;
	}
}

static long callback_register(unsigned long arg)
{
	struct callback_register reg;
	struct pv_callback *cb;

	if (copy_from_guest(&reg, _gva(arg), sizeof(reg)))
		return -EFAULT;
	if (!address_canonical(reg.address))
		return -EINVAL;
	if (reg.type == CALLBACKTYPE_nmi)
		return pv_nmi_set_handler(current, reg.address);
	cb = callback_of(&current->arch.pv, reg.type);
	if (!cb)
		return hypercall_unknown();
	cb->address = reg.address;
	cb->mask_events = reg.flags & CALLBACKF_mask_events;
	return 0;
}

static long callback_unregister(unsigned long arg)
{
	struct callback_unregister unreg;

	if (copy_from_guest(&unreg, _gva(arg), sizeof(unreg)))
		return -EFAULT;
	switch (unreg.type) {
	case CALLBACKTYPE_event:
	case CALLBACKTYPE_failsafe:
	case CALLBACKTYPE_syscall:
	case CALLBACKTYPE_sysenter_deprecated:
	case CALLBACKTYPE_sysenter:
		return -EINVAL; /* a kernel cannot live without them again */
	case CALLBACKTYPE_nmi:
		return pv_nmi_set_handler(current, 0);
	default:
		return hypercall_unknown();
	}
}

/* Handlers of events, system calls and unloadable segments, one by one. */
long do_callback_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
		    unsigned long a5)
{
	switch (cmd) {
	case CALLBACKOP_register:
		return callback_register(arg);
	case CALLBACKOP_unregister:
		return callback_unregister(arg);
	default:
		return hypercall_unknown();
	}
}

/* The NMI handler by itself, from before there was callback_op. */
long do_nmi_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
	       unsigned long a5)
{
	xennmi_callback_t callback;

	switch (cmd) {
	case XENNMI_register_callback:
		if (copy_from_guest(&callback, _gva(arg), sizeof(callback)))
			return -EFAULT;
		return pv_nmi_set_handler(current, callback.handler_address);
	case XENNMI_unregister_callback:
		return pv_nmi_set_handler(current, 0);
	default:
		return hypercall_unknown();
	}
}

/* The older form of callback_op: events, unloadable segments and system calls at once. */
long do_set_callbacks(unsigned long event, unsigned long failsafe, unsigned long syscall,
		      unsigned long a4, unsigned long a5)
{
	struct pv_vcpu *pv = &current->arch.pv;

	if (!address_canonical(event) || !address_canonical(failsafe) ||
	    !address_canonical(syscall))
		return -EINVAL;
	pv->event.address = event;
	pv->failsafe.address = failsafe;
	pv->syscall.address = syscall;
	return 0;
}

/* The stack for entries from user mode. Its selector is not looked at: it is flat in 64-bit mode. */
long do_stack_switch(unsigned long ss, unsigned long sp, unsigned long a3, unsigned long a4,
		     unsigned long a5)
{
	current->arch.pv.kernel_sp = sp;
	return 0;
}

/* Sets or clears the guest's CR0.TS. */
long do_fpu_taskswitch(unsigned long set, unsigned long a2, unsigned long a3, unsigned long a4,
		       unsigned long a5)
{
	pv_set_ts(current, set != 0);
	return 0;
}
