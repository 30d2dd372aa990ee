// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The p2m of a translated guest: looking up, changing, filling with RAM. See <tine/p2m.h> for what it is.
 *
 * Every change is one entry of one level that becomes another. Where the tree does not reach down to that level yet, the tables that are missing
 * (or the pieces of a larger leaf) are made beside the tree first and hung in by the one store, so that a change either happens or fails with nothing
 * done. Tables that lose their last entry leave the tree: a hole is as high up as it can be, and only the root may be empty.
 *
 * p2m->lock is held over each change; flushes and giving up what was cut off happen after it is dropped (settle()).
 */
#include "mapcount.h"
#include "p2m_log.h"
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/lib.h>

static const struct p2m_entry hole = { .type = P2M_HOLE, .mfn = { ~0UL } };

/* ---- The walk ---- */

struct p2m_walk p2m_walk(const struct p2m *p2m, gfn_t gfn, unsigned int to)
{
	struct p2m_walk w = { .level = p2m->codec->levels, .writable = true, .valid = true };
	mfn_t table = p2m->root;

	for (;; w.level--, table = w.entry.mfn) {
		w.tables[w.level] = table;
		w.entry = p2m_read(p2m, table, p2m_index(gfn, w.level), w.level);
		w.writable &= w.entry.writable;
		if (w.level == to || !w.entry.table)
			return w;
		w.valid &= w.entry.writable | p2m->codec->hierarchical_write;
	}
}

static struct p2m_walk locked_walk(struct p2m *p2m, gfn_t gfn)
{
	struct p2m_walk w;

	if (!p2m_in_reach(p2m, gfn))
		return (struct p2m_walk){ .level = 1, .entry = hole };
	spin_lock(&p2m->lock);
	if (mfn_eq(p2m->root, INVALID_MFN)) /* destroyed; who asks has a reference on the domain */
		w = (struct p2m_walk){ .level = 1, .entry = hole };
	else
		w = p2m_walk(p2m, gfn, 1);
	spin_unlock(&p2m->lock);
	return w;
}

mfn_t p2m_lookup(struct p2m *p2m, gfn_t gfn, enum p2m_type *type, unsigned int *order)
{
	struct p2m_walk w = locked_walk(p2m, gfn);
	unsigned long within = gfn_x(gfn) & (BIT(p2m_level_order(w.level)) - 1);

	if (type)
		*type = w.entry.type == P2M_RAM && !w.writable ? P2M_SHARED : w.entry.type;
	if (order)
		*order = p2m_level_order(w.level);
	return p2m_is_hole(w.entry) ? INVALID_MFN : mfn_add(w.entry.mfn, within);
}

/* ---- Batches ---- */

void p2m_begin(struct p2m_batch *b, struct p2m *p2m)
{
	b->p2m = p2m;
	b->flush = false;
	b->count = 0;
	spin_lock(&p2m->lock);
}

/* Without the lock. What was cut off goes when no CPU can reach it any more. */
static void finish(struct p2m_batch *b)
{
	if (b->flush)
		arch_p2m_flush(b->p2m);
	for (unsigned int i = 0; i < b->count; i++)
		p2m_release(b->p2m, b->cut[i].entry, b->cut[i].level, b->cut[i].give_up);
	b->flush = false;
	b->count = 0;
}

static void settle(struct p2m_batch *b)
{
	spin_unlock(&b->p2m->lock);
	finish(b);
}

void p2m_end(struct p2m_batch *b)
{
	settle(b);
}

void p2m_end_both(struct p2m_batch *outer, struct p2m_batch *inner)
{
	spin_unlock(&inner->p2m->lock);
	spin_unlock(&outer->p2m->lock);
	finish(outer);
	finish(inner);
}

/* A change cuts off one entry, and a table of each level that becomes empty or is copied. */
void p2m_make_room(struct p2m_batch *b)
{
	if (p2m_has_room(b))
		return;
	settle(b);
	spin_lock(&b->p2m->lock);
}

void p2m_cut_off(struct p2m_batch *b, struct p2m_entry entry, unsigned int level, bool give_up)
{
	if (p2m_is_hole(entry))
		return;
	b->cut[b->count++] = (struct p2m_cut){ entry, level, give_up };
	b->flush = true;
}

