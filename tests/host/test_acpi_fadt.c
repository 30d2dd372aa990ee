// SPDX-License-Identifier: GPL-2.0-or-later
/* What the machine is controlled by: the FADT with the DSDT's \_S5, and the HPET. */
#include "host_acpi.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include <asm/acpi.h>
#include <tine/lib.h>

#define DSDT_AT 0x7ff0000

static void set(size_t at, u64 value, size_t len)
{
	memcpy(table.bytes + at, &value, len);
}

/* Of SIZE bytes, with the registers of a PC's chipset in their old form. */
static void fadt_start(size_t size)
{
	some_cpus();
	table_start(&table, "FACP", 6);
	table.size = size;
	set(40, DSDT_AT, 4);
	set(48, 0xb2, 4);
	set(52, 2, 1);
	set(64, 0x604, 4);
	set(76, 0x608, 4);
}

static void set_register(size_t at, u8 space, u64 address)
{
	set(at, space, 1);
	set(at + 1, 32, 1);
	set(at + 4, address, 8);
}

static void place_dsdt(const void *aml, size_t len)
{
	struct table dsdt;

	table_start(&dsdt, "DSDT", 2);
	memcpy(dsdt.bytes + 36, aml, len);
	dsdt.size = 36 + len;
	table_place(&dsdt, DSDT_AT);
}

#define AML(text) place_dsdt(text, sizeof(text) - 1)

static void fadt_of_a_pc(void **state)
{
	(void)state;
	fadt_start(244);
	set(112, 1U << 8 | 1U << 10, 4);
	set_register(116, ACPI_SPACE_IO, 0xcf9);
	set(128, 0x0f, 1);
	add_table();
	AML("\x5b\x80\x08_S5_\x12\x06\x04\x00\x0a\x05\x00\x00");
	read_tables();
	assert_int_equal(x86_acpi.pm_timer_port, 0x608);
	assert_true(x86_acpi.pm_timer_32bit);
	assert_int_equal(x86_acpi.pm1a_control, 0x604);
	assert_int_equal(x86_acpi.pm1b_control, 0);
	assert_true(x86_acpi.s5_known);
	assert_int_equal(x86_acpi.slp_typ_a, 0);
	assert_int_equal(x86_acpi.slp_typ_b, 5);
	assert_int_equal(x86_acpi.smi_command, 0xb2);
	assert_int_equal(x86_acpi.acpi_enable, 2);
	assert_true(x86_acpi.reset_known);
	assert_int_equal(x86_acpi.reset.address, 0xcf9);
	assert_int_equal(x86_acpi.reset_value, 0x0f);
	assert_log_lines(1);
}

static void fadt_of_acpi_1(void **state)
{
	(void)state;
	fadt_start(116);
	set(112, 1U << 10, 4); /* says it has a reset register, and ends before it */
	add_table();
	AML("\x08\\_S5_\x12\x0a\x04\x0a\x07\x01\x00\x00");
	read_tables();
	assert_int_equal(x86_acpi.pm_timer_port, 0x608);
	assert_false(x86_acpi.pm_timer_32bit);
	assert_false(x86_acpi.reset_known);
	assert_true(x86_acpi.s5_known);
	assert_int_equal(x86_acpi.slp_typ_a, 7);
	assert_int_equal(x86_acpi.slp_typ_b, 1);
	assert_log_lines(1);

	acpi_setup(state);
	fadt_start(128); /* the reset register is in, the value to write is not */
	set(112, 1U << 10, 4);
	set_register(116, ACPI_SPACE_IO, 0xcf9);
	add_table();
	read_tables();
	assert_false(x86_acpi.reset_known);

	acpi_setup(state);
	fadt_start(115);
	add_table();
	read_tables();
	assert_int_equal(x86_acpi.pm_timer_port, 0);
	assert_log("ACPI: FADT of 115 bytes is too short: ignored");
}

static void fadt_extended_registers_win(void **state)
{
	(void)state;
	fadt_start(268);
	set(140, DSDT_AT, 8);
	set(40, 0x1234, 4);
	set_register(172, ACPI_SPACE_IO, 0x1804);
	set_register(208, ACPI_SPACE_MEMORY, 0xfed00000); /* a PM timer that is no port */
	add_table();
	AML("\x08_S5_\x12\x46\x01\x02\x01\x00"); /* package length of two bytes */
	read_tables();
	assert_int_equal(x86_acpi.pm1a_control, 0x1804);
	assert_int_equal(x86_acpi.pm_timer_port, 0);
	assert_true(x86_acpi.s5_known);
	assert_int_equal(x86_acpi.slp_typ_a, 1);
}

