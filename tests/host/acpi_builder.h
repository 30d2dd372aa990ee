/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds ACPI tables with correct lengths and checksums in the fake memory, for tests to use or to spoil. */
#ifndef ACPI_BUILDER_H
#define ACPI_BUILDER_H

#include "fake_memory.h"
#include <string.h>

struct table {
	u8 bytes[8192];
	size_t size;
};

/* Appends LEN bytes; the low ones of VALUE, little-endian. */
static inline void put(struct table *t, u64 value, size_t len)
{
	while (len--) {
		t->bytes[t->size++] = (u8)value;
		value >>= 8;
	}
}

static inline void table_start(struct table *t, const char *name, u8 revision)
{
	memset(t, 0, sizeof(*t));
	memcpy(t->bytes, name, 4);
	t->bytes[8] = revision;
	memcpy(t->bytes + 10, "TINE  TINETEST", 14);
	t->size = 36;
}

/* Makes the bytes [0, len) sum up to 0 by the one at AT. */
static inline void fix_sum(u8 *bytes, size_t len, size_t at)
{
	u8 sum = 0;

	bytes[at] = 0;
	for (size_t i = 0; i < len; i++)
		sum = (u8)(sum + bytes[i]);
	bytes[at] = (u8)-sum;
}

static inline void table_finish(struct table *t)
{
	u32 size = (u32)t->size;

	memcpy(t->bytes + 4, &size, 4);
	fix_sum(t->bytes, t->size, 9);
}

/* Finishes T and puts it at PA. */
static inline u8 *table_place(struct table *t, u64 pa)
{
	table_finish(t);
	return fake_memory_add(pa, t->bytes, t->size);
}

static inline void make_rsdp(u8 rsdp[36], u8 revision, u32 rsdt, u64 xsdt)
{
	u32 length = 36;

	memset(rsdp, 0, 36);
	memcpy(rsdp, "RSD PTR ", 8);
	memcpy(rsdp + 9, "TINE  ", 6);
	rsdp[15] = revision;
	memcpy(rsdp + 16, &rsdt, 4);
	memcpy(rsdp + 20, &length, 4);
	memcpy(rsdp + 24, &xsdt, 8);
	fix_sum(rsdp, 20, 8);
	fix_sum(rsdp, 36, 32);
}

#endif
