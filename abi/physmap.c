// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory_op of guests with translated memory: they name frames by their own numbers, and machine numbers are not told. RAM that is given back leaves a
 * hole, and comes back only into a hole; pages of the hypervisor's are put where the guest likes.
 *
 * Lists are worked off extent by extent; how far a call came is above the operation in the command word, for its continuation.
 */
#include "reservation.h"
#include "extents.h"
#include <tine/softirq.h>

static long go_on(unsigned int op, unsigned long done, gva_t arg)
{
	return hypercall_continue(__HYPERVISOR_memory_op, op | done << MEMORY_OP_BITS, gva_x(arg),
				  0, 0, 0);
}

/* ---- Reservations ---- */

static int change_extent(unsigned int op, struct domain *d, gfn_t gfn, unsigned int order)
{
	switch (op) {
	case XENMEM_populate_physmap:
		return arch_physmap_populate(d, gfn, order);
	case XENMEM_decrease_reservation:
		return arch_physmap_remove(d, gfn, order);
	default: /* increase_reservation: frames without a place would be of no use */
		return -EOPNOTSUPP;
	}
}

long physmap_reservation(unsigned long cmd, gva_t arg)
{
	unsigned int op = cmd & MEMORY_OP_MASK;
	unsigned long i = cmd >> MEMORY_OP_BITS;
	const unsigned long start = i;
	struct domain *d = current->domain;
	struct xen_memory_reservation r;
	xen_pfn_t gfn;

	if (copy_from_guest(&r, arg, sizeof(r)))
		return (long)i;
	if (!extent_is_self(d, r.domid))
		return -EPERM;
	if (r.nr_extents > ~0U >> MEMORY_OP_BITS || r.extent_order > extent_max_order(d))
		return (long)i;
	for (; i < r.nr_extents; i++) {
		if (i > start && softirq_waiting())
			return go_on(op, i, arg);
		if (!extent_read_item(&r, i, &gfn) ||
		    change_extent(op, d, _gfn(gfn), r.extent_order))
			break;
	}
	return (long)i;
}

/* ---- Places ---- */

long physmap_add(gva_t arg)
{
	struct xen_add_to_physmap add;
	struct domain *d = current->domain;

	if (copy_from_guest(&add, arg, sizeof(add)))
		return -EFAULT;
	if (!extent_is_self(d, add.domid))
		return -EPERM;
	return arch_add_to_physmap(d, add.space, add.idx, _gfn(add.gpfn));
}

/* One of a batch: what became of it is written behind it. */
static int add_item(struct domain *d, const struct xen_add_to_physmap_batch *b, unsigned long i)
{
	xen_ulong_t index;
	xen_pfn_t gfn;
	int error;

	if (copy_from_guest(&index, _gva((unsigned long)(b->idxs.p + i)), sizeof(index)) ||
	    copy_from_guest(&gfn, _gva((unsigned long)(b->gpfns.p + i)), sizeof(gfn)))
		return -EFAULT;
	error = arch_add_to_physmap(d, b->space, index, _gfn(gfn));
	return copy_to_guest(_gva((unsigned long)(b->errs.p + i)), &error, sizeof(error));
}

long physmap_add_batch(unsigned long cmd, gva_t arg)
{
	unsigned long i = cmd >> MEMORY_OP_BITS;
	const unsigned long start = i;
	struct domain *d = current->domain;
	struct xen_add_to_physmap_batch b;

	if (copy_from_guest(&b, arg, sizeof(b)))
		return -EFAULT;
	if (!extent_is_self(d, b.domid))
		return -EPERM;
	if (d->config.type == DOMAIN_PV) /* the answer of each, and of the whole */
		return -EACCES;
	for (; i < b.size; i++) {
		if (i > start && softirq_waiting())
			return go_on(XENMEM_add_to_physmap_batch, i, arg);
		if (add_item(d, &b, i))
			return -EFAULT;
	}
	return 0;
}

long physmap_remove(gva_t arg)
{
	struct xen_remove_from_physmap op;
	struct domain *d = current->domain;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	return extent_is_self(d, op.domid) ? arch_remove_from_physmap(d, _gfn(op.gpfn)) : -EPERM;
}
