// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event channel bindings: which port leads where. Everything here holds the event lock of the
 * domain, or of both when two are involved; a binding is written as one word, so that evtchn_send.c
 * reads it without.
 *
 * Two ends of an interdomain channel always name each other. A bucket of ports is allocated when
 * its first port is given out and stays until the domain is gone.
 */
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/softirq.h>
#include "evtchn_fifo.h"
#include "internal.h"

bool evtchn_virq_is_global(u32 virq)
{
	switch (virq) {
	case VIRQ_TIMER:
	case VIRQ_DEBUG:
	case VIRQ_XENOPROF:
	case VIRQ_XENPMU:
		return false;
	default:
		return true;
	}
}

static void clear_pending(struct domain *d, u32 port)
{
	if (evtchn_has_fifo(d))
		evtchn_fifo_clear(d, port);
	(void)__atomic_fetch_and(&d->shared_info->evtchn_pending[port / 64], ~(1UL << (port % 64)),
				 __ATOMIC_SEQ_CST);
}

/* ---- Ports; the domain's event lock is held ---- */

static int ensure_bucket(struct domain *d, u32 port)
{
	struct evtchn **bucket = &d->evtchn.buckets[port / EVTCHN_BUCKET];
	struct evtchn *fresh;

	if (*bucket)
		return 0;
	fresh = kzalloc(EVTCHN_BUCKET * sizeof(struct evtchn));
	if (!fresh)
		return -ENOMEM;
	__atomic_store_n(bucket, fresh, __ATOMIC_RELEASE);
	return 0;
}

/* A port that was closed, but is in a queue of the guest's still: it cannot be in another one yet. */
static bool is_linked(const struct domain *d, u32 port)
{
	struct evtchn_fifo_look look;

	return evtchn_has_fifo(d) && evtchn_fifo_look(d, port, &look) && look.linked;
}

/* Gives the lowest free port the binding E. */
static int take_port(struct domain *d, struct evtchn e, u32 *out)
{
	u32 linked = 0; /* the first free one that is */

	for (u32 port = d->evtchn.lowest_free; port < EVTCHN_PORTS; port++) {
		int ret = ensure_bucket(d, port);
		struct evtchn *slot;

		if (ret)
			return ret;
		slot = evtchn_slot(d, port);
		if (slot->state != EVTCHN_FREE)
			continue;
		if (is_linked(d, port)) {
			linked = linked ?: port;
			continue;
		}
		d->evtchn.lowest_free = linked ?: port + 1;
		clear_pending(d, port);
		evtchn_write(slot, e);
		*out = port;
		return 0;
	}
	return -ENOSPC;
}

static void free_port(struct domain *d, u32 port)
{
	evtchn_write(evtchn_slot(d, port), (struct evtchn){ .state = EVTCHN_FREE });
	clear_pending(d, port);
	if (port < d->evtchn.lowest_free)
		d->evtchn.lowest_free = port;
}

/* The slot of a port in use; NULL for any other number. */
static struct evtchn *used_slot(struct domain *d, u32 port)
{
	struct evtchn *slot = evtchn_slot(d, port);

	return slot && slot->state != EVTCHN_FREE && slot->state != EVTCHN_RESERVED ? slot : NULL;
}

/* ---- Binding ---- */

int evtchn_alloc_unbound(struct domain *d, domid_t remote, u32 *port)
{
	int ret;

	spin_lock(&d->evtchn.lock);
	ret = take_port(d, (struct evtchn){ .state = EVTCHN_UNBOUND, .remote_dom = remote }, port);
	spin_unlock(&d->evtchn.lock);
	return ret;
}

static int bind_both(struct domain *d, struct domain *remote, u32 remote_port, u32 *port)
{
	struct evtchn *there = used_slot(remote, remote_port);
	struct evtchn e = {
		.state = EVTCHN_INTERDOMAIN,
		.remote_dom = remote->id,
		.remote_port = (u16)remote_port,
	};
	int ret;

	if (READ_ONCE(remote->dying))
		return -ESRCH;
	if (!there || there->state != EVTCHN_UNBOUND || there->remote_dom != d->id)
		return -EINVAL;
	ret = take_port(d, e, port);
	if (ret)
		return ret;
	e = *there;
	e.state = EVTCHN_INTERDOMAIN;
	e.remote_dom = d->id;
	e.remote_port = (u16)*port;
	evtchn_write(there, e);
	return 0;
}

int evtchn_bind_interdomain(struct domain *d, domid_t remote_id, u32 remote_port, u32 *port)
{
	struct domain *remote = domain_get(remote_id == DOMID_SELF ? d->id : remote_id);
	int ret;

	if (!remote)
		return -ESRCH;
	spin_lock_both(&d->evtchn.lock, &remote->evtchn.lock);
	ret = bind_both(d, remote, remote_port, port);
	/* The other side may have sent before: tell our end at once. */
	if (!ret)
		evtchn_raise(d, *port, d->vcpus[0]);
	spin_unlock_both(&d->evtchn.lock, &remote->evtchn.lock);
	domain_put(remote);
	return ret;
}

