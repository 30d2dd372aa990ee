// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as a device tree, through the parser, boot_info_sanitize() and numa_init(). What must hold beside "no sanitizer complains":
 * regions sorted, disjoint and not empty; modules inside RAM and disjoint; interrupts and CPUs in their ranges.
 */
#include "boot_info_holds.h"
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
	boot_info_holds(&bi);
	check_platform();
	boot_info_log(&bi);
	numa_init(&bi);
	return 0;
}
