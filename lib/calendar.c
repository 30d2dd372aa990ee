// SPDX-License-Identifier: GPL-2.0-or-later
/* From a date to seconds, for 2000 to 2099, where every fourth year leaps. */
#include <tine/calendar.h>

#define DAYS_TO_2000 10957

bool calendar_is_sane(const struct calendar *c)
{
	return c->year >= 2000 && c->year <= 2099 && c->month >= 1 && c->month <= 12 &&
	       c->day >= 1 && c->day <= 31 && c->hour < 24 && c->minute < 60 && c->second <= 60;
}

u64 calendar_seconds_since_1970(const struct calendar *c)
{
	static const u16 before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
	unsigned int y = c->year - 2000;
	u64 days = DAYS_TO_2000 + y * 365UL + (y + 3) / 4 + before[c->month - 1] +
		   (c->month > 2 && y % 4 == 0 ? 1 : 0) + c->day - 1;

	return days * 86400 + c->hour * 3600UL + c->minute * 60UL + c->second;
}
