/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cache maintenance (DDI 0487, B2.7, D7.5): by address to the point of coherency, for who reads memory with caches off; and of instructions. */
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

#define CTR_LINE(ctr) (4UL << ((ctr)&0xf))     /* IminLine */
#define CTR_PIPT(ctr) (((ctr) >> 14 & 3) == 3) /* L1Ip: by physical address alone */
#define CTR_DIC (1UL << 29)                    /* instruction caches follow what is written */

/*
 * No CPU fetches older instructions from there, by whatever address a guest has it. What was written is out of data caches. By address only where every
 * alias is found by any.
 */
static inline void icache_forget(const void *start, size_t len)
{
	u64 ctr = read_sysreg(ctr_el0);
	unsigned long line = CTR_LINE(ctr), at = (unsigned long)start & ~(line - 1);

	if (ctr & CTR_DIC)
		return;
	if (!CTR_PIPT(ctr))
		__asm__ volatile("ic ialluis" ::: "memory");
	for (; CTR_PIPT(ctr) && at < (unsigned long)start + len; at += line)
		__asm__ volatile("ic ivau, %0" : : "r"(at) : "memory");
	dsb_ish();
}

#endif
