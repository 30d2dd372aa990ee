// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The console ring and the xenstore ring of a domain that is not the initial one (abi pages 6.3 and
 * 6.4). The initial domain has neither. The last tests put nonsense into the rings, after which the
 * store is of no use any more.
 */
#include "tiny_case.h"
#include "tiny_store.h"

#include <xen/io/console.h>

#define SKIP_INITIAL() SKIP_IF(guest_is_initial(), "the initial domain has no rings")

static volatile struct xencons_interface *console(void)
{
	return tiny_rings.console;
}

static long console_event(void)
{
	evtchn_send_t send = { .port = tiny_rings.console_port };

	return hv_event_channel_op(EVTCHNOP_send, &send);
}

/* As much as fits; the rest is the caller's affair. */
static size_t console_put(const char *text, size_t n)
{
	volatile struct xencons_interface *ring = console();
	uint32_t prod = ring->out_prod;
	size_t i;

	for (i = 0; i < n && prod - ring->out_cons < sizeof(ring->out); i++)
		ring->out[prod++ % sizeof(ring->out)] = text[i];
	__atomic_store_n(&ring->out_prod, prod, __ATOMIC_RELEASE);
	return i;
}

TINY_TEST(rings_start, "rings.start", "both rings must be there, with a channel each")
{
	evtchn_status_t status = { .dom = DOMID_SELF };

	SKIP_INITIAL();
	REQUIRE(tiny_rings.console && tiny_rings.store);
	status.port = tiny_rings.console_port;
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_status, &status), 0);
	EXPECT_EQ(status.status, EVTCHNSTAT_interdomain);
	status.port = tiny_rings.store_port;
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_status, &status), 0);
	EXPECT_EQ(status.status, EVTCHNSTAT_interdomain);
}

TINY_TEST(rings_console, "rings.console",
	  "what a kernel prints through the ring must come out once it sends the event")
{
	static const char text[] = "# rings: this line came through the ring\n";
	unsigned int port = tiny_rings.console_port;

	SKIP_INITIAL();
	event_clear_port(port);
	EXPECT_EQ(console_put(text, sizeof(text) - 1), sizeof(text) - 1);
	EXPECT_EQ(console_event(), 0);
	EXPECT_EQ(console()->out_cons, console()->out_prod);
	EXPECT(event_port_pending(port));
}

TINY_TEST(rings_console_full, "rings.console-full",
	  "a kernel that finds the ring full yields until there is room, without another event")
{
	volatile struct xencons_interface *ring = console();
	char line[64];
	unsigned int i;

	SKIP_INITIAL();
	memset(line, '#', sizeof(line));
	line[63] = '\n';
	for (i = 0; i < sizeof(ring->out) / sizeof(line); i++)
		EXPECT_EQ(console_put(line, sizeof(line)), sizeof(line));
	EXPECT_EQ(console_put(line, 1), 0);
	EXPECT_EQ(hv_sched_op(SCHEDOP_yield, NULL), 0);
	EXPECT_EQ(ring->out_cons, ring->out_prod);
}

TINY_TEST(rings_store_read, "rings.store-read",
	  "a domain finds its number, its name and its memory in the store")
{
	SKIP_INITIAL();
	REQUIRE(store_call(XS_READ, 0, "domid", NULL));
	EXPECT(store_answer[0] >= '1' && store_answer[0] <= '9');
	REQUIRE(store_call(XS_READ, 0, "name", NULL));
	REQUIRE(store_call(XS_READ, 0, "memory/target", NULL));
	EXPECT_EQ(store_number(), guest_memory() >> 10);
	EXPECT(!store_call(XS_READ, 0, "no/such/node", NULL));
	EXPECT(!strcmp(store_answer, "ENOENT"));
	REQUIRE(store_call(XS_DIRECTORY, 0, "device", NULL));
	EXPECT_EQ(store_answer_size, 0);
	EXPECT(!store_call(XS_WRITE, 0, "/local/domain/0/x", "1"));
	EXPECT(!strcmp(store_answer, "EACCES"));
}

TINY_TEST(rings_store_watch, "rings.store-watch",
	  "a watch is told at once, and of each change; the channel says that something came")
{
	unsigned int port = tiny_rings.store_port;

	SKIP_INITIAL();
	REQUIRE(store_call(XS_WATCH, 0, "data/x", "token"));
	REQUIRE(store_next_event());
	EXPECT(!strcmp(store_answer, "data/x"));
	EXPECT(!strcmp(store_answer + 7, "token"));
	EXPECT(!store_next_event());
	event_clear_port(port);
	REQUIRE(store_call(XS_WRITE, 0, "data/x", "value"));
	EXPECT(event_port_pending(port));
	EXPECT(store_next_event());
	REQUIRE(store_call(XS_READ, 0, "data/x", NULL));
	EXPECT(!strcmp(store_answer, "value"));
	EXPECT(store_call(XS_UNWATCH, 0, "data/x", "token"));
	EXPECT(store_call(XS_RM, 0, "data", NULL));
	EXPECT(!store_next_event());
}

TINY_TEST(rings_store_transaction, "rings.store-transaction",
	  "what is done in a transaction is seen by nobody before its end")
{
	uint32_t id;

	SKIP_INITIAL();
	REQUIRE(store_call(XS_TRANSACTION_START, 0, "", NULL));
	id = (uint32_t)store_number();
	REQUIRE(store_call(XS_WRITE, id, "data/y", "1"));
	EXPECT(!store_call(XS_READ, 0, "data/y", NULL));
	EXPECT(store_call(XS_TRANSACTION_END, id, "T", NULL));
	EXPECT(store_call(XS_READ, 0, "data/y", NULL));
	EXPECT(!store_call(XS_TRANSACTION_END, id, "T", NULL));
}

TINY_TEST(rings_store_long, "rings.store-long",
	  "messages longer than the ring go through it in pieces, both ways")
{
	static char value[3001];
	unsigned int i;

	SKIP_INITIAL();
	for (i = 0; i < sizeof(value) - 1; i++)
		value[i] = 'a' + i % 26;
	REQUIRE(store_call(XS_WRITE, 0, "data/long", value));
	REQUIRE(store_call(XS_READ, 0, "data/long", NULL));
	EXPECT_EQ(store_answer_size, sizeof(value) - 1);
	EXPECT(!memcmp(store_answer, value, sizeof(value) - 1));
	EXPECT(store_call(XS_RM, 0, "data", NULL));
}

TINY_TEST(rings_bad_indices, "rings.bad-indices",
	  "indices that no ring can have must not make the hypervisor read elsewhere")
{
	volatile struct xencons_interface *ring = console();

	SKIP_INITIAL();
	ring->out_prod = ring->out_cons + 0x7fffffff;
	EXPECT_EQ(console_event(), 0);
	EXPECT_EQ(ring->out_cons, ring->out_prod);
	ring->in_prod = ring->in_cons + 5000;
	EXPECT_EQ(console_event(), 0);
	ring->in_prod = ring->in_cons;
}

TINY_TEST(rings_store_broken, "rings.store-broken",
	  "a store whose client breaks the protocol says so and stops")
{
	volatile struct xenstore_domain_interface *ring = store_ring();

	SKIP_INITIAL();
	EXPECT_EQ(ring->error, XENSTORE_ERROR_NONE);
	ring->req_prod = ring->req_cons + 1025;
	EXPECT_EQ(store_event(), 0);
	EXPECT_EQ(ring->error, XENSTORE_ERROR_RINGIDX);
	EXPECT_EQ(store_event(), 0);
}
