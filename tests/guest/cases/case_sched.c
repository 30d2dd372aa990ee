// SPDX-License-Identifier: GPL-2.0-or-later
/* Giving up the processor: yield, block and poll, and what wakes from each. */
#include "tiny_case.h"

#define MS 1000000ul

static unsigned int bind_ipi(void)
{
	evtchn_bind_ipi_t bind = { .vcpu = 0 };

	return hv_event_channel_op(EVTCHNOP_bind_ipi, &bind) ? 0 : bind.port;
}

static void close(unsigned int port)
{
	evtchn_close_t op = { .port = port };

	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_close, &op), 0);
}

static long poll(unsigned int port, unsigned int count, uint64_t timeout)
{
	evtchn_port_t ports[1] = { port };
	sched_poll_t op = { .nr_ports = count, .timeout = timeout };

	set_xen_guest_handle(op.ports, ports);
	return hv_sched_op(SCHEDOP_poll, &op);
}

TINY_TEST(sched_yield, "sched.yield", "yield returns 0, with the event mask as it was")
{
	events_off();
	EXPECT_EQ(hv_sched_op(SCHEDOP_yield, NULL), 0);
	EXPECT(!events_are_on());
	events_on();
	EXPECT_EQ(hv_sched_op(SCHEDOP_yield, NULL), 0);
	EXPECT(events_are_on());
}

TINY_TEST(sched_block, "sched.block",
	  "block opens the mask, sleeps until an event has come, and returns exactly 0")
{
	uint64_t before = timer_count(), deadline = time_now() + 5 * MS;

	events_off();
	REQUIRE_EQ(timer_set(deadline), 0);
	EXPECT_EQ(hv_sched_op(SCHEDOP_block, NULL), 0);
	EXPECT(events_are_on());
	EXPECT_EQ(timer_count(), before + 1);
	EXPECT(time_now() >= deadline);
}

TINY_TEST(sched_block_pending, "sched.block-pending",
	  "an event that came while masked must not be slept over")
{
	uint64_t before = timer_count();

	events_off();
	REQUIRE_EQ(timer_set(time_now()), 0);
	while (!timer_waits())
		cpu_relax();
	EXPECT_EQ(timer_count(), before);
	EXPECT_EQ(hv_sched_op(SCHEDOP_block, NULL), 0);
	EXPECT_EQ(timer_count(), before + 1);
}

TINY_TEST(sched_poll_timeout, "sched.poll-timeout",
	  "poll on a silent port returns 0 at its timeout, the mask untouched")
{
	unsigned int port = bind_ipi();
	uint64_t deadline;

	REQUIRE(port);
	event_mask_port(port);
	events_off();
	deadline = time_now() + 4 * MS;
	EXPECT_EQ(poll(port, 1, deadline), 0);
	EXPECT(time_now() >= deadline);
	EXPECT(time_now() < deadline + 60000 * MS);
	EXPECT(!events_are_on());
	events_on();
	close(port);
}

TINY_TEST(sched_poll_pending, "sched.poll-pending",
	  "poll on a pending port returns at once, masked or not, and leaves it pending")
{
	evtchn_send_t send = { .port = bind_ipi() };
	uint64_t start;

	REQUIRE(send.port);
	event_mask_port(send.port);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_send, &send), 0);
	events_off();
	start = time_now();
	EXPECT_EQ(poll(send.port, 1, start + 600000 * MS), 0);
	EXPECT(time_now() < start + 60000 * MS);
	EXPECT(event_port_pending(send.port));
	events_on();
	event_clear_port(send.port);
	close(send.port);
}

TINY_TEST(sched_errors, "sched.errors", "too many ports, ports out of range, unknown commands")
{
	EXPECT_EQ(poll(1, 129, time_now() + MS), -XEN_EINVAL);
	EXPECT_EQ(poll(1u << 30, 1, time_now() + MS), -XEN_EINVAL);
	EXPECT_EQ(hv_sched_op(SCHEDOP_poll, (void *)0x123456789000), -XEN_EFAULT);
	EXPECT_EQ(hv_sched_op(SCHEDOP_shutdown, (void *)0x123456789000), -XEN_EFAULT);
	EXPECT_EQ(hv_sched_op(999, NULL), -XEN_ENOSYS);
}

static long watchdog(unsigned int id, unsigned int seconds)
{
	sched_watchdog_t op = { .id = id, .timeout = seconds };

	return hv_sched_op(SCHEDOP_watchdog, &op);
}

TINY_TEST(sched_watchdog, "sched.watchdog",
	  "there are two watchdogs, counted from 1; one that is stopped can be had again")
{
	EXPECT_EQ(watchdog(1, 1000), -XEN_EINVAL);
	EXPECT_EQ(watchdog(0, 1), 1);
	EXPECT_EQ(watchdog(0, 1000), 2);
	EXPECT_EQ((int)watchdog(0, 1000), -XEN_ENOSPC); /* Xen has a 32-bit answer */
	EXPECT_EQ(watchdog(3, 1000), -XEN_EINVAL);
	EXPECT_EQ(watchdog(1, 1000), 0);
	EXPECT_EQ(watchdog(2, 0), 0);
	EXPECT_EQ(watchdog(2, 0), -XEN_EINVAL);
	EXPECT_EQ(watchdog(2, 5), -XEN_EINVAL);
	EXPECT_EQ(watchdog(0, 5), 2);
	EXPECT_EQ(watchdog(2, 0), 0);
	EXPECT_EQ(watchdog(1, 0), 0);
	EXPECT_EQ(hv_sched_op(SCHEDOP_watchdog, (void *)0x123456789000), -XEN_EFAULT);
}