/* ---- Changes ---- */

void p2m_store(struct p2m_batch *b, const struct p2m_walk *w, gfn_t gfn, struct p2m_entry entry)
{
	unsigned int index = p2m_index(gfn, w->level);
	mfn_t table = w->tables[w->level];

	if (!p2m_is_hole(w->entry)) {
		b->flush = true; /* also for a split: CPUs may not mix sizes of one translation */
		if (b->p2m->codec->break_before_make && !p2m_is_hole(entry)) {
			p2m_write(b->p2m, table, index, w->level, hole);
			arch_p2m_flush(b->p2m);
		}
	}
	p2m_write(b->p2m, table, index, w->level, entry);
}

/* From where W ended upwards, tables without entries leave the tree. */
static void prune(struct p2m_batch *b, const struct p2m_walk *w, gfn_t gfn)
{
	unsigned int level = w->level;

	while (level < b->p2m->codec->levels && !*p2m_table_used(w->tables[level])) {
		struct p2m_entry empty = { .table = true, .mfn = w->tables[level] };

		level++;
		p2m_write(b->p2m, w->tables[level], p2m_index(gfn, level), level, hole);
		p2m_cut_off(b, empty, level, false);
	}
}

int p2m_change(struct p2m_batch *b, gfn_t gfn, unsigned int level, struct p2m_entry new, bool fresh)
{
	struct p2m_entry top = new, cut;
	struct p2m_walk w;
	int ret;

	p2m_make_room(b);
	if (mfn_eq(b->p2m->root, INVALID_MFN))
		return -ENOENT;
	if (p2m_is_hole(new) && p2m_is_hole(p2m_walk(b->p2m, gfn, level).entry))
		return 0;
	ret = p2m_own(b, gfn, level, &w);
	if (ret)
		return ret;
	if (fresh && !p2m_is_hole(w.entry))
		return -EEXIST;
	cut = w.entry;
	if (w.level > level) {
		ret = p2m_graft(b->p2m, w.entry, w.level, gfn, level, new, &top, &cut);
		if (ret)
			return ret;
	}
	p2m_store(b, &w, gfn, top);
	p2m_log(b->p2m, gfn, level);
	p2m_cut_off(b, cut, level, false);
	prune(b, &w, gfn);
	return 0;
}

/* The level of leaves of ORDER, or 0 when there are none such at GFN. */
static unsigned int level_of(const struct p2m *p2m, gfn_t gfn, unsigned int order)
{
	if (order % P2M_TABLE_ORDER || order > p2m->largest_order || !p2m_in_reach(p2m, gfn) ||
	    !IS_ALIGNED(gfn_x(gfn), BIT(order)))
		return 0;
	return order / P2M_TABLE_ORDER + 1;
}

static struct p2m_entry leaf(mfn_t mfn, enum p2m_type type)
{
	return (struct p2m_entry){ .type = type,
				   .writable =
					   type == P2M_RAM || type == P2M_IO || type == P2M_GRANT,
				   .mfn = mfn };
}

int p2m_batch_set(struct p2m_batch *b, gfn_t gfn, mfn_t mfn, unsigned int order, enum p2m_type type)
{
	unsigned int level = level_of(b->p2m, gfn, order);
	int ret;

	if (!level || !IS_ALIGNED(mfn_x(mfn), BIT(order)) || type == P2M_HOLE ||
	    type > P2M_GRANT_RO)
		return -EINVAL;
	if (type < P2M_IO)
		arch_p2m_clean(mfn, order);
	ret = p2m_change(b, gfn, level, leaf(mfn, type), false);
	if (type > P2M_IO)
		b->p2m->has_grants = true;
	else if (!ret && type < P2M_IO)
		mapcount_take(mfn, order);
	return ret;
}

int p2m_batch_clear(struct p2m_batch *b, gfn_t gfn, unsigned int order)
{
	unsigned int level = level_of(b->p2m, gfn, order);

	return level ? p2m_change(b, gfn, level, hole, false) : -EINVAL;
}

