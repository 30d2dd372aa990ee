// SPDX-License-Identifier: GPL-2.0-or-later
/* See pv_tables.h. */
#include "pv_tables.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../../arch/x86/pv/internal.h"
#include "../../arch/x86/pv/tlb.h"
#include "host_sched.h"
#include <tine/heap.h>
#include <tine/softirq.h>

#define MAX_FRAMES 256
#define SLOT_MARK 0x00abcdef00000000UL /* not present, so it is no entry */
#define BUSY_SLOTS 12U                 /* most changes go there, for them to meet */

struct pv_tables_seen pv_tables_seen;

static struct domain *d;
static mfn_t frames[MAX_FRAMES];
static unsigned int nr_frames;

#define SEEN(what) __atomic_fetch_add(&pv_tables_seen.what, 1, __ATOMIC_RELAXED)

/* ---- What page_type.c and page_table.c ask for ---- */

u32 pv_tlb_clock;
DEFINE_PERCPU(u32, pv_tlb_flushed);

void pv_tlb_flush_since(const struct domain *of, u32 stamp)
{
	SEEN(flushes);
}

void pv_tlb_flush_mask(const struct domain *of, const cpumask_t *cpus)
{
	SEEN(flushes);
}

void pv_fill_hypervisor_slots(const struct domain *of, u64 *table)
{
	for (unsigned int i = 256; i < 272; i++)
		table[i] = SLOT_MARK | i;
}

u64 pv_entry_redirect(const struct domain *of, u64 entry)
{
	return entry;
}

/* ---- The guest ---- */

static u64 rnd_of(struct pv_guest *g, u64 below)
{
	g->random = g->random * 6364136223846793005 + 1442695040888963407;
	return (g->random >> 33) % below;
}

static u64 *table_of(unsigned int frame)
{
	return mfn_to_virt(frames[frame]);
}

static unsigned int any_slot(struct pv_guest *g)
{
	if (rnd_of(g, 8))
		return (unsigned int)rnd_of(g, BUSY_SLOTS) * 43 % PT_ENTRIES;
	return (unsigned int)rnd_of(g, PT_ENTRIES);
}

/* Mostly an entry that could be good: else no level above 1 would ever come about. */
static u64 any_entry(struct pv_guest *g)
{
	u64 flags = PTE_P;
	mfn_t mfn = frames[rnd_of(g, nr_frames)];

	if (!rnd_of(g, 3))
		return rnd_of(g, 2) ? 0 : pte_make(mfn, 0);
	if (!rnd_of(g, 3))
		flags |= PTE_RW;
	if (rnd_of(g, 2))
		flags |= PTE_US;
	if (!rnd_of(g, 4))
		flags |= PTE_A | PTE_D | PTE_NX;
	switch (rnd_of(g, 64)) {
	case 0:
		flags |= PTE_PSE;
		break;
	case 1:
		flags |= PTE_G;
		break;
	case 2:
		mfn = _mfn(rnd_of(g, 1UL << 36));
		break;
	}
	return pte_make(mfn, flags);
}

/* Other CPUs of the guest may write there at the same time. */
static void store(unsigned int frame, unsigned int slot, u64 value)
{
	__atomic_store_n(&table_of(frame)[slot], value, __ATOMIC_RELAXED);
}

/* As the guest's own stores to memory that it has mapped writable. */
static void scribble(struct pv_guest *g)
{
	unsigned int frame = (unsigned int)rnd_of(g, nr_frames);
	bool clear = !rnd_of(g, 2);

	if (pv_page_get_type(d, frames[frame], PV_TYPE_WRITABLE))
		return;
	for (unsigned int i = 0; clear && i < PT_ENTRIES; i++)
		store(frame, i, 0);
	for (unsigned int i = 0; i < 3; i++)
		store(frame, any_slot(g), any_entry(g));
	pv_page_put_type(mfn_to_page(frames[frame]));
}

/* Is there a softirq that makes long work pause? */
static void others_wait(struct pv_guest *g)
{
	__atomic_store_n(&per_cpu(softirq_pending, smp_processor_id()), !rnd_of(g, 3),
			 __ATOMIC_RELAXED);
}

static void pin(struct pv_guest *g)
{
	unsigned int frame = (unsigned int)rnd_of(g, nr_frames);
	enum pv_type level = (enum pv_type)(1 + rnd_of(g, 4));

	int rc = pv_pin(d, frames[frame], level);

	/* A hypercall that is continued, or whose guest had something else to do. */
	while (rc == -ERESTART) {
		SEEN(paused);
		if (!rnd_of(g, 3))
			return;
		others_wait(g);
		rc = pv_pin(d, frames[frame], level);
	}
	if (rc)
		SEEN(pin_refused);
	else
		SEEN(pinned[level]);
}

