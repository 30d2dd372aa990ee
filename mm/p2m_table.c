// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of a p2m and what refers to what. An entry that names a table has one reference on it, an entry that maps frames is counted by them
 * (mapcount.h). So an entry can be cut off by one store, and whatever hangs on it given up later.
 *
 * A table that only one entry names is changed under its tree's lock. One that several name belongs to several trees, each with its lock, and what it
 * maps does not change. All that may happen to it is that entries lose their leave to write (by several at once: they all write the same), and that one
 * without it is made valid again in formats that need that (p2m_unshare.c). Who found a table to be its own tree's alone can rely on it, as nobody
 * else can reach it; who found it shared may find it its own a moment later.
 */
#include "mapcount.h"
#include <tine/errno.h>
#include <tine/heap.h>

static u64 *entry_at(mfn_t table, unsigned int index)
{
	return (u64 *)mfn_to_virt(table) + index;
}

struct p2m_entry p2m_read(const struct p2m *p2m, mfn_t table, unsigned int index,
			  unsigned int level)
{
	return p2m->codec->decode(READ_ONCE(*entry_at(table, index)), level);
}

void p2m_write(const struct p2m *p2m, mfn_t table, unsigned int index, unsigned int level,
	       struct p2m_entry entry)
{
	bool was = !p2m_is_hole(p2m_read(p2m, table, index, level));
	u16 *used = p2m_table_used(table);

	*used = (u16)(*used + !p2m_is_hole(entry) - was);
	__atomic_store_n(entry_at(table, index),
			 p2m_is_hole(entry) ? 0 : p2m->codec->encode(entry, level),
			 __ATOMIC_RELEASE);
}

static unsigned long tables_in_use; /* atomic */

unsigned long p2m_tables_in_use(void)
{
	return __atomic_load_n(&tables_in_use, __ATOMIC_RELAXED);
}

static bool count_tables(const struct p2m *p2m, long n)
{
	return !p2m->frames->tables || p2m->frames->tables(p2m->domain, n);
}

static void table_free(const struct p2m *p2m, mfn_t table, unsigned int level, bool dirty)
{
	if (level < p2m->codec->levels)
		(void)count_tables(p2m, -1);
	(void)__atomic_fetch_sub(&tables_in_use, 1, __ATOMIC_RELAXED);
	heap_free(table, 0, dirty);
}

mfn_t p2m_root_new(unsigned int flags)
{
	mfn_t table = heap_alloc(0, NUMA_NO_NODE, 0, flags);

	if (!mfn_eq(table, INVALID_MFN)) {
		(void)__atomic_fetch_add(&tables_in_use, 1, __ATOMIC_RELAXED);
		*p2m_table_refs(table) = 1;
		*p2m_table_used(table) = 0;
	}
	return table;
}

mfn_t p2m_table_new(const struct p2m *p2m, unsigned int flags)
{
	mfn_t table = p2m_root_new(flags);

	if (mfn_eq(table, INVALID_MFN) || count_tables(p2m, 1))
		return table;
	table_free(p2m, table, 1, flags != HEAP_ZERO);
	return INVALID_MFN;
}

struct p2m_entry p2m_piece(struct p2m_entry whole, unsigned int index, unsigned int level)
{
	if (!p2m_is_hole(whole))
		whole.mfn = mfn_add(whole.mfn, (unsigned long)index << p2m_level_order(level));
	return whole;
}

/* Both formats put the frame number where adding works. TABLE is new. */
void p2m_fill(const struct p2m *p2m, mfn_t table, unsigned int level, struct p2m_entry whole)
{
	u64 first, step, *entry = entry_at(table, 0);

	if (p2m_is_hole(whole))
		return;
	first = p2m->codec->encode(p2m_piece(whole, 0, level), level);
	step = p2m->codec->encode(p2m_piece(whole, 1, level), level) - first;
	for (unsigned int i = 0; i < P2M_ENTRIES; i++, first += step)
		entry[i] = first;
	*p2m_table_used(table) = P2M_ENTRIES;
}

