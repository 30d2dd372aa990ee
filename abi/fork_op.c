// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fork_op: a guest forks itself and looks after its forks (tine/fork_op.h). Tine's own, not Xen's.
 */
#include <tine/domain_fork.h>
#include <tine/fork_op.h>
#include <tine/hypercall.h>
#include <tine/translated_memory.h>
#include <tine/vcpu.h>
#include <xen/sched.h>
#include "internal.h"

_Static_assert(TINE_FORK_HYPERCALL == __HYPERVISOR_arch_7, "a number that Xen does not use");

struct input {
	gva_t at;
	size_t size;
};

/* The child's page tables are those of the vCPU that forked. */
static int give_input(struct domain *child, void *arg)
{
	const struct input *in = arg;

	return translated_copy_across(child->vcpus[child->fork->maker], in->at, in->size);
}

static long reset(struct domain *child, unsigned long id, unsigned long at, unsigned long size)
{
	struct input in = { _gva(at), size };
	int ret = domain_reset(child, give_input, &in);

	if (ret == -ERESTART)
		return hypercall_continue(TINE_FORK_HYPERCALL, TINE_FORK_reset, id, at, size, 0);
	return ret;
}

/* CMD for the child ID of the caller's. */
static long for_child(unsigned long cmd, unsigned long id, unsigned long a3, unsigned long a4)
{
	struct domain *child =
		id < DOMID_FIRST_RESERVED ? domain_own_fork(current->domain, (domid_t)id) : NULL;
	long ret = 0;

	if (!child)
		return -ESRCH;
	if (cmd == TINE_FORK_wait)
		ret = domain_fork_wait(child);
	else if (cmd == TINE_FORK_destroy)
		domain_destroy(child);
	else
		ret = a4 > TINE_FORK_INPUT_MAX ? -EINVAL : reset(child, id, a3, a4);
	domain_put(child);
	return ret;
}

static long leave(unsigned long code)
{
	struct domain *d = current->domain;

	if (!d->fork || !d->fork->self_made)
		return -EPERM;
	d->fork->code = (u8)code;
	domain_shutdown(d, SHUTDOWN_poweroff);
	return 0;
}

/* A guest forks itself, and resets, waits for and destroys its forks: Tine's own, described in include/tine/fork_op.h. */
long do_fork_op(unsigned long cmd, unsigned long a2, unsigned long a3, unsigned long a4,
		unsigned long a5)
{
	switch (cmd) {
	case TINE_FORK_self:
		if (a2 & ~(unsigned long)TINE_FORK_WAITS)
			return -EINVAL;
		return domain_fork_self(a2 & TINE_FORK_WAITS);
	case TINE_FORK_reset:
	case TINE_FORK_destroy:
	case TINE_FORK_wait:
		return for_child(cmd, a2, a3, a4);
	case TINE_FORK_exit:
		return leave(a2);
	default:
		return -ENOSYS;
	}
}
