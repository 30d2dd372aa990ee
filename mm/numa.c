// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which frames belong to which node. All of the number line is divided by a sorted array of edges: from an edge on, up to the next
 * one, frames are that node's. The first edge is frame 0 and neighbours differ in their node, so a lookup is a binary
 * search, the end of a node's range is the next edge, and RAM that no firmware range covers belongs to the range below it.
 *
 * Filled once from boot_info at boot, read without a lock afterwards.
 */
#include <tine/cmdline.h>
#include <tine/cpu.h>
#include <tine/numa.h>
#include <tine/printk.h>
#include <tine/string.h>

#define LOCAL_DISTANCE 10 /* ACPI 6.4, 5.2.17: a node to itself */
#define REMOTE_DISTANCE 20

struct edge {
	unsigned long start; /* frame number */
	nodeid_t node;
};

static struct edge edges[BOOT_MAX_NODE_RANGES + 1];
static unsigned int nr_edges = 1; /* before numa_init(): everything is node 0's */

static u32 proximity_of[MAX_NUMA_NODES];
static unsigned int nr_nodes = 1;
static u8 distance[MAX_NUMA_NODES][MAX_NUMA_NODES];
static nodeid_t fallback[MAX_NUMA_NODES][MAX_NUMA_NODES];
static nodeid_t cpu_node[MAX_CPUS];

static bool opt_numa = true;
CMDLINE_BOOL_OPTION("numa", numa, opt_numa);

/* ---- Nodes: dense numbers in ascending order of the proximity domains that have RAM or CPUs ---- */

static bool range_has_ram(const struct boot_info *bi, const struct boot_node_range *range)
{
	if (paddr_x(range->start) >= paddr_x(range->end))
		return false;
	for (unsigned int i = 0; i < bi->nr_regions; i++) {
		const struct mem_region *r = &bi->regions[i];

		if (r->type == MEM_RAM && paddr_x(r->start) < paddr_x(range->end) &&
		    paddr_x(range->start) < paddr_x(r->end))
			return true;
	}
	return false;
}

static void add_proximity(u32 proximity)
{
	unsigned int at = 0;

	while (at < nr_nodes && proximity_of[at] < proximity)
		at++;
	if (at < nr_nodes && proximity_of[at] == proximity)
		return;
	if (nr_nodes == MAX_NUMA_NODES) {
		pr_warn("NUMA: more than %u nodes: proximity domain %u is taken for its lower "
			"neighbour",
			MAX_NUMA_NODES, proximity);
		return;
	}
	memmove(&proximity_of[at + 1], &proximity_of[at], (nr_nodes - at) * sizeof(u32));
	proximity_of[at] = proximity;
	nr_nodes++;
}

/* False when nothing is known of nodes that have RAM. */
static bool number_nodes(const struct boot_info *bi)
{
	bool with_ram = false;

	nr_nodes = 0;
	for (unsigned int i = 0; i < bi->nr_node_ranges; i++) {
		if (range_has_ram(bi, &bi->node_ranges[i])) {
			add_proximity(bi->node_ranges[i].proximity);
			with_ram = true;
		}
	}
	for (unsigned int i = 0; i < bi->nr_cpus; i++) {
		if (bi->cpus[i].proximity != BOOT_NO_PROXIMITY)
			add_proximity(bi->cpus[i].proximity);
	}
	return with_ram;
}

nodeid_t numa_node_of_proximity(u32 proximity)
{
	for (unsigned int i = 0; i < nr_nodes; i++) {
		if (proximity_of[i] == proximity)
			return (nodeid_t)i;
	}
	return NUMA_NO_NODE;
}

/* ---- Edges ---- */

/* Indices of the ranges that count, ordered by start; of equal starts the one listed first comes first. */
static unsigned int sort_ranges(const struct boot_info *bi, u16 *order)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < bi->nr_node_ranges; i++) {
		const struct boot_node_range *range = &bi->node_ranges[i];
		unsigned int at = n;

		if (!range_has_ram(bi, range) ||
		    numa_node_of_proximity(range->proximity) == NUMA_NO_NODE)
			continue;
		for (; at > 0; at--) {
			const struct boot_node_range *other = &bi->node_ranges[order[at - 1]];

			if (paddr_x(other->start) <= paddr_x(range->start))
				break;
			order[at] = order[at - 1];
		}
		order[at] = (u16)i;
		n++;
	}
	return n;
}

/* A frame that two ranges share belongs to the lower one. */
static void add_edge(u64 start, nodeid_t node)
{
	unsigned long frame = nr_edges ? DIV_ROUND_UP(start, PAGE_SIZE) : 0;

	if (nr_edges && edges[nr_edges - 1].start == frame && frame)
		nr_edges--; /* the range before held no whole frame */
	if (!nr_edges || edges[nr_edges - 1].node != node)
		edges[nr_edges++] = (struct edge){ frame, node };
}

static void build_edges(const struct boot_info *bi)
{
	u16 order[BOOT_MAX_NODE_RANGES];
	unsigned int n = sort_ranges(bi, order);
	const struct boot_node_range *owner = NULL; /* of the range that reaches highest so far */

	nr_edges = 0;
	for (unsigned int i = 0; i < n; i++) {
		const struct boot_node_range *range = &bi->node_ranges[order[i]];
		u64 start = paddr_x(range->start), end = paddr_x(range->end);

		if (owner && start < paddr_x(owner->end)) {
			pr_warn("SRAT: range %lx-%lx of domain %u overlaps domain %u's up to %lx, "
				"which keeps it",
				start, end - 1, range->proximity, owner->proximity,
				paddr_x(owner->end) - 1);
			start = paddr_x(owner->end);
		}
		if (start >= end)
			continue;
		add_edge(start, numa_node_of_proximity(range->proximity));
		owner = range;
	}
}

