// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fork=subtree: the child's root names the same subtrees as the parent's, and neither lets writes through. So a fork is complete from the start, and
 * what it costs goes by the entries of one table. Memory is paid for by who writes, a path of tables and a frame at a time.
 */
#include "fork_strategy.h"

/* The child has not run, and nobody else looks at its tables. */
static int share_root(struct p2m *child, struct p2m *parent)
{
	spin_lock(&parent->lock);
	p2m_share_entries(parent, parent->root, child->root, parent->codec->levels);
	spin_unlock(&parent->lock);
	arch_p2m_flush(parent);
	return 0;
}

const struct fork_strategy fork_subtree = { .name = "subtree", .fork = share_root };
