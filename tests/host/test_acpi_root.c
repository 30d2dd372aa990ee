// SPDX-License-Identifier: GPL-2.0-or-later
/* From RSDP to tables: where the pointer may be, which root table is taken, and what is wrong with tables in general. */
#include "acpi_builder.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include <asm/acpi.h>
#include <tine/lib.h>

#define RSDT_AT 0x7fe0000
#define XSDT_AT 0x7fe1000
#define MADT_AT 0x7fe2000
#define HPET_AT 0x7fe3000

static struct boot_info bi;
static u8 *rsdt, *xsdt, *madt;

static u8 *place_madt(u64 at, unsigned int cpus)
{
	struct table t;

	table_start(&t, "APIC", 3);
	put(&t, 0xfee00000, 4);
	put(&t, 1, 4);
	for (unsigned int i = 0; i < cpus; i++) {
		put(&t, 0x0800, 2);
		put(&t, i, 1);
		put(&t, i, 1);
		put(&t, 1, 4);
	}
	return table_place(&t, at);
}

static u8 *place_root(const char *name, u64 at, size_t width, const u64 *tables, unsigned int n)
{
	struct table t;

	table_start(&t, name, 1);
	for (unsigned int i = 0; i < n; i++)
		put(&t, tables[i], width);
	return table_place(&t, at);
}

