// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scrubbing of free memory by CPUs that have nothing else to do. A block stays on its list while a CPU scrubs in it. That CPU
 * picks, with heap_lock held, a short run of dirty frames and writes its number into the block's head; cleans the run
 * without the lock; and records the result with the lock held again.
 *
 * Whoever takes the block off its list meanwhile (to allocate it, to merge it) holds heap_lock and calls heap_scrub_stop(): it sets
 * `cancel` and waits while `busy`. BUSY is set around one frame at a time, with interrupts off, so the wait is short, cannot
 * meet a CPU that waits for heap_lock itself, and on the scrubbing CPU's own interrupts is none at all. A run that was
 * cancelled is forgotten: its frames are still marked dirty, and cleaned again later.
 *
 * bootscrub=off takes memory as firmware left it for clean. on and idle take it for dirty; with on the boot waits.
 */
#include <tine/cmdline.h>
#include <tine/cpu.h>
#include <tine/errno.h>
#include <tine/string.h>

#include <asm/barrier.h>
#include <asm/irqflags.h>

#include "internal.h"

#define RUN_MAX 16U      /* frames cleaned in one step: some 8000 instructions */
#define SCAN_SECTIONS 4U /* live sections searched in one step, with the lock held */

static enum { BOOTSCRUB_OFF, BOOTSCRUB_ON, BOOTSCRUB_IDLE } bootscrub = BOOTSCRUB_IDLE;

static int parse_bootscrub(const char *value)
{
	if (!strcmp(value, "off") || !strcmp(value, "no") || !strcmp(value, "0"))
		bootscrub = BOOTSCRUB_OFF;
	else if (!strcmp(value, "on") || !strcmp(value, "yes") || !strcmp(value, "1"))
		bootscrub = BOOTSCRUB_ON;
	else if (!strcmp(value, "idle"))
		bootscrub = BOOTSCRUB_IDLE;
	else
		return -EINVAL;
	return 0;
}
CMDLINE_CUSTOM_OPTION("bootscrub", bootscrub, parse_bootscrub);

struct scrubber {
	bool cancel; /* set by who takes the block away */
	bool busy;   /* in the middle of a frame */
};
static DEFINE_PERCPU(struct scrubber, scrubber);

/* Dirty frames of a free block: [first, first + count), COUNT 0: none found up to FIRST. */
struct run {
	struct heap_node *node;
	mfn_t head;
	unsigned int order;
	u32 first, count;
};

bool heap_boot_memory_dirty(void)
{
	return bootscrub != BOOTSCRUB_OFF;
}

void heap_boot_scrub(void)
{
	if (bootscrub == BOOTSCRUB_ON) {
		while (heap_scrub_idle())
			;
	}
}

void scrub_frame(mfn_t mfn)
{
	memset(mfn_to_virt(mfn), 0, PAGE_SIZE);
}

void heap_scrub_stop(const struct page *pg)
{
	struct scrubber *s = &per_cpu(scrubber, pg->free.scrubber - 1U);

	WRITE_ONCE(s->cancel, true);
	smp_mb(); /* against the one in clean_run(): either it sees CANCEL or we see BUSY */
	while (__atomic_load_n(&s->busy, __ATOMIC_ACQUIRE))
		cpu_relax();
}

/* The next dirty frames of a live section from index FIRST of the block on. Its end, with COUNT 0, when there are none. */
static void find_in_live(struct run *run)
{
	u32 end = ROUND_DOWN(run->first, (u32)SECTION_FRAMES) + SECTION_FRAMES, i = run->first;
	const struct page *pg = mfn_to_page(run->head);

	end = min(end, 1U << run->order);
	while (i < end && !(pg[i].count_info & PAGE_NEED_SCRUB))
		i++;
	run->first = i;
	while (i < end && i - run->first < RUN_MAX && (pg[i].count_info & PAGE_NEED_SCRUB))
		i++;
	run->count = i - run->first;
}

static void find_run(struct run *run)
{
	unsigned int scanned = 0;

	run->count = 0;
	while (!run->count && run->first < 1U << run->order && scanned < SCAN_SECTIONS) {
		u32 section_end = ROUND_DOWN(run->first, (u32)SECTION_FRAMES) + SECTION_FRAMES;

		switch (section_state(mfn_add(run->head, run->first))) {
		case SECTION_LIVE:
			find_in_live(run);
			scanned++;
			break;
		case SECTION_ASLEEP_DIRTY:
			run->count = min(section_end - run->first, RUN_MAX);
			break;
		default:
			run->first = section_end;
		}
	}
}

