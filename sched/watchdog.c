// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A domain's watchdogs: timers that a guest sets again and again, and that end the domain when it no longer does
 * (public/sched.h, SCHEDOP_watchdog). Their numbers, from 1, are used and given back under d->lock; a timer
 * that is not in use is not set.
 *
 * They count from the call to the second asked for, whether the domain runs meanwhile or not: so one
 * that is paused for long ends, as on Xen. A fork begins without any.
 */
#include <tine/domain.h>
#include <tine/errno.h>
#include <tine/printk.h>
#include <tine/vcpu.h>
#include <xen/sched.h>
#include "internal.h"

static void fire(void *arg)
{
	struct domain *d = arg;

	if (READ_ONCE(d->shutting_down) || READ_ONCE(d->dying))
		return;
	printk_always("Domain %u: its watchdog was not reset in time\n", d->id);
	domain_shutdown(d, SHUTDOWN_watchdog);
}

static stime_t expiry(u32 seconds)
{
	return system_time() + (stime_t)seconds * NSEC_PER_SEC;
}

/* The number of one that was free, or -ENOSPC. */
static int start(struct domain *d, u32 seconds)
{
	for (unsigned int i = 0; i < DOMAIN_WATCHDOGS; i++) {
		if (d->watchdogs_used & BIT(i))
			continue;
		d->watchdogs_used |= (u8)BIT(i);
		timer_set(&d->watchdogs[i], expiry(seconds));
		return (int)i + 1;
	}
	return -ENOSPC;
}

static int set_again(struct domain *d, unsigned int i, u32 seconds)
{
	if (!(d->watchdogs_used & BIT(i)))
		return -EINVAL;
	if (seconds) {
		timer_set(&d->watchdogs[i], expiry(seconds));
	} else {
		timer_stop(&d->watchdogs[i]);
		d->watchdogs_used &= (u8)~BIT(i);
	}
	return 0;
}

int domain_watchdog(struct domain *d, u32 id, u32 seconds)
{
	int ret;

	if (id > DOMAIN_WATCHDOGS)
		return -EINVAL;
	spin_lock(&d->lock);
	ret = id ? set_again(d, id - 1, seconds) : start(d, seconds);
	spin_unlock(&d->lock);
	return ret;
}

void domain_watchdogs_init(struct domain *d)
{
	for (unsigned int i = 0; i < DOMAIN_WATCHDOGS; i++)
		timer_init(&d->watchdogs[i], fire, d, smp_processor_id());
}

void domain_watchdogs_kill(struct domain *d)
{
	for (unsigned int i = 0; i < DOMAIN_WATCHDOGS; i++)
		timer_kill(&d->watchdogs[i]);
}
