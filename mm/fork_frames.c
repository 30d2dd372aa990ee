// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frame by frame from a parent to a child that began with holes: what fork=run and fork=frame have in common, and how a hole is filled when somebody
 * looks at it before its turn. Both trees' locks are held for the latter, the child's before its parent's: its level says so as long as it has one.
 */
#include "fork_strategy.h"
#include "mapcount.h"
#include <tine/errno.h>
#include <tine/printk.h>

void fork_begin(struct p2m *child, struct p2m *parent)
{
	if (child->parent)
		return;
	child->parent = parent;
	child->lock.level = LOCK_P2M_CHILD;
}

void fork_end(struct p2m *child)
{
	child->parent = NULL;
	child->resume = 0;
	child->lock.level = LOCK_P2M;
}

/* The hypervisor's pages are lent to a domain, and not its memory. */
static bool is_memory(struct p2m_entry e)
{
	return p2m_is_counted(e) && !(READ_ONCE(mfn_to_page(e.mfn)->count_info) & PAGE_TINE);
}

int fork_next(const struct p2m *parent, gfn_t *gfn)
{
	while (p2m_in_reach(parent, *gfn)) {
		struct p2m_walk w = p2m_walk(parent, *gfn, 1);
		unsigned long size = BIT(p2m_level_order(w.level));

		if (is_memory(w.entry))
			return 0;
		*gfn = _gfn(ROUND_DOWN(gfn_x(*gfn), size) + size);
	}
	return -ENOENT;
}

int fork_share(struct p2m_batch *parent, gfn_t gfn, struct p2m_entry *out)
{
	struct p2m *p2m = parent->p2m;
	struct p2m_walk w = p2m_walk(p2m, gfn, 1);
	int ret = is_memory(w.entry) ? 0 : -ENOENT;

	if (!ret && w.level > 1)
		ret = p2m_own(parent, gfn, 1, &w);
	while (!ret && w.level > 1)
		ret = p2m_split(parent, &w, gfn);
	if (ret)
		return ret;
	*out = p2m->codec->decode(p2m_share_entry(p2m, w.tables[1], p2m_index(gfn, 1), 1), 1);
	parent->flush = true;
	return 0;
}

void fork_warn(const struct p2m *child, gfn_t gfn, int error)
{
	pr_warn("fork: frame %lx of the guest was not materialised in its child: error %d\n",
		gfn_x(gfn), error);
}

int p2m_fill_hole(struct p2m *child, gfn_t gfn)
{
	struct p2m_batch b, from;
	struct p2m_entry e;
	int ret, shared;

	p2m_begin(&b, child);
	if (!child->parent) { /* it has come in between */
		p2m_end(&b);
		return -ENOENT;
	}
	p2m_begin(&from, child->parent);
	ret = shared = fork_share(&from, gfn, &e);
	if (!shared)
		ret = p2m_change(&b, gfn, 1, e, true);
	p2m_end_both(&b, &from);
	if (!shared && ret)
		p2m_release(child, e, 1, false);
	return ret;
}
