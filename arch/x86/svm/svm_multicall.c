// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * multicall of PVH guests. The same as abi/multicall.c, whose lists are read and written in place and whose entries may be any PV guest's call: here they
 * are copied through the guest's page tables, and an entry may be what such a guest may call.
 */
#include "internal.h"
#include <asm/hypercalls.h>
#include <tine/softirq.h>
#include <xen/xen.h>

static long go_on(struct vcpu *v, unsigned long list, unsigned long count)
{
	const unsigned long args[5] = { list, count };

	v->multicall.active = v->multicall.continued = false;
	return svm_hypercall_continue(v, __HYPERVISOR_multicall, args);
}

static bool put(gva_t at, const void *from, size_t n)
{
	return !translated_copy_to(current, at, from, n);
}

/* Of a call that asks to be continued the entry becomes what is left of it. */
static long one(struct vcpu *v, unsigned long at, bool *again)
{
	multicall_entry_t e;
	unsigned long args[5];

	if (translated_copy_from(current, &e, _gva(at), sizeof(e)))
		return -EFAULT;
	for (unsigned int i = 0; i < 5; i++)
		args[i] = e.args[i];
	/* A list in a list would never end. */
	e.result = e.op == __HYPERVISOR_multicall ? (xen_ulong_t)-EINVAL
						  : (xen_ulong_t)svm_hypercall(v, e.op, args);
	*again = v->multicall.continued;
	if (*again)
		return put(_gva(at + offsetof(multicall_entry_t, args)), v->multicall.args,
			   sizeof(v->multicall.args))
			       ? 0
			       : -EFAULT;
	return put(_gva(at + offsetof(multicall_entry_t, result)), &e.result, sizeof(e.result))
		       ? 0
		       : -EFAULT;
}

long svm_multicall(struct vcpu *v, unsigned long list, unsigned long count)
{
	bool again = false;
	long rc = 0;

	v->multicall.active = true;
	for (; count && !rc; count--, list += sizeof(multicall_entry_t)) {
		if (softirq_waiting())
			return go_on(v, list, count);
		rc = one(v, list, &again);
		if (again && !rc)
			return go_on(v, list, count);
	}
	v->multicall.active = v->multicall.continued = false;
	return rc;
}
