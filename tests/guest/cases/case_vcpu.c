// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a guest says and asks about its virtual CPUs. Registering vcpu_info is for good, so that
 * test is the group's last.
 */
#include "tiny_case.h"

TINY_TEST(vcpu_is_up, "vcpu.is-up",
	  "Linux probes 8192 ids: only those that exist may answer 0 or more")
{
	unsigned int id, wrong = 0;

	EXPECT_EQ(hv_vcpu_op(VCPUOP_is_up, 0, NULL), 1);
	for (id = 1; id < 8192; id++) {
		long rc = hv_vcpu_op(VCPUOP_is_up, id, NULL);

		wrong += rc != -XEN_ENOENT && (id > 128 || rc < 0);
	}
	EXPECT_EQ(wrong, 0);
}

TINY_TEST(vcpu_runstate, "vcpu.runstate", "times by state, which must sum up to what has passed")
{
	static vcpu_runstate_info_t area;
	struct vcpu_register_runstate_memory_area where = { 0 };
	vcpu_runstate_info_t now;
	uint64_t sum, time;
	unsigned int tries;

	REQUIRE_EQ(hv_vcpu_op(VCPUOP_get_runstate_info, 0, &now), 0);
	time = time_now();
	EXPECT_EQ(now.state, RUNSTATE_running);
	EXPECT(now.state_entry_time <= time);
	sum = now.time[0] + now.time[1] + now.time[2] + now.time[3];
	EXPECT(sum <= time && sum > 0);

	set_xen_guest_handle(where.addr.h, &area);
	EXPECT_EQ(hv_vcpu_op(VCPUOP_register_runstate_memory_area, 0, &where), 0);
	EXPECT_EQ(area.state, RUNSTATE_running);
	/* Blocked for a while, so that the area is written on the way back. */
	sum = area.time[RUNSTATE_blocked];
	for (tries = 0; tries < 20 && *(volatile uint64_t *)&area.time[RUNSTATE_blocked] == sum;
	     tries++)
		REQUIRE_EQ(timer_sleep(3000000), 0);
	EXPECT_EQ(*(volatile int *)&area.state, RUNSTATE_running);
	EXPECT(*(volatile uint64_t *)&area.time[RUNSTATE_blocked] > sum);
}

TINY_TEST(vcpu_time_area, "vcpu.time-area",
	  "a second copy of the clock's record, where the guest wants it")
{
	static vcpu_time_info_t area;
	struct vcpu_register_time_memory_area where = { 0 };
	volatile vcpu_time_info_t *copy = &area;
	unsigned int tries;

	set_xen_guest_handle(where.addr.h, &area);
	REQUIRE_EQ(hv_vcpu_op(VCPUOP_register_vcpu_time_memory_area, 0, &where), 0);
	for (tries = 0; tries < 20 && !copy->tsc_to_system_mul; tries++)
		REQUIRE_EQ(timer_sleep(3000000), 0);
	EXPECT_EQ(copy->tsc_to_system_mul, tiny_vcpu->time.tsc_to_system_mul);
	EXPECT_EQ(copy->tsc_shift, tiny_vcpu->time.tsc_shift);
	EXPECT_EQ(copy->version & 1, 0);
	EXPECT(copy->system_time <= time_now());
	set_xen_guest_handle(where.addr.h, NULL);
	EXPECT_EQ(hv_vcpu_op(VCPUOP_register_vcpu_time_memory_area, 0, &where), 0);
}

TINY_TEST(vcpu_timer_future, "vcpu.timer-future",
	  "who asks for a moment that must be to come is told when it has passed")
{
	vcpu_set_singleshot_timer_t timer = { .timeout_abs_ns = 1, .flags = VCPU_SSHOTTMR_future };
	uint64_t before = timer_count();

	long rc = hv_vcpu_op(VCPUOP_set_singleshot_timer, 0, &timer);

	/* The header leaves it open: Xen 4.17 lets it fire at once. */
	EXPECT(rc == -XEN_ETIME || rc == 0);
	if (!rc)
		timer_wait(before);
	EXPECT_EQ(timer_count(), before + !rc);
	before = timer_count();
	timer.timeout_abs_ns = time_now() + 3000000;
	REQUIRE_EQ(hv_vcpu_op(VCPUOP_set_singleshot_timer, 0, &timer), 0);
	timer_wait(before);
	EXPECT_EQ(timer_count(), before + 1);
	EXPECT(time_now() >= timer.timeout_abs_ns);
}

TINY_TEST(vcpu_timer_errors, "vcpu.timer-errors", "a vCPU sets its own timer only")
{
	vcpu_set_singleshot_timer_t timer = { .timeout_abs_ns = time_now() };

	EXPECT_EQ(hv_vcpu_op(VCPUOP_set_singleshot_timer, 5000, &timer), -XEN_ENOENT);
	EXPECT_EQ(hv_vcpu_op(VCPUOP_set_singleshot_timer, 0, (void *)0x123456789000), -XEN_EFAULT);
	EXPECT_EQ(hv_vcpu_op(999, 0, NULL), -XEN_ENOSYS);
}

TINY_TEST(vcpu_info, "vcpu.info",
	  "vcpu_info may move once to a page of the guest's, with all that waits in it")
{
	vcpu_register_vcpu_info_t where = { 0 };
	char *page = page_alloc();
	vcpu_info_t *moved = (vcpu_info_t *)(page + 128);
	uint64_t before = timer_count();

	where.mfn = virt_to_mfn(page).n;
	where.offset = PAGE_SIZE - 8;
	EXPECT_EQ(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where), -XEN_ENXIO);
	where.offset = 128;
	where.mfn = 0xfffffffff;
	EXPECT(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where) < 0);
	where.mfn = virt_to_mfn((const void *)tiny_start_info->pt_base).n;
	EXPECT(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where) < 0);

	where.mfn = virt_to_mfn(page).n;
	events_off();
	REQUIRE_EQ(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where), 0);
	tiny_vcpu = moved;
	EXPECT_EQ(moved->evtchn_upcall_mask, 1);
	EXPECT_EQ(moved->evtchn_upcall_pending, 1);
	EXPECT(moved->time.tsc_to_system_mul != 0);
	events_on();

	REQUIRE_EQ(timer_set(time_now() + 1000000), 0);
	timer_wait(before);
	PROBE("mov (%0), %%rax", : : "r"(0x5550000ul) : "rax", "memory");
	EXPECT_EQ(tiny_fault.cr2, 0x5550000);
	EXPECT(hv_vcpu_op(VCPUOP_register_vcpu_info, 0, &where) < 0);
	/* The hypervisor writes it from now on: it must stay writable. */
	EXPECT_EQ(page_set_readonly(page), 0);
	EXPECT_EQ(page_set_writable(page), 0);
}
