// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: any bytes as multiboot2 information, through the parser and boot_info_sanitize(). What must hold beside
 * "no sanitizer complains": regions sorted, disjoint and not empty; modules inside RAM and disjoint.
 */
#include "boot_info_holds.h"
#include "host_log.h"
#include <asm/boot.h>
#include <tine/boot_info.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static struct boot_info bi;

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	host_log_clear();
	if (x86_multiboot2_parse(data, size, &bi) || boot_info_sanitize(&bi)) {
		require(host_log_lines() > 0); /* an error says why */
		return 0;
	}
	boot_info_holds(&bi);
	boot_info_log(&bi);
	return 0;
}
