// SPDX-License-Identifier: GPL-2.0-or-later
/* The multiboot2 parser: what a loader tells, whole, in part, cut at every byte, and with every size field wrong. */
#include "host_log.h"
#include "mbi_builder.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include <asm/boot.h>
#include <tine/errno.h>

static struct boot_info bi;
static struct mbi m;

static int setup(void **state)
{
	(void)state;
	host_log_clear();
	mbi_start(&m);
	return 0;
}

/* Parses the first SIZE bytes of the information, from a buffer of just that size. */
static int parse_part(size_t size)
{
	u8 *exact = malloc(size ? size : 1);
	int rc;

	memcpy(exact, m.bytes, size);
	rc = x86_multiboot2_parse(exact, size, &bi);
	free(exact);
	return rc;
}

static int parse(void)
{
	mbi_end(&m);
	return parse_part(m.size);
}

static const struct mbi_mmap_entry pc_map[] = {
	{ 0, 0x9fc00, 1, 0 },         { 0x9fc00, 0x400, 2, 0 },     { 0x100000, 0x7ee0000, 1, 0 },
	{ 0x7fe0000, 0x20000, 3, 0 }, { 0x8000000, 0x1000, 4, 0 },  { 0x8001000, 0x1000, 5, 0 },
	{ 0x8002000, 0x1000, 7, 0 },  { 0x8003000, 0x1000, 99, 0 },
};

static void usual_information(void)
{
	u8 rsdp[36] = "RSD PTR old copy";

	mbi_text(&m, 1, "console=com1 loglvl=all");
	mbi_text(&m, 2, "GRUB 2.06");
	mbi_module(&m, 0x1000000, 0x1200000, "vmlinuz root=/dev/xvda");
	mbi_module(&m, 0x1200000, 0x1234567, "");
	mbi_mmap(&m, pc_map, ARRAY_SIZE(pc_map));
	mbi_tag(&m, 15, rsdp, 36);
	mbi_tag(&m, 14, rsdp, 20);
	mbi_tag(&m, 9, "ELF sections: unknown to us", 27);
	mbi_tag(&m, 21, "\0\0\x20", 4);
}

static void the_usual(void **state)
{
	static const enum mem_type types[] = {
		MEM_RAM, MEM_RESERVED, MEM_RAM,        MEM_ACPI,
		MEM_NVS, MEM_UNUSABLE, MEM_PERSISTENT, MEM_RESERVED
	};
	unsigned int i;

	(void)state;
	usual_information();
	assert_int_equal(parse(), 0);
	assert_log_lines(0);
	assert_string_equal(bi.protocol, "multiboot2");
	assert_string_equal(bi.cmdline, "console=com1 loglvl=all");
	assert_string_equal(bi.loader, "GRUB 2.06");
	assert_int_equal(bi.nr_modules, 2);
	assert_int_equal(paddr_x(bi.modules[0].start), 0x1000000);
	assert_int_equal(paddr_x(bi.modules[0].end), 0x1200000);
	assert_string_equal(bi.modules[0].args, "vmlinuz root=/dev/xvda");
	assert_string_equal(bi.modules[1].args, "");
	assert_int_equal(bi.nr_regions, 8);
	for (i = 0; i < 8; i++) {
		assert_int_equal(paddr_x(bi.regions[i].start), pc_map[i].start);
		assert_int_equal(paddr_x(bi.regions[i].end), pc_map[i].start + pc_map[i].length);
		assert_int_equal(bi.regions[i].type, types[i]);
	}
	assert_int_equal(bi.rsdp_copied, 36); /* the longer of the two, in either order */
	assert_memory_equal(bi.rsdp_copy, "RSD PTR ", 8);
	assert_int_equal(paddr_x(bi.image_start), 0x200000);
	assert_false(bi.efi);
}

