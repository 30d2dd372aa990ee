/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the UEFI stub leaves for start of day: the firmware's memory map as it was when boot services ended. Lies in .data, since the stub writes it into
 * the copy of the image that runs, whose bss is cleared later.
 */
#ifndef ASM_EFI_H
#define ASM_EFI_H

#include <tine/boot_info.h>
#include <tine/types.h>

struct arm64_efi_map {
	u64 address; /* physical */
	u64 size;    /* 0: not started by UEFI */
	u64 descriptor_size;
	u64 seconds; /* since 1970, by the firmware's clock, at the image's first instruction or a moment before; 0: it has none */
};
extern struct arm64_efi_map arm64_efi_map;

#define EFI_MAP_MAX 0x20000 /* bytes that the stub has room for */

/* RAM is what the SIZE bytes at MAP say, descriptors of STRIDE bytes, instead of the device tree's memory nodes. */
void arm64_efi_regions(const void *map, size_t size, size_t stride, struct boot_info *bi);

#endif
