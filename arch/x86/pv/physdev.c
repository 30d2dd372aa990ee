// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * physdev_op: physical devices. Of it only what a kernel cannot live without: its I/O privilege,
 * which is virtual. With it port accesses and CLI/STI are emulated instead of faulting
 * (emulate_priv.c); it opens nothing.
 */
#include "internal.h"
#include <asm/hypercalls.h>
#include <xen/physdev.h>

static long set_iopl(gva_t arg)
{
	struct physdev_set_iopl set;

	if (copy_from_guest(&set, arg, sizeof(set)))
		return -EFAULT;
	if (set.iopl > 3)
		return -EINVAL;
	current->arch.pv.iopl = (u8)set.iopl;
	return 0;
}

/* Virtual I/O privilege; no device. */
long do_physdev_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
		   unsigned long a5)
{
	return cmd == PHYSDEVOP_set_iopl ? set_iopl(_gva(arg)) : -ENOSYS;
}
