// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Model-specific registers of a PVH guest: a table, of which nothing is left out. Those that VMLOAD and VMSAVE switch, or that are part of the
 * control block, are the guest's own and pass through; all others are intercepted, and only those with a row exist. A write that is not let
 * through faults in the guest. No write reaches the machine.
 *
 * The two permission maps are the same for all guests and never change once made.
 */
#include "internal.h"
#include <asm/memory.h>
#include <asm/msr.h>
#include <asm/msr_policy.h>
#include <tine/arch.h>
#include <tine/heap.h>
#include <tine/lib.h>
#include <tine/string.h>

#define MSRPM_ORDER 1 /* 8 KiB, APM vol. 2, 15.11 */
#define IOPM_ORDER 2  /* 12 KiB, 15.10.1 */

#define MSR_MTRR_CAP 0xfe
#define MSR_MTRR_DEF_TYPE 0x2ff
#define MSR_SYSCFG 0xc0010010
#define MSR_HWCR 0xc0010015
#define MSR_NB_CFG 0xc001001f
#define MSR_TSC 0x10
#define X2APIC_FIRST 0x800
#define X2APIC_LAST 0x8ff

#define EFER_GUESTS (EFER_SCE | EFER_LME | EFER_NXE)
#define LEAF_EXTENDED_FEATURES 0x80000001u
#define FEATURE_FFXSR (1U << 25) /* of EDX */
#define PAGING(c) ((c)->cr0 & CR0_PG)

paddr_t svm_msrpm, svm_iopm;

/* ---- Rows ---- */

static int read_efer(struct vcpu *v, u32 msr, u64 *value)
{
	*value = (svm_vmcb(v)->efer & ~EFER_SVME) | (svm_lme(v) ? EFER_LME : 0);
	return 0;
}

static u64 efer_offered(const struct vcpu *v)
{
	u32 features[4];

	svm_cpuid(v, LEAF_EXTENDED_FEATURES, 0, features);
	return EFER_GUESTS | (features[3] & FEATURE_FFXSR ? EFER_FFXSR : 0);
}

/* LME cannot change while paging is on; LMA follows by itself (APM vol. 2, 14.6). */
static int write_efer(struct vcpu *v, u32 msr, u64 value)
{
	struct vmcb *c = svm_vmcb(v);
	u64 offered = efer_offered(v);

	if (value & ~(offered | EFER_LMA))
		return -EINVAL;
	if (PAGING(c) && svm_lme(v) != !!(value & EFER_LME))
		return -EINVAL;
	c->efer = (value & offered) | (c->efer & EFER_LMA) | EFER_SVME;
	svm_set_lme(v, value & EFER_LME);
	return 0;
}

static int read_pat(struct vcpu *v, u32 msr, u64 *value)
{
	*value = svm_vmcb(v)->pat;
	return 0;
}

/* Eight memory types; 2 and 3 are none (APM vol. 2, 7.8.2). */
static int write_pat(struct vcpu *v, u32 msr, u64 value)
{
	for (unsigned int i = 0; i < 64; i += 8) {
		u8 type = (u8)(value >> i);

		if (type > 7 || type == 2 || type == 3)
			return -EINVAL;
	}
	svm_vmcb(v)->pat = value;
	return 0;
}

static int read_apic_base(struct vcpu *v, u32 msr, u64 *value)
{
	*value = svm_lapic_base(v);
	return 0;
}

static int read_tsc(struct vcpu *v, u32 msr, u64 *value)
{
	*value = arch_cycles() + svm_vmcb(v)->tsc_offset;
	return 0;
}

