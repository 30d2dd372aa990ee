/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nanoseconds of a counter that runs at a fixed frequency, in the form that vcpu_time_info gives to
 * guests: (count - base) << shift (>> if negative) * mul >> 32. lib/clock_scale.c
 */
#ifndef TINE_CLOCK_SCALE_H
#define TINE_CLOCK_SCALE_H

#include <tine/types.h>

struct clock_scale {
	u64 base;
	u32 mul;
	s8 shift;
};

/* MUL in [2^31, 2^32), so that the product keeps all the precision there is. */
void clock_scale_set(struct clock_scale *s, u64 base, u64 hz);

/* 0 for what is before base. */
static inline stime_t clock_scale_ns(const struct clock_scale *s, u64 count)
{
	u64 delta = count - s->base;

	if ((s64)delta < 0)
		return 0;
	delta = s->shift >= 0 ? delta << s->shift : delta >> -s->shift;
	return (stime_t)((unsigned __int128)delta * s->mul >> 32);
}

#endif
