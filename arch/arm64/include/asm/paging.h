/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hypervisor's own translation tables (stage 1 of EL2, DDI 0487 D8.3). Built at start of day; later only single pages come and go. A valid
 * entry never becomes another valid one without having been invalid and forgotten in between, and no table is ever replaced by a block
 * (D8.13.1, break-before-make). LOCK_MAPPING guards changes.
 */
#ifndef ASM_PAGING_H
#define ASM_PAGING_H

#include <asm/sysreg.h>

#define PTE_VALID 0x1
#define PTE_TABLE 0x2 /* levels 0 to 2: a table, else a block; level 3: always set */
#define PTE_PAGE 0x3
#define PTE_ATTR_SHIFT 2
#define PTE_AP1 0x40 /* reserved as 1 at EL2 */
#define PTE_RO 0x80
#define PTE_SH_INNER 0x300
#define PTE_AF 0x400
#define PTE_XN_SHIFT 54

#define PTE_NORMAL (PTE_AF | PTE_SH_INNER | PTE_AP1 | MAIR_NORMAL << PTE_ATTR_SHIFT)
#define PTE_DEVICE (PTE_AF | PTE_AP1 | MAIR_DEVICE << PTE_ATTR_SHIFT)

#ifndef __ASSEMBLER__

#include <tine/compiler.h>
#include <tine/types.h>

#define PT_ENTRIES 512
#define PTE_XN (1UL << PTE_XN_SHIFT)
#define PTE_ADDR_MASK 0x0000fffffffff000UL

/* Flags of mappings. No page is writable and executable: SCTLR_EL2.WXN sees to it as well. */
#define PAGE_HYP_RW (PTE_NORMAL | PTE_XN)
#define PAGE_HYP_RO (PTE_NORMAL | PTE_RO | PTE_XN)
#define PAGE_HYP_RX (PTE_NORMAL | PTE_RO)
#define PAGE_HYP_DEVICE (PTE_DEVICE | PTE_XN)

/*
 * Maps COUNT frames from MFN at VA, where nothing is mapped, in 4 KiB pages. Tables come from bootmem at start of day, from the heap later. -ENOMEM:
 * part of it may be mapped.
 */
int arm64_map_pages(void *va, mfn_t mfn, unsigned long count, u64 flags) __must_check;
/* And forgets their translations on all CPUs. */
void arm64_unmap_pages(void *va, unsigned long count);

/* Maps registers at PA for good. NULL, after a line, when there is no room or memory. */
volatile void *arm64_map_device(paddr_t pa, size_t len) __must_check;

/* As arm64_map_pages, with the largest blocks that fit; what is mapped there to the same place already stays. Start of day only: no lock. */
int arm64_map_range(void *va, paddr_t pa, unsigned long len, u64 flags) __must_check;

/* The entry that maps VA and the size of its page; 0 when none does. */
u64 arm64_walk(const void *va, unsigned long *size);

/* The image's addresses are not in the direct map's range. */
paddr_t arm64_image_paddr(const void *sym);

paddr_t arm64_page_tables(void); /* the top-level table, for TTBR0_EL2 */
void arm64_paging_early(
	paddr_t image); /* first of all: where the image is; devices may be mapped after */
void arm64_paging_use_bootmem(void);
void arm64_paging_use_heap(void); /* tables come from the heap from now on */
void arm64_paging_switch(void);   /* CPU 0 leaves the boot tables */

#endif /* __ASSEMBLER__ */
#endif
