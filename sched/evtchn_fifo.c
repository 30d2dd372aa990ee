// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The other ABI of event channels, FIFO (public/event_channel.h), for PV domains that ask for it: what says that a port is pending is a word in an array of the
 * guest's pages, and what waits hangs in queues, one for each priority of each vCPU, linked through those words. Heads, and which queues are not
 * empty, are in a control block of the guest's for each vCPU. The guest takes ports off at the front; here they are put on at the end.
 *
 * Bindings, numbers and limits are those of evtchn.c. A word's LINKED bit says that it is in a queue: set here, cleared by the guest as it takes
 * it off. `tail` is the port put on last, as long as it can be anybody's successor: it may have been taken off since, which its word says.
 * What a guest writes there at the wrong time loses its own events.
 *
 * The lock (LOCK_EVENT_QUEUE) covers everything here, and every look at the guest's pages, so that a reset may give them up. Ports that
 * have no word yet are remembered. The structure stays until the domain is gone. Domains that can be forked have two levels only.
 */
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include "evtchn_fifo.h"
#include "internal.h"

#define WORDS_PER_PAGE (PAGE_SIZE / sizeof(event_word_t))
#define ARRAY_PAGES (EVTCHN_PORTS / WORDS_PER_PAGE)
#define PENDING (1U << EVTCHN_FIFO_PENDING)
#define MASKED (1U << EVTCHN_FIFO_MASKED)
#define LINKED (1U << EVTCHN_FIFO_LINKED)
#define LINK_TRIES 64 /* a guest changes other bits of a word now and then, not all the time */

struct fifo_port {
	u8 priority;
	u8 last_vcpu, last_priority; /* the queue it was put on last */
	bool remembered;             /* pending, and there is no word yet */
};

struct fifo_vcpu {
	struct evtchn_fifo_control_block *control; /* NULL: none yet */
	struct page *page;
	u32 tail[EVTCHN_FIFO_MAX_QUEUES];
};

struct evtchn_fifo {
	struct spinlock lock;
	bool active;
	unsigned int nr_pages;
	event_word_t *words[ARRAY_PAGES];
	struct page *pages[ARRAY_PAGES];
	struct fifo_vcpu vcpus[MAX_VCPUS];
	struct fifo_port ports[EVTCHN_PORTS];
};

/* ---- Words and queues; the lock is held ---- */

/* NULL: there is none yet. */
static event_word_t *word_of(const struct evtchn_fifo *f, u32 port)
{
	unsigned int page = port / WORDS_PER_PAGE;

	return page < f->nr_pages ? &f->words[page][port % WORDS_PER_PAGE] : NULL;
}

static event_word_t set_bits(event_word_t *word, event_word_t bits)
{
	return __atomic_fetch_or(word, bits, __ATOMIC_SEQ_CST);
}

static event_word_t clear_bits(event_word_t *word, event_word_t bits)
{
	return __atomic_fetch_and(word, ~bits, __ATOMIC_SEQ_CST);
}

/* PORT comes after TAIL, if that is still in the queue. */
static bool link_behind(const struct evtchn_fifo *f, u32 tail, u32 port)
{
	event_word_t *word = tail ? word_of(f, tail) : NULL;
	event_word_t was = word ? READ_ONCE(*word) : 0;

	for (unsigned int i = 0; i < LINK_TRIES && (was & LINKED); i++) {
		event_word_t now = (was & ~(event_word_t)EVTCHN_FIFO_LINK_MASK) | port;

		if (__atomic_compare_exchange_n(word, &was, now, false, __ATOMIC_SEQ_CST,
						__ATOMIC_SEQ_CST))
			return true;
	}
	return false;
}

/* Puts PORT, pending and not masked, on V's queue of its priority if it is on none. True: V is to be told. */
static bool put_on(struct evtchn_fifo *f, u32 port, event_word_t *word, const struct vcpu *v)
{
	struct fifo_port *p = &f->ports[port];
	struct fifo_vcpu *q = &f->vcpus[v->id];
	u32 *old_tail = &f->vcpus[p->last_vcpu].tail[p->last_priority];
	u32 *tail = &q->tail[p->priority], bit = 1U << p->priority;

	if (!q->control || (READ_ONCE(*word) & (PENDING | MASKED)) != PENDING)
		return false;
	if (set_bits(word, LINKED) & LINKED)
		return false;
	/* It was taken off its last queue, so nothing can come after it there. */
	if (*old_tail == port)
		*old_tail = 0;
	p->last_vcpu = (u8)v->id;
	p->last_priority = p->priority;
	if (link_behind(f, *tail, port)) {
		*tail = port;
		return false;
	}
	*tail = port;
	__atomic_store_n(&q->control->head[p->priority], port, __ATOMIC_SEQ_CST);
	return !(__atomic_fetch_or(&q->control->ready, bit, __ATOMIC_SEQ_CST) & bit);
}

