/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests that come in numbers, and may be paused between two of them. */
#ifndef PV_BATCH_H
#define PV_BATCH_H

#include "frame_type.h"
#include <tine/softirq.h>
#include <tine/types.h>

struct pv_batch {
	unsigned long done_ptr;
	u32 done; /* in earlier parts of a call that was continued */
	u32 i;    /* in this one */
};

int pv_batch_begin(struct pv_batch *b, unsigned long *count, unsigned long done_ptr) __must_check;
long pv_batch_pause(const struct pv_batch *b, unsigned int op, unsigned long next,
		    unsigned long count, unsigned long foreign);
long pv_batch_end(const struct pv_batch *b, long rc);

/*
 * With RC as the last request's result: must the call go on later, with that request or what it
 * left?
 */
static inline bool pv_batch_unfinished(struct domain *d, long rc)
{
	return rc == -ERESTART || (!rc && unlikely(pv_any_dying(d)) && !pv_dying_reap(d));
}

static inline bool pv_batch_must_pause(const struct pv_batch *b)
{
	return b->i && softirq_waiting();
}

#endif
