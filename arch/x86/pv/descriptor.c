// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which segment descriptors a 64-bit PV guest may have. Base and limit are free: the paging of the
 * guest confines it anyway. What must not happen is privilege: nothing below ring 3, no system
 * segment the CPU would act upon but call gates to the guest's own code. Pure functions; host tests
 * build this file alone.
 *
 * Layout: AMD APM vol. 2, 4.7 and 4.8 (call gates are 16 bytes; their second half has type 0).
 */
#include "descriptor.h"
#include <asm/segment.h>

#define DESC_TYPE(d) (((d) >> 40) & 0xf)
#define DESC_DPL_SHIFT 45

#define TYPE_CALL_GATE 0xc
#define GATE_SELECTOR_SHIFT 16
#define GATE_RESERVED (0xffUL << 32)

/*
 * A selector that a call gate may lead to: the guest's own, and the flat 64-bit code segment of the
 * reserved page.
 */
static bool gate_target_ok(u16 selector)
{
	return (selector & 4) || selector < GDT_RESERVED || selector == SEL_GUEST_CS64;
}

/*
 * The gate's DPL, which ring 3 passes by now, becomes the privilege of its target; the gate itself
 * says 0.
 */
static bool adjust_call_gate(u64 *desc)
{
	u64 dpl = (*desc & DESC_DPL_MASK) >> DESC_DPL_SHIFT;

	if (!gate_target_ok((u16)(*desc >> GATE_SELECTOR_SHIFT)) || (*desc & GATE_RESERVED))
		return false;
	*desc &= ~(DESC_DPL_MASK | 3UL << GATE_SELECTOR_SHIFT);
	*desc |= dpl << GATE_SELECTOR_SHIFT;
	return true;
}

bool pv_descriptor_check_slow(u64 *desc)
{
	u64 d = *desc;
	bool ok;

	if (!(d & DESC_P) || (!(d & DESC_S) && DESC_TYPE(d) == 0))
		return true; /* faults on use */
	d |= DESC_DPL_MASK;
	ok = (d & DESC_S) || (DESC_TYPE(d) == TYPE_CALL_GATE && adjust_call_gate(&d));
	if (ok)
		*desc = d;
	return ok;
}
