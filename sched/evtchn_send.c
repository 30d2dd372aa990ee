// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sending events: the hot half of event channels. The bits are shared with the guest and every step
 * is one atomic instruction (ABI page 6.1), so no lock is taken unless the receiver is another
 * domain.
 *
 * A binding is read as one word. Within a domain, a send that races with a close may leave a bit on
 * a port that has been given out again; that is the domain's own race. Between domains the sender's
 * event lock is held: the other end cannot be unbound, nor its domain go away, without it.
 */
#include <tine/bitmap.h>
#include <tine/errno.h>
#include "evtchn_fifo.h"
#include "internal.h"

static bool shared_test_and_set(xen_ulong_t *word, unsigned int bit)
{
	return __atomic_fetch_or(word, 1UL << bit, __ATOMIC_SEQ_CST) & (1UL << bit);
}

bool evtchn_port_pending(const struct domain *d, u32 port)
{
	struct evtchn_fifo_look look;

	if (evtchn_has_fifo(d) && evtchn_fifo_look(d, port, &look))
		return look.pending;
	return (READ_ONCE(d->shared_info->evtchn_pending[port / 64]) >> (port % 64)) & 1;
}

static bool port_masked(const struct domain *d, u32 port)
{
	return (READ_ONCE(d->shared_info->evtchn_mask[port / 64]) >> (port % 64)) & 1;
}

bool evtchn_port_masked(const struct domain *d, u32 port)
{
	struct evtchn_fifo_look look;

	if (evtchn_has_fifo(d) && evtchn_fifo_look(d, port, &look))
		return look.masked;
	return port_masked(d, port);
}

/* Those that poll for PORT go on, masked or not. */
static void wake_pollers(struct domain *d, u32 port)
{
	u32 polling = __atomic_load_n(&d->evtchn.polling, __ATOMIC_SEQ_CST);

	while (polling) {
		struct vcpu *v = d->vcpus[lsb(polling)];
		u16 wanted = READ_ONCE(v->poll_port);

		polling &= polling - 1;
		if (!wanted || wanted == port)
			vcpu_unblock(v);
	}
}

static void mark_in_info(struct vcpu *v, u32 port)
{
	vcpu_info_t *info = __atomic_load_n(&v->info, __ATOMIC_SEQ_CST);

	if (shared_test_and_set(&info->evtchn_pending_sel, port / 64))
		return;
	if (!__atomic_exchange_n(&info->evtchn_upcall_pending, 1, __ATOMIC_SEQ_CST))
		vcpu_notify(v);
}

/*
 * The selector and upcall part, for a port that is pending and not masked. A fork that is reset loses the page that it has registered since, but not
 * before all who may be writing there have gone (fork_pages.c).
 */
static void mark_upcall(struct vcpu *v, u32 port)
{
	if (likely(!v->domain->fork)) {
		mark_in_info(v, port);
		return;
	}
	(void)__atomic_add_fetch(&v->info_users, 1, __ATOMIC_SEQ_CST);
	mark_in_info(v, port);
	(void)__atomic_sub_fetch(&v->info_users, 1, __ATOMIC_SEQ_CST);
}

/* PORT has just become pending, and somebody may want to know. */
static __noinline void tell(struct domain *d, u32 port, struct vcpu *v)
{
	if (unlikely(READ_ONCE(d->evtchn.polling)))
		wake_pollers(d, port);
	if (!port_masked(d, port))
		mark_upcall(v, port);
}

static __always_inline void raise(struct domain *d, u32 port, struct vcpu *v)
{
	if (shared_test_and_set(&d->shared_info->evtchn_pending[port / 64], port % 64))
		return;
	if (!port_masked(d, port) || unlikely(READ_ONCE(d->evtchn.polling)))
		tell(d, port, v);
}

static __noinline bool raise_fifo(struct domain *d, u32 port, struct vcpu *v)
{
	bool was_pending;

	if (!evtchn_fifo_raise(d, port, v, &was_pending))
		return false;
	if (!was_pending && READ_ONCE(d->evtchn.polling))
		wake_pollers(d, port);
	return true;
}

