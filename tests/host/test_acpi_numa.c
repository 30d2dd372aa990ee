// SPDX-License-Identifier: GPL-2.0-or-later
/* SRAT and SLIT: where CPUs and memory are, and how far apart. */
#include "host_acpi.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include <asm/acpi.h>
#include <tine/lib.h>

static void srat_start(u8 revision)
{
	table_start(&table, "SRAT", revision);
	put(&table, 1, 4);
	put(&table, 0, 8);
}

static void srat_cpu(u32 proximity, u8 apic_id, u32 flags)
{
	put(&table, 0x1000, 2);
	put(&table, proximity, 1);
	put(&table, apic_id, 1);
	put(&table, flags, 4);
	put(&table, 0, 1);
	put(&table, proximity >> 8, 3);
	put(&table, 0, 4);
}

static void srat_x2apic(u32 proximity, u32 apic_id, u32 flags)
{
	put(&table, 0x1802, 2);
	put(&table, 0, 2);
	put(&table, proximity, 4);
	put(&table, apic_id, 4);
	put(&table, flags, 4);
	put(&table, 0, 8);
}

static void srat_memory(u32 proximity, u64 start, u64 length, u32 flags)
{
	put(&table, 0x2801, 2);
	put(&table, proximity, 4);
	put(&table, 0, 2);
	put(&table, start, 8);
	put(&table, length, 8);
	put(&table, 0, 4);
	put(&table, flags, 4);
	put(&table, 0, 8);
}

static void srat_says_where(void **state)
{
	(void)state;
	srat_start(3); /* before the MADT in the XSDT: the order there must not matter */
	srat_cpu(0, 0, 1);
	srat_cpu(0x010203, 1, 1);
	srat_cpu(5, 2, 0);  /* not enabled */
	srat_cpu(5, 99, 1); /* no such CPU */
	srat_x2apic(0xfffffff0, 300, 1);
	srat_memory(0, 0, 0xa0000, 1);
	srat_memory(0, 0x100000, 0x7ff00000, 1);
	srat_memory(0x010203, 0x100000000, 0x80000000, 1);
	srat_memory(0, 0x180000000, 0x80000000, 3);
	srat_memory(0, 0x200000000, 0x80000000, 0); /* not enabled */
	srat_memory(0, 0x200000000, 0, 1);
	put(&table, 0x1403, 2); /* GICC affinity: another architecture's */
	put(&table, 0, 18);
	add_table();
	some_cpus();
	read_tables();
	assert_int_equal(bi.cpus[0].proximity, 0);
	assert_int_equal(bi.cpus[1].proximity, 0x010203);
	assert_int_equal(bi.cpus[2].proximity, BOOT_NO_PROXIMITY);
	assert_int_equal(bi.cpus[3].proximity, 0xfffffff0);
	assert_int_equal(bi.nr_node_ranges, 4);
	assert_int_equal(paddr_x(bi.node_ranges[1].start), 0x100000);
	assert_int_equal(paddr_x(bi.node_ranges[1].end), 0x80000000);
	assert_int_equal(bi.node_ranges[2].proximity, 0x010203);
	assert_false(bi.node_ranges[2].hotplug);
	assert_true(bi.node_ranges[3].hotplug);
	assert_log_lines(1);
}

static void srat_of_revision_1_has_8_bits(void **state)
{
	(void)state;
	some_cpus();
	srat_start(1);
	srat_cpu(0xabcd01, 1, 1);
	srat_memory(0xabcdef02, 0, 0x1000, 1);
	add_table();
	read_tables();
	assert_int_equal(bi.cpus[1].proximity, 1);
	assert_int_equal(bi.node_ranges[0].proximity, 2);
}

