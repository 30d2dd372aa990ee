// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched_op and set_timer_op: a guest gives up its CPU, ends, or sets its timer (ABI page 6.2).
 * Nothing here waits: a vCPU that blocks is marked so, its result is already set, and the way back
 * to the guest runs the scheduler.
 */
#include <asm/abi.h>
#include <tine/console.h>
#include <tine/domain.h>
#include <tine/hypercall.h>
#include <tine/sched.h>
#include <xen/sched.h>
#include "internal.h"

#define POLL_PORTS_MAX 128

static long poll(gva_t arg)
{
	u32 ports[POLL_PORTS_MAX];
	sched_poll_t poll;

	if (copy_from_guest(&poll, arg, sizeof(poll)))
		return -EFAULT;
	if (poll.nr_ports > POLL_PORTS_MAX)
		return -EINVAL;
	if (copy_from_guest(ports, _gva((unsigned long)poll.ports.p),
			    poll.nr_ports * sizeof(ports[0])))
		return -EFAULT;
	return vcpu_poll(ports, poll.nr_ports, poll.timeout ? guest_deadline(poll.timeout) : 0);
}

static long shut_down(gva_t arg)
{
	sched_shutdown_t shutdown;

	if (copy_from_guest(&shutdown, arg, sizeof(shutdown)))
		return -EFAULT;
	domain_shutdown(current->domain, (u8)shutdown.reason);
	return 0;
}

/* The reason that a later end will be taken to have, whatever that says. */
static long set_shutdown_code(gva_t arg)
{
	sched_shutdown_t shutdown;

	if (copy_from_guest(&shutdown, arg, sizeof(shutdown)))
		return -EFAULT;
	domain_set_shutdown_code(current->domain, (u8)shutdown.reason);
	return 0;
}

static long remote_shutdown(gva_t arg)
{
	sched_remote_shutdown_t remote;
	struct domain *d;
	long ret = -EPERM;

	if (copy_from_guest(&remote, arg, sizeof(remote)))
		return -EFAULT;
	d = domain_get(remote.domain_id);
	if (!d)
		return -ESRCH;
	if (current->domain->config.initial && d != current->domain) {
		domain_shutdown(d, (u8)remote.reason);
		ret = 0;
	}
	domain_put(d);
	return ret;
}

static long watchdog(gva_t arg)
{
	sched_watchdog_t op;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	return domain_watchdog(current->domain, op.id, op.timeout);
}

/* A guest gives up its CPU, waits, or ends. */
long do_sched_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
		 unsigned long a5)
{
	switch ((u32)cmd) {
	case SCHEDOP_yield:
		console_ring_poll(current->domain);
		sched_give_way();
		return 0;
	case SCHEDOP_block:
		abi_block_unmasks(&current->arch.regs);
		vcpu_block();
		return 0;
	case SCHEDOP_shutdown:
		return shut_down(_gva(arg));
	case SCHEDOP_poll:
		return poll(_gva(arg));
	case SCHEDOP_remote_shutdown:
		return remote_shutdown(_gva(arg));
	case SCHEDOP_shutdown_code:
		return set_shutdown_code(_gva(arg));
	case SCHEDOP_pin_override:
		return current->domain->config.initial ? -ENOSYS : -EPERM;
	case SCHEDOP_watchdog:
		return watchdog(_gva(arg));
	default:
		return hypercall_unknown();
	}
}

/* The calling vCPU's one-shot timer; the older form of vcpu_op's. */
long do_set_timer_op(unsigned long timeout, unsigned long a2, unsigned long a3, unsigned long a4,
		     unsigned long a5)
{
	struct vcpu *v = current;

	if (timeout)
		timer_set(&v->singleshot, guest_deadline(timeout));
	else
		timer_stop(&v->singleshot);
	return 0;
}
