// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The console ring of a domain that has no control domain: the hypervisor is its other end
 * (public/io/console.h, ABI page 6.3). Output is printed as soon as the guest sends an event,
 * yields or ends; typed bytes wait in the domain's input buffer until the ring has room.
 *
 * The page is the guest's and may change under our eyes: indices are read once and checked, bytes
 * are copied before they are looked at. struct console_ring has a lock (LOCK_GUEST_RING), so that
 * one CPU moves bytes at a time. The page stays mapped until the domain ends.
 */
#include <tine/arch.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include "internal.h"
#include <xen/io/console.h>

struct console_ring {
	struct spinlock lock;
	struct xencons_interface *shared; /* NULL: the domain is ending */
	struct page *page;
	unsigned long frame; /* what the guest calls it */
	u32 port;
};

#define IN_SIZE sizeof(((struct xencons_interface *)0)->in)
#define OUT_SIZE sizeof(((struct xencons_interface *)0)->out)

/*
 * Prints all that was there at the beginning; the ring's lock is held. True: there was something.
 */
static bool drain(struct domain *d, struct xencons_interface *shared)
{
	u32 prod = __atomic_load_n(&shared->out_prod, __ATOMIC_ACQUIRE);
	u32 cons = READ_ONCE(shared->out_cons);
	char chunk[128];

	if (prod == cons)
		return false;
	if (prod - cons >
	    OUT_SIZE) /* no ring can hold that much: what it is worth is the guest's affair */
		cons = prod;
	while (cons != prod) {
		u32 n = min(prod - cons, (u32)sizeof(chunk));

		for (u32 i = 0; i < n; i++)
			chunk[i] = READ_ONCE(shared->out[(cons + i) % OUT_SIZE]);
		console_guest_write(d, chunk, n);
		cons += n;
	}
	__atomic_store_n(&shared->out_cons, cons, __ATOMIC_RELEASE);
	return true;
}

/* A guest that bound VIRQ_CONSOLE reads by console_io, whatever ring it has. */
static bool reads_ring(const struct domain *d)
{
	return !READ_ONCE(d->vcpus[0]->virq_port[VIRQ_CONSOLE]);
}

/* Typed bytes into the ring, as many as it has room for. True: there were some. */
static bool fill(struct domain *d, struct xencons_interface *shared)
{
	u32 prod = READ_ONCE(shared->in_prod);
	u32 held = prod - __atomic_load_n(&shared->in_cons, __ATOMIC_ACQUIRE);
	char byte;
	bool any = false;

	for (; reads_ring(d) && held < IN_SIZE && console_guest_read(d, &byte, 1); held++, prod++) {
		WRITE_ONCE(shared->in[prod % IN_SIZE], byte);
		any = true;
	}
	if (any)
		__atomic_store_n(&shared->in_prod, prod, __ATOMIC_RELEASE);
	return any;
}

static void move_bytes(struct domain *d, bool out)
{
	struct console_ring *ring = d->console_ring;
	bool moved = false;

	if (!ring)
		return;
	spin_lock(&ring->lock);
	if (ring->shared) {
		if (out)
			moved = drain(d, ring->shared);
		moved |= fill(d, ring->shared);
	}
	if (moved)
		evtchn_service_notify(d, SERVICE_CONSOLE, ring->port);
	spin_unlock(&ring->lock);
}

void console_ring_feed(struct domain *d)
{
	move_bytes(d, false);
}

/* Looks before it locks: guests yield often and have mostly nothing to say. */
void console_ring_poll(struct domain *d)
{
	const struct console_ring *ring = d->console_ring;
	const struct xencons_interface *shared = ring ? READ_ONCE(ring->shared) : NULL;

	if (shared && READ_ONCE(shared->out_prod) != READ_ONCE(shared->out_cons))
		move_bytes(d, true);
}

static int guest_event(struct domain *d)
{
	move_bytes(d, true);
	return 0;
}

void console_ring_init(void)
{
	evtchn_service_register(SERVICE_CONSOLE, guest_event);
}

int console_ring_connect(struct domain *d, unsigned long frame, u32 *port)
{
	struct console_ring *ring = kzalloc(sizeof(*ring));
	void *shared;
	int ret;

	if (!ring)
		return -ENOMEM;
	spin_lock_init(&ring->lock, LOCK_GUEST_RING);
	ret = evtchn_bind_service(d, SERVICE_CONSOLE, &ring->port);
	if (!ret)
		ret = arch_map_guest_frame(d, frame, &ring->page, &shared);
	if (ret) {
		kfree(ring);
		return ret;
	}
	ring->shared = shared;
	ring->frame = frame;
	*port = ring->port;
	__atomic_store_n(&d->console_ring, ring, __ATOMIC_RELEASE);
	return 0;
}

void console_ring_disconnect(struct domain *d)
{
	struct console_ring *ring = d->console_ring;
	void *shared;

	if (!ring)
		return;
	spin_lock(&ring->lock);
	shared = ring->shared;
	ring->shared = NULL;
	spin_unlock(&ring->lock);
	if (shared)
		arch_unmap_guest_frame(ring->page, shared);
}

void console_ring_free(struct domain *d)
{
	kfree(d->console_ring);
}

struct page *console_ring_page(const struct domain *d)
{
	return d->console_ring && d->console_ring->shared ? d->console_ring->page : NULL;
}

/* ---- Forks; both domains are stopped. See fork_pages.c ---- */

int console_ring_fork(struct domain *child, const struct domain *parent)
{
	const struct console_ring *theirs = parent->console_ring;
	struct console_ring *ring;
	void *shared;
	int ret;

	if (!theirs)
		return 0;
	ring = kzalloc(sizeof(*ring));
	if (!ring)
		return -ENOMEM;
	spin_lock_init(&ring->lock, LOCK_GUEST_RING);
	ring->port = theirs->port;
	ring->frame = theirs->frame;
	ret = fork_hold_page(child, ring->frame, &ring->page, &shared);
	if (ret) {
		kfree(ring);
		return ret;
	}
	ring->shared = shared;
	__atomic_store_n(&child->console_ring, ring, __ATOMIC_RELEASE);
	return 0;
}

/* Whoever moves bytes meanwhile waits, and finds the indices of the fork. */
void console_ring_reset(struct domain *d)
{
	struct console_ring *ring = d->console_ring;

	if (!ring)
		return;
	spin_lock(&ring->lock);
	if (ring->shared)
		fork_restore_page(d, ring->frame, ring->shared);
	spin_unlock(&ring->lock);
}

bool console_ring_frame(const struct domain *d, unsigned long *frame, const void **there)
{
	const struct console_ring *ring = d->console_ring;

	if (!ring || !ring->shared)
		return false;
	*frame = ring->frame;
	*there = ring->shared;
	return true;
}
