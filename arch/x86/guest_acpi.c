// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ACPI tables of a guest (ACPI specification 6.0): root pointer, XSDT, FADT, FACS, MADT and a DSDT that knows one thing, how to go to
 * sleep state S5; in one page. The machine that they tell of has processors, no PM timer, no legacy devices, and of the PM registers
 * only what the caller wants. A kernel takes from them which local APIC is whose, and that there is nothing else to look for.
 *
 * Nothing here is kept: the caller owns the page and what the guest may do with it.
 */
#include <asm/guest_acpi.h>
#include <tine/domain.h>
#include <tine/lib.h>
#include <tine/string.h>

#define RSDP_AT 0x000
#define XSDT_AT 0x040
#define FADT_AT 0x080
#define DSDT_AT 0x1c0
#define MADT_AT 0x200
#define FACS_AT 0x380 /* at a multiple of 64 */

#define HEADER_SIZE 36
#define RSDP_SIZE 36
#define FADT_SIZE 268
#define MADT_LAPIC_SIZE 8
#define MADT_IOAPIC 1
#define MADT_IOAPIC_SIZE 12
#define FACS_SIZE 64

#define BOOT_ARCH_NO_VGA BIT(2)
#define BOOT_ARCH_NO_RTC BIT(5)
#define FADT_WBINVD BIT(0)
#define FADT_NO_BUTTONS (BIT(4) | BIT(5)) /* as PM1 events */
#define FADT_NO_RTC_WAKE BIT(6)
#define FADT_RESET_REG BIT(10)
#define FADT_HW_REDUCED BIT(20)
#define SPACE_IO 1
#define PM1_EVENT_SIZE 4
#define PM1_CONTROL_SIZE 2
#define LAPIC_ADDRESS 0xfee00000U

_Static_assert(MADT_AT + HEADER_SIZE + 8 + MAX_VCPUS * MADT_LAPIC_SIZE + MADT_IOAPIC_SIZE <=
		       FACS_AT,
	       "they fit");

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
	memcpy(table + 16, "TINEVM  ", 8);
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

static void write_pm1(u8 *t, const struct guest_acpi *guest, u64 facs)
{
	put(t + 36, facs, 4);
	put(t + 46, guest->sci, 2);
	put(t + 56, guest->pm1_port, 4);
	put(t + 64, guest->pm1_port + PM1_EVENT_SIZE, 4);
	t[88] = PM1_EVENT_SIZE;
	t[89] = PM1_CONTROL_SIZE;
}

static void write_fadt(u8 *t, const struct guest_acpi *guest, u64 dsdt, u64 facs)
{
	u64 flags = FADT_WBINVD | (guest->reset_port ? FADT_RESET_REG : 0) |
		    (guest->pm1_port ? FADT_NO_BUTTONS | FADT_NO_RTC_WAKE : FADT_HW_REDUCED);

	if (guest->pm1_port)
		write_pm1(t, guest, facs);
	put(t + 40, dsdt, 4);
	put(t + 109, BOOT_ARCH_NO_VGA | BOOT_ARCH_NO_RTC, 2);
	put(t + 112, flags, 4);
	if (guest->reset_port) {
		put_port(t + 116, guest->reset_port);
		t[128] = guest->reset_value;
	}
	t[131] = 1; /* minor version */
	put(t + 140, dsdt, 8);
	if (guest->sleep_port) {
		put_port(t + 244, guest->sleep_port);
		put_port(t + 256, guest->sleep_port + 1);
	}
	finish(t, "FACP", 5, FADT_SIZE);
}

/* Name (_S5, Package (4) { 5, 0, 0, 0 }) in AML. */
static void write_dsdt(u8 *t)
{
	static const u8 s5[] = { 0x08, '_', 'S', '5', '_', 0x12, 0x07, 0x04, 0x0a, 0x05, 0, 0, 0 };

	memcpy(t + HEADER_SIZE, s5, sizeof(s5));
	finish(t, "DSDT", 2, HEADER_SIZE + sizeof(s5));
}

/* Firmware's half of it is all zero: no wake-up address, no global lock. */
static void write_facs(u8 *t)
{
	memcpy(t, "FACS", 4);
	put(t + 4, FACS_SIZE, 4);
	t[32] = 1; /* version */
}

static void write_madt(u8 *t, const struct guest_acpi *guest)
{
	u8 *at = t + HEADER_SIZE + 8;

	put(t + HEADER_SIZE, LAPIC_ADDRESS, 4);
	for (unsigned int i = 0; i < guest->nr_vcpus; i++, at += MADT_LAPIC_SIZE) {
		at[1] = MADT_LAPIC_SIZE;
		at[2] = (u8)i;
		at[3] = (u8)(i * guest->apic_id_step);
		put(at + 4, 1, 4); /* enabled */
	}
	if (guest->ioapic) {
		at[0] = MADT_IOAPIC;
		at[1] = MADT_IOAPIC_SIZE;
		put(at + 4, guest->ioapic, 4);
		at += MADT_IOAPIC_SIZE;
	}
	finish(t, "APIC", 3, (u32)(at - t));
}

u64 guest_acpi_write(const struct guest_acpi *guest, void *page, u64 at)
{
	u8 *p = page;

	memset(p, 0, PAGE_SIZE);
	write_dsdt(p + DSDT_AT);
	write_fadt(p + FADT_AT, guest, at + DSDT_AT, at + FACS_AT);
	write_facs(p + FACS_AT);
	write_madt(p + MADT_AT, guest);
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