static void newer_rsdp_replaces_older(void **state)
{
	u8 old[20] = "old", new[36] = "new";

	(void)state;
	mbi_tag(&m, 14, old, 20);
	mbi_tag(&m, 15, new, 36);
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.rsdp_copied, 36);
	assert_string_equal((char *)bi.rsdp_copy, "new");
}

static void cut_anywhere_is_survived_and_said(void **state)
{
	size_t size, whole;

	(void)state;
	usual_information();
	mbi_end(&m);
	whole = m.size;
	for (size = 0; size < whole; size++) {
		int rc;

		host_log_clear();
		rc = parse_part(size);
		assert_int_equal(rc, size < 8 ? -EINVAL : 0);
		if (rc)
			assert_log("is no such thing");
		else
			assert_log("truncated");
	}
}

static void total_too_small(void **state)
{
	(void)state;
	mbi_end(&m);
	mbi_set_total(&m, 7);
	assert_int_equal(parse_part(m.size), -EINVAL);
	assert_log("multiboot2: information of 7 bytes (16 readable) is no such thing");
	assert_log_lines(1);
}

static void tag_smaller_than_its_header(void **state)
{
	(void)state;
	mbi_text(&m, 1, "kept");
	mbi_tag_sized(&m, 2, 7, "lost", 5);
	mbi_mmap(&m, pc_map, 1);
	assert_int_equal(parse(), 0);
	assert_string_equal(bi.cmdline, "kept");
	assert_string_equal(bi.loader, "");
	assert_int_equal(bi.nr_regions, 0);
	assert_log("multiboot2: tag 2 at offset 24 of 88 has bad size 7: rest ignored");
	assert_log_lines(1);
}

static void tag_beyond_the_end(void **state)
{
	(void)state;
	mbi_tag_sized(&m, 1, 0xfffffff9, "x", 2);
	assert_int_equal(parse(), 0);
	assert_log("multiboot2: tag 1 at offset 8 of 32 has bad size 4294967289: rest ignored");
	assert_string_equal(bi.cmdline, "");
}

static void no_end_tag(void **state)
{
	(void)state;
	mbi_text(&m, 1, "kept");
	mbi_set_total(&m, (u32)m.size);
	assert_int_equal(parse_part(m.size), 0);
	assert_string_equal(bi.cmdline, "kept");
	assert_log("multiboot2: information of 24 bytes has no end tag: truncated?");
}

static void texts_not_ended_or_too_long(void **state)
{
	static char longer[CMDLINE_MAX + 100];

	(void)state;
	memset(longer, 'a', sizeof(longer) - 1);
	mbi_text(&m, 1, longer);
	mbi_tag(&m, 2, "noend", 5);
	mbi_tag(&m, 3, "\0\0\0\1\0\0\0\2arg", 11);
	assert_int_equal(parse(), 0);
	assert_int_equal(strlen(bi.cmdline), CMDLINE_MAX - 1);
	assert_string_equal(bi.loader, "noend");
	assert_string_equal(bi.modules[0].args, "arg");
	assert_log("multiboot2: command line is not ended or longer than 2047 bytes: cut");
	assert_log("multiboot2: loader's name is not ended or longer than 63 bytes: cut");
	assert_log(
		"multiboot2: arguments of module 0 are not ended or longer than 1023 bytes: cut");
	assert_log_lines(3);
}

static void module_tags_that_cannot_be(void **state)
{
	unsigned int i;

	(void)state;
	mbi_tag(&m, 3, "\0\0\0", 4);
	for (i = 0; i < BOOT_MAX_MODULES + 2; i++)
		mbi_module(&m, 0x1000 * i, 0x1000 * i + 1, "m");
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.nr_modules, BOOT_MAX_MODULES);
	assert_log("multiboot2: module tag of 12 bytes is too short: ignored");
	assert_log("boot: module [0x10000, 0x10001) is one more than the 16 that fit: ignored");
	assert_log_lines(3);
}

