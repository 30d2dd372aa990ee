// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A domain's table of grants: its frames, and the entries that are in use.
 *
 * The guest may write to the table at any time. So an entry is looked at and marked as in use by
 * one atomic exchange (version 1), or marked in the status word and then looked at again (version
 * 2); afterwards only struct grant_active counts. t->lock guards that, the number of frames, and
 * the version, which cannot change while anything is in use.
 */
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/string.h>
#include "grant_internal.h"

#define V1_PER_FRAME (PAGE_SIZE / sizeof(grant_entry_v1_t))
#define V2_PER_FRAME (PAGE_SIZE / sizeof(grant_entry_v2_t))
#define STATUS_PER_FRAME (PAGE_SIZE / sizeof(grant_status_t))
#define NO_FRAME (~0U) /* of an entry in use that passes on another grant */
#define TRIES 8        /* for an entry that its owner keeps changing */

_Static_assert(GRANT_FRAMES_MAX *V2_PER_FRAME <= GRANT_STATUS_FRAMES_MAX * STATUS_PER_FRAME,
	       "a status for each entry");

/* ---- Frames; the lock is held ---- */

static unsigned int status_frames_for(const struct grant_table *t, unsigned int nr_frames)
{
	return t->version == 2
		       ? (unsigned int)DIV_ROUND_UP(nr_frames * V2_PER_FRAME, STATUS_PER_FRAME)
		       : 0;
}

static int add_status_frames(struct domain *d, struct grant_table *t, unsigned int nr)
{
	for (; t->nr_status < nr; t->nr_status++) {
		t->status[t->nr_status] = domain_alloc_shared(d);
		if (!t->status[t->nr_status])
			return -ENOMEM;
	}
	return 0;
}

static int add_frame(struct domain *d, struct grant_table *t)
{
	struct grant_active *active = kzalloc(V1_PER_FRAME * sizeof(*active));
	void *frame = active ? domain_alloc_shared(d) : NULL;

	if (!frame) {
		kfree(active);
		return -ENOMEM;
	}
	t->active[t->nr_frames] = active;
	t->frames[t->nr_frames++] = frame;
	return 0;
}

static int grow(struct domain *d, struct grant_table *t, unsigned int nr)
{
	int ret = add_status_frames(d, t, status_frames_for(t, nr));

	while (!ret && t->nr_frames < nr)
		ret = add_frame(d, t);
	return ret;
}

int grant_table_grow(struct domain *d, unsigned int nr)
{
	struct grant_table *t = d->grants;
	int ret;

	if (nr > GRANT_FRAMES_MAX)
		return -EINVAL;
	spin_lock(&t->lock);
	ret = grow(d, t, nr);
	spin_unlock(&t->lock);
	return ret;
}

unsigned int grant_table_frames(struct domain *d, unsigned int *status_frames)
{
	struct grant_table *t = d->grants;
	unsigned int nr;

	spin_lock(&t->lock);
	nr = t->nr_frames;
	*status_frames = t->nr_status;
	spin_unlock(&t->lock);
	return nr;
}

unsigned long grant_table_uses(struct domain *d)
{
	return READ_ONCE(d->grants->uses);
}

mfn_t grant_table_frame(struct domain *d, unsigned int i)
{
	return virt_to_mfn(d->grants->frames[i]);
}

mfn_t grant_status_frame(struct domain *d, unsigned int i)
{
	return virt_to_mfn(d->grants->status[i]);
}

/* ---- Versions ---- */

u32 grant_table_version(struct domain *d)
{
	return READ_ONCE(d->grants->version);
}

/*
 * The reserved entries in the other version's form. They are read once: the guest may be writing.
 */
