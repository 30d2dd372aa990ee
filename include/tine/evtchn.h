/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event channels: 4096 ports a domain, in two levels or, for PV domains that ask for it, FIFO (sched/evtchn_fifo.c). Bindings are changed under the domain's
 * event lock (LOCK_EVTCHN); a binding is one 64-bit word, so that a sender reads it whole without
 * the lock. Pending, mask and selector bits are atomic in memory shared with the guest.
 */
#ifndef TINE_EVTCHN_H
#define TINE_EVTCHN_H

#include <tine/spinlock.h>
#include <tine/types.h>

struct domain;
struct vcpu;

#define EVTCHN_PORTS 4096
#define EVTCHN_BUCKET 64 /* ports allocated at a time */
#define NR_PIRQS 24      /* lines of the one IO-APIC that the initial domain is told of */

enum evtchn_state {
	EVTCHN_FREE,
	EVTCHN_RESERVED,
	EVTCHN_UNBOUND,
	EVTCHN_INTERDOMAIN,
	EVTCHN_VIRQ,
	EVTCHN_IPI,
	EVTCHN_IPI_FIFO, /* the same, of a domain with FIFO channels: sending looks at one word only */
	EVTCHN_PIRQ,     /* an interrupt line of the initial domain's: nothing is on it */
	EVTCHN_TINE,     /* the other end is a service of the hypervisor's */
};

/* What the hypervisor itself does for domains that have no control domain. */
enum evtchn_service { SERVICE_CONSOLE, SERVICE_XENSTORE, SERVICE_COUNT };

struct evtchn {
	u8 state; /* enum evtchn_state */
	union {
		u8 virq;
		u8 pirq;
		u8 service; /* enum evtchn_service */
	};
	u16 vcpu; /* that is notified */
	domid_t remote_dom;
	u16 remote_port;
} __attribute__((aligned(8)));
_Static_assert(sizeof(struct evtchn) == 8, "read and written as one word");

struct evtchn_table {
	struct spinlock lock;
	u32 lowest_free;          /* no free port is below */
	u32 polling;              /* vCPUs in SCHEDOP_poll, a bit each; atomic */
	struct evtchn_fifo *fifo; /* NULL: it never asked for FIFO channels; stays */
	u16 pirq_port[NR_PIRQS];  /* 0: the line is not bound */
	struct evtchn *buckets[EVTCHN_PORTS / EVTCHN_BUCKET]; /* only grow while the domain lives */
};

int evtchn_domain_init(struct domain *d) __must_check; /* -ENOMEM */
void evtchn_domain_destroy(struct domain *d);          /* closes all; its vCPUs are stopped */
void evtchn_domain_free(struct domain *d);             /* the table's memory */

/*
 * The operations of EVTCHNOP_*, on behalf of D; errors as the ABI has them. Ports come lowest
 * first.
 */
int evtchn_alloc_unbound(struct domain *d, domid_t remote, u32 *port) __must_check;
int evtchn_bind_interdomain(struct domain *d, domid_t remote, u32 remote_port,
			    u32 *port) __must_check;
int evtchn_bind_virq(struct domain *d, u32 virq, u32 vcpu, u32 *port) __must_check;
int evtchn_bind_ipi(struct domain *d, u32 vcpu, u32 *port) __must_check;
int evtchn_bind_pirq(struct domain *d, u32 pirq, u32 *port) __must_check; /* of NR_PIRQS */
u32 evtchn_of_pirq(const struct domain *d, u32 pirq);                     /* 0: it is not bound */
int evtchn_bind_vcpu(struct domain *d, u32 port, u32 vcpu) __must_check;
int evtchn_close(struct domain *d, u32 port) __must_check;
int evtchn_send(struct domain *d, u32 port) __must_check; /* -ERESTART: call again */
int evtchn_unmask(struct domain *d, u32 port) __must_check;
int evtchn_reset(struct domain *d) __must_check; /* -ERESTART: call again */
bool evtchn_port_pending(const struct domain *d, u32 port);
bool evtchn_port_masked(const struct domain *d, u32 port);
int evtchn_lookup(struct domain *d, u32 port, struct evtchn *out) __must_check; /* a copy */

/*
 * FIFO channels of D, which is a PV domain (-ENOSYS: it is not). The guest's frame is held until D is reset or ends. -ERESTART: call
 * again. A block at OFFSET of that frame for one vCPU; the next page of the array of words; where PORT queues from now on.
 */
int evtchn_init_control(struct domain *d, u32 vcpu, unsigned long frame, u32 offset) __must_check;
int evtchn_expand_array(struct domain *d, unsigned long frame) __must_check;
int evtchn_set_priority(struct domain *d, u32 port, u32 priority) __must_check;
/* Pages that are held for that; as domain_for_each_hold(). */
struct page;
void evtchn_for_each_hold(struct domain *d, void (*fn)(struct page *pg, bool writable, void *arg),
			  void *arg);

/*
 * A channel to a service. FN is called for each event that D sends on it, in the sender's context
 * with no lock held, possibly on several CPUs at once. It answers 0, or -ERESTART: more is to do,
 * and the send is made again once other work is done.
 */
typedef int evtchn_service_fn(struct domain *d);
void evtchn_service_register(enum evtchn_service service, evtchn_service_fn *fn);
int evtchn_bind_service(struct domain *d, enum evtchn_service service, u32 *port) __must_check;
/* The service's event for D, lost when PORT leads to the service no more. Any context. */
void evtchn_service_notify(struct domain *d, enum evtchn_service service, u32 port);

/* Raises a VIRQ on V if it is bound there. Global ones are bound on vCPU 0. Any context. */
void evtchn_send_virq(struct vcpu *v, u32 virq);
bool evtchn_virq_is_global(u32 virq);

#endif
