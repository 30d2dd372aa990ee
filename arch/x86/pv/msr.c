// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The model-specific registers that a PV guest's kernel may read and write through emulated RDMSR
 * and WRMSR. What is not named here faults in the guest, as on a CPU without that register. No
 * write reaches the machine but those of the guest's own segment bases and TSC_AUX, which are
 * switched with it.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/pv.h>
#include <tine/errno.h>
#include <tine/vcpu.h>

#define APIC_BASE_VALUE                                                                            \
	0xfee00900UL /* enabled, boot processor, at the usual place: what Xen shows */
#define MCG_CAP_NONE 0UL

/*
 * Registers that Linux reads before it has a handler for the fault, or writes back unchanged: they
 * read as zero.
 */
static bool reads_as_zero(u32 msr)
{
	switch (msr) {
	case MSR_PLATFORM_ID:
	case MSR_BIOS_SIGN_ID:
	case MSR_PLATFORM_INFO:
	case MSR_FEATURE_CONTROL:
	case MSR_ARCH_CAPABILITIES:
	case MSR_MISC_FEATURES_ENABLES:
	case MSR_MCG_STATUS:
	case MSR_MISC_ENABLE:
		return true;
	default:
		return false;
	}
}

static DEFINE_PERCPU(u32, tsc_aux); /* as the CPU has it */

/* Written only when it changes. Also to 0: what another guest put there is not for this one. */
void pv_load_tsc_aux(const struct vcpu *v)
{
	if (likely(this_cpu(tsc_aux) == v->arch.pv.tsc_aux))
		return;
	this_cpu(tsc_aux) = v->arch.pv.tsc_aux;
	x86_wrmsr(MSR_TSC_AUX, v->arch.pv.tsc_aux);
}

int pv_read_msr(struct vcpu *v, u32 msr, u64 *value)
{
	switch (msr) {
	case MSR_FS_BASE:
	case MSR_GS_BASE:
	case MSR_KERNEL_GS_BASE:
		*value = pv_read_segment_base(v, msr);
		return 0;
	case MSR_EFER:
		*value = x86_rdmsr(MSR_EFER) & ~EFER_SVME;
		return 0;
	case MSR_PAT:
		*value = X86_PAT_VALUE;
		return 0;
	case MSR_APIC_BASE:
		*value = APIC_BASE_VALUE;
		return 0;
	case MSR_MCG_CAP:
		*value = MCG_CAP_NONE;
		return 0;
	case MSR_TSC_AUX:
		*value = v->arch.pv.tsc_aux;
		return x86_cpu.rdtscp ? 0 : -EINVAL;
	default:
		*value = 0;
		return reads_as_zero(msr) ? 0 : -EINVAL;
	}
}

int pv_write_msr(struct vcpu *v, u32 msr, u64 value)
{
	u64 now;

	switch (msr) {
	case MSR_FS_BASE:
	case MSR_GS_BASE:
	case MSR_KERNEL_GS_BASE:
		return pv_write_segment_base(v, msr, value);
	case MSR_TSC_AUX:
		if (value >> 32 || !x86_cpu.rdtscp)
			return -EINVAL;
		v->arch.pv.tsc_aux = (u32)value;
		pv_load_tsc_aux(v);
		return 0;
	case MSR_BIOS_SIGN_ID: /* written with 0 before the microcode version is read */
	case MSR_MISC_FEATURES_ENABLES:
		return value ? -EINVAL : 0;
	default: /* writing back what is there changes nothing and is let through */
		return pv_read_msr(v, msr, &now) || now != value ? -EINVAL : 0;
	}
}
