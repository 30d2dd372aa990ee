// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A tree goes back to its checkpoint. That is a second tree, whose root nobody runs with: since it shares, all that was written after it was
 * copied. The log of changes says where (p2m_log.h); if it was lost, the two are compared from the root down, and where both still name the same table
 * nothing has changed below. Where they differ, entries are put back in place, and the tree's own tables stay: the next round dirties the same
 * places. Nothing is allocated.
 *
 * Under p2m->lock, which is dropped to give up what was cut off; then it goes on with the same place of the log, or compares from the root again and
 * passes over what is done. That happens, and other work is asked for, each RESET_WORK frames at the latest: nothing larger than a table of pages is cut off
 * whole, unless others have it, too.
 */
#include "mapcount.h"
#include "p2m_log.h"
#include <tine/errno.h>
#include <tine/fork.h>

#define RESET_WORK 1024 /* frames */

struct reset {
	struct p2m_batch batch;
	gfn_t from;         /* all below is done */
	gfn_t left;         /* of the shared table at FROM: the domain has left all frames below */
	unsigned long work; /* frames to be given up, or left, in this batch */
};

static bool same(struct p2m_entry a, struct p2m_entry b)
{
	return a.table == b.table && a.type == b.type && (mfn_eq(a.mfn, b.mfn) || p2m_is_hole(a));
}

/* What WHOLE, a table or a larger leaf or hole of the checkpoint's, has at INDEX of LEVEL. */
static struct p2m_entry entry_of(const struct p2m *p2m, struct p2m_entry whole, unsigned int index,
				 unsigned int level)
{
	return whole.table ? p2m_read(p2m, whole.mfn, index, level)
			   : p2m_piece(whole, index, level);
}

/* The same, with a reference of its own and without leave to write. A piece counts beside the whole that it is of. */
static struct p2m_entry share(const struct p2m *p2m, struct p2m_entry whole, unsigned int index,
			      unsigned int level)
{
	struct p2m_entry e;

	if (whole.table)
		return p2m->codec->decode(p2m_share_entry(p2m, whole.mfn, index, level), level);
	e = p2m_piece(whole, index, level);
	e.writable = false;
	if (p2m_is_counted(e))
		mapcount_get_piece(e.mfn, p2m_level_order(level));
	return e;
}

static int reset_table(struct reset *r, mfn_t table, struct p2m_entry whole, unsigned int level,
		       gfn_t base);

/* ---- What others have, too ---- */

static int leave_leaf(struct reset *r, struct p2m_entry e, unsigned int level, gfn_t gfn)
{
	unsigned int order = min(p2m_level_order(level), (unsigned int)P2M_TABLE_ORDER);
	unsigned long n = gfn_x(r->left) > gfn_x(gfn) ? gfn_x(r->left) - gfn_x(gfn) : 0;

	for (; n < BIT(p2m_level_order(level)); n += BIT(order)) {
		if (r->work >= RESET_WORK) {
			r->left = gfn_add(gfn, n);
			return -EAGAIN;
		}
		mapcount_leave(r->batch.p2m, mfn_add(e.mfn, n), order);
		r->work += BIT(order);
	}
	return 0;
}

/* Where in a table for BASE, of entries of ORDER, the work goes on that has come to AT; P2M_ENTRIES or more: behind it. */
static unsigned int first_index(gfn_t at, gfn_t base, unsigned int order)
{
	return gfn_x(at) > gfn_x(base) ? (unsigned int)((gfn_x(at) - gfn_x(base)) >> order) : 0;
}

/*
 * TABLE is to be cut off, and stays with others: frames in it that the checkpoint does not have are the domain's no more. Who has the last entry for one will
 * find it DOMID_COW's, and not wait for a domain that has forgotten it.
 */
static int leave_below(struct reset *r, mfn_t table, struct p2m_entry whole, unsigned int level,
		       gfn_t base)
{
	const struct p2m *p2m = r->batch.p2m;
	unsigned int order = p2m_level_order(level), i = first_index(r->left, base, order);
	int ret = 0;

	for (; i < P2M_ENTRIES && !ret; i++) {
		struct p2m_entry e = p2m_read(p2m, table, i, level);
		struct p2m_entry old = entry_of(p2m, whole, i, level);
		gfn_t gfn = gfn_add(base, (unsigned long)i << order);

		if (same(e, old))
			continue;
		if (e.table)
			ret = leave_below(r, e.mfn, old, level - 1, gfn);
		else if (p2m_is_counted(e))
			ret = leave_leaf(r, e, level, gfn);
	}
	return ret;
}

/* ---- Putting back ---- */

/* As many frames as are given up with the entry. Of a table it is the last level's. */
static unsigned long frames_of(struct p2m_entry e, unsigned int level)
{
	if (e.table)
		return *p2m_table_refs(e.mfn) == 1 ? *p2m_table_used(e.mfn) : 0;
	return p2m_is_counted(e) ? BIT(p2m_level_order(level)) : 0;
}

/*
 * What is at W's entry is to be cut off, for OLD to come there, and is small enough for that: 0. 1: it is a table, which stays, and is what OLD is. -EAGAIN: it is
 * neither yet.
 */
