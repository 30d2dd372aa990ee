// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * FIFO event channels against a guest that takes events off as public/event_channel.h tells it to: at random times, one by one, on each of three vCPUs, while ports
 * are sent on, masked, moved between vCPUs and priorities, closed and bound. Whatever was sent is delivered once, in the end nothing hangs anywhere,
 * and a queue that is not empty was told of. The guest's side by hand is tests/guest/cases/case_fifo.c.
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include <string.h>
#include <tine/errno.h>
#include <xen/event_channel.h>
#include "../../sched/internal.h"
#include "host_machine.h"

#define VCPUS 3
#define PORTS 1200 /* more than a page has words for */
#define STEPS 60000
#define PENDING (1U << EVTCHN_FIFO_PENDING)
#define MASKED (1U << EVTCHN_FIFO_MASKED)
#define LINKED (1U << EVTCHN_FIFO_LINKED)

static struct domain *d;
static event_word_t *words[2];
static struct evtchn_fifo_control_block *control[VCPUS];
static u32 local_head[VCPUS][EVTCHN_FIFO_MAX_QUEUES]; /* as far as the guest got */
static bool sent[PORTS];                              /* and not delivered since */

static void *new_page(unsigned long *frame)
{
	mfn_t mfn;

	assert_int_equal(domain_alloc_pages(d, 0, HEAP_ZERO, &mfn), 0);
	*frame = mfn_x(mfn);
	return mfn_to_virt(mfn);
}

static int start(void **state)
{
	struct domain_config config = {
		.name = "test", .vcpus = VCPUS, .memory = MiB(1), .type = DOMAIN_PVH
	};

	host_sched_start(1);
	d = domain_create(&config);
	assert_non_null(d);
	d->config.type = DOMAIN_PV; /* from now on: it has no ticks */
	domain_unpause(d);
	for (unsigned int i = 1; i < VCPUS; i++)
		vcpu_wake(d->vcpus[i], VCPU_DOWN);
	host_settle();
	memset(local_head, 0, sizeof(local_head));
	memset(sent, 0, sizeof(sent));
	return 0;
}

static int stop(void **state)
{
	host_sched_stop();
	return 0;
}

static void go_over(void)
{
	unsigned long frame;
	u8 *page = new_page(&frame);

	for (u32 i = 0; i < VCPUS; i++) {
		assert_int_equal(evtchn_init_control(d, i, frame, i * 256), 0);
		control[i] = (void *)(page + i * 256UL);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++) {
		words[i] = new_page(&frame);
		assert_int_equal(evtchn_expand_array(d, frame), 0);
	}
}

static event_word_t *word(u32 port)
{
	return &words[port / 1024][port % 1024];
}

static u32 loop(void) /* a port whose other end is one of ours, too: it may move between vCPUs */
{
	u32 one, other;

	assert_int_equal(evtchn_alloc_unbound(d, d->id, &one), 0);
	assert_int_equal(evtchn_bind_interdomain(d, d->id, one, &other), 0);
	sent[other] = true; /* who binds is told, as the other may have sent before */
	return one;
}

/* ---- The guest ---- */

/* Takes the first one off queue PRIORITY of vCPU V; false: there is none. */
static bool take_one(unsigned int v, unsigned int priority)
{
	u32 *head = &local_head[v][priority], port = *head ?: control[v]->head[priority];
	event_word_t was = *word(port);

	assert_true(port && (was & LINKED));
	*word(port) &= ~(LINKED | EVTCHN_FIFO_LINK_MASK);
	*head = was & EVTCHN_FIFO_LINK_MASK;
	if ((was & (PENDING | MASKED)) == PENDING) {
		*word(port) &= ~PENDING;
		assert_true(sent[port]);
		sent[port] = false;
	}
	return *head;
}

/* Up to LIMIT events; those left over are left as ready, as after an interruption. */
static void handle(unsigned int v, unsigned int limit)
{
	vcpu_info_t *info = d->vcpus[v]->info;
	u32 ready;

	assert_true(!control[v]->ready || info->evtchn_upcall_pending);
	info->evtchn_upcall_pending = 0;
	ready = control[v]->ready;
	control[v]->ready = 0;
	while (ready && limit--) {
		unsigned int priority = (unsigned int)__builtin_ctz(ready);

		if (!take_one(v, priority))
			ready &= ~(1U << priority);
		ready |= control[v]->ready;
		control[v]->ready = 0;
	}
	control[v]->ready = ready;
	if (ready)
		info->evtchn_upcall_pending = 1;
}

static void handle_all(void)
{
	for (unsigned int v = 0; v < VCPUS; v++)
		handle(v, ~0U);
}

static void nothing_is_left(void)
{
	for (u32 port = 1; port < PORTS; port++) {
		assert_int_equal(*word(port) & LINKED, 0);
		assert_true((*word(port) & (PENDING | MASKED)) != PENDING);
		assert_true(sent[port] == (bool)(*word(port) & PENDING));
	}
}

/* ---- Tests ---- */

