// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Multiple APIC Description Table (ACPI 5.2.12): which CPUs there are, by local APIC id, and where the local and
 * I/O APICs are. CPUs that are not enabled are left out; so are ids that came before. Start of day only.
 */
#include "internal.h"
#include <tine/lib.h>
#include <tine/printk.h>

#define MADT_HEADER 44 /* table header, local APIC address, flags */

enum madt_type {
	MADT_LAPIC = 0,
	MADT_IOAPIC = 1,
	MADT_LAPIC_ADDRESS = 5,
	MADT_X2APIC = 9,
};

#define MADT_CPU_ENABLED 0x1

static bool known_cpu(const struct boot_info *bi, u32 apic_id)
{
	unsigned int i;

	for (i = 0; i < bi->nr_cpus; i++)
		if (bi->cpus[i].hw_id == apic_id)
			return true;
	return false;
}

/* LOST counts those that found no room. */
static void add_cpu(struct boot_info *bi, u32 apic_id, u32 acpi_uid, u32 flags, unsigned int *lost)
{
	if (!(flags & MADT_CPU_ENABLED))
		return;
	if (known_cpu(bi, apic_id)) {
		pr_warn("ACPI: MADT: local APIC id %u comes twice: ignored", apic_id);
		return;
	}
	if (bi->nr_cpus == BOOT_MAX_CPUS) {
		(*lost)++;
		return;
	}
	bi->cpus[bi->nr_cpus++] = (struct boot_cpu){ apic_id, acpi_uid, BOOT_NO_PROXIMITY };
}

static void add_lapic(struct boot_info *bi, struct span entry, unsigned int *lost)
{
	u8 apic_id = span_u8(entry, 3);

	/* Intel SDM 3A 10.6.2.1: 0xff is everybody; some firmware marks absent CPUs so, enabled or not. */
	if (apic_id != 0xff)
		add_cpu(bi, apic_id, span_u8(entry, 2), span_u32(entry, 4), lost);
}

static void add_x2apic(struct boot_info *bi, struct span entry, unsigned int *lost)
{
	u32 apic_id = span_u32(entry, 4);

	if (apic_id != ~0U)
		add_cpu(bi, apic_id, span_u32(entry, 12), span_u32(entry, 8), lost);
}

static void add_ioapic(struct x86_acpi_info *info, struct span entry)
{
	struct acpi_ioapic ioapic = { span_u8(entry, 2), span_u32(entry, 8),
				      _paddr(span_u32(entry, 4)) };

	if (info->nr_ioapics == ACPI_MAX_IOAPICS) {
		pr_warn("ACPI: MADT: more than %u IO-APICs: %u ignored", ACPI_MAX_IOAPICS,
			ioapic.id);
		return;
	}
	info->ioapics[info->nr_ioapics++] = ioapic;
}

void acpi_parse_madt(struct span madt, struct boot_info *bi, struct x86_acpi_info *info)
{
	size_t offset = MADT_HEADER;
	unsigned int lost = 0;
	struct span entry;

	if (madt.size < MADT_HEADER) {
		pr_warn("ACPI: MADT of %lu bytes is too short: ignored", madt.size);
		return;
	}
	info->lapic = _paddr(span_u32(madt, 36));

	while (acpi_next_entry(madt, "MADT", &offset, &entry)) {
		switch (span_u8(entry, 0)) {
		case MADT_LAPIC:
			if (acpi_entry_has(entry, "MADT", 8))
				add_lapic(bi, entry, &lost);
			break;
		case MADT_X2APIC:
			if (acpi_entry_has(entry, "MADT", 16))
				add_x2apic(bi, entry, &lost);
			break;
		case MADT_IOAPIC:
			if (acpi_entry_has(entry, "MADT", 12))
				add_ioapic(info, entry);
			break;
		case MADT_LAPIC_ADDRESS:
			if (acpi_entry_has(entry, "MADT", 12))
				info->lapic = _paddr(span_u64(entry, 4));
			break;
		default: /* interrupt overrides and NMI wiring: no interrupt of theirs is used */
			break;
		}
	}
	if (lost)
		pr_warn("ACPI: MADT: %u CPUs more than the %u that fit: ignored", lost,
			BOOT_MAX_CPUS);
	if (bi->nr_cpus == 0)
		pr_warn("ACPI: MADT names no CPU that is enabled");
}