/* The local APIC's come first: they are most of what is intercepted. */
static const struct msr_row rows[] = {
	MSR_ROWS(X2APIC_FIRST, X2APIC_LAST, svm_lapic_read, svm_lapic_write,
		 "the virtual local APIC, as x2APIC has it"),
	MSR_ROWS(MSR_SYSENTER_CS, MSR_SYSENTER_EIP, NULL, NULL,
		 "the guest's own, switched with it"),
	MSR_ROWS(MSR_STAR, MSR_SFMASK, NULL, NULL, "the guest's own, switched with it"),
	MSR_ROWS(MSR_FS_BASE, MSR_KERNEL_GS_BASE, NULL, NULL, "the guest's own, switched with it"),
	MSR_ROW(MSR_EFER, read_efer, write_efer,
		"the guest's own: SCE, LME (not while paging is on), NXE, FFXSR; no "
		"SVME"),
	MSR_ROW(MSR_PAT, read_pat, write_pat, "the guest's own, of types that exist"),
	MSR_ROW(MSR_TSC_AUX, msr_read_tsc_aux, msr_write_tsc_aux,
		"the guest's own, if the CPU has RDTSCP"),
	MSR_ROW(MSR_TSC, read_tsc, NULL, "time since the guest's start"),
	MSR_ROW(MSR_APIC_BASE, read_apic_base, NULL, "where and how the virtual APIC is"),
	MSR_ROW(MSR_BIOS_SIGN_ID, msr_read_zero, msr_write_zero,
		"microcode's version: none; written with 0 before it is read"),
	MSR_ROW(MSR_NB_CFG, msr_read_zero, msr_write_ignored,
		"kernels open PCI's extended space, of which there is none"),
	MSR_ROW(MSR_MCG_CAP, msr_read_zero, NULL, "no banks of machine checks"),
	MSR_ROW(MSR_MCG_STATUS, msr_read_zero, NULL, "no machine check"),
	MSR_ROW(MSR_MTRR_CAP, msr_read_zero, NULL, "no MTRRs: nested paging decides"),
	MSR_ROW(MSR_MTRR_DEF_TYPE, msr_read_zero, NULL, "no MTRRs: nested paging decides"),
	MSR_ROW(MSR_SYSCFG, msr_read_zero, NULL, "no memory encryption, no MTRRs"),
	MSR_ROW(MSR_HWCR, msr_read_zero, NULL, "read to be written back"),
	MSR_ROW(MSR_PLATFORM_ID, msr_read_zero, NULL,
		"read before there is a handler for the fault"),
	MSR_ROW(MSR_MISC_ENABLE, msr_read_zero, NULL,
		"read before there is a handler for the fault"),
};

static const struct msr_table table = { rows, ARRAY_SIZE(rows) };

/* ---- The maps, and what they let through to here ---- */

/* Two bits a register, in three ranges of 8192. */
static void pass(u8 *map, u32 msr)
{
	u32 index = msr & 0x1fff, range = msr >= 0xc0010000 ? 2 : msr >= 0xc0000000 ? 1 : 0;

	map[range * 0x800 + index / 4] &= (u8) ~(3U << index % 4 * 2);
}

int svm_permission_maps(void)
{
	u8 *msrs, *ports;

	if (paddr_x(svm_msrpm))
		return 0;
	msrs = heap_alloc_pages(MSRPM_ORDER, HEAP_DIRTY_OK);
	ports = heap_alloc_pages(IOPM_ORDER, HEAP_DIRTY_OK);
	if (!msrs || !ports) {
		if (msrs)
			heap_free_pages(msrs, MSRPM_ORDER);
		return -ENOMEM;
	}
	memset(msrs, 0xff, PAGE_SIZE << MSRPM_ORDER);
	memset(ports, 0xff, PAGE_SIZE << IOPM_ORDER);
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		for (u32 msr = rows[i].first; !rows[i].read && msr <= rows[i].last; msr++)
			pass(msrs, msr);
	}
	svm_iopm = virt_to_paddr(ports);
	svm_msrpm = virt_to_paddr(msrs);
	return 0;
}

void svm_exit_msr(struct vcpu *v)
{
	struct cpu_regs *r = &v->arch.regs;
	bool is_write = svm_vmcb(v)->info_1 & 1;
	u32 msr = (u32)r->rcx;
	u64 value = (u64)(u32)r->rdx << 32 | (u32)r->rax;

	if (is_write ? msr_policy_write(&table, v, msr, value)
		     : msr_policy_read(&table, v, msr, &value)) {
		svm_inject_code(v, TRAP_GP, 0);
		return;
	}
	if (!is_write) {
		r->rax = (u32)value;
		r->rdx = value >> 32;
	}
	svm_skip(v);
}
