// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fork=frame: how forks were completed before runs. Each frame by itself: is it a hole in the child; the parent's lock, its entry, a flush; the child's
 * lock, its entry, a flush; and is it there now. Three walks of the child's p2m, and nothing kept from one frame to the next.
 */
#include "fork_strategy.h"
#include <tine/errno.h>

static int next_frame(struct p2m *parent, gfn_t *gfn)
{
	int ret;

	spin_lock(&parent->lock);
	ret = fork_next(parent, gfn);
	spin_unlock(&parent->lock);
	return ret;
}

static int share_frame(struct p2m *parent, gfn_t gfn, struct p2m_entry *out)
{
	struct p2m_batch b;
	int ret;

	p2m_begin(&b, parent);
	ret = fork_share(&b, gfn, out);
	p2m_end(&b);
	return ret;
}

static int insert_frame(struct p2m *child, gfn_t gfn, struct p2m_entry e)
{
	struct p2m_batch b;
	int ret;

	p2m_begin(&b, child);
	ret = p2m_change(&b, gfn, 1, e, true);
	b.flush = true;
	p2m_end(&b);
	if (ret)
		p2m_release(child, e, 1, false);
	return ret;
}

static bool is_there(struct p2m *child, gfn_t gfn)
{
	return !mfn_eq(p2m_lookup(child, gfn, NULL, NULL), INVALID_MFN);
}

static int materialise(struct p2m *child, struct p2m *parent, gfn_t gfn)
{
	struct p2m_entry e;
	int ret;

	if (is_there(child, gfn))
		return 0;
	ret = share_frame(parent, gfn, &e);
	if (!ret)
		ret = insert_frame(child, gfn, e);
	if (!is_there(child, gfn))
		fork_warn(child, gfn, ret);
	return ret;
}

static int fork_by_frames(struct p2m *child, struct p2m *parent)
{
	gfn_t gfn = _gfn(child->resume);
	int ret = 0;

	fork_begin(child, parent);
	while (!ret && !next_frame(parent, &gfn)) {
		ret = materialise(child, parent, gfn);
		if (ret)
			break;
		gfn = gfn_add(gfn, 1);
		if (p2m_interrupted(child))
			ret = -ERESTART;
	}
	child->resume = gfn_x(gfn);
	if (ret != -ERESTART)
		fork_end(child);
	return ret;
}

const struct fork_strategy fork_frame = { .name = "frame", .fork = fork_by_frames };
