/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Model-specific and control registers: numbers, bits and access (Intel SDM vol. 3, 2.5 and vol. 4;
 * AMD APM vol. 2, 3.1).
 */
#ifndef ASM_MSR_H
#define ASM_MSR_H

#define MSR_PLATFORM_ID 0x17
#define MSR_APIC_BASE 0x1b
#define MSR_FEATURE_CONTROL 0x3a
#define MSR_BIOS_SIGN_ID 0x8b
#define MSR_PLATFORM_INFO 0xce
#define MSR_ARCH_CAPABILITIES 0x10a
#define MSR_MISC_FEATURES_ENABLES 0x140
#define MSR_SYSENTER_CS 0x174
#define MSR_SYSENTER_ESP 0x175
#define MSR_SYSENTER_EIP 0x176
#define MSR_MCG_CAP 0x179
#define MSR_MCG_STATUS 0x17a
#define MSR_MISC_ENABLE 0x1a0
#define MSR_PAT 0x277
#define MSR_TSC_DEADLINE 0x6e0
#define MSR_EFER 0xc0000080
#define MSR_STAR 0xc0000081
#define MSR_LSTAR 0xc0000082
#define MSR_CSTAR 0xc0000083
#define MSR_SFMASK 0xc0000084
#define MSR_FS_BASE 0xc0000100
#define MSR_GS_BASE 0xc0000101
#define MSR_KERNEL_GS_BASE 0xc0000102
#define MSR_TSC_AUX 0xc0000103

#define EFER_SCE 0x1
#define EFER_LME 0x100
#define EFER_LMA 0x400
#define EFER_NXE 0x800
#define EFER_SVME 0x1000
#define EFER_FFXSR 0x4000

/* What guests see as MSR_PAT too: WB, WT, UC-, UC, WC, WP, UC, UC (abi/05 5.2). */
#define X86_PAT_VALUE 0x0000050100070406

#define APIC_BASE_X2APIC 0x400
#define APIC_BASE_ENABLE 0x800

#define CR0_PE 0x1
#define CR0_MP 0x2
#define CR0_TS 0x8
#define CR0_ET 0x10
#define CR0_NE 0x20
#define CR0_WP 0x10000
#define CR0_PG 0x80000000

#define CR4_TSD 0x4
#define CR4_DE 0x8
#define CR4_PSE 0x10
#define CR4_PAE 0x20
#define CR4_MCE 0x40
#define CR4_PGE 0x80
#define CR4_PCE 0x100
#define CR4_OSFXSR 0x200
#define CR4_OSXMMEXCPT 0x400
#define CR4_FSGSBASE 0x10000
#define CR4_OSXSAVE 0x40000
#define CR4_SMEP 0x100000
#define CR4_SMAP 0x200000

#ifndef __ASSEMBLER__

#include <tine/types.h>

static inline u64 x86_rdmsr(u32 msr)
{
	u32 lo, hi;

	__asm__ volatile("rdmsr" : "=a"(lo), "=d"(hi) : "c"(msr));
	return (u64)hi << 32 | lo;
}

static inline void x86_wrmsr(u32 msr, u64 v)
{
	__asm__ volatile("wrmsr" : : "c"(msr), "a"((u32)v), "d"((u32)(v >> 32)) : "memory");
}

static inline u64 x86_read_cr0(void)
{
	u64 v;

	__asm__ volatile("mov %%cr0, %0" : "=r"(v));
	return v;
}

static inline void x86_write_cr0(u64 v)
{
	__asm__ volatile("mov %0, %%cr0" : : "r"(v) : "memory");
}

static inline u64 x86_read_cr2(void)
{
	u64 v;

	__asm__ volatile("mov %%cr2, %0" : "=r"(v));
	return v;
}

static inline u64 x86_read_cr3(void)
{
	u64 v;

	__asm__ volatile("mov %%cr3, %0" : "=r"(v));
	return v;
}

static inline void x86_write_cr3(u64 v)
{
	__asm__ volatile("mov %0, %%cr3" : : "r"(v) : "memory");
}

static inline u64 x86_read_cr4(void)
{
	u64 v;

	__asm__ volatile("mov %%cr4, %0" : "=r"(v));
	return v;
}

static inline void x86_write_cr4(u64 v)
{
	__asm__ volatile("mov %0, %%cr4" : : "r"(v) : "memory");
}

/* The local APIC's task priority: interrupts up to 16 * PRIORITY + 15 wait. */
static inline void x86_write_cr8(u64 priority)
{
	__asm__ volatile("mov %0, %%cr8" : : "r"(priority) : "memory");
}

static inline void x86_xsetbv(u32 index, u64 v)
{
	__asm__ volatile("xsetbv" : : "c"(index), "a"((u32)v), "d"((u32)(v >> 32)));
}

static inline u64 x86_xgetbv(u32 index)
{
	u32 lo, hi;

	__asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(index));
	return (u64)hi << 32 | lo;
}

#endif /* __ASSEMBLER__ */
#endif
