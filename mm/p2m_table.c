// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of a p2m and what refers to what. An entry that names a table has one reference on it, an entry that maps frames one on each frame.
 * So an entry can be cut off by one store and whatever hangs on it given up later, and a leaf can become a table of
 * its 512 pieces without a count being touched.
 *
 * A table that only one entry names is changed under its tree's lock; one that several name is not changed at all.
 */
#include "p2m_internal.h"
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/printk.h>

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

mfn_t p2m_table_new(void)
{
	mfn_t table = heap_alloc(0, NUMA_NO_NODE, 0, HEAP_ZERO);

	if (!mfn_eq(table, INVALID_MFN)) {
		*p2m_table_refs(table) = 1;
		*p2m_table_used(table) = 0;
	}
	return table;
}

struct p2m_entry p2m_piece(struct p2m_entry whole, unsigned int index, unsigned int level)
{
	if (!p2m_is_hole(whole))
		whole.mfn = mfn_add(whole.mfn, (unsigned long)index << p2m_level_order(level));
	return whole;
}

static void fill(const struct p2m *p2m, mfn_t table, unsigned int level, struct p2m_entry whole)
{
	for (unsigned int i = 0; i < P2M_ENTRIES && !p2m_is_hole(whole); i++)
		p2m_write(p2m, table, i, level, p2m_piece(whole, i, level));
}

/* COUNT tables or none. */
static int new_tables(mfn_t *tables, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		tables[i] = p2m_table_new();
		if (!mfn_eq(tables[i], INVALID_MFN))
			continue;
		while (i--)
			heap_free(tables[i], 0, false);
		return -ENOMEM;
	}
	return 0;
}

int p2m_graft(const struct p2m *p2m, struct p2m_entry old, unsigned int from, gfn_t gfn,
	      unsigned int to, struct p2m_entry new, struct p2m_entry *top, struct p2m_entry *cut)
{
	mfn_t tables[P2M_MAX_LEVELS]; /* by level */
	int ret = new_tables(&tables[to], from - to);

	if (ret)
		return ret;
	*cut = old;
	for (unsigned int level = from - 1; level >= to; level--) {
		fill(p2m, tables[level], level, *cut);
		*cut = p2m_piece(*cut, p2m_index(gfn, level), level);
	}
	*top = new;
	for (unsigned int level = to; level < from; level++) {
		p2m_write(p2m, tables[level], p2m_index(gfn, level), level, *top);
		*top = (struct p2m_entry){ .table = true, .writable = true, .mfn = tables[level] };
	}
	return 0;
}

static void table_put(const struct p2m *p2m, mfn_t table, unsigned int level)
{
	if (__atomic_sub_fetch(p2m_table_refs(table), 1, __ATOMIC_ACQ_REL))
		return;
	for (unsigned int i = 0; i < P2M_ENTRIES && *p2m_table_used(table); i++)
		p2m_release(p2m, p2m_read(p2m, table, i, level), level);
	heap_free(table, 0, true);
}

/* As deep as the tree has levels. */
void p2m_release(const struct p2m *p2m, struct p2m_entry entry, unsigned int level)
{
	if (entry.table)
		table_put(p2m, entry.mfn, level - 1);
	else if (entry.type != P2M_HOLE && entry.type != P2M_IO)
		p2m->frames->put(p2m->domain, entry.mfn, p2m_level_order(level));
}

static unsigned long check_table(const struct p2m *p2m, mfn_t table, unsigned int level,
				 struct p2m_stats *stats)
{
	unsigned long used = 0, wrong = 0;

	stats->tables++;
	for (unsigned int i = 0; i < P2M_ENTRIES; i++) {
		struct p2m_entry e = p2m_read(p2m, table, i, level);

		used += !p2m_is_hole(e);
		if (e.table)
			wrong += check_table(p2m, e.mfn, level - 1, stats);
		else if (!p2m_is_hole(e) && level <= P2M_LARGEST_LEVEL)
			stats->leaves[level - 1]++;
		else if (!p2m_is_hole(e))
			wrong++;
	}
	if (used == *p2m_table_used(table) && (used || mfn_eq(table, p2m->root)) &&
	    *p2m_table_refs(table))
		return wrong;
	pr_err("p2m: table %lx of level %u has %lu entries, counts %u, and %u references\n",
	       mfn_x(table), level, used, *p2m_table_used(table), *p2m_table_refs(table));
	return wrong + 1;
}

unsigned long p2m_check(struct p2m *p2m, struct p2m_stats *stats)
{
	unsigned long wrong;

	*stats = (struct p2m_stats){ 0 };
	if (!p2m->codec || mfn_eq(p2m->root, INVALID_MFN))
		return 0;
	spin_lock(&p2m->lock);
	wrong = check_table(p2m, p2m->root, p2m->codec->levels, stats);
	spin_unlock(&p2m->lock);
	return wrong;
}