static void srat_flaws(void **state)
{
	(void)state;
	some_cpus();
	srat_start(3);
	srat_memory(4, ~0UL - 0xfff, 0x2000, 1);
	put(&table, 0x2701, 2);
	put(&table, 0, 0x25);
	put(&table, 0x0f00, 2);
	put(&table, 0, 0x0d);
	put(&table, 0x1702, 2);
	put(&table, 0, 0x15);
	srat_memory(1, 0, 0x1000, 1);
	put(&table, 0x0001, 2); /* length 0: would never end */
	add_table();
	read_tables();
	assert_int_equal(bi.nr_node_ranges, 1);
	assert_log("ACPI: SRAT: memory at 0xfffffffffffff000 of node 4, 0x2000 bytes long, wraps: "
		   "ignored");
	assert_log("ACPI: SRAT: entry of type 1 has 39 bytes instead of 40: ignored");
	assert_log("ACPI: SRAT: entry of type 0 has 15 bytes instead of 16: ignored");
	assert_log("ACPI: SRAT: entry of type 2 has 23 bytes instead of 24: ignored");
	assert_log("ACPI: SRAT: entry at 205 of 207 has bad length 0: rest ignored");
	assert_log_lines(6);

	acpi_setup(state);
	some_cpus();
	table_start(&table, "SRAT", 3);
	put(&table, 0, 11);
	add_table();
	read_tables();
	assert_log("ACPI: SRAT of 47 bytes is too short: ignored");
}

static void srat_with_too_many_ranges(void **state)
{
	static u8 memory[48 + 40 * (BOOT_MAX_NODE_RANGES + 2)];
	unsigned int i;

	(void)state;
	some_cpus();
	srat_start(3);
	memcpy(memory, table.bytes, 48);
	for (i = 0; i < BOOT_MAX_NODE_RANGES + 2; i++) {
		table.size = 0;
		srat_memory(0, (u64)i << 30, 1UL << 29, 1);
		memcpy(memory + 48 + 40 * i, table.bytes, 40);
	}
	add_large_table(memory, sizeof(memory));
	read_tables();
	assert_int_equal(bi.nr_node_ranges, BOOT_MAX_NODE_RANGES);
	assert_log("ACPI: SRAT: 2 memory ranges more than the 256 that fit: ignored");
	assert_log_lines(2);
}

static void slit(u64 localities, size_t bytes)
{
	some_cpus();
	table_start(&table, "SLIT", 1);
	put(&table, localities, 8);
	for (size_t i = 0; i < bytes; i++)
		put(&table, 10 + i, 1);
	add_table();
	read_tables();
}

static void slit_is_taken_or_left(void **state)
{
	static const struct {
		u64 localities;
		size_t bytes;
		const char *says;
	} flaws[] = {
		{ 0, 4, "ACPI: SLIT of 48 bytes has 0 localities (1 to 64 are possible): ignored" },
		{ 65, 65 * 65,
		  "ACPI: SLIT of 4269 bytes has 65 localities (1 to 64 are possible)" },
		{ 1UL << 32, 0, "has 4294967296 localities (1 to 64 are possible): ignored" },
		{ 3, 8, "ACPI: SLIT of 52 bytes is too short for 3 localities: ignored" },
		{ 64, 64 * 64 - 1, "is too short for 64 localities: ignored" },
	};

	slit(3, 9);
	assert_int_equal(bi.nr_slit, 3);
	assert_int_equal(bi.slit[5], 15);
	assert_log_lines(1);
	for (unsigned int i = 0; i < ARRAY_SIZE(flaws); i++) {
		acpi_setup(state);
		slit(flaws[i].localities, flaws[i].bytes);
		assert_int_equal(bi.nr_slit, 0);
		assert_log(flaws[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(srat_says_where, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(srat_of_revision_1_has_8_bits, acpi_setup,
						acpi_teardown),
		cmocka_unit_test_setup_teardown(srat_flaws, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(srat_with_too_many_ranges, acpi_setup,
						acpi_teardown),
		cmocka_unit_test_setup_teardown(slit_is_taken_or_left, acpi_setup, acpi_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
