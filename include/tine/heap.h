/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The buddy heap: free blocks of 2^order frames per NUMA node, address-width zone and order. A block is aligned to its
 * size and lies within one node and one zone. One lock (LOCK_HEAP) guards lists and counts; scrubbing runs outside it.
 *
 * Zone z holds the frames whose numbers have z significant bits, as on Xen: [2^(z-1), 2^z); frame 0 is never in the heap.
 */
#ifndef TINE_HEAP_H
#define TINE_HEAP_H

#include <tine/numa.h>
#include <tine/page.h>

#define HEAP_MAX_ORDER 18 /* 1 GiB */
#define HEAP_ZONES 41     /* zone numbers 1 .. 40: 52-bit physical addresses */

enum heap_flags {
	HEAP_DIRTY_OK =
		1 << 0, /* the caller overwrites all of it and shows it to no guest before */
	HEAP_EXACT_NODE = 1 << 1, /* fail rather than fall back to another node */
	HEAP_ZERO = 1 << 2,       /* all bytes 0 (scrubbed frames are 0 anyway: this forces it) */
};

/*
 * Takes a block of 2^ORDER frames from NODE (NUMA_NO_NODE: this CPU's), falling back by distance, all of it below
 * physical address 2^ADDR_BITS (0: anywhere). Clean unless HEAP_DIRTY_OK. INVALID_MFN when there is none, or ORDER is too large.
 */
mfn_t heap_alloc(unsigned int order, nodeid_t node, unsigned int addr_bits,
		 unsigned int flags) __must_check;

/*
 * The same with HEAP_DIRTY_OK, for much memory at once: the frames come as OWNER's, with PAGE_ALLOCATED | 1 reference and no type,
 * linked to one another in the order of their numbers; `prev` of the first and `next` of the last mean nothing.
 */
mfn_t heap_alloc_owned(unsigned int order, nodeid_t node, u16 owner) __must_check;

/*
 * Gives back a block (or an aligned part of one). Frames that were marked go offline here. DIRTY: somebody wrote to it
 * what others may not read.
 */
void heap_free(mfn_t mfn, unsigned int order, bool dirty);

/* The hypervisor's own pages through the direct map; NULL when there are none. */
void *heap_alloc_pages(unsigned int order, unsigned int flags) __must_check;
void heap_free_pages(void *va, unsigned int order);

/* Boot: one strategy a file behind this (mm/heap_init_page.c, _chunk.c, _lazy.c); heap-init= picks. */
struct heap_init_stats {
	const char *strategy;
	unsigned long chunks, pages;
	unsigned int nodes;
};
void heap_init(struct heap_init_stats *stats); /* takes what bootmem has left */
const char *heap_init_strategy(void);

/* bootscrub=on: cleans all free memory now. Call once after heap_init(), when time spent is not heap_init()'s any more. */
void heap_boot_scrub(void);

/* Later: RAM that was reserved and is needed no more (modules, init sections). Each frame at most once. Comes in dirty. */
void heap_add(mfn_t start, unsigned long count);

/*
 * Takes frame MFN off the heap: at once when free, when freed otherwise. 0, also when it is off already; -EBUSY: in
 * use, will go when freed; -EINVAL: not the heap's.
 */
int heap_offline(mfn_t mfn) __must_check;
int heap_online(mfn_t mfn) __must_check; /* 0; -EINVAL when it is not offline */

struct heap_node_stats {
	unsigned long total_pages; /* handed over at boot */
	unsigned long free_pages;
	unsigned long dirty_pages; /* free, not yet scrubbed */
	unsigned long offline_pages;
	unsigned long free_blocks[HEAP_MAX_ORDER + 1];
};
void heap_node_stats(nodeid_t node, struct heap_node_stats *out);
unsigned long heap_free_total(void);
unsigned long heap_zone_free(nodeid_t node, unsigned int zone);

/*
 * One step of scrubbing by an idle CPU: cleans up to 16 frames. False when nothing is left to clean. Any allocation may
 * interrupt it.
 */
bool heap_scrub_idle(void);

/* For tests: every free block, heap_lock not held, so nothing may run beside it. */
struct heap_block {
	nodeid_t node;
	unsigned int zone, order;
	mfn_t mfn;
};
void heap_for_each_block(void (*fn)(const struct heap_block *block, void *arg), void *arg);

/* Recomputes every count and list from the structs and compares; returns the number of differences, each reported. */
unsigned long heap_check(void);

/* The hypervisor's own small objects, 8 bytes to 2 KiB, cleared; above that whole pages. NULL when there is no memory. LOCK_SLAB. mm/slab.c */
void *kzalloc(size_t size) __must_check;
void kfree(void *obj); /* NULL is fine */

#endif
