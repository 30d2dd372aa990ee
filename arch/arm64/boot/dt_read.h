/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a device tree that libfdt has found whole (fdt_check_full): properties as cells, addresses as the CPU sees them. Nothing here trusts a value.
 */
#ifndef DT_READ_H
#define DT_READ_H

#include <asm/platform.h>
#include <libfdt.h>
#include <tine/string.h>

struct dt {
	const void *tree;
	struct boot_info *bi;
	struct arm64_platform *platform;
};

struct dt_cells {
	unsigned int address, size; /* 32-bit words each */
};

/* How NODE's children are addressed; 2 and 1 when it does not say, as the specification has it. */
struct dt_cells dt_cells_of(const void *tree, int node);

/* Word INDEX of a property of LEN bytes; 0 behind its end. */
u32 dt_cell(const fdt32_t *cells, int len, unsigned int index);

/* Property NAME of NODE as one 32-bit word, or OTHERWISE. */
u32 dt_u32(const void *tree, int node, const char *name, u32 otherwise);

/* Property NAME as text that ends within it; NULL. */
const char *dt_text(const void *tree, int node, const char *name);

bool dt_text_is(const void *tree, int node, const char *name, const char *value);

/* No `status`, or "okay". */
bool dt_enabled(const void *tree, int node);

/* Does LIST, a property of LEN bytes, have one of NAMES (a NULL ends them)? */
bool dt_list_has(const char *list, int len, const char *const *names);

/* Does `compatible` have one of NAMES (a NULL ends them)? */
bool dt_compatible(const void *tree, int node, const char *const *names);

/*
 * Entry INDEX of `reg` of NODE, a child of PARENT, as a CPU address. 0; -ENOENT: there is no such entry; -EINVAL: it does not fit 64 bits, or its bus
 * does not map it.
 */
int dt_reg(const void *tree, int parent, int node, unsigned int index,
	   struct arm64_range *out) __must_check;

/* The same with CELLS words of address and size, the address being the CPU's already. */
int dt_reg_cells(const void *tree, struct dt_cells cells, int node, unsigned int index,
		 struct arm64_range *out) __must_check;

/* Interrupt INDEX of NODE as an INTID, cells being those of a GIC; 0: none, or not one. */
u32 dt_interrupt(const struct dt *t, int node, unsigned int index);

/* dt_memory.c */
void dt_read_memory(const struct dt *t);
void dt_read_cpus(const struct dt *t);
void dt_read_distances(const struct dt *t);
/* dt_devices.c */
void dt_read_devices(const struct dt *t);
/* dt_modules.c */
void dt_read_chosen(const struct dt *t);

#endif
