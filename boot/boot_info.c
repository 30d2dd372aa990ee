// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * boot_info: what firmware and loader said, collected and then made consistent. Owns the one instance and the rules
 * for modules; the rules for memory regions are in boot_regions.c. Invariant after boot_info_sanitize(): regions are
 * sorted, disjoint and not empty; every module is RAM that nothing else uses. Start of day only, one CPU, no lock.
 */
#include "internal.h"
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/string.h>

struct boot_info boot_info;

const char *mem_type_name(enum mem_type type)
{
	static const char *const names[] = {
		[MEM_RAM] = "RAM",           [MEM_RESERVED] = "reserved",
		[MEM_ACPI] = "ACPI tables",  [MEM_NVS] = "ACPI NVS",
		[MEM_UNUSABLE] = "unusable", [MEM_PERSISTENT] = "persistent",
	};

	return (unsigned int)type < ARRAY_SIZE(names) ? names[type] : "unknown";
}

void boot_info_reset(struct boot_info *bi, const char *protocol)
{
	/* Arrays are as long as their counters say: clearing half of it would cost more than the whole parse. */
	bi->protocol = protocol;
	bi->loader[0] = '\0';
	bi->cmdline[0] = '\0';
	bi->nr_regions = 0;
	bi->nr_regions_lost = 0;
	bi->regions_unordered = false;
	bi->reserves_within = false;
	bi->nr_modules = 0;
	bi->rsdp = INVALID_PADDR;
	bi->rsdp_copied = 0;
	bi->image_start = bi->image_end = _paddr(0);
	bi->efi = false;
	bi->nr_cpus = 0;
	bi->nr_node_ranges = 0;
	bi->nr_slit = 0;
}

void boot_info_add_region(struct boot_info *bi, u64 start, u64 length, enum mem_type type)
{
	struct mem_region region = { _paddr(start), _paddr(start + length), type };

	if (length == 0) {
		pr_warn("boot: memory map: %s region at %#lx is empty: ignored",
			mem_type_name(type), start);
		return;
	}
	if (start + length < start) {
		pr_warn("boot: memory map: %s region at %#lx, %#lx bytes long, wraps: ignored",
			mem_type_name(type), start, length);
		return;
	}

	/* Maps from EFI come in hundreds of pieces that adjoin: joining them makes room. */
	if (bi->nr_regions == BOOT_MAX_REGIONS)
		boot_regions_sort_and_merge(bi);
	/* What was lost may have forbidden RAM that comes only now. */
	if (bi->nr_regions == BOOT_MAX_REGIONS || (bi->nr_regions_lost && type == MEM_RAM)) {
		boot_regions_lose(bi, region);
		return;
	}

	if (bi->nr_regions && start < paddr_x(bi->regions[bi->nr_regions - 1].start) &&
	    (type == MEM_RAM || !bi->reserves_within))
		bi->regions_unordered = true;
	bi->regions[bi->nr_regions++] = region;
}

struct boot_module *boot_info_add_module(struct boot_info *bi, paddr_t start, paddr_t end)
{
	struct boot_module *module;

	if (bi->nr_modules == BOOT_MAX_MODULES) {
		pr_warn("boot: module [%#lx, %#lx) is one more than the %u that fit: ignored",
			paddr_x(start), paddr_x(end), BOOT_MAX_MODULES);
		return NULL;
	}

	module = &bi->modules[bi->nr_modules++];
	module->start = start;
	module->end = end;
	module->args[0] = '\0';
	return module;
}

static bool overlaps(paddr_t start_a, paddr_t end_a, paddr_t start_b, paddr_t end_b)
{
	return paddr_x(start_a) < paddr_x(end_b) && paddr_x(start_b) < paddr_x(end_a);
}

static bool in_ram(const struct boot_info *bi, const struct boot_module *module)
{
	unsigned int i;

	for (i = 0; i < bi->nr_regions; i++) {
		const struct mem_region *r = &bi->regions[i];

		if (r->type == MEM_RAM && paddr_x(r->start) <= paddr_x(module->start) &&
		    paddr_x(module->end) <= paddr_x(r->end))
			return true;
	}
	return false;
}

/* What is wrong with MODULE, KEPT modules before it having been found good; NULL when nothing is. */
static const char *module_flaw(const struct boot_info *bi, const struct boot_module *module,
			       unsigned int kept)
{
	unsigned int i;

	if (paddr_x(module->end) == paddr_x(module->start))
		return "has zero length";
	if (paddr_x(module->end) < paddr_x(module->start))
		return "ends before it starts";
	if (!in_ram(bi, module))
		return "is not wholly in RAM";
	if (overlaps(module->start, module->end, bi->image_start, bi->image_end))
		return "overlaps the hypervisor";
	for (i = 0; i < kept; i++)
		if (overlaps(module->start, module->end, bi->modules[i].start, bi->modules[i].end))
			return "overlaps an earlier module";
	return NULL;
}

static void drop_bad_modules(struct boot_info *bi)
{
	unsigned int i, kept = 0;

	for (i = 0; i < bi->nr_modules; i++) {
		const struct boot_module *module = &bi->modules[i];
		const char *flaw = module_flaw(bi, module, kept);

		if (flaw) {
			pr_err("boot: module %u [%#lx, %#lx) \"%.60s\" %s: left out", i,
			       paddr_x(module->start), paddr_x(module->end), module->args, flaw);
			continue;
		}
		if (kept != i)
			bi->modules[kept] = *module;
		kept++;
	}
	bi->nr_modules = kept;
}

static bool has_ram(const struct boot_info *bi)
{
	unsigned int i;

	for (i = 0; i < bi->nr_regions; i++)
		if (bi->regions[i].type == MEM_RAM)
			return true;
	return false;
}

int boot_info_sanitize(struct boot_info *bi)
{
	if (bi->nr_regions == 0) {
		pr_err("boot: %s gave no memory map", bi->protocol);
		return -ENODATA;
	}

	boot_regions_resolve(bi);
	if (!has_ram(bi)) {
		pr_err("boot: the memory map of %s has no RAM", bi->protocol);
		return -ENODATA;
	}

	drop_bad_modules(bi);
	return 0;
}

void boot_info_log(const struct boot_info *bi)
{
	unsigned int i;

	pr_info("boot: %s%s%s%s, command line \"%s\"", bi->protocol, bi->loader[0] ? " from " : "",
		bi->loader, bi->efi ? " on EFI" : "", bi->cmdline);
	for (i = 0; i < bi->nr_regions; i++) {
		const struct mem_region *r = &bi->regions[i];

		pr_info("boot: memory [%016lx, %016lx) %s", paddr_x(r->start), paddr_x(r->end),
			mem_type_name(r->type));
	}
	for (i = 0; i < bi->nr_modules; i++) {
		const struct boot_module *m = &bi->modules[i];

		pr_info("boot: module %u [%#lx, %#lx) \"%s\"", i, paddr_x(m->start),
			paddr_x(m->end), m->args);
	}
}
