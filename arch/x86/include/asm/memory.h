/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hypervisor's address space on x86-64: top-level slots 256 .. 271, the only ones that PV guests leave to it.
 *
 *   256       0xffff800000000000  M2P, read-only for guests, populated where domains own frames
 *   257       0xffff808000000000  the image (1 GiB), then stacks with guard pages, device mappings
 *   258       0xffff810000000000  per domain: each vCPU's descriptor tables
 *   259       0xffff818000000000  frame table
 *   260 - 271 0xffff820000000000  direct map of RAM, 6 TiB
 */
#ifndef ASM_MEMORY_H
#define ASM_MEMORY_H

#ifdef __ASSEMBLER__
#define X86_UL(n) n
#else
#define X86_UL(n) n##UL
#endif

/* The ABI's own constants: xen/xen.h defines them to the same values, unless they are there already. */
#ifndef HYPERVISOR_VIRT_START
#define HYPERVISOR_VIRT_START X86_UL(0xffff800000000000)
#define HYPERVISOR_VIRT_END X86_UL(0xffff880000000000) /* exclusive */
#endif

#define M2P_VIRT_START X86_UL(0xffff800000000000)
#define IMAGE_VIRT_START X86_UL(0xffff808000000000)
#define STACKS_VIRT_START X86_UL(0xffff808040000000)
#define DEVICE_VIRT_START X86_UL(0xffff808080000000)
#define PERDOMAIN_VIRT_START X86_UL(0xffff810000000000)
#define FRAMETABLE_VIRT_START X86_UL(0xffff818000000000)
#define DIRECTMAP_VIRT_START X86_UL(0xffff820000000000)
#define DIRECTMAP_VIRT_END HYPERVISOR_VIRT_END
#define DIRECTMAP_FRAMES ((DIRECTMAP_VIRT_END - DIRECTMAP_VIRT_START) >> PAGE_SHIFT)

#ifndef __ASSEMBLER__

#include <tine/direct_map.h>

#endif /* __ASSEMBLER__ */
#endif