static int make_small(struct reset *r, struct p2m_walk *w, struct p2m_entry old, gfn_t gfn)
{
	unsigned int level = w->level;
	int ret;

	if (level == P2M_LARGEST_LEVEL && p2m_is_counted(w->entry) &&
	    !p2m_split(&r->batch, w, gfn)) { /* without memory it goes as it is */
		w->level = level;
		w->entry = p2m_read(r->batch.p2m, w->tables[level], p2m_index(gfn, level), level);
	}
	if (!w->entry.table)
		return 0;
	if (*p2m_table_refs(w->entry.mfn) > 1) {
		ret = leave_below(r, w->entry.mfn, old, level - 1, gfn);
		if (ret)
			r->from = gfn;
		else
			r->left = gfn_add(gfn, BIT(p2m_level_order(level)));
		return ret;
	}
	if (p2m_is_hole(old) && level == 2)
		return 0;
	r->left = _gfn(0);
	ret = reset_table(r, w->entry.mfn, old, level - 1, gfn);
	return ret ? ret : !p2m_is_hole(old);
}

/* Entry INDEX of the tree's own TABLE differs from the checkpoint's. -EAGAIN: the batch is full. */
static int put_back(struct reset *r, mfn_t table, struct p2m_entry whole, unsigned int level,
		    gfn_t gfn)
{
	struct p2m *p2m = r->batch.p2m;
	unsigned int index = p2m_index(gfn, level);
	struct p2m_walk w = { .level = level, .entry = p2m_read(p2m, table, index, level) };
	int ret;

	w.tables[level] = table;
	ret = make_small(r, &w, entry_of(p2m, whole, index, level), gfn);
	if (ret)
		return min(ret, 0);
	if (r->batch.count == P2M_BATCH || r->work >= RESET_WORK) {
		r->from = gfn;
		return -EAGAIN;
	}
	r->work += frames_of(w.entry, level);
	r->left = _gfn(0);
	p2m_store(&r->batch, &w, gfn, share(p2m, whole, index, level));
	p2m_cut_off(&r->batch, w.entry, level, true);
	return 0;
}

/* TABLE, whose first entry is for BASE, becomes what WHOLE is, which the checkpoint has at its place. */
static int reset_table(struct reset *r, mfn_t table, struct p2m_entry whole, unsigned int level,
		       gfn_t base)
{
	const struct p2m *p2m = r->batch.p2m;
	unsigned int order = p2m_level_order(level), i = first_index(r->from, base, order);
	int ret = 0;

	for (; i < P2M_ENTRIES && !ret; i++) {
		if (!same(p2m_read(p2m, table, i, level), entry_of(p2m, whole, i, level)))
			ret = put_back(r, table, whole, level,
				       gfn_add(base, (unsigned long)i << order));
	}
	return ret;
}

/* What differs at or above the entry of LEVEL at GFN, and for LEVEL above 1 what differs below. */
static int reset_place(struct reset *r, struct p2m_entry whole, gfn_t gfn, unsigned int level)
{
	const struct p2m *p2m = r->batch.p2m;
	mfn_t table = p2m->root;

	for (unsigned int l = p2m->codec->levels;; l--) {
		struct p2m_entry e = p2m_read(p2m, table, p2m_index(gfn, l), l);
		struct p2m_entry old = entry_of(p2m, whole, p2m_index(gfn, l), l);

		if (same(e, old))
			return 0;
		if (l == level || !e.table || p2m_is_hole(old) || *p2m_table_refs(e.mfn) > 1)
			return put_back(r, table, whole, l,
					_gfn(ROUND_DOWN(gfn_x(gfn), BIT(p2m_level_order(l)))));
		table = e.mfn;
		whole = old;
	}
}

static int reset_logged(struct reset *r, struct p2m_entry origin)
{
	struct p2m *p2m = r->batch.p2m;
	unsigned int level;
	gfn_t gfn;

	while (p2m_log_last(p2m, &gfn, &level)) {
		int ret = reset_place(r, origin, gfn, level);

		if (ret)
			return ret;
		r->from = _gfn(0);
		p2m_log_pop(p2m);
	}
	return 0;
}

static int reset_all(struct reset *r, struct p2m_entry origin)
{
	struct p2m *p2m = r->batch.p2m;
	int ret = reset_table(r, p2m->root, origin, p2m->codec->levels, _gfn(0));

	if (!ret)
		p2m_log_clear(p2m);
	return ret;
}

/* A part of it, as much as a batch holds. */
static int reset_some(struct reset *r, struct p2m *p2m)
{
	struct p2m_entry origin = { .table = true };
	int ret = -ENOENT;

	p2m_begin(&r->batch, p2m);
	r->work = 0;
	origin.mfn = p2m->origin;
	if (!mfn_eq(p2m->origin, INVALID_MFN))
		ret = (p2m->log.lost ? reset_all : reset_logged)(r, origin);
	p2m_end(&r->batch);
	return ret;
}

int p2m_reset(struct p2m *p2m)
{
	struct reset r = { .from = _gfn(p2m->resume), .left = _gfn(p2m->resume_left) };
	int ret;

	do {
		ret = reset_some(&r, p2m);
		if (ret == -EAGAIN && p2m_interrupted(p2m))
			ret = -ERESTART;
	} while (ret == -EAGAIN);
	if (!ret)
		p2m->has_grants = p2m->origin_has_grants;
	p2m->resume = ret == -ERESTART ? gfn_x(r.from) : 0;
	p2m->resume_left = ret == -ERESTART ? gfn_x(r.left) : 0;
	return ret;
}