void evtchn_raise(struct domain *d, u32 port, struct vcpu *v)
{
	if (unlikely(evtchn_has_fifo(d)) && raise_fifo(d, port, v))
		return;
	raise(d, port, v);
}

/* To another domain, or this one's other end by the long way: looked at again under the lock. */
static __noinline int send_interdomain(struct domain *d, const struct evtchn *slot)
{
	struct evtchn here, there;
	struct domain *remote;
	const struct evtchn *remote_slot;

	spin_lock(&d->evtchn.lock);
	here = evtchn_read(slot);
	if (here.state == EVTCHN_INTERDOMAIN) {
		remote = domain_of_id(here.remote_dom);
		remote_slot = remote ? evtchn_slot(remote, here.remote_port) : NULL;
		if (remote_slot) {
			there = evtchn_read(remote_slot);
			evtchn_raise(remote, here.remote_port, remote->vcpus[there.vcpu]);
		}
	}
	spin_unlock(&d->evtchn.lock);
	return 0;
}

/* ---- Services of the hypervisor's own ---- */

static evtchn_service_fn *services[SERVICE_COUNT];

void evtchn_service_register(enum evtchn_service service, evtchn_service_fn *fn)
{
	services[service] = fn;
}

void evtchn_service_notify(struct domain *d, enum evtchn_service service, u32 port)
{
	const struct evtchn *slot = evtchn_slot(d, port);
	struct evtchn e;

	if (!slot)
		return;
	e = evtchn_read(slot);
	if (e.state == EVTCHN_TINE && e.service == service)
		evtchn_raise(d, port, d->vcpus[e.vcpu]);
}

/* ---- Sending, for domains ---- */

static __noinline int send_other(struct domain *d, u32 port, const struct evtchn *slot)
{
	struct evtchn e = evtchn_read(slot);
	const struct evtchn *other;

	switch (e.state) {
	case EVTCHN_IPI_FIFO:
		evtchn_raise(d, port, d->vcpus[e.vcpu]);
		return 0;
	case EVTCHN_INTERDOMAIN:
		if (e.remote_dom != d->id)
			return send_interdomain(d, slot);
		other = evtchn_slot(d, e.remote_port);
		evtchn_raise(d, e.remote_port, d->vcpus[evtchn_read(other).vcpu]);
		return 0;
	case EVTCHN_TINE:
		return services[e.service](d);
	case EVTCHN_UNBOUND:
		return 0; /* nobody there yet: lost, as the ABI has it */
	default:
		return -EINVAL;
	}
}

/* A guest's own vCPUs first: they call each other all the time. */
int evtchn_send(struct domain *d, u32 port)
{
	const struct evtchn *slot = evtchn_slot(d, port);
	struct evtchn e;

	if (unlikely(!slot))
		return -EINVAL;
	e = evtchn_read(slot);
	if (unlikely(e.state != EVTCHN_IPI))
		return send_other(d, port, slot);
	raise(d, port, d->vcpus[e.vcpu]);
	return 0;
}

int evtchn_unmask(struct domain *d, u32 port)
{
	const struct evtchn *slot = evtchn_slot(d, port);
	xen_ulong_t bit = 1UL << (port % 64);

	if (!slot)
		return -EINVAL;
	if (unlikely(evtchn_has_fifo(d)) &&
	    evtchn_fifo_unmask(d, port, d->vcpus[evtchn_read(slot).vcpu]))
		return 0;
	if (!(__atomic_fetch_and(&d->shared_info->evtchn_mask[port / 64], ~bit, __ATOMIC_SEQ_CST) &
	      bit))
		return 0;
	if (evtchn_port_pending(d, port))
		mark_upcall(d->vcpus[evtchn_read(slot).vcpu], port);
	return 0;
}

void evtchn_send_virq(struct vcpu *v, u32 virq)
{
	struct domain *d = v->domain;
	u32 port;

	if (evtchn_virq_is_global(virq))
		v = d->vcpus[0];
	port = READ_ONCE(v->virq_port[virq]);
	if (port)
		evtchn_raise(d, port, d->vcpus[evtchn_read(evtchn_slot(d, port)).vcpu]);
}
