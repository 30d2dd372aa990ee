// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the heap says about itself, and the check that it says the truth: heap_check() walks every list and every live
 * section and compares with the counts that are kept. For tests and the debug key; it holds heap_lock all the while.
 */
#include <tine/printk.h>
#include <tine/string.h>

#include "internal.h"

unsigned long heap_free_total(void)
{
	return READ_ONCE(heap_free_pages_total);
}

unsigned long heap_zone_free(nodeid_t node, unsigned int zone)
{
	if (node >= MAX_NUMA_NODES || !heap_nodes[node] || zone >= HEAP_ZONES)
		return 0;
	return READ_ONCE(heap_nodes[node]->zone[zone].free_pages);
}

static unsigned long list_length(const struct free_list *list)
{
	unsigned long n = 0;

	for (u32 link = list->head; link != PAGE_LINK_END; link = mfn_to_page(_mfn(link))->next)
		n++;
	return n;
}

void heap_node_stats(nodeid_t id, struct heap_node_stats *out)
{
	const struct heap_node *node = id < MAX_NUMA_NODES ? heap_nodes[id] : NULL;
	unsigned long irq;

	memset(out, 0, sizeof(*out));
	if (!node)
		return;
	irq = spin_lock_irqsave(&heap_lock);
	out->total_pages = node->total_pages;
	out->free_pages = node->free_pages;
	out->dirty_pages = node->dirty_pages;
	out->offline_pages = node->offline_pages;
	for (unsigned int z = 0; z < HEAP_ZONES; z++) {
		for (unsigned int order = 0; order <= HEAP_MAX_ORDER; order++)
			out->free_blocks[order] += list_length(&node->zone[z].list[order]);
	}
	spin_unlock_irqrestore(&heap_lock, irq);
}

void heap_for_each_block(void (*fn)(const struct heap_block *block, void *arg), void *arg)
{
	for (unsigned int id = 0; id < MAX_NUMA_NODES; id++) {
		const struct heap_node *node = heap_nodes[id];

		for (unsigned int i = 0; node && i < HEAP_ZONES * (HEAP_MAX_ORDER + 1); i++) {
			unsigned int z = i / (HEAP_MAX_ORDER + 1), order = i % (HEAP_MAX_ORDER + 1);
			u32 link = node->zone[z].list[order].head;

			while (link != PAGE_LINK_END) {
				struct heap_block block = { (nodeid_t)id, z, order, _mfn(link) };

				link = mfn_to_page(_mfn(link))->next;
				fn(&block, arg);
			}
		}
	}
}

/* ---- The check ---- */

struct check {
	unsigned long wrong;
	unsigned long free, dirty, zone_free[HEAP_ZONES]; /* of the node that is checked */
	unsigned long all_free;                           /* of all nodes, by lists */
};

#define COMPLAIN(c, ...)                                                                           \
	do {                                                                                       \
		(c)->wrong++;                                                                      \
		pr_err("heap check: " __VA_ARGS__);                                                \
	} while (0)

/* The frames of a live section that belong to the free block at HEAD. */
static void check_live_frames(struct check *c, mfn_t head, mfn_t first, unsigned long count,
			      u32 first_dirty)
{
	for (unsigned long i = 0; i < count; i++) {
		mfn_t mfn = mfn_add(first, i);
		const struct page *pg = mfn_to_page(mfn);
		u64 info = pg->count_info & ~PAGE_NEED_SCRUB;
		bool dirty = pg->count_info & PAGE_NEED_SCRUB;

		if (mfn_eq(mfn, head))
			info &= ~PAGE_HEAD_MASK;
		if (info != PAGE_STATE_FREE || pg->owner != PAGE_NO_OWNER)
			COMPLAIN(c, "frame %lx in free block %lx has state %lx", mfn_x(mfn),
				 mfn_x(head), pg->count_info);
		if (dirty && mfn_x(mfn) - mfn_x(head) < first_dirty)
			COMPLAIN(c, "frame %lx is dirty, its block's first is %u", mfn_x(mfn),
				 first_dirty);
		c->dirty += dirty;
	}
}

static void check_frames(struct check *c, mfn_t head, unsigned int order, u32 first_dirty)
{
	unsigned long size = 1UL << order, step = min(size, SECTION_FRAMES);

	for (unsigned long i = 0; i < size; i += step) {
		mfn_t mfn = mfn_add(head, i);

		switch (section_state(mfn)) {
		case SECTION_LIVE:
			check_live_frames(c, head, mfn, step, first_dirty);
			break;
		case SECTION_ASLEEP_DIRTY:
			c->dirty += SECTION_FRAMES;
			if (i + SECTION_FRAMES <= first_dirty)
				COMPLAIN(c, "section %lx is dirty, its block's first is %u",
					 mfn_x(mfn), first_dirty);
			break;
		case SECTION_ASLEEP:
			break;
		default:
			COMPLAIN(c, "free block %lx order %u is in an absent section", mfn_x(head),
				 order);
		}
	}
}

