// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Free blocks: the lists of a node, splitting and merging. A list is linked by frame numbers through the head frames'
 * structs; clean blocks are at its head, those that may be dirty at its tail. Invariant: a free block is on the one list
 * of its node, zone and order, and no two free buddies of a node exist below the largest order.
 *
 * Everything here needs heap_lock (at boot there is one CPU).
 */
#include "internal.h"

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

void block_insert(struct heap_node *node, mfn_t mfn, unsigned int order, u32 first_dirty)
{
	unsigned int z = frame_zone(mfn);
	struct heap_zone *zone = &node->zone[z];
	struct page *pg = mfn_to_page(mfn);

	if (asleep(mfn, order)) {
		mem_unpoison(pg, sizeof(*pg));
		pg->count_info = PAGE_STATE_FREE | PAGE_HEAD(order);
	} else {
		pg->count_info |= PAGE_HEAD(order);
	}
	pg->free.first_dirty = first_dirty;
	pg->free.node = node->id;
	pg->free.scrubber = 0;
	if (first_dirty == PAGE_NONE_DIRTY)
		list_push_head(&zone->list[order], pg, (u32)mfn_x(mfn));
	else
		list_push_tail(&zone->list[order], pg, (u32)mfn_x(mfn));
	zone->orders |= 1U << order;
	node->zones |= BIT(z);
}

u32 block_remove(struct heap_node *node, mfn_t mfn, unsigned int order)
{
	unsigned int z = frame_zone(mfn);
	struct heap_zone *zone = &node->zone[z];
	struct free_list *list = &zone->list[order];
	struct page *pg = mfn_to_page(mfn);

	if (unlikely(pg->free.scrubber))
		heap_scrub_stop(pg);
	list_unlink(list, pg);
	pg->count_info &= ~PAGE_HEAD_MASK;
	if (list->head == PAGE_LINK_END) {
		zone->orders &= ~(1U << order);
		if (!zone->orders)
			node->zones &= ~BIT(z);
	}
	return pg->free.first_dirty;
}

bool block_is_free(const struct heap_node *node, mfn_t mfn, unsigned int order)
{
	const struct page *pg = mfn_to_page(mfn);

	if (order >= SECTION_ORDER && section_state(mfn) == SECTION_ABSENT)
		return false;
	return (READ_ONCE(pg->count_info) & (PAGE_STATE_MASK | PAGE_HEAD_MASK)) ==
		       (PAGE_STATE_FREE | PAGE_HEAD(order)) &&
	       pg->free.node == node->id;
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
	while (order < HEAP_MAX_ORDER) {
		mfn_t buddy = block_buddy(mfn, order), high = mfn;
		u32 half = 1U << order, other;

		if (!block_is_free(node, buddy, order))
			break;
		other = block_remove(node, buddy, order);
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
	block_insert(node, mfn, order, first_dirty);
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
		node->dirty_pages -= clean;
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

mfn_t block_cut(struct heap_node *node, mfn_t mfn, unsigned int from, unsigned int to, mfn_t wanted,
		u32 *first_dirty)
{
	while (from > to) {
		u32 dirty = *first_dirty, half;
		mfn_t high;

		if (from == SECTION_ORDER)
			block_wake_section(node, mfn, dirty);
		half = 1U << --from;
		high = mfn_add(mfn, half);
		if (mfn_x(wanted) < mfn_x(high)) {
			block_insert(node, high, from, high_dirty(dirty, half));
			*first_dirty = low_dirty(dirty, half);
		} else {
			block_insert(node, mfn, from, low_dirty(dirty, half));
			*first_dirty = high_dirty(dirty, half);
			mfn = high;
		}
	}
	return mfn;
}
