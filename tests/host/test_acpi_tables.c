// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The single ACPI tables: MADT, SRAT, SLIT, FADT (and the DSDT's \_S5), HPET. Each is built with a correct header and
 * read through x86_acpi_init(); what is spoilt is inside.
 */
#include "acpi_builder.h"
#include "host_log.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include <asm/acpi.h>
#include <tine/lib.h>

#define XSDT_AT 0x7fe1000
#define TABLES_AT 0x8000000
#define DSDT_AT 0x7ff0000

static struct boot_info bi;
static struct table t, xsdt;

static int setup(void **state)
{
	(void)state;
	fake_memory_reset();
	host_log_clear();
	boot_info_reset(&bi, "test");
	make_rsdp(bi.rsdp_copy, 2, 0, XSDT_AT);
	bi.rsdp_copied = 36;
	table_start(&xsdt, "XSDT", 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fake_memory_reset();
	return 0;
}

/* Table T as it is now becomes one that the XSDT names. */
static void add_table(void)
{
	u64 at = TABLES_AT + xsdt.size * 0x1000;

	table_place(&t, at);
	put(&xsdt, at, 8);
}

static void init(void)
{
	table_place(&xsdt, XSDT_AT);
	x86_acpi_init(&bi);
}

/* ---- MADT ---- */

static void madt_start(void)
{
	table_start(&t, "APIC", 3);
	put(&t, 0xfee00000, 4);
	put(&t, 1, 4);
}

static void madt_lapic(u8 uid, u8 apic_id, u32 flags)
{
	put(&t, 0, 1);
	put(&t, 8, 1);
	put(&t, uid, 1);
	put(&t, apic_id, 1);
	put(&t, flags, 4);
}

static void madt_x2apic(u32 apic_id, u32 flags, u32 uid)
{
	put(&t, 9, 1);
	put(&t, 16, 1);
	put(&t, 0, 2);
	put(&t, apic_id, 4);
	put(&t, flags, 4);
	put(&t, uid, 4);
}

static void madt_ioapic(u8 id, u32 address, u32 gsi)
{
	put(&t, 1, 1);
	put(&t, 12, 1);
	put(&t, id, 2);
	put(&t, address, 4);
	put(&t, gsi, 4);
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
	put(&t, 0x0604, 2); /* type 4, 6 bytes: local APIC NMI */
	put(&t, 0x010000ff, 4);
	put(&t, 0x0c05, 2); /* type 5, 12 bytes: local APIC address */
	put(&t, 0, 2);
	put(&t, 0x1fee00000UL, 8);
	add_table();
	init();
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
	put(&t, 0x0700, 2); /* a local APIC of 7 bytes */
	put(&t, 0, 5);
	put(&t, 0x0b01, 2); /* an I/O APIC of 11 */
	put(&t, 0, 9);
	put(&t, 0x0409, 2);
	put(&t, 0, 2);
	put(&t, 0x0b05, 2);
	put(&t, 0, 9);
	madt_lapic(3, 9, 1);
	put(&t, 0x0100, 2); /* shorter than type and length: no telling what follows */
	madt_lapic(4, 10, 1);
	add_table();
	init();
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
	put(&t, 0xff00, 2);
	add_table();
	init();
	assert_int_equal(bi.nr_cpus, 1);
	assert_log("ACPI: MADT: entry at 52 of 54 has bad length 255: rest ignored");

	setup(state);
	madt_start();
	madt_lapic(1, 0, 1);
	put(&t, 0, 1); /* a type and nothing more */
	add_table();
	init();
	assert_int_equal(bi.nr_cpus, 1);
	assert_log("ACPI: MADT: entry at 52 of 53 has bad length 0: rest ignored");
}

static void madt_too_short_or_without_cpus(void **state)
{
	(void)state;
	table_start(&t, "APIC", 3);
	put(&t, 0xfee00000, 4);
	add_table();
	init();
	assert_true(paddr_eq(x86_acpi.lapic, INVALID_PADDR));
	assert_log("ACPI: MADT of 40 bytes is too short: ignored");

	setup(state);
	madt_start();
	madt_lapic(1, 0, 0);
	add_table();
	init();
	assert_int_equal(bi.nr_cpus, 0);
	assert_log("ACPI: MADT names no CPU that is enabled");
}

static void madt_too_many(void **state)
{
	static u8 memory[44 + 16 * (BOOT_MAX_CPUS + 3)];
	u32 length = sizeof(memory);
	unsigned int i;

	(void)state;
	madt_start();
	memcpy(memory, t.bytes, 44);
	memcpy(memory + 4, &length, 4);
	for (i = 0; i < BOOT_MAX_CPUS + 3; i++) {
		t.size = 0;
		madt_x2apic(1000 + i, 1, i);
		memcpy(memory + 44 + 16 * i, t.bytes, 16);
	}
	fix_sum(memory, sizeof(memory), 9);
	fake_memory_add(TABLES_AT, memory, sizeof(memory));
	put(&xsdt, TABLES_AT, 8);
	init();
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
	init();
	assert_int_equal(x86_acpi.nr_ioapics, ACPI_MAX_IOAPICS);
	assert_log("ACPI: MADT: more than 16 IO-APICs: 16 ignored");
}

/* ---- SRAT and SLIT ---- */

static void some_cpus(void)
{
	madt_start();
	madt_lapic(0, 0, 1);
	madt_lapic(1, 1, 1);
	madt_lapic(2, 2, 1);
	madt_x2apic(300, 1, 3);
	add_table();
}

static void srat_start(u8 revision)
{
	table_start(&t, "SRAT", revision);
	put(&t, 1, 4);
	put(&t, 0, 8);
}

static void srat_cpu(u32 proximity, u8 apic_id, u32 flags)
{
	put(&t, 0x1000, 2);
	put(&t, proximity, 1);
	put(&t, apic_id, 1);
	put(&t, flags, 4);
	put(&t, 0, 1);
	put(&t, proximity >> 8, 3);
	put(&t, 0, 4);
}

static void srat_x2apic(u32 proximity, u32 apic_id, u32 flags)
{
	put(&t, 0x1802, 2);
	put(&t, 0, 2);
	put(&t, proximity, 4);
	put(&t, apic_id, 4);
	put(&t, flags, 4);
	put(&t, 0, 8);
}

static void srat_memory(u32 proximity, u64 start, u64 length, u32 flags)
{
	put(&t, 0x2801, 2);
	put(&t, proximity, 4);
	put(&t, 0, 2);
	put(&t, start, 8);
	put(&t, length, 8);
	put(&t, 0, 4);
	put(&t, flags, 4);
	put(&t, 0, 8);
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
	put(&t, 0x1403, 2); /* GICC affinity: another architecture's */
	put(&t, 0, 18);
	add_table();
	some_cpus();
	init();
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
	init();
	assert_int_equal(bi.cpus[1].proximity, 1);
	assert_int_equal(bi.node_ranges[0].proximity, 2);
}

static void srat_flaws(void **state)
{
	(void)state;
	some_cpus();
	srat_start(3);
	srat_memory(4, ~0UL - 0xfff, 0x2000, 1);
	put(&t, 0x2701, 2);
	put(&t, 0, 0x25);
	put(&t, 0x0f00, 2);
	put(&t, 0, 0x0d);
	put(&t, 0x1702, 2);
	put(&t, 0, 0x15);
	srat_memory(1, 0, 0x1000, 1);
	put(&t, 0x0001, 2); /* length 0: would never end */
	add_table();
	init();
	assert_int_equal(bi.nr_node_ranges, 1);
	assert_log("ACPI: SRAT: memory at 0xfffffffffffff000 of node 4, 0x2000 bytes long, wraps: "
		   "ignored");
	assert_log("ACPI: SRAT: entry of type 1 has 39 bytes instead of 40: ignored");
	assert_log("ACPI: SRAT: entry of type 0 has 15 bytes instead of 16: ignored");
	assert_log("ACPI: SRAT: entry of type 2 has 23 bytes instead of 24: ignored");
	assert_log("ACPI: SRAT: entry at 205 of 207 has bad length 0: rest ignored");
	assert_log_lines(6);

	setup(state);
	some_cpus();
	table_start(&t, "SRAT", 3);
	put(&t, 0, 11);
	add_table();
	init();
	assert_log("ACPI: SRAT of 47 bytes is too short: ignored");
}

static void srat_with_too_many_ranges(void **state)
{
	static u8 memory[48 + 40 * (BOOT_MAX_NODE_RANGES + 2)];
	u32 length = sizeof(memory);
	unsigned int i;

	(void)state;
	some_cpus();
	srat_start(3);
	memcpy(memory, t.bytes, 48);
	memcpy(memory + 4, &length, 4);
	for (i = 0; i < BOOT_MAX_NODE_RANGES + 2; i++) {
		t.size = 0;
		srat_memory(0, (u64)i << 30, 1UL << 29, 1);
		memcpy(memory + 48 + 40 * i, t.bytes, 40);
	}
	fix_sum(memory, sizeof(memory), 9);
	fake_memory_add(TABLES_AT, memory, sizeof(memory));
	put(&xsdt, TABLES_AT, 8);
	init();
	assert_int_equal(bi.nr_node_ranges, BOOT_MAX_NODE_RANGES);
	assert_log("ACPI: SRAT: 2 memory ranges more than the 256 that fit: ignored");
	assert_log_lines(2);
}

static void slit(u64 localities, size_t bytes)
{
	some_cpus();
	table_start(&t, "SLIT", 1);
	put(&t, localities, 8);
	for (size_t i = 0; i < bytes; i++)
		put(&t, 10 + i, 1);
	add_table();
	init();
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
		setup(state);
		slit(flaws[i].localities, flaws[i].bytes);
		assert_int_equal(bi.nr_slit, 0);
		assert_log(flaws[i].says);
	}
}

