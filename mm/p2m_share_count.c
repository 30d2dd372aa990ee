// SPDX-License-Identifier: GPL-2.0-or-later
/* How much of a p2m is its own: for people who look at a domain, and for benchmarks. Under p2m->lock; others may change what is shared meanwhile. */
#include "mapcount.h"
#include <tine/fork.h>

static void count_leaf(struct p2m_entry e, unsigned int level, bool shared,
		       struct p2m_share_stats *out)
{
	unsigned long size = BIT(p2m_level_order(level)), own = 0;

	for (unsigned long i = 0; i < size && !shared; i++)
		own += mapcount_of(mfn_add(e.mfn, i)) == 1;
	out->own_frames += own;
	out->shared_frames += size - own;
}

static void count_table(const struct p2m *p2m, mfn_t table, unsigned int level, bool shared,
			struct p2m_share_stats *out)
{
	*(shared ? &out->shared_tables : &out->own_tables) += 1;
	for (unsigned int i = 0; i < P2M_ENTRIES; i++) {
		struct p2m_entry e = p2m_read(p2m, table, i, level);

		if (e.table)
			count_table(p2m, e.mfn, level - 1, shared || *p2m_table_refs(e.mfn) > 1,
				    out);
		else if (p2m_is_counted(e))
			count_leaf(e, level, shared, out);
	}
}

void p2m_share_count(struct p2m *p2m, struct p2m_share_stats *out)
{
	*out = (struct p2m_share_stats){ 0 };
	if (!p2m->codec)
		return;
	spin_lock(&p2m->lock);
	if (!mfn_eq(p2m->root, INVALID_MFN))
		count_table(p2m, p2m->root, p2m->codec->levels, false, out);
	spin_unlock(&p2m->lock);
}
