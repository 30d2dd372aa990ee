/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two-level event channels (abi page 6.1), the virtual CPU's interrupt mask, system time and its
 * timer. One vCPU. All ports start masked; event_bind unmasks the port it is given.
 */
#ifndef TINY_EVENT_H
#define TINY_EVENT_H

#include "tiny_types.h"

#include <xen/xen.h>

typedef void (*event_handler_t)(unsigned int port);

extern vcpu_info_t *tiny_vcpu;

void event_init(shared_info_t *shared);

/* Called by the platform's upcall entry with events masked. */
void event_upcall(void);

/* A NULL handler masks the port again. */
void event_bind(unsigned int port, event_handler_t handler);

void event_mask_port(unsigned int port);
void event_unmask_port(unsigned int port);
bool event_port_pending(unsigned int port);
void event_clear_port(unsigned int port);

/*
 * events_off returns whether they were on; events_restore takes that. events_on delivers what waits
 * before it returns.
 */
bool events_off(void);
bool events_are_on(void);
void events_on(void);
void events_restore(bool on);

/* Nanoseconds since the hypervisor started; never goes back. */
uint64_t time_now(void);
uint64_t tsc_now(void);

/* Binds VIRQ_TIMER, stops the periodic tick. */
void timer_init(void);
int __must_check timer_set(uint64_t deadline);
int __must_check timer_stop(void);
unsigned int timer_port(void); /* bound to VIRQ_TIMER */
bool timer_waits(void);        /* it has fired, and events are off */

/* Called on each timer event after the count went up. */
void timer_set_handler(void (*handler)(void));
uint64_t timer_count(void);
/*
 * Sets the timer by SET for a moment ahead and then by CHANGE for a later one (or for none), so that the first had not come when that was done:
 * further ahead each time the host kept us from running for so long. Returns the later moment, and in SEEN the count of ticks before;
 * 0: a call failed, or the host is too slow for seconds ahead.
 */
uint64_t timer_change(int (*set)(uint64_t deadline), int (*change)(uint64_t later), uint64_t *seen);

/* Blocks until the timer has fired, NANOSECONDS from now; until the count is no longer SEEN. Events are on afterwards. */
int timer_sleep(uint64_t nanoseconds);
void timer_wait(uint64_t seen);

#endif
