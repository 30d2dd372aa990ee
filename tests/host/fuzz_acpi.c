// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: ACPI tables. No mutation finds checksums by chance, so the input is a list of tables to which the harness
 * adds what a fuzzer cannot guess: each begins with a byte that picks name and whether length and checksum are made
 * right, and two bytes of size. The first byte of all says how the root is given. Every mapping is a buffer of its own
 * (fake_memory.c), so a read beyond what was asked for is seen.
 */
#include "acpi_builder.h"
#include "host_log.h"
#include <stdlib.h>
#include <asm/acpi.h>
#include <tine/lib.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define ROOT_AT 0x70000000
#define TABLES_AT 0x70010000
#define MOST_TABLES 12

static struct boot_info bi;

static void require(bool condition)
{
	if (!condition)
		abort();
}

/* Places the next table of the input at AT; what is left of the input. */
static size_t place_next(const u8 *data, size_t size, u64 at)
{
	static const char names[8][5] = {
		"APIC", "SRAT", "SLIT", "FACP", "HPET", "DSDT", "XSDT", ""
	};
	u8 how = data[0];
	size_t len = (size_t)data[1] | (size_t)(data[2] & 0x1f) << 8;
	u8 *table;

	size -= 3;
	len = min(len, size);
	table = fake_memory_add(at, data + 3, len);
	if (len >= 36) {
		u32 length = (u32)len;

		if (names[how & 7][0])
			memcpy(table, names[how & 7], 4);
		if (!(how & 0x40))
			memcpy(table + 4, &length, 4);
		if ((how & 7) == 3 && len >= 148) /* let the DSDT be one of the other tables */
			memcpy(table + 140, &(u64){ TABLES_AT + (u64)(how >> 3 & 7) * 0x4000 }, 8);
		if (!(how & 0x80))
			fix_sum(table, len, 9);
	}
	return size - len;
}

static void place_root(u8 how, unsigned int tables)
{
	size_t width = how & 1 ? 4 : 8;
	struct table root;

	table_start(&root, how & 1 ? "RSDT" : "XSDT", 1);
	for (unsigned int i = 0; i < tables; i++)
		put(&root, TABLES_AT + i * 0x4000, width);
	table_place(&root, ROOT_AT);
	make_rsdp(bi.rsdp_copy, how & 1 ? 0 : 2, ROOT_AT, ROOT_AT);
	bi.rsdp_copied = how & 1 ? 20 : 36;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	unsigned int tables = 0;
	size_t left = size;

	if (size < 1)
		return 0;
	fake_memory_reset();
	host_log_clear();
	boot_info_reset(&bi, "fuzz");

	left--;
	if (data[0] & 2) { /* the bytes as they are, where a BIOS is searched */
		fake_memory_add(0xe0000, data + 1, left);
	} else {
		while (left >= 3 && tables < MOST_TABLES) {
			left = place_next(data + (size - left), left, TABLES_AT + tables * 0x4000);
			tables++;
		}
		place_root(data[0], tables);
	}

	x86_acpi_init(&bi);
	require(bi.nr_cpus <= BOOT_MAX_CPUS && bi.nr_node_ranges <= BOOT_MAX_NODE_RANGES);
	require(bi.nr_slit <= BOOT_MAX_NODES && x86_acpi.nr_ioapics <= ACPI_MAX_IOAPICS);
	require(x86_acpi.slp_typ_a < 8 && x86_acpi.slp_typ_b < 8);
	for (unsigned int i = 0; i < bi.nr_cpus; i++)
		for (unsigned int j = 0; j < i; j++)
			require(bi.cpus[i].hw_id != bi.cpus[j].hw_id);
	for (unsigned int i = 0; i < bi.nr_node_ranges; i++)
		require(paddr_x(bi.node_ranges[i].start) < paddr_x(bi.node_ranges[i].end));
	return 0;
}
