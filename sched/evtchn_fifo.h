/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The FIFO ABI of event channels (evtchn_fifo.c), as evtchn.c and evtchn_send.c use it. */
#ifndef SCHED_EVTCHN_FIFO_H
#define SCHED_EVTCHN_FIFO_H

#include <tine/domain.h>
#include <xen/event_channel.h>

struct evtchn_fifo_look {
	bool pending, masked, linked;
};

static inline bool evtchn_has_fifo(const struct domain *d)
{
	return __atomic_load_n(&d->evtchn.fifo, __ATOMIC_ACQUIRE) != NULL;
}

/*
 * Of D, which evtchn_has_fifo(). False, with nothing done: it went back to two levels. Any context. V is whom PORT notifies; pollers are the caller's
 * affair.
 */
bool evtchn_fifo_raise(struct domain *d, u32 port, struct vcpu *v, bool *was_pending) __must_check;
bool evtchn_fifo_unmask(struct domain *d, u32 port, struct vcpu *v) __must_check;
bool evtchn_fifo_look(const struct domain *d, u32 port, struct evtchn_fifo_look *look) __must_check;
/* PORT gets, or loses, a binding: not pending, of the usual priority. */
void evtchn_fifo_clear(struct domain *d, u32 port);

bool evtchn_fifo_active(const struct domain *d);

/* The domain's event lock is held. PG and what is mapped of it are passed on if that succeeds. Errors as the ABI has them. */
int evtchn_fifo_init_control(struct domain *d, u32 vcpu, struct page *pg,
			     struct evtchn_fifo_control_block *control) __must_check;
int evtchn_fifo_expand(struct domain *d, struct page *pg, event_word_t *words) __must_check;
int evtchn_fifo_set_priority(struct domain *d, u32 port, u32 priority) __must_check;
/* Back to two levels: all ports are closed. */
void evtchn_fifo_release(struct domain *d);

void evtchn_fifo_free(struct domain *d);
/* As domain_for_each_hold(). */
void evtchn_fifo_for_each_hold(struct domain *d,
			       void (*fn)(struct page *pg, bool writable, void *arg), void *arg);

#endif
