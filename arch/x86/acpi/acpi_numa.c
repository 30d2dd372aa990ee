// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The System Resource Affinity Table (ACPI 5.2.16) and the System Locality Information Table (5.2.17): which proximity
 * domain CPUs and memory belong to, and how far domains are apart. Here only the form is checked; whether what they say
 * is true of this machine's RAM is judged in mm/numa.c. Start of day only.
 */
#include "internal.h"
#include <tine/lib.h>
#include <tine/printk.h>

#define SRAT_HEADER 48 /* table header and 12 reserved bytes */
#define SLIT_HEADER 44 /* table header and the number of localities */

enum srat_type { SRAT_CPU = 0, SRAT_MEMORY = 1, SRAT_X2APIC = 2 };

#define SRAT_ENABLED 0x1
#define SRAT_HOTPLUG 0x2

/* A CPU that the MADT does not have, or not enabled, is nothing to remark: tables list sockets that are empty. */
static void set_cpu(struct boot_info *bi, u32 apic_id, u32 proximity)
{
	unsigned int i;

	for (i = 0; i < bi->nr_cpus; i++)
		if (bi->cpus[i].hw_id == apic_id)
			bi->cpus[i].proximity = proximity;
}

static void parse_cpu(struct boot_info *bi, struct span entry, u8 revision)
{
	u32 proximity = span_u8(entry, 2);

	/* Revision 1 has 8 bits of proximity, and nothing defined where the other 24 are now. */
	if (revision >= 2)
		proximity |= (u32)span_le(entry, 9, 3) << 8;
	if (span_u32(entry, 4) & SRAT_ENABLED)
		set_cpu(bi, span_u8(entry, 3), proximity);
}

static void parse_x2apic(struct boot_info *bi, struct span entry)
{
	if (span_u32(entry, 12) & SRAT_ENABLED)
		set_cpu(bi, span_u32(entry, 8), span_u32(entry, 4));
}

static void parse_memory(struct boot_info *bi, struct span entry, u8 revision, unsigned int *lost)
{
	u32 proximity = span_u32(entry, 2), flags = span_u32(entry, 28);
	u64 start = span_u64(entry, 8), length = span_u64(entry, 16);

	if (!(flags & SRAT_ENABLED) || length == 0)
		return;
	if (revision < 2)
		proximity &= 0xff;
	if (start + length < start) {
		pr_warn("ACPI: SRAT: memory at %#lx of node %u, %#lx bytes long, wraps: ignored",
			start, proximity, length);
		return;
	}
	if (bi->nr_node_ranges == BOOT_MAX_NODE_RANGES) {
		(*lost)++;
		return;
	}
	bi->node_ranges[bi->nr_node_ranges++] = (struct boot_node_range){
		.start = _paddr(start),
		.end = _paddr(start + length),
		.proximity = proximity,
		.hotplug = flags & SRAT_HOTPLUG,
	};
}

void acpi_parse_srat(struct span srat, struct boot_info *bi)
{
	u8 revision = span_u8(srat, 8);
	size_t offset = SRAT_HEADER;
	unsigned int lost = 0;
	struct span entry;

	if (srat.size < SRAT_HEADER) {
		pr_warn("ACPI: SRAT of %lu bytes is too short: ignored", srat.size);
		return;
	}
	while (acpi_next_entry(srat, "SRAT", &offset, &entry)) {
		switch (span_u8(entry, 0)) {
		case SRAT_CPU:
			if (acpi_entry_has(entry, "SRAT", 16))
				parse_cpu(bi, entry, revision);
			break;
		case SRAT_MEMORY:
			if (acpi_entry_has(entry, "SRAT", 40))
				parse_memory(bi, entry, revision, &lost);
			break;
		case SRAT_X2APIC:
			if (acpi_entry_has(entry, "SRAT", 24))
				parse_x2apic(bi, entry);
			break;
		default: /* initiators, interrupt controllers of other architectures */
			break;
		}
	}
	if (lost)
		pr_warn("ACPI: SRAT: %u memory ranges more than the %u that fit: ignored", lost,
			BOOT_MAX_NODE_RANGES);
}

void acpi_parse_slit(struct span slit, struct boot_info *bi)
{
	u64 n = span_u64(slit, 36);

	if (slit.size < SLIT_HEADER || n == 0 || n > BOOT_MAX_NODES) {
		pr_warn("ACPI: SLIT of %lu bytes has %lu localities (1 to %u are possible): "
			"ignored",
			slit.size, n, BOOT_MAX_NODES);
		return;
	}
	if (!span_read(slit, SLIT_HEADER, bi->slit, n * n)) {
		pr_warn("ACPI: SLIT of %lu bytes is too short for %lu localities: ignored",
			slit.size, n);
		return;
	}
	bi->nr_slit = (unsigned int)n;
}
