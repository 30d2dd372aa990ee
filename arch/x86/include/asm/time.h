/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System time on x86: the TSC, scaled as calibrated at boot. */
#ifndef ASM_TIME_H
#define ASM_TIME_H

#include <tine/types.h>

static inline u64 rdtsc(void)
{
	u32 lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (u64)hi << 32 | lo;
}

/* ns = (tsc - base) << shift (>> if negative) * mul >> 32, the form that vcpu_time_info gives to guests. */
struct tsc_scale {
	u64 base;
	u32 mul;
	s8 shift;
};
extern struct tsc_scale tsc_scale;
extern u64 tsc_khz;

stime_t tsc_to_stime(u64 tsc);
u64 stime_to_tsc_delta(stime_t ns);

static inline stime_t system_time(void)
{
	return tsc_to_stime(rdtsc());
}

#endif
