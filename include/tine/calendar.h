/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dates as clocks of the day have them. lib/calendar.c */
#ifndef TINE_CALENDAR_H
#define TINE_CALENDAR_H

#include <tine/types.h>

struct calendar {
	unsigned int year, month, day, hour, minute, second; /* month and day from 1 */
};

/* Is it a moment of 2000 to 2099 (the second may be a leap second)? */
bool calendar_is_sane(const struct calendar *c);
/* Of one that is. */
u64 calendar_seconds_since_1970(const struct calendar *c);

#endif