/* COUNT tables or none. */
static int new_tables(const struct p2m *p2m, mfn_t *tables, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		tables[i] = p2m_table_new(p2m, HEAP_ZERO);
		if (!mfn_eq(tables[i], INVALID_MFN))
			continue;
		while (i--)
			table_free(p2m, tables[i], 1, false);
		return -ENOMEM;
	}
	return 0;
}

int p2m_graft(const struct p2m *p2m, struct p2m_entry old, unsigned int from, gfn_t gfn,
	      unsigned int to, struct p2m_entry new, struct p2m_entry *top, struct p2m_entry *cut)
{
	mfn_t tables[P2M_MAX_LEVELS]; /* by level */
	int ret = new_tables(p2m, &tables[to], from - to);

	if (ret)
		return ret;
	*cut = old;
	for (unsigned int level = from - 1; level >= to; level--) {
		if (p2m_is_counted(*cut))
			mapcount_split(cut->mfn, p2m_level_order(level + 1));
		p2m_fill(p2m, tables[level], level, *cut);
		*cut = p2m_piece(*cut, p2m_index(gfn, level), level);
	}
	*top = new;
	for (unsigned int level = to; level < from; level++) {
		p2m_write(p2m, tables[level], p2m_index(gfn, level), level, *top);
		*top = (struct p2m_entry){ .table = true, .writable = true, .mfn = tables[level] };
	}
	return 0;
}

/* ---- Sharing ---- */

/*
 * Entry INDEX of TABLE, without leave to write, for use in another table: it has its reference. The one in TABLE loses the leave as well. Others may do the
 * same at the same time.
 */
u64 p2m_share_entry(const struct p2m *p2m, mfn_t table, unsigned int index, unsigned int level)
{
	u64 *slot = entry_at(table, index), raw = READ_ONCE(*slot);
	struct p2m_entry e;

	if (!raw)
		return 0;
	e = p2m->codec->decode(raw, level);
	if (e.writable) {
		e.writable = false;
		raw = p2m->codec->encode(e, level);
		__atomic_store_n(slot, raw, __ATOMIC_RELAXED);
	}
	if (e.table)
		(void)__atomic_fetch_add(p2m_table_refs(e.mfn), 1, __ATOMIC_RELAXED);
	else if (p2m_is_counted(e))
		mapcount_get(e.mfn, p2m_level_order(level));
	return raw;
}

/* Most entries of most tables are holes. */
void p2m_share_entries(const struct p2m *p2m, mfn_t from, mfn_t to, unsigned int level)
{
	const u64 *old = entry_at(from, 0);
	u64 *new = entry_at(to, 0);

	for (unsigned int i = 0; i < P2M_ENTRIES; i++)
		new[i] = READ_ONCE(old[i]) ? p2m_share_entry(p2m, from, i, level) : 0;
	*p2m_table_used(to) = *p2m_table_used(from);
}

mfn_t p2m_table_copy(const struct p2m *p2m, mfn_t table, unsigned int level)
{
	mfn_t copy = p2m_table_new(p2m, HEAP_DIRTY_OK);

	if (!mfn_eq(copy, INVALID_MFN))
		p2m_share_entries(p2m, table, copy, level);
	return copy;
}

/* For formats where an entry cannot protect what is below it: once this is done the entries that name TABLE may be valid. */
void p2m_table_protect(const struct p2m *p2m, mfn_t table, unsigned int level)
{
	for (unsigned int i = 0; i < P2M_ENTRIES; i++) {
		struct p2m_entry e = p2m_read(p2m, table, i, level);

		if (!e.writable)
			continue;
		e.writable = false;
		__atomic_store_n(entry_at(table, i), p2m->codec->encode(e, level),
				 __ATOMIC_RELAXED);
	}
}

void p2m_allow(const struct p2m *p2m, mfn_t table, unsigned int index, unsigned int level,
	       struct p2m_entry entry)
{
	entry.writable = true;
	__atomic_store_n(entry_at(table, index), p2m->codec->encode(entry, level),
			 __ATOMIC_RELEASE);
}

/* ---- Giving up ---- */

#define SHORT_ENTRIES 64 /* between two looks at other work */

