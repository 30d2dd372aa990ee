// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * FIFO event channels (public/event_channel.h), played through by hand with events masked: the guest's side of the queues is here, without a handler. Last
 * of all tests, as two levels stop working for the library; a reset at the end goes back to them.
 */
#include "tiny_case.h"

#define WORDS (PAGE_SIZE / sizeof(event_word_t))
#define PENDING (1U << EVTCHN_FIFO_PENDING)
#define MASKED (1U << EVTCHN_FIFO_MASKED)
#define LINKED (1U << EVTCHN_FIFO_LINKED)
#define OFFSET 128
#define USUAL EVTCHN_FIFO_PRIORITY_DEFAULT

static volatile event_word_t *words;
static volatile struct evtchn_fifo_control_block *control;
static void *second_page;

static long init_control(uint64_t frame, uint32_t offset, uint32_t vcpu, unsigned int *bits)
{
	evtchn_init_control_t op = { .control_gfn = frame, .offset = offset, .vcpu = vcpu };
	long rc = hv_event_channel_op(EVTCHNOP_init_control, &op);

	*bits = op.link_bits;
	return rc;
}

static long expand(const void *page)
{
	evtchn_expand_array_t op = { .array_gfn = virt_to_mfn(page).n };

	return hv_event_channel_op(EVTCHNOP_expand_array, &op);
}

static long set_priority(unsigned int port, unsigned int priority)
{
	evtchn_set_priority_t op = { .port = port, .priority = priority };

	return hv_event_channel_op(EVTCHNOP_set_priority, &op);
}

static long one_port(unsigned int command, unsigned int port)
{
	return hv_event_channel_op((int)command, &port);
}

static unsigned int ipi(void)
{
	evtchn_bind_ipi_t bind = { .vcpu = 0 };

	return hv_event_channel_op(EVTCHNOP_bind_ipi, &bind) ? 0 : bind.port;
}

static long send(unsigned int port)
{
	return one_port(EVTCHNOP_send, port);
}

static unsigned int link_of(unsigned int port)
{
	return words[port] & EVTCHN_FIFO_LINK_MASK;
}

/* Takes PORT, the front of its queue, off it and answers the next one. */
static unsigned int take_off(unsigned int port)
{
	unsigned int next = link_of(port);

	words[port] &= ~(PENDING | LINKED | EVTCHN_FIFO_LINK_MASK);
	return next;
}

/* Whether an upcall was asked for since the last look. */
static bool told(void)
{
	bool is = tiny_vcpu->evtchn_upcall_pending;

	tiny_vcpu->evtchn_upcall_pending = 0;
	return is;
}

/* What was pending in two levels, as the store's port in some domains, has been put on. */
static void drain(void)
{
	for (unsigned int priority = 0; priority < EVTCHN_FIFO_MAX_QUEUES; priority++) {
		unsigned int port = control->ready & 1U << priority ? control->head[priority] : 0;

		while (port)
			port = take_off(port);
	}
	control->ready = 0;
	(void)told();
}

TINY_TEST(fifo_start, "fifo.start", "a control block for each vCPU, then pages of words, each once")
{
	char *page = page_alloc();
	uint64_t frame = virt_to_mfn(page).n;
	unsigned int bits;

	events_off();
	EXPECT_EQ(init_control(frame, PAGE_SIZE - 8, 0, &bits), -XEN_EINVAL);
	EXPECT_EQ(init_control(frame, 4, 0, &bits), -XEN_EINVAL);
	EXPECT_EQ(init_control(frame, 0, 5000, &bits), -XEN_ENOENT);
	EXPECT_EQ(init_control(1UL << 40, 0, 0, &bits), -XEN_EINVAL);
	EXPECT_EQ(init_control(virt_to_mfn((void *)tiny_start_info->pt_base).n, 0, 0, &bits),
		  -XEN_EINVAL);
	REQUIRE_EQ(init_control(frame, OFFSET, 0, &bits), 0);
	EXPECT_EQ(bits, EVTCHN_FIFO_LINK_BITS);
	EXPECT_EQ(init_control(frame, OFFSET, 0, &bits), -XEN_EINVAL);
	control = (void *)(page + OFFSET);
	words = page_alloc();
	REQUIRE_EQ(expand((void *)words), 0);
	drain();
}

