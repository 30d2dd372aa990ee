// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages of a forked domain that the hypervisor writes to as well: vcpu_info where the guest registered it, the rings, shared info and grant
 * frames. The hypervisor's writes fault on nothing, so they are never in common to two domains that run.
 *
 * The parent keeps its frames (struct p2m_frames.keeps): nothing is to be done for them while it is stopped, but to save what they contain. The
 * child, before it first runs, gets frames of its own with that, which it keeps as well; at a reset the contents are written to them again.
 */
#include <tine/arch.h>
#include <tine/arch_fork.h>
#include <tine/domain_fork.h>
#include <tine/domain_physmap.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/printk.h>
#include <tine/string.h>
#include "fork_state.h"
#include "internal.h"

/* ---- Saving ---- */

/* The guest may have put something else where the page is, or the page elsewhere: then what a fork sees there is not it. */
static int save(struct fork_state *s, struct domain *d, unsigned long frame, const struct page *pg,
		const void *there)
{
	struct held_page *h = &s->held[s->nr_held];

	if (!domain_physmap_is_at(d, _gfn(frame), pg)) {
		pr_err("Domain %u: a page that the hypervisor writes to is not at frame %lx, where "
		       "it was registered: "
		       "that cannot be forked\n",
		       d->id, frame);
		return -EOPNOTSUPP;
	}
	for (unsigned int i = 0; i < s->nr_held; i++) {
		if (s->held[i].frame == frame)
			return 0;
	}
	ASSERT(s->nr_held < ARRAY_SIZE(s->held));
	h->contents = heap_alloc_pages(0, HEAP_DIRTY_OK);
	if (!h->contents)
		return -ENOMEM;
	s->nr_held++;
	h->frame = frame;
	memcpy(h->contents, (const void *)((unsigned long)there & PAGE_MASK), PAGE_SIZE);
	return 0;
}

int fork_pages_save(struct fork_state *s, struct domain *d)
{
	unsigned long frame;
	const void *there;
	struct vcpu *v;
	unsigned int i;
	int ret = 0;

	for_each_vcpu (d, v, i) {
		if (v->info_page && !ret)
			ret = save(s, d, v->info_frame, v->info_page, v->info);
	}
	if (!ret && console_ring_frame(d, &frame, &there))
		ret = save(s, d, frame, console_ring_page(d), there);
	if (!ret && xenstore_frame(d, &frame, &there))
		ret = save(s, d, frame, xenstore_page(d), there);
	return ret;
}

void fork_pages_free(struct fork_state *s)
{
	while (s->nr_held)
		heap_free_pages(s->held[--s->nr_held].contents, 0);
}

/* ---- The child's ---- */

static const void *contents_of(const struct fork_state *s, unsigned long frame)
{
	for (unsigned int i = 0; i < s->nr_held; i++) {
		if (s->held[i].frame == frame)
			return s->held[i].contents;
	}
	return NULL;
}

int fork_hold_page(struct domain *d, unsigned long frame, struct page **pg, void **va)
{
	const void *contents = contents_of(d->fork->state, frame);
	int ret = contents ? arch_map_guest_frame(d, frame, pg, va) : -EINVAL;

	if (!ret)
		memcpy(*va, contents, PAGE_SIZE);
	return ret;
}

static int hold_info(struct vcpu *v, const struct vcpu_state *s)
{
	struct page *pg;
	void *va;
	int ret = fork_hold_page(v->domain, s->info_frame, &pg, &va);

	if (ret)
		return ret;
	v->info_page = pg;
	v->info_frame = s->info_frame;
	__atomic_store_n(&v->info, (vcpu_info_t *)((char *)va + s->info_offset), __ATOMIC_SEQ_CST);
	return 0;
}

int fork_pages_of_child(struct domain *child, const struct domain *parent)
{
	const struct fork_state *s = child->fork->state;
	int ret = domain_physmap_place_again(child);

	for (unsigned int i = 0; i < s->nr_vcpus && !ret; i++) {
		if (s->vcpus[i].has_info)
			ret = hold_info(child->vcpus[i], &s->vcpus[i]);
	}
	if (!ret)
		ret = console_ring_fork(child, parent);
	if (!ret)
		ret = xenstore_fork_map(child);
	return ret ? ret : arch_fork_checkpoint(child);
}

/* Pages that the last reset has taken from v->info. Who reads that now finds another one; so none is left who knows them once there was nobody. */
int fork_pages_let_go(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i) {
		if (!v->forgotten_info)
			continue;
		if (__atomic_load_n(&v->info_users, __ATOMIC_SEQ_CST))
			return -ERESTART;
		arch_unmap_guest_frame(v->forgotten_info, NULL);
		v->forgotten_info = NULL;
	}
	return 0;
}

/* What it registered since the fork is not registered. The page stays held: somebody may just be writing there. */
static void forget_info(struct vcpu *v)
{
	v->forgotten_info = v->info_page;
	v->info_page = NULL;
	__atomic_store_n(&v->info, &v->domain->shared_info->vcpu_info[v->id], __ATOMIC_SEQ_CST);
}

void fork_restore_page(const struct domain *d, unsigned long frame, const void *there)
{
	memcpy((void *)((unsigned long)there & PAGE_MASK), contents_of(d->fork->state, frame),
	       PAGE_SIZE);
}

/* The frames themselves are where they were when the checkpoint was made. */
void fork_pages_reset(struct domain *d)
{
	const struct fork_state *s = d->fork->state;
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i) {
		if (v->info_page && s->vcpus[i].has_info)
			fork_restore_page(d, v->info_frame, v->info);
		else if (v->info_page)
			forget_info(v);
	}
	console_ring_reset(d);
	xenstore_reset(d);
}
