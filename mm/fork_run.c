// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fork=run: the published way to complete a fork. Both trees' locks, the child's and then the parent's, are held over a run of at most RUN_MAX frames, each
 * entry is looked up once, and the parent's CPUs forget their translations once a run. Both are dropped before every point where other work may come
 * in between. A frame that could not be materialised is a warning with its number.
 */
#include "fork_strategy.h"
#include <tine/errno.h>

#define RUN_MAX 8192U

/* One frame, of which GFN is the number. */
static int materialise(struct p2m_batch *child, struct p2m_batch *parent, gfn_t gfn,
		       struct p2m_entry *unused)
{
	struct p2m_entry e;
	int ret = fork_share(parent, gfn, &e);

	if (ret)
		return ret;
	ret = p2m_change(child, gfn, 1, e, true);
	if (ret)
		*unused = e;
	return ret == -EEXIST ? 0 : ret; /* somebody looked at it before */
}

/* From *GFN on. -EAGAIN: there may be more. */
static int run(struct p2m *child, struct p2m *parent, gfn_t *gfn)
{
	struct p2m_entry unused = { .type = P2M_HOLE };
	struct p2m_batch to, from;
	int ret = 0, next = 0;

	p2m_begin(&to, child);
	p2m_begin(&from, parent);
	for (unsigned int n = 0; n < RUN_MAX && !ret && p2m_has_room(&from); n++) {
		next = fork_next(parent, gfn);
		if (next || !p2m_is_hole(unused))
			break;
		ret = materialise(&to, &from, *gfn, &unused);
		if (!ret)
			*gfn = gfn_add(*gfn, 1);
	}
	p2m_end_both(&to, &from);
	p2m_release(child, unused, 1, false);
	if (ret)
		fork_warn(child, *gfn, ret);
	return ret ? ret : next ? 0 : -EAGAIN;
}

static int fork_by_runs(struct p2m *child, struct p2m *parent)
{
	gfn_t gfn = _gfn(child->resume);
	int ret;

	fork_begin(child, parent);
	do {
		ret = run(child, parent, &gfn);
		if (ret == -EAGAIN && p2m_interrupted(child))
			ret = -ERESTART;
	} while (ret == -EAGAIN);
	child->resume = gfn_x(gfn);
	if (ret != -ERESTART)
		fork_end(child);
	return ret;
}

const struct fork_strategy fork_run = { .name = "run", .fork = fork_by_runs };
