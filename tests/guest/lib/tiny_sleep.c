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