/* ---- Sending ---- */

static void tell(struct vcpu *v)
{
	vcpu_info_t *info = __atomic_load_n(&v->info, __ATOMIC_ACQUIRE);

	if (!__atomic_exchange_n(&info->evtchn_upcall_pending, 1, __ATOMIC_SEQ_CST))
		vcpu_notify(v);
}

bool evtchn_fifo_raise(struct domain *d, u32 port, struct vcpu *v, bool *was_pending)
{
	struct evtchn_fifo *f = d->evtchn.fifo;
	unsigned long flags = spin_lock_irqsave(&f->lock);
	event_word_t *word = word_of(f, port);
	bool active = f->active, told = false;

	if (active && word) {
		*was_pending = set_bits(word, PENDING) & PENDING;
		told = put_on(f, port, word, v);
	} else if (active) {
		*was_pending = f->ports[port].remembered;
		f->ports[port].remembered = true;
	}
	spin_unlock_irqrestore(&f->lock, flags);
	if (told)
		tell(v);
	return active;
}

bool evtchn_fifo_unmask(struct domain *d, u32 port, struct vcpu *v)
{
	struct evtchn_fifo *f = d->evtchn.fifo;
	unsigned long flags = spin_lock_irqsave(&f->lock);
	event_word_t *word = word_of(f, port);
	bool active = f->active, told = false;

	if (active && word) {
		(void)clear_bits(word, MASKED);
		told = put_on(f, port, word, v);
	}
	spin_unlock_irqrestore(&f->lock, flags);
	if (told)
		tell(v);
	return active;
}

bool evtchn_fifo_look(const struct domain *d, u32 port, struct evtchn_fifo_look *look)
{
	struct evtchn_fifo *f = d->evtchn.fifo;
	unsigned long flags = spin_lock_irqsave(&f->lock);
	event_word_t *word = word_of(f, port);
	event_word_t is = word ? READ_ONCE(*word) : 0;
	bool active = f->active;

	*look = (struct evtchn_fifo_look){
		.pending = is & PENDING || f->ports[port].remembered,
		.masked = is & MASKED,
		.linked = is & LINKED,
	};
	spin_unlock_irqrestore(&f->lock, flags);
	return active;
}

/* A word that is in a queue stays there; the guest finds nothing pending when it comes to it. */
void evtchn_fifo_clear(struct domain *d, u32 port)
{
	struct evtchn_fifo *f = d->evtchn.fifo;
	unsigned long flags = spin_lock_irqsave(&f->lock);
	event_word_t *word = word_of(f, port);

	if (word)
		(void)clear_bits(word, PENDING);
	f->ports[port].remembered = false;
	f->ports[port].priority = EVTCHN_FIFO_PRIORITY_DEFAULT;
	spin_unlock_irqrestore(&f->lock, flags);
}

/* ---- What the guest sets up; the domain's event lock is held, so there is one of these at a time ---- */

static struct evtchn_fifo *get_fifo(struct domain *d)
{
	struct evtchn_fifo *f = d->evtchn.fifo;

	if (f)
		return f;
	f = kzalloc(sizeof(*f));
	if (!f)
		return NULL;
	spin_lock_init(&f->lock, LOCK_EVENT_QUEUE);
	__atomic_store_n(&d->evtchn.fifo, f, __ATOMIC_RELEASE);
	return f;
}

/* From two levels: what is pending is not forgotten. */
static void take_over(struct domain *d, struct evtchn_fifo *f)
{
	unsigned long flags = spin_lock_irqsave(&f->lock);

	for (u32 port = 0; port < EVTCHN_PORTS; port++)
		f->ports[port] = (struct fifo_port){
			.priority = EVTCHN_FIFO_PRIORITY_DEFAULT,
			.remembered =
				READ_ONCE(d->shared_info->evtchn_pending[port / 64]) >> port % 64 &
				1,
		};
	f->active = true;
	spin_unlock_irqrestore(&f->lock, flags);
}