int p2m_set(struct p2m *p2m, gfn_t gfn, mfn_t mfn, unsigned int order, enum p2m_type type)
{
	struct p2m_batch b;
	int ret;

	p2m_begin(&b, p2m);
	ret = p2m_batch_set(&b, gfn, mfn, order, type);
	p2m_end(&b);
	return ret;
}

int p2m_clear(struct p2m *p2m, gfn_t gfn, unsigned int order)
{
	struct p2m_batch b;
	int ret;

	p2m_begin(&b, p2m);
	ret = p2m_batch_clear(&b, gfn, order);
	p2m_end(&b);
	return ret;
}

/* ---- RAM ---- */

/* The largest leaf for COUNT frames from GFN on: up to LIMIT, aligned, and in a hole. */
static unsigned int order_that_fits(struct p2m *p2m, gfn_t gfn, unsigned long count,
				    unsigned int limit)
{
	unsigned int order;

	(void)p2m_lookup(p2m, gfn, NULL, &order);
	order = min(order, limit);
	while (order && (BIT(order) > count || !IS_ALIGNED(gfn_x(gfn), BIT(order))))
		order -= P2M_TABLE_ORDER;
	return order;
}

static int populate_block(struct p2m *p2m, gfn_t gfn, unsigned int order)
{
	struct p2m_batch b;
	mfn_t mfn;
	int ret = p2m->frames->alloc(p2m->domain, order, false, &mfn);

	if (ret)
		return ret;
	mapcount_new(mfn, order);
	arch_p2m_clean(mfn, order);
	p2m_begin(&b, p2m);
	ret = p2m_change(&b, gfn, order / P2M_TABLE_ORDER + 1, leaf(mfn, P2M_RAM), true);
	p2m_end(&b);
	if (ret)
		mapcount_put(p2m, mfn, order, true);
	return ret;
}

int p2m_populate(struct p2m *p2m, gfn_t gfn, unsigned long count)
{
	unsigned int limit = p2m->largest_order;

	if (count && (!p2m_in_reach(p2m, gfn_add(gfn, count - 1)) || gfn_x(gfn) + count < count))
		return -EINVAL;
	while (count) {
		unsigned int order = order_that_fits(p2m, gfn, count, limit);
		int ret = populate_block(p2m, gfn, order);

		if (ret == -ENOMEM && order) {
			limit = order - P2M_TABLE_ORDER; /* the heap has no such blocks left */
			continue;
		}
		if (ret)
			return ret;
		gfn = gfn_add(gfn, BIT(order));
		count -= BIT(order);
	}
	return 0;
}

/* ---- The tree ---- */

int p2m_init(struct p2m *p2m, struct domain *d, const struct p2m_codec *codec,
	     const struct p2m_frames *frames)
{
	BUG_ON(codec->levels < P2M_LARGEST_LEVEL || codec->levels > P2M_MAX_LEVELS);
	*p2m = (struct p2m){
		.codec = codec,
		.frames = frames,
		.domain = d,
		.root = p2m_root_new(HEAP_ZERO),
		.origin = INVALID_MFN,
		.log = { .top = INVALID_MFN, .max_pages = P2M_LOG_PAGES },
		.dying = { INVALID_MFN, INVALID_MFN },
		.largest_order = p2m_level_order(P2M_LARGEST_LEVEL),
	};
	spin_lock_init(&p2m->lock, LOCK_P2M);
	return mfn_eq(p2m->root, INVALID_MFN) ? -ENOMEM : 0;
}

int p2m_destroy(struct p2m *p2m)
{
	int ret;

	if (!p2m->codec)
		return 0;
	spin_lock(&p2m->lock);
	if (!mfn_eq(p2m->root, INVALID_MFN)) {
		p2m->dying[0] = p2m->root;
		p2m->dying[1] = p2m->origin;
		p2m->root = INVALID_MFN;
		p2m->origin = INVALID_MFN;
		p2m->parent = NULL;
		p2m_log_clear(p2m);
	}
	spin_unlock(&p2m->lock);
	ret = p2m_release_root(p2m, &p2m->dying[0]);
	return ret ? ret : p2m_release_root(p2m, &p2m->dying[1]);
}
