// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables that an XSDT names, in the fake memory: see host_acpi.h. */
#include "host_acpi.h"
#include "host_log.h"
#include <asm/acpi.h>

#define XSDT_AT 0x7fe1000
#define TABLES_AT 0x8000000

struct boot_info bi;
struct table table;

static struct table xsdt;

int acpi_setup(void **state)
{
	(void)state;
	fake_memory_reset();
	host_log_clear();
	boot_info_reset(&bi, "test");
	make_rsdp(bi.rsdp_copy, 2, 0, XSDT_AT);
	bi.rsdp_copied = 36;
	table_start(&xsdt, "XSDT", 1);
	return 0;
}

int acpi_teardown(void **state)
{
	(void)state;
	fake_memory_reset();
	return 0;
}

/* Where the table that the XSDT names next is. */
static u64 name_next(void)
{
	u64 at = TABLES_AT + xsdt.size * 0x1000;

	put(&xsdt, at, 8);
	return at;
}

void add_table(void)
{
	table_place(&table, name_next());
}

void add_large_table(u8 *bytes, u32 size)
{
	memcpy(bytes + 4, &size, 4);
	fix_sum(bytes, size, 9);
	fake_memory_add(name_next(), bytes, size);
}

void read_tables(void)
{
	table_place(&xsdt, XSDT_AT);
	x86_acpi_init(&bi);
}

void madt_start(void)
{
	table_start(&table, "APIC", 3);
	put(&table, 0xfee00000, 4);
	put(&table, 1, 4);
}

void madt_lapic(u8 uid, u8 apic_id, u32 flags)
{
	put(&table, 0, 1);
	put(&table, 8, 1);
	put(&table, uid, 1);
	put(&table, apic_id, 1);
	put(&table, flags, 4);
}

void madt_x2apic(u32 apic_id, u32 flags, u32 uid)
{
	put(&table, 9, 1);
	put(&table, 16, 1);
	put(&table, 0, 2);
	put(&table, apic_id, 4);
	put(&table, flags, 4);
	put(&table, uid, 4);
}

void some_cpus(void)
{
	madt_start();
	madt_lapic(0, 0, 1);
	madt_lapic(1, 1, 1);
	madt_lapic(2, 2, 1);
	madt_x2apic(300, 1, 3);
	add_table();
}
