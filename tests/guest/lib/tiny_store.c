// SPDX-License-Identifier: GPL-2.0-or-later
/* See tiny_store.h. Owns the guest's side of the ring. */
#include "tiny_store.h"
#include "tiny_guest.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"

#define EVENTS_KEPT 8
#define EVENT_SIZE 256
#define PATIENCE 100000

char store_answer[XENSTORE_PAYLOAD_MAX + 1];
size_t store_answer_size;

static char events[EVENTS_KEPT][EVENT_SIZE];
static unsigned int events_in, events_out;

volatile struct xenstore_domain_interface *store_ring(void)
{
	return tiny_rings.store;
}

long store_event(void)
{
	evtchn_send_t send = { .port = tiny_rings.store_port };

	return hv_event_channel_op(EVTCHNOP_send, &send);
}

/*
 * As Linux does: the other end is told only when it may be waiting, because it had taken all that
 * there was.
 */
static void put(const void *bytes, size_t n)
{
	volatile struct xenstore_domain_interface *ring = store_ring();
	unsigned int patience = PATIENCE;
	const char *from = bytes;

	while (n) {
		uint32_t prod = ring->req_prod,
			 cons = __atomic_load_n(&ring->req_cons, __ATOMIC_ACQUIRE);
		bool waiting = prod == cons;

		for (; n && prod - cons < XENSTORE_RING_SIZE; n--)
			ring->req[prod++ % XENSTORE_RING_SIZE] = *from++;
		__atomic_store_n(&ring->req_prod, prod, __ATOMIC_RELEASE);
		if (waiting)
			store_event();
		if (!patience--)
			tiny_fail("the store takes nothing");
		if (n)
			hv_sched_op(SCHEDOP_yield, NULL);
	}
}

static bool arrived(void)
{
	return store_ring()->rsp_prod != store_ring()->rsp_cons;
}

static void get(void *bytes, size_t n)
{
	volatile struct xenstore_domain_interface *ring = store_ring();
	unsigned int patience = PATIENCE;
	char *to = bytes;

	while (n) {
		uint32_t cons = ring->rsp_cons,
			 prod = __atomic_load_n(&ring->rsp_prod, __ATOMIC_ACQUIRE);
		bool full = prod - cons == XENSTORE_RING_SIZE;

		for (; n && cons != prod; n--)
			*to++ = ring->rsp[cons++ % XENSTORE_RING_SIZE];
		__atomic_store_n(&ring->rsp_cons, cons, __ATOMIC_RELEASE);
		if (full)
			store_event();
		if (!patience--)
			tiny_fail("the store does not answer");
		if (n && !arrived())
			hv_sched_op(SCHEDOP_yield, NULL);
	}
}

/* One message; an event is kept and is not an answer. */
static bool receive(struct xsd_sockmsg *header)
{
	get(header, sizeof(*header));
	if (header->len > XENSTORE_PAYLOAD_MAX)
		tiny_fail("the store answers with %u bytes", header->len);
	get(store_answer, header->len);
	store_answer[header->len] = '\0';
	store_answer_size = header->len;
	if (header->type != XS_WATCH_EVENT)
		return true;
	if (header->len <= EVENT_SIZE && events_in - events_out < EVENTS_KEPT)
		memcpy(events[events_in++ % EVENTS_KEPT], store_answer, header->len);
	return false;
}

bool store_call(uint32_t type, uint32_t transaction, const char *path, const char *second)
{
	static uint32_t number;
	struct xsd_sockmsg header = { .type = type, .req_id = ++number, .tx_id = transaction };
	size_t second_size = second ? strlen(second) + (type != XS_WRITE) : 0;

	header.len = (uint32_t)(strlen(path) + 1 + second_size);
	put(&header, sizeof(header));
	put(path, strlen(path) + 1);
	put(second, second_size);
	while (!receive(&header))
		;
	if (header.req_id != number || (header.type != type && header.type != XS_ERROR))
		tiny_fail("the store answers request %u with %u, number %u", type, header.type,
			  header.req_id);
	return header.type != XS_ERROR;
}

long store_number(void)
{
	const char *c = store_answer;
	long n = 0;

	for (; *c >= '0' && *c <= '9'; c++)
		n = n * 10 + *c - '0';
	return c == store_answer || *c ? -1 : n;
}

bool store_next_event(void)
{
	struct xsd_sockmsg header;

	if (events_in == events_out && arrived() && receive(&header))
		tiny_fail("the store answers what nobody asked");
	if (events_in == events_out)
		return false;
	memcpy(store_answer, events[events_out++ % EVENTS_KEPT], EVENT_SIZE);
	return true;
}
