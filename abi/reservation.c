// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory_op's reservations: a guest gives frames back (a balloon that inflates) or takes others. Work is
 * counted in extents of 2^order frames, done so far is the answer, and what is left goes on in a
 * continuation.
 *
 * A frame that leaves loses the owner's reference. With its last reference the domain's CPUs forget it,
 * and it goes to the heap; one that is still mapped somewhere stays counted until it is not.
 */
#include "reservation.h"
#include "extents.h"
#include <tine/softirq.h>

static bool increase(struct domain *d, const struct xen_memory_reservation *r, unsigned long i)
{
	mfn_t mfn;

	return extent_get(d, r, &mfn) && (!r->extent_start.p || extent_write_item(r, i, mfn));
}

static bool populate(struct domain *d, const struct xen_memory_reservation *r, unsigned long i)
{
	xen_pfn_t pfn;
	mfn_t mfn;

	return extent_read_item(r, i, &pfn) && extent_get(d, r, &mfn) &&
	       !arch_frames_given(d, mfn, r->extent_order, pfn) && extent_write_item(r, i, mfn);
}

/*
 * EXTENT_BLOCK single frames at once, from one block of the heap. How many it was, 0 when they have to be got one by one, or
 * -EFAULT: they are the domain's, but it could not be told.
 */
static long populate_block(struct domain *d, const struct xen_memory_reservation *r,
			   unsigned long i)
{
	struct xen_memory_reservation block = *r;
	xen_pfn_t pfns[EXTENT_BLOCK];
	mfn_t mfn;

	block.extent_order = EXTENT_BLOCK_ORDER;
	if (!extent_read_items(r, i, pfns, EXTENT_BLOCK) || !extent_get(d, &block, &mfn))
		return 0;
	if (arch_frames_given_to(d, mfn, pfns, EXTENT_BLOCK) ||
	    !extent_write_items(r, i, mfn, EXTENT_BLOCK))
		return -EFAULT;
	return EXTENT_BLOCK;
}

/* Extents from I on that were populated in a block; 0: try one, -EFAULT. */
static long many_extents(unsigned int op, struct domain *d, const struct xen_memory_reservation *r,
			 unsigned long i)
{
	if (op != XENMEM_populate_physmap || r->extent_order || r->nr_extents - i < EXTENT_BLOCK)
		return 0;
	return populate_block(d, r, i);
}

static bool one_extent(unsigned int op, struct leaving *l, const struct xen_memory_reservation *r,
		       unsigned long i)
{
	switch (op) {
	case XENMEM_increase_reservation:
		return increase(l->d, r, i);
	case XENMEM_populate_physmap:
		return populate(l->d, r, i);
	default:
		return extent_give_up(l, r, i);
	}
}

long reservation_change(unsigned long cmd, gva_t arg)
{
	unsigned int op = cmd & MEMORY_OP_MASK;
	unsigned long i = cmd >> MEMORY_OP_BITS;
	struct leaving l = { .d = current->domain };
	struct xen_memory_reservation r;
	const unsigned long start = i;
	bool again = false, blocks = true;

	if (copy_from_guest(&r, arg, sizeof(r)))
		return (long)i;
	if (!extent_is_self(l.d, r.domid))
		return -EPERM;
	if (r.nr_extents > ~0U >> MEMORY_OP_BITS || r.extent_order > extent_max_order(l.d))
		return (long)i;
	for (long done; i < r.nr_extents; i += (unsigned long)done) {
		again = i > start && softirq_waiting();
		if (again)
			break;
		done = blocks ? many_extents(op, l.d, &r, i) : 0;
		blocks = done > 0;
		if (done < 0 || (!done && !one_extent(op, &l, &r, i)))
			break;
		done = max(done, 1L);
	}
	leaving_end(&l);
	if (again)
		return hypercall_continue(__HYPERVISOR_memory_op, op | i << MEMORY_OP_BITS,
					  gva_x(arg), 0, 0, 0);
	return (long)i;
}
