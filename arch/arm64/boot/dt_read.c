// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values out of a device tree (Devicetree Specification 0.4, chapter 2). The tree is untrusted; that its structure is whole has been checked, what its
 * properties say has not. No state.
 */
#include "dt_read.h"
#include <tine/errno.h>
#include <asm/gic.h>
#include <tine/lib.h>

#define DEFAULT_ADDRESS_CELLS 2
#define DEFAULT_SIZE_CELLS 1
#define MAX_CELLS 3 /* of an address: PCI's has three, whose first is no address */
#define MAX_DEPTH 8
#define GIC_CELLS 3 /* kind, number, flags; a fourth is for partitions */

u32 dt_cell(const fdt32_t *cells, int len, unsigned int index)
{
	return len >= 0 && index < (unsigned int)len / sizeof(*cells) ? fdt32_to_cpu(cells[index])
								      : 0;
}

u32 dt_u32(const void *tree, int node, const char *name, u32 otherwise)
{
	int len;
	const fdt32_t *cells = fdt_getprop(tree, node, name, &len);

	return cells && len >= (int)sizeof(*cells) ? fdt32_to_cpu(*cells) : otherwise;
}

const char *dt_text(const void *tree, int node, const char *name)
{
	int len;
	const char *text = fdt_getprop(tree, node, name, &len);

	return text && len > 0 && strnlen(text, (size_t)len) < (size_t)len ? text : NULL;
}

bool dt_text_is(const void *tree, int node, const char *name, const char *value)
{
	const char *text = dt_text(tree, node, name);

	return text && !strcmp(text, value);
}

bool dt_enabled(const void *tree, int node)
{
	return !fdt_getprop(tree, node, "status", NULL) ||
	       dt_text_is(tree, node, "status", "okay") || dt_text_is(tree, node, "status", "ok");
}

bool dt_list_has(const char *list, int len, const char *const *names)
{
	if (!list)
		return false;
	for (; *names; names++)
		if (fdt_stringlist_contains(list, len, *names))
			return true;
	return false;
}

bool dt_compatible(const void *tree, int node, const char *const *names)
{
	int len;
	const char *list = fdt_getprop(tree, node, "compatible", &len);

	return dt_list_has(list, len, names);
}

struct dt_cells dt_cells_of(const void *tree, int node)
{
	return (struct dt_cells){
		.address = dt_u32(tree, node, "#address-cells", DEFAULT_ADDRESS_CELLS),
		.size = dt_u32(tree, node, "#size-cells", DEFAULT_SIZE_CELLS),
	};
}

/* COUNT words from INDEX on as one number; false when it is more than 64 bits. */
static bool number_at(const fdt32_t *cells, int len, unsigned int index, unsigned int count,
		      u64 *out)
{
	*out = 0;
	for (unsigned int i = 0; i < count; i++) {
		if (*out >> 32)
			return false;
		*out = *out << 32 | dt_cell(cells, len, index + i);
	}
	return true;
}

static bool cells_are_sane(struct dt_cells c)
{
	return c.address >= 1 && c.address <= MAX_CELLS && c.size <= 2;
}

/* One row of `ranges` of BUS, whose own addresses have PARENT_CELLS words: *ADDRESS if it lies within. */
static bool translate_row(const fdt32_t *row, int len, struct dt_cells own,
			  unsigned int parent_cells, u64 size, u64 *address)
{
	u64 child, parent, span;

	if (!number_at(row, len, 0, own.address, &child) ||
	    !number_at(row, len, own.address, parent_cells, &parent) ||
	    !number_at(row, len, own.address + parent_cells, own.size, &span))
		return false;
	if (*address < child || *address - child >= span || size > span - (*address - child))
		return false;
	*address = parent + (*address - child);
	return true;
}

/* An address on BUS, a child of PARENT, becomes one of PARENT's. */
static bool translate(const void *tree, int parent, int bus, u64 size, u64 *address)
{
	struct dt_cells own = dt_cells_of(tree, bus);
	unsigned int parent_cells = dt_cells_of(tree, parent).address, words;
	int len;
	const fdt32_t *ranges = fdt_getprop(tree, bus, "ranges", &len);

	if (!ranges || !cells_are_sane(own) || parent_cells < 1 || parent_cells > MAX_CELLS)
		return false;
	if (!len)
		return true;
	words = own.address + parent_cells + own.size;
	for (; len >= (int)(words * sizeof(*ranges));
	     ranges += words, len -= (int)(words * sizeof(*ranges)))
		if (translate_row(ranges, len, own, parent_cells, size, address))
			return true;
	return false;
}

int dt_reg_cells(const void *tree, struct dt_cells c, int node, unsigned int index,
		 struct arm64_range *out)
{
	unsigned int words = c.address + c.size;
	int len;
	const fdt32_t *reg = fdt_getprop(tree, node, "reg", &len);
	u64 address, size;

	if (!reg || !cells_are_sane(c) || index >= (unsigned int)len / sizeof(*reg) / words)
		return -ENOENT;
	if (!number_at(reg, len, index * words, c.address, &address) ||
	    !number_at(reg, len, index * words + c.address, c.size, &size))
		return -EINVAL;
	out->start = _paddr(address);
	out->size = size;
	return 0;
}

int dt_reg(const void *tree, int parent, int node, unsigned int index, struct arm64_range *out)
{
	int bus = parent, rc = dt_reg_cells(tree, dt_cells_of(tree, parent), node, index, out);
	u64 address;

	if (rc)
		return rc;
	address = paddr_x(out->start);
	for (unsigned int depth = 0; bus > 0; depth++) {
		int above = fdt_parent_offset(tree, bus);

		if (above < 0 || depth == MAX_DEPTH ||
		    !translate(tree, above, bus, out->size, &address))
			return -EINVAL;
		bus = above;
	}
	out->start = _paddr(address);
	return 0;
}

u32 dt_interrupt(const struct dt *t, int node, unsigned int index)
{
	unsigned int words = t->platform->gic.interrupt_cells;
	int len;
	const fdt32_t *cells = fdt_getprop(t->tree, node, "interrupts", &len);
	u32 kind, number;

	if (!cells || words < GIC_CELLS || words > GIC_CELLS + 1 ||
	    index >= (unsigned int)len / sizeof(*cells) / words)
		return 0;
	kind = dt_cell(cells, len, index * words);
	number = dt_cell(cells, len, index * words + 1);
	if (kind == 0 && number < GIC_INTIDS - 32)
		return GIC_SPI(number);
	return kind == 1 && number < 16 ? GIC_PPI(number) : 0;
}
