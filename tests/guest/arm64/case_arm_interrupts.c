// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64: the interrupt controller's own, and what waits for it. */
#include "tiny_case.h"

#define MS 1000000ul
#define SGI 5

TINY_TEST(interrupts_self, "interrupts.self", "an interrupt to oneself comes when it may, once")
{
	uint64_t before = tinyarm_interrupts[SGI];

	gic_enable(SGI);
	events_off();
	gic_send(SGI, (unsigned int)(read_sysreg(mpidr_el1) & 0xf));
	EXPECT_EQ(tinyarm_interrupts[SGI], before);
	events_on();
	asm volatile("isb" : : : "memory");
	for (unsigned int i = 0; i < 100 && tinyarm_interrupts[SGI] == before; i++)
		hv_sched_op(SCHEDOP_yield, NULL);
	EXPECT_EQ(tinyarm_interrupts[SGI], before + 1);
}

TINY_TEST(interrupts_wfi, "interrupts.wfi",
	  "WFI ends when the timer fires, also with interrupts masked")
{
	uint64_t before = timer_count(), deadline = time_now() + 5 * MS;

	events_off();
	REQUIRE_EQ(timer_set(deadline), 0);
	while (!timer_waits())
		asm volatile("wfi" : : : "memory");
	EXPECT(time_now() >= deadline);
	EXPECT_EQ(timer_count(), before);
	events_on();
	timer_wait(before);
	EXPECT_EQ(timer_count(), before + 1);
}

TINY_TEST(interrupts_event, "interrupts.event",
	  "the upcall is level-triggered: it stays until the guest has taken it")
{
	evtchn_bind_ipi_t bind = { .vcpu = 0 };
	evtchn_send_t send;
	evtchn_close_t close;
	uint64_t before = tinyarm_interrupts[tinyarm_machine.events];

	REQUIRE_EQ(hv_event_channel_op(EVTCHNOP_bind_ipi, &bind), 0);
	send.port = close.port = bind.port;
	event_unmask_port(bind.port);
	events_off();
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_send, &send), 0);
	/* Taken by hand: the interrupt, if it was in the controller already, finds nothing. */
	event_upcall();
	EXPECT(!event_port_pending(bind.port));
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_send, &send), 0);
	events_on();
	hv_sched_op(SCHEDOP_yield, NULL);
	EXPECT(!event_port_pending(bind.port));
	EXPECT(tinyarm_interrupts[tinyarm_machine.events] > before);
	event_mask_port(bind.port);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_close, &close), 0);
}
