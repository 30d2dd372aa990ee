// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * grant_table_op: decoding for sched/grant_*.c (ABI page 6.5). Lists are worked off one operation
 * at a time, each with its own status, and may be continued. Frames are not given away for good:
 * transfer is not here.
 */
#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/grant.h>
#include <tine/hypercall.h>
#include <tine/softirq.h>
#include <tine/vcpu.h>
#include "internal.h"

#define UNMAP_BATCH 16U /* mappings withdrawn for one flush */

static gva_t nth(gva_t list, u32 i, size_t size)
{
	return gva_add(list, i * size);
}

static long continue_at(u32 cmd, gva_t list, u32 count, u32 done, size_t size)
{
	return hypercall_continue(__HYPERVISOR_grant_table_op, cmd, gva_x(nth(list, done, size)),
				  count - done, 0, 0);
}

/* ---- Lists ---- */

static long map_all(gva_t list, u32 count)
{
	gnttab_map_grant_ref_t op;
	int status;

	for (u32 i = 0; i < count; i++) {
		gva_t at = nth(list, i, sizeof(op));

		status = GRANT_LATER;
		if (!i || !softirq_waiting()) {
			if (copy_from_guest(&op, at, sizeof(op)))
				return -EFAULT;
			status = grant_map(&op);
		}
		if (status == GRANT_LATER)
			return continue_at(GNTTABOP_map_grant_ref, list, count, i, sizeof(op));
		op.status = (s16)status;
		if (copy_to_guest(at, &op, sizeof(op)))
			return -EFAULT; /* the mapping stays; it goes with the domain */
	}
	return 0;
}

_Static_assert(sizeof(gnttab_unmap_and_replace_t) == sizeof(gnttab_unmap_grant_ref_t) &&
		       offsetof(gnttab_unmap_and_replace_t, new_addr) ==
			       offsetof(gnttab_unmap_grant_ref_t, dev_bus_addr),
	       "the two differ in what the second word means");

/* Up to UNMAP_BATCH of them. Those that were withdrawn are ended in any case. */
static long unmap_some(u32 cmd, gva_t list, u32 count)
{
	struct grant_unmapping withdrawn[UNMAP_BATCH];
	gnttab_unmap_grant_ref_t op;
	const bool replace = cmd == GNTTABOP_unmap_and_replace;
	unsigned int n = 0;
	bool flush = false;
	long ret = 0;

	for (u32 i = 0; i < count && !ret; i++) {
		gva_t at = nth(list, i, sizeof(op));

		if (copy_from_guest(&op, at, sizeof(op))) {
			ret = -EFAULT;
			break;
		}
		op.status =
			(s16)grant_unmap_begin(&op, replace ? op.dev_bus_addr : 0, &withdrawn[n]);
		flush |= op.status == GNTST_okay;
		if (op.status == GNTST_okay && withdrawn[n].granter)
			n++;
		if (copy_to_guest(at, &op, sizeof(op)))
			ret = -EFAULT;
	}
	if (flush)
		arch_grant_flush();
	for (unsigned int i = 0; i < n; i++)
		grant_unmap_end(&withdrawn[i]);
	return ret;
}

static long unmap_all(u32 cmd, gva_t list, u32 count)
{
	size_t size = sizeof(gnttab_unmap_grant_ref_t);
	u32 n;
	long ret;

	for (u32 i = 0; i < count; i += n) {
		if (i && softirq_waiting())
			return continue_at(cmd, list, count, i, size);
		n = min(count - i, UNMAP_BATCH);
		ret = unmap_some(cmd, nth(list, i, size), n);
		if (ret)
			return ret;
	}
	return 0;
}

static long swap_all(gva_t list, u32 count)
{
	gnttab_swap_grant_ref_t op;

	for (u32 i = 0; i < count; i++) {
		gva_t at = nth(list, i, sizeof(op));

		if (i && softirq_waiting())
			return continue_at(GNTTABOP_swap_grant_ref, list, count, i, sizeof(op));
		if (copy_from_guest(&op, at, sizeof(op)))
			return -EFAULT;
		op.status = (s16)grant_table_swap(current->domain, op.ref_a, op.ref_b);
		if (copy_to_guest(at, &op, sizeof(op)))
			return -EFAULT;
	}
	return 0;
}

/* ---- Caches ---- */

/*
 * Of the caller's own frames, or those that it has mapped. What is mapped here is coherent: there is
 * nothing to do for them, and to throw away what was written is not to be had.
 */
static int flush_one(const gnttab_cache_flush_t *op)
{
	const u32 known = GNTTAB_CACHE_CLEAN | GNTTAB_CACHE_INVAL;
	struct page *pg;

	if (op->offset + (u32)op->length > PAGE_SIZE || (op->op & ~known))
		return -EINVAL;
	if (!op->length || !op->op)
		return 0;
	if (arch_hold_frame(current->domain, op->a.dev_bus_addr >> PAGE_SHIFT, false, &pg)) {
		pg = page_of_guest_mfn(op->a.dev_bus_addr >> PAGE_SHIFT);
		if (!pg || !grant_is_mapped(current->domain, pg))
			return -EINVAL;
	} else {
		arch_release_frame(pg, false);
	}
	return op->op == GNTTAB_CACHE_INVAL ? -EOPNOTSUPP : 0;
}

