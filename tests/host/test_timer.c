// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Timers against a plain array: each fires once, not before its time, earliest first, on its CPU,
 * and the hardware is set in time.
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>
#include <tine/softirq.h>
#include "host_machine.h"

#define CPUS 4
#define TIMERS 64

static struct ref {
	struct timer timer;
	bool set;
	stime_t expires;
	unsigned int cpu, fired;
} refs[TIMERS];
static stime_t last_fired[CPUS];
static struct timer *again; /* sets itself anew from its function */

static void fired(void *arg)
{
	struct ref *r = arg;

	assert_true(r->set);
	assert_true(host_time >= r->expires);
	assert_int_equal(host_cpu, r->cpu);
	assert_true(r->expires >= last_fired[r->cpu]);
	last_fired[r->cpu] = r->expires;
	r->set = false;
	r->fired++;
	if (&r->timer == again) {
		r->set = true;
		r->expires = host_time + 700;
		timer_set(&r->timer, r->expires);
	}
}

static int start(void **state)
{
	host_sched_start(CPUS);
	for (unsigned int i = 0; i < TIMERS; i++) {
		refs[i] = (struct ref){ .cpu = i % CPUS };
		timer_init(&refs[i].timer, fired, &refs[i], i % CPUS);
	}
	for (unsigned int i = 0; i < CPUS; i++)
		last_fired[i] = 0;
	again = NULL;
	return 0;
}

static void set(struct ref *r, stime_t when)
{
	r->set = true;
	r->expires = when;
	if (when < last_fired[r->cpu])
		last_fired[r->cpu] = when;
	timer_set(&r->timer, when);
}

/* Nothing that is due is left, and every CPU will be interrupted for the first of what is not. */
static void check(void)
{
	for (unsigned int i = 0; i < TIMERS; i++) {
		if (!refs[i].set)
			continue;
		assert_true(refs[i].expires > host_time);
		assert_true(host_timer[refs[i].cpu] <= refs[i].expires);
	}
}

static void timers_agree_with_an_array(void **state)
{
	machine_seed();
	for (unsigned int step = 0; step < 200000; step++) {
		struct ref *r = &refs[rnd_below(TIMERS)];

		host_be((unsigned int)rnd_below(CPUS));
		switch (rnd_below(8)) {
		case 0:
			timer_stop(&r->timer);
			r->set = false;
			break;
		case 1:
			timer_kill(&r->timer);
			timer_set(&r->timer, host_time); /* which is too late */
			r->set = false;
			if (rnd_below(2))
				timer_init(&r->timer, fired, r, r->cpu);
			break;
		case 2:
			r->cpu = (unsigned int)rnd_below(CPUS);
			timer_migrate(&r->timer, r->cpu);
			for (unsigned int i = 0; i < CPUS; i++)
				last_fired[i] = 0;
			break;
		case 3:
			host_run_until(host_time + (stime_t)rnd_below(300));
			for (unsigned int i = 0; i < CPUS; i++)
				last_fired[i] = 0;
			check();
			break;
		default:
			if (r->timer.dead)
				timer_init(&r->timer, fired, r, r->cpu);
			set(r, host_time + (stime_t)rnd_below(1000) - 50);
		}
	}
	host_run_until(host_time + 2000);
	for (unsigned int i = 0; i < TIMERS; i++)
		assert_false(refs[i].set);
}

static void a_timer_may_set_itself(void **state)
{
	stime_t begin = host_time;

	again = &refs[1].timer;
	set(&refs[1], begin + 700);
	host_run_until(begin + 7000);
	assert_int_equal(refs[1].fired, 10);
}

static unsigned int turns;

static void at_once_again(void *arg)
{
	turns++;
	if (turns < 100)
		timer_set(arg, host_time++); /* its function takes time */
}

/* One that is always due again does not keep the CPU from everything else. */
static void a_timer_that_is_always_due_is_not_alone(void **state)
{
	turns = 0;
	timer_init(&refs[0].timer, at_once_again, &refs[0].timer, 0);
	timer_set(&refs[0].timer, host_time);
	for (unsigned int i = 0; i < 3; i++) {
		timer_interrupt();
		softirq_process();
		assert_in_range(turns, i + 1, 2 * i + 2);
	}
	timer_kill(&refs[0].timer);
}

static void a_timer_in_the_past_fires_at_once(void **state)
{
	set(&refs[0], host_time - 100);
	host_run_until(host_time);
	assert_int_equal(refs[0].fired, 1);
}

static void another_cpus_timer_sends_one_interrupt(void **state)
{
	set(&refs[1], host_time + 100); /* CPU 1's */
	set(&refs[5], host_time + 50);
	assert_int_equal(host_ipis[1], 1); /* not come to look yet: no second one */
	host_settle();
	assert_int_equal(host_timer[1], host_time + 50);
	set(&refs[9], host_time + 80); /* later than what it waits for */
	assert_int_equal(host_ipis[1], 1);
}

static int stop(void **state)
{
	host_sched_stop();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(timers_agree_with_an_array, start, stop),
		cmocka_unit_test_setup_teardown(a_timer_may_set_itself, start, stop),
		cmocka_unit_test_setup_teardown(a_timer_that_is_always_due_is_not_alone, start,
						stop),
		cmocka_unit_test_setup_teardown(a_timer_in_the_past_fires_at_once, start, stop),
		cmocka_unit_test_setup_teardown(another_cpus_timer_sends_one_interrupt, start,
						stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
