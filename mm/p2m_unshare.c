// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What several trees share becomes one tree's own, along the way to one frame, when it is written to or changed; and in formats whose table entries cannot
 * protect what is below, shared tables are woken for reading.
 *
 * On the way down each table that others have, too, is copied, and what it names is from then on named by both, without leave to write in either
 * (p2m_share_entry()). A table that is the tree's alone gets back the leave that was withdrawn from the entry above it: whatever may be written below it is
 * nobody else's, since whoever came to share that took the leave away down there. At the end of the way a large leaf that others map is split, a frame
 * that they map is copied, and one that nobody else maps is taken.
 *
 * Locks: the tree's own. Others may be doing the same to the same tables; p2m_table.c says why that is well.
 */
#include "mapcount.h"
#include "p2m_log.h"
#include <tine/errno.h>
#include <tine/fork.h>
#include <tine/heap.h>

/* ---- Tables ---- */

/* The table that W's entry names, of the level below, becomes this tree's alone. */
static int own_table(struct p2m_batch *b, struct p2m_walk *w, gfn_t gfn)
{
	struct p2m *p2m = b->p2m;
	struct p2m_entry shared = w->entry;
	mfn_t copy;

	if (__atomic_load_n(p2m_table_refs(shared.mfn), __ATOMIC_ACQUIRE) == 1) {
		if (!shared.writable)
			p2m_allow(p2m, w->tables[w->level], p2m_index(gfn, w->level), w->level,
				  shared);
		return 0;
	}
	copy = p2m_table_copy(p2m, shared.mfn, w->level - 1);
	if (mfn_eq(copy, INVALID_MFN))
		return -ENOMEM;
	w->entry = (struct p2m_entry){ .table = true, .writable = true, .mfn = copy };
	p2m_store(b, w, gfn, w->entry);
	p2m_cut_off(b, shared, w->level, false);
	return 0;
}

int p2m_own(struct p2m_batch *b, gfn_t gfn, unsigned int to, struct p2m_walk *w)
{
	struct p2m *p2m = b->p2m;
	mfn_t table = p2m->root;
	int ret;

	*w = (struct p2m_walk){ .level = p2m->codec->levels, .writable = true, .valid = true };
	for (;; w->level--) {
		w->tables[w->level] = table;
		w->entry = p2m_read(p2m, table, p2m_index(gfn, w->level), w->level);
		if (w->level == to || !w->entry.table)
			break;
		ret = own_table(b, w, gfn);
		if (ret)
			return ret;
		table = w->entry.mfn;
	}
	w->writable = w->entry.writable;
	return 0;
}

/* Every table on the way to GFN can be walked by the CPU: to be read, they need not be the tree's own. What is below a shared table is shared. */
static void wake(struct p2m *p2m, gfn_t gfn)
{
	mfn_t table = p2m->root;
	bool shared = false;

	for (unsigned int level = p2m->codec->levels; level > 1; level--) {
		unsigned int index = p2m_index(gfn, level);
		struct p2m_entry e = p2m_read(p2m, table, index, level);

		if (!e.table)
			return;
		shared |= __atomic_load_n(p2m_table_refs(e.mfn), __ATOMIC_ACQUIRE) > 1;
		if (!e.writable) {
			if (shared)
				p2m_table_protect(p2m, e.mfn, level - 1);
			p2m_allow(p2m, table, index, level, e);
		}
		table = e.mfn;
	}
}

/* ---- Leaves ---- */

int p2m_split(struct p2m_batch *b, struct p2m_walk *w, gfn_t gfn)
{
	mfn_t table = p2m_table_new(b->p2m, HEAP_DIRTY_OK);

	if (mfn_eq(table, INVALID_MFN))
		return -ENOMEM;
	p2m_fill(b->p2m, table, w->level - 1, w->entry);
	mapcount_split(w->entry.mfn, p2m_level_order(w->level));
	p2m_store(b, w, gfn, (struct p2m_entry){ .table = true, .writable = true, .mfn = table });
	w->level--;
	w->tables[w->level] = table;
	w->entry = p2m_read(b->p2m, table, p2m_index(gfn, w->level), w->level);
	return 0;
}

static int copy_frame(struct p2m_batch *b, const struct p2m_walk *w, gfn_t gfn)
{
	struct p2m *p2m = b->p2m;
	struct p2m_entry own = { .type = P2M_RAM, .writable = true };
	int ret = p2m->frames->alloc(p2m->domain, 0, true, &own.mfn);

	if (ret)
		return ret == -ENOMEM ? ret : -ENOMEM;
	mapcount_new(own.mfn, 0);
	arch_p2m_copy(own.mfn, w->entry.mfn);
	p2m_store(b, w, gfn, own);
	p2m_log(p2m, gfn, 1);
	p2m_cut_off(b, w->entry, w->level, false);
	return 0;
}

