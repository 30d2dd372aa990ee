// SPDX-License-Identifier: GPL-2.0-or-later
/* What UEFI says on arm64: its memory map in place of the device tree's memory nodes, and dates. */
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>
#include <asm/efi.h>
#include <tine/calendar.h>
#include <tine/lib.h>

struct descriptor {
	u32 type, pad;
	u64 start, virtual_start, pages, attributes,
		beyond; /* firmware's are longer than the specification's */
};

#define WB 8

static struct boot_info bi;

static int setup(void **state)
{
	(void)state;
	host_log_clear();
	boot_info_reset(&bi, "Image");
	bi.reserves_within = true;
	boot_info_add_region(&bi, 0x40000000, 0x40000000, MEM_RAM);
	boot_info_add_region(&bi, 0x48000000, 0x1000, MEM_RESERVED);
	return 0;
}

static bool has_region(u64 start, u64 end, enum mem_type type)
{
	for (unsigned int i = 0; i < bi.nr_regions; i++)
		if (paddr_x(bi.regions[i].start) == start && paddr_x(bi.regions[i].end) == end &&
		    bi.regions[i].type == type)
			return true;
	return false;
}

static void the_map_replaces_the_trees(void **state)
{
	static const struct descriptor map[] = {
		{ 7, 0, 0x40000000, 0, 0x4000, WB, 0 },     { 2, 0, 0x44000000, 0, 0x1000, WB, 0 },
		{ 4, 0, 0x45000000, 0, 0x1000, WB, 0 },     { 6, 0, 0x46000000, 0, 0x1000, WB, 0 },
		{ 7, 0, 0x47000000, 0, 0x3000, WB, 0 },     { 9, 0, 0x4a000000, 0, 0x10, WB, 0 },
		{ 7, 0, 0x4b000000, 0, 0x10, 1, 0 },        { 11, 0, 0x9000000, 0, 1, 1, 0 },
		{ 0x70000000, 0, 0x4c000000, 0, 1, WB, 0 }, { 7, 0, 0x4d000000, 0, ~0UL, WB, 0 },
		{ 7, 0, 0x4e000000, 0, 0, WB, 0 },
	};

	(void)state;
	arm64_efi_regions(map, sizeof(map), sizeof(map[0]), &bi);
	assert_log("0xffffffffffffffff pages at 0x4d000000: ignored");
	assert_log_lines(1);
	assert_true(bi.efi);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_true(has_region(0x40000000, 0x46000000, MEM_RAM));
	assert_true(has_region(0x46000000, 0x47000000, MEM_RESERVED));
	assert_true(has_region(0x47000000, 0x48000000, MEM_RAM));
	assert_true(has_region(0x48000000, 0x48001000, MEM_RESERVED)); /* the tree's */
	assert_true(has_region(0x48001000, 0x4a000000, MEM_RAM));
	assert_true(has_region(0x4a000000, 0x4a010000, MEM_ACPI));
	assert_true(has_region(0x4b000000, 0x4b010000, MEM_RESERVED)); /* not to be cached */
	assert_true(has_region(0x4c000000, 0x4c001000, MEM_RESERVED)); /* of a type unheard of */
	assert_log_lines(1);
}

static void short_descriptors_are_no_map(void **state)
{
	(void)state;
	arm64_efi_regions("", 0, 32, &bi);
	assert_log("descriptors of 32 bytes: not used");
	assert_true(has_region(0x40000000, 0x80000000, MEM_RAM));
}

/* Half a descriptor at the end is none. */
static void a_map_that_is_cut(void **state)
{
	static const struct descriptor map[] = { { 7, 0, 0x40000000, 0, 0x4000, WB, 0 },
						 { 7, 0, 0x50000000, 0, 0x4000, WB, 0 } };

	(void)state;
	arm64_efi_regions(map, sizeof(map) - 1, sizeof(map[0]), &bi);
	assert_true(has_region(0x40000000, 0x44000000, MEM_RAM));
	assert_false(has_region(0x50000000, 0x54000000, MEM_RAM));
}

static void dates(void **state)
{
	static const struct {
		struct calendar date;
		u64 seconds;
	} known[] = {
		{ { 2000, 1, 1, 0, 0, 0 }, 946684800 },
		{ { 2000, 3, 1, 0, 0, 0 }, 951868800 },
		{ { 2024, 2, 29, 12, 34, 56 }, 1709210096 },
		{ { 2026, 11, 30, 18, 8, 26 }, 1796062106 },
		{ { 2099, 12, 31, 23, 59, 59 }, 4102444799 },
	};
	static const struct calendar bad[] = {
		{ 1999, 12, 31, 0, 0, 0 }, { 2100, 1, 1, 0, 0, 0 },  { 2020, 0, 1, 0, 0, 0 },
		{ 2020, 13, 1, 0, 0, 0 },  { 2020, 1, 0, 0, 0, 0 },  { 2020, 1, 32, 0, 0, 0 },
		{ 2020, 1, 1, 24, 0, 0 },  { 2020, 1, 1, 0, 60, 0 }, { 2020, 1, 1, 0, 0, 61 },
	};

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(known); i++) {
		assert_true(calendar_is_sane(&known[i].date));
		assert_int_equal(calendar_seconds_since_1970(&known[i].date), known[i].seconds);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(calendar_is_sane(&bad[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_map_replaces_the_trees, setup),
		cmocka_unit_test_setup(short_descriptors_are_no_map, setup),
		cmocka_unit_test_setup(a_map_that_is_cut, setup),
		cmocka_unit_test_setup(dates, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
