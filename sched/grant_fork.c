// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grant table of a fork: it has the parent's entries, as they are in memory that its kernel believes to have, and none of their uses:
 * who had mapped a frame of the parent's has not mapped the fork's.
 */
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/string.h>
#include "fork_state.h"
#include "grant_internal.h"

/* A use that began before the memory is in common, and ended after, would be of a frame that two domains have. */
int grant_table_close(struct domain *d)
{
	struct grant_table *t = d->grants;
	int ret = 0;

	spin_lock(&t->lock);
	if (t->uses)
		ret = -EBUSY;
	else
		t->closed = true;
	spin_unlock(&t->lock);
	return ret;
}

void grant_table_open(struct domain *d)
{
	struct grant_table *t = d->grants;

	spin_lock(&t->lock);
	t->closed = false;
	spin_unlock(&t->lock);
}

/* Frames are mostly zero: bytes up to the last that is not. */
static size_t used_size(const u64 *frame)
{
	size_t n = PAGE_SIZE / sizeof(*frame);

	while (n && !frame[n - 1])
		n--;
	return n * sizeof(*frame);
}

/* In version 2 the marks are in status frames, which are not copied. */
static void clear_uses(void *frame, size_t size)
{
	grant_entry_v1_t *e = frame;

	for (size_t i = 0; i < size / sizeof(*e); i++)
		e[i].flags &= (u16) ~(GTF_reading | GTF_writing);
}

static int save_frame(struct grant_snapshot *s, const struct grant_table *t, unsigned int i)
{
	size_t size = used_size(t->frames[i]);

	kfree(s->frame[i]);
	s->size[i] = 0;
	s->frame[i] = size ? kzalloc(size) : NULL;
	if (!size)
		return 0;
	if (!s->frame[i])
		return -ENOMEM;
	memcpy(s->frame[i], t->frames[i], size);
	if (t->version == 1)
		clear_uses(s->frame[i], size);
	s->size[i] = size;
	return 0;
}

int grant_snapshot_save(struct grant_snapshot *s, struct domain *d)
{
	struct grant_table *t = d->grants;
	int ret = 0;

	spin_lock(&t->lock);
	s->version = t->version;
	s->nr_frames = t->nr_frames;
	for (unsigned int i = 0; i < t->nr_frames && !ret; i++)
		ret = save_frame(s, t, i);
	spin_unlock(&t->lock);
	return ret;
}

/* Frames that came since stay, and are empty. */
int grant_snapshot_load(struct domain *d, const struct grant_snapshot *s)
{
	struct grant_table *t = d->grants;
	int ret = 0;

	if (s->version != READ_ONCE(t->version))
		ret = grant_table_set_version(d, s->version);
	if (!ret)
		ret = grant_table_grow(d, s->nr_frames);
	if (ret)
		return ret;
	spin_lock(&t->lock);
	for (unsigned int i = 0; i < t->nr_frames; i++) {
		size_t size = i < s->nr_frames ? s->size[i] : 0;

		if (size)
			memcpy(t->frames[i], s->frame[i], size);
		memset((u8 *)t->frames[i] + size, 0, PAGE_SIZE - size);
	}
	spin_unlock(&t->lock);
	return 0;
}

void grant_snapshot_free(struct grant_snapshot *s)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(s->frame); i++)
		kfree(s->frame[i]);
}
