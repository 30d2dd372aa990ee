/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Segment descriptors of guests: see descriptor.c. */
#ifndef PV_DESCRIPTOR_H
#define PV_DESCRIPTOR_H

#include <tine/lib.h>

#define DESC_S BIT(44) /* code or data, not a system descriptor */
#define DESC_DPL_MASK (3UL << 45)
#define DESC_P BIT(47)

bool pv_descriptor_check_slow(u64 *desc);

/*
 * Adjusts *DESC as the hypervisor must have it. False: refused. Code and data for ring 3 is what
 * guests nearly always have.
 */
static __always_inline bool pv_descriptor_check(u64 *desc)
{
	const u64 usual = DESC_S | DESC_DPL_MASK | DESC_P;

	return likely((*desc & usual) == usual) || pv_descriptor_check_slow(desc);
}

#endif
