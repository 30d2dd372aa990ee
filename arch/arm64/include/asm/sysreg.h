/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System registers and the instructions around them. Names are the manual's (DDI 0487); bits only where somebody uses them. */
#ifndef ASM_SYSREG_H
#define ASM_SYSREG_H

#include <asm/constant.h>

#define HCR_VM (1 << 0)
#define HCR_FMO (1 << 3)
#define HCR_IMO (1 << 4)
#define HCR_AMO (1 << 5)
#define HCR_TGE (1 << 27)
#define HCR_RW_SHIFT 31
#define HCR_E2H_SHIFT 34
/* While no guest runs: EL1 would be AArch64; all interrupts come to EL2. */
#define HCR_HYPERVISOR (ARM64_UL(1) << HCR_RW_SHIFT | HCR_AMO | HCR_IMO | HCR_FMO)

/* D17.2.118 SCTLR_EL2, HCR_EL2.E2H = 0: bits that are reserved as 1, and what we use. */
#define SCTLR_RES1 0x30c50830
#define SCTLR_M (1 << 0)
#define SCTLR_C (1 << 2)
#define SCTLR_SA (1 << 3)
#define SCTLR_I (1 << 12)
#define SCTLR_WXN (1 << 19)
#define SCTLR_BOOT (SCTLR_RES1 | SCTLR_M | SCTLR_C | SCTLR_SA | SCTLR_I)
#define SCTLR_FINAL (SCTLR_BOOT | SCTLR_WXN)
#define SCTLR_MMU_OFF SCTLR_RES1

/* TCR_EL2: reserved ones, 48-bit addresses, walks write-back and inner shareable, 4 KiB granule; PS (bits 18:16) is the CPU's. */
#define TCR_BASE (ARM64_UL(1) << 31 | 1 << 23 | 3 << 12 | 1 << 10 | 1 << 8 | 16)
#define TCR_PS_SHIFT 16
#define PARANGE_48 5

/* MAIR_EL2, by the index in an entry. */
#define MAIR_NORMAL 0 /* write-back, read and write allocate */
#define MAIR_DEVICE 1 /* nGnRE: registers */
#define MAIR_VALUE 0x04ff

#ifndef __ASSEMBLER__

#include <tine/types.h>

#define read_sysreg(name)                                                                          \
	({                                                                                         \
		u64 value_;                                                                        \
		__asm__ volatile("mrs %0, " #name : "=r"(value_));                                 \
		value_;                                                                            \
	})
#define write_sysreg(name, value)                                                                  \
	__asm__ volatile("msr " #name ", %0" : : "r"((u64)(value)) : "memory")

static inline void isb(void)
{
	__asm__ volatile("isb" ::: "memory");
}

/* What came before is complete: for the table walker and for devices, on all CPUs that share memory; and the whole system. */
static inline void dsb_ish(void)
{
	__asm__ volatile("dsb ish" ::: "memory");
}

static inline void dsb_ishst(void)
{
	__asm__ volatile("dsb ishst" ::: "memory");
}

static inline void dsb_sy(void)
{
	__asm__ volatile("dsb sy" ::: "memory");
}

#endif /* __ASSEMBLER__ */
#endif