TINY_TEST(fifo_queue, "fifo.queue", "what is pending hangs in the order in which it came")
{
	unsigned int a = ipi(), b = ipi(), c = ipi();

	REQUIRE(words && a && b && c);
	(void)told();
	EXPECT_EQ(send(a), 0);
	EXPECT_EQ(words[a], PENDING | LINKED);
	EXPECT_EQ(control->ready, 1U << USUAL);
	EXPECT_EQ(control->head[USUAL], a);
	EXPECT(told());
	EXPECT_EQ(send(b), 0);
	EXPECT_EQ(send(b), 0);
	EXPECT_EQ(send(c), 0);
	EXPECT(!told()); /* the queue is known not to be empty */
	EXPECT_EQ(link_of(a), b);
	EXPECT_EQ(link_of(b), c);
	EXPECT_EQ(words[c], PENDING | LINKED);
	control->ready = 0;
	EXPECT_EQ(take_off(a), b);
	EXPECT_EQ(send(a), 0); /* behind the others, which are still there */
	EXPECT_EQ(link_of(c), a);
	EXPECT_EQ(take_off(b), c);
	EXPECT_EQ(take_off(c), a);
	EXPECT_EQ(take_off(a), 0);
	EXPECT_EQ(send(a), 0); /* its own predecessor */
	EXPECT_EQ(words[a], PENDING | LINKED);
	EXPECT_EQ(control->head[USUAL], a);
	EXPECT(told());
	EXPECT_EQ(take_off(a), 0);
	control->ready = 0;
	EXPECT_EQ(one_port(EVTCHNOP_close, a), 0);
	EXPECT_EQ(one_port(EVTCHNOP_close, b), 0);
	EXPECT_EQ(one_port(EVTCHNOP_close, c), 0);
}

TINY_TEST(fifo_masked, "fifo.masked",
	  "a masked port becomes pending, and queues when it is unmasked")
{
	unsigned int port = ipi();

	REQUIRE(words && port);
	words[port] |= MASKED;
	(void)told();
	EXPECT_EQ(send(port), 0);
	EXPECT_EQ(words[port], PENDING | MASKED);
	EXPECT(!told());
	EXPECT_EQ(one_port(EVTCHNOP_unmask, port), 0);
	EXPECT_EQ(words[port], PENDING | LINKED);
	EXPECT_EQ(control->head[USUAL], port);
	EXPECT(told());
	EXPECT_EQ(one_port(EVTCHNOP_unmask, port), 0);
	EXPECT(!told());
	take_off(port);
	control->ready = 0;
	EXPECT_EQ(one_port(EVTCHNOP_unmask, port), 0);
	EXPECT_EQ(words[port], 0);
	EXPECT_EQ(one_port(EVTCHNOP_close, port), 0);
}

TINY_TEST(fifo_priority, "fifo.priority",
	  "each priority has its queue, and a port changes with the next event")
{
	unsigned int a = ipi(), b = ipi();

	REQUIRE(words && a && b);
	EXPECT_EQ(set_priority(a, 16), -XEN_EINVAL);
	EXPECT_EQ(set_priority(4000, 3), -XEN_EINVAL);
	EXPECT_EQ(send(a), 0);
	EXPECT_EQ(set_priority(a, 3), 0);
	EXPECT_EQ(control->ready, 1U << USUAL); /* where it hangs it stays */
	take_off(a);
	control->ready = 0;
	EXPECT_EQ(send(a), 0);
	EXPECT_EQ(send(b), 0); /* not behind a, which was the last there */
	EXPECT_EQ(control->ready, 1U << USUAL | 1U << 3);
	EXPECT_EQ(control->head[3], a);
	EXPECT_EQ(control->head[USUAL], b);
	EXPECT_EQ(link_of(a), 0);
	take_off(a);
	take_off(b);
	control->ready = 0;
	(void)told();
	EXPECT_EQ(one_port(EVTCHNOP_close, a), 0);
	EXPECT_EQ(one_port(EVTCHNOP_close, b), 0);
}

