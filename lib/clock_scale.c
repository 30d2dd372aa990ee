// SPDX-License-Identifier: GPL-2.0-or-later
/* Scaling of counters; see the header. */
#include <tine/clock_scale.h>

void clock_scale_set(struct clock_scale *s, u64 base, u64 hz)
{
	s8 shift = 0;

	while (hz > 2 * (u64)NSEC_PER_SEC) {
		hz >>= 1;
		shift--;
	}
	while (hz <= (u64)NSEC_PER_SEC) {
		hz <<= 1;
		shift++;
	}
	s->mul = (u32)(((u64)NSEC_PER_SEC << 32) / hz);
	s->shift = shift;
	s->base = base;
}
