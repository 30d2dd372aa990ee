// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forks of a p2m: the strategy that `fork=` chose, and checkpoints, which are forks that nobody runs. See <tine/fork.h>.
 */
#include "fork_strategy.h"
#include "p2m_log.h"
#include <tine/cmdline.h>
#include <tine/errno.h>
#include <tine/fork.h>
#include <tine/heap.h>
#include <tine/string.h>

static const struct fork_strategy *const strategies[] = { &fork_subtree, &fork_run, &fork_frame };
static const struct fork_strategy *strategy = &fork_subtree;

int p2m_fork_choose(const char *name)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(strategies); i++) {
		if (!strcmp(name, strategies[i]->name)) {
			strategy = strategies[i];
			return 0;
		}
	}
	return -ENOENT;
}
CMDLINE_CUSTOM_OPTION("fork", fork, p2m_fork_choose);

const char *p2m_fork_strategy(void)
{
	return strategy->name;
}

int p2m_fork(struct p2m *child, struct p2m *parent)
{
	if (parent->has_grants)
		return -EOPNOTSUPP;
	if (mfn_eq(parent->root, INVALID_MFN) || mfn_eq(child->root, INVALID_MFN) ||
	    child->codec != parent->codec || parent->parent ||
	    (child->parent ? child->parent != parent : *p2m_table_used(child->root)))
		return -EINVAL;
	return strategy->fork(child, parent);
}

int p2m_checkpoint(struct p2m *p2m)
{
	mfn_t root = p2m_root_new(HEAP_DIRTY_OK), old;

	if (mfn_eq(root, INVALID_MFN))
		return -ENOMEM;
	spin_lock(&p2m->lock);
	p2m_share_entries(p2m, p2m->root, root, p2m->codec->levels);
	old = p2m->origin;
	p2m->origin = root;
	p2m->origin_has_grants = p2m->has_grants;
	p2m->resume = 0;
	p2m_log_clear(p2m);
	spin_unlock(&p2m->lock);
	arch_p2m_flush(p2m);
	if (!mfn_eq(old, INVALID_MFN))
		p2m_release(p2m, (struct p2m_entry){ .table = true, .mfn = old },
			    p2m->codec->levels + 1, false);
	return 0;
}
