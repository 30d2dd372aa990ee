/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NUMA nodes: which frames belong to which node, and how far nodes are from one another. Built once from boot_info,
 * read-only afterwards. Node numbers are dense from 0; proximity domains of the firmware may be anything.
 */
#ifndef TINE_NUMA_H
#define TINE_NUMA_H

#include <tine/boot_info.h>
#include <tine/types.h>

#define MAX_NUMA_NODES 64

/*
 * Reads node_ranges, cpus and slit of BI. Tables that lie (ranges that overlap, RAM outside all ranges, a SLIT of the
 * wrong size or with distances below 10) are reported; an overlap belongs to the range that starts lower, RAM outside
 * to the nearest lower range's node. With numa=off, or when no range holds RAM, everything is node 0's. Ranges without
 * RAM are ignored, so nodes without memory exist only if they have CPUs.
 */
void numa_init(const struct boot_info *bi);

unsigned int numa_nr_nodes(void);
nodeid_t numa_node_of(mfn_t mfn); /* a RAM frame's node; for others the nearest lower range's */

/* First frame above MFN that belongs to another node than MFN does. Never asks each frame: binary search in ranges. */
mfn_t numa_range_end(mfn_t mfn);

u8 numa_distance(nodeid_t from, nodeid_t to); /* 10 = local */

/* Nodes in order of distance from FROM, FROM first: numa_fallback(FROM, 0) == FROM. */
nodeid_t numa_fallback(nodeid_t from, unsigned int index);

nodeid_t numa_node_of_proximity(u32 proximity); /* NUMA_NO_NODE when unknown */
void numa_set_cpu_node(unsigned int cpu, nodeid_t node);

#endif
