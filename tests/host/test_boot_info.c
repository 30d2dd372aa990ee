// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * boot_info's rules: regions that overlap, come in any order, wrap or are too many; modules that cannot be. Besides the
 * named cases a random check against a reference that knows one byte of type for each unit of a small address space.
 */
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <tine/boot_info.h>
#include <tine/errno.h>
#include <tine/lib.h>
#include <tine/string.h>

static struct boot_info bi;

static int setup(void **state)
{
	(void)state;
	boot_info_reset(&bi, "test");
	host_log_clear();
	return 0;
}

static void assert_region(unsigned int i, u64 start, u64 end, enum mem_type type)
{
	assert_true(i < bi.nr_regions);
	assert_int_equal(paddr_x(bi.regions[i].start), start);
	assert_int_equal(paddr_x(bi.regions[i].end), end);
	assert_int_equal(bi.regions[i].type, type);
}

static void no_map_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(boot_info_sanitize(&bi), -ENODATA);
	assert_log("boot: test gave no memory map");
	assert_log_lines(1);
}

static void no_ram_is_an_error(void **state)
{
	(void)state;
	boot_info_add_region(&bi, 0, MiB(1), MEM_RAM);
	boot_info_add_region(&bi, 0, MiB(1), MEM_RESERVED);
	host_log_clear();
	assert_int_equal(boot_info_sanitize(&bi), -ENODATA);
	assert_log("boot: the memory map of test has no RAM");
}

static void a_good_map_is_left_alone(void **state)
{
	(void)state;
	boot_info_add_region(&bi, 0, 0x9fc00, MEM_RAM);
	boot_info_add_region(&bi, 0x9fc00, 0x400, MEM_RESERVED);
	boot_info_add_region(&bi, MiB(1), MiB(127), MEM_RAM);
	boot_info_add_region(&bi, MiB(128), 0x20000, MEM_ACPI);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_regions, 4);
	assert_region(2, MiB(1), MiB(128), MEM_RAM);
	assert_log_lines(0);
}

static void unordered_is_sorted_and_neighbours_join(void **state)
{
	(void)state;
	boot_info_add_region(&bi, MiB(2), MiB(2), MEM_RAM);
	boot_info_add_region(&bi, MiB(6), MiB(1), MEM_RAM);
	boot_info_add_region(&bi, MiB(1), MiB(1), MEM_RAM);
	boot_info_add_region(&bi, MiB(4), MiB(1), MEM_NVS);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_regions, 3);
	assert_region(0, MiB(1), MiB(4), MEM_RAM);
	assert_region(1, MiB(4), MiB(5), MEM_NVS);
	assert_region(2, MiB(6), MiB(7), MEM_RAM);
	assert_log("boot: memory map: regions were not in order: sorted");
	assert_log_lines(1);
}

static void reserved_cuts_ram_in_two(void **state)
{
	(void)state;
	boot_info_add_region(&bi, 0, MiB(8), MEM_RAM);
	boot_info_add_region(&bi, MiB(2), MiB(1), MEM_RESERVED);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_regions, 3);
	assert_region(0, 0, MiB(2), MEM_RAM);
	assert_region(1, MiB(2), MiB(3), MEM_RESERVED);
	assert_region(2, MiB(3), MiB(8), MEM_RAM);
	assert_log("boot: memory map: RAM [0, 0x800000) and reserved [0x200000, 0x300000) overlap: "
		   "taken "
		   "as reserved there");
	assert_log_lines(1);
}

static void ram_gives_way_wherever_it_lies(void **state)
{
	(void)state;
	boot_info_add_region(&bi, MiB(1), MiB(2), MEM_UNUSABLE);
	boot_info_add_region(&bi, MiB(2), MiB(2), MEM_RAM); /* its start is taken */
	boot_info_add_region(&bi, MiB(5), MiB(2), MEM_RAM); /* its end is */
	boot_info_add_region(&bi, MiB(6), MiB(2), MEM_ACPI);
	boot_info_add_region(&bi, MiB(10), MiB(1), MEM_RAM); /* all of it */
	boot_info_add_region(&bi, MiB(9), MiB(3), MEM_PERSISTENT);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_regions, 5);
	assert_region(0, MiB(1), MiB(3), MEM_UNUSABLE);
	assert_region(1, MiB(3), MiB(4), MEM_RAM);
	assert_region(2, MiB(5), MiB(6), MEM_RAM);
	assert_region(3, MiB(6), MiB(8), MEM_ACPI);
	assert_region(4, MiB(9), MiB(12), MEM_PERSISTENT);
	assert_int_equal(host_log_count("overlap: taken as"), 3);
}

