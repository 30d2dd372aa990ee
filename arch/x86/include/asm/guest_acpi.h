/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ACPI tables that a guest finds, whatever its kind: arch/x86/guest_acpi.c. */
#ifndef ASM_GUEST_ACPI_H
#define ASM_GUEST_ACPI_H

#include <tine/types.h>

/* What differs from guest to guest. A port of 0 is none. */
struct guest_acpi {
	unsigned int nr_vcpus;
	unsigned int apic_id_step; /* between the local APICs' ids, which begin at 0 */
	u16 reset_port;
	u8 reset_value;
	u16 sleep_port; /* control; status is the next one */
	/*
	 * Or, in place of these two ports, hardware that is not "reduced": PM1 registers, event block
	 * first. Linux as a PV guest loses its timer on reduced hardware.
	 */
	u16 pm1_port;
	u8 sci;     /* the line for it */
	u32 ioapic; /* address; it has id 0 and lines from 0 on */
};

/* Writes the tables to PAGE, which the guest sees at physical address AT; returns the root pointer's, which is AT. */
u64 guest_acpi_write(const struct guest_acpi *guest, void *page, u64 at);

#endif
