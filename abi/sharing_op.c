// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * XENMEM_sharing_op, the control interface of forks and shared frames, for the initial domain (ABI page 9). Checks and errors come in Xen's order.
 *
 * There, fork is given a paused domain that a toolstack has created and that has nothing in it. Nobody can create such a domain here; forks are
 * made by the console and by guests (fork_op.c), and the call knows those: that D is a fork of P already is what it answers with success.
 */
#define __XEN_TOOLS__ /* for whom the public headers have it */
#include <tine/domain_fork.h>
#include <tine/hypercall.h>
#include <tine/vcpu.h>
#include <xen/memory.h>
#include "internal.h"

#define RESET_FLAGS (XENMEM_FORK_RESET_STATE | XENMEM_FORK_RESET_MEMORY)
#define FORK_FLAGS (XENMEM_FORK_WITH_IOMMU_ALLOWED | XENMEM_FORK_BLOCK_INTERRUPTS)

static long fork_into(struct domain *child, struct domain *parent)
{
	if (child->nr_vcpus != parent->nr_vcpus)
		return -EINVAL;
	if (!READ_ONCE(child->pause_count))
		return -EBUSY;
	return child->fork ? 0 : -EOPNOTSUPP;
}

static long fork(struct domain *d, const struct mem_sharing_op_fork *op)
{
	struct domain *parent;
	long ret;

	if (op->pad || (op->flags & ~FORK_FLAGS))
		return -EINVAL;
	parent = domain_get(op->parent_domain);
	if (!parent)
		return -ESRCH;
	ret = parent == d ? -EINVAL : fork_into(d, parent);
	domain_put(parent);
	return ret;
}

/* One without the other would leave a kernel with memory and registers of different times. */
static long reset(struct domain *d, const struct mem_sharing_op_fork *op)
{
	int ret;

	if (op->pad || (op->flags & ~RESET_FLAGS) || !(op->flags & RESET_FLAGS))
		return -EINVAL;
	if (!domain_is_fork(d))
		return -ENOSYS;
	if (op->flags != RESET_FLAGS)
		return -EOPNOTSUPP;
	ret = domain_reset(d, NULL, NULL);
	return ret == -ERESTART ? -EAGAIN : ret;
}

static long dispatch(struct domain *d, struct xen_mem_sharing_op *op)
{
	if (d->config.type != DOMAIN_PVH)
		return -EOPNOTSUPP;
	switch (op->op) {
	case XENMEM_sharing_op_fork:
		return fork(d, &op->u.fork);
	case XENMEM_sharing_op_fork_reset:
		return reset(d, &op->u.fork);
	default:
		return sharing_of_frames(d, op);
	}
}

long sharing_op(gva_t arg)
{
	struct xen_mem_sharing_op op;
	struct domain *d;
	long ret = -EPERM;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	if (!current->domain->config.initial)
		return -EPERM;
	d = domain_get(op.domain);
	if (!d)
		return -ESRCH;
	if (d != current->domain)
		ret = dispatch(d, &op);
	domain_put(d);
	if ((!ret || ret == -ERESTART) && copy_to_guest(arg, &op, sizeof(op)))
		return -EFAULT;
	if (ret == -ERESTART)
		return hypercall_continue(__HYPERVISOR_memory_op, XENMEM_sharing_op, gva_x(arg), 0,
					  0, 0);
	return ret;
}