static void convert_reserved(void *frame, u32 to)
{
	grant_entry_v1_t v1[GNTTAB_NR_RESERVED_ENTRIES];
	grant_entry_v2_t v2[GNTTAB_NR_RESERVED_ENTRIES];

	memset(v2, 0, sizeof(v2));
	memcpy(to == 2 ? (void *)v1 : (void *)v2, frame, to == 2 ? sizeof(v1) : sizeof(v2));
	for (unsigned int i = 0; i < GNTTAB_NR_RESERVED_ENTRIES; i++) {
		if (to == 2) {
			v2[i].hdr.flags = v1[i].flags;
			v2[i].hdr.domid = v1[i].domid;
			v2[i].full_page.frame = v1[i].frame;
		} else {
			v1[i].flags = v2[i].hdr.flags;
			v1[i].domid = v2[i].hdr.domid;
			v1[i].frame = (u32)v2[i].full_page.frame;
		}
	}
	memset(frame, 0, PAGE_SIZE);
	memcpy(frame, to == 2 ? (void *)v2 : (void *)v1, to == 2 ? sizeof(v2) : sizeof(v1));
}

static int set_version(struct domain *d, struct grant_table *t, u32 version)
{
	u32 before = t->version;
	int ret;

	if (t->uses)
		return -EBUSY;
	t->version = version;
	ret = grow(d, t, t->nr_frames ? t->nr_frames : 1);
	if (ret) {
		t->version = before;
		return ret;
	}
	convert_reserved(t->frames[0], version);
	for (unsigned int i = 1; i < t->nr_frames; i++)
		memset(t->frames[i], 0, PAGE_SIZE);
	for (unsigned int i = 0; i < t->nr_status; i++)
		memset(t->status[i], 0, PAGE_SIZE);
	return 0;
}

int grant_table_set_version(struct domain *d, u32 version)
{
	struct grant_table *t = d->grants;
	int ret = 0;

	if (version != 1 && version != 2)
		return -EINVAL;
	spin_lock(&t->lock);
	if (version != t->version)
		ret = set_version(d, t, version);
	spin_unlock(&t->lock);
	return ret;
}

/* ---- Entries; the lock is held, REF is in the table ---- */

static unsigned long per_frame(const struct grant_table *t)
{
	return t->version == 2 ? V2_PER_FRAME : V1_PER_FRAME;
}

static grant_entry_v1_t *entry_v1(const struct grant_table *t, u32 ref)
{
	return (grant_entry_v1_t *)t->frames[ref / V1_PER_FRAME] + ref % V1_PER_FRAME;
}

static grant_entry_v2_t *entry_v2(const struct grant_table *t, u32 ref)
{
	return (grant_entry_v2_t *)t->frames[ref / V2_PER_FRAME] + ref % V2_PER_FRAME;
}

/* Where the entry's bits of use are. */
static u16 *use_bits(const struct grant_table *t, u32 ref)
{
	return t->version == 2 ? &t->status[ref / STATUS_PER_FRAME][ref % STATUS_PER_FRAME]
			       : &entry_v1(t, ref)->flags;
}

static struct grant_active *active_of(const struct grant_table *t, u32 ref)
{
	return t->version == 2 ? &t->active[ref / V2_PER_FRAME][ref % V2_PER_FRAME]
			       : &t->active[ref / V1_PER_FRAME][ref % V1_PER_FRAME];
}

/* May USER do this, by these FLAGS and this DOMID? */
static int permitted(u16 flags, domid_t domid, domid_t user, bool write, bool whole)
{
	u16 type = flags & GTF_type_mask;

	if ((type != GTF_permit_access && (type != GTF_transitive || whole)) || domid != user)
		return GNTST_general_error;
	if ((write && (flags & GTF_readonly)) || (whole && (flags & GTF_sub_page)))
		return GNTST_general_error;
	return GNTST_okay;
}

static u16 bits_for(bool write)
{
	return write ? GTF_reading | GTF_writing : GTF_reading;
}

/*
 * Flags and domid are one word; the exchange fails when either has changed since they were looked
 * at.
 */
static int mark_v1(const struct grant_table *t, u32 ref, domid_t user, bool write, u64 *frame,
		   struct grant_use *use)
{
	grant_entry_v1_t *e = entry_v1(t, ref);
	u32 old = READ_ONCE(*(u32 *)(void *)e);