/* MADT with two CPUs named by the XSDT, one with one CPU by the RSDT: so a test sees which root was taken. */
static int setup(void **state)
{
	static const u64 in_xsdt[] = { MADT_AT }, in_rsdt[] = { MADT_AT + 0x800 };

	(void)state;
	fake_memory_reset();
	host_log_clear();
	boot_info_reset(&bi, "test");
	rsdt = place_root("RSDT", RSDT_AT, 4, in_rsdt, 1);
	xsdt = place_root("XSDT", XSDT_AT, 8, in_xsdt, 1);
	madt = place_madt(MADT_AT, 2);
	place_madt(MADT_AT + 0x800, 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fake_memory_reset();
	return 0;
}

/* An RSDP of REVISION as the loader's copy, of which it passed SIZE bytes. */
static void give_copy(u8 revision, unsigned int size)
{
	make_rsdp(bi.rsdp_copy, revision, RSDT_AT, XSDT_AT);
	bi.rsdp_copied = size;
}

static void no_acpi_at_all(void **state)
{
	(void)state;
	x86_acpi_init(&bi);
	assert_false(x86_acpi.present);
	assert_int_equal(bi.nr_cpus, 0);
	assert_true(paddr_eq(x86_acpi.lapic, INVALID_PADDR));
	assert_log("ACPI: no RSDP found: no ACPI");
	assert_log_lines(1);
}

static void the_loaders_copy(void **state)
{
	(void)state;
	give_copy(2, 36);
	x86_acpi_init(&bi);
	assert_true(x86_acpi.present);
	assert_int_equal(bi.nr_cpus, 2);
	assert_int_equal(paddr_x(x86_acpi.lapic), 0xfee00000);
	assert_log("ACPI: 2 CPUs, 0 IO-APICs, 0 node ranges, SLIT of 0");
	assert_log_lines(1);
}

static void old_revision_means_the_rsdt(void **state)
{
	(void)state;
	give_copy(0, 20);
	x86_acpi_init(&bi);
	assert_int_equal(bi.nr_cpus, 1);
	assert_log_lines(1);
}

static void bad_second_checksum_means_the_rsdt(void **state)
{
	(void)state;
	give_copy(2, 36);
	bi.rsdp_copy[33]++;
	x86_acpi_init(&bi);
	assert_int_equal(bi.nr_cpus, 1);
	assert_log("ACPI: RSDP of revision 2 is cut or fails its checksum: XSDT not used");

	setup(state);
	give_copy(2, 20);
	x86_acpi_init(&bi);
	assert_int_equal(bi.nr_cpus, 1);
	assert_log("ACPI: RSDP of revision 2 is cut or fails its checksum: XSDT not used");
}

static void a_bad_copy_and_a_bad_address_lead_to_a_search(void **state)
{
	u8 rsdp[36];

	(void)state;
	give_copy(2, 36);
	bi.rsdp_copy[9]++;
	bi.rsdp = _paddr(0x123000);
	make_rsdp(rsdp, 2, RSDT_AT, XSDT_AT);
	memcpy(fake_memory_add(0xe0000, NULL, 0x20000) + 0x12340, rsdp, 36);
	x86_acpi_init(&bi);
	assert_int_equal(bi.nr_cpus, 2);
	assert_log("ACPI: the loader's copy of the RSDP is bad: looking elsewhere");
	assert_log("ACPI: no good RSDP at 0x123000, where the loader said: looking elsewhere");
	assert_log_lines(3);
}

static void the_loaders_address(void **state)
{
	u8 rsdp[36];

	(void)state;
	make_rsdp(rsdp, 2, RSDT_AT, XSDT_AT);
	fake_memory_add(0x7ffe014, rsdp, 36);
	bi.rsdp = _paddr(0x7ffe014);
	x86_acpi_init(&bi);
	assert_int_equal(bi.nr_cpus, 2);
	assert_log_lines(1);
}

static void found_in_the_ebda(void **state)
{
	static const u8 segment[2] = { 0xc0, 0x9f };
	u8 rsdp[36];

	(void)state;
	make_rsdp(rsdp, 0, RSDT_AT, 0);
	fake_memory_add(0x40e, segment, 2);
	memcpy(fake_memory_add(0x9fc00, NULL, 0x400) + 0x3e0, rsdp, 20);
	x86_acpi_init(&bi);
	assert_int_equal(bi.nr_cpus, 1);
	assert_log_lines(1);
}

/* Not on a 16-byte boundary, in the last bytes of the area, and with a bad checksum: none is taken. */
static void not_found_where_it_may_not_be(void **state)
{
	u8 rsdp[36], *bios = fake_memory_add(0xe0000, NULL, 0x20000);

	(void)state;
	make_rsdp(rsdp, 2, RSDT_AT, XSDT_AT);
	memcpy(bios + 0x108, rsdp, 36);
	memcpy(bios + 0x1fff0, rsdp, 16);
	rsdp[8]++;
	memcpy(bios + 0x200, rsdp, 36);
	x86_acpi_init(&bi);
	assert_false(x86_acpi.present);
	assert_log("ACPI: no RSDP found: no ACPI");
}

static void bad_xsdt_means_the_rsdt(void **state)
{
	(void)state;
	give_copy(2, 36);
	xsdt[9]++;
	x86_acpi_init(&bi);
	assert_int_equal(bi.nr_cpus, 1);
	assert_log("ACPI: XSDT at 0x7fe1000 fails its checksum: ignored");
	assert_log_lines(2);
}

static void no_good_root(void **state)
{
	(void)state;
	give_copy(2, 36);
	xsdt[0] = 'Y';
	memset(rsdt + 4, 0xff, 4);
	x86_acpi_init(&bi);
	assert_false(x86_acpi.present);
	assert_log("ACPI: no XSDT at 0x7fe1000, where one should be: ignored");
	assert_log("ACPI: RSDT at 0x7fe0000 has bad length 4294967295: ignored");
	assert_log("ACPI: no good root table: no ACPI");
	assert_log_lines(3);
}

static void root_that_ends_within_an_entry(void **state)
{
	struct table t;

	(void)state;
	give_copy(0, 20);
	fake_memory_reset();
	place_madt(MADT_AT, 2);
	table_start(&t, "RSDT", 1);
	put(&t, MADT_AT, 4);
	put(&t, 0x7fe, 3);
	table_place(&t, RSDT_AT);
	x86_acpi_init(&bi);
	assert_int_equal(bi.nr_cpus, 2);
	assert_log("ACPI: root table of 43 bytes ends within an entry");
	assert_log_lines(2);
}

static void tables_out_of_reach_and_twice(void **state)
{
	const u64 tables[] = { 0, 0xdead0000, MADT_AT, MADT_AT + 0x800, 0x7fe5000 };
	u8 other[36] = "OEMX: not ours, so not even checked";

	(void)state;
	give_copy(2, 36);
	fake_memory_reset();
	place_root("XSDT", XSDT_AT, 8, tables, 5);
	place_madt(MADT_AT, 2);
	place_madt(MADT_AT + 0x800, 1);
	fake_memory_add(0x7fe5000, other, 36);
	x86_acpi_init(&bi);
	assert_int_equal(bi.nr_cpus, 2);
	assert_log("ACPI: table at 0 is out of reach: ignored");
	assert_log("ACPI: table at 0xdead0000 is out of reach: ignored");
	assert_log("ACPI: second APIC at 0x7fe2800: ignored");
	assert_log_lines(4);
}

static void a_bad_table_is_left_out(void **state)
{
	static const struct {
		size_t at;
		u8 value;
		const char *says;
	} flaws[] = {
		{ 4, 35, "ACPI: APIC at 0x7fe2000 has bad length 35: ignored" },
		{ 4, 61,
		  "ACPI: APIC at 0x7fe2000 has bad length 61: ignored" }, /* memory ends at 60 */
		{ 7, 1, "ACPI: APIC at 0x7fe2000 has bad length 16777276: ignored" },
		{ 40, 9, "ACPI: APIC at 0x7fe2000 fails its checksum: ignored" },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(flaws); i++) {
		setup(state);
		give_copy(2, 36);
		madt[flaws[i].at] = flaws[i].value;
		x86_acpi_init(&bi);
		assert_true(x86_acpi.present);
		assert_int_equal(bi.nr_cpus, 0);
		assert_log(flaws[i].says);
		assert_log("ACPI: no MADT: only the boot CPU is known");
		assert_log_lines(3);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_acpi_at_all, setup, teardown),
		cmocka_unit_test_setup_teardown(the_loaders_copy, setup, teardown),
		cmocka_unit_test_setup_teardown(old_revision_means_the_rsdt, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_second_checksum_means_the_rsdt, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_bad_copy_and_a_bad_address_lead_to_a_search,
						setup, teardown),
		cmocka_unit_test_setup_teardown(the_loaders_address, setup, teardown),
		cmocka_unit_test_setup_teardown(found_in_the_ebda, setup, teardown),
		cmocka_unit_test_setup_teardown(not_found_where_it_may_not_be, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_xsdt_means_the_rsdt, setup, teardown),
		cmocka_unit_test_setup_teardown(no_good_root, setup, teardown),
		cmocka_unit_test_setup_teardown(root_that_ends_within_an_entry, setup, teardown),
		cmocka_unit_test_setup_teardown(tables_out_of_reach_and_twice, setup, teardown),
		cmocka_unit_test_setup_teardown(a_bad_table_is_left_out, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