int evtchn_bind_virq(struct domain *d, u32 virq, u32 vcpu, u32 *port)
{
	struct evtchn e = { .state = EVTCHN_VIRQ, .virq = (u8)virq, .vcpu = (u16)vcpu };
	struct vcpu *v;
	int ret;

	if (virq >= NR_VIRQS || (evtchn_virq_is_global(virq) && vcpu))
		return -EINVAL;
	v = domain_vcpu(d, vcpu);
	if (!v)
		return -ENOENT;
	spin_lock(&d->evtchn.lock);
	ret = v->virq_port[virq] ? -EEXIST : take_port(d, e, port);
	if (!ret)
		WRITE_ONCE(v->virq_port[virq], (u16)*port);
	spin_unlock(&d->evtchn.lock);
	return ret;
}

int evtchn_bind_ipi(struct domain *d, u32 vcpu, u32 *port)
{
	struct evtchn e = { .state = EVTCHN_IPI, .vcpu = (u16)vcpu };
	int ret;

	if (!domain_vcpu(d, vcpu))
		return -ENOENT;
	spin_lock(&d->evtchn.lock);
	if (evtchn_fifo_active(d))
		e.state = EVTCHN_IPI_FIFO;
	ret = take_port(d, e, port);
	spin_unlock(&d->evtchn.lock);
	return ret;
}

int evtchn_bind_pirq(struct domain *d, u32 pirq, u32 *port)
{
	struct evtchn e = { .state = EVTCHN_PIRQ, .pirq = (u8)pirq };
	int ret;

	if (pirq >= NR_PIRQS)
		return -EINVAL;
	if (!d->config.initial)
		return -EPERM;
	spin_lock(&d->evtchn.lock);
	ret = d->evtchn.pirq_port[pirq] ? -EEXIST : take_port(d, e, port);
	if (!ret)
		WRITE_ONCE(d->evtchn.pirq_port[pirq], (u16)*port);
	spin_unlock(&d->evtchn.lock);
	return ret;
}

u32 evtchn_of_pirq(const struct domain *d, u32 pirq)
{
	return pirq < NR_PIRQS ? READ_ONCE(d->evtchn.pirq_port[pirq]) : 0;
}

int evtchn_bind_service(struct domain *d, enum evtchn_service service, u32 *port)
{
	struct evtchn e = { .state = EVTCHN_TINE, .service = (u8)service };
	int ret;

	spin_lock(&d->evtchn.lock);
	ret = take_port(d, e, port);
	spin_unlock(&d->evtchn.lock);
	return ret;
}

int evtchn_bind_vcpu(struct domain *d, u32 port, u32 vcpu)
{
	struct evtchn *slot;
	struct evtchn e;
	int ret = -EINVAL;

	if (!domain_vcpu(d, vcpu))
		return -ENOENT;
	spin_lock(&d->evtchn.lock);
	slot = used_slot(d, port);
	if (slot && slot->state != EVTCHN_IPI && slot->state != EVTCHN_IPI_FIFO &&
	    (slot->state != EVTCHN_VIRQ || evtchn_virq_is_global(slot->virq))) {
		e = *slot;
		e.vcpu = (u16)vcpu;
		evtchn_write(slot, e);
		ret = 0;
	}
	spin_unlock(&d->evtchn.lock);
	return ret;
}

int evtchn_lookup(struct domain *d, u32 port, struct evtchn *out)
{
	const struct evtchn *slot = evtchn_slot(d, port);

	if (!slot)
		return -EINVAL;
	*out = evtchn_read(slot);
	return 0;
}

/* ---- Closing ---- */

/*
 * The other end of an interdomain channel becomes unbound, open to the same domain again. Both
 * locks are held. REMOTE is D for a channel to itself.
 */
static void unbind_peer(struct domain *d, struct domain *remote, const struct evtchn *slot)
{
	struct evtchn *there = evtchn_slot(remote, slot->remote_port);
	struct evtchn e = *there;

	ASSERT(e.state == EVTCHN_INTERDOMAIN && e.remote_dom == d->id);
	e.state = EVTCHN_UNBOUND;
	e.remote_port = 0;
	evtchn_write(there, e);
}

/*
 * The event lock is held. The domain on the other end, which must be locked as well first, or NULL
 * when the port is closed.
 */
static int close_locked(struct domain *d, u32 port, struct domain *locked, struct domain **need)
{
	struct evtchn *slot = used_slot(d, port);
	struct domain *remote;

	*need = NULL;
	if (!slot)
		return -EINVAL;
	if (slot->state == EVTCHN_VIRQ) {
		/* A global one may have been moved to notify another vCPU. */
		u16 bound_on = evtchn_virq_is_global(slot->virq) ? 0 : slot->vcpu;

		WRITE_ONCE(d->vcpus[bound_on]->virq_port[slot->virq], 0);
	}
	if (slot->state == EVTCHN_PIRQ)
		WRITE_ONCE(d->evtchn.pirq_port[slot->pirq], 0);
	if (slot->state == EVTCHN_INTERDOMAIN) {
		/*
		 * Named by a binding under our lock, it cannot have gone: it would have had to
		 * unbind us.
		 */
		remote = domain_of_id(slot->remote_dom);
		if (remote != d && remote != locked) {
			*need = remote;
			(void)__atomic_fetch_add(&remote->refs, 1, __ATOMIC_RELAXED);
			return 0;
		}
		unbind_peer(d, remote, slot);
	}
	free_port(d, port);
	return 0;
}

