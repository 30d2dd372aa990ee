/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System time on x86: the TSC, scaled as calibrated at boot. */
#ifndef ASM_TIME_H
#define ASM_TIME_H

#include <tine/clock_scale.h>

static inline u64 rdtsc(void)
{
	u32 lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (u64)hi << 32 | lo;
}

extern struct clock_scale tsc_scale;
extern u64 tsc_khz;

stime_t tsc_to_stime(u64 tsc);
u64 stime_to_tsc_delta(stime_t ns);

static inline stime_t system_time(void)
{
	return tsc_to_stime(rdtsc());
}

#endif
