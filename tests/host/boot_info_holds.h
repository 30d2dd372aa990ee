/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What holds of every boot_info that boot_info_sanitize() let pass: regions sorted, disjoint and not empty; modules inside RAM and disjoint. For fuzzers. */
#ifndef BOOT_INFO_HOLDS_H
#define BOOT_INFO_HOLDS_H

#include <stdlib.h>
#include <tine/boot_info.h>

static inline void require(bool condition)
{
	if (!condition)
		abort();
}

static inline bool module_is_in_ram(const struct boot_info *bi, const struct boot_module *m)
{
	for (unsigned int i = 0; i < bi->nr_regions; i++)
		if (bi->regions[i].type == MEM_RAM &&
		    paddr_x(bi->regions[i].start) <= paddr_x(m->start) &&
		    paddr_x(m->end) <= paddr_x(bi->regions[i].end))
			return true;
	return false;
}

static inline void boot_info_holds(const struct boot_info *bi)
{
	for (unsigned int i = 0; i < bi->nr_regions; i++) {
		const struct mem_region *r = &bi->regions[i];

		require(paddr_x(r->start) < paddr_x(r->end));
		require(i == 0 || paddr_x(r[-1].end) <= paddr_x(r->start));
	}
	for (unsigned int i = 0; i < bi->nr_modules; i++) {
		const struct boot_module *m = &bi->modules[i];

		require(paddr_x(m->start) < paddr_x(m->end) && module_is_in_ram(bi, m));
		for (unsigned int j = 0; j < i; j++)
			require(paddr_x(bi->modules[j].end) <= paddr_x(m->start) ||
				paddr_x(m->end) <= paddr_x(bi->modules[j].start));
	}
}

#endif
