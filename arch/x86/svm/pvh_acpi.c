// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ACPI tables of a PVH guest (ACPI specification 6.0): root pointer, XSDT, FADT, MADT and a DSDT that knows one thing, how to go to
 * sleep state S5. Reduced hardware: no PM timer, no PM registers but reset and sleep, which svm_io.c answers; no legacy devices. All of it fits a page.
 */
#include "internal.h"
#include <tine/lib.h>
#include <tine/string.h>

#define RSDP_AT 0x000
#define XSDT_AT 0x040
#define FADT_AT 0x080
#define DSDT_AT 0x1c0
#define MADT_AT 0x200

#define HEADER_SIZE 36
#define RSDP_SIZE 36
#define FADT_SIZE 268
#define MADT_LAPIC_SIZE 8

#define BOOT_ARCH_NO_VGA BIT(2)
#define BOOT_ARCH_NO_RTC BIT(5)
#define FADT_WBINVD BIT(0)
#define FADT_RESET_REG BIT(10)
#define FADT_HW_REDUCED BIT(20)
#define SPACE_IO 1
#define LAPIC_ADDRESS 0xfee00000U

_Static_assert(MADT_AT + HEADER_SIZE + 8 + MAX_VCPUS * MADT_LAPIC_SIZE <= PAGE_SIZE, "one page");

static void put(u8 *at, u64 value, unsigned int bytes)
{
	memcpy(at, &value, bytes);
}

static void fix_sum(u8 *table, unsigned int size, unsigned int sum_at)
{
	u8 sum = 0;

	table[sum_at] = 0;
	for (unsigned int i = 0; i < size; i++)
		sum += table[i];
	table[sum_at] = (u8)-sum;
}

static void finish(u8 *table, const char *signature, u8 revision, u32 size)
{
	memcpy(table, signature, 4);
	put(table + 4, size, 4);
	table[8] = revision;
	memcpy(table + 10, "TINE  ", 6);
	memcpy(table + 16, "TINEPVH ", 8);
	put(table + 24, 1, 4);
	memcpy(table + 28, "TINE", 4);
	put(table + 32, 1, 4);
	fix_sum(table, size, 9);
}

/* Generic address structure: one byte wide, a port. */
static void put_port(u8 *at, u16 port)
{
	at[0] = SPACE_IO;
	at[1] = 8;
	at[3] = 1;
	put(at + 4, port, 8);
}

static void write_fadt(u8 *t, u64 dsdt)
{
	put(t + 40, dsdt, 4);
	put(t + 109, BOOT_ARCH_NO_VGA | BOOT_ARCH_NO_RTC, 2);
	put(t + 112, FADT_WBINVD | FADT_RESET_REG | FADT_HW_REDUCED, 4);
	put_port(t + 116, PVH_RESET_PORT);
	t[128] = PVH_RESET_VALUE;
	t[131] = 1; /* minor version */
	put(t + 140, dsdt, 8);
	put_port(t + 244, PVH_SLEEP_PORT);
	put_port(t + 256, PVH_SLEEP_PORT + 1);
	finish(t, "FACP", 5, FADT_SIZE);
}

/* Name (_S5, Package (4) { 5, 0, 0, 0 }) in AML. */
static void write_dsdt(u8 *t)
{
	static const u8 s5[] = { 0x08, '_', 'S', '5', '_', 0x12, 0x07, 0x04, 0x0a, 0x05, 0, 0, 0 };

	memcpy(t + HEADER_SIZE, s5, sizeof(s5));
	finish(t, "DSDT", 2, HEADER_SIZE + sizeof(s5));
}

static void write_madt(u8 *t, unsigned int nr_vcpus)
{
	u8 *at = t + HEADER_SIZE + 8;

	put(t + HEADER_SIZE, LAPIC_ADDRESS, 4);
	for (unsigned int i = 0; i < nr_vcpus; i++, at += MADT_LAPIC_SIZE) {
		at[1] = MADT_LAPIC_SIZE;
		at[2] = (u8)i;
		at[3] = (u8)(i * 2); /* svm_lapic_id() */
		put(at + 4, 1, 4);   /* enabled */
	}
	finish(t, "APIC", 3, (u32)(at - t));
}

u64 pvh_acpi_write(void *page, u64 at, unsigned int nr_vcpus)
{
	u8 *p = page;

	memset(p, 0, PAGE_SIZE);
	write_dsdt(p + DSDT_AT);
	write_fadt(p + FADT_AT, at + DSDT_AT);
	write_madt(p + MADT_AT, nr_vcpus);
	put(p + XSDT_AT + HEADER_SIZE, at + FADT_AT, 8);
	put(p + XSDT_AT + HEADER_SIZE + 8, at + MADT_AT, 8);
	finish(p + XSDT_AT, "XSDT", 1, HEADER_SIZE + 16);

	memcpy(p, "RSD PTR ", 8);
	memcpy(p + 9, "TINE  ", 6);
	p[15] = 2;
	put(p + 20, RSDP_SIZE, 4);
	put(p + 24, at + XSDT_AT, 8);
	fix_sum(p, 20, 8);
	fix_sum(p, RSDP_SIZE, 32);
	return at + RSDP_AT;
}