static void empty_and_wrapping_are_dropped(void **state)
{
	(void)state;
	boot_info_add_region(&bi, 0x5000, 0, MEM_RAM);
	boot_info_add_region(&bi, ~0UL - 0xfff, 0x2000, MEM_RAM);
	boot_info_add_region(&bi, 0x1000, ~0UL, MEM_RESERVED);
	boot_info_add_region(&bi, MiB(1), MiB(1), MEM_RAM);
	assert_int_equal(bi.nr_regions, 1);
	assert_log("boot: memory map: RAM region at 0x5000 is empty: ignored");
	assert_log("boot: memory map: RAM region at 0xfffffffffffff000, 0x2000 bytes long, wraps: "
		   "ignored");
	assert_log("boot: memory map: reserved region at 0x1000, 0xffffffffffffffff bytes long, "
		   "wraps: "
		   "ignored");
	assert_log_lines(3);
}

static void neighbours_make_room(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 4 * BOOT_MAX_REGIONS; i++)
		boot_info_add_region(&bi, i * PAGE_SIZE, PAGE_SIZE, MEM_RAM);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_regions, 1);
	assert_region(0, 0, 4 * BOOT_MAX_REGIONS * PAGE_SIZE, MEM_RAM);
	assert_log_lines(0);
}

static void too_many_are_reported_and_no_ram_is_invented(void **state)
{
	unsigned int i;

	(void)state;
	boot_info_add_region(&bi, 0, MiB(64), MEM_RAM);
	for (i = 1; i < BOOT_MAX_REGIONS; i++)
		boot_info_add_region(&bi, GiB(1) + i * MiB(2), MiB(1), MEM_RAM);
	assert_log_lines(0);
	boot_info_add_region(&bi, MiB(16), MiB(1), MEM_RESERVED); /* lies in the first one */
	boot_info_add_region(&bi, GiB(8), MiB(1), MEM_RAM);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_regions, BOOT_MAX_REGIONS);
	assert_region(0, MiB(17), MiB(64), MEM_RAM);
	assert_log("boot: memory map: more than 512 regions: reserved [0x1000000, 0x1100000) does "
		   "not fit");
	assert_log("boot: memory map: 2 regions in all did not fit");
	assert_log_lines(2);
}

static void many_overlaps_are_counted(void **state)
{
	unsigned int i;

	(void)state;
	boot_info_add_region(&bi, 0, GiB(1), MEM_RAM);
	for (i = 0; i < 20; i++)
		boot_info_add_region(&bi, MiB(1 + 2 * i), MiB(1), MEM_RESERVED);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_regions, 41);
	assert_int_equal(host_log_count("overlap: taken as"), 8);
	assert_log("boot: memory map: 12 more overlaps");
}

/* ---- Against a reference ---- */

#define UNITS 4096
#define NOTHING 0xff

static unsigned int reference_weight(u8 type)
{
	static const unsigned int order[] = { MEM_RAM,        MEM_ACPI,     MEM_NVS,
					      MEM_PERSISTENT, MEM_RESERVED, MEM_UNUSABLE };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(order); i++)
		if (order[i] == type)
			return i + 1;
	return 0;
}

static void paint(u8 *map, unsigned int start, unsigned int len, u8 type)
{
	for (unsigned int u = start; u < start + len; u++)
		if (map[u] == NOTHING || reference_weight(type) > reference_weight(map[u]))
			map[u] = type;
}

/* Regions are sorted, disjoint, not empty and joined; what MAP then says is theirs, exactly if nothing was lost. */
static void compare(const u8 *map, unsigned int seed)
{
	static u8 got[UNITS];
	unsigned int i, u;

	memset(got, NOTHING, sizeof(got));
	for (i = 0; i < bi.nr_regions; i++) {
		const struct mem_region *r = &bi.regions[i];

		assert_true(paddr_x(r->start) < paddr_x(r->end));
		assert_true(i == 0 || paddr_x(r[-1].end) < paddr_x(r->start) ||
			    (paddr_x(r[-1].end) == paddr_x(r->start) && r[-1].type != r->type));
		paint(got, (unsigned int)(paddr_x(r->start) >> PAGE_SHIFT),
		      (unsigned int)((paddr_x(r->end) - paddr_x(r->start)) >> PAGE_SHIFT),
		      (u8)r->type);
	}
	for (u = 0; u < UNITS; u++) {
		bool same = got[u] == map[u];
		bool lost = bi.nr_regions_lost && got[u] != MEM_RAM;

		if (!same && !lost)
			fail_msg("seed %u: unit %u is %u instead of %u", seed, u, got[u], map[u]);
	}
}

static void random_maps_match_the_reference(void **state)
{
	static u8 map[UNITS];
	unsigned int seed, i, lost = 0;

	(void)state;
	for (seed = 1; seed <= 3000; seed++) {
		bool many = seed % 8 == 0;
		unsigned int count, longest;

		srand(seed);
		count = (many ? 300 : 0) + (unsigned int)rand() % (many ? 500 : 40);
		longest = 1 + (unsigned int)rand() % (many ? 20 : 1000);
		boot_info_reset(&bi, "random");
		memset(map, NOTHING, sizeof(map));
		for (i = 0; i < count; i++) {
			unsigned int start = (unsigned int)rand() % (UNITS - longest);
			unsigned int len = 1 + (unsigned int)rand() % longest;
			enum mem_type type = rand() % 3 ? MEM_RAM : (enum mem_type)(rand() % 6);

			boot_info_add_region(&bi, (u64)start << PAGE_SHIFT, (u64)len << PAGE_SHIFT,
					     type);
			paint(map, start, len, (u8)type);
		}
		(void)!boot_info_sanitize(&bi);
		compare(map, seed);
		lost += bi.nr_regions_lost != 0;
		host_log_clear();
	}
	assert_true(lost > 0); /* the table did overflow in some */
}

