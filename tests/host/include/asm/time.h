/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System time on the host is what the test says it is. */
#ifndef ASM_TIME_H
#define ASM_TIME_H

#include <tine/types.h>

extern stime_t host_time;

static inline stime_t system_time(void)
{
	return __atomic_load_n(&host_time, __ATOMIC_RELAXED);
}

#endif