int evtchn_fifo_init_control(struct domain *d, u32 vcpu, struct page *pg,
			     struct evtchn_fifo_control_block *control)
{
	struct evtchn_fifo *f = get_fifo(d);
	unsigned long flags;

	if (!f)
		return -ENOMEM;
	if (f->vcpus[vcpu].control)
		return -EINVAL;
	if (!f->active)
		take_over(d, f);
	flags = spin_lock_irqsave(&f->lock);
	f->vcpus[vcpu].page = pg;
	f->vcpus[vcpu].control = control;
	spin_unlock_irqrestore(&f->lock, flags);
	return 0;
}

/* Ports of the new page that became pending meanwhile. */
static void catch_up(struct domain *d, struct evtchn_fifo *f, u32 first)
{
	for (u32 port = first; port < EVTCHN_PORTS && port < first + WORDS_PER_PAGE; port++) {
		const struct evtchn *slot = evtchn_slot(d, port);

		if (!READ_ONCE(f->ports[port].remembered))
			continue;
		f->ports[port].remembered = false;
		if (slot)
			evtchn_raise(d, port, d->vcpus[evtchn_read(slot).vcpu]);
	}
}

int evtchn_fifo_expand(struct domain *d, struct page *pg, event_word_t *words)
{
	struct evtchn_fifo *f = d->evtchn.fifo;
	unsigned long flags;
	unsigned int n;

	if (!f || !f->active)
		return -EOPNOTSUPP;
	n = f->nr_pages;
	if (n == ARRAY_PAGES)
		return -ENOSPC;
	flags = spin_lock_irqsave(&f->lock);
	f->pages[n] = pg;
	f->words[n] = words;
	f->nr_pages = n + 1;
	spin_unlock_irqrestore(&f->lock, flags);
	catch_up(d, f, n * WORDS_PER_PAGE);
	return 0;
}

int evtchn_fifo_set_priority(struct domain *d, u32 port, u32 priority)
{
	struct evtchn_fifo *f = d->evtchn.fifo;
	unsigned long flags;

	if (!f || !f->active)
		return -ENOSYS;
	if (priority > EVTCHN_FIFO_PRIORITY_MIN)
		return -EINVAL;
	flags = spin_lock_irqsave(&f->lock);
	f->ports[port].priority = (u8)priority;
	spin_unlock_irqrestore(&f->lock, flags);
	return 0;
}

bool evtchn_fifo_active(const struct domain *d)
{
	const struct evtchn_fifo *f = __atomic_load_n(&d->evtchn.fifo, __ATOMIC_ACQUIRE);

	return f && READ_ONCE(f->active);
}

/* ---- Its end ---- */

void evtchn_fifo_release(struct domain *d)
{
	struct evtchn_fifo *f = d->evtchn.fifo;
	unsigned long flags;

	if (!f)
		return;
	flags = spin_lock_irqsave(&f->lock);
	f->active = false;
	f->nr_pages = 0;
	spin_unlock_irqrestore(&f->lock, flags);
	/* Nobody looks at them any more. */
	for (unsigned int i = 0; i < ARRAY_PAGES; i++) {
		if (f->pages[i])
			arch_unmap_guest_frame(f->pages[i], f->words[i]);
		f->pages[i] = NULL;
	}
	for (unsigned int i = 0; i < MAX_VCPUS; i++) {
		if (f->vcpus[i].page)
			arch_unmap_guest_frame(f->vcpus[i].page, f->vcpus[i].control);
		f->vcpus[i] = (struct fifo_vcpu){ .control = NULL };
	}
}

void evtchn_fifo_free(struct domain *d)
{
	kfree(d->evtchn.fifo);
}

void evtchn_fifo_for_each_hold(struct domain *d,
			       void (*fn)(struct page *pg, bool writable, void *arg), void *arg)
{
	const struct evtchn_fifo *f = d->evtchn.fifo;

	for (unsigned int i = 0; f && i < ARRAY_PAGES; i++) {
		if (f->pages[i])
			fn(f->pages[i], true, arg);
	}
	for (unsigned int i = 0; f && i < MAX_VCPUS; i++) {
		if (f->vcpus[i].page)
			fn(f->vcpus[i].page, true, arg);
	}
}
