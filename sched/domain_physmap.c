// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a guest changes in its own physical memory, where that is translated (tine/domain_physmap.h). All of it are leaves of its p2m.
 *
 * d->lock guards arch_placed(). What a guest can make us spend on tables is bounded: RAM has a limit to its numbers, pages of the
 * hypervisor's are in one place at a time, and grant mappings are counted.
 */
#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/domain_physmap.h>
#include <tine/errno.h>
#include <tine/fork.h>
#include <tine/grant.h>
#include <tine/vcpu.h>
#include <xen/memory.h>

#define REMOVE_AT_ONCE 16

/* ---- RAM ---- */

/* A balloon comes back to where it was, or behind the RAM there is. */
static bool in_ram_range(const struct domain *d, gfn_t gfn, unsigned long count)
{
	unsigned long end = arch_ram_gfn_end(d);

	return gfn_x(gfn) < end && count <= end - gfn_x(gfn);
}

int domain_physmap_populate(struct domain *d, gfn_t gfn, unsigned int order)
{
	if (!in_ram_range(d, gfn, BIT(order)))
		return -EINVAL;
	return p2m_populate(arch_domain_p2m(d), gfn, BIT(order));
}

/* The frame there if it is D's RAM and not shared, with a reference. */
static struct page *hold_ram(struct domain *d, gfn_t gfn)
{
	enum p2m_type type;
	struct page *pg;
	mfn_t mfn;

	if (p2m_unshare(arch_domain_p2m(d), gfn))
		return NULL;
	mfn = p2m_lookup(arch_domain_p2m(d), gfn, &type, NULL);
	if (type != P2M_RAM)
		return NULL;
	pg = mfn_to_page(mfn);
	if (!page_get(pg, d))
		return NULL;
	if (!(READ_ONCE(pg->count_info) & PAGE_TINE))
		return pg;
	page_put(pg);
	return NULL;
}

/* Up to REMOVE_AT_ONCE with one flush. The frames go when no CPU can reach them any more. How many, or -EINVAL: GFN is no RAM. */
static long remove_some(struct domain *d, gfn_t gfn, unsigned long count)
{
	struct page *held[REMOVE_AT_ONCE];
	unsigned int n = 0, gone = 0;
	struct p2m_batch b;

	while (n < min(count, (unsigned long)REMOVE_AT_ONCE)) {
		held[n] = hold_ram(d, gfn_add(gfn, n));
		if (!held[n])
			break;
		n++;
	}
	p2m_begin(&b, arch_domain_p2m(d));
	while (gone < n && !p2m_batch_clear(&b, gfn_add(gfn, gone), 0))
		gone++;
	p2m_end(&b);
	for (unsigned int i = 0; i < n; i++) {
		if (i < gone)
			(void)page_give_up(held[i]);
		page_put(held[i]);
	}
	return gone ? (long)gone : -EINVAL;
}

int domain_physmap_remove(struct domain *d, gfn_t gfn, unsigned int order)
{
	for (unsigned long done = 0; done < BIT(order);) {
		long n = remove_some(d, gfn_add(gfn, done), BIT(order) - done);

		if (n < 0)
			return (int)n;
		done += (unsigned long)n;
	}
	return 0;
}

/* ---- Pages of the hypervisor's ---- */

static mfn_t page_of_space(struct domain *d, unsigned int space, unsigned long index)
{
	unsigned int frames, status;

	if (space == XENMAPSPACE_shared_info)
		return index ? INVALID_MFN : virt_to_mfn(d->shared_info);
	if (space != XENMAPSPACE_grant_table || index >= GRANT_FRAMES_MAX ||
	    grant_table_grow(d, (unsigned int)index + 1))
		return INVALID_MFN;
	frames = grant_table_frames(d, &status);
	return index < frames ? grant_table_frame(d, (unsigned int)index) : INVALID_MFN;
}

/* RAM that is at GFN goes: nobody could reach it under what is put there (ABI page 6). */
static int map_own(struct domain *d, gfn_t gfn, struct page *pg)
{
	int rc;

	if (!page_get(pg, d))
		return -EINVAL;
	rc = p2m_set(arch_domain_p2m(d), gfn, page_to_mfn(pg), 0, P2M_RAM);
	if (rc)
		page_put(pg);
	return rc;
}

static int put_at(struct domain *d, gfn_t gfn, struct page *pg)
{
	(void)remove_some(d, gfn, 1);
	return map_own(d, gfn, pg);
}

bool domain_physmap_is_at(struct domain *d, gfn_t gfn, const struct page *pg)
{
	return mfn_eq(p2m_lookup(arch_domain_p2m(d), gfn, NULL, NULL), page_to_mfn(pg));
}

/* What arch_placed() is about at I: 0 is shared info, the others are the grant table's frames. */
static struct page *page_of_slot(struct domain *d, unsigned int i)
{
	return mfn_to_page(i ? grant_table_frame(d, i - 1) : virt_to_mfn(d->shared_info));
}

void domain_physmap_settle_placed(struct domain *d)
{
	unsigned long *placed = arch_placed(d);
	unsigned int status, frames = grant_table_frames(d, &status);

	for (unsigned int i = 0; i <= frames; i++) {
		if (placed[i] && !domain_physmap_is_at(d, _gfn(placed[i] - 1), page_of_slot(d, i)))
			placed[i] = 0;
	}
}

