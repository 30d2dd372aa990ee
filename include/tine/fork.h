/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of a live fork: one p2m begins with what another has, and both go on by themselves. mm/fork.c picks one of three strategies by
 * `fork=` (mm/fork_subtree.c, fork_run.c, fork_frame.c); what becomes of a tree later is the same after all of them (mm/p2m_unshare.c).
 *
 * Frames that several trees map belong to one domain, at first the parent; when that one writes (it copies, too, unless it is the last to map the
 * frame) or ends, they are DOMID_COW's, also when in the end only one maps them and writes to them. p2m_unshare() makes them the domain's. So page_get(), which
 * asks for the owner, is for frames after p2m_unshare(); for a copy from or to the guest use p2m_hold(), which does not care.
 */
#ifndef TINE_FORK_H
#define TINE_FORK_H

#include <tine/p2m.h>

/*
 * CHILD, fresh and empty, gets all that PARENT maps, also the pages that are the parent's own (shared info, grant frames): whoever forks a domain
 * puts the child's in their place, by p2m_set() or p2m_clear() of CHILD. No vCPU of either runs; after 0 both may. -ENOMEM: CHILD is to be destroyed,
 * PARENT is as it was for its guest. -EOPNOTSUPP: PARENT maps others' frames. -EINVAL: CHILD is not empty. -ERESTART: other work waits; call it again with the
 * same two, with neither having run.
 */
int p2m_fork(struct p2m *child, struct p2m *parent) __must_check;

/*
 * P2M is remembered as it is now: p2m_reset() goes back to here. To be called once a fork's own pages are in place, before it runs. Replaces an earlier
 * one. What is then written is copied, and so is what the hypervisor holds: call p2m_unshare() after it, not before. No vCPU runs. -ENOMEM: nothing happened.
 */
int p2m_checkpoint(struct p2m *p2m) __must_check;

/*
 * Back to the checkpoint, at a cost that goes by what has changed since, whatever the parent did meanwhile. No vCPU of its domain runs. Frames that
 * the domain got since then are given up. Entries that were unshared are shared again: who holds frames takes them anew. -ENOENT: there is no
 * checkpoint. -ENOMEM, -ERESTART: partly done; call it again.
 */
int p2m_reset(struct p2m *p2m) __must_check;

/*
 * The frame at GFN is this tree's alone, its domain's own and writable from now on, until the next fork or checkpoint. -ENOENT: a hole. -EACCES: it
 * is no RAM of the guest's that may be written. -ENOMEM.
 */
int p2m_unshare(struct p2m *p2m, gfn_t gfn) __must_check;

/* The frame at GFN, for reading or writing, with a general reference that page_put() ends. Whose it is, is not said. Errors of p2m_fault(). */
int p2m_hold(struct p2m *p2m, gfn_t gfn, bool write, mfn_t *out) __must_check;

/*
 * What P2M has to itself and what it has in common with other trees or its own checkpoint, at this moment: a frame is its own if only it maps it. Walks
 * the tree.
 */
struct p2m_share_stats {
	unsigned long own_frames, shared_frames, own_tables, shared_tables;
};
void p2m_share_count(struct p2m *p2m, struct p2m_share_stats *out);

/* By the name of `fork=`; -ENOENT. For benchmarks and tests. */
int p2m_fork_choose(const char *name) __must_check;
const char *p2m_fork_strategy(void);

#endif