static void unpin(struct pv_guest *g)
{
	(void)!pv_unpin(d, frames[rnd_of(g, nr_frames)]);
}

static void update(struct pv_guest *g)
{
	unsigned int frame = (unsigned int)rnd_of(g, nr_frames), slot = any_slot(g);
	struct page *pg = mfn_to_page(frames[frame]);
	enum pv_type level = pgt_type(READ_ONCE(pg->type_info));

	if (level < PV_TYPE_L1 || level > PV_TYPE_L4 || !pv_slot_is_guests(level, slot))
		return;
	assert_true(page_get(pg, d));
	if (pv_type_hold(pg, level)) {
		u64 *at = &table_of(frame)[slot];
		int rc;

		if (rnd_of(g, 4))
			rc = pv_entry_update(d, d->id, at, any_entry(g), level, rnd_of(g, 2));
		else /* as the emulation of a store does it */
			rc = pv_entry_exchange(d, at, READ_ONCE(*at), any_entry(g), level);
		if (rc)
			SEEN(update_refused);
		else
			SEEN(updated[level]);
		/* The CPU walks the table and marks what it used. */
		if (READ_ONCE(table_of(frame)[slot]) & PTE_P)
			__atomic_fetch_or(&table_of(frame)[slot], PTE_A, __ATOMIC_RELAXED);
		pv_type_put(pg);
	}
	page_put(pg);
}

static void hold(struct pv_guest *g)
{
	unsigned int frame = (unsigned int)rnd_of(g, nr_frames);
	bool writable = rnd_of(g, 2);

	if (g->nr_holds == ARRAY_SIZE(g->holds))
		return;
	if (pv_page_get_type(d, frames[frame], writable ? PV_TYPE_WRITABLE : PV_TYPE_DESC)) {
		SEEN(hold_refused);
		return;
	}
	SEEN(held);
	g->holds[g->nr_holds].frame = frame;
	g->holds[g->nr_holds++].writable = writable;
}

static void let_go(struct pv_guest *g)
{
	if (g->nr_holds)
		pv_page_put_type(mfn_to_page(frames[g->holds[--g->nr_holds].frame]));
}

void pv_guest_step(struct pv_guest *g)
{
	others_wait(g);
	if (pv_any_dying(d) && rnd_of(g, 2) && !pv_dying_reap(d))
		SEEN(reap_paused);
	switch (rnd_of(g, 16)) {
	case 0:
		hold(g);
		break;
	case 1:
		let_go(g);
		break;
	case 2:
	case 3:
	case 4:
		scribble(g);
		break;
	case 5:
	case 6:
	case 7:
		pin(g);
		break;
	case 8:
	case 9:
		unpin(g);
		break;
	default:
		update(g);
		break;
	}
}

void pv_guest_release(struct pv_guest *g)
{
	while (g->nr_holds)
		let_go(g);
}

/* ---- The checker ---- */

struct expected {
	u64 general, typed;
	enum pv_type type; /* of those */
};

static struct expected want[MAX_FRAMES];
static unsigned long wrong;

#define WRONG(...)                                                                                 \
	do {                                                                                       \
		if (wrong++ < 10)                                                                  \
			fprintf(stderr, __VA_ARGS__);                                              \
	} while (0)

static unsigned int frame_of(mfn_t mfn)
{
	for (unsigned int i = 0; i < nr_frames; i++) {
		if (mfn_eq(frames[i], mfn))
			return i;
	}
	return MAX_FRAMES;
}

static void use(unsigned int frame, enum pv_type type, const char *who)
{
	want[frame].general++;
	if (type == PV_TYPE_NONE)
		return;
	if (want[frame].typed++ && want[frame].type != type)
		WRONG("frame %u is type %d, and %d to %s\n", frame, want[frame].type, type, who);
	want[frame].type = type;
}

