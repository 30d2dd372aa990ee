/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System time on arm64: the generic timer's physical count (DDI 0487, D11), the same on all CPUs. */
#ifndef ASM_TIME_H
#define ASM_TIME_H

#include <tine/clock_scale.h>

/* Not before what precedes it in the program is done: D11.2.1. */
static inline u64 arm64_count(void)
{
	u64 count;

	__asm__ volatile("isb\n"
			 "mrs %0, cntpct_el0"
			 : "=r"(count)
			 :
			 : "memory");
	return count;
}

extern u64 arm64_boot_count; /* at the image's first instruction; boot/head.S */
extern u64 arm64_timer_hz;

extern struct clock_scale arm64_clock_scale;

u64 arm64_stime_to_count(stime_t ns); /* of a length of time, rounded up */

static inline stime_t system_time(void)
{
	return clock_scale_ns(&arm64_clock_scale, arm64_count());
}

#endif