static void fadt_hardware_reduced(void **state)
{
	(void)state;
	fadt_start(268);
	set(112, 1U << 20, 4);
	add_table();
	read_tables();
	assert_int_equal(x86_acpi.pm_timer_port, 0);
	assert_int_equal(x86_acpi.pm1a_control, 0);
	assert_false(x86_acpi.s5_known);
	assert_log_lines(1);
}

static void ports_that_are_none(void **state)
{
	(void)state;
	fadt_start(132);
	set(76, 0x10608, 4);
	set(64, 0x80000000, 4);
	add_table();
	read_tables();
	assert_int_equal(x86_acpi.pm_timer_port, 0);
	assert_int_equal(x86_acpi.pm1a_control, 0);

	acpi_setup(state);
	fadt_start(268);
	set_register(172, ACPI_SPACE_MEMORY, 0x604); /* looks like a port */
	set_register(208, ACPI_SPACE_PCI, 0x608);
	add_table();
	read_tables();
	assert_int_equal(x86_acpi.pm_timer_port, 0);
	assert_int_equal(x86_acpi.pm1a_control, 0);
}

static void s5_that_is_none(void **state)
{
	static const struct {
		const char *aml;
		size_t len;
	} bad[] = {
#define BAD(text) { text, sizeof(text) - 1 }
		BAD("\x08_S4_\x12\x06\x04\x00\x00\x00\x00"), /* another state */
		BAD("\x10_S5_\x12\x06\x04\x00\x00\x00\x00"), /* no Name */
		BAD("\x08_S5_\x14\x06\x04\x00\x00\x00\x00"), /* a method */
		BAD("\x08_S5_\x12\x06\x01\x00\x00"),         /* one element */
		BAD("\x08_S5_\x12\x06\x04\x0a\x08\x00"),     /* more than three bits */
		BAD("\x08_S5_\x12\x06\x04\x0b\x05\x00\x00"), /* a word */
		BAD("\x08_S5_\x12\x06\x04\x00"),             /* cut */
		BAD("\x08_S5_\x12\x06\x04\x00\x0a"),
		BAD("\x08_S5_\x12\x06"),
		BAD("\x08_S5_\x12\xc6"),
		BAD("\x08_S5_"),
		BAD("\x08_S5"),
		BAD("_S5_\x12\x06\x04\x00\x00"), /* what stands before it is the header */
		BAD(""),
#undef BAD
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		acpi_setup(state);
		fadt_start(244);
		add_table();
		place_dsdt(bad[i].aml, bad[i].len);
		read_tables();
		assert_int_equal(x86_acpi.pm1a_control, 0x604);
		if (x86_acpi.s5_known)
			fail_msg("case %u was taken for \\_S5", i);
	}
}

static void dsdt_missing(void **state)
{
	(void)state;
	fadt_start(244);
	add_table();
	read_tables();
	assert_false(x86_acpi.s5_known);
	assert_log("ACPI: DSDT at 0x7ff0000 is out of reach: ignored");
}

static void hpet_address(void **state)
{
	(void)state;
	some_cpus();
	table_start(&table, "HPET", 1);
	table.size = 56;
	set_register(40, ACPI_SPACE_MEMORY, 0xfed00000);
	add_table();
	read_tables();
	assert_int_equal(paddr_x(x86_acpi.hpet), 0xfed00000);

	acpi_setup(state);
	some_cpus();
	table_start(&table, "HPET", 1);
	table.size = 56;
	set_register(40, ACPI_SPACE_IO, 0xfed0);
	add_table();
	read_tables();
	assert_true(paddr_eq(x86_acpi.hpet, INVALID_PADDR));
	assert_log("ACPI: HPET table names no address in memory: ignored");

	acpi_setup(state);
	some_cpus();
	table_start(&table, "HPET", 1);
	table.size = 51;
	set_register(40, ACPI_SPACE_MEMORY, 0xfed00000);
	add_table();
	read_tables();
	assert_true(paddr_eq(x86_acpi.hpet, INVALID_PADDR));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fadt_of_a_pc, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(fadt_of_acpi_1, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(fadt_extended_registers_win, acpi_setup,
						acpi_teardown),
		cmocka_unit_test_setup_teardown(fadt_hardware_reduced, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(ports_that_are_none, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(s5_that_is_none, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(dsdt_missing, acpi_setup, acpi_teardown),
		cmocka_unit_test_setup_teardown(hpet_address, acpi_setup, acpi_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