static void use_entry(u64 entry, enum pv_type level, unsigned int table)
{
	unsigned int frame = frame_of(pte_mfn(entry));

	if (frame == MAX_FRAMES) {
		WRONG("a live entry %016lx names a frame that is not the guest's\n",
		      (unsigned long)entry);
		return;
	}
	if (!(entry & PTE_US) || (entry & (PTE_PSE | PTE_G)))
		WRONG("a live entry %016lx of level %d is not adjusted\n", (unsigned long)entry,
		      level);
	if (level > PV_TYPE_L1 && frame == table) { /* linear, without references */
		SEEN(linear);
		if (level == PV_TYPE_L4 || (entry & PTE_RW))
			WRONG("frame %u has itself as an entry: %016lx\n", frame,
			      (unsigned long)entry);
	} else if (level > PV_TYPE_L1)
		use(frame, (enum pv_type)(level - 1), "a table");
	else
		use(frame, entry & PTE_RW ? PV_TYPE_WRITABLE : PV_TYPE_NONE, "a mapping");
}

static void use_table(unsigned int frame)
{
	u64 info = mfn_to_page(frames[frame])->type_info;
	enum pv_type type = pgt_type(info);
	bool live = (info & PGT_COUNT_MASK) && type >= PV_TYPE_L1 && type <= PV_TYPE_L4;
	bool unfinished = info & (PGT_PARTIAL | PGT_DYING);
	unsigned int entries = unfinished ? mfn_to_page(frames[frame])->aux : PT_ENTRIES;

	if (live && !(info & PGT_VALIDATED) && !unfinished)
		WRONG("frame %u is a table that nobody validates\n", frame);
	if (info & (PGT_PINNED | PGT_PARTIAL | PGT_DYING))
		use(frame, type, "its pin");
	for (unsigned int i = 0; i < PT_ENTRIES; i++) {
		u64 entry = table_of(frame)[i];
		bool mark = entry == (SLOT_MARK | i), ours = live && !pv_slot_is_guests(type, i);

		if (mark != ours && !unfinished)
			WRONG("frame %u, type %d, slot %u: %016lx\n", frame, type, i,
			      (unsigned long)entry);
		if (live && !ours && i < entries && (entry & PTE_P))
			use_entry(entry, type, frame);
	}
}

static void compare(unsigned int frame)
{
	const struct page *pg = mfn_to_page(frames[frame]);
	u64 typed = pg->type_info & PGT_COUNT_MASK, general = pg->count_info & PAGE_COUNT_MASK;

	if (typed != want[frame].typed || general != want[frame].general + 1)
		WRONG("frame %u: %lu typed and %lu general references, not %lu and %lu\n", frame,
		      (unsigned long)typed, (unsigned long)general,
		      (unsigned long)want[frame].typed, (unsigned long)want[frame].general + 1);
	if (typed && pgt_type(pg->type_info) != want[frame].type)
		WRONG("frame %u: type %d, used as %d\n", frame, pgt_type(pg->type_info),
		      want[frame].type);
}

unsigned long pv_tables_check(const struct pv_guest *guests, unsigned int nr)
{
	wrong = 0;
	memset(want, 0, sizeof(want));
	for (unsigned int i = 0; i < nr; i++) {
		for (unsigned int h = 0; h < guests[i].nr_holds; h++)
			use(guests[i].holds[h].frame,
			    guests[i].holds[h].writable ? PV_TYPE_WRITABLE : PV_TYPE_DESC,
			    "a hold");
	}
	for (unsigned int i = 0; i < nr_frames; i++)
		use_table(i);
	for (unsigned int i = 0; i < nr_frames; i++)
		compare(i);
	return wrong;
}

/* ---- Start and stop ---- */

void pv_tables_start(unsigned int nr)
{
	static struct domain_config config;

	host_sched_start(1);
	config = (struct domain_config){ .name = "guest", .vcpus = 1, .memory = MiB(16) };
	d = domain_create(&config);
	assert_non_null(d);
	nr_frames = nr;
	memset(&pv_tables_seen, 0, sizeof(pv_tables_seen));
	for (unsigned int i = 0; i < nr; i++) {
		assert_int_equal(domain_alloc_pages(d, 0, HEAP_ZERO, &frames[i]), 0);
		mfn_to_page(frames[i])->stamp = 0;
	}
}

void pv_tables_stop(void)
{
	for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++)
		per_cpu(softirq_pending, cpu) = 0;
	for (unsigned int i = 0; i < nr_frames; i++) {
		(void)!pv_unpin(d, frames[i]);
		pv_type_abandon(mfn_to_page(frames[i]));
	}
	assert_true(pv_dying_reap(d));
	assert_int_equal(pv_tables_check(NULL, 0), 0);
	for (unsigned int i = 0; i < nr_frames; i++)
		assert_int_equal(mfn_to_page(frames[i])->count_info & PAGE_COUNT_MASK, 1);
	host_sched_stop();
}
