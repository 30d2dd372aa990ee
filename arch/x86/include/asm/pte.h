/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Page-table entries of the four levels (AMD APM vol. 2, 5.3; Intel SDM vol. 3, 4.5). */
#ifndef ASM_PTE_H
#define ASM_PTE_H

#include <tine/types.h>

#define PTE_P 0x001UL
#define PTE_RW 0x002UL
#define PTE_US 0x004UL
#define PTE_PWT 0x008UL
#define PTE_PCD 0x010UL
#define PTE_A 0x020UL
#define PTE_D 0x040UL
#define PTE_PSE 0x080UL /* levels 2 and 3: a large page; level 1: PTE_PAT */
#define PTE_PAT 0x080UL
#define PTE_G 0x100UL
#define PTE_AVAIL 0x7ff0000000000e00UL /* bits 9-11 and 52-62: software's */
#define PTE_GUEST_KERNEL (1UL << 52)
#define PTE_NX (1UL << 63)
#define PTE_ADDR_MASK 0x000ffffffffff000UL

#define PT_ENTRIES 512

/* Index of address VA in a table of LEVEL (1 .. 4). */
static inline unsigned int pt_index(unsigned long va, unsigned int level)
{
	return (va >> (PAGE_SHIFT + 9 * (level - 1))) & (PT_ENTRIES - 1);
}

static inline u64 pte_make(mfn_t mfn, u64 flags)
{
	return mfn_x(mfn) << PAGE_SHIFT | flags;
}

static inline mfn_t pte_mfn(u64 pte)
{
	return _mfn((pte & PTE_ADDR_MASK) >> PAGE_SHIFT);
}

#endif
