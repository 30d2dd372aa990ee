// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64: what a guest registers for its vCPU. vcpu_info is registered for good, so that test is the last. */
#include "tiny_case.h"

TINY_TEST(vcpu_runstate, "vcpu.runstate", "times by state, written when the vCPU has waited")
{
	static vcpu_runstate_info_t area;
	volatile vcpu_runstate_info_t *now = &area;
	struct vcpu_register_runstate_memory_area where = { 0 };
	uint64_t waited;

	set_xen_guest_handle(where.addr.h, &area);
	REQUIRE_EQ(hv_vcpu_op(VCPUOP_register_runstate_memory_area, 0, &where), 0);
	EXPECT_EQ(now->state, RUNSTATE_running);
	EXPECT(now->state_entry_time <= time_now());
	waited = now->time[RUNSTATE_blocked];
	for (unsigned int i = 0; i < 20 && now->time[RUNSTATE_blocked] == waited; i++)
		REQUIRE_EQ(timer_sleep(3000000), 0);
	EXPECT_EQ(now->state, RUNSTATE_running);
	EXPECT(now->time[RUNSTATE_blocked] > waited);
}

TINY_TEST(vcpu_errors, "vcpu.errors",
	  "vCPUs that there are none of, unknown commands, bad pointers")
{
	struct vcpu_register_vcpu_info where = { .mfn = 1ul << 40 };

	EXPECT_EQ(hv_vcpu_op(VCPUOP_register_runstate_memory_area, 5000, &where), -XEN_ENOENT);
	EXPECT_EQ(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, (void *)0x123456789000), -XEN_EFAULT);
	EXPECT(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where) < 0);
	where.mfn = frame_of(window_take());
	EXPECT(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where) < 0);
	window_give((void *)(where.mfn * PAGE_SIZE));
	EXPECT(hv_vcpu_op(999, 0, NULL) < 0);
}

static unsigned int came;

static void on_event(unsigned int port)
{
	(void)port;
	came++;
}

TINY_TEST(vcpu_info, "vcpu.info",
	  "vcpu_info may move once to a page of the guest's, with all that waits in it")
{
	vcpu_register_vcpu_info_t where = { 0 };
	char *page = page_alloc();
	vcpu_info_t *moved = (vcpu_info_t *)(page + 128);
	evtchn_bind_ipi_t bind = { .vcpu = 0 };
	evtchn_send_t send;

	REQUIRE_EQ(hv_event_channel_op(EVTCHNOP_bind_ipi, &bind), 0);
	event_bind(bind.port, on_event);
	send.port = bind.port;
	where.mfn = frame_of(page);
	where.offset = PAGE_SIZE - 8;
	EXPECT(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where) < 0);
	where.offset = 128;
	events_off();
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_send, &send), 0);
	REQUIRE_EQ(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where), 0);
	tiny_vcpu = moved;
	EXPECT_EQ(moved->evtchn_upcall_pending, 1);
	events_on();
	hv_sched_op(SCHEDOP_yield, NULL);
	EXPECT_EQ(came, 1);
	EXPECT_EQ(hv_event_channel_op(EVTCHNOP_send, &send), 0);
	EXPECT_EQ(came, 2);
	EXPECT(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where) < 0);
}
