/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System time (nanoseconds since boot, the clock that guests see through their vcpu_time_info) and
 * one-shot timers. A timer belongs to one CPU and its function runs there as a softirq. One lock a
 * CPU (LOCK_TIMER).
 */
#ifndef TINE_TIME_H
#define TINE_TIME_H

#include <asm/time.h> /* system_time(): stime_t now; monotone on a CPU and across CPUs */
#include <tine/list.h>

struct timer {
	struct list link; /* in its CPU's queue, ordered by expiry; empty when not set */
	stime_t expires;
	void (*fn)(void *arg);
	void *arg;
	unsigned int cpu;
	bool dead; /* timer_kill() was called: it is never set again */
};

void timer_init(struct timer *t, void (*fn)(void *arg), void *arg, unsigned int cpu);
/* EXPIRES is absolute and replaces an earlier one; a time that has passed fires at once. */
void timer_set(struct timer *t, stime_t expires);
/* After it returns FN may still be running on another CPU. */
void timer_stop(struct timer *t);
/*
 * Stops it for good and waits until FN is not running; not from FN itself, nor under a lock that FN
 * takes. Only timer_init() brings it back to life.
 */
void timer_kill(struct timer *t);
/* A set timer stays set. */
void timer_migrate(struct timer *t, unsigned int cpu);

/* Before the CPU's first timer. */
void timer_cpu_init(unsigned int cpu);

/* From the timer interrupt: arch code calls it; it raises SOFTIRQ_TIMER. */
void timer_interrupt(void);

/* One CPU's queue, for the debug keys. */
void timer_dump(unsigned int cpu);

/*
 * UTC at system time 0, in seconds since 1970 and nanoseconds; read from the machine's clock once
 * at boot.
 */
void wallclock_at_boot(u64 *sec, u32 *nsec);

#endif