TINY_TEST(fifo_closed, "fifo.closed",
	  "a closed port in a queue is not pending, and not given out while it hangs there")
{
	unsigned int port = ipi(), next;

	REQUIRE(words && port);
	EXPECT_EQ(send(port), 0);
	EXPECT_EQ(one_port(EVTCHNOP_close, port), 0);
	EXPECT_EQ(words[port], LINKED);
	next = ipi();
	EXPECT(next != port);
	take_off(port);
	control->ready = 0;
	EXPECT_EQ(one_port(EVTCHNOP_close, next), 0);
	next = ipi();
	EXPECT_EQ(next, port);
	EXPECT_EQ(one_port(EVTCHNOP_close, next), 0);
}

TINY_TEST(fifo_poll, "fifo.poll", "who polls finds a pending port, masked or not")
{
	evtchn_port_t port = ipi();
	struct sched_poll op = { .nr_ports = 1, .timeout = time_now() + 2000000000 };

	REQUIRE(words && port);
	set_xen_guest_handle(op.ports, &port);
	words[port] |= MASKED;
	EXPECT_EQ(send(port), 0);
	EXPECT_EQ(hypercall2(__HYPERVISOR_sched_op, SCHEDOP_poll, (uint64_t)&op), 0);
	EXPECT(time_now() < op.timeout);
	words[port] &= ~PENDING;
	op.timeout = time_now() + 1000000;
	EXPECT_EQ(hypercall2(__HYPERVISOR_sched_op, SCHEDOP_poll, (uint64_t)&op), 0);
	EXPECT(time_now() >= op.timeout);
	EXPECT_EQ(one_port(EVTCHNOP_close, port), 0);
}

/* Ports beyond the first page of words are remembered until there is one for them. */
TINY_TEST(fifo_expand, "fifo.expand",
	  "a port that became pending before it had a word is found when it gets one")
{
	evtchn_alloc_unbound_t alloc = { .dom = DOMID_SELF, .remote_dom = DOMID_SELF };
	unsigned int port = 0;

	REQUIRE(words);
	while (alloc.port < WORDS && !hv_event_channel_op(EVTCHNOP_alloc_unbound, &alloc))
		;
	REQUIRE_EQ(alloc.port, WORDS);
	port = ipi();
	REQUIRE_EQ(port, WORDS + 1);
	(void)told();
	EXPECT_EQ(send(port), 0);
	EXPECT(!told());
	second_page = page_alloc();
	REQUIRE_EQ(expand(second_page), 0);
	EXPECT_EQ(((volatile event_word_t *)second_page)[1], PENDING | LINKED);
	EXPECT_EQ(control->head[USUAL], port);
	EXPECT(told());
	control->ready = 0;
}

TINY_TEST(fifo_reset, "fifo.reset", "a reset goes back to two levels, and gives the pages back")
{
	evtchn_reset_t reset = { .dom = DOMID_SELF };
	unsigned int port;

	REQUIRE(words);
	EXPECT_EQ(page_set_readonly((void *)words), 0);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_reset, &reset), 0);
	EXPECT_EQ(expand((void *)words), -XEN_EOPNOTSUPP);
	port = ipi();
	REQUIRE(port);
	EXPECT_EQ(send(port), 0);
	EXPECT(tiny_shared->evtchn_pending[port / 64] & 1UL << port % 64);
	EXPECT_EQ(page_set_writable((void *)words), 0);
}
