// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memory_op's exchange: what a guest has for memory that lies together or lower, as devices want it. It
 * goes in chunks, the fewest input extents that make whole output extents or the reverse. A chunk's new
 * blocks are there before anything is given up for them, so that a lack of memory costs the guest
 * nothing.
 */
#include "extents.h"
#include "reservation.h"
#include <tine/heap.h>
#include <tine/softirq.h>

struct exchange {
	struct xen_memory_exchange args;
	unsigned long in_extents, out_extents; /* of a chunk */
	mfn_t *mfns;                           /* a chunk's new blocks */
	struct leaving leaving;
};

static int check(struct exchange *x)
{
	const struct domain *d = x->leaving.d;
	const struct xen_memory_reservation *i = &x->args.in, *o = &x->args.out;
	unsigned int in = i->extent_order, out = o->extent_order;

	if (!extent_is_self(d, i->domid) || !extent_is_self(d, o->domid) ||
	    max(in, out) > extent_max_order(d))
		return -EPERM;
	if (i->nr_extents > ~0UL >> in || o->nr_extents > ~0UL >> out ||
	    i->nr_extents << in != o->nr_extents << out)
		return -EINVAL;
	x->in_extents = out > in ? 1UL << (out - in) : 1;
	x->out_extents = in > out ? 1UL << (in - out) : 1;
	if (x->args.nr_exchanged > i->nr_extents || x->args.nr_exchanged % x->in_extents)
		return -EINVAL;
	return 0;
}

static void free_new(struct exchange *x, unsigned long from, unsigned long to)
{
	for (; from < to; from++)
		heap_free(x->mfns[from], x->args.out.extent_order, false);
}

static int allocate_new(struct exchange *x)
{
	for (unsigned long i = 0; i < x->out_extents; i++) {
		x->mfns[i] = extent_alloc_unowned(&x->args.out);
		if (mfn_eq(x->mfns[i], INVALID_MFN)) {
			free_new(x, 0, i);
			return -ENOMEM;
		}
	}
	return 0;
}

/* Not if what was given up is still mapped: it counts, and there would be too much. */
static int hand_over(struct exchange *x, unsigned long i, unsigned long item)
{
	const struct xen_memory_reservation *out = &x->args.out;
	struct domain *d = x->leaving.d;
	xen_pfn_t pfn;
	int ret;

	if (!extent_read_item(out, item, &pfn)) {
		free_new(x, i, i + 1);
		return -EFAULT;
	}
	ret = domain_assign_pages(d, x->mfns[i], out->extent_order);
	if (ret) {
		free_new(x, i, i + 1);
		return ret;
	}
	ret = arch_frames_given(d, x->mfns[i], out->extent_order, pfn);
	if (!ret && !extent_write_item(out, item, x->mfns[i]))
		ret = -EFAULT;
	return ret;
}

static int one_chunk(struct exchange *x)
{
	unsigned long in = x->args.nr_exchanged, out = in / x->in_extents * x->out_extents, i;
	int ret = allocate_new(x);

	if (ret)
		return ret;
	for (i = 0; i < x->in_extents && !ret; i++) {
		if (!extent_give_up(&x->leaving, &x->args.in, in + i))
			ret = -EINVAL;
	}
	leaving_end(&x->leaving);
	for (i = 0; i < x->out_extents && !ret; i++)
		ret = hand_over(x, i, out + i);
	free_new(x, i, x->out_extents);
	if (!ret)
		x->args.nr_exchanged += x->in_extents;
	return ret;
}

static int note_exchanged(gva_t arg, const struct exchange *x)
{
	gva_t at = _gva(gva_x(arg) + offsetof(struct xen_memory_exchange, nr_exchanged));

	return copy_to_guest(at, &x->args.nr_exchanged, sizeof(x->args.nr_exchanged));
}

static long run(struct exchange *x, gva_t arg)
{
	unsigned long start = x->args.nr_exchanged;
	bool again = false;
	int ret = 0;

	while (!ret && !again && x->args.nr_exchanged < x->args.in.nr_extents) {
		again = x->args.nr_exchanged > start && softirq_waiting();
		if (!again)
			ret = one_chunk(x);
	}
	if (note_exchanged(arg, x))
		return -EFAULT;
	if (again)
		return hypercall_continue(__HYPERVISOR_memory_op, XENMEM_exchange, gva_x(arg), 0, 0,
					  0);
	return ret;
}

long reservation_exchange(gva_t arg)
{
	struct exchange x = { .leaving = { .d = current->domain } };
	long ret;

	if (copy_from_guest(&x.args, arg, sizeof(x.args)))
		return -EFAULT;
	ret = check(&x);
	if (ret)
		return ret;
	x.mfns = kzalloc(x.out_extents * sizeof(*x.mfns));
	if (!x.mfns)
		return -ENOMEM;
	ret = run(&x, arg);
	kfree(x.mfns);
	return ret;
}
