// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as multiboot2 information, through the parser and boot_info_sanitize(). What must hold beside
 * "no sanitizer complains": regions sorted, disjoint and not empty; modules inside RAM and disjoint.
 */
#include "host_log.h"
#include <stdlib.h>
#include <asm/boot.h>
#include <tine/boot_info.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static struct boot_info bi;

static void require(bool condition)
{
	if (!condition)
		abort();
}

static bool in_ram(const struct boot_module *m)
{
	for (unsigned int i = 0; i < bi.nr_regions; i++)
		if (bi.regions[i].type == MEM_RAM &&
		    paddr_x(bi.regions[i].start) <= paddr_x(m->start) &&
		    paddr_x(m->end) <= paddr_x(bi.regions[i].end))
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	host_log_clear();
	if (x86_multiboot2_parse(data, size, &bi) || boot_info_sanitize(&bi)) {
		require(host_log_lines() > 0); /* an error says why */
		return 0;
	}
	for (unsigned int i = 0; i < bi.nr_regions; i++) {
		const struct mem_region *r = &bi.regions[i];

		require(paddr_x(r->start) < paddr_x(r->end));
		require(i == 0 || paddr_x(r[-1].end) <= paddr_x(r->start));
	}
	for (unsigned int i = 0; i < bi.nr_modules; i++) {
		const struct boot_module *m = &bi.modules[i];

		require(paddr_x(m->start) < paddr_x(m->end) && in_ram(m));
		for (unsigned int j = 0; j < i; j++)
			require(paddr_x(bi.modules[j].end) <= paddr_x(m->start) ||
				paddr_x(m->end) <= paddr_x(bi.modules[j].start));
	}
	boot_info_log(&bi);
	return 0;
}
