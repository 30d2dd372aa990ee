// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Free blocks: the lists of a node, splitting and merging. A list is linked by frame numbers through the head frames'
 * structs; clean blocks are at its head, those that may be dirty at its tail. Invariant: a free block is on the one list
 * of its node, zone and order, and no two free buddies of a node exist below the largest order.
 *
 * Everything here needs heap_lock (at boot there is one CPU).
 */
#include "internal.h"

/* Where a block's list is. All that is cut from a block and all that it merges with is in the same zone. */
struct place {
	struct heap_node *node;
	struct heap_zone *zone;
	u64 zone_bit;
};

static __always_inline struct place place_of(struct heap_node *node, mfn_t mfn)
{
	unsigned int z = frame_zone(mfn);

	return (struct place){ node, &node->zone[z], BIT(z) };
}

static struct page *link_page(u32 link)
{
	return mfn_to_page(_mfn(link));
}

static bool asleep(mfn_t mfn, unsigned int order)
{
	return order >= SECTION_ORDER && section_state(mfn) != SECTION_LIVE;
}

static void list_push_head(struct free_list *list, struct page *pg, u32 link)
{
	pg->prev = PAGE_LINK_END;
	pg->next = list->head;
	if (list->head == PAGE_LINK_END)
		list->tail = link;
	else
		link_page(list->head)->prev = link;
	list->head = link;
}

static void list_push_tail(struct free_list *list, struct page *pg, u32 link)
{
	pg->next = PAGE_LINK_END;
	pg->prev = list->tail;
	if (list->tail == PAGE_LINK_END)
		list->head = link;
	else
		link_page(list->tail)->next = link;
	list->tail = link;
}

static void list_unlink(struct free_list *list, const struct page *pg)
{
	if (pg->prev == PAGE_LINK_END)
		list->head = pg->next;
	else
		link_page(pg->prev)->next = pg->next;
	if (pg->next == PAGE_LINK_END)
		list->tail = pg->prev;
	else
		link_page(pg->next)->prev = pg->prev;
}

/* Inlined, like remove(): a frame that is allocated or freed means two or three of them, and they are all of the cost. */
static __always_inline void insert(const struct place *at, mfn_t mfn, unsigned int order,
				   u32 first_dirty)
{
	struct free_list *list = &at->zone->list[order];
	struct page *pg = mfn_to_page(mfn);

	if (asleep(mfn, order)) {
		mem_unpoison(pg, sizeof(*pg));
		pg->count_info = PAGE_STATE_FREE | PAGE_HEAD(order);
	} else {
		pg->count_info |= PAGE_HEAD(order);
	}
	pg->free.first_dirty = first_dirty;
	pg->free.node = at->node->id;
	pg->free.scrubber = 0;
	if (likely(first_dirty == PAGE_NONE_DIRTY))
		list_push_head(list, pg, (u32)mfn_x(mfn));
	else
		list_push_tail(list, pg, (u32)mfn_x(mfn));
	at->zone->orders |= 1U << order;
	at->node->zones |= at->zone_bit;
}

static __always_inline u32 remove(const struct place *at, mfn_t mfn, unsigned int order)
{
	struct free_list *list = &at->zone->list[order];
	struct page *pg = mfn_to_page(mfn);

	if (unlikely(pg->free.scrubber))
		heap_scrub_stop(pg);
	list_unlink(list, pg);
	pg->count_info &= ~PAGE_HEAD_MASK;
	if (list->head == PAGE_LINK_END) {
		at->zone->orders &= ~(1U << order);
		if (!at->zone->orders)
			at->node->zones &= ~at->zone_bit;
	}
	return pg->free.first_dirty;
}

void block_insert(struct heap_node *node, mfn_t mfn, unsigned int order, u32 first_dirty)
{
	struct place at = place_of(node, mfn);

	insert(&at, mfn, order, first_dirty);
}

u32 block_remove(struct heap_node *node, mfn_t mfn, unsigned int order)
{
	struct place at = place_of(node, mfn);

	return remove(&at, mfn, order);
}

static __always_inline bool is_free(const struct heap_node *node, mfn_t mfn, unsigned int order)
{
	const struct page *pg = mfn_to_page(mfn);

	if (order >= SECTION_ORDER && section_state(mfn) == SECTION_ABSENT)
		return false;
	return (READ_ONCE(pg->count_info) & (PAGE_STATE_MASK | PAGE_HEAD_MASK)) ==
		       (PAGE_STATE_FREE | PAGE_HEAD(order)) &&
	       pg->free.node == node->id;
}

