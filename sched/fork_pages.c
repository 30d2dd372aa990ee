// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages of a forked domain that the hypervisor writes to as well: vcpu_info where the guest registered it, the rings, shared info and grant
 * frames. They are never in common to two domains, since the hypervisor's writes fault on nothing. So on either side of a fork each gets a
 * frame of its own at the same guest frame; and at a reset the fork's keep theirs, with the contents of the time of the fork.
 */
#include <tine/arch.h>
#include <tine/arch_fork.h>
#include <tine/errno.h>
#include "fork_state.h"
#include "internal.h"

int hold_forked_page(struct domain *d, unsigned long frame, struct page **pg, void **va)
{
	int ret = arch_fork_unshare(d, frame);

	return ret ? ret : arch_map_guest_frame(d, frame, pg, va);
}

/* V's registered vcpu_info is in FRAME's page at OFFSET. */
static int hold_info(struct vcpu *v, unsigned long frame, unsigned int offset)
{
	struct page *pg;
	void *va;
	int ret = hold_forked_page(v->domain, frame, &pg, &va);

	if (ret)
		return ret;
	v->info_page = pg;
	v->info_frame = frame;
	__atomic_store_n(&v->info, (vcpu_info_t *)((char *)va + offset), __ATOMIC_SEQ_CST);
	return 0;
}

/*
 * The child gets a copy of FRAME, and then nobody has the parent's frame but the parent: what the hypervisor holds and writes to at any time
 * stays where it is.
 */
static int part(struct domain *child, struct domain *parent, unsigned long frame)
{
	int ret = arch_fork_unshare(child, frame);

	return ret ? ret : arch_fork_unshare(parent, frame);
}

int fork_pages_of_parent(struct domain *child, struct domain *parent)
{
	unsigned long frame;
	struct vcpu *v;
	unsigned int i;
	int ret = arch_fork_place(parent);

	for_each_vcpu (parent, v, i) {
		if (v->info_page && !ret)
			ret = part(child, parent, v->info_frame);
	}
	if (console_ring_frame(parent, &frame) && !ret)
		ret = part(child, parent, frame);
	if (xenstore_frame(parent, &frame) && !ret)
		ret = part(child, parent, frame);
	return ret;
}

int fork_pages_of_child(struct domain *child, const struct domain *parent,
			const struct fork_state *s)
{
	int ret = arch_fork_checkpoint(child);

	if (!ret)
		ret = arch_fork_place(child);
	for (unsigned int i = 0; i < s->nr_vcpus && !ret; i++) {
		if (s->vcpus[i].has_info)
			ret = hold_info(child->vcpus[i], s->vcpus[i].info_frame,
					s->vcpus[i].info_offset);
	}
	if (!ret)
		ret = console_ring_fork(child, parent);
	return ret ? ret : xenstore_fork_map(child);
}

/* What it registered since the fork is not registered. The page stays held: somebody may just be writing there. */
static void forget_info(struct vcpu *v)
{
	struct page *old = v->forgotten_info;

	v->forgotten_info = v->info_page;
	v->info_page = NULL;
	__atomic_store_n(&v->info, &v->domain->shared_info->vcpu_info[v->id], __ATOMIC_SEQ_CST);
	if (old)
		arch_unmap_guest_frame(old, NULL);
}

int fork_pages_reset(struct domain *d, const struct fork_state *s)
{
	struct vcpu *v;
	unsigned int i;
	int ret = arch_fork_place(d);

	for_each_vcpu (d, v, i) {
		if (ret)
			break;
		if (v->info_page && s->vcpus[i].has_info)
			ret = arch_fork_put_back(d, v->info_frame, v->info_page);
		else if (v->info_page)
			forget_info(v);
	}
	if (!ret)
		ret = console_ring_reset(d);
	return ret ? ret : xenstore_reset(d);
}
