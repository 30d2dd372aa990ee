// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * RAM, what of it is reserved, CPUs, NUMA nodes and their distances, from the device tree into boot_info (Devicetree Specification 3.4, 3.5 and 3.8;
 * Linux's bindings numa.txt and cpus.yaml). Each flaw is a line, and the entry left out.
 */
#include "dt_read.h"
#include <asm/smp.h>
#include <tine/lib.h>
#include <tine/printk.h>

#define MATRIX_WORDS 3 /* from, to, distance */
#define DISTANCE_LOCAL 10
#define DISTANCE_MAX 255

static void add_node_range(const struct dt *t, int node, const struct arm64_range *r)
{
	u32 proximity = dt_u32(t->tree, node, "numa-node-id", BOOT_NO_PROXIMITY);
	struct boot_info *bi = t->bi;

	if (proximity == BOOT_NO_PROXIMITY || !r->size)
		return;
	if (bi->nr_node_ranges == BOOT_MAX_NODE_RANGES) {
		pr_warn("device tree: NUMA range at %#lx is one more than the %u that fit: ignored",
			paddr_x(r->start), BOOT_MAX_NODE_RANGES);
		return;
	}
	if (paddr_x(r->start) + r->size < paddr_x(r->start))
		return; /* the region was reported */
	bi->node_ranges[bi->nr_node_ranges++] = (struct boot_node_range){
		.start = r->start,
		.end = paddr_add(r->start, r->size),
		.proximity = proximity,
	};
}

static void add_memory(const struct dt *t, int node)
{
	const char *name = fdt_get_name(t->tree, node, NULL);
	struct arm64_range r;
	unsigned int i;
	int rc;

	for (i = 0; (rc = dt_reg(t->tree, 0, node, i, &r)) == 0; i++) {
		boot_info_add_region(t->bi, paddr_x(r.start), r.size, MEM_RAM);
		add_node_range(t, node, &r);
	}
	if (i == 0)
		pr_warn("device tree: memory node \"%.60s\" has no `reg` that can be read (error "
			"%d): ignored",
			name ? name : "", rc);
}

/* Overlays of the header: pairs of address and size. */
static void add_reservations(const struct dt *t)
{
	int count = fdt_num_mem_rsv(t->tree);

	for (int i = 0; i < count; i++) {
		u64 start, size;

		if (!fdt_get_mem_rsv(t->tree, i, &start, &size) && size)
			boot_info_add_region(t->bi, start, size, MEM_RESERVED);
	}
}

static void add_reserved_memory(const struct dt *t)
{
	int parent = fdt_path_offset(t->tree, "/reserved-memory"), node;
	struct arm64_range r;

	if (parent < 0)
		return;
	fdt_for_each_subnode(node, t->tree, parent)
	{
		if (!dt_enabled(t->tree, node))
			continue;
		/* Without `reg` it is a wish for memory of whoever uses the device. */
		for (unsigned int i = 0; !dt_reg(t->tree, parent, node, i, &r); i++)
			if (r.size)
				boot_info_add_region(t->bi, paddr_x(r.start), r.size, MEM_RESERVED);
	}
}

void dt_read_memory(const struct dt *t)
{
	int node;

	t->bi->reserves_within = true;
	fdt_for_each_subnode(node, t->tree,
			     0) if (dt_text_is(t->tree, node, "device_type", "memory") &&
				    dt_enabled(t->tree, node)) add_memory(t, node);
	add_reservations(t);
	add_reserved_memory(t);
}

/* ---- CPUs ---- */

static bool is_known(const struct boot_info *bi, u32 hw_id)
{
	for (unsigned int i = 0; i < bi->nr_cpus; i++)
		if (bi->cpus[i].hw_id == hw_id)
			return true;
	return false;
}

/* `reg` is the affinity: one word, or two with level 3 in the upper. */
static bool cpu_hw_id_of(const struct dt *t, int node, unsigned int words, u32 *hw_id)
{
	int len;
	const fdt32_t *reg = fdt_getprop(t->tree, node, "reg", &len);
	u64 mpidr;

	if (!reg || words < 1 || words > 2 || len < (int)(words * sizeof(*reg)))
		return false;
	mpidr = dt_cell(reg, len, words - 1);
	if (words == 2)
		mpidr |= (u64)dt_cell(reg, len, 0) << 32;
	*hw_id = arm64_hw_id_of(mpidr);
	return arm64_mpidr_of(*hw_id) == mpidr;
}

