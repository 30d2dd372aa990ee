/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The PV guest's world: what start_info told, its frames and their machine frames, page-table
 * entries by address. All memory the kernel uses is the linear mapping the builder made; page
 * tables in it are read-only and change by hypercall only.
 */
#ifndef TINYPV_H
#define TINYPV_H

#include "tiny_guest.h"
#include "tiny_types.h"
#include "tinypv_layout.h"

#include <xen/xen.h>

/*
 * A 64-bit guest leaves the user bit to the hypervisor: kernel pages are written without it (abi
 * page 5.2).
 */
#define PTE_PRESENT 0x001ul
#define PTE_WRITE 0x002ul
#define PTE_USER 0x004ul
#define PTE_ACCESSED 0x020ul
#define PTE_DIRTY 0x040ul
#define PTE_LARGE 0x080ul
#define PTE_NX 0x8000000000000000ul
#define PTE_FRAME 0x000ffffffffff000ul

#define PTE_KERNEL_RO (PTE_PRESENT | PTE_ACCESSED)
#define PTE_KERNEL_RW (PTE_PRESENT | PTE_WRITE | PTE_ACCESSED | PTE_DIRTY)
#define PTE_USER_TABLE (PTE_PRESENT | PTE_WRITE | PTE_USER | PTE_ACCESSED)

extern const start_info_t *tiny_start_info;
extern shared_info_t *tiny_shared;

void mem_init(const start_info_t *info);
void rings_init(void); /* tinypv_kind.c */

mfn_t pfn_to_mfn(pfn_t frame);
pfn_t mfn_to_pfn(mfn_t frame);
void *pfn_to_virt(pfn_t frame);
pfn_t virt_to_pfn(const void *address);
mfn_t virt_to_mfn(const void *address);
uint64_t virt_to_machine(const void *address);

static inline uint64_t make_pte(mfn_t frame, uint64_t flags)
{
	return frame.n << PAGE_SHIFT | flags;
}

/*
 * The entry of `level` (4 down to 1) that maps `address` in the kernel's tables, or NULL where no
 * table exists.
 */
const uint64_t *pte_of(const void *address, unsigned int level);

/* Changes how one page of the linear mapping is mapped, with a flush; -errno from the hypervisor. */
int __must_check page_map(const void *page, uint64_t entry);

/*
 * Page tables for user mode: one code page (a copy of the user program), one data page, one stack
 * page.
 */
int __must_check user_init(void);

#endif