static void short_rsdp_copy(void **state)
{
	(void)state;
	mbi_tag(&m, 14, "RSD PTR", 8);
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.rsdp_copied, 0);
	assert_log("multiboot2: RSDP copy of 8 bytes is too short: ignored");
}

static void memory_map_with_impossible_entries(void **state)
{
	u32 head[2] = { 0, 0 };
	u8 tag[8 + 24] = { 0 };

	(void)state;
	memcpy(tag, head, 8);
	mbi_tag(&m, 6, tag, sizeof(tag));
	assert_int_equal(parse(), 0);
	assert_log("multiboot2: memory map of 40 bytes with entries of 0: ignored");
	assert_int_equal(boot_info_sanitize(&bi), -ENODATA);
	assert_log("boot: multiboot2 gave no memory map");
	assert_log_lines(2);

	setup(state);
	tag[0] = 23;
	mbi_tag(&m, 6, tag, sizeof(tag));
	assert_int_equal(parse(), 0);
	assert_log("multiboot2: memory map of 40 bytes with entries of 23: ignored");

	setup(state);
	mbi_tag(&m, 6, NULL, 0);
	assert_int_equal(parse(), 0);
	assert_log("multiboot2: memory map of 8 bytes with entries of 0: ignored");
}

static void memory_map_that_ends_within_an_entry(void **state)
{
	u8 tag[8 + 24 + 20] = { 24 };

	(void)state;
	memcpy(tag + 8, &pc_map[2], 24);
	mbi_tag(&m, 6, tag, sizeof(tag));
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.nr_regions, 1);
	assert_log("multiboot2: memory map ends within an entry: that one is ignored");
	assert_log_lines(1);
}

static void larger_entries_are_stepped_over(void **state)
{
	u8 tag[8 + 2 * 40] = { 40 };

	(void)state;
	memcpy(tag + 8, &pc_map[0], 24);
	memcpy(tag + 48, &pc_map[2], 24);
	mbi_tag(&m, 6, tag, sizeof(tag));
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.nr_regions, 2);
	assert_int_equal(paddr_x(bi.regions[1].start), 0x100000);
	assert_log_lines(0);
}

static const struct mbi_efi_entry efi_map[] = {
	{ 3, 0, 0x0, 0, 1, 0xf, 0 },          { 7, 0, 0x1000, 0, 0x9f, 0xf, 0 },
	{ 0, 0, 0xa0000, 0, 0x60, 0, 0 },     { 2, 0, 0x100000, 0, 0x100, 0xf, 0 },
	{ 6, 0, 0x200000, 0, 0x10, 0xf, 0 },  { 9, 0, 0x210000, 0, 0x10, 0xf, 0 },
	{ 10, 0, 0x220000, 0, 0x10, 0xf, 0 }, { 11, 0, 0xe0000000, 0, 0x10000, 1, 0 },
	{ 7, 0, 0x230000, 0, 0x10, 1, 0 },    { 8, 0, 0x240000, 0, 1, 0xf, 0 },
	{ 14, 0, 0x241000, 0, 1, 0xf, 0 },
};

static void efi_map_stands_in(void **state)
{
	static const enum mem_type types[] = { MEM_RAM,      MEM_RAM,       MEM_RESERVED,
					       MEM_RAM,      MEM_RESERVED,  MEM_ACPI,
					       MEM_NVS,      MEM_RESERVED,  MEM_RESERVED,
					       MEM_UNUSABLE, MEM_PERSISTENT };
	unsigned int i;

	(void)state;
	mbi_tag(&m, 12, "\0\0\0\0\0\0\0\0", 8);
	mbi_efi_mmap(&m, efi_map, ARRAY_SIZE(efi_map));
	assert_int_equal(parse(), 0);
	assert_true(bi.efi);
	assert_log("multiboot2: no memory map: using EFI's");
	assert_log_lines(1);
	assert_int_equal(bi.nr_regions, ARRAY_SIZE(efi_map));
	for (i = 0; i < ARRAY_SIZE(efi_map); i++) {
		assert_int_equal(bi.regions[i].type, types[i]);
		assert_int_equal(paddr_x(bi.regions[i].end) - paddr_x(bi.regions[i].start),
				 efi_map[i].pages << 12);
	}
}

