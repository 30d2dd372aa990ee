// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * event_channel_op: decoding for sched/evtchn.c (ABI page 6.1). The FIFO operations answer -ENOSYS,
 * upon which guests use the two-level ABI. Physical interrupts are lines on which nothing is: the
 * initial domain's kernel wants to bind that of ACPI.
 */
#include <tine/domain.h>
#include <tine/evtchn.h>
#include <tine/hypercall.h>
#include <tine/vcpu.h>
#include <xen/event_channel.h>
#include "internal.h"

/*
 * The caller's own domain, or another one if the caller is the initial domain. 0 with a reference,
 * -ESRCH, -EPERM.
 */
static int get_target(domid_t id, struct domain **out)
{
	struct domain *d = domain_get(id);

	if (!d)
		return -ESRCH;
	if (d != current->domain && !current->domain->config.initial) {
		domain_put(d);
		return -EPERM;
	}
	*out = d;
	return 0;
}

static long alloc_unbound(gva_t arg)
{
	evtchn_alloc_unbound_t op;
	struct domain *d;
	long ret;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	ret = get_target(op.dom, &d);
	if (ret)
		return ret;
	if (op.remote_dom == DOMID_SELF)
		op.remote_dom = current->domain->id;
	ret = evtchn_alloc_unbound(d, op.remote_dom, &op.port);
	domain_put(d);
	if (!ret && copy_to_guest(arg, &op, sizeof(op)))
		ret = -EFAULT;
	return ret;
}

static long bind_interdomain(gva_t arg)
{
	evtchn_bind_interdomain_t op;
	long ret;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	ret = evtchn_bind_interdomain(current->domain, op.remote_dom, op.remote_port,
				      &op.local_port);
	if (!ret && copy_to_guest(arg, &op, sizeof(op)))
		ret = -EFAULT;
	return ret;
}

static long bind_virq(gva_t arg)
{
	evtchn_bind_virq_t op;
	long ret;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	ret = evtchn_bind_virq(current->domain, op.virq, op.vcpu, &op.port);
	if (!ret && copy_to_guest(arg, &op, sizeof(op)))
		ret = -EFAULT;
	return ret;
}

static long bind_ipi(gva_t arg)
{
	evtchn_bind_ipi_t op;
	long ret;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	ret = evtchn_bind_ipi(current->domain, op.vcpu, &op.port);
	if (!ret && copy_to_guest(arg, &op, sizeof(op)))
		ret = -EFAULT;
	return ret;
}

static long bind_pirq(gva_t arg)
{
	evtchn_bind_pirq_t op;
	long ret;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	ret = evtchn_bind_pirq(current->domain, op.pirq, &op.port);
	if (!ret && copy_to_guest(arg, &op, sizeof(op)))
		ret = -EFAULT;
	return ret;
}

static long bind_vcpu(gva_t arg)
{
	evtchn_bind_vcpu_t op;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	return evtchn_bind_vcpu(current->domain, op.port, op.vcpu);
}

/* What STATUS says of binding E; a reserved port counts as closed. */
static void describe(evtchn_status_t *status, struct evtchn e)
{
	status->vcpu = e.vcpu;
	switch ((enum evtchn_state)e.state) {
	case EVTCHN_UNBOUND:
		status->status = EVTCHNSTAT_unbound;
		status->u.unbound.dom = e.remote_dom;
		break;
	case EVTCHN_INTERDOMAIN:
		status->status = EVTCHNSTAT_interdomain;
		status->u.interdomain.dom = e.remote_dom;
		status->u.interdomain.port = e.remote_port;
		break;
	case EVTCHN_VIRQ:
		status->status = EVTCHNSTAT_virq;
		status->u.virq = e.virq;
		break;
	case EVTCHN_IPI:
		status->status = EVTCHNSTAT_ipi;
		break;
	case EVTCHN_PIRQ:
		status->status = EVTCHNSTAT_pirq;
		status->u.pirq = e.pirq;
		break;
	case EVTCHN_TINE: /* a domain that nobody can be, as there is none */
		status->status = EVTCHNSTAT_interdomain;
		status->u.interdomain.dom = DOMID_XEN;
		status->u.interdomain.port = 0;
		break;
	case EVTCHN_FREE:
	case EVTCHN_RESERVED:
		status->status = EVTCHNSTAT_closed;
		break;
	}
}

static long status(gva_t arg)
{
	evtchn_status_t op;
	struct domain *d;
	struct evtchn e;
	long ret;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	ret = get_target(op.dom, &d);
	if (ret)
		return ret;
	ret = evtchn_lookup(d, op.port, &e);
	domain_put(d);
	if (ret)
		return ret;
	describe(&op, e);
	return copy_to_guest(arg, &op, sizeof(op)) ? -EFAULT : 0;
}

static long reset(gva_t arg)
{
	evtchn_reset_t op;
	struct domain *d;
	long ret;

	if (copy_from_guest(&op, arg, sizeof(op)))
		return -EFAULT;
	ret = get_target(op.dom, &d);
	if (ret)
		return ret;
	ret = evtchn_reset(d);
	domain_put(d);
	if (ret == -ERESTART)
		return hypercall_continue(__HYPERVISOR_event_channel_op, EVTCHNOP_reset, gva_x(arg),
					  0, 0, 0);
	return ret;
}

/* Operations whose argument is a port and nothing else. */
static long on_port(gva_t arg, int (*fn)(struct domain *d, u32 port))
{
	u32 port;

	if (copy_from_guest(&port, arg, sizeof(port)))
		return -EFAULT;
	return fn(current->domain, port);
}

static __noinline long other_op(u32 cmd, gva_t arg)
{
	switch (cmd) {
	case EVTCHNOP_alloc_unbound:
		return alloc_unbound(arg);
	case EVTCHNOP_bind_interdomain:
		return bind_interdomain(arg);
	case EVTCHNOP_bind_virq:
		return bind_virq(arg);
	case EVTCHNOP_bind_ipi:
		return bind_ipi(arg);
	case EVTCHNOP_bind_pirq:
		return bind_pirq(arg);
	case EVTCHNOP_close:
		return on_port(arg, evtchn_close);
	case EVTCHNOP_status:
		return status(arg);
	case EVTCHNOP_bind_vcpu:
		return bind_vcpu(arg);
	case EVTCHNOP_unmask:
		return on_port(arg, evtchn_unmask);
	case EVTCHNOP_reset:
		return reset(arg);
	case EVTCHNOP_expand_array: /* as on Xen without an init_control that succeeded */
		return -EOPNOTSUPP;
	default:
		return hypercall_unknown();
	}
}

/* Event channels, the two-level ABI. Sending is what guests do all the time. */
long do_event_channel_op(unsigned long cmd, unsigned long arg, unsigned long a3, unsigned long a4,
			 unsigned long a5)
{
	u32 port;
	long ret;

	if (unlikely((u32)cmd != EVTCHNOP_send))
		return other_op((u32)cmd, _gva(arg));
	if (unlikely(copy_from_guest(&port, _gva(arg), sizeof(port))))
		return -EFAULT;
	ret = evtchn_send(current->domain, port);
	if (unlikely(ret == -ERESTART))
		return hypercall_continue(__HYPERVISOR_event_channel_op, cmd, arg, 0, 0, 0);
	return ret;
}
