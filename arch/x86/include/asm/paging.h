/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page-table entries, and the hypervisor's own tables.
 *
 * There is one master top-level table. Its slots 256 .. 271 point to third-level tables that exist
 * from start of day, so a guest's top-level table that copied the slots once sees every later
 * change below them. Nothing is global (CR4.PGE is clear): loading CR3 forgets all translations.
 */
#ifndef ASM_PAGING_H
#define ASM_PAGING_H

#include <asm/pte.h>
#include <tine/compiler.h>
#include <tine/types.h>

#define HYPERVISOR_SLOT_FIRST 256
#define HYPERVISOR_SLOTS 16

/*
 * Flags of the hypervisor's mappings. A and D are preset: hardware then never writes to the tables.
 */
#define PAGE_HYP_RW (PTE_P | PTE_RW | PTE_A | PTE_D | PTE_NX)
#define PAGE_HYP_RO (PTE_P | PTE_A | PTE_NX)
#define PAGE_HYP_RX (PTE_P | PTE_A)
#define PAGE_HYP_DEVICE (PAGE_HYP_RW | PTE_PCD | PTE_PWT)

u64 *x86_master_l4(void);
paddr_t x86_master_cr3(void); /* idle CPUs run on it; below 4 GiB */
void x86_copy_hypervisor_slots(u64 *l4);

/*
 * Maps COUNT frames from MFN at VA (4 KiB pages; VA in the hypervisor's slots), replacing what was
 * there, without any flush. Tables come from bootmem at start of day, from the heap later. -ENOMEM:
 * part of it may be mapped. LOCK_MAPPING.
 */
int x86_map_pages(void *va, mfn_t mfn, unsigned long count, u64 flags) __must_check;
void x86_unmap_pages(void *va, unsigned long count);

/* Maps registers at PA, uncached, for good. NULL, after a line, when there is no room or memory. */
volatile void *x86_map_device(paddr_t pa, size_t len) __must_check;

/* As x86_map_pages, with the largest pages that fit. Start of day only: no lock. */
int x86_map_range(void *va, paddr_t pa, unsigned long len, u64 flags) __must_check;

/* The entry that maps VA in the master table and the size of its page; 0 when none does. */
u64 x86_walk(const void *va, unsigned long *size);

/* The image's addresses are not in the direct map's range. */
paddr_t x86_image_paddr(const void *sym);

void x86_paging_set_load_base(paddr_t base); /* first of all */
void x86_paging_use_heap(void);              /* tables come from the heap from now on */

#endif
