/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The host's stand-in for a machine's memory: two reservations of address space that host_machine.c fills. */
#ifndef ASM_MEMORY_H
#define ASM_MEMORY_H

#include <tine/types.h>

struct page;
extern struct page *host_frame_table;
extern char *host_direct_map;
#define frame_table host_frame_table

static inline void *paddr_to_virt(paddr_t pa)
{
	return host_direct_map + paddr_x(pa);
}

static inline void *mfn_to_virt(mfn_t mfn)
{
	return paddr_to_virt(mfn_to_paddr(mfn));
}

static inline paddr_t virt_to_paddr(const void *va)
{
	return _paddr((unsigned long)((const char *)va - host_direct_map));
}

static inline mfn_t virt_to_mfn(const void *va)
{
	return paddr_to_mfn(virt_to_paddr(va));
}

#endif
