/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Device trees written node by node, for tests; and recorded ones. */
#ifndef DT_BUILDER_H
#define DT_BUILDER_H

#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <tine/types.h>

#define DT_MAX 65536

struct dt_builder {
	char bytes[DT_MAX] __attribute__((aligned(8)));
};

static inline void dt_ok(int rc)
{
	if (rc < 0) {
		fprintf(stderr, "the test's own tree: %s\n", fdt_strerror(rc));
		abort();
	}
}

/* An open root of two and two cells, behind one reserved range unless RESERVED is 0. */
static inline void dt_start(struct dt_builder *b, u64 reserved)
{
	dt_ok(fdt_create(b->bytes, DT_MAX));
	if (reserved)
		dt_ok(fdt_add_reservemap_entry(b->bytes, reserved, 0x1000));
	dt_ok(fdt_finish_reservemap(b->bytes));
	dt_ok(fdt_begin_node(b->bytes, ""));
	dt_ok(fdt_property_u32(b->bytes, "#address-cells", 2));
	dt_ok(fdt_property_u32(b->bytes, "#size-cells", 2));
}

static inline void dt_begin(struct dt_builder *b, const char *name)
{
	dt_ok(fdt_begin_node(b->bytes, name));
}

static inline void dt_end(struct dt_builder *b)
{
	dt_ok(fdt_end_node(b->bytes));
}

static inline void dt_words(struct dt_builder *b, const char *name, const u32 *words,
			    unsigned int n)
{
	fdt32_t cells[64];

	for (unsigned int i = 0; i < n; i++)
		cells[i] = cpu_to_fdt32(words[i]);
	dt_ok(fdt_property(b->bytes, name, cells, (int)(n * sizeof(*cells))));
}

#define DT_WORDS(b, name, ...)                                                                     \
	dt_words(b, name, (const u32[]){ __VA_ARGS__ },                                            \
		 sizeof((const u32[]){ __VA_ARGS__ }) / sizeof(u32))

static inline void dt_string(struct dt_builder *b, const char *name, const char *text)
{
	dt_ok(fdt_property_string(b->bytes, name, text));
}

static inline void dt_memory(struct dt_builder *b, const char *name, u64 start, u64 size)
{
	dt_begin(b, name);
	dt_string(b, "device_type", "memory");
	DT_WORDS(b, "reg", (u32)(start >> 32), (u32)start, (u32)(size >> 32), (u32)size);
	dt_end(b);
}

/* Closes the root; how long the tree is. */
static inline size_t dt_finish(struct dt_builder *b)
{
	dt_end(b);
	dt_ok(fdt_finish(b->bytes));
	return fdt_totalsize(b->bytes);
}

/* A file of the data folder, in memory that ends where it does. */
static inline void *dt_recorded(const char *name, size_t *size)
{
	char path[512];
	FILE *file;
	void *bytes;

	snprintf(path, sizeof(path), "%s/%s", HOST_DATA, name);
	file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END))
		abort();
	*size = (size_t)ftell(file);
	rewind(file);
	bytes = malloc(*size);
	if (!bytes || fread(bytes, 1, *size, file) != *size)
		abort();
	fclose(file);
	return bytes;
}

#endif
