/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For tests of single ACPI tables: an RSDP and an XSDT that are right, and the tables that a test adds. Each gets a correct header and is read through
 * x86_acpi_init(); what is spoilt is inside.
 */
#ifndef HOST_ACPI_H
#define HOST_ACPI_H

#include "acpi_builder.h"
#include <tine/boot_info.h>

extern struct boot_info bi; /* what was read */
extern struct table table;  /* the one under construction */

/* Before each test: no tables, nothing said. After it: no memory. */
int acpi_setup(void **state);
int acpi_teardown(void **state);

/* The table as it is now becomes one that the XSDT names. */
void add_table(void);
/* The same for SIZE bytes that may be more than a struct table holds; the header lacks only length and sum. */
void add_large_table(u8 *bytes, u32 size);
/* All added tables are found. */
void read_tables(void);

/* A MADT, and what it has of CPUs. */
void madt_start(void);
void madt_lapic(u8 uid, u8 apic_id, u32 flags);
void madt_x2apic(u32 apic_id, u32 flags, u32 uid);

/* Adds a MADT with the local APICs 0, 1, 2 and 300, for tests of other tables. */
void some_cpus(void);

#endif
