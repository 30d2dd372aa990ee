// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The heap: who gets frames and how they come back. How it is built:
 *
 * Memory is divided by NUMA node, then by zone (all frame numbers of one length in bits: what a device or a guest with
 * narrow addresses can reach is a range of zones), then into free blocks of 2^order frames, aligned to their size. No block
 * crosses a node, because every hand-over at boot stops at node boundaries and buddies merge only when both heads name
 * the same node. None crosses a zone, because zone edges are powers of two and an aligned block can only contain one
 * inside if it starts at frame 0, which the heap never gets.
 *
 * The frame table is not initialised at boot. A sleeping section (tine/page.h) lies whole inside one free block, and of all
 * its structs only the one of that block's head, if the head is here, holds anything but noise. Three rules keep noise from
 * being read:
 *  - The lists link heads only. A block smaller than a section is in a live section; cutting a block below section size, or allocating
 *    it, wakes the sections concerned first.
 *  - Merging looks at the buddy of a block of order k. Below section size the buddy is in the same, live section. From there on
 *    the buddy is aligned to sections. If its section is absent there is nothing; if live, its struct is good; if asleep, the
 *    section belongs to some free block C. C cannot be larger than order k: being aligned, it would then contain both
 *    buddies, but the block that is merged is in no free block at that moment. So C has at most order k, the buddy's address is a multiple of
 *    C's size, and the buddy is C's head: its struct is good.
 *  - Frame numbers from outside (guests, offlining) are answered from the section map, and a sleeping frame's block is looked up
 *    through the lists, never through structs (heap_offline.c).
 *
 * Which frames need scrubbing: in a live section those with PAGE_NEED_SCRUB; a sleeping section is dirty or clean as a
 * whole, which its state says. The head's first_dirty says where the scrubber goes on: no frame below it needs scrubbing, not even
 * in a sleeping section that is still called dirty because its scrubbing is under way. Counts go by frames in live sections and
 * by whole sections in sleeping ones.
 *
 * heap_lock guards it all. Scrubbing, the only slow thing, runs outside it: frames that an allocation took are scrubbed before it
 * returns; frames of free blocks by heap_scrub.c.
 */
#include <tine/cpu.h>
#include <tine/string.h>

#include "internal.h"

struct spinlock heap_lock = SPINLOCK_INIT(LOCK_HEAP);
struct heap_node *heap_nodes[MAX_NUMA_NODES];
unsigned long heap_free_pages_total;

/* Bit per zone that lies wholly below 2^ADDR_BITS; zone z ends at frame 2^z. */
static u64 zones_below(unsigned int addr_bits)
{
	if (addr_bits == 0 || addr_bits >= HEAP_ZONES - 1 + PAGE_SHIFT)
		return ~0UL;
	return addr_bits <= PAGE_SHIFT ? 0 : (2UL << (addr_bits - PAGE_SHIFT)) - 1;
}

/* How frames leave the heap: as whose, and whether those that need scrubbing keep the mark. */
struct taking {
	u16 owner;
	bool keep;
};

/* Frames that are in use become OWNER's, each linked to its neighbours. */
static void own_frames(mfn_t mfn, unsigned long count, u16 owner)
{
	for (unsigned long i = 0; i < count; i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

		pg->next = (u32)mfn_x(mfn_add(mfn, i + 1));
		pg->prev = (u32)mfn_x(mfn_add(mfn, i - 1));
		pg->owner = owner;
		pg->count_info |= PAGE_ALLOCATED | 1;
	}
}

/* Free frames become used. Returns how many of them need scrubbing. */
static unsigned long take_frames(mfn_t mfn, unsigned long count, struct taking as)
{
	struct page *pg = mfn_to_page(mfn), *end = pg + count;
	u64 kept = as.keep ? PAGE_NEED_SCRUB : 0;
	unsigned long dirty = 0;

	do {
		u64 info = pg->count_info;

		BUG_ON((info & ~PAGE_NEED_SCRUB) != PAGE_STATE_FREE);
		dirty += (info / PAGE_NEED_SCRUB) & 1;
		pg->count_info = PAGE_STATE_INUSE | (info & kept);
		pg->type_info = 0;
		pg->owner = PAGE_NO_OWNER; /* as it was, but so these are one store */
		pg->aux = 0;
		pg->stamp = 0;
	} while (++pg < end);
	if (as.owner != PAGE_NO_OWNER)
		own_frames(mfn, count, as.owner);
	return dirty;
}

