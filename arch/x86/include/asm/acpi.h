/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What x86 code needs of the ACPI tables beyond boot_info: where the interrupt controllers and clocks are, and how the
 * machine is reset and switched off. Filled once at start of day, read-only afterwards.
 */
#ifndef ASM_ACPI_H
#define ASM_ACPI_H

#include <tine/boot_info.h>
#include <tine/types.h>

#define ACPI_MAX_IOAPICS 16

enum acpi_space { ACPI_SPACE_MEMORY = 0, ACPI_SPACE_IO = 1, ACPI_SPACE_PCI = 2 };

/* A register as ACPI's Generic Address Structure names it. */
struct acpi_register {
	u8 space; /* enum acpi_space; other values exist */
	u8 width; /* in bits */
	u64 address;
};

struct acpi_ioapic {
	u8 id;
	u32 gsi_base;
	paddr_t address;
};

struct x86_acpi_info {
	bool present; /* an RSDP and its root table were good */

	paddr_t lapic; /* INVALID_PADDR: no MADT */
	unsigned int nr_ioapics;
	struct acpi_ioapic ioapics[ACPI_MAX_IOAPICS];

	paddr_t hpet;        /* INVALID_PADDR: none */
	u16 pm_timer_port;   /* 3.579545 MHz; 0: none */
	bool pm_timer_32bit; /* else 24 bits */

	/* Soft-off (ACPI 4.8.3.2): write (slp_typ << 10) | 1 << 13 to each control port that is not 0. */
	bool s5_known; /* a \_S5 package was found in the DSDT */
	u16 pm1a_control, pm1b_control;
	u8 slp_typ_a, slp_typ_b;
	u16 smi_command; /* when not 0 and ACPI mode is off, writing acpi_enable here turns it on first */
	u8 acpi_enable;

	bool reset_known; /* write reset_value to reset */
	struct acpi_register reset;
	u8 reset_value;
};

extern struct x86_acpi_info x86_acpi;

/*
 * Finds the tables (BI's RSDP copy or address, else the BIOS area), checks each before use and fills x86_acpi and BI's
 * CPUs, node ranges and SLIT. What is bad is reported in one line and left out; with no good table BI stays empty.
 */
void x86_acpi_init(struct boot_info *bi);

#endif