/* Checks one block and returns the link to the next; END when the list is broken there. */
static u32 check_block(struct check *c, const struct heap_node *node, unsigned int zone,
		       unsigned int order, u32 link, u32 prev)
{
	mfn_t head = _mfn(link), last = _mfn(link + (1UL << order) - 1);
	const struct page *pg = mfn_to_page(head);

	if (!IS_ALIGNED(link, 1UL << order) || !block_is_free(node, head, order)) {
		COMPLAIN(c, "node %u zone %u order %u: no block at %x (state %lx)", node->id, zone,
			 order, link, pg->count_info);
		return PAGE_LINK_END;
	}
	if (order < SECTION_ORDER && section_state(head) != SECTION_LIVE)
		COMPLAIN(c, "block %x order %u is in a section that is not live", link, order);
	if (frame_zone(head) != zone || frame_zone(last) != zone)
		COMPLAIN(c, "block %x order %u is in zone %u's list", link, order, zone);
	if (numa_node_of(head) != node->id || mfn_x(numa_range_end(head)) <= mfn_x(last))
		COMPLAIN(c, "block %x order %u is not all of node %u's", link, order, node->id);
	if (pg->free.first_dirty >> order && pg->free.first_dirty != PAGE_NONE_DIRTY)
		COMPLAIN(c, "block %x order %u: its first dirty frame is %u", link, order,
			 pg->free.first_dirty);
	if (pg->prev != prev)
		COMPLAIN(c, "block %x: previous is %x, not %x", link, pg->prev, prev);
	if (order < HEAP_MAX_ORDER && block_is_free(node, block_buddy(head, order), order))
		COMPLAIN(c, "block %x order %u and its buddy are both free", link, order);
	check_frames(c, head, order, pg->free.first_dirty);
	c->free += 1UL << order;
	c->zone_free[zone] += 1UL << order;
	return pg->next;
}

static void check_list(struct check *c, const struct heap_node *node, unsigned int zone,
		       unsigned int order)
{
	const struct free_list *list = &node->zone[zone].list[order];
	u32 prev = PAGE_LINK_END, link = list->head;
	bool some = node->zone[zone].orders & (1U << order);

	if (some != (link != PAGE_LINK_END))
		COMPLAIN(c, "node %u zone %u order %u: mask and list differ", node->id, zone,
			 order);
	while (link != PAGE_LINK_END) {
		u32 next = check_block(c, node, zone, order, link, prev);

		prev = link;
		link = next;
	}
	if (prev != list->tail)
		COMPLAIN(c, "node %u zone %u order %u: the tail is %x, not %x", node->id, zone,
			 order, list->tail, prev);
}

static void check_node(struct check *c, const struct heap_node *node)
{
	c->free = c->dirty = 0;
	memset(c->zone_free, 0, sizeof(c->zone_free));
	for (unsigned int z = 0; z < HEAP_ZONES; z++) {
		for (unsigned int order = 0; order <= HEAP_MAX_ORDER; order++)
			check_list(c, node, z, order);
		if (c->zone_free[z] != node->zone[z].free_pages)
			COMPLAIN(c, "node %u zone %u: %lu frames free, counted %lu", node->id, z,
				 node->zone[z].free_pages, c->zone_free[z]);
		if (!(node->zones & BIT(z)) != !node->zone[z].orders)
			COMPLAIN(c, "node %u: zone %u's bit is wrong", node->id, z);
	}
	if (c->free != node->free_pages)
		COMPLAIN(c, "node %u: %lu frames free, counted %lu", node->id, node->free_pages,
			 c->free);
	if (c->dirty != node->dirty_pages)
		COMPLAIN(c, "node %u: %lu frames dirty, counted %lu", node->id, node->dirty_pages,
			 c->dirty);
	c->all_free += c->free;
}

/* Free frames by sections: none may be free without being on a list. */
static unsigned long free_by_sections(void)
{
	unsigned long n = 0, count = nr_sections;

	for (unsigned long s = 0; s < count; s++) {
		mfn_t start = _mfn(s << SECTION_ORDER);
		enum section_state state = section_state(start);
		const struct page *pg = mfn_to_page(start);

		if (state == SECTION_ASLEEP || state == SECTION_ASLEEP_DIRTY)
			n += SECTION_FRAMES;
		for (unsigned int i = 0; state == SECTION_LIVE && i < SECTION_FRAMES; i++)
			n += (READ_ONCE(pg[i].count_info) & PAGE_STATE_MASK) == PAGE_STATE_FREE;
	}
	return n;
}

unsigned long heap_check(void)
{
	struct check c = { 0 };
	unsigned long irq = spin_lock_irqsave(&heap_lock), by_sections;

	for (unsigned int id = 0; id < MAX_NUMA_NODES; id++) {
		if (heap_nodes[id])
			check_node(&c, heap_nodes[id]);
	}
	by_sections = free_by_sections();
	if (c.all_free != heap_free_pages_total || by_sections != c.all_free)
		COMPLAIN(&c, "%lu frames free, %lu on lists, %lu by their structs",
			 heap_free_pages_total, c.all_free, by_sections);
	spin_unlock_irqrestore(&heap_lock, irq);
	return c.wrong;
}
