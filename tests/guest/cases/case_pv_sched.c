// SPDX-License-Identifier: GPL-2.0-or-later
/* What ends a poll: on x86 the timer is an event. */
#include "tiny_case.h"

#define MS 1000000ul

static long poll(unsigned int port, unsigned int count, uint64_t timeout)
{
	evtchn_port_t ports[1] = { port };
	sched_poll_t op = { .nr_ports = count, .timeout = timeout };

	set_xen_guest_handle(op.ports, ports);
	return hv_sched_op(SCHEDOP_poll, &op);
}

TINY_TEST(sched_poll_woken, "sched.poll-woken",
	  "a poll without timeout is ended by its port, though that is masked")
{
	uint64_t before = timer_count();

	events_off();
	event_mask_port(timer_port());
	REQUIRE_EQ(timer_set(time_now() + 3 * MS), 0);
	EXPECT_EQ(poll(timer_port(), 1, 0), 0);
	EXPECT(event_port_pending(timer_port()));
	events_on();
	EXPECT_EQ(timer_count(), before);
	event_unmask_port(timer_port());
	EXPECT_EQ(timer_count(), before + 1);
}
