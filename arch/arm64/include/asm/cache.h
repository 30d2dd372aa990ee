/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cache maintenance by address (DDI 0487, B2.7, D7.5): to the point of coherency, for who reads memory with caches off. */
#ifndef ASM_CACHE_H
#define ASM_CACHE_H

#include <asm/sysreg.h>
#include <tine/types.h>

static inline unsigned long dcache_line(void)
{
	return 4UL << (read_sysreg(ctr_el0) >> 16 & 0xf);
}

/* Written back and dropped. */
static inline void dcache_clean_invalidate(const void *start, size_t len)
{
	unsigned long line = dcache_line(), at = (unsigned long)start & ~(line - 1);

	for (; at < (unsigned long)start + len; at += line)
		__asm__ volatile("dc civac, %0" : : "r"(at) : "memory");
	dsb_sy();
}

#endif