int domain_physmap_place_again(struct domain *d)
{
	const unsigned long *placed = arch_placed(d);
	unsigned int status, frames = grant_table_frames(d, &status);
	int rc = 0;

	for (unsigned int i = 0; i <= GRANT_FRAMES_MAX && !rc; i++) {
		if (!placed[i])
			continue;
		if (i > frames)
			return -EINVAL;
		rc = map_own(d, _gfn(placed[i] - 1), page_of_slot(d, i));
	}
	return rc;
}

/* It is in one place at a time, as on Xen. */
static int place(struct domain *d, mfn_t mfn, unsigned long *placed, gfn_t gfn)
{
	struct p2m *p2m = arch_domain_p2m(d);
	gfn_t before = _gfn(*placed - 1);
	int rc = 0;

	if (*placed && !gfn_eq(before, gfn) && mfn_eq(p2m_lookup(p2m, before, NULL, NULL), mfn))
		rc = p2m_clear(p2m, before, 0);
	if (rc)
		return rc;
	*placed = 0;
	rc = put_at(d, gfn, mfn_to_page(mfn));
	if (!rc)
		*placed = gfn_x(gfn) + 1;
	return rc;
}

static int place_own(struct domain *d, unsigned int space, unsigned long index, gfn_t gfn)
{
	unsigned long slot = space == XENMAPSPACE_shared_info ? 0 : 1 + index;
	mfn_t mfn;
	int rc = -EINVAL;

	spin_lock(&d->lock);
	mfn = page_of_space(d, space, index);
	if (!mfn_eq(mfn, INVALID_MFN))
		rc = place(d, mfn, &arch_placed(d)[slot], gfn);
	spin_unlock(&d->lock);
	return rc;
}

/* XENMAPSPACE_gmfn: a frame of RAM moves. */
static int move_ram(struct domain *d, gfn_t from, gfn_t to)
{
	struct page *pg = in_ram_range(d, to, 1) ? hold_ram(d, from) : NULL;
	int rc;

	if (!pg)
		return -EINVAL;
	rc = gfn_eq(from, to) ? 0 : put_at(d, to, pg);
	if (!rc && !gfn_eq(from, to))
		rc = p2m_clear(arch_domain_p2m(d), from, 0);
	page_put(pg);
	return rc;
}

int domain_physmap_add(struct domain *d, unsigned int space, unsigned long index, gfn_t gfn)
{
	if (gfn_x(gfn) >= arch_gfn_end(d))
		return -EINVAL;
	switch (space) {
	case XENMAPSPACE_shared_info:
	case XENMAPSPACE_grant_table:
		return place_own(d, space, index, gfn);
	case XENMAPSPACE_gmfn:
		return move_ram(d, _gfn(index), gfn);
	case XENMAPSPACE_gmfn_foreign:
		return -EPERM; /* others' memory, for who builds domains; grants are the way */
	default:
		return -ENOSYS;
	}
}

/* The page stays whose it was: what is RAM can be had again by nothing but the domain's end, as on Xen. */
int domain_physmap_forget(struct domain *d, gfn_t gfn)
{
	struct p2m *p2m = arch_domain_p2m(d);

	return mfn_eq(p2m_lookup(p2m, gfn, NULL, NULL), INVALID_MFN) ? -ENOENT
								     : p2m_clear(p2m, gfn, 0);
}

/* ---- Others' frames ---- */

static int grant_place(u64 host, u32 flags, gfn_t *gfn)
{
	*gfn = _gfn(host >> PAGE_SHIFT);
	if ((host & ~PAGE_MASK) || gfn_x(*gfn) >= arch_gfn_end(current->domain) ||
	    (flags & (GNTMAP_contains_pte | GNTMAP_application_map)))
		return -EINVAL;
	return 0;
}

static enum p2m_type grant_type(u32 flags)
{
	return flags & GNTMAP_readonly ? P2M_GRANT_RO : P2M_GRANT;
}

/*
 * Only into a hole: what RAM lay there would be lost. The use holds the frame and its type for as long as the leaf can be there: it ends by
 * domain_physmap_ungrant(), or with the domain after the whole p2m went.
 */
int domain_physmap_grant(u64 host, u32 flags, struct page *pg)
{
	struct p2m *p2m = arch_domain_p2m(current->domain);
	gfn_t gfn;
	int rc = grant_place(host, flags, &gfn);

	if (rc || !mfn_eq(p2m_lookup(p2m, gfn, NULL, NULL), INVALID_MFN))
		return -EINVAL;
	return p2m_set(p2m, gfn, page_to_mfn(pg), 0, grant_type(flags));
}

int domain_physmap_ungrant(u64 host, u32 flags, struct page *pg)
{
	struct p2m *p2m = arch_domain_p2m(current->domain);
	enum p2m_type type;
	gfn_t gfn;
	mfn_t mfn;
	int rc = grant_place(host, flags, &gfn);

	if (rc)
		return rc;
	mfn = p2m_lookup(p2m, gfn, &type, NULL);
	if (!mfn_eq(mfn, page_to_mfn(pg)) || type != grant_type(flags))
		return -EINVAL;
	return p2m_clear(p2m, gfn, 0);
}