bool block_is_free(const struct heap_node *node, mfn_t mfn, unsigned int order)
{
	return is_free(node, mfn, order);
}

/* first_dirty of the block that LOW and HIGH make, each of HALF frames. */
static u32 merged_dirty(u32 low, u32 high, u32 half)
{
	if (low != PAGE_NONE_DIRTY)
		return low;
	return high == PAGE_NONE_DIRTY ? PAGE_NONE_DIRTY : half + high;
}

void block_merge(struct heap_node *node, mfn_t mfn, unsigned int order, u32 first_dirty)
{
	struct place at = place_of(node, mfn);

	while (order < HEAP_MAX_ORDER) {
		mfn_t buddy = block_buddy(mfn, order), high = mfn;
		u32 half = 1U << order, other;

		if (!is_free(node, buddy, order))
			break;
		other = remove(&at, buddy, order);
		if (mfn_x(buddy) < mfn_x(mfn)) {
			first_dirty = merged_dirty(other, first_dirty, half);
			mfn = buddy;
		} else {
			first_dirty = merged_dirty(first_dirty, other, half);
			high = buddy;
		}
		if (MEM_POISONING && asleep(high, order))
			mem_poison(mfn_to_page(high), sizeof(struct page));
		order++;
	}
	insert(&at, mfn, order, first_dirty);
}

void block_wake_section(struct heap_node *node, mfn_t mfn, u32 first_dirty)
{
	enum section_state state = section_state(mfn);
	unsigned long clean = SECTION_FRAMES;

	if (state == SECTION_LIVE)
		return;
	BUG_ON(state == SECTION_ABSENT);
	if (state == SECTION_ASLEEP_DIRTY) {
		BUG_ON(first_dirty >= SECTION_FRAMES);
		clean = first_dirty;
		heap_account_dirty(node, -(long)clean);
	}
	section_wake(mfn, PAGE_STATE_FREE, PAGE_STATE_FREE | PAGE_NEED_SCRUB, clean);
}

/* first_dirty of a block, as it is for its lower and its upper part of HALF frames each; the latter is a lower bound. */
static u32 low_dirty(u32 first_dirty, u32 half)
{
	return first_dirty < half ? first_dirty : PAGE_NONE_DIRTY;
}

static u32 high_dirty(u32 first_dirty, u32 half)
{
	if (first_dirty == PAGE_NONE_DIRTY)
		return PAGE_NONE_DIRTY;
	return first_dirty > half ? first_dirty - half : 0;
}

static __always_inline mfn_t cut(const struct place *at, mfn_t mfn, unsigned int from,
				 unsigned int to, mfn_t wanted, u32 *first_dirty)
{
	while (from > to) {
		u32 dirty = *first_dirty, half;
		mfn_t high;

		if (from == SECTION_ORDER)
			block_wake_section(at->node, mfn, dirty);
		half = 1U << --from;
		high = mfn_add(mfn, half);
		if (mfn_x(wanted) < mfn_x(high)) {
			insert(at, high, from, high_dirty(dirty, half));
			*first_dirty = low_dirty(dirty, half);
		} else {
			insert(at, mfn, from, low_dirty(dirty, half));
			*first_dirty = high_dirty(dirty, half);
			mfn = high;
		}
	}
	return mfn;
}

mfn_t block_cut(struct heap_node *node, mfn_t mfn, unsigned int from, unsigned int to, mfn_t wanted,
		u32 *first_dirty)
{
	struct place at = place_of(node, mfn);

	return cut(&at, mfn, from, to, wanted, first_dirty);
}

/*
 * From the highest zone that has a block large enough, since low memory is what runs out first, the smallest such
 * block, of several a clean one, or when the caller does not care a dirty one.
 */
mfn_t block_take(struct heap_node *node, u64 zones, unsigned int order, bool want_clean,
		 u32 *first_dirty)
{
	for (zones &= node->zones; zones; zones &= ~BIT(msb(zones))) {
		struct place at = { node, &node->zone[msb(zones)], BIT(msb(zones)) };
		u32 orders = at.zone->orders >> order << order;
		const struct free_list *list;
		mfn_t mfn;

		if (!orders)
			continue;
		list = &at.zone->list[lsb(orders)];
		mfn = _mfn(want_clean ? list->head : list->tail);
		*first_dirty = remove(&at, mfn, lsb(orders));
		return cut(&at, mfn, lsb(orders), order, mfn, first_dirty);
	}
	return INVALID_MFN;
}
