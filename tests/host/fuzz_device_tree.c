// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as a device tree, through the parser, boot_info_sanitize() and numa_init(). What must hold beside "no sanitizer complains":
 * regions sorted, disjoint and not empty; modules inside RAM and disjoint; interrupts and CPUs in their ranges.
 */
#include "host_log.h"
#include <stdlib.h>
#include <string.h>
#include <asm/gic.h>
#include <asm/platform.h>
#include <tine/boot_info.h>
#include <tine/numa.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static struct boot_info bi;
static struct arm64_platform platform;

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

static void check_memory(void)
{
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
}

static void check_platform(void)
{
	const struct arm64_gic *g = &platform.gic;

	require(g->version == 0 || g->version == 2 || g->version == 3);
	require(g->nr_redistributors <= GIC_MAX_REDISTRIBUTORS);
	require(g->maintenance < GIC_INTIDS && platform.uart_irq < GIC_INTIDS);
	require(platform.timer_hyp < GIC_INTIDS && platform.timer_virtual < GIC_INTIDS);
	require(bi.nr_cpus <= BOOT_MAX_CPUS && bi.nr_slit <= BOOT_MAX_NODES);
}

/* A tree is 8-byte aligned, as a loader passes it; and ends where its bytes do. */
static int parse(const u8 *data, size_t size)
{
	u8 *exact = malloc(size ? size : 1);
	int rc;

	memcpy(exact, data, size);
	rc = arm64_device_tree_parse(exact, size, _paddr(0x48000000), &bi, &platform);
	free(exact);
	return rc;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	host_log_clear();
	if (parse(data, size) || boot_info_sanitize(&bi)) {
		require(host_log_lines() > 0); /* an error says why */
		return 0;
	}
	check_memory();
	check_platform();
	boot_info_log(&bi);
	numa_init(&bi);
	return 0;
}