static bool in_some_range(const struct boot_info *bi, u64 addr, u64 *until)
{
	bool inside = false;

	for (unsigned int i = 0; i < bi->nr_node_ranges; i++) {
		u64 start = paddr_x(bi->node_ranges[i].start);
		u64 end = paddr_x(bi->node_ranges[i].end);

		if (start <= addr && addr < end) {
			*until = inside ? max(*until, end) : end;
			inside = true;
		} else if (!inside && start > addr && start < end) {
			*until = min(*until, start);
		}
	}
	return inside;
}

static void report_uncovered(const struct boot_info *bi)
{
	for (unsigned int i = 0; i < bi->nr_regions; i++) {
		u64 at = paddr_x(bi->regions[i].start), end = paddr_x(bi->regions[i].end);

		while (bi->regions[i].type == MEM_RAM && at < end) {
			u64 until = end;

			if (!in_some_range(bi, at, &until))
				pr_warn("SRAT: RAM at %lx-%lx is in no range: taken for node %u's",
					at, min(until, end) - 1,
					numa_node_of(paddr_to_mfn(_paddr(at))));
			at = until;
		}
	}
}

/* Index of the edge at or below FRAME. */
static unsigned int find_edge(unsigned long frame)
{
	unsigned int low = 0, high = nr_edges;

	while (high - low > 1) {
		unsigned int middle = (low + high) / 2;

		if (edges[middle].start <= frame)
			low = middle;
		else
			high = middle;
	}
	return low;
}

nodeid_t numa_node_of(mfn_t mfn)
{
	return edges[find_edge(mfn_x(mfn))].node;
}

mfn_t numa_range_end(mfn_t mfn)
{
	unsigned int i = find_edge(mfn_x(mfn)) + 1;

	return i < nr_edges ? _mfn(edges[i].start) : INVALID_MFN;
}

/* ---- Distances ---- */

static bool slit_is_good(const struct boot_info *bi)
{
	for (unsigned int i = 0; i < nr_nodes; i++) {
		if (proximity_of[i] >= bi->nr_slit) {
			pr_warn("SLIT: %u localities, but there is proximity domain %u: ignored",
				bi->nr_slit, proximity_of[i]);
			return false;
		}
	}
	for (unsigned int i = 0; i < bi->nr_slit * bi->nr_slit; i++) {
		unsigned int from = i / bi->nr_slit, to = i % bi->nr_slit;

		if (from == to ? bi->slit[i] != LOCAL_DISTANCE : bi->slit[i] < LOCAL_DISTANCE) {
			pr_warn("SLIT: distance %u from %u to %u makes no sense: ignored",
				bi->slit[i], from, to);
			return false;
		}
	}
	return true;
}

static void build_distances(const struct boot_info *bi)
{
	bool use_slit = bi && bi->nr_slit && slit_is_good(bi);

	for (unsigned int from = 0; from < nr_nodes; from++) {
		for (unsigned int to = 0; to < nr_nodes; to++) {
			u8 d = from == to ? LOCAL_DISTANCE : REMOTE_DISTANCE;

			if (use_slit)
				d = bi->slit[proximity_of[from] * bi->nr_slit + proximity_of[to]];
			distance[from][to] = d;
		}
	}
}

/* Each row: all nodes by distance, those equally far by how soon they come after FROM, so that neighbours share the load. */
static void build_fallback(void)
{
	for (unsigned int from = 0; from < nr_nodes; from++) {
		nodeid_t *row = fallback[from];

		for (unsigned int i = 0; i < nr_nodes; i++) {
			nodeid_t node = (nodeid_t)((from + i) % nr_nodes);
			unsigned int at = i;

			for (; at > 1 && distance[from][row[at - 1]] > distance[from][node]; at--)
				row[at] = row[at - 1];
			row[at] = node;
		}
	}
}

u8 numa_distance(nodeid_t from, nodeid_t to)
{
	if (from >= nr_nodes || to >= nr_nodes)
		return REMOTE_DISTANCE;
	return distance[from][to];
}

nodeid_t numa_fallback(nodeid_t from, unsigned int index)
{
	return fallback[from < nr_nodes ? from : 0][index < nr_nodes ? index : 0];
}

/* ---- Start of day ---- */

void numa_init(const struct boot_info *bi)
{
	memset(cpu_node, 0, sizeof(cpu_node));
	if (!opt_numa || !number_nodes(bi)) {
		nr_nodes = nr_edges = 1;
		edges[0] = (struct edge){ 0, 0 };
		proximity_of[0] = BOOT_NO_PROXIMITY;
		build_distances(NULL);
		build_fallback();
		return;
	}
	build_edges(bi);
	report_uncovered(bi);
	build_distances(bi);
	build_fallback();
	pr_info("NUMA: %u nodes in %u ranges", nr_nodes, nr_edges);
}

unsigned int numa_nr_nodes(void)
{
	return nr_nodes;
}

void numa_set_cpu_node(unsigned int cpu, nodeid_t node)
{
	if (cpu < MAX_CPUS && node < nr_nodes)
		cpu_node[cpu] = node;
}

nodeid_t cpu_to_node(unsigned int cpu)
{
	return cpu < MAX_CPUS ? cpu_node[cpu] : 0;
}