static long flush_all(gva_t list, u32 count)
{
	gnttab_cache_flush_t op;
	int ret = 0;

	for (u32 i = 0; i < count && !ret; i++) {
		if (i && softirq_waiting())
			return continue_at(GNTTABOP_cache_flush, list, count, i, sizeof(op));
		if (copy_from_guest(&op, nth(list, i, sizeof(op)), sizeof(op)))
			return -EFAULT;
		ret = flush_one(&op);
	}
	return ret;
}

/* ---- A domain's own table ---- */

/* Whose table? The caller's own; another's is not shown. */
static int own_table(domid_t id)
{
	const struct domain *d = current->domain;
	struct domain *other;

	if (id == DOMID_SELF || id == d->id)
		return GNTST_okay;
	other = domain_get(id);
	if (!other)
		return GNTST_bad_domain;
	domain_put(other);
	return GNTST_permission_denied;
}

static long query_size(gva_t arg)
{
	struct domain *d = current->domain;
	gnttab_query_size_t op;
	unsigned int status_frames;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	op.status = (s16)own_table(op.dom);
	if (op.status == GNTST_okay && grant_table_grow(d, 1))
		op.status = GNTST_general_error;
	if (op.status == GNTST_okay) {
		op.nr_frames = grant_table_frames(d, &status_frames);
		op.max_nr_frames = GRANT_FRAMES_MAX;
	}
	return copy_to_guest(arg, &op, sizeof(op));
}

/* The first NR frames to the guest's LIST. */
static int tell_frames(struct domain *d, gva_t list, u32 nr,
		       mfn_t (*frame)(struct domain *d, unsigned int i))
{
	for (u32 i = 0; i < nr; i++) {
		u64 mfn = mfn_x(frame(d, i));

		if (copy_to_guest(nth(list, i, sizeof(mfn)), &mfn, sizeof(mfn)))
			return -EFAULT;
	}
	return 0;
}

static long setup_table(gva_t arg)
{
	struct domain *d = current->domain;
	gnttab_setup_table_t op;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	op.status = (s16)own_table(op.dom);
	if (op.status == GNTST_okay && grant_table_grow(d, op.nr_frames))
		op.status = GNTST_general_error;
	if (op.status == GNTST_okay &&
	    tell_frames(d, _gva((unsigned long)op.frame_list.p), op.nr_frames, grant_table_frame))
		return -EFAULT;
	return copy_to_guest(arg, &op, sizeof(op));
}

static long get_status_frames(gva_t arg)
{
	struct domain *d = current->domain;
	gnttab_get_status_frames_t op;
	unsigned int nr;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	(void)grant_table_frames(d, &nr);
	op.status = (s16)own_table(op.dom);
	if (op.status == GNTST_okay && (grant_table_version(d) != 2 || op.nr_frames > nr))
		op.status = GNTST_general_error;
	if (op.status == GNTST_okay &&
	    tell_frames(d, _gva((unsigned long)op.frame_list.p), op.nr_frames, grant_status_frame))
		return -EFAULT;
	return copy_to_guest(arg, &op, sizeof(op));
}

/* The answer's version is what is in force, also after an error. */
static long set_version(gva_t arg)
{
	gnttab_set_version_t op;
	long ret;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	ret = grant_table_set_version(current->domain, op.version);
	op.version = grant_table_version(current->domain);
	return copy_to_guest(arg, &op, sizeof(op)) ? -EFAULT : ret;
}

static long get_version(gva_t arg)
{
	gnttab_get_version_t op;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	if (own_table(op.dom))
		return own_table(op.dom) == GNTST_bad_domain ? -ESRCH : -EPERM;
	op.version = grant_table_version(current->domain);
	return copy_to_guest(arg, &op, sizeof(op));
}

/* Grants of frames to other domains: tables, mapping, copying. */
long do_grant_table_op(unsigned long cmd, unsigned long arg, unsigned long count, unsigned long a4,
		       unsigned long a5)
{
	gva_t at = _gva(arg);
	u32 n = (u32)count;

	if ((s32)n < 0)
		return -EINVAL;
	switch ((u32)cmd) {
	case GNTTABOP_map_grant_ref:
		return map_all(at, n);
	case GNTTABOP_unmap_grant_ref:
	case GNTTABOP_unmap_and_replace:
		return unmap_all((u32)cmd, at, n);
	case GNTTABOP_swap_grant_ref:
		return swap_all(at, n);
	case GNTTABOP_cache_flush:
		return flush_all(at, n);
	case GNTTABOP_copy:
		return grant_copy(at, n);
	case GNTTABOP_setup_table:
		return n == 1 ? setup_table(at) : -EINVAL;
	case GNTTABOP_query_size:
		return n == 1 ? query_size(at) : -EINVAL;
	case GNTTABOP_set_version:
		return n == 1 ? set_version(at) : -EINVAL;
	case GNTTABOP_get_status_frames:
		return n == 1 ? get_status_frames(at) : -EINVAL;
	case GNTTABOP_get_version:
		return get_version(at);
	default:
		return hypercall_unknown();
	}
}
