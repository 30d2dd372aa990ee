// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GNTTABOP_copy: bytes from frame to frame, each either granted by another domain or the caller's
 * own. The frames are pinned for the moment of the copy, and nothing is mapped. Within one page on
 * either side.
 */
#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/errno.h>
#include <tine/grant.h>
#include <tine/hypercall.h>
#include <tine/softirq.h>
#include <tine/string.h>
#include <tine/vcpu.h>
#include <asm/memory.h>
#include "internal.h"

/*
 * One side of a copy, pinned. GRANTER: NULL for a frame of the caller's own. MIDDLE: the domain that
 * passed on what GRANTER grants to it (a transitive entry of its table), or NULL.
 */
struct side {
	struct domain *granter, *middle;
	struct grant_use use, middle_use;
	u32 ref, middle_ref;
};

static __noinline void unpin_middle(struct side *side)
{
	grant_end(side->middle, side->middle_ref, &side->middle_use);
	domain_put(side->middle);
}

/* The use of a transitive entry has begun: now that of the entry which it names, which is none itself. */
static __noinline int pin_next(struct side *side, bool write)
{
	domid_t id = side->use.next_domid;
	int status = GNTST_general_error;

	side->middle = side->granter;
	side->middle_use = side->use;
	side->middle_ref = side->ref;
	side->ref = side->use.next_ref;
	side->granter =
		id == side->middle->id || id >= DOMID_FIRST_RESERVED ? NULL : domain_get(id);
	if (side->granter)
		status = grant_begin(side->granter, side->middle->id, side->ref, write, false,
				     &side->use);
	if (status == GRANT_PASSED_ON) {
		grant_end(side->granter, side->ref, &side->use);
		status = GNTST_general_error;
	}
	if (!status)
		return GNTST_okay;
	if (side->granter)
		domain_put(side->granter);
	unpin_middle(side);
	return status;
}

static __always_inline int pin_granted(struct side *side, const struct gnttab_copy_ptr *ptr,
				       bool write)
{
	int status;

	side->middle = NULL;
	side->ref = ptr->u.ref;
	side->granter = domain_get(ptr->domid);
	if (!side->granter)
		return GNTST_bad_domain;
	status = grant_begin(side->granter, current->domain->id, side->ref, write, false,
			     &side->use);
	if (status == GRANT_PASSED_ON)
		return pin_next(side, write);
	if (status)
		domain_put(side->granter);
	return status;
}

/* Only by the name that means the caller, not by its number. */
static int pin_own(struct side *side, const struct gnttab_copy_ptr *ptr, bool write)
{
	struct domain *other = ptr->domid == DOMID_SELF ? NULL : domain_get(ptr->domid);
	int rc;

	if (other) {
		domain_put(other);
		return GNTST_permission_denied;
	}
	if (ptr->domid != DOMID_SELF)
		return GNTST_bad_domain;
	side->granter = NULL;
	side->use.offset = 0;
	side->use.length = PAGE_SIZE;
	side->use.write = write;
	rc = arch_hold_frame(current->domain, ptr->u.gmfn, write, &side->use.page);
	if (rc == -ERESTART)
		return GRANT_LATER;
	return rc ? GNTST_bad_page : GNTST_okay;
}

static __always_inline void unpin(struct side *side)
{
	if (!side->granter) {
		arch_release_frame(side->use.page, side->use.write);
		return;
	}
	grant_end(side->granter, side->ref, &side->use);
	domain_put(side->granter);
	if (side->middle)
		unpin_middle(side);
}

/* That all of it is in one page is known; that what was granted is, is not. */
static __always_inline bool within(const struct grant_use *use, u32 offset, u32 len)
{
	return offset >= use->offset && offset + len <= (u32)use->offset + use->length;
}

static u8 *bytes_of(const struct side *side, u32 offset)
{
	return (u8 *)mfn_to_virt(page_to_mfn(side->use.page)) + offset;
}

static int copy_pinned(const gnttab_copy_t *op, const struct side *from, const struct side *to)
{
	if (!within(&from->use, op->source.offset, op->len) ||
	    !within(&to->use, op->dest.offset, op->len))
		return GNTST_general_error;
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
	int status;

	for (u32 i = 0; i < count; i++, list = gva_add(list, sizeof(op))) {
		status = GRANT_LATER;
		if (!i || !softirq_waiting()) {
			if (copy_from_guest(&op, list, sizeof(op)))
				return -EFAULT;
			status = copy_one(&op);
		}
		if (status == GRANT_LATER)
			return hypercall_continue(__HYPERVISOR_grant_table_op, GNTTABOP_copy,
						  gva_x(list), count - i, 0, 0);
		op.status = (s16)status;
		if (copy_to_guest(list, &op, sizeof(op)))
			return -EFAULT;
	}
	return 0;
}
