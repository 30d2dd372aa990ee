// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the root table to checked tables. Each table is mapped whole, its length and checksum verified, before anything
 * in it is believed (ACPI 5.2.6). The first good table of a name counts. Owns x86_acpi; start of day only.
 */
#include "internal.h"
#include <asm/boot.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define TABLE_LONGEST MiB(16) /* a longer one is a length gone wrong */

struct x86_acpi_info x86_acpi;

static const u8 nothing;

#define EVEN_BYTES 0x00ff00ff00ff00ffUL
#define WORDS_A_FOLD 64 /* 16-bit lanes hold the sums of two bytes of each of these */

/* Eight bytes at a time: tables are large enough to show in the time from entry to heap. */
static u64 sum_words(const u8 *data, size_t words)
{
	u64 lanes = 0, word;

	for (size_t i = 0; i < words; i++) {
		__builtin_memcpy(&word, data + 8 * i, 8);
		lanes += (word & EVEN_BYTES) + (word >> 8 & EVEN_BYTES);
	}
	return (lanes + (lanes >> 16) + (lanes >> 32) + (lanes >> 48)) & 0xff;
}

bool acpi_sum_is_zero(struct span s)
{
	size_t at, words;
	u64 sum = 0;

	for (at = 0; s.size - at >= 8; at += 8 * words) {
		words = min((s.size - at) / 8, (size_t)WORDS_A_FOLD);
		sum += sum_words(s.data + at, words);
	}
	for (; at < s.size; at++)
		sum += s.data[at];
	return (sum & 0xff) == 0;
}

bool acpi_table_name(paddr_t pa, char name[5])
{
	const char *p = x86_boot_map(pa, ACPI_HEADER_SIZE);
	unsigned int i;

	if (!p)
		return false;
	for (i = 0; i < 4; i++)
		name[i] = p[i] > ' ' && p[i] <= '~' ? p[i] : '?'; /* goes to the log */
	name[4] = '\0';
	return true;
}

struct span acpi_map_table(paddr_t pa, const char *name)
{
	struct span table = span_of(&nothing, 0);
	const void *p = x86_boot_map(pa, ACPI_HEADER_SIZE);
	u32 length;

	if (!p) {
		pr_warn("ACPI: %s at %#lx is out of reach: ignored", name, paddr_x(pa));
		return table;
	}
	if (memcmp(p, name, 4) != 0) {
		pr_warn("ACPI: no %s at %#lx, where one should be: ignored", name, paddr_x(pa));
		return table;
	}

	length = span_u32(span_of(p, ACPI_HEADER_SIZE), 4);
	p = length >= ACPI_HEADER_SIZE && length <= TABLE_LONGEST ? x86_boot_map(pa, length) : NULL;
	if (!p) {
		pr_warn("ACPI: %s at %#lx has bad length %u: ignored", name, paddr_x(pa), length);
		return table;
	}
	if (!acpi_sum_is_zero(span_of(p, length))) {
		pr_warn("ACPI: %s at %#lx fails its checksum: ignored", name, paddr_x(pa));
		return table;
	}
	return span_of(p, length);
}

bool acpi_next_entry(struct span table, const char *name, size_t *offset, struct span *entry)
{
	u8 length = span_u8(table, *offset + 1);

	if (*offset >= table.size)
		return false;
	if (length < 2 || !span_has(table, *offset, length)) {
		pr_warn("ACPI: %s: entry at %lu of %lu has bad length %u: rest ignored", name,
			*offset, table.size, length);
		return false;
	}
	*entry = span_sub(table, *offset, length);
	*offset += length;
	return true;
}

bool acpi_entry_has(struct span entry, const char *name, size_t size)
{
	if (entry.size >= size)
		return true;
	pr_warn("ACPI: %s: entry of type %u has %lu bytes instead of %lu: ignored", name,
		span_u8(entry, 0), entry.size, size);
	return false;
}

