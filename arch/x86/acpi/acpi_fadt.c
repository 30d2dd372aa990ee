// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The Fixed ACPI Description Table (ACPI 5.2.9): PM timer, soft-off and reset registers; and the HPET's address
 * (IA-PC HPET Specification 3.2.4). The table grew over time: a field beyond the length is one that is not there, and
 * the newer "X_" form of a register counts where it is filled in. Start of day only.
 */
#include "internal.h"
#include <tine/lib.h>
#include <tine/printk.h>

#define FADT_SMALLEST 116 /* of ACPI 1.0 */
#define FADT_TIMER_32BIT (1U << 8)
#define FADT_RESET (1U << 10)
#define FADT_HW_REDUCED (1U << 20)

/* The I/O port of a register block: 64-bit form at X_OFFSET, 32-bit form at OFFSET; 0: none, or not in I/O space. */
static u16 port_of(struct span fadt, size_t offset, size_t x_offset)
{
	struct acpi_register x = acpi_read_register(fadt, x_offset);
	u64 port = x.address ? x.address : span_u32(fadt, offset);

	if ((x.address && x.space != ACPI_SPACE_IO) || port > 0xffff)
		return 0;
	return (u16)port;
}

/*
 * The value of an AML integer at *OFFSET (ACPI 20.2.3: ZeroOp, OneOp or BytePrefix; SLP_TYP has three bits), and *OFFSET
 * behind it; -1 when it is something else.
 */
static int aml_small_integer(struct span aml, size_t *offset)
{
	u8 op, byte;

	if (!span_read(aml, (*offset)++, &op, 1))
		return -1;
	if (op < 2)
		return op;
	return op == 0x0a && span_read(aml, (*offset)++, &byte, 1) ? byte : -1;
}

/*
 * The object at OFFSET if it is a Package whose first two elements are small integers: \_S5's are SLP_TYPa and SLP_TYPb
 * (7.4.2.6). PackageOp, a package length whose top two bits tell how many bytes more it has (20.2.4), element count.
 */
static bool aml_s5_package(struct span aml, size_t offset, struct x86_acpi_info *info)
{
	int a, b;

	if (span_u8(aml, offset) != 0x12 || !span_has(aml, offset, 3))
		return false;
	offset += 2 + (span_u8(aml, offset + 1) >> 6);
	if (span_u8(aml, offset++) < 2)
		return false;
	a = aml_small_integer(aml, &offset);
	b = aml_small_integer(aml, &offset);
	if (a < 0 || a > 7 || b < 0 || b > 7)
		return false;
	info->slp_typ_a = (u8)a;
	info->slp_typ_b = (u8)b;
	return true;
}

/*
 * Finds \_S5 without an AML interpreter: NameOp, perhaps a root prefix, the four letters, a package of constants. That
 * is how every compiler writes the usual Name (\_S5, Package () {...}). Where it is built by a method, or in an SSDT,
 * soft-off stays unknown.
 */
static bool find_s5(struct span aml, struct x86_acpi_info *info)
{
	size_t at, step;

	/* From the last letter back (Horspool): what it is says how far away the next match can be. */
	for (at = ACPI_HEADER_SIZE + 1; span_has(aml, at, 4); at += step) {
		u8 last = aml.data[at + 3], before = aml.data[at - 1];

		step = last == '_' ? 3 : last == 'S' ? 2 : last == '5' ? 1 : 4;
		if (last != '_' || memcmp(aml.data + at, "_S5_", 4) != 0)
			continue;
		if (before == '\\')
			before = aml.data[at - 2];
		if (before == 0x08 && aml_s5_package(aml, at + 4, info))
			return true;
	}
	return false;
}

static void parse_soft_off(struct span fadt, struct x86_acpi_info *info)
{
	u64 x_dsdt = span_u64(fadt, 140);
	paddr_t dsdt_at = _paddr(x_dsdt ? x_dsdt : span_u32(fadt, 40));
	struct span dsdt;

	info->smi_command = span_u32(fadt, 48) <= 0xffff ? (u16)span_u32(fadt, 48) : 0;
	info->acpi_enable = span_u8(fadt, 52);
	info->pm1a_control = port_of(fadt, 64, 172);
	info->pm1b_control = port_of(fadt, 68, 184);
	if (!info->pm1a_control)
		return;

	dsdt = acpi_map_table(dsdt_at, "DSDT");
	if (dsdt.size)
		info->s5_known = find_s5(dsdt, info);
}

void acpi_parse_fadt(struct span fadt, struct x86_acpi_info *info)
{
	u32 flags = span_u32(fadt, 112);

	if (fadt.size < FADT_SMALLEST) {
		pr_warn("ACPI: FADT of %lu bytes is too short: ignored", fadt.size);
		return;
	}

	/* 4.1: hardware-reduced machines have none of the PM1 and timer blocks, whatever the fields say. */
	if (!(flags & FADT_HW_REDUCED)) {
		info->pm_timer_port = port_of(fadt, 76, 208);
		info->pm_timer_32bit = flags & FADT_TIMER_32BIT;
		parse_soft_off(fadt, info);
	}

	if (flags & FADT_RESET && span_has(fadt, 116, 13)) {
		info->reset = acpi_read_register(fadt, 116);
		info->reset_value = span_u8(fadt, 128);
		info->reset_known = info->reset.address != 0;
	}
}

void acpi_parse_hpet(struct span hpet, struct x86_acpi_info *info)
{
	struct acpi_register base = acpi_read_register(hpet, 40);

	if (!span_has(hpet, 40, 12) || base.space != ACPI_SPACE_MEMORY || base.address == 0) {
		pr_warn("ACPI: HPET table names no address in memory: ignored");
		return;
	}
	info->hpet = _paddr(base.address);
}
