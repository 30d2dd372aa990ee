// SPDX-License-Identifier: GPL-2.0-or-later
/* The TSC's scale; what all architectures have of clocks is in clock_tests.c. */
#include <asm/time.h>
#include <tine/selftest.h>

/* The scale that guests get must give the same time as the frequency that was measured. */
SELFTEST(time, tsc_scale_matches_its_frequency)
{
	for (u64 seconds = 1; seconds < 100000; seconds *= 10) {
		stime_t got = tsc_to_stime(tsc_scale.base + seconds * tsc_khz * 1000);
		stime_t want = (stime_t)seconds * NSEC_PER_SEC;

		EXPECT(got > want - want / 1000000 && got < want + want / 1000000);
		EXPECT(stime_to_tsc_delta(want) == seconds * tsc_khz * 1000 ||
		       want > 86400 * NSEC_PER_SEC);
	}
	EXPECT(tsc_to_stime(tsc_scale.base - 1) == 0);
}
