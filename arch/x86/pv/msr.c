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
#include <asm/msr_policy.h>
#include <asm/pv.h>
#include <tine/lib.h>
#include <tine/vcpu.h>

#define APIC_BASE_VALUE                                                                            \
	0xfee00900UL /* enabled, boot processor, at the usual place: what Xen shows */

static DEFINE_PERCPU(u32, tsc_aux); /* as the CPU has it */

/* Written only when it changes. Also to 0: what another guest put there is not for this one. */
void pv_load_tsc_aux(const struct vcpu *v)
{
	if (likely(this_cpu(tsc_aux) == v->arch.pv.tsc_aux))
		return;
	this_cpu(tsc_aux) = v->arch.pv.tsc_aux;
	x86_wrmsr(MSR_TSC_AUX, v->arch.pv.tsc_aux);
}

/* ---- Rows ---- */

static int read_segment_base(struct vcpu *v, u32 msr, u64 *value)
{
	*value = pv_read_segment_base(v, msr);
	return 0;
}

static int read_efer(struct vcpu *v, u32 msr, u64 *value)
{
	*value = x86_rdmsr(MSR_EFER) & ~EFER_SVME;
	return 0;
}

static int read_pat(struct vcpu *v, u32 msr, u64 *value)
{
	*value = X86_PAT_VALUE;
	return 0;
}

static int read_apic_base(struct vcpu *v, u32 msr, u64 *value)
{
	*value = APIC_BASE_VALUE;
	return 0;
}

/* Those that are written at each switch between processes come first. */
static const struct msr_row rows[] = {
	MSR_ROW(MSR_FS_BASE, read_segment_base, pv_write_segment_base, "the guest's own"),
	MSR_ROW(MSR_GS_BASE, read_segment_base, pv_write_segment_base, "the guest's own"),
	MSR_ROW(MSR_KERNEL_GS_BASE, read_segment_base, pv_write_segment_base,
		"the guest's own: the base of user mode"),
	MSR_ROW(MSR_TSC_AUX, msr_read_tsc_aux, msr_write_tsc_aux,
		"the guest's own, if the CPU has RDTSCP"),
	MSR_ROW(MSR_EFER, read_efer, NULL, "the machine's, without SVME"),
	MSR_ROW(MSR_PAT, read_pat, NULL, "what Xen shows: WB, WT, UC-, UC, WC, WP, UC, UC"),
	MSR_ROW(MSR_APIC_BASE, read_apic_base, NULL, "enabled, boot processor: what Xen shows"),
	MSR_ROW(MSR_MCG_CAP, msr_read_zero, NULL, "no banks of machine checks"),
	MSR_ROW(MSR_MCG_STATUS, msr_read_zero, NULL, "no machine check"),
	MSR_ROW(MSR_BIOS_SIGN_ID, msr_read_zero, msr_write_zero,
		"microcode's version: none; written with 0 before it is read"),
	MSR_ROW(MSR_MISC_FEATURES_ENABLES, msr_read_zero, msr_write_zero, "CPUID does not fault"),
	MSR_ROW(MSR_PLATFORM_ID, msr_read_zero, NULL,
		"read before there is a handler for the fault"),
	MSR_ROW(MSR_PLATFORM_INFO, msr_read_zero, NULL, "no CPUID faulting"),
	MSR_ROW(MSR_FEATURE_CONTROL, msr_read_zero, NULL, "no virtualisation"),
	MSR_ROW(MSR_ARCH_CAPABILITIES, msr_read_zero, NULL, "none"),
	MSR_ROW(MSR_MISC_ENABLE, msr_read_zero, NULL,
		"read before there is a handler for the fault"),
};

static const struct msr_table table = { rows, ARRAY_SIZE(rows) };

int pv_read_msr(struct vcpu *v, u32 msr, u64 *value)
{
	return msr_policy_read(&table, v, msr, value);
}

int pv_write_msr(struct vcpu *v, u32 msr, u64 value)
{
	return msr_policy_write(&table, v, msr, value);
}
