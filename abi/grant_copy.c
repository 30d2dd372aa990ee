// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GNTTABOP_copy: bytes from frame to frame, each either granted by another domain or the caller's
 * own. The frames are pinned for the moment of the copy, and nothing is mapped. Within one page on
 * either side.
 */
#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/grant.h>
#include <tine/hypercall.h>
#include <tine/softirq.h>
#include <tine/string.h>
#include <tine/vcpu.h>
#include <asm/memory.h>
#include "internal.h"

/* One side of a copy, pinned. GRANTER: NULL for a frame of the caller's own. */
struct side {
	struct domain *granter;
	struct grant_use use;
	u32 ref;
};

static int pin_granted(struct side *side, const struct gnttab_copy_ptr *ptr, bool write)
{
	int status;

	side->ref = ptr->u.ref;
	side->granter = ptr->domid == DOMID_SELF ? NULL : domain_get(ptr->domid);
	if (!side->granter)
		return GNTST_bad_domain;
	status = grant_begin(side->granter, current->domain->id, side->ref, write, false,
			     &side->use);
	if (status)
		domain_put(side->granter);
	return status;
}

static int pin_own(struct side *side, const struct gnttab_copy_ptr *ptr, bool write)
{
	struct domain *d = current->domain;

	if (ptr->domid != DOMID_SELF && ptr->domid != d->id)
		return GNTST_permission_denied;
	side->granter = NULL;
	side->use = (struct grant_use){ .length = PAGE_SIZE, .write = write };
	return arch_hold_frame(d, ptr->u.gmfn, write, &side->use.page) ? GNTST_bad_page
								       : GNTST_okay;
}

static void unpin(struct side *side)
{
	if (!side->granter) {
		arch_release_frame(side->use.page, side->use.write);
		return;
	}
	grant_end(side->granter, side->ref, &side->use);
	domain_put(side->granter);
}

static bool within(const struct grant_use *use, u32 offset, u32 len)
{
	return offset >= use->offset && offset + len <= (u32)use->offset + use->length &&
	       offset + len <= PAGE_SIZE;
}

static u8 *bytes_of(const struct side *side, u32 offset)
{
	return (u8 *)mfn_to_virt(page_to_mfn(side->use.page)) + offset;
}

static int copy_pinned(const gnttab_copy_t *op, const struct side *from, const struct side *to)
{
	if (!within(&from->use, op->source.offset, op->len) ||
	    !within(&to->use, op->dest.offset, op->len))
		return GNTST_bad_copy_arg;
	memmove(bytes_of(to, op->dest.offset), bytes_of(from, op->source.offset), op->len);
	return GNTST_okay;
}

static int copy_one(const gnttab_copy_t *op)
{
	struct side from, to;
	int status;

	if (op->source.offset + (u32)op->len > PAGE_SIZE ||
	    op->dest.offset + (u32)op->len > PAGE_SIZE)
		return GNTST_bad_copy_arg;
	status = op->flags & GNTCOPY_source_gref ? pin_granted(&from, &op->source, false)
						 : pin_own(&from, &op->source, false);
	if (status)
		return status;
	status = op->flags & GNTCOPY_dest_gref ? pin_granted(&to, &op->dest, true)
					       : pin_own(&to, &op->dest, true);
	if (!status) {
		status = copy_pinned(op, &from, &to);
		unpin(&to);
	}
	unpin(&from);
	return status;
}

long grant_copy(gva_t list, u32 count)
{
	gnttab_copy_t op;

	for (u32 i = 0; i < count; i++, list = gva_add(list, sizeof(op))) {
		if (i && softirq_waiting())
			return hypercall_continue(__HYPERVISOR_grant_table_op, GNTTABOP_copy,
						  gva_x(list), count - i, 0, 0);
		if (copy_from_guest(&op, list, sizeof(op)))
			return -EFAULT;
		op.status = (s16)copy_one(&op);
		if (copy_to_guest(list, &op, sizeof(op)))
			return -EFAULT;
	}
	return 0;
}