/* A whole section. One that sleeps counts as dirty altogether, even if its scrubbing has begun. */
static unsigned long take_section(mfn_t mfn, struct taking as)
{
	enum section_state state = section_state(mfn);
	u64 info = PAGE_STATE_INUSE;

	if (state == SECTION_LIVE)
		return take_frames(mfn, SECTION_FRAMES, as);
	BUG_ON(state == SECTION_ABSENT);
	if (as.owner != PAGE_NO_OWNER)
		info |= PAGE_ALLOCATED | 1;
	if (as.keep && state == SECTION_ASLEEP_DIRTY)
		info |= PAGE_NEED_SCRUB;
	section_wake_used(mfn, info, as.owner);
	return state == SECTION_ASLEEP_DIRTY ? SECTION_FRAMES : 0;
}

/* A block that is on no list any more. */
static unsigned long take_block(mfn_t mfn, unsigned int order, struct taking as)
{
	unsigned long dirty = 0;

	if (order < SECTION_ORDER)
		return take_frames(mfn, 1UL << order, as);
	for (unsigned long i = 0; i < 1UL << order; i += SECTION_FRAMES)
		dirty += take_section(mfn_add(mfn, i), as);
	return dirty;
}

static mfn_t alloc_from(struct heap_node *node, u64 zones, unsigned int order, struct taking as,
			unsigned long *dirty)
{
	u32 first_dirty;
	mfn_t mfn;

	if (!node)
		return INVALID_MFN;
	mfn = block_take(node, zones, order, as.keep, &first_dirty);
	if (mfn_eq(mfn, INVALID_MFN))
		return INVALID_MFN;
	*dirty = take_block(mfn, order, as);
	heap_account(node, mfn, -(1L << order), -(long)*dirty);
	if (unlikely(heap_free_pages_total < heap_low_mark))
		heap_low_crossed();
	return mfn;
}

/* Frames that this CPU has just taken: nobody else can reach them, but heap_offline() may mark them. */
static void scrub_taken(mfn_t mfn, unsigned int order)
{
	for (unsigned long i = 0; i < 1UL << order; i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

		if (READ_ONCE(pg->count_info) & PAGE_NEED_SCRUB) {
			scrub_frame(mfn_add(mfn, i));
			__atomic_fetch_and(&pg->count_info, ~PAGE_NEED_SCRUB, __ATOMIC_RELAXED);
		}
	}
}

static mfn_t alloc(unsigned int order, nodeid_t node, unsigned int addr_bits, unsigned int flags,
		   u16 owner)
{
	bool want_clean = !(flags & (HEAP_DIRTY_OK | HEAP_ZERO));
	struct taking as = { owner, want_clean };
	unsigned int tries = flags & HEAP_EXACT_NODE ? 1 : numa_nr_nodes();
	unsigned long irq, dirty = 0;
	u64 zones = zones_below(addr_bits);
	mfn_t mfn = INVALID_MFN;

	if (order > HEAP_MAX_ORDER)
		return INVALID_MFN;
	if (node >= numa_nr_nodes()) {
		if (node != NUMA_NO_NODE && flags & HEAP_EXACT_NODE)
			return INVALID_MFN;
		node = cpu_to_node(smp_processor_id());
	}
	irq = spin_lock_irqsave(&heap_lock);
	for (unsigned int i = 0; i < tries && mfn_eq(mfn, INVALID_MFN); i++)
		mfn = alloc_from(heap_nodes[numa_fallback(node, i)], zones, order, as, &dirty);
	spin_unlock_irqrestore(&heap_lock, irq);
	if (mfn_eq(mfn, INVALID_MFN))
		return INVALID_MFN;
	if (flags & HEAP_ZERO)
		memset(mfn_to_virt(mfn), 0, PAGE_SIZE << order);
	else if (want_clean && dirty)
		scrub_taken(mfn, order);
	return mfn;
}

