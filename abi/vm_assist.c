// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vm_assist: a guest switches on what changes its interface. A type that nothing here acts upon is
 * refused.
 */
#include <tine/hypercall.h>
#include <tine/vcpu.h>
#include <xen/xen.h>
#include "internal.h"

/*
 * 4gb_segments and its notification mean nothing to 64-bit guests, and page tables may be anywhere anyway: to say yes
 * costs nothing.
 */
#define KNOWN_TYPES                                                                                \
	(BIT(VMASST_TYPE_4gb_segments) | BIT(VMASST_TYPE_4gb_segments_notify) |                    \
	 BIT(VMASST_TYPE_writable_pagetables) | BIT(VMASST_TYPE_pae_extended_cr3) |                \
	 BIT(VMASST_TYPE_architectural_iopl) | BIT(VMASST_TYPE_runstate_update_flag))

long do_vm_assist(unsigned long cmd, unsigned long type, unsigned long a3, unsigned long a4,
		  unsigned long a5)
{
	u32 *bits = &current->domain->vm_assist;

	type = (u32)type;
	if (type >= 32 || !(KNOWN_TYPES & BIT(type)))
		return -EINVAL;
	switch (cmd) {
	case VMASST_CMD_enable:
		(void)__atomic_fetch_or(bits, (u32)BIT(type), __ATOMIC_RELAXED);
		return 0;
	case VMASST_CMD_disable:
		(void)__atomic_fetch_and(bits, ~(u32)BIT(type), __ATOMIC_RELAXED);
		return 0;
	default:
		return hypercall_unknown();
	}
}
