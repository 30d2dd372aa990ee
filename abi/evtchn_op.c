// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * event_channel_op: decoding for sched/evtchn.c (ABI page 6.1). FIFO channels are for PV guests: others are answered -ENOSYS,
 * upon which they use the two-level ABI. Physical interrupts are lines on which nothing is: the
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

union evtchn_args {
	evtchn_alloc_unbound_t alloc_unbound;
	evtchn_bind_interdomain_t interdomain;
	evtchn_bind_virq_t virq;
	evtchn_bind_ipi_t ipi;
	evtchn_bind_pirq_t pirq;
	evtchn_bind_vcpu_t vcpu;
	evtchn_status_t status;
	evtchn_reset_t reset;
	evtchn_init_control_t init_control;
	evtchn_expand_array_t expand_array;
	evtchn_set_priority_t set_priority;
	u32 port; /* of operations that are about one, and nothing else */
};

static long alloc_unbound(union evtchn_args *args)
{
	evtchn_alloc_unbound_t *op = &args->alloc_unbound;
	struct domain *d;
	long ret = get_target(op->dom, &d);

	if (ret)
		return ret;
	if (op->remote_dom == DOMID_SELF)
		op->remote_dom = current->domain->id;
	ret = evtchn_alloc_unbound(d, op->remote_dom, &op->port);
	domain_put(d);
	return ret;
}

static long bind_interdomain(union evtchn_args *args)
{
	evtchn_bind_interdomain_t *op = &args->interdomain;

	return evtchn_bind_interdomain(current->domain, op->remote_dom, op->remote_port,
				       &op->local_port);
}

static long bind_virq(union evtchn_args *args)
{
	return evtchn_bind_virq(current->domain, args->virq.virq, args->virq.vcpu,
				&args->virq.port);
}

static long bind_ipi(union evtchn_args *args)
{
	return evtchn_bind_ipi(current->domain, args->ipi.vcpu, &args->ipi.port);
}

static long bind_pirq(union evtchn_args *args)
{
	return evtchn_bind_pirq(current->domain, args->pirq.pirq, &args->pirq.port);
}

static long bind_vcpu(union evtchn_args *args)
{
	return evtchn_bind_vcpu(current->domain, args->vcpu.port, args->vcpu.vcpu);
}

static long close(union evtchn_args *args)
{
	return evtchn_close(current->domain, args->port);
}

static long unmask(union evtchn_args *args)
{
	return evtchn_unmask(current->domain, args->port);
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
	case EVTCHN_IPI_FIFO:
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

static long status(union evtchn_args *args)
{
	struct domain *d;
	struct evtchn e;
	long ret = get_target(args->status.dom, &d);

	if (ret)
		return ret;
	ret = evtchn_lookup(d, args->status.port, &e);
	domain_put(d);
	if (!ret)
		describe(&args->status, e);
	return ret;
}

static long reset(union evtchn_args *args)
{
	struct domain *d;
	long ret = get_target(args->reset.dom, &d);

	if (ret)
		return ret;
	ret = evtchn_reset(d);
	domain_put(d);
	return ret;
}

static long init_control(union evtchn_args *args)
{
	evtchn_init_control_t *op = &args->init_control;
	long ret = evtchn_init_control(current->domain, op->vcpu, op->control_gfn, op->offset);

	op->link_bits = EVTCHN_FIFO_LINK_BITS;
	return ret == -ENOSYS ? hypercall_unknown() : ret;
}

static long expand_array(union evtchn_args *args)
{
	return evtchn_expand_array(current->domain, args->expand_array.array_gfn);
}

static long set_priority(union evtchn_args *args)
{
	return evtchn_set_priority(current->domain, args->set_priority.port,
				   args->set_priority.priority);
}

/* All but sending: what to do with SIZE bytes of arguments, and whether they come back changed. */
static const struct {
	long (*run)(union evtchn_args *args);
	u8 size;
	bool answers;
} operations[] = {
	[EVTCHNOP_alloc_unbound] = { alloc_unbound, sizeof(evtchn_alloc_unbound_t), true },
	[EVTCHNOP_bind_interdomain] = { bind_interdomain, sizeof(evtchn_bind_interdomain_t), true },
	[EVTCHNOP_bind_virq] = { bind_virq, sizeof(evtchn_bind_virq_t), true },
	[EVTCHNOP_bind_ipi] = { bind_ipi, sizeof(evtchn_bind_ipi_t), true },
	[EVTCHNOP_bind_pirq] = { bind_pirq, sizeof(evtchn_bind_pirq_t), true },
	[EVTCHNOP_status] = { status, sizeof(evtchn_status_t), true },
	[EVTCHNOP_bind_vcpu] = { bind_vcpu, sizeof(evtchn_bind_vcpu_t), false },
	[EVTCHNOP_reset] = { reset, sizeof(evtchn_reset_t), false },
	[EVTCHNOP_close] = { close, sizeof(evtchn_close_t), false },
	[EVTCHNOP_unmask] = { unmask, sizeof(evtchn_unmask_t), false },
	[EVTCHNOP_init_control] = { init_control, sizeof(evtchn_init_control_t), true },
	[EVTCHNOP_expand_array] = { expand_array, sizeof(evtchn_expand_array_t), false },
	[EVTCHNOP_set_priority] = { set_priority, sizeof(evtchn_set_priority_t), false },
};

static __noinline long other_op(u32 cmd, gva_t arg)
{
	union evtchn_args args;
	long ret;

	if (cmd >= ARRAY_SIZE(operations) || !operations[cmd].run)
		return hypercall_unknown();
	if (copy_from_guest(&args, arg, operations[cmd].size))
		return -EFAULT;
	ret = operations[cmd].run(&args);
	if (ret == -ERESTART)
		return hypercall_continue(__HYPERVISOR_event_channel_op, cmd, gva_x(arg), 0, 0, 0);
	if (!ret && operations[cmd].answers && copy_to_guest(arg, &args, operations[cmd].size))
		return -EFAULT;
	return ret;
}

/* Event channels, in two levels and, for PV guests, FIFO. Sending is what guests do all the time. */
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
