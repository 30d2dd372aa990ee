// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A PV guest's debug registers. They are in the CPU only while the guest runs and has a breakpoint
 * enabled; addresses in the hypervisor's range and general detection are refused, so none of them
 * can ever stop the hypervisor.
 */
#include "internal.h"
#include <asm/debugreg.h>
#include <asm/guest.h>
#include <asm/hypercalls.h>

void pv_debugreg_load(const struct vcpu *v)
{
	const u64 *dr = v->arch.pv.debugreg;

	if (likely(!(dr[7] & DR7_ENABLES)))
		return;
	x86_write_dr(dr);
	x86_write_dr7(dr[7]);
}

void pv_debugreg_off(const struct vcpu *v)
{
	if (unlikely(v->arch.pv.debugreg[7] & DR7_ENABLES))
		x86_write_dr7(DR7_NONE);
}

int pv_set_debugreg(struct vcpu *v, unsigned int reg, u64 value)
{
	u64 *dr = v->arch.pv.debugreg;

	switch (reg) {
	case 0:
	case 1:
	case 2:
	case 3:
		if (!guest_range_ok(value, 8) || !address_canonical(value))
			return -EPERM;
		dr[reg] = value;
		break;
	case 4: /* as the CPU has it without CR4.DE */
	case 6:
		dr[6] = (value & 0xe00fUL) | DR6_NONE;
		return 0;
	case 5:
	case 7:
		if (value & (DR7_GD | ~0xffffffffUL))
			return -EPERM;
		if (v == current)
			pv_debugreg_off(v);
		dr[7] = (value & ~DR7_RESERVED_ZEROS) | DR7_NONE;
		break;
	default:
		return -ENODEV;
	}
	if (v == current)
		pv_debugreg_load(v);
	return 0;
}

int pv_get_debugreg(const struct vcpu *v, unsigned int reg, u64 *value)
{
	if (reg > 7)
		return -ENODEV;
	*value = v->arch.pv.debugreg[reg == 4 || reg == 5 ? reg + 2 : reg];
	return 0;
}

/* Breakpoint addresses, status and control; none that could stop the hypervisor. */
long do_set_debugreg(unsigned long reg, unsigned long value, unsigned long a3, unsigned long a4,
		     unsigned long a5)
{
	return reg > 7 ? -ENODEV : pv_set_debugreg(current, (unsigned int)reg, value);
}

/* What the guest last set. */
long do_get_debugreg(unsigned long reg, unsigned long a2, unsigned long a3, unsigned long a4,
		     unsigned long a5)
{
	u64 value;

	return reg > 7 || pv_get_debugreg(current, (unsigned int)reg, &value) ? -ENODEV
									      : (long)value;
}
