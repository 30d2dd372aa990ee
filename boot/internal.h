/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of boot/ share with one another only. */
#ifndef BOOT_INTERNAL_H
#define BOOT_INTERNAL_H

#include <tine/boot_info.h>
#include <tine/domain_config.h>

/*
 * boot_regions.c: sorts by start and joins neighbours of one type; overlaps of unlike types stay.
 */
void boot_regions_sort_and_merge(struct boot_info *bi);

/*
 * boot_regions.c: makes the regions disjoint, the more restrictive type winning; sorted and merged
 * afterwards.
 */
void boot_regions_resolve(struct boot_info *bi);

/*
 * boot_regions.c: a region of TYPE had no room in the table; if it is not RAM, no RAM may remain in
 * [start, end).
 */
void boot_regions_lose(struct boot_info *bi, struct mem_region lost);

/*
 * domains.c: creates and starts the domains that the modules describe. Each flaw is one line; what
 * is good is started.
 */
void boot_domains(const struct boot_info *bi);

/*
 * A domain as the boot modules describe it. KERNEL and RAMDISK name modules; ramdisk may be empty.
 */
struct domain_spec {
	struct domain_config config;
	char kernel[64], ramdisk[64];
};

/*
 * config.c: FILE is for messages and the default name. 0, or -EINVAL after one line that names file
 * and line.
 */
int config_parse(const char *file, const char *text, size_t len,
		 struct domain_spec *spec) __must_check;

#endif
