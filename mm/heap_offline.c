// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Taking single frames off the heap, as when memory reports errors, and giving them back. A frame that is free goes at
 * once; one in use is marked and goes when it is freed (heap_free()). heap_lock guards the states.
 */
#include <tine/errno.h>

#include "internal.h"

static bool block_holds(mfn_t head, unsigned int order, mfn_t mfn)
{
	return mfn_x(mfn) >> order == mfn_x(head) >> order;
}

/* Of blocks below section size the head is in MFN's own, live section. */
static bool find_small_block(const struct heap_node *node, mfn_t mfn, mfn_t *head,
			     unsigned int *order)
{
	if (section_state(mfn) != SECTION_LIVE)
		return false;
	for (*order = 0; *order < SECTION_ORDER; ++*order) {
		*head = _mfn(ROUND_DOWN(mfn_x(mfn), 1UL << *order));
		if (block_is_free(node, *head, *order))
			return true;
	}
	return false;
}

/* Larger blocks may have a head that sleeps, so only the lists know where it is. */
static bool find_large_block(const struct heap_node *node, mfn_t mfn, mfn_t *head,
			     unsigned int *order)
{
	const struct heap_zone *zone = &node->zone[frame_zone(mfn)];

	for (*order = SECTION_ORDER; *order <= HEAP_MAX_ORDER; ++*order) {
		u32 link = zone->list[*order].head;

		for (; link != PAGE_LINK_END; link = mfn_to_page(_mfn(link))->next) {
			*head = _mfn(link);
			if (block_holds(*head, *order, mfn))
				return true;
		}
	}
	return false;
}

static void offline_free_frame(struct heap_node *node, mfn_t mfn)
{
	struct page *pg = mfn_to_page(mfn);
	unsigned int order;
	u32 first_dirty;
	mfn_t head;

	if (!find_small_block(node, mfn, &head, &order))
		BUG_ON(!find_large_block(node, mfn, &head, &order));
	first_dirty = block_remove(node, head, order);
	head = block_cut(node, head, order, 0, mfn, &first_dirty);
	heap_account(node, head, -1, pg->count_info & PAGE_NEED_SCRUB ? -1 : 0);
	pg->count_info = PAGE_STATE_OFFLINE;
	node->offline_pages++;
}

/* With heap_lock held. */
static int offline(mfn_t mfn)
{
	struct heap_node *node = heap_nodes[numa_node_of(mfn)];
	enum section_state state = section_state(mfn);
	struct page *pg = mfn_to_page(mfn);

	if (state == SECTION_ABSENT || !node)
		return -EINVAL;
	if (state == SECTION_LIVE) {
		switch (READ_ONCE(pg->count_info) & PAGE_STATE_MASK) {
		case PAGE_STATE_RESERVED:
			return -EINVAL;
		case PAGE_STATE_OFFLINE:
			return 0;
		case PAGE_STATE_INUSE:
			__atomic_fetch_or(&pg->count_info, PAGE_OFFLINING, __ATOMIC_RELAXED);
			return -EBUSY;
		default:
			break;
		}
	}
	offline_free_frame(node, mfn);
	return 0;
}

int heap_offline(mfn_t mfn)
{
	unsigned long irq = spin_lock_irqsave(&heap_lock);
	int rc = offline(mfn);

	spin_unlock_irqrestore(&heap_lock, irq);
	return rc;
}

/* With heap_lock held. What the frame holds is unknown, so it comes back dirty. */
static int online(mfn_t mfn)
{
	struct heap_node *node = heap_nodes[numa_node_of(mfn)];
	struct page *pg = mfn_to_page(mfn);
	u64 info;

	if (section_state(mfn) != SECTION_LIVE)
		return -EINVAL;
	info = READ_ONCE(pg->count_info);
	if (info & PAGE_OFFLINING) {
		__atomic_fetch_and(&pg->count_info, ~PAGE_OFFLINING, __ATOMIC_RELAXED);
		return 0;
	}
	if ((info & PAGE_STATE_MASK) != PAGE_STATE_OFFLINE)
		return -EINVAL;
	pg->count_info = PAGE_STATE_FREE | PAGE_NEED_SCRUB;
	node->offline_pages--;
	heap_account(node, mfn, 1, 1);
	block_merge(node, mfn, 0, 0);
	return 0;
}

int heap_online(mfn_t mfn)
{
	unsigned long irq = spin_lock_irqsave(&heap_lock);
	int rc = online(mfn);

	spin_unlock_irqrestore(&heap_lock, irq);
	return rc;
}
