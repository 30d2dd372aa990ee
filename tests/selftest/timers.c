// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Timers on the machine's own clock and interrupts: many fire in order and not early, one that moves to another CPU fires
 * there, and timer_kill() returns only when the function runs nowhere.
 */
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/selftest.h>
#include <tine/softirq.h>
#include <tine/string.h>
#include <tine/time.h>

#define MANY 50
#define PATIENCE (20 * NSEC_PER_SEC)

static struct timer timers[MANY];
static unsigned int nr_fired, early, disordered, elsewhere;
static stime_t last_expiry;

/* Self-tests run outside CPU 0's main loop: until *COUNT is what is wanted, the test looks at softirqs. */
static bool wait_for(const unsigned int *count, unsigned int wanted)
{
	stime_t until = system_time() + PATIENCE;

	while (READ_ONCE(*count) != wanted && system_time() < until)
		softirq_process();
	return READ_ONCE(*count) == wanted;
}

static void in_order(void *arg)
{
	struct timer *t = arg;

	early += system_time() < t->expires;
	disordered += t->expires < last_expiry;
	elsewhere += smp_processor_id() != t->cpu;
	last_expiry = t->expires;
	WRITE_ONCE(nr_fired, nr_fired + 1);
}

SELFTEST(timers, many_fire_in_order_and_not_early)
{
	stime_t base = system_time() + 5 * NSEC_PER_MSEC;

	nr_fired = early = disordered = elsewhere = 0;
	last_expiry = 0;
	for (unsigned int i = 0; i < MANY; i++) {
		timer_init(&timers[i], in_order, &timers[i], 0);
		/* 7 and MANY have no common factor: all slots, out of order */
		timer_set(&timers[i], base + (stime_t)(i * 7 % MANY) * 200 * NSEC_PER_USEC);
	}
	EXPECT(wait_for(&nr_fired, MANY));
	EXPECT(early == 0 && disordered == 0 && elsewhere == 0);
}

SELFTEST(timers, one_that_moves_fires_on_its_new_cpu)
{
	unsigned int cpu;

	for_each_online_cpu (cpu) {
		nr_fired = early = disordered = elsewhere = 0;
		timer_init(&timers[0], in_order, &timers[0], 0);
		timer_set(&timers[0], system_time() + 20 * NSEC_PER_MSEC);
		timer_migrate(&timers[0], cpu);
		EXPECT(wait_for(&nr_fired, 1));
		EXPECT(early == 0 && elsewhere == 0);
		timer_kill(&timers[0]);
	}
}

static unsigned int entered, left;

static void slow(void *arg)
{
	stime_t until = system_time() + 10 * NSEC_PER_MSEC;

	WRITE_ONCE(entered, entered + 1);
	while (system_time() < until)
		cpu_relax();
	WRITE_ONCE(left, left + 1);
	timer_set(arg, system_time()); /* and again, unless it is killed */
}

SELFTEST(timers, kill_waits_for_a_function_that_runs)
{
	unsigned int cpu;

	for_each_online_cpu (cpu) {
		unsigned int seen;

		if (cpu == smp_processor_id())
			continue;
		entered = left = 0;
		timer_init(&timers[0], slow, &timers[0], cpu);
		timer_set(&timers[0], system_time());
		for (stime_t until = system_time() + PATIENCE;
		     !READ_ONCE(entered) && system_time() < until;)
			cpu_relax();
		timer_kill(&timers[0]);
		seen = READ_ONCE(entered);
		EXPECT(seen > 0 && seen == READ_ONCE(left));
		for (stime_t until = system_time() + 30 * NSEC_PER_MSEC; system_time() < until;)
			cpu_relax();
		EXPECT(READ_ONCE(entered) == seen);
	}
}
