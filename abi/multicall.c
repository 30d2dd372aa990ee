// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * multicall: a list of hypercalls in one entry, each with its result written back. It may stop
 * between two of them, or in one that asked to be continued, and then goes on with the rest of the
 * list when the vCPU next runs.
 *
 * And hypercall_continue(), whose meaning depends on whether the call came by itself or from a
 * list.
 */
#include <tine/hypercall.h>
#include <asm/guest.h>
#include <asm/hypercalls.h>
#include <tine/softirq.h>
#include <tine/vcpu.h>
#include <xen/xen.h>
#include "internal.h"

#define ENTRY_SIZE sizeof(multicall_entry_t)
_Static_assert(ENTRY_SIZE == 64, "the ABI's");

struct call {
	unsigned long op, args[5];
};

long hypercall_continue(unsigned int op, unsigned long a1, unsigned long a2, unsigned long a3,
			unsigned long a4, unsigned long a5)
{
	struct vcpu_multicall *mc = &current->multicall;

	if (!mc->active)
		return arch_hypercall_continue(op, a1, a2, a3, a4, a5);
	mc->continued = true;
	mc->args[0] = a1;
	mc->args[1] = a2;
	mc->args[2] = a3;
	mc->args[3] = a4;
	mc->args[4] = a5;
	return 0;
}

/* The entry becomes what is left of it, and the list is called again from there on. */
static long pause_in(struct vcpu_multicall *mc, unsigned long entry, unsigned long left)
{
	mc->continued = false;
	mc->active = false;
	if (copy_to_guest(_gva(entry + offsetof(multicall_entry_t, args)), mc->args,
			  sizeof(mc->args)))
		return -EFAULT;
	return arch_hypercall_continue(__HYPERVISOR_multicall, entry, left, 0, 0, 0);
}

static __always_inline long run(const struct call *c)
{
	if (unlikely(c->op >= NR_HYPERCALLS))
		return hypercall_unknown();
	/*
	 * A list in a list would never end, and a return from an interrupt has nothing to go on to.
	 */
	if (unlikely(c->op == __HYPERVISOR_multicall || c->op == __HYPERVISOR_iret))
		return -EINVAL;
	return hypercall_table[c->op](c->args[0], c->args[1], c->args[2], c->args[3], c->args[4]);
}

long do_multicall(unsigned long list, unsigned long count, unsigned long a3, unsigned long a4,
		  unsigned long a5)
{
	struct vcpu_multicall *mc = &current->multicall;
	long rc = 0;

	mc->active = true;
	for (; count; count--, list += ENTRY_SIZE) {
		struct call c;
		long result;

		if (unlikely(softirq_waiting())) {
			mc->active = false;
			return arch_hypercall_continue(__HYPERVISOR_multicall, list, count, 0, 0,
						       0);
		}
		rc = -EFAULT;
		if (unlikely(!guest_load_call(list, &c.op, c.args)))
			break;
		result = run(&c);
		if (unlikely(mc->continued))
			return pause_in(mc, list, count);
		if (unlikely(!guest_store_u64(list + offsetof(multicall_entry_t, result),
					      (u64)result)))
			break;
		rc = 0;
	}
	mc->active = false;
	return rc;
}
