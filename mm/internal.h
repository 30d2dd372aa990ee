/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the heap share. From below upwards: section.c (which structs may be read), block.c (free lists,
 * splitting, merging), heap.c (allocate and free), and beside it heap_init*.c, heap_scrub.c, heap_offline.c,
 * heap_stats.c. The essay on how they fit together is in heap.c.
 */
#ifndef MM_INTERNAL_H
#define MM_INTERNAL_H

#include <tine/heap.h>
#include <tine/poison.h>
#include <tine/spinlock.h>

/* ---- section.c ---- */

void section_init(void); /* takes the map from bootmem; all absent */

/* The sections of FRAMES frames from START on, all whole, fall asleep; they were absent. */
void section_sleep(mfn_t start, unsigned long frames, bool dirty);

/* A sleeping, dirty section was scrubbed. */
void section_set_clean(mfn_t mfn);

/*
 * The section that holds MFN comes to life: count_info is CLEAN_INFO in its structs below index FIRST_DIRTY and
 * DIRTY_INFO from there on.
 */
void section_wake(mfn_t mfn, u64 clean_info, u64 dirty_info, unsigned long first_dirty);

/*
 * The sleeping section that starts at START comes to life with all frames in use: count_info INFO, no type, OWNER, each
 * linked to its neighbours.
 */
void section_wake_used(mfn_t start, u64 info, u16 owner);

/* ---- block.c: everything with heap_lock held, or at boot ---- */

struct free_list {
	u32 head,
		tail; /* frame numbers, PAGE_LINK_END when empty; blocks that may be dirty at the tail */
};

struct heap_zone {
	u32 orders; /* bit per order whose list is not empty */
	unsigned long free_pages;
	struct free_list list[HEAP_MAX_ORDER + 1];
};

/* All bytes 0: no memory. Lives in the node's own memory. */
struct heap_node {
	u64 zones; /* bit per zone that has free blocks */
	nodeid_t id;
	unsigned long total_pages, free_pages, dirty_pages, offline_pages;
	struct heap_zone zone[HEAP_ZONES];
};

extern struct spinlock heap_lock;
extern struct heap_node *heap_nodes[MAX_NUMA_NODES]; /* NULL: the node has no memory */
extern unsigned long heap_free_pages_total;

static inline unsigned int frame_zone(mfn_t mfn)
{
	return msb(mfn_x(mfn)) + 1;
}

static inline mfn_t block_buddy(mfn_t mfn, unsigned int order)
{
	return _mfn(mfn_x(mfn) ^ (1UL << order));
}

/* Puts a block on its list: its frames are free (or asleep) already. FIRST_DIRTY as in struct page. */
void block_insert(struct heap_node *node, mfn_t mfn, unsigned int order, u32 first_dirty);

/* Takes a block off its list, stopping a scrubber that is in it. Its frames stay free. Returns its first_dirty. */
u32 block_remove(struct heap_node *node, mfn_t mfn, unsigned int order);

/* Puts a block on its list after merging it with its free buddies. */
void block_merge(struct heap_node *node, mfn_t mfn, unsigned int order, u32 first_dirty);

/*
 * Cuts a block that is on no list down to the block of order TO that holds WANTED; the rest goes on the lists. Wakes
 * the section of WANTED when TO is below SECTION_ORDER. Returns the first frame of what is left,
 * and leaves its part of *FIRST_DIRTY there.
 */
mfn_t block_cut(struct heap_node *node, mfn_t mfn, unsigned int from, unsigned int to, mfn_t wanted,
		u32 *first_dirty);

/* Takes a block of ORDER in one of ZONES (a bit each) off the lists, cut to size. INVALID_MFN: there is none. */
mfn_t block_take(struct heap_node *node, u64 zones, unsigned int order, bool want_clean,
		 u32 *first_dirty);

/*
 * The section at MFN, part of a block that is on no list, comes to life with free frames, unless it lives. Its frames below index
 * FIRST_DIRTY are scrubbed already.
 */
void block_wake_section(struct heap_node *node, mfn_t mfn, u32 first_dirty);

/* Can the struct of block MFN be read as that of a free head of ORDER on NODE? MFN is a buddy, see heap.c. */
bool block_is_free(const struct heap_node *node, mfn_t mfn, unsigned int order);

/* Written with heap_lock held; idle CPUs look without, to see whether there is anything to do. */
static inline void heap_account_dirty(struct heap_node *node, long dirty)
{
	WRITE_ONCE(node->dirty_pages, node->dirty_pages + (unsigned long)dirty);
}

/* PAGES came to the node's free frames (negative: left), DIRTY of them not scrubbed, in the zone of MFN. */
static inline void heap_account(struct heap_node *node, mfn_t mfn, long pages, long dirty)
{
	node->free_pages += (unsigned long)pages;
	node->zone[frame_zone(mfn)].free_pages += (unsigned long)pages;
	if (dirty)
		heap_account_dirty(node, dirty);
	heap_free_pages_total += (unsigned long)pages;
}

/* ---- heap.c ---- */

/* Hands over frames at boot or later, whose sections are set up: free from now on. No checks. */
void heap_give_block(struct heap_node *node, mfn_t mfn, unsigned int order, bool dirty);

/* The same for COUNT blocks of the largest order in a row, all in one zone: they merge with nothing, so this is cheap. */
void heap_give_largest(struct heap_node *node, mfn_t mfn, unsigned long count, bool dirty);

/* ---- heap_low.c ---- */

extern unsigned long heap_low_mark;  /* fewer free pages than this are reported, once */
extern unsigned long heap_low_rearm; /* from so many free pages on the mark goes up again */

void heap_low_init(unsigned long total_pages);
void heap_low_crossed(void); /* there are fewer than heap_low_mark: moves it down; heap_lock held */
void heap_low_recovered(
	void); /* there are heap_low_rearm or more: moves the mark up; heap_lock held */

/* ---- heap_init.c and the strategies ---- */

struct heap_strategy {
	const char *name;
	/* Hands [start, end) of NODE to the heap; frame 0 is not in it. Returns how many blocks it passed on. */
	unsigned long (*add)(struct heap_node *node, mfn_t start, mfn_t end, bool dirty);
};
extern const struct heap_strategy heap_init_page, heap_init_chunk, heap_init_lazy;

/* Order of the largest aligned block that starts at START and ends by END. */
static inline unsigned int chunk_order(mfn_t start, mfn_t end)
{
	unsigned int fits = msb(mfn_x(end) - mfn_x(start));
	unsigned int aligned = min(lsb(mfn_x(start)), (unsigned int)HEAP_MAX_ORDER);

	return min(fits, aligned);
}

/*
 * The structs of 2^ORDER frames (ORDER at most SECTION_ORDER) come to life as free; other frames of the section, if it was
 * absent, as reserved.
 */
void heap_frames_born(mfn_t mfn, unsigned int order, bool dirty);

/* ---- heap_scrub.c ---- */

bool heap_boot_memory_dirty(void); /* as bootscrub= says */

/* heap_lock held: the CPU that scrubs in the free block PG has stopped for good when this returns. */
void heap_scrub_stop(const struct page *pg);

void scrub_frame(mfn_t mfn);

#endif
