// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: the input is a small physical memory that begins with a start info, whose magic the harness sets. Pointers
 * are taken modulo a size a little above the memory's, so that most lead into it and some out of it.
 */
#include "fake_memory.h"
#include "host_log.h"
#include <stdlib.h>
#include <string.h>
#include <asm/boot.h>
#include <tine/errno.h>
#include <xen/arch-x86/hvm/start_info.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define MEMORY_AT 0x10000

static struct boot_info bi;

static void aim(uint64_t *pointer, size_t size)
{
	if (*pointer >> 56 != 0xff) /* let some stay as wild as they are */
		*pointer = MEMORY_AT + *pointer % (size + 64);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct hvm_start_info *info;
	int rc;

	if (size < sizeof(*info))
		return 0;
	fake_memory_reset();
	host_log_clear();
	info = (void *)fake_memory_add(MEMORY_AT, data, size);
	info->magic = XEN_HVM_START_MAGIC_VALUE;
	aim(&info->modlist_paddr, size);
	aim(&info->cmdline_paddr, size);
	aim(&info->memmap_paddr, size);

	rc = x86_pvh_parse(_paddr(MEMORY_AT), &bi);
	if (rc || strnlen(bi.cmdline, sizeof(bi.cmdline)) == sizeof(bi.cmdline))
		abort();
	rc = boot_info_sanitize(&bi);
	if (rc != 0 && (rc != -ENODATA || host_log_lines() == 0))
		abort();
	boot_info_log(&bi);
	return 0;
}