static void efi_map_that_wraps(void **state)
{
	static const struct mbi_efi_entry bad[] = {
		{ 7, 0, 0x100000, 0, 1UL << 52, 0xf, 0 },
		{ 7, 0, 0x100000, 0, 0xffffffffffffffff, 0xf, 0 },
		{ 7, 0, 0x100000, 0, 1, 0xf, 0 },
	};

	(void)state;
	mbi_efi_mmap(&m, bad, ARRAY_SIZE(bad));
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.nr_regions, 1);
	assert_int_equal(host_log_count("wraps: ignored"), 2);
}

static void basic_memory_stands_in(void **state)
{
	u32 kib[2] = { 639, 130048 };

	(void)state;
	mbi_tag(&m, 4, kib, 8);
	assert_int_equal(parse(), 0);
	assert_log("multiboot2: no memory map: using the basic memory size");
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_regions, 2);
	assert_int_equal(paddr_x(bi.regions[0].end), 639 << 10);
	assert_int_equal(paddr_x(bi.regions[1].start), 1 << 20);
	assert_int_equal(paddr_x(bi.regions[1].end), 128 << 20);

	setup(state);
	mbi_tag(&m, 4, kib, 4);
	assert_int_equal(parse(), 0);
	assert_log("multiboot2: basic memory tag of 12 bytes is too short: ignored");
}

static void the_loaders_map_comes_first(void **state)
{
	u32 kib[2] = { 639, 130048 };

	(void)state;
	mbi_tag(&m, 4, kib, 8);
	mbi_efi_mmap(&m, efi_map, ARRAY_SIZE(efi_map));
	mbi_mmap(&m, pc_map, 3);
	assert_int_equal(parse(), 0);
	assert_int_equal(bi.nr_regions, 3);
	assert_log_lines(0);
}

static void nothing_about_memory(void **state)
{
	(void)state;
	mbi_text(&m, 1, "lonely");
	assert_int_equal(parse(), 0);
	assert_int_equal(boot_info_sanitize(&bi), -ENODATA);
	assert_log("boot: multiboot2 gave no memory map");
	assert_log_lines(1);
}

static void boot_services_left_running(void **state)
{
	(void)state;
	mbi_tag(&m, 18, NULL, 0);
	assert_int_equal(parse(), 0);
	assert_log("multiboot2: EFI boot services still run");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_usual, setup),
		cmocka_unit_test_setup(newer_rsdp_replaces_older, setup),
		cmocka_unit_test_setup(cut_anywhere_is_survived_and_said, setup),
		cmocka_unit_test_setup(total_too_small, setup),
		cmocka_unit_test_setup(tag_smaller_than_its_header, setup),
		cmocka_unit_test_setup(tag_beyond_the_end, setup),
		cmocka_unit_test_setup(no_end_tag, setup),
		cmocka_unit_test_setup(texts_not_ended_or_too_long, setup),
		cmocka_unit_test_setup(module_tags_that_cannot_be, setup),
		cmocka_unit_test_setup(short_rsdp_copy, setup),
		cmocka_unit_test_setup(memory_map_with_impossible_entries, setup),
		cmocka_unit_test_setup(memory_map_that_ends_within_an_entry, setup),
		cmocka_unit_test_setup(larger_entries_are_stepped_over, setup),
		cmocka_unit_test_setup(efi_map_stands_in, setup),
		cmocka_unit_test_setup(efi_map_that_wraps, setup),
		cmocka_unit_test_setup(basic_memory_stands_in, setup),
		cmocka_unit_test_setup(the_loaders_map_comes_first, setup),
		cmocka_unit_test_setup(nothing_about_memory, setup),
		cmocka_unit_test_setup(boot_services_left_running, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
