// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System time, and the timer. Margins are wide above and none below: late is
 * legal, early is not.
 */
#include "tiny_case.h"

#define MS 1000000ul

static void wait_for_ticks(uint64_t count, uint64_t until)
{
	while (timer_count() < count && time_now() < until)
		cpu_relax();
}

TINY_TEST(time_monotone, "time.monotone",
	  "system time must never go back, also across calls, faults and sleeps")
{
	uint64_t last = time_now(), start = last, now;
	unsigned int i, back = 0;

	for (i = 0; i < 20000; i++) {
		if (i % 100 == 0)
			hv_sched_op(SCHEDOP_yield, NULL);
		now = time_now();
		back += now < last;
		last = now;
	}
	EXPECT_EQ(back, 0);
	EXPECT(last > start);
}

TINY_TEST(timer_singleshot, "timer.singleshot", "one event, not before its time")
{
	uint64_t before = timer_count(), deadline = time_now() + 3 * MS;

	REQUIRE_EQ(timer_set(deadline), 0);
	wait_for_ticks(before + 1, deadline + 2000 * MS);
	EXPECT_EQ(timer_count(), before + 1);
	EXPECT(time_now() >= deadline);
	wait_for_ticks(before + 2, time_now() + 15 * MS);
	EXPECT_EQ(timer_count(), before + 1);
}

TINY_TEST(timer_past, "timer.past", "a deadline that has passed fires at once")
{
	uint64_t before = timer_count();

	REQUIRE_EQ(timer_set(time_now() - 5 * MS), 0);
	wait_for_ticks(before + 1, time_now() + 2000 * MS);
	EXPECT_EQ(timer_count(), before + 1);
}

static int set_later(uint64_t later)
{
	return timer_set(later);
}

static int stop(uint64_t later)
{
	(void)later;
	return timer_stop();
}

TINY_TEST(timer_replaced, "timer.replaced",
	  "a new deadline takes the place of the old; stopping leaves none")
{
	uint64_t before, last = timer_change(timer_set, set_later, &before);

	REQUIRE(last != 0);
	wait_for_ticks(before + 1, last + 2000 * MS);
	EXPECT(time_now() >= last);
	EXPECT_EQ(timer_count(), before + 1);

	last = timer_change(timer_set, stop, &before);
	REQUIRE(last != 0);
	wait_for_ticks(before + 1, last + 15 * MS);
	EXPECT_EQ(timer_count(), before);
}