/* ---- Modules ---- */

static void with_ram(void)
{
	boot_info_add_region(&bi, MiB(1), MiB(63), MEM_RAM);
	boot_info_add_region(&bi, MiB(64), MiB(1), MEM_RESERVED);
	bi.image_start = _paddr(MiB(2));
	bi.image_end = _paddr(MiB(3));
}

static void add_module(u64 start, u64 end, const char *args)
{
	struct boot_module *m = boot_info_add_module(&bi, _paddr(start), _paddr(end));

	assert_non_null(m);
	str_copy(m->args, args, sizeof(m->args));
}

static void bad_modules_are_dropped(void **state)
{
	(void)state;
	with_ram();
	add_module(MiB(4), MiB(5), "good one");
	add_module(MiB(6), MiB(6), "empty");
	add_module(MiB(8), MiB(7), "reversed");
	add_module(MiB(63), MiB(64) + 1, "into reserved");
	add_module(GiB(3), GiB(3) + 5, "beyond");
	add_module(MiB(3) - 1, MiB(3) + 1, "on the image");
	add_module(MiB(5) - 1, MiB(6), "on a module");
	add_module(MiB(63), MiB(64), "good two");
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_modules, 2);
	assert_string_equal(bi.modules[0].args, "good one");
	assert_string_equal(bi.modules[1].args, "good two");
	assert_int_equal(paddr_x(bi.modules[1].start), MiB(63));
	assert_log("boot: module 1 [0x600000, 0x600000) \"empty\" has zero length: left out");
	assert_log(
		"boot: module 2 [0x800000, 0x700000) \"reversed\" ends before it starts: left out");
	assert_log("boot: module 3 [0x3f00000, 0x4000001) \"into reserved\" is not wholly in RAM: "
		   "left out");
	assert_log("boot: module 4 [0xc0000000, 0xc0000005) \"beyond\" is not wholly in RAM: left "
		   "out");
	assert_log("boot: module 5 [0x2fffff, 0x300001) \"on the image\" overlaps the hypervisor: "
		   "left out");
	assert_log("boot: module 6 [0x4fffff, 0x600000) \"on a module\" overlaps an earlier "
		   "module: left out");
	assert_log_lines(6);
}

static void too_many_modules_are_reported(void **state)
{
	unsigned int i;

	(void)state;
	with_ram();
	for (i = 0; i < BOOT_MAX_MODULES; i++)
		add_module(MiB(4 + i), MiB(5 + i), "");
	assert_null(boot_info_add_module(&bi, _paddr(MiB(40)), _paddr(MiB(41))));
	assert_log("boot: module [0x2800000, 0x2900000) is one more than the 16 that fit: ignored");
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_int_equal(bi.nr_modules, BOOT_MAX_MODULES);
}

static void the_log_shows_it_all(void **state)
{
	(void)state;
	with_ram();
	add_module(MiB(4), MiB(5), "vmlinuz quiet");
	str_copy(bi.cmdline, "console=com1", sizeof(bi.cmdline));
	str_copy(bi.loader, "GRUB 2.06", sizeof(bi.loader));
	assert_int_equal(boot_info_sanitize(&bi), 0);
	boot_info_log(&bi);
	assert_log("boot: test from GRUB 2.06, command line \"console=com1\"");
	assert_log("boot: memory [0000000000100000, 0000000004000000) RAM");
	assert_log("boot: memory [0000000004000000, 0000000004100000) reserved");
	assert_log("boot: module 0 [0x400000, 0x500000) \"vmlinuz quiet\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(no_map_is_an_error, setup),
		cmocka_unit_test_setup(no_ram_is_an_error, setup),
		cmocka_unit_test_setup(a_good_map_is_left_alone, setup),
		cmocka_unit_test_setup(unordered_is_sorted_and_neighbours_join, setup),
		cmocka_unit_test_setup(reserved_cuts_ram_in_two, setup),
		cmocka_unit_test_setup(ram_gives_way_wherever_it_lies, setup),
		cmocka_unit_test_setup(empty_and_wrapping_are_dropped, setup),
		cmocka_unit_test_setup(neighbours_make_room, setup),
		cmocka_unit_test_setup(too_many_are_reported_and_no_ram_is_invented, setup),
		cmocka_unit_test_setup(many_overlaps_are_counted, setup),
		cmocka_unit_test_setup(random_maps_match_the_reference, setup),
		cmocka_unit_test_setup(bad_modules_are_dropped, setup),
		cmocka_unit_test_setup(too_many_modules_are_reported, setup),
		cmocka_unit_test_setup(the_log_shows_it_all, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
