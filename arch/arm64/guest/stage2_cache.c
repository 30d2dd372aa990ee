// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frames on their way to a guest, and caches (DDI 0487, B2.7, D7.5). A guest with its MMU or caches off, or with memory of its own mapped uncached, reads
 * and writes memory beside the caches. So of a frame that it gets nothing is cached that memory does not have: else it would read what the frame's last
 * owner left there, and what was cached dirty would be written over its own data later.
 *
 * The hypervisor's own view stays cached, and the CPU may load clean lines of it at any time. That is harmless to a guest with caches on; one with caches off
 * finds in memory what it wrote there, and invalidates before it turns them on, as it must on any machine. No state, no lock.
 */
#include "internal.h"
#include <asm/cache.h>
#include <tine/p2m.h>
#include <tine/page.h>
#include <tine/string.h>

void arch_p2m_clean(mfn_t mfn, unsigned int order)
{
	dcache_clean_invalidate(mfn_to_virt(mfn), PAGE_SIZE << order);
}

/*
 * A guest with caches off has written FROM past lines that we may have: they go first. What it executes from TO must not be what some instruction cache
 * remembers of the frame's last use.
 */
void arch_p2m_copy(mfn_t to, mfn_t from)
{
	void *there = mfn_to_virt(to), *here = mfn_to_virt(from);

	dcache_clean_invalidate(here, PAGE_SIZE);
	memcpy(there, here, PAGE_SIZE);
	dcache_clean_invalidate(there, PAGE_SIZE);
	icache_forget(there, PAGE_SIZE);
}
