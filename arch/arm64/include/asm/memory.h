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

#include <tine/direct_map.h>

#endif /* __ASSEMBLER__ */
#endif
