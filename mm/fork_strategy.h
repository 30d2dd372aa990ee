/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A strategy of memory fork: fork_subtree.c, fork_run.c, fork_frame.c, one file each. The latter two are the published way: the child begins with
 * holes, and gets the parent's frames one by one, in pieces of 4 KiB. What both do to one frame is in fork_frames.c.
 */
#ifndef MM_FORK_STRATEGY_H
#define MM_FORK_STRATEGY_H

#include "p2m_internal.h"

struct fork_strategy {
	const char *name;
	/* As p2m_fork(), with the arguments looked at. */
	int (*fork)(struct p2m *child, struct p2m *parent);
};

extern const struct fork_strategy fork_subtree, fork_run, fork_frame;

/*
 * fork_frames.c: CHILD's holes are filled from PARENT from now on, until the end. Meanwhile CHILD's lock comes before its parent's (LOCK_P2M_CHILD), and
 * nobody else may have either tree changed.
 */
void fork_begin(struct p2m *child, struct p2m *parent);
void fork_end(struct p2m *child);

/* The first frame from GFN on that the parent has. -ENOENT: there is none. Under the parent's lock. */
int fork_next(const struct p2m *parent, gfn_t *gfn) __must_check;

/*
 * One more entry for the frame that the parent of the batch has at GFN, for use in a child's tree; the parent may not write to it any more. -ENOENT: it has
 * none to share there. -ENOMEM.
 */
int fork_share(struct p2m_batch *parent, gfn_t gfn, struct p2m_entry *out) __must_check;

/* A line for each frame that the child should have and has not. */
void fork_warn(const struct p2m *child, gfn_t gfn, int error);

#endif
