// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Model-specific registers of a PVH guest. Those that VMLOAD and VMSAVE switch, or that are part of the control block, are the guest's own and
 * pass through; all others are intercepted, and only those named here exist. A write that is not let through faults in the guest. No write
 * reaches the machine.
 *
 * The two permission maps are the same for all guests and never change once made.
 */
#include "internal.h"
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/msr.h>
#include <asm/pv.h>
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
#define MSR_PATCH_LEVEL 0x8b
#define MSR_TSC 0x10
#define MSR_TSC_ADJUST 0x3b
#define X2APIC_FIRST 0x800
#define X2APIC_LAST 0x8ff

#define EFER_GUESTS (EFER_SCE | EFER_LME | EFER_NXE)
#define PAGING(c) ((c)->cr0 & CR0_PG)

paddr_t svm_msrpm, svm_iopm;

static const u32 passed_through[] = {
	MSR_SYSENTER_CS, MSR_SYSENTER_ESP, MSR_SYSENTER_EIP, MSR_STAR,    MSR_LSTAR,
	MSR_CSTAR,       MSR_SFMASK,       MSR_FS_BASE,      MSR_GS_BASE, MSR_KERNEL_GS_BASE,
};

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
	for (unsigned int i = 0; i < ARRAY_SIZE(passed_through); i++)
		pass(msrs, passed_through[i]);
	svm_iopm = virt_to_paddr(ports);
	svm_msrpm = virt_to_paddr(msrs);
	return 0;
}

/* What kernels read on the way, without a handler for the fault or to write it back: nothing is there. */
static bool reads_as_zero(u32 msr)
{
	switch (msr) {
	case MSR_PLATFORM_ID:
	case MSR_PATCH_LEVEL:
	case MSR_MCG_CAP:
	case MSR_MCG_STATUS:
	case MSR_MTRR_CAP:
	case MSR_MTRR_DEF_TYPE:
	case MSR_SYSCFG:
	case MSR_HWCR:
	case MSR_NB_CFG:
	case MSR_MISC_ENABLE:
		return true;
	default:
		return false;
	}
}

static int read(struct vcpu *v, u32 msr, u64 *value)
{
	const struct vmcb *c = svm_vmcb(v);

	if (msr >= X2APIC_FIRST && msr <= X2APIC_LAST)
		return svm_lapic_read(v, msr, value);
	switch (msr) {
	case MSR_EFER:
		*value = c->efer & ~EFER_SVME;
		return 0;
	case MSR_PAT:
		*value = c->pat;
		return 0;
	case MSR_APIC_BASE:
		*value = svm_lapic_base(v);
		return 0;
	case MSR_TSC_AUX:
		*value = v->arch.pv.tsc_aux;
		return x86_cpu.rdtscp ? 0 : -EINVAL;
	case MSR_TSC:
		*value = arch_cycles() + c->tsc_offset;
		return 0;
	default:
		*value = 0;
		return reads_as_zero(msr) ? 0 : -EINVAL;
	}
}

/* LME cannot change while paging is on; LMA follows by itself (APM vol. 2, 14.6). */
static int write_efer(struct vmcb *c, u64 value)
{
	if (value & ~(EFER_GUESTS | EFER_LMA))
		return -EINVAL;
	if (PAGING(c) && ((c->efer ^ value) & EFER_LME))
		return -EINVAL;
	c->efer = (value & EFER_GUESTS) | (c->efer & EFER_LMA) | EFER_SVME;
	return 0;
}

/* Eight memory types; 2 and 3 are none (APM vol. 2, 7.8.2). */
static int write_pat(struct vmcb *c, u64 value)
{
	for (unsigned int i = 0; i < 64; i += 8) {
		u8 type = (u8)(value >> i);

		if (type > 7 || type == 2 || type == 3)
			return -EINVAL;
	}
	c->pat = value;
	return 0;
}

/* What RDTSCP answers besides the time. */
static int write_tsc_aux(struct vcpu *v, u64 value)
{
	if (!x86_cpu.rdtscp || value >> 32)
		return -EINVAL;
	v->arch.pv.tsc_aux = (u32)value;
	pv_load_tsc_aux(v);
	return 0;
}

static int write(struct vcpu *v, u32 msr, u64 value)
{
	u64 now;

	if (msr >= X2APIC_FIRST && msr <= X2APIC_LAST)
		return svm_lapic_write(v, msr, value);
	switch (msr) {
	case MSR_EFER:
		return write_efer(svm_vmcb(v), value);
	case MSR_PAT:
		return write_pat(svm_vmcb(v), value);
	case MSR_TSC_AUX:
		return write_tsc_aux(v, value);
	case MSR_PATCH_LEVEL: /* written with 0 before it is read */
		return value ? -EINVAL : 0;
	case MSR_NB_CFG: /* kernels open PCI's extended space, of which there is none */
		return 0;
	default: /* writing back what is there changes nothing and is let through */
		return read(v, msr, &now) || now != value ? -EINVAL : 0;
	}
}

void svm_exit_msr(struct vcpu *v)
{
	struct cpu_regs *r = &v->arch.regs;
	bool is_write = svm_vmcb(v)->info_1 & 1;
	u32 msr = (u32)r->rcx;
	u64 value = (u64)(u32)r->rdx << 32 | (u32)r->rax;

	if (is_write ? write(v, msr, value) : read(v, msr, &value)) {
		svm_inject_code(v, TRAP_GP, 0);
		return;
	}
	if (!is_write) {
		r->rax = (u32)value;
		r->rdx = value >> 32;
	}
	svm_skip(v);
}