static void send_on(u32 port)
{
	struct evtchn e;

	assert_int_equal(evtchn_lookup(d, port, &e), 0);
	if (e.state != EVTCHN_INTERDOMAIN && e.state != EVTCHN_IPI_FIFO)
		return;
	assert_int_equal(evtchn_send(d, port), 0);
	sent[e.state == EVTCHN_INTERDOMAIN ? e.remote_port : port] = true;
}

static void close_one(u32 port)
{
	if (!evtchn_close(d, port))
		sent[port] = false;
}

static void bind_one(void)
{
	u32 port;

	if (evtchn_bind_ipi(d, (u32)rnd_below(VCPUS), &port))
		return;
	if (port >= PORTS) { /* those below hang in queues still */
		assert_int_equal(evtchn_close(d, port), 0);
		return;
	}
	assert_int_equal(*word(port) & (LINKED | PENDING), 0);
}

static void step(void)
{
	u32 port = 1 + (u32)rnd_below(PORTS - 1);

	switch (rnd_below(12)) {
	case 0:
		*word(port) |= MASKED;
		break;
	case 1:
		(void)!evtchn_unmask(d, port);
		break;
	case 2:
		(void)!evtchn_set_priority(d, port, (u32)rnd_below(17));
		break;
	case 3:
		(void)!evtchn_bind_vcpu(d, port, (u32)rnd_below(VCPUS));
		break;
	case 4:
		if (rnd_below(4) == 0) {
			close_one(port);
			bind_one();
		}
		break;
	case 5:
	case 6:
		handle((unsigned int)rnd_below(VCPUS), 1 + (unsigned int)rnd_below(40));
		break;
	default:
		send_on(port);
		break;
	}
}

static void fill_ports(void)
{
	for (u32 port = 0; port < PORTS - 8;)
		port = loop() + 2;
	for (unsigned int i = 0; i < 4; i++)
		bind_one();
}

static void random_events_are_delivered_once(void **state)
{
	machine_seed();
	go_over();
	fill_ports();
	for (unsigned int i = 0; i < STEPS; i++) {
		step();
		if (i % 1000 == 0) {
			handle_all();
			nothing_is_left();
		}
	}
	for (u32 port = 1; port < PORTS; port++)
		(void)!evtchn_unmask(d, port);
	handle_all();
	nothing_is_left();
	for (u32 port = 1; port < PORTS; port++)
		assert_false(sent[port]);
}

static void what_was_pending_is_taken_over(void **state)
{
	u32 port;

	assert_int_equal(evtchn_bind_ipi(d, 1, &port), 0);
	assert_int_equal(evtchn_send(d, port), 0);
	sent[port] = true;
	go_over();
	assert_int_equal(*word(port), PENDING | LINKED);
	handle_all();
	nothing_is_left();
	send_on(port); /* the binding is the other kind of IPI now */
	assert_int_equal(control[1]->ready, 1U << EVTCHN_FIFO_PRIORITY_DEFAULT);
}

static void a_reset_gives_the_pages_back(void **state)
{
	unsigned int before = host_guest_frames;
	unsigned long frame;
	u32 port;

	go_over();
	assert_int_equal(host_guest_frames, before + VCPUS + ARRAY_SIZE(words));
	(void)new_page(&frame);
	assert_int_equal(evtchn_init_control(d, 0, frame, 0), -EINVAL);
	while (evtchn_reset(d))
		;
	assert_int_equal(host_guest_frames, before);
	assert_int_equal(evtchn_bind_ipi(d, 0, &port), 0);
	assert_int_equal(evtchn_send(d, port), 0);
	assert_true(d->shared_info->evtchn_pending[0] & 1UL << port);
	go_over(); /* once more; stop() finds that its end gives them back, too */
}

static void translated_domains_have_two_levels(void **state)
{
	unsigned long frame;

	(void)new_page(&frame);
	d->config.type = DOMAIN_PVH;
	assert_int_equal(evtchn_init_control(d, 0, frame, 0), -ENOSYS);
	assert_int_equal(evtchn_expand_array(d, frame), -EOPNOTSUPP);
}

/* A guest that writes what it likes there: nothing of the hypervisor's is affected. */
static void garbage_in_words_is_survived(void **state)
{
	machine_seed();
	go_over();
	fill_ports();
	for (unsigned int i = 0; i < STEPS; i++) {
		u32 port = 1 + (u32)rnd_below(PORTS - 1);

		if (rnd_below(2))
			*word(port) = (event_word_t)rnd_below(1UL << 32);
		else
			(void)!evtchn_send(d, port);
		if (rnd_below(8) == 0)
			(void)!evtchn_unmask(d, port);
		if (rnd_below(8) == 0)
			(void)!evtchn_set_priority(d, port, (u32)rnd_below(16));
		if (rnd_below(50) == 0)
			(void)!evtchn_close(d, port);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_events_are_delivered_once, start, stop),
		cmocka_unit_test_setup_teardown(what_was_pending_is_taken_over, start, stop),
		cmocka_unit_test_setup_teardown(a_reset_gives_the_pages_back, start, stop),
		cmocka_unit_test_setup_teardown(translated_domains_have_two_levels, start, stop),
		cmocka_unit_test_setup_teardown(garbage_in_words_is_survived, start, stop),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
