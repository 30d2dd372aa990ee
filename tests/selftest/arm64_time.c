// SPDX-License-Identifier: GPL-2.0-or-later
/* The count's scale; what all architectures have of clocks is in clock_tests.c. */
#include <asm/time.h>
#include <tine/selftest.h>

SELFTEST(time, scale_matches_the_frequency)
{
	for (u64 seconds = 1; seconds <= 1000000; seconds *= 10) {
		stime_t got = clock_scale_ns(&arm64_clock_scale,
					     arm64_clock_scale.base + seconds * arm64_timer_hz);
		stime_t want = (stime_t)seconds * NSEC_PER_SEC;

		EXPECT(got <= want && want - got <= want / 1000000000 + 1);
	}
	EXPECT(clock_scale_ns(&arm64_clock_scale, arm64_clock_scale.base - 1) == 0);
}

/* A time is never over before it is: the count for a length of time is rounded up. */
SELFTEST(time, lengths_are_rounded_up)
{
	for (stime_t ns = 1; ns < 100000; ns += 37) {
		u64 count = arm64_stime_to_count(ns);

		EXPECT(count * NSEC_PER_SEC >= (u64)ns * arm64_timer_hz);
		EXPECT((count - 1) * NSEC_PER_SEC < (u64)ns * arm64_timer_hz);
	}
	EXPECT(arm64_stime_to_count(-5) == 0);
}
