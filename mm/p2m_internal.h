/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What mm/p2m.c (the walk, changes) and mm/p2m_table.c (tables, who refers to them) share. */
#ifndef MM_P2M_INTERNAL_H
#define MM_P2M_INTERNAL_H

#include <tine/p2m.h>
#include <tine/page.h>

#define P2M_TABLE_ORDER 9 /* 512 entries */
#define P2M_ENTRIES (1U << P2M_TABLE_ORDER)
#define P2M_MAX_LEVELS 5
#define P2M_LARGEST_LEVEL 3 /* of a leaf: 1 GiB */

/* A leaf of LEVEL maps 2^this frames. */
static inline unsigned int p2m_level_order(unsigned int level)
{
	return P2M_TABLE_ORDER * (level - 1);
}

static inline unsigned int p2m_index(gfn_t gfn, unsigned int level)
{
	return (gfn_x(gfn) >> p2m_level_order(level)) & (P2M_ENTRIES - 1);
}

static inline bool p2m_is_hole(struct p2m_entry e)
{
	return !e.table && e.type == P2M_HOLE;
}

/* Of the struct page of a table: `stamp` counts the entries that name it (a root: its tree), `aux` its own entries that are not holes. */
static inline u16 *p2m_table_used(mfn_t table)
{
	return &mfn_to_page(table)->aux;
}

static inline u32 *p2m_table_refs(mfn_t table)
{
	return &mfn_to_page(table)->stamp;
}

struct p2m_entry p2m_read(const struct p2m *p2m, mfn_t table, unsigned int index,
			  unsigned int level);
/* One store, after all that was written before it. */
void p2m_write(const struct p2m *p2m, mfn_t table, unsigned int index, unsigned int level,
	       struct p2m_entry entry);

/* Empty, one reference; INVALID_MFN: no memory. */
mfn_t p2m_table_new(void) __must_check;

/* Part INDEX of the 512 that a leaf (or hole) above LEVEL is made of. */
struct p2m_entry p2m_piece(struct p2m_entry whole, unsigned int index, unsigned int level);

/*
 * A subtree that maps what the leaf or hole OLD of level FROM did, but for the entry of level TO (below FROM) at GFN, which is NEW. *TOP is the entry
 * for it; *CUT what NEW took the place of. Nobody sees it yet. -ENOMEM: nothing was done.
 */
int p2m_graft(const struct p2m *p2m, struct p2m_entry old, unsigned int from, gfn_t gfn,
	      unsigned int to, struct p2m_entry new, struct p2m_entry *top,
	      struct p2m_entry *cut) __must_check;

/* Drops the reference that an entry of LEVEL, in no table any more, has on its frames or table. No CPU can reach it. p2m->lock not held. */
void p2m_release(const struct p2m *p2m, struct p2m_entry entry, unsigned int level);

#endif
