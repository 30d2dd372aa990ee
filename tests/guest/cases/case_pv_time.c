// SPDX-License-Identifier: GPL-2.0-or-later
/* System time as PV guests read it, and the timers that only they have. */
#include "tiny_case.h"
#include "tiny_task.h"

#define MS 1000000ul

static void wait_for_ticks(uint64_t count, uint64_t until)
{
	while (timer_count() < count && time_now() < until)
		cpu_relax();
}

TINY_TEST(time_record, "time.record",
	  "multiplier and version must be usable: guests divide by the one and spin on the other")
{
	EXPECT(tiny_vcpu->time.tsc_to_system_mul != 0);
	EXPECT_EQ(tiny_vcpu->time.version & 1, 0);
	EXPECT(tiny_vcpu->time.version != 0);
	EXPECT(tiny_shared->wc_sec > 1000000000);
	EXPECT(tiny_shared->wc_nsec < 1000 * MS);
}

TINY_TEST(timer_periodic, "timer.periodic", "the periodic timer ticks until it is stopped")
{
	vcpu_set_periodic_timer_t periodic = { .period_ns = 2 * MS };
	uint64_t before = timer_count(), start = time_now();

	REQUIRE_EQ(hv_vcpu_op(VCPUOP_set_periodic_timer, 0, &periodic), 0);
	wait_for_ticks(before + 5, start + 2000 * MS);
	EXPECT(timer_count() >= before + 5);
	EXPECT(time_now() >= start + 8 * MS);
	EXPECT_EQ(hv_vcpu_op(VCPUOP_stop_periodic_timer, 0, NULL), 0);
	before = timer_count();
	wait_for_ticks(before + 2, time_now() + 15 * MS);
	EXPECT(timer_count() <= before + 1);
	periodic.period_ns = MS / 2;
	EXPECT_EQ(hv_vcpu_op(VCPUOP_set_periodic_timer, 0, &periodic), -XEN_EINVAL);
}

static int old_set(uint64_t deadline)
{
	return (int)hypercall1(__HYPERVISOR_set_timer_op, deadline);
}

static int old_stop(uint64_t later)
{
	(void)later;
	return old_set(0);
}

TINY_TEST(timer_old_call, "timer.set-timer-op",
	  "the older call sets and, with 0, cancels the same timer")
{
	uint64_t before = timer_count(), start = time_now(), last;

	REQUIRE_EQ(old_set(start + 3 * MS), 0);
	wait_for_ticks(before + 1, start + 2000 * MS);
	EXPECT_EQ(timer_count(), before + 1);
	EXPECT(time_now() >= start + 3 * MS);
	last = timer_change(old_set, old_stop, &before);
	REQUIRE(last != 0);
	wait_for_ticks(before + 1, last + 15 * MS);
	EXPECT_EQ(timer_count(), before);
}

static uint64_t woke[3];

static void sleeper(void *argument)
{
	uint64_t *at = argument;

	task_sleep_until(*at);
	*at = time_now() - *at;
}

TINY_TEST(timer_tasks, "timer.tasks",
	  "tasks that sleep together wake each at its own time, the vCPU blocked meanwhile")
{
	uint64_t start = time_now();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(woke); i++) {
		woke[i] = start + (3 - i) * 3 * MS;
		task_start(sleeper, &woke[i]);
	}
	task_run_all();
	EXPECT(time_now() >= start + 9 * MS);
	for (i = 0; i < ARRAY_SIZE(woke); i++)
		EXPECT(woke[i] < 60000 * MS); /* a host may stand still for seconds */
}
