/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A strategy of memory fork. One file each: fork_subtree.c, fork_run.c, fork_frame.c. */
#ifndef MM_FORK_STRATEGY_H
#define MM_FORK_STRATEGY_H

#include "p2m_internal.h"

struct fork_strategy {
	const char *name;
	/* As p2m_fork(), with the arguments looked at. */
	int (*fork)(struct p2m *child, struct p2m *parent);
};

extern const struct fork_strategy fork_subtree;

#endif
