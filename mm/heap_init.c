// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the boot allocator to the heap. Each range that bootmem has left is cut where the node changes, and each piece goes to the
 * strategy that heap-init= names:
 *
 *   lazy   maximal aligned blocks, sections that lie whole in one stay asleep: cost independent of the amount of RAM
 *   chunk  the same blocks, but every frame's struct is initialised
 *   page   each frame by itself, so that the blocks come about by merging
 *
 * All three end with the same free lists. Single CPU at boot; later calls of heap_add() take heap_lock.
 */
#include <tine/bootmem.h>
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/printk.h>
#include <tine/string.h>

#include "internal.h"

#define NODE_PAGES (ROUND_UP(sizeof(struct heap_node), PAGE_SIZE) >> PAGE_SHIFT)

static const struct heap_strategy *strategy = &heap_init_lazy;

static int parse_heap_init(const char *value)
{
	static const struct heap_strategy *const all[] = { &heap_init_page, &heap_init_chunk,
							   &heap_init_lazy };

	for (unsigned int i = 0; i < ARRAY_SIZE(all); i++) {
		if (!strcmp(value, all[i]->name)) {
			strategy = all[i];
			return 0;
		}
	}
	return -EINVAL;
}
CMDLINE_CUSTOM_OPTION("heap-init", heap_init, parse_heap_init);

const char *heap_init_strategy(void)
{
	return strategy->name;
}

static void node_create(nodeid_t id, mfn_t mfn)
{
	struct heap_node *node = mfn_to_virt(mfn);

	memset(node, 0, sizeof(*node));
	node->id = id;
	heap_nodes[id] = node;
}

/*
 * A node's lists live in its own memory, at that edge of the piece [START, END) which is the less aligned, so that the
 * better one stays as it is; its tail when both are alike. False when they do not fit.
 */
static bool node_create_in(nodeid_t id, mfn_t start, mfn_t end)
{
	unsigned long s = mfn_x(start), e = mfn_x(end);
	mfn_t at = lsb(s) >= lsb(e) ? _mfn(e - NODE_PAGES) : start;

	if (e - s < NODE_PAGES)
		return false;
	bootmem_reserve(at, NODE_PAGES, NULL); /* a log line costs more than all the rest */
	node_create(id, at);
	return true;
}

/* Calls FN for each piece of what bootmem has left that lies in one node, from the highest down; FN may reserve inside it. */
static void for_each_piece(void (*fn)(nodeid_t id, mfn_t start, mfn_t end))
{
	const struct mfn_range *ranges;

	for (unsigned int i = bootmem_ranges(&ranges); i-- > 0;) {
		mfn_t start = ranges[i].start, limit = ranges[i].end;

		while (mfn_x(start) < mfn_x(limit)) {
			unsigned long next = mfn_x(numa_range_end(start));
			mfn_t end = _mfn(min(next, mfn_x(limit)));

			fn(numa_node_of(start), start, end);
			start = end;
		}
	}
}

static void create_node_here(nodeid_t id, mfn_t start, mfn_t end)
{
	if (!heap_nodes[id])
		(void)node_create_in(id, start, end);
}

/* For nodes whose memory is all in pieces that are too small for their lists. */
static void create_node_elsewhere(nodeid_t id, mfn_t start, mfn_t end)
{
	mfn_t mfn;

	if (heap_nodes[id])
		return;
	mfn = bootmem_try_alloc(NODE_PAGES, 1, INVALID_MFN, NUMA_NO_NODE);
	if (mfn_eq(mfn, INVALID_MFN))
		pr_warn("Node %u: no memory for its heap; frames %lx-%lx are left out", id,
			mfn_x(start), mfn_x(end) - 1);
	else
		node_create(id, mfn);
}

static struct heap_init_stats totals;

static void add_piece(nodeid_t id, mfn_t start, mfn_t end)
{
	struct heap_node *node = heap_nodes[id];

	if (!node)
		return;
	totals.chunks += strategy->add(node, start, end, heap_boot_memory_dirty());
	totals.pages += mfn_x(end) - mfn_x(start);
}

void heap_init(struct heap_init_stats *stats)
{
	totals = (struct heap_init_stats){ .strategy = strategy->name };
	section_init();
	for_each_piece(create_node_here);
	for_each_piece(create_node_elsewhere);
	for_each_piece(add_piece);
	bootmem_close();
	for (unsigned int i = 0; i < MAX_NUMA_NODES; i++)
		totals.nodes += heap_nodes[i] != NULL;
	heap_low_init(totals.pages);
	*stats = totals;
}

static bool add_locked(mfn_t start, mfn_t end)
{
	struct heap_node *node = heap_nodes[numa_node_of(start)];

	if (node)
		strategy->add(node, start, end, true);
	return node != NULL;
}

void heap_add(mfn_t start, unsigned long count)
{
	mfn_t limit = mfn_add(start, count);

	while (mfn_x(start) < mfn_x(limit)) {
		mfn_t end = _mfn(min(mfn_x(numa_range_end(start)), mfn_x(limit)));
		unsigned long irq = spin_lock_irqsave(&heap_lock);
		bool added = add_locked(start, end);

		spin_unlock_irqrestore(&heap_lock, irq);
		if (!added)
			pr_warn("Node %u has no heap: frames %lx-%lx are left out",
				numa_node_of(start), mfn_x(start), mfn_x(end) - 1);
		start = end;
	}
}

void heap_frames_born(mfn_t mfn, unsigned int order, bool dirty)
{
	struct page *pg = mfn_to_page(mfn), *end = pg + (1UL << order);
	u64 info = PAGE_STATE_FREE | (dirty ? PAGE_NEED_SCRUB : 0);
	u64 found = PAGE_STATE_RESERVED;

	_Static_assert(PAGE_STATE_RESERVED == 0, "a state in which no bit is set");
	if (section_state(mfn) == SECTION_ABSENT) {
		if (order == SECTION_ORDER) {
			section_wake(mfn, info, info, 0);
			return;
		}
		section_wake(mfn, PAGE_STATE_RESERVED, PAGE_STATE_RESERVED, 0);
	}
#pragma GCC unroll 4
	for (; pg < end; pg++) {
		found |= pg->count_info;
		pg->count_info = info;
	}
	BUG_ON(found != PAGE_STATE_RESERVED); /* all of them were */
}
