// SPDX-License-Identifier: GPL-2.0-or-later
/* xenpmu_op: performance counters of a vCPU's own. There are none, and the answer is that of a Xen with vpmu off. No state, no lock. */
#include "internal.h"
#include <asm/hypercalls.h>

/* Performance counters: none, every operation answers -EOPNOTSUPP. */
long do_xenpmu_op(unsigned long op, unsigned long arg, unsigned long a3, unsigned long a4,
		  unsigned long a5)
{
	return -EOPNOTSUPP;
}
