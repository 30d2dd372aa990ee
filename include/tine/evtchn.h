/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Event channels, the two-level ABI: 4096 ports a domain. Bindings are guarded by the domain's event lock
 * (LOCK_EVTCHN); pending, mask and selector bits are atomic in memory shared with the guest.
 */
#ifndef TINE_EVTCHN_H
#define TINE_EVTCHN_H

#include <tine/compiler.h>
#include <tine/spinlock.h>
#include <tine/types.h>

struct domain;
struct vcpu;

#define EVTCHN_PORTS 4096
#define EVTCHN_BUCKET 64 /* ports allocated at a time */

enum evtchn_state {
	EVTCHN_FREE,
	EVTCHN_RESERVED,
	EVTCHN_UNBOUND,
	EVTCHN_INTERDOMAIN,
	EVTCHN_VIRQ,
	EVTCHN_IPI
};

struct evtchn {
	u8 state; /* enum evtchn_state */
	u8 virq;
	u16 vcpu; /* that is notified */
	domid_t remote_dom;
	u16 remote_port;
};

struct evtchn_table {
	struct spinlock lock;
	struct evtchn *buckets[EVTCHN_PORTS / EVTCHN_BUCKET];
};

int evtchn_domain_init(struct domain *d) __must_check; /* -ENOMEM */
void evtchn_domain_destroy(struct domain *d);          /* closes all */

/* The operations of EVTCHNOP_*, on behalf of D; errors as the ABI has them. Ports come lowest first. */
int evtchn_alloc_unbound(struct domain *d, domid_t remote, u32 *port) __must_check;
int evtchn_bind_interdomain(struct domain *d, domid_t remote, u32 remote_port,
			    u32 *port) __must_check;
int evtchn_bind_virq(struct domain *d, u32 virq, u32 vcpu, u32 *port) __must_check;
int evtchn_bind_ipi(struct domain *d, u32 vcpu, u32 *port) __must_check;
int evtchn_bind_vcpu(struct domain *d, u32 port, u32 vcpu) __must_check;
int evtchn_close(struct domain *d, u32 port) __must_check;
int evtchn_send(struct domain *d, u32 port) __must_check;
int evtchn_unmask(struct domain *d, u32 port) __must_check;
int evtchn_reset(struct domain *d) __must_check;
bool evtchn_port_pending(const struct domain *d, u32 port);
int evtchn_lookup(struct domain *d, u32 port,
		  struct evtchn *out) __must_check; /* a copy, for EVTCHNOP_status */

/* Raises a VIRQ on V if it is bound there; global ones go to the domain's vCPU 0. Any context. */
void evtchn_send_virq(struct vcpu *v, u32 virq);

#endif