mfn_t heap_alloc(unsigned int order, nodeid_t node, unsigned int addr_bits, unsigned int flags)
{
	return alloc(order, node, addr_bits, flags, PAGE_NO_OWNER);
}

mfn_t heap_alloc_owned(unsigned int order, nodeid_t node, u16 owner)
{
	return alloc(order, node, 0, HEAP_DIRTY_OK, owner);
}

/* True if some frame of the block was marked to go offline when freed. */
static bool release_frames(mfn_t mfn, unsigned int order, u64 free_info)
{
	struct page *pg = mfn_to_page(mfn), *end = pg + (1UL << order);
	u64 seen = 0;

	do {
		u64 info = pg->count_info;

		BUG_ON((info & (PAGE_STATE_MASK | PAGE_ALLOCATED | PAGE_MAPPED | PAGE_MAPPED_LARGE |
				PAGE_MAPS_MASK | PAGE_COUNT_MASK)) != PAGE_STATE_INUSE);
		seen |= info;
		pg->count_info = free_info | (info & PAGE_OFFLINING);
		pg->owner = PAGE_NO_OWNER;
	} while (++pg < end);
	return seen & PAGE_OFFLINING;
}

/* Frame by frame: marked ones go offline, the others back to the lists. */
static void free_around_offline(struct heap_node *node, mfn_t mfn, unsigned int order, bool dirty)
{
	for (unsigned long i = 0; i < 1UL << order; i++) {
		struct page *pg = mfn_to_page(mfn_add(mfn, i));

		if (pg->count_info & PAGE_OFFLINING) {
			pg->count_info = PAGE_STATE_OFFLINE;
			node->offline_pages++;
			continue;
		}
		heap_account(node, mfn, 1, dirty);
		block_merge(node, mfn_add(mfn, i), 0, dirty ? 0 : PAGE_NONE_DIRTY);
	}
}

void heap_free(mfn_t mfn, unsigned int order, bool dirty)
{
	u64 free_info = PAGE_STATE_FREE | (dirty ? PAGE_NEED_SCRUB : 0);
	struct heap_node *node = heap_nodes[numa_node_of(mfn)];
	unsigned long irq;

	BUG_ON(order > HEAP_MAX_ORDER || !IS_ALIGNED(mfn_x(mfn), 1UL << order));
	BUG_ON(!node || section_state(mfn) != SECTION_LIVE);
	irq = spin_lock_irqsave(&heap_lock);
	if (unlikely(release_frames(mfn, order, free_info))) {
		free_around_offline(node, mfn, order, dirty);
	} else {
		heap_account(node, mfn, 1L << order, dirty ? 1L << order : 0);
		block_merge(node, mfn, order, dirty ? 0 : PAGE_NONE_DIRTY);
	}
	if (unlikely(heap_free_pages_total >= heap_low_rearm))
		heap_low_recovered();
	spin_unlock_irqrestore(&heap_lock, irq);
}

void *heap_alloc_pages(unsigned int order, unsigned int flags)
{
	mfn_t mfn = heap_alloc(order, NUMA_NO_NODE, 0, flags);

	return mfn_eq(mfn, INVALID_MFN) ? NULL : mfn_to_virt(mfn);
}

/* What the hypervisor kept in its pages is nobody else's business: they count as dirty. */
void heap_free_pages(void *va, unsigned int order)
{
	if (va)
		heap_free(virt_to_mfn(va), order, true);
}

void heap_give_block(struct heap_node *node, mfn_t mfn, unsigned int order, bool dirty)
{
	node->total_pages += 1UL << order;
	heap_account(node, mfn, 1L << order, dirty ? 1L << order : 0);
	block_merge(node, mfn, order, dirty ? 0 : PAGE_NONE_DIRTY);
}

void heap_give_largest(struct heap_node *node, mfn_t mfn, unsigned long count, bool dirty)
{
	unsigned long pages = count << HEAP_MAX_ORDER;

	node->total_pages += pages;
	heap_account(node, mfn, (long)pages, dirty ? (long)pages : 0);
	for (; count; count--, mfn = mfn_add(mfn, 1UL << HEAP_MAX_ORDER))
		block_insert(node, mfn, HEAP_MAX_ORDER, dirty ? 0 : PAGE_NONE_DIRTY);
}
