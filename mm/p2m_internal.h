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

/* Maps frames that keep count of it. */
static inline bool p2m_is_counted(struct p2m_entry e)
{
	return !e.table && e.type != P2M_HOLE && e.type < P2M_IO;
}

static inline bool p2m_in_reach(const struct p2m *p2m, gfn_t gfn)
{
	return !(gfn_x(gfn) >> P2M_TABLE_ORDER * p2m->codec->levels);
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

/* FLAGS as heap_alloc's: HEAP_ZERO for an empty one. One reference; INVALID_MFN: no memory. Roots are not counted (p2m_frames.tables). */
mfn_t p2m_table_new(const struct p2m *p2m, unsigned int flags) __must_check;
mfn_t p2m_root_new(unsigned int flags) __must_check;

/* Part INDEX of the 512 that a leaf (or hole) above LEVEL is made of. */
struct p2m_entry p2m_piece(struct p2m_entry whole, unsigned int index, unsigned int level);
/* A new TABLE of LEVEL maps what WHOLE above it did. Nothing is counted. */
void p2m_fill(const struct p2m *p2m, mfn_t table, unsigned int level, struct p2m_entry whole);

/*
 * A subtree that maps what the leaf or hole OLD of level FROM did, but for the entry of level TO (below FROM) at GFN, which is NEW. *TOP is the entry
 * for it; *CUT what NEW took the place of. Nobody sees it yet. -ENOMEM: nothing was done.
 */
int p2m_graft(const struct p2m *p2m, struct p2m_entry old, unsigned int from, gfn_t gfn,
	      unsigned int to, struct p2m_entry new, struct p2m_entry *top,
	      struct p2m_entry *cut) __must_check;

/* Sharing: p2m_table.c says what they do. */
u64 p2m_share_entry(const struct p2m *p2m, mfn_t table, unsigned int index, unsigned int level);
void p2m_share_entries(const struct p2m *p2m, mfn_t from, mfn_t to, unsigned int level);
mfn_t p2m_table_copy(const struct p2m *p2m, mfn_t table, unsigned int level) __must_check;
void p2m_table_protect(const struct p2m *p2m, mfn_t table, unsigned int level);
/* The entry lets writes through (or is valid) from now on. Flushes nothing. */
void p2m_allow(const struct p2m *p2m, mfn_t table, unsigned int index, unsigned int level,
	       struct p2m_entry entry);

/*
 * Drops the reference that an entry of LEVEL, in no table any more, has on its frames or table. No CPU can reach it. p2m->lock not held.
 * GIVE_UP: frames of P2M's domain that nothing maps any more leave it.
 */
void p2m_release(const struct p2m *p2m, struct p2m_entry entry, unsigned int level, bool give_up);
/* The same of a whole tree. -ERESTART: it is to be called again. */
int p2m_release_root(const struct p2m *p2m, mfn_t *root) __must_check;

/* ---- p2m.c, for those who change entries ---- */

struct p2m_walk {
	mfn_t tables[P2M_MAX_LEVELS + 1]; /* by level, those that were passed */
	unsigned int level;               /* where it ended */
	struct p2m_entry entry; /* what is there: no table, unless at the level asked for */
	bool writable;          /* the entry's, and those' above */
	bool valid;             /* those above let reads through */
};

/* Down to level TO. */
struct p2m_walk p2m_walk(const struct p2m *p2m, gfn_t gfn, unsigned int to);
/* Puts ENTRY where the walk ended; the tables down to there are the tree's own. */
void p2m_store(struct p2m_batch *b, const struct p2m_walk *w, gfn_t gfn, struct p2m_entry entry);
/* Where there is not room for what one change cuts off: drops the lock for a moment. */
void p2m_make_room(struct p2m_batch *b);
static inline bool p2m_has_room(const struct p2m_batch *b)
{
	return b->count + 2 * b->p2m->codec->levels <= P2M_BATCH;
}
/* Ends the batches of two trees whose locks were taken in this order: neither is held when CPUs are made to forget. */
void p2m_end_both(struct p2m_batch *outer, struct p2m_batch *inner);
void p2m_cut_off(struct p2m_batch *b, struct p2m_entry entry, unsigned int level, bool give_up);
/* The entry of LEVEL at GFN becomes NEW; the references of what was there go, those of NEW are the caller's to have. FRESH: -EEXIST where there is anything. */
int p2m_change(struct p2m_batch *b, gfn_t gfn, unsigned int level, struct p2m_entry new,
	       bool fresh) __must_check;

/*
 * p2m_unshare.c. As p2m_walk(), but the tables on the way are the tree's own afterwards and writable: the entry may be changed. -ENOMEM: all is
 * as before as far as the guest can tell.
 */
int p2m_own(struct p2m_batch *b, gfn_t gfn, unsigned int to, struct p2m_walk *w) __must_check;
/* The leaf where W ended, in a table of the tree's own, becomes 512, and W goes one down. -ENOMEM. */
int p2m_split(struct p2m_batch *b, struct p2m_walk *w, gfn_t gfn) __must_check;

/* fork_frames.c. P2M may have a parent that has a frame for its hole at GFN: 0. -ENOENT, -ENOMEM. No lock is held. */
int p2m_fill_hole(struct p2m *child, gfn_t gfn) __must_check;

/* Should long work stop here? */
static inline bool p2m_interrupted(const struct p2m *p2m)
{
	return p2m->frames->interrupted && p2m->frames->interrupted();
}

#endif
