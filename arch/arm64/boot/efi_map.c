// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * UEFI's memory map into boot_info (UEFI 2.10, 7.2.3). It takes the place of the device tree's memory nodes, which say nothing of what the firmware keeps
 * for itself; what the tree reserves stays reserved. Compiled for the host as well.
 */
#include <asm/efi.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/string.h>

struct efi_descriptor {
	u32 type;
	u64 start, virtual_start, pages, attributes;
};

#define EFI_WRITE_BACK 0x8UL /* can be ordinary memory */

/* By type, from EfiReservedMemoryType on. */
static const u8 types[] = {
	MEM_RESERVED,                 /* reserved */
	MEM_RAM,        MEM_RAM,      /* the loader's code and data: ourselves, modules */
	MEM_RAM,        MEM_RAM,      /* boot services', which have ended */
	MEM_RESERVED,   MEM_RESERVED, /* runtime services' */
	MEM_RAM,                      /* conventional */
	MEM_UNUSABLE,   MEM_ACPI,     MEM_NVS,
	MEM_RESERVED,   MEM_RESERVED, MEM_RESERVED, /* devices, PAL code */
	MEM_PERSISTENT,
};

static void drop_ram(struct boot_info *bi)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < bi->nr_regions; i++)
		if (bi->regions[i].type != MEM_RAM)
			bi->regions[kept++] = bi->regions[i];
	bi->nr_regions = kept;
}

static void add(struct boot_info *bi, const struct efi_descriptor *d)
{
	enum mem_type type = d->type < ARRAY_SIZE(types) ? types[d->type] : MEM_RESERVED;

	if (type == MEM_RAM && !(d->attributes & EFI_WRITE_BACK))
		type = MEM_RESERVED;
	if (d->pages > ~0UL >> PAGE_SHIFT) {
		pr_warn("UEFI memory map: %#lx pages at %#lx: ignored", d->pages, d->start);
		return;
	}
	if (d->pages)
		boot_info_add_region(bi, d->start, d->pages << PAGE_SHIFT, type);
}

void arm64_efi_regions(const void *map, size_t size, size_t stride, struct boot_info *bi)
{
	struct efi_descriptor d;

	if (stride < sizeof(d)) {
		pr_err("UEFI memory map: descriptors of %zu bytes: not used", stride);
		return;
	}
	bi->efi = true;
	drop_ram(bi);
	for (size_t at = 0; at + stride <= size; at += stride) {
		memcpy(&d, (const u8 *)map + at, sizeof(d));
		add(bi, &d);
	}
	bi->regions_unordered = false; /* the tree's reservations came first */
}
