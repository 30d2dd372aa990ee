// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The set_segment_base hypercall. A hypercall comes from kernel mode, so the kernel's GS base is in
 * KERNEL_GS_BASE (the entry code swapped it there) and the user's is in memory; the FS base is in
 * its register.
 */
#include "internal.h"
#include <asm/guest.h>
#include <asm/hypercalls.h>
#include <asm/irqflags.h>
#include <asm/msr.h>
#include <asm/pv.h>

/*
 * Loads SELECTOR as user mode's GS: the base comes from its descriptor. One that cannot be loaded
 * becomes the null selector, and that is no error: guests do not expect any.
 */
static void load_user_gs(struct vcpu *v, u16 selector)
{
	unsigned long flags = local_irq_save();

	(void)pv_load_gs(selector, &v->arch.pv.gs_base_user);
	local_irq_restore(flags);
}

/* The same bases as a guest's kernel knows them as MSRs: GS_BASE is the one that it runs on. */
u64 pv_read_segment_base(const struct vcpu *v, u32 msr)
{
	if (msr == MSR_FS_BASE)
		return x86_rdmsr(MSR_FS_BASE);
	return msr == MSR_GS_BASE ? x86_rdmsr(MSR_KERNEL_GS_BASE) : v->arch.pv.gs_base_user;
}

int pv_write_segment_base(struct vcpu *v, u32 msr, u64 value)
{
	if (!address_canonical(value))
		return -EINVAL;
	if (msr == MSR_FS_BASE)
		x86_wrmsr(MSR_FS_BASE, value);
	else if (msr == MSR_GS_BASE)
		x86_wrmsr(MSR_KERNEL_GS_BASE, value);
	else
		v->arch.pv.gs_base_user = value;
	return 0;
}

/* The base of FS, of the kernel's or the user's GS, or the user's GS by selector. */
long do_set_segment_base(unsigned long which, unsigned long base, unsigned long a3,
			 unsigned long a4, unsigned long a5)
{
	struct vcpu *v = current;

	if (which == SEGBASE_GS_USER_SEL) {
		load_user_gs(v, (u16)base);
		return 0;
	}
	if (unlikely(!address_canonical(base)))
		return -EINVAL;
	switch (which) {
	case SEGBASE_FS:
		x86_wrmsr(MSR_FS_BASE, base);
		return 0;
	case SEGBASE_GS_USER:
		v->arch.pv.gs_base_user = base;
		return 0;
	case SEGBASE_GS_KERNEL:
		x86_wrmsr(MSR_KERNEL_GS_BASE, base);
		return 0;
	default:
		return -EINVAL;
	}
}