static void add_cpu(const struct dt *t, int node, unsigned int words)
{
	const char *name = fdt_get_name(t->tree, node, NULL);
	struct boot_info *bi = t->bi;
	u32 hw_id;

	if (!cpu_hw_id_of(t, node, words, &hw_id)) {
		pr_warn("device tree: CPU \"%.60s\" has no `reg` that is an affinity: ignored",
			name ? name : "");
	} else if (is_known(bi, hw_id)) {
		pr_warn("device tree: CPU with affinity %#x is named twice: once is enough", hw_id);
	} else if (fdt_getprop(t->tree, node, "enable-method", NULL) &&
		   !dt_text_is(t->tree, node, "enable-method", "psci")) {
		/* One that runs already, as QEMU's only CPU, need not say how it is started. */
		pr_warn("device tree: CPU with affinity %#x is not started by PSCI: ignored",
			hw_id);
	} else if (bi->nr_cpus == BOOT_MAX_CPUS) {
		pr_warn("device tree: CPU with affinity %#x is one more than the %u that fit: "
			"ignored",
			hw_id, BOOT_MAX_CPUS);
	} else {
		bi->cpus[bi->nr_cpus++] = (struct boot_cpu){
			.hw_id = hw_id,
			.proximity = dt_u32(t->tree, node, "numa-node-id", BOOT_NO_PROXIMITY),
		};
	}
}

void dt_read_cpus(const struct dt *t)
{
	int parent = fdt_path_offset(t->tree, "/cpus"), node;
	unsigned int words;

	if (parent < 0)
		return;
	words = dt_cells_of(t->tree, parent).address;
	fdt_for_each_subnode(node, t->tree,
			     parent) if (dt_text_is(t->tree, node, "device_type", "cpu") &&
					 dt_enabled(t->tree, node)) add_cpu(t, node, words);
}

/* ---- Distances ---- */

/* One more than the highest node that the matrix names; 0 when it names one too high. */
static unsigned int matrix_nodes(const fdt32_t *cells, int len)
{
	unsigned int rows = (unsigned int)len / sizeof(*cells) / MATRIX_WORDS, nodes = 0;

	for (unsigned int i = 0; i < rows * MATRIX_WORDS; i++) {
		u32 id = dt_cell(cells, len, i);

		if (i % MATRIX_WORDS == 2)
			continue;
		if (id >= BOOT_MAX_NODES)
			return 0;
		nodes = max(nodes, id + 1);
	}
	return nodes;
}

/* Given one way, a distance is the same the other way unless that is given as well; 0: not given. */
static void fill_matrix(struct boot_info *bi, const fdt32_t *cells, int len, unsigned int nodes)
{
	memset(bi->slit, 0, nodes * nodes);
	for (unsigned int pass = 0; pass < 2; pass++) {
		for (unsigned int i = 0; i < (unsigned int)len / sizeof(*cells);
		     i += MATRIX_WORDS) {
			u32 from = dt_cell(cells, len, i), to = dt_cell(cells, len, i + 1);
			u8 *at = &bi->slit[pass ? to * nodes + from : from * nodes + to];

			if (!pass || !*at)
				*at = (u8)min(dt_cell(cells, len, i + 2), (u32)DISTANCE_MAX);
		}
	}
	for (unsigned int i = 0; i < nodes; i++)
		if (!bi->slit[i * nodes + i])
			bi->slit[i * nodes + i] = DISTANCE_LOCAL;
}

void dt_read_distances(const struct dt *t)
{
	int node = fdt_path_offset(t->tree, "/distance-map"), len;
	const fdt32_t *cells;
	unsigned int nodes;

	if (node < 0)
		return;
	cells = fdt_getprop(t->tree, node, "distance-matrix", &len);
	if (!cells || len <= 0 || len % (int)(MATRIX_WORDS * sizeof(*cells))) {
		pr_warn("device tree: the distance-matrix is not whole rows of three words: "
			"ignored");
		return;
	}
	nodes = matrix_nodes(cells, len);
	if (!nodes) {
		pr_warn("device tree: the distance-matrix names nodes from %u on: ignored",
			BOOT_MAX_NODES);
		return;
	}
	fill_matrix(t->bi, cells, len, nodes);
	t->bi->nr_slit = nodes;
}
