// SPDX-License-Identifier: GPL-2.0-or-later
/* Extents of memory_op's lists, in and out: see extents.h. */
#include "extents.h"
#include <tine/heap.h>

#define MAX_ORDER_GUEST 9    /* 2 MiB at once */
#define MAX_ORDER_INITIAL 12 /* devices may need more */
#define ANY_NODE 0xffU       /* what mem_flags without a node come to */

unsigned int extent_max_order(const struct domain *d)
{
	return d->config.initial ? MAX_ORDER_INITIAL : MAX_ORDER_GUEST;
}

bool extent_is_self(const struct domain *d, domid_t id)
{
	return id == DOMID_SELF || id == d->id;
}

static gva_t item(const struct xen_memory_reservation *r, unsigned long i)
{
	return _gva((unsigned long)r->extent_start.p + i * sizeof(xen_pfn_t));
}

bool extent_read_items(const struct xen_memory_reservation *r, unsigned long i, xen_pfn_t *frames,
		       unsigned int count)
{
	return !copy_from_guest(frames, item(r, i), count * sizeof(*frames));
}

bool extent_read_item(const struct xen_memory_reservation *r, unsigned long i, xen_pfn_t *frame)
{
	return extent_read_items(r, i, frame, 1);
}

bool extent_write_items(const struct xen_memory_reservation *r, unsigned long i, mfn_t mfn,
			unsigned int count)
{
	xen_pfn_t frames[EXTENT_BLOCK];

	for (unsigned int k = 0; k < count; k++)
		frames[k] = mfn_x(mfn) + k;
	return !copy_to_guest(item(r, i), frames, count * sizeof(frames[0]));
}

bool extent_write_item(const struct xen_memory_reservation *r, unsigned long i, mfn_t mfn)
{
	return extent_write_items(r, i, mfn, 1);
}

mfn_t extent_alloc_unowned(const struct xen_memory_reservation *r)
{
	unsigned int node = XENMEMF_get_node(r->mem_flags);
	unsigned int flags = r->mem_flags & XENMEMF_exact_node_request ? HEAP_EXACT_NODE : 0;

	if (node == ANY_NODE || (r->mem_flags & XENMEMF_vnode))
		node = domain_home_node(current->domain);
	return heap_alloc(r->extent_order, (nodeid_t)node, XENMEMF_get_address_bits(r->mem_flags),
			  flags);
}

bool extent_get(struct domain *d, const struct xen_memory_reservation *r, mfn_t *mfn)
{
	*mfn = extent_alloc_unowned(r);
	if (mfn_eq(*mfn, INVALID_MFN))
		return false;
	if (!domain_assign_pages(d, *mfn, r->extent_order))
		return true;
	heap_free(*mfn, r->extent_order, false);
	return false;
}

void leaving_end(struct leaving *l)
{
	l->items = 0;
	if (!l->count)
		return;
	arch_frames_taken(l->d, l->pages, l->count);
	pages_put(l->d, l->pages, l->count);
	l->count = 0;
}

static bool give_up_frame(struct leaving *l, unsigned long frame)
{
	struct page *pg;

	if (arch_hold_frame(l->d, frame, false, &pg))
		return false;
	if (!page_give_up(pg)) {
		arch_release_frame(pg, false);
		return false;
	}
	l->pages[l->count++] = pg;
	if (l->count == LEAVING_AT_ONCE)
		leaving_end(l);
	return true;
}

/* Items are read many at a time, as far as there are so many; where that is not possible, one. */
static bool leaving_item(struct leaving *l, const struct xen_memory_reservation *r, unsigned long i,
			 xen_pfn_t *first)
{
	if (i - l->first_item >= l->items) {
		l->first_item = i;
		l->items = (unsigned int)min(r->nr_extents - i, (unsigned long)ARRAY_SIZE(l->item));
		if (!extent_read_items(r, i, l->item, l->items)) {
			l->items = 1;
			if (!extent_read_item(r, i, l->item))
				return false;
		}
	}
	*first = l->item[i - l->first_item];
	return true;
}

bool extent_give_up(struct leaving *l, const struct xen_memory_reservation *r, unsigned long i)
{
	xen_pfn_t first;

	if (!leaving_item(l, r, i, &first))
		return false;
	for (unsigned long k = 0; k < 1UL << r->extent_order; k++) {
		if (!give_up_frame(l, first + k))
			return false;
	}
	return true;
}