/* 0: the leaf where W ended is the tree's alone and can be written. -EBUSY: others map it, or own it. */
static int take(struct p2m *p2m, const struct p2m_walk *w, gfn_t gfn)
{
	struct p2m_entry e = w->entry;
	int ret = w->level > 2 ? -EBUSY : mapcount_claim(p2m, e.mfn, p2m_level_order(w->level));

	/* Who shares it has been given a copy, or will be before it runs (sched/fork_pages.c). */
	if (ret == -EBUSY && w->level == 1 && p2m->frames->keeps(p2m->domain, e.mfn))
		ret = 0;
	if (ret)
		return ret == -EACCES ? ret : -EBUSY;
	e.type = P2M_RAM;
	p2m_allow(p2m, w->tables[w->level], p2m_index(gfn, w->level), w->level, e);
	return 0;
}

/* Whose frames a tree alone maps is looked at here only: they are DOMID_COW's still, after who owned them ended, while the guest writes to them. */
static bool is_own(const struct p2m *p2m, const struct p2m_walk *w, gfn_t gfn)
{
	unsigned long within = gfn_x(gfn) & (BIT(p2m_level_order(w->level)) - 1);

	return !p2m_is_counted(w->entry) ||
	       p2m->frames->owns(p2m->domain, mfn_add(w->entry.mfn, within));
}

static int unshare(struct p2m_batch *b, gfn_t gfn)
{
	struct p2m_walk w;
	int ret = p2m_own(b, gfn, 1, &w);

	if (ret)
		return ret;
	if (p2m_is_hole(w.entry))
		return -ENOENT;
	if (w.entry.writable && is_own(b->p2m, &w, gfn))
		return 0;
	if (w.entry.type == P2M_IO) { /* nothing that a write would have to spare others */
		p2m_allow(b->p2m, w.tables[w.level], p2m_index(gfn, w.level), w.level, w.entry);
		return 0;
	}
	if (w.entry.type != P2M_RAM && w.entry.type != P2M_SHARED)
		return -EACCES;
	for (;;) {
		ret = take(b->p2m, &w, gfn);
		if (ret != -EBUSY)
			return ret;
		if (w.level == 1)
			return copy_frame(b, &w, gfn);
		w.entry.writable = false; /* it may be nobody's else, but is not yet the domain's */
		ret = p2m_split(b, &w, gfn);
		if (ret)
			return ret;
	}
}

/* ---- The doors ---- */

enum need { NEED_READ, NEED_WRITE, NEED_OWN };

static int resolve(struct p2m_batch *b, gfn_t gfn, enum need need)
{
	struct p2m_walk w;

	if (mfn_eq(b->p2m->root, INVALID_MFN) || !p2m_in_reach(b->p2m, gfn))
		return -ENOENT;
	w = p2m_walk(b->p2m, gfn, 1);
	if (p2m_is_hole(w.entry))
		return -ENOENT;
	if (need != NEED_READ)
		return w.writable && need == NEED_WRITE ? 0 : unshare(b, gfn);
	if (!w.valid)
		wake(b->p2m, gfn);
	return 0;
}

static int locked_resolve(struct p2m *p2m, gfn_t gfn, enum need need)
{
	struct p2m_batch b;
	int ret;

	p2m_begin(&b, p2m);
	ret = resolve(&b, gfn, need);
	p2m_end(&b);
	return ret;
}

/* A hole may be one that is not filled yet. */
static int get(struct p2m *p2m, gfn_t gfn, enum need need)
{
	int ret = locked_resolve(p2m, gfn, need);

	if (ret == -ENOENT && READ_ONCE(p2m->parent)) {
		ret = p2m_fill_hole(p2m, gfn);
		if (!ret)
			ret = locked_resolve(p2m, gfn, need);
	}
	return ret;
}

int p2m_fault(struct p2m *p2m, gfn_t gfn, bool write)
{
	return get(p2m, gfn, write ? NEED_WRITE : NEED_READ);
}

int p2m_unshare(struct p2m *p2m, gfn_t gfn)
{
	return get(p2m, gfn, NEED_OWN);
}

static int locked_hold(struct p2m *p2m, gfn_t gfn, enum need need, mfn_t *out)
{
	struct p2m_batch b;
	struct p2m_walk w;
	int ret;

	p2m_begin(&b, p2m);
	ret = resolve(&b, gfn, need);
	if (!ret) {
		w = p2m_walk(p2m, gfn, 1);
		*out = mfn_add(w.entry.mfn, gfn_x(gfn) & (BIT(p2m_level_order(w.level)) - 1));
		if (w.entry.type == P2M_IO)
			ret = -EACCES;
		else
			(void)__atomic_fetch_add(&mfn_to_page(*out)->count_info, 1,
						 __ATOMIC_ACQUIRE);
	}
	p2m_end(&b);
	return ret;
}

int p2m_hold(struct p2m *p2m, gfn_t gfn, bool write, mfn_t *out)
{
	enum need need = write ? NEED_WRITE : NEED_READ;
	int ret = locked_hold(p2m, gfn, need, out);

	if (ret == -ENOENT && READ_ONCE(p2m->parent) && !p2m_fill_hole(p2m, gfn))
		ret = locked_hold(p2m, gfn, need, out);
	return ret;
}