	for (unsigned int i = 0; i < TRIES; i++) {
		u16 flags = (u16)old & (u16)~GTF_sub_page; /* means nothing in this version */
		int status = permitted(flags, (domid_t)(old >> 16), user, write, true);

		if (status)
			return status;
		if (__atomic_compare_exchange_n((u32 *)(void *)e, &old, old | bits_for(write),
						false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
			*frame = READ_ONCE(e->frame);
			use->offset = 0;
			use->length = PAGE_SIZE;
			return GNTST_okay;
		}
	}
	return GNTST_general_error;
}

static __always_inline void unmark(const struct grant_table *t, u32 ref, u16 bits)
{
	(void)__atomic_fetch_and(use_bits(t, ref), (u16)~bits, __ATOMIC_SEQ_CST);
}

/*
 * The owner withdraws a grant by changing the entry, then looking at its status: we do the two the
 * other way round.
 */
static int mark_v2(const struct grant_table *t, u32 ref, domid_t user, bool write, bool whole,
		   u64 *frame, struct grant_use *use)
{
	grant_entry_v2_t *e = entry_v2(t, ref);
	u32 header;
	int status;

	(void)__atomic_fetch_or(use_bits(t, ref), bits_for(write), __ATOMIC_SEQ_CST);
	header = __atomic_load_n((u32 *)(void *)e, __ATOMIC_SEQ_CST);
	status = permitted((u16)header, (domid_t)(header >> 16), user, write, whole);
	*frame = READ_ONCE(e->full_page.frame); /* in both forms at the same place */
	use->offset = 0;
	use->length = PAGE_SIZE;
	if (!status && (header & GTF_type_mask) == GTF_transitive) {
		use->next_domid = READ_ONCE(e->transitive.trans_domid);
		use->next_ref = READ_ONCE(e->transitive.gref);
		return GRANT_PASSED_ON;
	}
	if (header & GTF_sub_page) {
		use->offset = READ_ONCE(e->sub_page.page_off);
		use->length = READ_ONCE(e->sub_page.length);
	}
	return status;
}

static __always_inline int mark(const struct grant_table *t, const struct grant_active *a, u32 ref,
				domid_t user, bool whole, u64 *frame, struct grant_use *use)
{
	const bool write = use->write;
	const bool busy = a->readers || a->writers;
	u16 fresh = busy ? 0 : GTF_reading;
	int status;

	if (busy && a->user != user)
		return GNTST_bad_gntref;
	if (write && !a->writers)
		fresh |= GTF_writing;
	status = t->version == 2 ? mark_v2(t, ref, user, write, whole, frame, use)
				 : mark_v1(t, ref, user, write, frame, use);
	if (busy) { /* it is what it was when that began */
		*frame = a->mfn;
		if ((!status && a->mfn == NO_FRAME) ||
		    (status == GRANT_PASSED_ON && a->mfn != NO_FRAME))
			status = GNTST_eagain;
	}
	if (unlikely(status) && status != GRANT_PASSED_ON && t->version == 2)
		unmark(t, ref, fresh);
	return status;
}

/* ---- Exchanging two ---- */

static void swap_bytes(void *a, void *b, size_t size)
{
	u8 mine[sizeof(grant_entry_v2_t)];

	memcpy(mine, a, size);
	memcpy(a, b, size);
	memcpy(b, mine, size);
}

static int swap(struct grant_table *t, u32 a, u32 b)
{
	const struct grant_active *use_a, *use_b;

	if (a >= t->nr_frames * per_frame(t) || b >= t->nr_frames * per_frame(t))
		return GNTST_bad_gntref;
	if (a == b)
		return GNTST_okay;
	use_a = active_of(t, a);
	use_b = active_of(t, b);
	if (use_a->readers || use_a->writers || use_b->readers || use_b->writers)
		return GNTST_eagain;
	if (t->version == 2)
		swap_bytes(entry_v2(t, a), entry_v2(t, b), sizeof(grant_entry_v2_t));
	else
		swap_bytes(entry_v1(t, a), entry_v1(t, b), sizeof(grant_entry_v1_t));
	return GNTST_okay;
}

int grant_table_swap(struct domain *d, u32 a, u32 b)
{
	struct grant_table *t = d->grants;
	int status;

	spin_lock(&t->lock);
	status = swap(t, a, b);
	spin_unlock(&t->lock);
	return status;
}

/* ---- Uses ---- */

static int begin(struct domain *granter, struct grant_table *t, domid_t user, u32 ref, bool whole,
		 struct grant_use *use)
{
	struct grant_active *a;
	int status, rc;
	u64 frame;

