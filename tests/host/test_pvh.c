// SPDX-License-Identifier: GPL-2.0-or-later
/* The PVH start info: whole, of version 0, and pointing at memory that is not there. */
#include "fake_memory.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <asm/boot.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <xen/arch-x86/hvm/start_info.h>

#define INFO_AT 0x5000
#define MODULES_AT 0x6000
#define MAP_AT 0x7000
#define TEXT_PAGES 0x8000 /* two of them */
#define TEXT_AT 0x8ff0    /* so the text crosses into the second */
#define ARGS_PAGE 0xa000

static struct boot_info bi;
static struct hvm_start_info *info;
static struct hvm_modlist_entry *modules;
static struct hvm_memmap_table_entry *map;
static char *text, *args;

/* A good start info with two modules and four map entries; tests change it in place. */
static int setup(void **state)
{
	static const struct hvm_memmap_table_entry entries[] = {
		{ 0, 0x9fc00, XEN_HVM_MEMMAP_TYPE_RAM, 0 },
		{ 0x9fc00, 0x400, XEN_HVM_MEMMAP_TYPE_RESERVED, 0 },
		{ 0x100000, 0x7f00000, XEN_HVM_MEMMAP_TYPE_RAM, 0 },
		{ 0x8000000, 0x1000, XEN_HVM_MEMMAP_TYPE_ACPI, 0 },
	};

	(void)state;
	fake_memory_reset();
	host_log_clear();
	info = (void *)fake_memory_add(INFO_AT, NULL, sizeof(*info));
	*info = (struct hvm_start_info){
		.magic = XEN_HVM_START_MAGIC_VALUE,
		.version = 1,
		.nr_modules = 2,
		.modlist_paddr = MODULES_AT,
		.cmdline_paddr = TEXT_AT,
		.rsdp_paddr = 0xe1230,
		.memmap_paddr = MAP_AT,
		.memmap_entries = ARRAY_SIZE(entries),
	};
	modules = (void *)fake_memory_add(MODULES_AT, NULL, 2 * sizeof(*modules));
	modules[0] = (struct hvm_modlist_entry){ 0x1000000, 0x1234, ARGS_PAGE, 0 };
	modules[1] = (struct hvm_modlist_entry){ 0x2000000, 0x1000, 0, 0 };
	map = (void *)fake_memory_add(MAP_AT, entries, sizeof(entries));
	text = (char *)fake_memory_add(TEXT_PAGES, NULL, 0x2000) + (TEXT_AT - TEXT_PAGES);
	strcpy(text, "console=com1 loglvl=all selftest");
	args = (char *)fake_memory_add(ARGS_PAGE, NULL, 0x1000);
	strcpy(args, "vmlinuz quiet");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fake_memory_reset();
	return 0;
}

static int parse(void)
{
	return x86_pvh_parse(_paddr(INFO_AT), &bi);
}

static void the_usual(void **state)
{
	(void)state;
	assert_int_equal(parse(), 0);
	assert_log_lines(0);
	assert_string_equal(bi.protocol, "PVH");
	assert_string_equal(bi.cmdline, "console=com1 loglvl=all selftest");
	assert_int_equal(bi.nr_modules, 2);
	assert_int_equal(paddr_x(bi.modules[0].start), 0x1000000);
	assert_int_equal(paddr_x(bi.modules[0].end), 0x1001234);
	assert_string_equal(bi.modules[0].args, "vmlinuz quiet");
	assert_string_equal(bi.modules[1].args, "");
	assert_int_equal(bi.nr_regions, 4);
	assert_int_equal(bi.regions[1].type, MEM_RESERVED);
	assert_int_equal(bi.regions[3].type, MEM_ACPI);
	assert_int_equal(paddr_x(bi.rsdp), 0xe1230);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_modules, 2);
}

static void nothing_but_the_map(void **state)
{
	(void)state;
	info->cmdline_paddr = info->rsdp_paddr = info->nr_modules = 0;
	assert_int_equal(parse(), 0);
	assert_string_equal(bi.cmdline, "");
	assert_true(paddr_eq(bi.rsdp, INVALID_PADDR));
	assert_int_equal(bi.nr_modules, 0);
	assert_log_lines(0);
}

static void all_types_of_memory(void **state)
{
	static const enum mem_type types[] = { MEM_RESERVED, MEM_RAM,        MEM_RESERVED,
					       MEM_ACPI,     MEM_NVS,        MEM_UNUSABLE,
					       MEM_RESERVED, MEM_PERSISTENT, MEM_RESERVED };
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		map[0].type = i;
		assert_int_equal(parse(), 0);
		assert_int_equal(bi.regions[0].type, types[i]);
	}
}

static void not_a_start_info(void **state)
{
	(void)state;
	info->magic = 0x12345678;
	assert_int_equal(parse(), -EINVAL);
	assert_log("PVH: start info at 0x5000 has magic 0x12345678 instead of 0x336ec578");
	assert_log_lines(1);
	host_log_clear();
	assert_int_equal(x86_pvh_parse(_paddr(0x123456789abc), &bi), -EINVAL);
	assert_log("PVH: start info at 0x123456789abc is out of reach");
	assert_int_equal(x86_pvh_parse(INVALID_PADDR, &bi), -EINVAL);
	assert_log_lines(2);
}

