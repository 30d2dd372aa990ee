// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * XENMEM_sharing_op's operations on single frames (ABI page 9): a gfn of the domain that the call names is nominated, and shared with one of a client domain.
 * A place may also be named by a grant reference; that is refused here with -EOPNOTSUPP. Checks and errors come in Xen's order.
 */
#define __XEN_TOOLS__ /* for whom the public headers have it */
#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/hypercall.h>
#include <tine/share.h>
#include <tine/vcpu.h>
#include <xen/memory.h>
#include "internal.h"

static long nominate(struct domain *d, struct xen_mem_sharing_op *op)
{
	return share_nominate(arch_domain_p2m(d), _gfn(op->u.nominate.u.gfn),
			      (u64 *)&op->u.nominate.handle);
}

/* Between two domains that both have memory to share. */
static long with_client(struct domain *d, struct xen_mem_sharing_op *op, domid_t id,
			long (*fn)(struct domain *d, struct domain *client,
				   struct xen_mem_sharing_op *op))
{
	struct domain *client = domain_get(id);
	long ret;

	if (!client)
		return -ESRCH;
	if (client == current->domain)
		ret = -EPERM;
	else
		ret = arch_domain_p2m(client) ? fn(d, client, op) : -EINVAL;
	domain_put(client);
	return ret;
}

static long share(struct domain *d, struct domain *client, struct xen_mem_sharing_op *op)
{
	const struct mem_sharing_op_share *s = &op->u.share;
	struct share_place from = { arch_domain_p2m(d), _gfn(s->source_gfn), s->source_handle };
	struct share_place to = { arch_domain_p2m(client), _gfn(s->client_gfn), s->client_handle };

	if (XENMEM_SHARING_OP_FIELD_IS_GREF(s->source_gfn) ||
	    (op->op == XENMEM_sharing_op_share && XENMEM_SHARING_OP_FIELD_IS_GREF(s->client_gfn)))
		return -EOPNOTSUPP;
	return op->op == XENMEM_sharing_op_share ? share_frames(&from, &to) : share_add(&from, &to);
}

static long range(struct domain *d, struct domain *client, struct xen_mem_sharing_op *op)
{
	struct mem_sharing_op_range *r = &op->u.range;
	unsigned long done = r->opaque;
	int ret = share_range(arch_domain_p2m(d), arch_domain_p2m(client), _gfn(r->first_gfn),
			      _gfn(r->last_gfn), &done);

	r->opaque = ret == -ERESTART ? done : 0;
	return ret;
}

static long audit(struct domain *d)
{
	unsigned long wrong;
	int ret = p2m_audit(arch_domain_p2m(d), &wrong);

	return ret ? ret : (long)wrong;
}

/* How often the frame at a gfn is mapped. */
static long debug_gfn(struct domain *d, const struct xen_mem_sharing_op *op)
{
	unsigned int count = share_count(arch_domain_p2m(d), _gfn(op->u.debug.u.gfn));

	return count ? (long)count : -EINVAL;
}

long sharing_of_frames(struct domain *d, struct xen_mem_sharing_op *op)
{
	const struct mem_sharing_op_range *r = &op->u.range;

	switch (op->op) {
	case XENMEM_sharing_op_nominate_gfn:
		return nominate(d, op);
	case XENMEM_sharing_op_share:
	case XENMEM_sharing_op_add_physmap:
		return with_client(d, op, op->u.share.client_domain, share);
	case XENMEM_sharing_op_range_share:
		if (r->_pad[0] || r->_pad[1] || r->_pad[2])
			return -EINVAL;
		return with_client(d, op, r->client_domain, range);
	case XENMEM_sharing_op_audit:
		return audit(d);
	case XENMEM_sharing_op_debug_gfn:
		return debug_gfn(d, op);
	case XENMEM_sharing_op_nominate_gref:
	case XENMEM_sharing_op_debug_mfn:
	case XENMEM_sharing_op_debug_gref:
		return -EOPNOTSUPP;
	default:
		return -ENOSYS;
	}
}