/* ---- FADT, DSDT, HPET ---- */

static void set(size_t at, u64 value, size_t len)
{
	memcpy(t.bytes + at, &value, len);
}

/* Of SIZE bytes, with the registers of a PC's chipset in their old form. */
static void fadt_start(size_t size)
{
	some_cpus();
	table_start(&t, "FACP", 6);
	t.size = size;
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
	init();
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
	init();
	assert_int_equal(x86_acpi.pm_timer_port, 0x608);
	assert_false(x86_acpi.pm_timer_32bit);
	assert_false(x86_acpi.reset_known);
	assert_true(x86_acpi.s5_known);
	assert_int_equal(x86_acpi.slp_typ_a, 7);
	assert_int_equal(x86_acpi.slp_typ_b, 1);
	assert_log_lines(1);

	setup(state);
	fadt_start(128); /* the reset register is in, the value to write is not */
	set(112, 1U << 10, 4);
	set_register(116, ACPI_SPACE_IO, 0xcf9);
	add_table();
	init();
	assert_false(x86_acpi.reset_known);

	setup(state);
	fadt_start(115);
	add_table();
	init();
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
	init();
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
	init();
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
	init();
	assert_int_equal(x86_acpi.pm_timer_port, 0);
	assert_int_equal(x86_acpi.pm1a_control, 0);

	setup(state);
	fadt_start(268);
	set_register(172, ACPI_SPACE_MEMORY, 0x604); /* looks like a port */
	set_register(208, ACPI_SPACE_PCI, 0x608);
	add_table();
	init();
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
		setup(state);
		fadt_start(244);
		add_table();
		place_dsdt(bad[i].aml, bad[i].len);
		init();
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
	init();
	assert_false(x86_acpi.s5_known);
	assert_log("ACPI: DSDT at 0x7ff0000 is out of reach: ignored");
}

