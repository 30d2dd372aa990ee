// SPDX-License-Identifier: GPL-2.0-or-later
/* Waiting for the timer. */
#include "tiny_event.h"
#include "tiny_hypercall.h"

/*
 * Both close the mask before they look or set the timer, and blocking opens it: else an event that comes in between,
 * on a host that does not let the vCPU run for a while, would be waited for in vain.
 */
int timer_sleep(uint64_t nanoseconds)
{
	int rc;

	events_off();
	rc = timer_set(time_now() + nanoseconds);
	if (!rc)
		hv_sched_op(SCHEDOP_block, NULL);
	events_on();
	return rc;
}

void timer_wait(uint64_t seen)
{
	events_off();
	while (timer_count() == seen) {
		hv_sched_op(SCHEDOP_block, NULL);
		events_off();
	}
	events_on();
}

uint64_t timer_change(int (*set)(uint64_t deadline), int (*change)(uint64_t later), uint64_t *seen)
{
	uint64_t ahead;

	for (ahead = 4000000; ahead < 10000000000; ahead *= 2) {
		uint64_t first = time_now() + ahead, later = first + 8000000;

		*seen = timer_count();
		if (set(first) || change(later))
			return 0;
		if (time_now() < first)
			return later;
	}
	return 0;
}