enum how {
	DROP,
	GIVE_UP,  /* and the domain's frames leave it */
	MAY_STOP, /* when other work waits: the answer is false, and it goes on when called again */
};

static bool take_apart(const struct p2m *p2m, mfn_t table, unsigned int level, enum how how);

/* Of a table that is being taken apart: the entries before it are holes. A call that goes on does not look at them again. */
static u32 *apart_up_to(mfn_t table)
{
	return &mfn_to_page(table)->next;
}

/* One reference on TABLE, whose last one it may be. While it is being taken apart it has none. */
static bool table_put(const struct p2m *p2m, mfn_t table, unsigned int level, enum how how)
{
	u32 *refs = p2m_table_refs(table);

	if (__atomic_load_n(refs, __ATOMIC_RELAXED)) {
		if (__atomic_sub_fetch(refs, 1, __ATOMIC_ACQ_REL))
			return true;
		*apart_up_to(table) = 0;
	}
	return take_apart(p2m, table, level, how);
}

/* A leaf of 1 GiB that nobody else names has too many frames to be given up at once. Without memory they go at once all the same. */
static struct p2m_entry in_pieces(const struct p2m *p2m, mfn_t table, unsigned int index,
				  struct p2m_entry leaf)
{
	mfn_t pieces = p2m_table_new(p2m, HEAP_DIRTY_OK);
	struct p2m_entry e = { .table = true, .mfn = pieces };

	if (mfn_eq(pieces, INVALID_MFN))
		return leaf;
	p2m_fill(p2m, pieces, P2M_LARGEST_LEVEL - 1, leaf);
	mapcount_split(leaf.mfn, p2m_level_order(P2M_LARGEST_LEVEL));
	p2m_write(p2m, table, index, P2M_LARGEST_LEVEL, e);
	return e;
}

/* What takes long by itself: to stop, and to come back to where it was, is little beside it. */
static bool is_long(struct p2m_entry e, unsigned int level)
{
	return e.table || (level > 1 && p2m_is_counted(e) &&
			   mapcount_of_order(e.mfn, p2m_level_order(level)) == 1);
}

/* Entry by entry, so that it can stop; what is left of it is a table all the same, and clean in the end. As deep as the tree has levels. */
static bool take_apart(const struct p2m *p2m, mfn_t table, unsigned int level, enum how how)
{
	u32 *at = apart_up_to(table);

	for (; *at < P2M_ENTRIES && *p2m_table_used(table); ++*at) {
		unsigned int i = *at;
		struct p2m_entry e = p2m_read(p2m, table, i, level);
		bool takes_long = is_long(e, level);

		if (p2m_is_hole(e))
			continue;
		if (how == MAY_STOP && level == P2M_LARGEST_LEVEL && takes_long && !e.table)
			e = in_pieces(p2m, table, i, e);
		if (e.table && !table_put(p2m, e.mfn, level - 1, how))
			return false;
		if (p2m_is_counted(e))
			mapcount_put(p2m, e.mfn, p2m_level_order(level), how == GIVE_UP);
		*entry_at(table, i) = 0;
		if (--*p2m_table_used(table) && how == MAY_STOP &&
		    (takes_long || i % SHORT_ENTRIES == SHORT_ENTRIES - 1) && p2m_interrupted(p2m))
			return false;
	}
	table_free(p2m, table, level, false);
	return true;
}

void p2m_release(const struct p2m *p2m, struct p2m_entry entry, unsigned int level, bool give_up)
{
	if (entry.table)
		(void)table_put(p2m, entry.mfn, level - 1, give_up ? GIVE_UP : DROP);
	else if (p2m_is_counted(entry))
		mapcount_put(p2m, entry.mfn, p2m_level_order(level), give_up);
}

int p2m_release_root(const struct p2m *p2m, mfn_t *root)
{
	if (mfn_eq(*root, INVALID_MFN))
		return 0;
	if (!table_put(p2m, *root, p2m->codec->levels, MAY_STOP))
		return -ERESTART;
	*root = INVALID_MFN;
	return 0;
}