static void version_0_has_no_map(void **state)
{
	(void)state;
	info->version = 0;
	assert_int_equal(parse(), 0);
	assert_string_equal(bi.cmdline, "console=com1 loglvl=all selftest");
	assert_log("PVH: start info is of version 0, which has no memory map");
	assert_int_equal(boot_info_sanitize(&bi), -ENODATA);
	assert_log("boot: PVH gave no memory map");
}

/* Memory that ends after what version 0 has. */
static void version_1_cut_short(void **state)
{
	struct hvm_start_info copy = *info;

	(void)state;
	copy.nr_modules = 0;
	copy.cmdline_paddr = 0;
	fake_memory_reset();
	fake_memory_add(INFO_AT, &copy, sizeof(copy) - 1);
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.nr_regions, 0);
	assert_log("PVH: start info at 0x5000 is cut: no memory map");
}

static void texts_out_of_reach_or_too_long(void **state)
{
	(void)state;
	memset(text, 'x', 0x1000);
	modules[0].cmdline_paddr = 0x99999000;
	modules[1].cmdline_paddr = ~0UL - 3; /* its end wraps */
	assert_int_equal(parse(), 0);
	assert_int_equal(strlen(bi.cmdline), CMDLINE_MAX - 1);
	assert_string_equal(bi.modules[0].args, "");
	assert_log("PVH: command line at 0x8ff0 is longer than 2047 bytes: cut");
	assert_log("PVH: arguments of a module at 0x99999000 is out of reach: cut");
	assert_log("PVH: arguments of a module at 0xfffffffffffffffc is out of reach: cut");
	assert_log_lines(3);
}

/* The text begins in memory and runs out of it: what could be read counts. */
static void text_that_runs_off_the_end_of_memory(void **state)
{
	(void)state;
	info->cmdline_paddr = 0xaffc;
	memcpy(args + 0xffc, "abcd", 4);
	assert_int_equal(parse(), 0);
	assert_string_equal(bi.cmdline, "abcd");
	assert_log("PVH: command line at 0xb000 is out of reach: cut");
}

static void lists_out_of_reach(void **state)
{
	(void)state;
	info->nr_modules = 3; /* memory ends after two */
	info->memmap_entries = 6;
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.nr_modules, 2);
	assert_int_equal(bi.nr_regions, 4);
	assert_log("PVH: module list entry 2 at 0x6040 is out of reach: rest ignored");
	assert_log("PVH: memory map entry 4 at 0x7060 is out of reach: rest ignored");
	assert_log_lines(2);
}

static void counts_that_are_no_counts(void **state)
{
	struct hvm_modlist_entry *many;
	unsigned int i;

	(void)state;
	many = (void *)fake_memory_add(0x100000, NULL, 64 * sizeof(*many));
	for (i = 0; i < 64; i++)
		many[i] = (struct hvm_modlist_entry){ 0x200000 + i * 0x1000, 0x1000, 0, 0 };
	info->modlist_paddr = 0x100000;
	info->nr_modules = ~0U;
	info->memmap_entries = ~0U;
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.nr_modules, BOOT_MAX_MODULES);
	assert_int_equal(bi.nr_regions, 4);
	assert_log("is one more than the 16 that fit: ignored");
	assert_log("PVH: memory map of 4294967295 entries: only the first 4096 are looked at");
	assert_log_lines(3);
}

static void modules_that_cannot_be(void **state)
{
	(void)state;
	modules[0].size = 0;
	modules[1].size = ~0UL;
	assert_int_equal(parse(), 0);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_modules, 0);
	assert_log("boot: module 0 [0x1000000, 0x1000000) \"vmlinuz quiet\" has zero length: left "
		   "out");
	assert_log("boot: module 1 [0x2000000, 0x1ffffff) \"\" ends before it starts: left out");
}

static void map_entries_that_cannot_be(void **state)
{
	(void)state;
	map[0].size = 0;
	map[1].size = ~0UL;
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.nr_regions, 2);
	assert_log("boot: memory map: RAM region at 0 is empty: ignored");
	assert_log("boot: memory map: reserved region at 0x9fc00, 0xffffffffffffffff bytes long, "
		   "wraps");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_usual, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_but_the_map, setup, teardown),
		cmocka_unit_test_setup_teardown(all_types_of_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(not_a_start_info, setup, teardown),
		cmocka_unit_test_setup_teardown(version_0_has_no_map, setup, teardown),
		cmocka_unit_test_setup_teardown(version_1_cut_short, setup, teardown),
		cmocka_unit_test_setup_teardown(texts_out_of_reach_or_too_long, setup, teardown),
		cmocka_unit_test_setup_teardown(text_that_runs_off_the_end_of_memory, setup,
						teardown),
		cmocka_unit_test_setup_teardown(lists_out_of_reach, setup, teardown),
		cmocka_unit_test_setup_teardown(counts_that_are_no_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(modules_that_cannot_be, setup, teardown),
		cmocka_unit_test_setup_teardown(map_entries_that_cannot_be, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