	if (t->closed)
		return GNTST_eagain;
	if (ref >= t->nr_frames * per_frame(t))
		return GNTST_bad_gntref;
	a = active_of(t, ref);
	status = mark(t, a, ref, user, whole, &frame, use);
	if (status && status != GRANT_PASSED_ON)
		return status;
	rc = status ? 0 : arch_hold_frame(granter, frame, use->write, &use->page);
	if (rc) {
		if (!a->readers && !a->writers)
			unmark(t, ref, GTF_reading);
		if (!a->writers)
			unmark(t, ref, GTF_writing);
		return rc == -ERESTART ? GRANT_LATER : GNTST_bad_page;
	}
	a->user = user;
	a->mfn = status ? NO_FRAME : (u32)mfn_x(page_to_mfn(use->page));
	if (use->write)
		a->writers++;
	else
		a->readers++;
	t->uses++;
	return status;
}

int grant_begin(struct domain *granter, domid_t user, u32 ref, bool write, bool whole,
		struct grant_use *use)
{
	struct grant_table *t = granter->grants;
	int status;

	use->page = NULL;
	use->write = write;
	spin_lock(&t->lock);
	status = begin(granter, t, user, ref, whole, use);
	spin_unlock(&t->lock);
	return status;
}

/* The frame goes last: with it the granter may go. */
void grant_end(struct domain *granter, u32 ref, const struct grant_use *use)
{
	struct grant_table *t = granter->grants;
	struct grant_active *a;

	spin_lock(&t->lock);
	a = active_of(t, ref);
	if (use->write)
		a->writers--;
	else
		a->readers--;
	if (!a->writers)
		unmark(t, ref, a->readers ? GTF_writing : GTF_writing | GTF_reading);
	t->uses--;
	spin_unlock(&t->lock);
	if (use->page)
		arch_release_frame(use->page, use->write);
}

/* ---- For the check ---- */

static unsigned long nr_entries(const struct grant_table *t)
{
	return t ? t->nr_frames * per_frame(t) : 0;
}

void grant_for_each_use(struct domain *d, void (*fn)(struct page *pg, bool writable, void *arg),
			void *arg)
{
	const struct grant_table *t = d->grants;

	for (u32 ref = 0; ref < nr_entries(t) && t->uses; ref++) {
		const struct grant_active *a = active_of(t, ref);

		if (a->mfn == NO_FRAME)
			continue;
		for (u32 i = 0; i < a->readers; i++)
			fn(mfn_to_page(_mfn(a->mfn)), false, arg);
		for (u32 i = 0; i < a->writers; i++)
			fn(mfn_to_page(_mfn(a->mfn)), true, arg);
	}
}

unsigned int grant_uses_of(struct domain *d, mfn_t mfn, unsigned int *writers)
{
	const struct grant_table *t = d->grants;
	unsigned int uses = 0;

	*writers = 0;
	for (u32 ref = 0; ref < nr_entries(t) && t->uses; ref++) {
		const struct grant_active *a = active_of(t, ref);

		if (a->mfn != mfn_x(mfn))
			continue;
		uses += a->readers + a->writers;
		*writers += a->writers;
	}
	return uses;
}

/* ---- Beginning and end ---- */

int grant_domain_init(struct domain *d)
{
	struct grant_table *t = kzalloc(sizeof(*t));

	if (!t)
		return -ENOMEM;
	spin_lock_init(&t->lock, LOCK_GRANT);
	t->version = 1;
	grant_mappings_init(t);
	d->grants = t;
	return 0;
}

void grant_domain_free(struct domain *d)
{
	struct grant_table *t = d->grants;

	if (!t)
		return;
	ASSERT(!t->uses);
	for (unsigned int i = 0; i < t->nr_frames; i++) {
		page_put(mfn_to_page(virt_to_mfn(t->frames[i])));
		kfree(t->active[i]);
	}
	for (unsigned int i = 0; i < t->nr_status; i++)
		page_put(mfn_to_page(virt_to_mfn(t->status[i])));
	grant_mappings_free(t);
	kfree(t);
}
