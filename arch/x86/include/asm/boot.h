/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Start of day on x86: from what the loader left in memory to boot_info. The parsers reach physical memory only through
 * x86_boot_map(), so host tests run them over a memory of their own.
 */
#ifndef ASM_BOOT_H
#define ASM_BOOT_H

#include <tine/boot_info.h>
#include <tine/compiler.h>
#include <tine/types.h>

/*
 * LEN bytes of physical memory at PA, readable, for as long as start of day uses firmware tables; NULL when any of them
 * is out of reach, when PA + LEN wraps, and when LEN is 0. Needs no allocator. The address need not be aligned.
 */
const void *x86_boot_map(paddr_t pa, size_t len);

/*
 * Reads the multiboot2 information of at most MAX readable bytes into BI. Flaws are reported and left out; -EINVAL, after
 * a line that says why, when it is no such information at all. A missing memory map shows in boot_info_sanitize().
 */
int x86_multiboot2_parse(const void *mbi, size_t max, struct boot_info *bi) __must_check;

/* The same for the hvm_start_info of the PVH entry, at physical address PA. */
int x86_pvh_parse(paddr_t pa, struct boot_info *bi) __must_check;

#endif
