/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What firmware and boot loader said, in one form whatever the path (multiboot2, PVH, Image and device tree).
 * Filled by the parsers at start of day, corrected by boot_info_sanitize(), read-only afterwards. Parsers copy: nothing
 * here points into loader memory, except module contents, which stay where the loader put them.
 *
 * Parsers take untrusted bytes and a length, never read outside them, report each flaw once with printk and go on
 * where going on is safe. They are compiled for the host as well, under sanitizers and libFuzzer.
 */
#ifndef TINE_BOOT_INFO_H
#define TINE_BOOT_INFO_H

#include <tine/cmdline.h>
#include <tine/types.h>

#define BOOT_MAX_REGIONS 512
#define BOOT_MAX_MODULES 16
#define BOOT_MODULE_ARGS 1024
#define BOOT_MAX_CPUS 1024 /* firmware entries looked at */
#define BOOT_MAX_NODES 64
#define BOOT_MAX_NODE_RANGES 256
#define BOOT_RSDP_SIZE 36 /* of revision 2 and up; revision 0 has 20 bytes */

enum mem_type { MEM_RAM, MEM_RESERVED, MEM_ACPI, MEM_NVS, MEM_UNUSABLE, MEM_PERSISTENT };

struct mem_region {
	paddr_t start,
		end; /* [start, end), any alignment as reported; after sanitizing sorted and disjoint */
	enum mem_type type;
};

struct boot_module {
	paddr_t start, end; /* [start, end) */
	char args
		[BOOT_MODULE_ARGS]; /* as the loader passed them; on multiboot2 without the file's name unless given */
};

struct boot_cpu {
	u32 hw_id; /* x86: local APIC id; arm64: MPIDR affinity, level 3 in the top byte */
	u32 acpi_uid;
	u32 proximity; /* SRAT proximity domain, or BOOT_NO_PROXIMITY */
};
#define BOOT_NO_PROXIMITY (~0U)

struct boot_node_range {
	paddr_t start, end;
	u32 proximity;
	bool hotplug;
};

struct boot_info {
	const char *protocol; /* "multiboot2", "PVH", "Image" */
	char loader[64];
	char cmdline[CMDLINE_MAX];

	unsigned int nr_regions;
	unsigned int
		nr_regions_lost; /* did not fit; what they forbid was taken out of the RAM nevertheless */
	bool regions_unordered; /* a region came after one that starts higher */
	bool reserves_within; /* what is reserved is given on top of the RAM (device tree): no flaw */
	struct mem_region regions[BOOT_MAX_REGIONS];

	unsigned int nr_modules;
	struct boot_module modules[BOOT_MAX_MODULES];

	paddr_t rsdp;             /* INVALID_PADDR: not given, look for it */
	unsigned int rsdp_copied; /* bytes of the copy that the loader passed instead, 0: none */
	u8 rsdp_copy[BOOT_RSDP_SIZE];
	paddr_t image_start, image_end; /* equal when not known */
	bool efi;

	/* From ACPI or the device tree; empty when there is nothing (good). */
	unsigned int nr_cpus;
	struct boot_cpu cpus[BOOT_MAX_CPUS];
	unsigned int nr_node_ranges;
	struct boot_node_range node_ranges[BOOT_MAX_NODE_RANGES];
	unsigned int nr_slit; /* localities in the SLIT, 0: none */
	u8 slit[BOOT_MAX_NODES *
		BOOT_MAX_NODES]; /* [from * nr_slit + to], by proximity domain number */
};

extern struct boot_info boot_info;

/* Empties BI, for a parser to begin with. */
void boot_info_reset(struct boot_info *bi, const char *protocol);

/* Adds one region as firmware gave it; reports and drops what is empty, wraps or does not fit. */
void boot_info_add_region(struct boot_info *bi, u64 start, u64 length, enum mem_type type);

/* Adds a module and returns where its arguments go; NULL, after a line, when there are too many. */
struct boot_module *boot_info_add_module(struct boot_info *bi, paddr_t start, paddr_t end);

/*
 * Sorts the regions, resolves overlaps (the more restrictive type wins), merges neighbours of one type; says what it
 * had to correct. Modules of zero length, not wholly in RAM, or overlapping the image or an earlier module are reported
 * and dropped. 0, or -ENODATA after a line when there is no RAM: the caller panics.
 */
int boot_info_sanitize(struct boot_info *bi) __must_check;

/* The memory map, modules and command line at info level. */
void boot_info_log(const struct boot_info *bi);

const char *mem_type_name(enum mem_type type);

#endif