int evtchn_close(struct domain *d, u32 port)
{
	struct domain *remote = NULL, *need;
	int ret;

	for (;;) {
		spin_lock_both(&d->evtchn.lock, remote ? &remote->evtchn.lock : &d->evtchn.lock);
		ret = close_locked(d, port, remote, &need);
		spin_unlock_both(&d->evtchn.lock, remote ? &remote->evtchn.lock : &d->evtchn.lock);
		if (remote)
			domain_put(remote);
		if (!need)
			return ret;
		remote = need; /* try again with its lock, too: the binding may have changed */
	}
}

static int close_all(struct domain *d, bool pause)
{
	for (u32 port = 1; port < EVTCHN_PORTS; port++) {
		struct evtchn *slot = evtchn_slot(d, port);

		if (!slot) {
			port |= EVTCHN_BUCKET - 1;
			continue;
		}
		if (evtchn_read(slot).state == EVTCHN_FREE)
			continue;
		(void)!evtchn_close(d, port);
		if (pause && softirq_waiting())
			return -ERESTART;
	}
	return 0;
}

int evtchn_reset(struct domain *d)
{
	int ret = close_all(d, true);

	if (ret)
		return ret;
	spin_lock(&d->evtchn.lock);
	evtchn_fifo_release(d);
	spin_unlock(&d->evtchn.lock);
	return 0;
}

/* ---- The FIFO ABI: pages of the guest's, and which of the two it is ---- */

/* IPIs that were bound before go the longer way, too. */
static void ipis_to_fifo(struct domain *d)
{
	for (u32 port = 1; port < EVTCHN_PORTS; port++) {
		struct evtchn *slot = evtchn_slot(d, port);

		if (slot && slot->state == EVTCHN_IPI) {
			struct evtchn e = *slot;

			e.state = EVTCHN_IPI_FIFO;
			evtchn_write(slot, e);
		}
	}
}

int evtchn_init_control(struct domain *d, u32 vcpu, unsigned long frame, u32 offset)
{
	struct page *pg;
	void *va;
	int ret;

	if (d->config.type != DOMAIN_PV)
		return -ENOSYS;
	if (!domain_vcpu(d, vcpu))
		return -ENOENT;
	if (offset % 8 || offset > PAGE_SIZE - sizeof(struct evtchn_fifo_control_block))
		return -EINVAL;
	ret = arch_map_guest_frame(d, frame, &pg, &va);
	if (ret)
		return ret;
	spin_lock(&d->evtchn.lock);
	ret = evtchn_fifo_init_control(d, vcpu, pg,
				       (struct evtchn_fifo_control_block *)(void *)((u8 *)va +
										    offset));
	if (!ret)
		ipis_to_fifo(d);
	spin_unlock(&d->evtchn.lock);
	if (ret)
		arch_unmap_guest_frame(pg, va);
	return ret;
}

int evtchn_expand_array(struct domain *d, unsigned long frame)
{
	struct page *pg;
	void *va;
	int ret;

	if (!evtchn_fifo_active(d))
		return -EOPNOTSUPP;
	ret = arch_map_guest_frame(d, frame, &pg, &va);
	if (ret)
		return ret;
	spin_lock(&d->evtchn.lock);
	ret = evtchn_fifo_expand(d, pg, va);
	spin_unlock(&d->evtchn.lock);
	if (ret)
		arch_unmap_guest_frame(pg, va);
	return ret;
}

int evtchn_set_priority(struct domain *d, u32 port, u32 priority)
{
	int ret = -EINVAL;

	spin_lock(&d->evtchn.lock);
	if (!evtchn_fifo_active(d))
		ret = -ENOSYS;
	else if (used_slot(d, port))
		ret = evtchn_fifo_set_priority(d, port, priority);
	spin_unlock(&d->evtchn.lock);
	return ret;
}

void evtchn_for_each_hold(struct domain *d, void (*fn)(struct page *pg, bool writable, void *arg),
			  void *arg)
{
	evtchn_fifo_for_each_hold(d, fn, arg);
}

/* ---- A domain's table ---- */

int evtchn_domain_init(struct domain *d)
{
	spin_lock_init(&d->evtchn.lock, LOCK_EVTCHN);
	if (ensure_bucket(d, 0))
		return -ENOMEM;
	d->evtchn.buckets[0][0].state = EVTCHN_RESERVED;
	d->evtchn.lowest_free = 1;
	return 0;
}

/* `dying` is set: no new channels to it come up meanwhile. */
void evtchn_domain_destroy(struct domain *d)
{
	(void)!close_all(d, false);
	evtchn_fifo_release(d);
}

void evtchn_domain_free(struct domain *d)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(d->evtchn.buckets); i++)
		kfree(d->evtchn.buckets[i]);
	evtchn_fifo_free(d);
}
