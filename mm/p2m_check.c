// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A p2m checks itself: what tables count against what they have, and the rule on which all sharing rests: an entry that lets writes through is the only
 * one that names what it names. (In formats whose table entries do not protect what is below, a valid one may name a shared table, if nothing in that
 * lets writes through.) Under p2m->lock, which is dropped every few tables: what is compared is in one table, or follows from the rule at any moment.
 */
#include "mapcount.h"
#include <tine/errno.h>
#include <tine/printk.h>

#define TABLES_AT_ONCE 16

struct check {
	const struct p2m *p2m;
	struct p2m_stats *stats;
	unsigned long wrong;
	gfn_t from;         /* all below was checked, ... */
	unsigned int level; /* ... and the tables above this level that begin there */
	unsigned int left;  /* tables, until others have their turn */
};

static bool writable_below(const struct p2m *p2m, mfn_t table, unsigned int level)
{
	for (unsigned int i = 0; i < P2M_ENTRIES; i++) {
		struct p2m_entry e = p2m_read(p2m, table, i, level);

		if (e.writable && (!e.table || writable_below(p2m, e.mfn, level - 1)))
			return true;
	}
	return false;
}

static void wrong_entry(struct check *c, struct p2m_entry e, unsigned int level, const char *what)
{
	pr_err("p2m: %s %lx, named at level %u, %s\n", e.table ? "table" : "frame", mfn_x(e.mfn),
	       level, what);
	c->wrong++;
}

/* Pages that their owner goes on with, whoever has them: see take() in p2m_unshare.c. */
static bool is_kept(const struct p2m *p2m, struct p2m_entry e, unsigned int level)
{
	return level == 1 && p2m->frames->keeps(p2m->domain, e.mfn);
}

static void check_leaf(struct check *c, struct p2m_entry e, unsigned int level)
{
	unsigned long order = p2m_level_order(level), step = level == 1 ? 1 : BIT(order) / 4;

	if (level > P2M_LARGEST_LEVEL) {
		wrong_entry(c, e, level, "is a leaf there");
		return;
	}
	c->stats->leaves[level - 1]++;
	if (!p2m_is_counted(e))
		return;
	if (!mapcount_of_order(e.mfn, (unsigned int)order))
		wrong_entry(c, e, level, "has no entry of that size by its own count");
	for (unsigned long i = 0; i < BIT(order); i += step) {
		unsigned int count = mapcount_of(mfn_add(e.mfn, i));

		if (!count || !(mfn_to_page(mfn_add(e.mfn, i))->count_info & PAGE_MAPPED))
			wrong_entry(c, e, level, "does not know that it is mapped");
		else if (e.writable && count > 1 && !is_kept(c->p2m, e, level))
			wrong_entry(c, e, level, "may be written, but others have it");
	}
}

/* The table itself, not what it names. */
static void check_counts(struct check *c, mfn_t table, unsigned int level)
{
	unsigned long used = 0;

	c->stats->tables++;
	for (unsigned int i = 0; i < P2M_ENTRIES; i++) {
		struct p2m_entry e = p2m_read(c->p2m, table, i, level);

		used += !p2m_is_hole(e);
		if (e.table && e.writable && *p2m_table_refs(e.mfn) > 1 &&
		    (c->p2m->codec->hierarchical_write || writable_below(c->p2m, e.mfn, level - 1)))
			wrong_entry(c, e, level, "may be written below, but others have it");
	}
	if (used == *p2m_table_used(table) && (used || level == c->p2m->codec->levels) &&
	    *p2m_table_refs(table))
		return;
	pr_err("p2m: table %lx of level %u has %lu entries, counts %u, and %u references\n",
	       mfn_x(table), level, used, *p2m_table_used(table), *p2m_table_refs(table));
	c->wrong++;
}

/* TABLE, whose first entry is for BASE, and all below from c->from on. False: not to its end. */
static bool check_table(struct check *c, mfn_t table, unsigned int level, gfn_t base)
{
	unsigned int order = p2m_level_order(level), i = 0;

	if (gfn_x(c->from) > gfn_x(base) || (gfn_eq(c->from, base) && level > c->level)) {
		i = (unsigned int)((gfn_x(c->from) - gfn_x(base)) >> order);
	} else if (!c->left) {
		c->from = base;
		c->level = level;
		return false;
	} else {
		c->left--;
		check_counts(c, table, level);
	}
	for (; i < P2M_ENTRIES; i++) {
		struct p2m_entry e = p2m_read(c->p2m, table, i, level);

		if (!e.table && !p2m_is_hole(e))
			check_leaf(c, e, level);
		else if (e.table && !check_table(c, e.mfn, level - 1,
						 gfn_add(base, (unsigned long)i << order)))
			return false;
	}
	return true;
}

/* A part of the running tree, then of the checkpoint's. STATS is the former's. False: there is more. */
static bool check_some(struct p2m *p2m, struct p2m_audit *at, struct p2m_stats *stats)
{
	struct p2m_stats of_origin = { 0 };
	struct check c = { .p2m = p2m, .left = TABLES_AT_ONCE };
	bool done = true;
	mfn_t root;

	spin_lock(&p2m->lock);
	root = at->origin ? p2m->origin : p2m->root;
	c.stats = at->origin ? &of_origin : stats;
	c.from = at->from;
	c.level = at->level ? at->level : p2m->codec->levels;
	if (!mfn_eq(root, INVALID_MFN))
		done = check_table(&c, root, p2m->codec->levels, _gfn(0));
	at->wrong += c.wrong;
	at->from = done ? _gfn(0) : c.from;
	at->level = done ? 0 : c.level;
	done &= at->origin;
	at->origin |= !at->level;
	spin_unlock(&p2m->lock);
	return done;
}

unsigned long p2m_check(struct p2m *p2m, struct p2m_stats *stats)
{
	struct p2m_audit at = { .wrong = 0 };

	*stats = (struct p2m_stats){ 0 };
	while (p2m->codec && !check_some(p2m, &at, stats))
		;
	return at.wrong;
}

int p2m_audit(struct p2m *p2m, unsigned long *wrong)
{
	struct p2m_stats stats = { 0 };

	while (!check_some(p2m, &p2m->audit, &stats)) {
		if (p2m_interrupted(p2m))
			return -ERESTART;
	}
	spin_lock(&p2m->lock);
	*wrong = p2m->audit.wrong;
	p2m->audit = (struct p2m_audit){ .wrong = 0 };
	spin_unlock(&p2m->lock);
	return 0;
}