/* The scrubber has come to index FIRST of the block: remembers that, and moves a block that is clean now to the list's head. */
static void advance(const struct run *run, u32 first)
{
	struct page *pg = mfn_to_page(run->head);

	if (first < 1U << run->order) {
		pg->free.first_dirty = first;
		return;
	}
	block_remove(run->node, run->head, run->order);
	block_insert(run->node, run->head, run->order, PAGE_NONE_DIRTY);
}

/* Some dirty block of NODE in which nobody scrubs: large ones first, since they are what guests start on. */
static bool find_dirty_block(struct heap_node *node, struct run *run)
{
	for (u64 zones = node->zones; zones; zones &= ~BIT(msb(zones))) {
		const struct heap_zone *zone = &node->zone[msb(zones)];

		for (u32 orders = zone->orders; orders; orders &= ~(1U << msb(orders))) {
			u32 link = zone->list[msb(orders)].tail;
			const struct page *pg = mfn_to_page(_mfn(link));

			while (pg->free.scrubber && pg->prev != PAGE_LINK_END) {
				link = pg->prev;
				pg = mfn_to_page(_mfn(link));
			}
			if (pg->free.scrubber || pg->free.first_dirty == PAGE_NONE_DIRTY)
				continue;
			*run = (struct run){ node, _mfn(link), msb(orders), pg->free.first_dirty,
					     0 };
			return true;
		}
	}
	return false;
}

/* Claims a run of dirty frames for this CPU, this CPU's node first. False: nothing is left for it to do. */
static bool claim(struct run *run)
{
	nodeid_t here = cpu_to_node(smp_processor_id());

	for (unsigned int i = 0; i < numa_nr_nodes(); i++) {
		struct heap_node *node = heap_nodes[numa_fallback(here, i)];

		if (!node || !node->dirty_pages || !find_dirty_block(node, run))
			continue;
		find_run(run);
		if (!run->count) {
			advance(run, run->first);
			return true;
		}
		mfn_to_page(run->head)->free.scrubber = (u8)(smp_processor_id() + 1);
		WRITE_ONCE(this_cpu(scrubber).cancel, false);
		return true;
	}
	return false;
}

static void clean_run(const struct run *run)
{
	struct scrubber *self = &per_cpu(scrubber, smp_processor_id());
	bool cancelled = false;

	for (u32 i = 0; i < run->count && !cancelled; i++) {
		unsigned long irq = local_irq_save();

		WRITE_ONCE(self->busy, true);
		smp_mb(); /* against the one in heap_scrub_stop() */
		cancelled = READ_ONCE(self->cancel);
		if (!cancelled)
			scrub_frame(mfn_add(run->head, run->first + i));
		__atomic_store_n(&self->busy, false, __ATOMIC_RELEASE);
		local_irq_restore(irq);
	}
}

static void record(const struct run *run)
{
	mfn_t first = mfn_add(run->head, run->first);
	u32 end = run->first + run->count;

	mfn_to_page(run->head)->free.scrubber = 0;
	if (section_state(first) == SECTION_LIVE) {
		for (u32 i = 0; i < run->count; i++)
			mfn_to_page(mfn_add(first, i))->count_info &= ~PAGE_NEED_SCRUB;
		heap_account_dirty(run->node, -(long)run->count);
	} else if (IS_ALIGNED(end, (u32)SECTION_FRAMES)) {
		section_set_clean(first);
		heap_account_dirty(run->node, -(long)SECTION_FRAMES);
	}
	advance(run, end);
}

static bool anything_dirty(void)
{
	for (unsigned int i = 0; i < numa_nr_nodes(); i++) {
		if (heap_nodes[i] && READ_ONCE(heap_nodes[i]->dirty_pages))
			return true;
	}
	return false;
}

bool heap_scrub_idle(void)
{
	struct run run = { .count = 0 };
	unsigned long irq;
	bool found;

	if (!anything_dirty())
		return false; /* the usual answer, for which no CPU should wait for heap_lock */
	irq = local_irq_save();
	if (!spin_trylock(&heap_lock)) { /* nor stand in line before those who need memory */
		local_irq_restore(irq);
		cpu_relax();
		return true;
	}
	found = claim(&run);
	spin_unlock_irqrestore(&heap_lock, irq);
	if (!run.count)
		return found;
	clean_run(&run);
	irq = spin_lock_irqsave(&heap_lock);
	if (!READ_ONCE(this_cpu(scrubber).cancel))
		record(&run);
	spin_unlock_irqrestore(&heap_lock, irq);
	return true;
}
