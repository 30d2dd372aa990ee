// SPDX-License-Identifier: GPL-2.0-or-later
/* What SeaBIOS, OVMF and GRUB really hand over (data/README.md) through the parsers, as start of day does it. */
#include "fake_memory.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <asm/acpi.h>
#include <asm/boot.h>
#include <tine/lib.h>

static struct boot_info bi;

static u8 *read_file(const char *name, size_t *size)
{
	static u8 bytes[65536];
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", HOST_DATA, name);
	f = fopen(path, "rb");
	if (!f)
		fail_msg("cannot read %s", path);
	*size = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	return bytes;
}

static void load_tables(const char *name)
{
	size_t size, at = 0;
	u8 *bytes = read_file(name, &size);

	while (at < size) {
		u64 where[2];

		memcpy(where, bytes + at, sizeof(where));
		fake_memory_add(where[0], bytes + at + 16, where[1]);
		at += 16 + where[1];
	}
}

static void boot(const char *machine)
{
	char name[64];
	u8 *mbi;
	size_t size;

	fake_memory_reset();
	host_log_clear();
	snprintf(name, sizeof(name), "%s.mbi", machine);
	mbi = read_file(name, &size);
	assert_int_equal(x86_multiboot2_parse(mbi, size, &bi), 0);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_log_lines(0); /* nothing to complain of */

	snprintf(name, sizeof(name), "%s.acpi", machine);
	load_tables(name);
	x86_acpi_init(&bi);
	assert_string_equal(bi.cmdline, "console=com1 loglvl=all");
	assert_string_equal(bi.loader, "GRUB 2.06-13+deb12u2");
	assert_int_equal(bi.nr_modules, 2);
	assert_string_equal(bi.modules[0].args, "vmlinuz root=/dev/xvda1 quiet");
	assert_int_equal(paddr_x(bi.modules[0].end) - paddr_x(bi.modules[0].start), 100000);
	assert_string_equal(bi.modules[1].args, "domain.cfg");
}

static u64 ram(void)
{
	u64 sum = 0;

	for (unsigned int i = 0; i < bi.nr_regions; i++)
		if (bi.regions[i].type == MEM_RAM)
			sum += paddr_x(bi.regions[i].end) - paddr_x(bi.regions[i].start);
	return sum;
}

static void seabios_with_two_nodes(void **state)
{
	(void)state;
	boot("q35-bios");
	assert_false(bi.efi);
	assert_true(ram() > MiB(2047) - KiB(600) && ram() < MiB(2048));
	assert_log("ACPI: 4 CPUs, 1 IO-APICs, 3 node ranges, SLIT of 2");
	assert_log_lines(1);
	for (unsigned int i = 0; i < 4; i++) {
		assert_int_equal(bi.cpus[i].hw_id, i);
		assert_int_equal(bi.cpus[i].proximity, i / 2);
	}
	assert_int_equal(paddr_x(bi.node_ranges[0].end), 0xa0000);
	assert_int_equal(paddr_x(bi.node_ranges[1].start), MiB(1));
	assert_int_equal(paddr_x(bi.node_ranges[1].end), GiB(1));
	assert_int_equal(bi.node_ranges[1].proximity, 0);
	assert_int_equal(paddr_x(bi.node_ranges[2].end), GiB(2));
	assert_int_equal(bi.node_ranges[2].proximity, 1);
	assert_int_equal(bi.slit[1], 21);
	assert_int_equal(paddr_x(x86_acpi.lapic), 0xfee00000);
	assert_int_equal(paddr_x(x86_acpi.ioapics[0].address), 0xfec00000);
	assert_int_equal(paddr_x(x86_acpi.hpet), 0xfed00000);
	assert_int_equal(x86_acpi.pm_timer_port, 0x608);
	assert_int_equal(x86_acpi.pm1a_control, 0x604);
	assert_true(x86_acpi.s5_known);
	assert_int_equal(x86_acpi.slp_typ_a, 0);
	assert_true(x86_acpi.reset_known);
	assert_int_equal(x86_acpi.reset.space, ACPI_SPACE_IO);
	assert_int_equal(x86_acpi.reset.address, 0xcf9);
	assert_int_equal(x86_acpi.reset_value, 0x0f);
}

static void ovmf(void **state)
{
	(void)state;
	boot("q35-uefi");
	assert_true(bi.efi);
	assert_int_equal(bi.rsdp_copied, 36);
	assert_true(ram() > MiB(490) && ram() < MiB(512));
	assert_log("ACPI: 2 CPUs, 1 IO-APICs, 0 node ranges, SLIT of 0");
	assert_log("out of reach: ignored"); /* the DSDT, which the record leaves out */
	assert_log_lines(2);
	assert_false(x86_acpi.s5_known);
	assert_int_equal(x86_acpi.pm_timer_port, 0x608);
}

/* OVMF's own map must describe the machine as GRUB's does: hide GRUB's by giving its tag a type of no meaning. */
static void ovmf_by_its_own_map(void **state)
{
	size_t size, at = 8;
	u8 *mbi = read_file("q35-uefi.mbi", &size);
	u64 by_grub;

	(void)state;
	host_log_clear();
	assert_int_equal(x86_multiboot2_parse(mbi, size, &bi), 0);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	by_grub = ram();
	for (u32 tag[2]; at < size; at += ROUND_UP((size_t)tag[1], 8)) {
		memcpy(tag, mbi + at, 8);
		if (tag[0] == 6)
			mbi[at] = 0x77;
		if (tag[0] == 0)
			break;
	}
	assert_int_equal(x86_multiboot2_parse(mbi, size, &bi), 0);
	assert_int_equal(boot_info_sanitize(&bi), 0);
	assert_log("multiboot2: no memory map: using EFI's");
	assert_int_equal(ram(), by_grub);
	assert_int_equal(bi.nr_modules, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seabios_with_two_nodes),
		cmocka_unit_test(ovmf),
		cmocka_unit_test(ovmf_by_its_own_map),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fake_memory_reset();
	return failed;
}
