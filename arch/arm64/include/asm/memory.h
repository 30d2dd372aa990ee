/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hypervisor's address space at EL2: TTBR0_EL2, 48 bits, 4 KiB granule. No guest shares it.
 *
 *   0x0000800000000000  the image (1 GiB), then stacks with guard pages, device registers, the device tree (1 GiB each)
 *   0x0000808000000000  frame table
 *   0x0000c00000000000  direct map of RAM, 64 TiB
 *
 * Below the image's slot is only, while a CPU starts, the page that turns its MMU on, at its own physical address.
 */
#ifndef ASM_MEMORY_H
#define ASM_MEMORY_H

#include <asm/constant.h>

#define IMAGE_VIRT_START ARM64_UL(0x0000800000000000)
#define STACKS_VIRT_START ARM64_UL(0x0000800040000000)
#define DEVICE_VIRT_START ARM64_UL(0x0000800080000000)
#define FDT_VIRT_START ARM64_UL(0x00008000c0000000)
#define FRAMETABLE_VIRT_START ARM64_UL(0x0000808000000000)
#define DIRECTMAP_VIRT_START ARM64_UL(0x0000c00000000000)
#define DIRECTMAP_VIRT_END ARM64_UL(0x0001000000000000)
#define DIRECTMAP_FRAMES ((DIRECTMAP_VIRT_END - DIRECTMAP_VIRT_START) >> PAGE_SHIFT)

/* What XENVER_platform_parameters answers: guests here have their own address space. */
#define HYPERVISOR_VIRT_START ARM64_UL(0)

#ifndef __ASSEMBLER__

#include <tine/types.h>

struct page;
#define frame_table ((struct page *)FRAMETABLE_VIRT_START)

static inline void *paddr_to_virt(paddr_t pa)
{
	return (void *)(DIRECTMAP_VIRT_START + paddr_x(pa));
}

static inline void *mfn_to_virt(mfn_t mfn)
{
	return paddr_to_virt(mfn_to_paddr(mfn));
}

/* Of direct-map addresses only. */
static inline paddr_t virt_to_paddr(const void *va)
{
	return _paddr((unsigned long)va - DIRECTMAP_VIRT_START);
}

static inline mfn_t virt_to_mfn(const void *va)
{
	return paddr_to_mfn(virt_to_paddr(va));
}

#endif /* __ASSEMBLER__ */
#endif
