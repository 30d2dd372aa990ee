/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of arch/x86/acpi/ share with one another only. Section numbers are of the ACPI Specification 6.5.
 * A table is a span of its whole length, header included, once acpi_map_table() has found it good.
 */
#ifndef ACPI_INTERNAL_H
#define ACPI_INTERNAL_H

#include <asm/acpi.h>
#include <tine/span.h>

#define ACPI_HEADER_SIZE                                                                           \
	36 /* 5.2.6: signature, length, revision, checksum, OEM and creator fields */

/* acpi_root.c: where the root table is. */
struct acpi_root {
	paddr_t rsdt, xsdt; /* INVALID_PADDR: not there */
};
bool acpi_find_root(const struct boot_info *bi, struct acpi_root *root);

/* acpi_table.c: do all bytes sum up to 0, modulo 256? */
bool acpi_sum_is_zero(struct span s);

/* acpi_table.c: the 4 letters of the table at PA into NAME, or false when out of reach. */
bool acpi_table_name(paddr_t pa, char name[5]);

/* acpi_table.c: the table NAME at PA, or, after a line that says what is wrong with it, a span of size 0. */
struct span acpi_map_table(paddr_t pa, const char *name);

/*
 * acpi_table.c: the entry at *OFFSET of a table of type-length entries, and *OFFSET moved behind it. False at the end
 * of TABLE, and, after a line, when the entry's length cannot be.
 */
bool acpi_next_entry(struct span table, const char *name, size_t *offset, struct span *entry);

/* acpi_table.c: is ENTRY as long as its type asks? If not, a line says so. */
bool acpi_entry_has(struct span entry, const char *name, size_t size);

/* acpi_table.c: a Generic Address Structure (5.2.3.2) at OFFSET; all zero when it is not inside TABLE. */
struct acpi_register acpi_read_register(struct span table, size_t offset);

/* One parser a table; each fills what it knows and reports what it leaves out. */
void acpi_parse_madt(struct span madt, struct boot_info *bi, struct x86_acpi_info *info);
void acpi_parse_srat(struct span srat, struct boot_info *bi);
void acpi_parse_slit(struct span slit, struct boot_info *bi);
void acpi_parse_fadt(struct span fadt, struct x86_acpi_info *info);
void acpi_parse_hpet(struct span hpet, struct x86_acpi_info *info);

#endif
