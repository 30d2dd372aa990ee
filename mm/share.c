// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frames that are shared on request: see <tine/share.h>. There is no list of who shares what. A frame's handle is its `type_info`, which means that only as long
 * as the frame is DOMID_COW's: whoever becomes its owner, and the heap, clear it. All entries that name a nominated frame are without leave to write, the first
 * because it was taken, and the others because it never was given; the rest is what happens to any frame that several trees map.
 *
 * Locks: one tree's at a time. In between, the entry that is on its way from the source to the client is counted already, so the frame stays.
 */
#include "fork_strategy.h"
#include "mapcount.h"
#include <tine/errno.h>
#include <tine/fork.h>
#include <tine/share.h>
#include <xen/xen.h>

static u64 last_handle; /* atomic */

/* Under the tree's lock. *MFN is what GFN has; the handle of that, or 0. */
static u64 handle_at(const struct p2m *p2m, gfn_t gfn, mfn_t *mfn)
{
	struct p2m_walk w;
	struct page *pg;

	if (mfn_eq(p2m->root, INVALID_MFN) || !p2m_in_reach(p2m, gfn))
		return 0;
	w = p2m_walk(p2m, gfn, 1);
	if (!p2m_is_counted(w.entry) || w.level > 1)
		return 0;
	*mfn = w.entry.mfn;
	pg = mfn_to_page(*mfn);
	return READ_ONCE(pg->owner) == DOMID_COW ? READ_ONCE(pg->type_info) : 0;
}

static u64 locked_handle(struct p2m *p2m, gfn_t gfn)
{
	mfn_t mfn;
	u64 handle;

	spin_lock(&p2m->lock);
	handle = handle_at(p2m, gfn, &mfn);
	spin_unlock(&p2m->lock);
	return handle;
}

/* ---- Nominating ---- */

/* Down to a page that is the tree's alone. */
static int private_page(struct p2m_batch *b, gfn_t gfn, struct p2m_walk *w)
{
	int ret = mfn_eq(b->p2m->root, INVALID_MFN) ? -EINVAL : p2m_own(b, gfn, 1, w);

	if (!ret && !(p2m_is_counted(w->entry) && w->entry.writable))
		ret = -EINVAL; /* it was, but others were faster */
	while (!ret && w->level > 1)
		ret = p2m_split(b, w, gfn);
	return ret;
}

/* With the frame's lock nobody begins to map it. Who holds it has a reference besides the owner's and the trees'. */
static int disown(const struct p2m *p2m, mfn_t mfn, u64 *handle)
{
	struct spinlock *lock = p2m_frame_lock(mfn);
	struct page *pg = mfn_to_page(mfn);
	int ret = 0;
	u64 info;

	spin_lock(lock);
	info = READ_ONCE(pg->count_info);
	if (info & PAGE_TINE || !p2m->frames->owns(p2m->domain, mfn))
		ret = -EINVAL;
	else if ((info & PAGE_COUNT_MASK) != (info & PAGE_ALLOCATED ? 2 : 1))
		ret = -E2BIG;
	if (!ret) {
		p2m->frames->leave(p2m->domain, mfn);
		*handle = __atomic_add_fetch(&last_handle, 1, __ATOMIC_RELAXED);
		WRITE_ONCE(pg->type_info, *handle);
	}
	spin_unlock(lock);
	return ret;
}

static int nominate(struct p2m_batch *b, gfn_t gfn, u64 *handle)
{
	struct p2m_walk w;
	int ret = private_page(b, gfn, &w);

	if (!ret)
		ret = disown(b->p2m, w.entry.mfn, handle);
	if (ret)
		return ret;
	w.entry.writable = false;
	p2m_store(b, &w, gfn, w.entry);
	return 0;
}

int share_nominate(struct p2m *p2m, gfn_t gfn, u64 *handle)
{
	struct p2m_batch b;
	int ret;

	*handle = locked_handle(p2m, gfn);
	if (*handle)
		return 0;
	ret = p2m_unshare(p2m, gfn);
	if (ret)
		return ret == -ENOMEM ? ret : -EINVAL;
	p2m_begin(&b, p2m);
	ret = nominate(&b, gfn, handle);
	p2m_end(&b);
	return ret;
}

/* ---- Sharing ---- */

/* Another entry for SOURCE's frame, for use elsewhere. */
static int take_source(const struct share_place *source, struct p2m_entry *out)
{
	struct p2m_batch b;
	int ret = SHARE_BAD_SOURCE;
	mfn_t mfn;

	p2m_begin(&b, source->p2m);
	if (source->handle && handle_at(source->p2m, source->gfn, &mfn) == source->handle)
		ret = fork_share(&b, source->gfn, out);
	p2m_end(&b);
	return ret;
}

static int replace(struct p2m_batch *b, const struct share_place *client, struct p2m_entry new)
{
	mfn_t mfn;

	if (!client->handle || handle_at(b->p2m, client->gfn, &mfn) != client->handle)
		return SHARE_BAD_CLIENT;
	return p2m_change(b, client->gfn, 1, new, false);
}

static int fill(struct p2m_batch *b, const struct share_place *client, struct p2m_entry new)
{
	int ret = p2m_in_reach(b->p2m, client->gfn) ? 0 : -EINVAL;

	if (!ret)
		ret = p2m_change(b, client->gfn, 1, new, true);
	return ret == -EEXIST || ret == -ENOENT ? -EINVAL : ret;
}

static int share(const struct share_place *source, const struct share_place *client,
		 int (*put)(struct p2m_batch *b, const struct share_place *client,
			    struct p2m_entry new))
{
	struct p2m_entry e;
	struct p2m_batch b;
	int ret = take_source(source, &e);

	if (ret)
		return ret;
	p2m_begin(&b, client->p2m);
	ret = put(&b, client, e);
	p2m_end(&b);
	if (ret)
		p2m_release(client->p2m, e, 1, false);
	return ret;
}

int share_frames(const struct share_place *source, const struct share_place *client)
{
	return share(source, client, replace);
}

int share_add(const struct share_place *source, const struct share_place *client)
{
	return share(source, client, fill);
}

static int share_one(struct p2m *source, struct p2m *client, gfn_t gfn)
{
	struct share_place from = { source, gfn, 0 }, to = { client, gfn, 0 };
	int ret = share_nominate(source, gfn, &from.handle);

	if (!ret)
		ret = share_nominate(client, gfn, &to.handle);
	if (!ret && from.handle != to.handle)
		ret = share_frames(&from, &to);
	return ret == -ENOMEM ? ret : 0;
}

int share_range(struct p2m *source, struct p2m *client, gfn_t first, gfn_t last,
		unsigned long *done)
{
	unsigned long count = gfn_x(last) - gfn_x(first) + 1;
	int ret = 0;

	if (gfn_x(first) > gfn_x(last) || !p2m_in_reach(source, last) ||
	    !p2m_in_reach(client, last))
		return -EINVAL;
	while (*done < count && !ret) {
		ret = share_one(source, client, gfn_add(first, *done));
		if (ret)
			break;
		++*done;
		if (*done < count && p2m_interrupted(source))
			ret = -ERESTART;
	}
	return ret;
}

unsigned int share_count(struct p2m *p2m, gfn_t gfn)
{
	unsigned int count = 0;
	mfn_t mfn;

	spin_lock(&p2m->lock);
	if (handle_at(p2m, gfn, &mfn))
		count = mapcount_of(mfn);
	spin_unlock(&p2m->lock);
	return count;
}