struct acpi_register acpi_read_register(struct span table, size_t offset)
{
	return (struct acpi_register){
		.space = span_u8(table, offset),
		.width = span_u8(table, offset + 1),
		.address = span_u64(table, offset + 4),
	};
}

/* Tables we read, in the order in which they are read: SRAT's processors are those that the MADT named. */
enum { MADT, SRAT, SLIT, FADT, HPET, TABLES };
static const char table_names[TABLES][5] = { "APIC", "SRAT", "SLIT", "FACP", "HPET" };

/* Keeps in FOUND the table at PA if it is one of ours, the first of its name, and good. */
static void collect(paddr_t pa, struct span found[TABLES])
{
	char name[5];
	unsigned int i;

	if (paddr_x(pa) == 0 || !acpi_table_name(pa, name)) {
		pr_warn("ACPI: table at %#lx is out of reach: ignored", paddr_x(pa));
		return;
	}
	for (i = 0; i < TABLES; i++) {
		if (memcmp(name, table_names[i], 4) != 0)
			continue;
		if (found[i].size)
			pr_warn("ACPI: second %s at %#lx: ignored", name, paddr_x(pa));
		else
			found[i] = acpi_map_table(pa, name);
		return;
	}
}

/* ROOT is the XSDT or the RSDT, which differ in how wide an entry is (5.2.7, 5.2.8). */
static void collect_all(struct span root, size_t width, struct span found[TABLES])
{
	size_t at;

	for (at = ACPI_HEADER_SIZE; span_has(root, at, width); at += width)
		collect(_paddr(span_le(root, at, width)), found);
	if (at != root.size)
		pr_warn("ACPI: root table of %lu bytes ends within an entry", root.size);
}

static bool collect_from_root(const struct acpi_root *root, struct span found[TABLES])
{
	struct span table;

	if (!paddr_eq(root->xsdt, INVALID_PADDR)) {
		table = acpi_map_table(root->xsdt, "XSDT");
		if (table.size) {
			collect_all(table, 8, found);
			return true;
		}
	}
	if (!paddr_eq(root->rsdt, INVALID_PADDR)) {
		table = acpi_map_table(root->rsdt, "RSDT");
		if (table.size) {
			collect_all(table, 4, found);
			return true;
		}
	}
	pr_warn("ACPI: no good root table: no ACPI");
	return false;
}

static void parse_found(const struct span found[TABLES], struct boot_info *bi,
			struct x86_acpi_info *info)
{
	if (found[MADT].size)
		acpi_parse_madt(found[MADT], bi, info);
	else
		pr_warn("ACPI: no MADT: only the boot CPU is known");
	if (found[SRAT].size)
		acpi_parse_srat(found[SRAT], bi);
	if (found[SLIT].size)
		acpi_parse_slit(found[SLIT], bi);
	if (found[FADT].size)
		acpi_parse_fadt(found[FADT], info);
	if (found[HPET].size)
		acpi_parse_hpet(found[HPET], info);
}

void x86_acpi_init(struct boot_info *bi)
{
	struct x86_acpi_info *info = &x86_acpi;
	struct span found[TABLES];
	struct acpi_root root;
	unsigned int i;

	*info = (struct x86_acpi_info){ .lapic = INVALID_PADDR, .hpet = INVALID_PADDR };
	bi->nr_cpus = bi->nr_node_ranges = bi->nr_slit = 0;
	for (i = 0; i < TABLES; i++)
		found[i] = span_of(&nothing, 0);

	if (!acpi_find_root(bi, &root)) {
		pr_warn("ACPI: no RSDP found: no ACPI");
		return;
	}
	if (!collect_from_root(&root, found))
		return;
	info->present = true;
	parse_found(found, bi, info);
	pr_info("ACPI: %u CPUs, %u IO-APICs, %u node ranges, SLIT of %u", bi->nr_cpus,
		info->nr_ioapics, bi->nr_node_ranges, bi->nr_slit);
}