static void hpet_address(void **state)
{
	(void)state;
	some_cpus();
	table_start(&t, "HPET", 1);
	t.size = 56;
	set_register(40, ACPI_SPACE_MEMORY, 0xfed00000);
	add_table();
	init();
	assert_int_equal(paddr_x(x86_acpi.hpet), 0xfed00000);

	setup(state);
	some_cpus();
	table_start(&t, "HPET", 1);
	t.size = 56;
	set_register(40, ACPI_SPACE_IO, 0xfed0);
	add_table();
	init();
	assert_true(paddr_eq(x86_acpi.hpet, INVALID_PADDR));
	assert_log("ACPI: HPET table names no address in memory: ignored");

	setup(state);
	some_cpus();
	table_start(&t, "HPET", 1);
	t.size = 51;
	set_register(40, ACPI_SPACE_MEMORY, 0xfed00000);
	add_table();
	init();
	assert_true(paddr_eq(x86_acpi.hpet, INVALID_PADDR));
}

/* Any table cut anywhere, its header made to match: nothing is read beyond the end (the sanitizer watches). */
static void cut_at_every_byte(void **state)
{
	static const char names[][5] = { "APIC", "SRAT", "SLIT", "FACP", "HPET" };

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		for (size_t size = 36; size < 300; size++) {
			setup(state);
			table_start(&t, names[i], 3);
			memset(t.bytes + 36, (int)(size % 3 ? 1 : 8), size - 36);
			t.size = size;
			add_table();
			some_cpus();
			init();
			assert_true(x86_acpi.present);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(madt_says_who_is_there, setup, teardown),
		cmocka_unit_test_setup_teardown(madt_flaws, setup, teardown),
		cmocka_unit_test_setup_teardown(madt_entry_beyond_the_end, setup, teardown),
		cmocka_unit_test_setup_teardown(madt_too_short_or_without_cpus, setup, teardown),
		cmocka_unit_test_setup_teardown(madt_too_many, setup, teardown),
		cmocka_unit_test_setup_teardown(too_many_ioapics, setup, teardown),
		cmocka_unit_test_setup_teardown(srat_says_where, setup, teardown),
		cmocka_unit_test_setup_teardown(srat_of_revision_1_has_8_bits, setup, teardown),
		cmocka_unit_test_setup_teardown(srat_flaws, setup, teardown),
		cmocka_unit_test_setup_teardown(srat_with_too_many_ranges, setup, teardown),
		cmocka_unit_test_setup_teardown(slit_is_taken_or_left, setup, teardown),
		cmocka_unit_test_setup_teardown(fadt_of_a_pc, setup, teardown),
		cmocka_unit_test_setup_teardown(fadt_of_acpi_1, setup, teardown),
		cmocka_unit_test_setup_teardown(fadt_extended_registers_win, setup, teardown),
		cmocka_unit_test_setup_teardown(fadt_hardware_reduced, setup, teardown),
		cmocka_unit_test_setup_teardown(ports_that_are_none, setup, teardown),
		cmocka_unit_test_setup_teardown(s5_that_is_none, setup, teardown),
		cmocka_unit_test_setup_teardown(dsdt_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(hpet_address, setup, teardown),
		cmocka_unit_test_setup_teardown(cut_at_every_byte, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
