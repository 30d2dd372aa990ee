// SPDX-License-Identifier: GPL-2.0-or-later
/* The MADT: which CPUs and I/O APICs there are, and what is left out of a table that is wrong. */
#include "host_acpi.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include <asm/acpi.h>
#include <tine/lib.h>

static void madt_ioapic(u8 id, u32 address, u32 gsi)
{
	put(&table, 1, 1);
	put(&table, 12, 1);
	put(&table, id, 2);
	put(&table, address, 4);
	put(&table, gsi, 4);
}

static void madt_says_who_is_there(void **state)
{
	(void)state;
	madt_start();
	madt_lapic(1, 0, 1);
	madt_lapic(2, 4, 1);
	madt_lapic(3, 6, 0);    /* absent */
	madt_lapic(4, 8, 2);    /* could be plugged in */
	madt_lapic(5, 0xff, 1); /* nobody's id */
	madt_x2apic(0x12345, 1, 77);
	madt_x2apic(~0U, 1, 78);
	madt_ioapic(2, 0xfec00000, 0);
	madt_ioapic(3, 0xfec01000, 24);
	put(&table, 0x0604, 2); /* type 4, 6 bytes: local APIC NMI */
	put(&table, 0x010000ff, 4);
	put(&table, 0x0c05, 2); /* type 5, 12 bytes: local APIC address */
	put(&table, 0, 2);
	put(&table, 0x1fee00000UL, 8);
	add_table();
	read_tables();
	assert_int_equal(bi.nr_cpus, 3);
	assert_int_equal(bi.cpus[0].hw_id, 0);
	assert_int_equal(bi.cpus[1].hw_id, 4);
	assert_int_equal(bi.cpus[1].acpi_uid, 2);
	assert_int_equal(bi.cpus[2].hw_id, 0x12345);
	assert_int_equal(bi.cpus[2].acpi_uid, 77);
	assert_int_equal(bi.cpus[2].proximity, BOOT_NO_PROXIMITY);
	assert_int_equal(x86_acpi.nr_ioapics, 2);
	assert_int_equal(x86_acpi.ioapics[1].id, 3);
	assert_int_equal(x86_acpi.ioapics[1].gsi_base, 24);
	assert_int_equal(paddr_x(x86_acpi.ioapics[1].address), 0xfec01000);
	assert_int_equal(paddr_x(x86_acpi.lapic), 0x1fee00000);
	assert_log_lines(1);
}

static void madt_flaws(void **state)
{
	(void)state;
	madt_start();
	madt_lapic(1, 7, 1);
	madt_lapic(2, 7, 1); /* again */
	madt_x2apic(7, 1, 1);
	put(&table, 0x0700, 2); /* a local APIC of 7 bytes */
	put(&table, 0, 5);
	put(&table, 0x0b01, 2); /* an I/O APIC of 11 */
	put(&table, 0, 9);
	put(&table, 0x0409, 2);
	put(&table, 0, 2);
	put(&table, 0x0b05, 2);
	put(&table, 0, 9);
	madt_lapic(3, 9, 1);
	put(&table, 0x0100, 2); /* shorter than type and length: no telling what follows */
	madt_lapic(4, 10, 1);
	add_table();
	read_tables();
	assert_int_equal(bi.nr_cpus, 2);
	assert_int_equal(bi.cpus[1].hw_id, 9);
	assert_int_equal(host_log_count("ACPI: MADT: local APIC id 7 comes twice: ignored"), 2);
	assert_log("ACPI: MADT: entry of type 0 has 7 bytes instead of 8: ignored");
	assert_log("ACPI: MADT: entry of type 1 has 11 bytes instead of 12: ignored");
	assert_log("ACPI: MADT: entry of type 9 has 4 bytes instead of 16: ignored");
	assert_log("ACPI: MADT: entry of type 5 has 11 bytes instead of 12: ignored");
	assert_log("ACPI: MADT: entry at 117 of 127 has bad length 1: rest ignored");
	assert_log_lines(8);
}

static void madt_entry_beyond_the_end(void **state)
{
	(void)state;
	madt_start();
	madt_lapic(1, 0, 1);
	put(&table, 0xff00, 2);
	add_table();
	read_tables();
	assert_int_equal(bi.nr_cpus, 1);
	assert_log("ACPI: MADT: entry at 52 of 54 has bad length 255: rest ignored");

	acpi_setup(state);
	madt_start();
	madt_lapic(1, 0, 1);
	put(&table, 0, 1); /* a type and nothing more */
	add_table();
	read_tables();
	assert_int_equal(bi.nr_cpus, 1);
	assert_log("ACPI: MADT: entry at 52 of 53 has bad length 0: rest ignored");
}

static void madt_too_short_or_without_cpus(void **state)
{
	(void)state;
	table_start(&table, "APIC", 3);
	put(&table, 0xfee00000, 4);
	add_table();
	read_tables();
	assert_true(paddr_eq(x86_acpi.lapic, INVALID_PADDR));
	assert_log("ACPI: MADT of 40 bytes is too short: ignored");

	acpi_setup(state);
	madt_start();
	madt_lapic(1, 0, 0);
	add_table();
	read_tables();
	assert_int_equal(bi.nr_cpus, 0);
	assert_log("ACPI: MADT names no CPU that is enabled");
}

static void madt_too_many(void **state)
{
	static u8 memory[44 + 16 * (BOOT_MAX_CPUS + 3)];
	unsigned int i;

	(void)state;
	madt_start();
	memcpy(memory, table.bytes, 44);
	for (i = 0; i < BOOT_MAX_CPUS + 3; i++) {
		table.size = 0;
		madt_x2apic(1000 + i, 1, i);
		memcpy(memory + 44 + 16 * i, table.bytes, 16);
	}
	add_large_table(memory, sizeof(memory));
	read_tables();
	assert_int_equal(bi.nr_cpus, BOOT_MAX_CPUS);
	assert_log("ACPI: MADT: 3 CPUs more than the 1024 that fit: ignored");
	assert_log_lines(2);
}

static void too_many_ioapics(void **state)
{
	unsigned int i;

	(void)state;
	madt_start();
	madt_lapic(0, 0, 1);
	for (i = 0; i < ACPI_MAX_IOAPICS + 1; i++)
		madt_ioapic((u8)i, 0xfec00000 + i * 0x1000, i * 24);
	add_table();
	read_tables();
	assert_int_equal(x86_acpi.nr_ioapics, ACPI_MAX_IOAPICS);
	assert_log("ACPI: MADT: more than 16 IO-APICs: 16 ignored");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(madt_says_who_is_there, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(madt_flaws, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(madt_entry_beyond_the_end, acpi_setup,
						acpi_teardown),
		cmocka_unit_test_setup_teardown(madt_too_short_or_without_cpus, acpi_setup,
						acpi_teardown),
		cmocka_unit_test_setup_teardown(madt_too_many, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(too_many_ioapics, acpi_setup, acpi_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
