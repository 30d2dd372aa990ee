/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The direct map: all RAM that the hypervisor uses, from DIRECTMAP_VIRT_START on in order of its physical addresses, up to DIRECTMAP_VIRT_END. And where the
 * frame table is. <asm/memory.h> gives the addresses and includes this.
 */
#ifndef TINE_DIRECT_MAP_H
#define TINE_DIRECT_MAP_H

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

#endif
