// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shares over all CPUs: simulated machines with mixes of vCPUs that work for ever and that sleep, against the ideal. The ideal fills
 * the CPUs like water: each has time by its weight, but no more than one CPU, nor than it wants; what one leaves the others share.
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <tine/softirq.h>
#include "../../sched/internal.h"
#include "host_machine.h"

#define MS NSEC_PER_MSEC
#define MOST 12 /* vCPUs in a mix */
#define STEP (MS / 4)

struct worker {
	struct vcpu *v;
	unsigned int weight;
	stime_t burst, nap; /* works for this long, then sleeps; nap 0: never sleeps */
	u64 woken_with;     /* its run time when it last woke */
	stime_t wakes_at;   /* 0: awake */
	u64 before, got;
	double ideal;    /* what it should get of what the sleepers leave, taken together, ... */
	double moment;   /* ... and taken as it was left, moment by moment */
	stime_t slowest; /* from waking to running */
	stime_t waits_since;
};

static struct worker mix[MOST];
static unsigned int in_mix;

static u64 ran(struct vcpu *v)
{
	vcpu_runstate_info_t rec;

	vcpu_get_runstate(v, &rec);
	return rec.time[RUNSTATE_running];
}

static struct worker *add(unsigned int weight, unsigned long affinity)
{
	struct domain_config config = { .name = "worker",
					.vcpus = 1,
					.cpu_weight = weight,
					.memory = MiB(1),
					.type = DOMAIN_PVH };
	struct worker *w = &mix[in_mix++];
	struct domain *d;

	config.affinity.bits[0] = affinity;
	d = domain_create(&config);
	assert_non_null(d);
	*w = (struct worker){ .v = d->vcpus[0], .weight = weight };
	domain_unpause(d);
	return w;
}

static void start(unsigned int cpus)
{
	in_mix = 0;
	host_sched_start(cpus);
}

/* ---- The passing of time ---- */

static void live(struct worker *w)
{
	if (w->wakes_at) {
		if (host_time < w->wakes_at)
			return;
		w->wakes_at = 0;
		w->woken_with = ran(w->v);
		w->waits_since = host_time;
		vcpu_wake(w->v, VCPU_BLOCKED);
		return;
	}
	if (w->waits_since && (w->v->running || ran(w->v) > w->woken_with)) {
		w->slowest = max(w->slowest, host_time - w->waits_since);
		w->waits_since = 0;
	}
	if (w->v->running && ran(w->v) - w->woken_with >= (u64)w->burst) {
		w->wakes_at = host_time + w->nap;
		vcpu_stop(w->v, VCPU_BLOCKED);
	}
}

static void fill(double capacity, double cap);

/* For the next step: sleepers that run have a CPU, the others share the rest. */
static void fill_moment(void)
{
	double left = nr_cpus;

	for (unsigned int i = 0; i < in_mix; i++) {
		mix[i].ideal = mix[i].nap ? 0 : -1;
		left -= mix[i].nap && mix[i].v->running ? 1 : 0;
	}
	fill(left * STEP, STEP);
	for (unsigned int i = 0; i < in_mix; i++)
		mix[i].moment += mix[i].ideal;
}

static void pass(stime_t time)
{
	stime_t end = host_time + time;
	bool sleepers = false;

	for (unsigned int i = 0; i < in_mix; i++)
		sleepers |= mix[i].nap != 0;
	while (host_time < end) {
		if (sleepers)
			fill_moment();
		host_run_until(sleepers ? host_time + STEP : end);
		for (unsigned int i = 0; i < in_mix; i++) {
			if (mix[i].nap)
				live(&mix[i]);
		}
	}
}

static void measure(stime_t settling, stime_t time)
{
	pass(settling);
	for (unsigned int i = 0; i < in_mix; i++) {
		mix[i].before = ran(mix[i].v);
		mix[i].slowest = 0;
		mix[i].moment = 0;
	}
	pass(time);
	for (unsigned int i = 0; i < in_mix; i++)
		mix[i].got = ran(mix[i].v) - mix[i].before;
}

/* ---- The ideal ---- */

/* Fills CAPACITY ns into those that have not got `ideal` yet, nobody above CAP. */
static void fill(double capacity, double cap)
{
	bool capped = true;

	while (capped) {
		double weights = 0, level;

		for (unsigned int i = 0; i < in_mix; i++)
			weights += mix[i].ideal < 0 ? mix[i].weight : 0;
		level = weights > 0 ? capacity / weights : 0;
		capped = false;
		for (unsigned int i = 0; i < in_mix; i++) {
			if (mix[i].ideal >= 0 || mix[i].weight * level <= cap)
				continue;
			mix[i].ideal = cap;
			capacity -= cap;
			capped = true;
		}
		for (unsigned int i = 0; i < in_mix && !capped; i++) {
			if (mix[i].ideal < 0)
				mix[i].ideal = mix[i].weight * level;
		}
	}
}

static void show(unsigned int cpus)
{
	for (unsigned int i = 0; i < in_mix; i++)
		printf("# %u CPUs: weight %u burst %lld nap %lld got %.4f ideal %.4f (%.4f) "
		       "slowest %lld us\n",
		       cpus, mix[i].weight, (long long)mix[i].burst, (long long)mix[i].nap,
		       (double)mix[i].got / 1e9, mix[i].ideal / 1e9, mix[i].moment / 1e9,
		       (long long)mix[i].slowest / 1000);
}

/*
 * All that sleepers leave is for those that do not, by their weights; the scheduler remembers for a
 * while who had too little, but not for ever, so it may do as either ideal says. TOLERATED: in
 * percent of the ideal, or two slices if that is more; where some sleep, 2 % of a CPU.
 */
static void check_shares(unsigned int cpus, stime_t time, double tolerated)
{
	double left = (double)time * cpus;
	double allowance = 2.0 * SCHED_SLICE;

	for (unsigned int i = 0; i < in_mix; i++) {
		mix[i].ideal = mix[i].nap ? (double)mix[i].got : -1;
		left -= mix[i].nap ? (double)mix[i].got : 0;
		if (mix[i].nap)
			allowance = (double)time / 50;
	}
	fill(left, (double)time);
	for (unsigned int i = 0; i < in_mix; i++) {
		double got = (double)mix[i].got;
		double least = mix[i].moment > 0 ? min(mix[i].ideal, mix[i].moment) : mix[i].ideal;
		double most = max(mix[i].ideal, mix[i].moment);
		double off = got > most ? got - most : got < least ? got - least : 0;

		if ((off < 0 ? -off : off) <= max(mix[i].ideal * tolerated / 100, allowance))
			continue;
		show(cpus);
		fail_msg("worker %u is %.2f %% off", i, 100 * off / mix[i].ideal);
	}
}

/* ---- Tests ---- */

static void three_equals_on_two_cpus(void **state)
{
	start(2);
	for (unsigned int i = 0; i < 3; i++)
		add(256, 0);
	measure(500 * MS, 3000 * MS);
	check_shares(2, 3000 * MS, 2);
}

static void one_weight_is_worth_more_than_a_cpu(void **state)
{
	start(2);
	add(256, 0);
	add(512, 0);
	add(1024, 0);
	measure(500 * MS, 3000 * MS);
	check_shares(2, 3000 * MS, 2);
	assert_in_range(mix[0].got, 980 * MS, 1020 * MS);
	assert_in_range(mix[2].got, 2970 * MS, 3000 * MS);
}

/* Two who had to share a CPU while a third had its own have nothing to claim when it must share, too. */
static void history_is_not_owed(void **state)
{
	start(2);
	add(256, 1);
	add(256, 1);
	add(256, 2);
	pass(5000 * MS);
	add(256, 0);
	add(256, 0);
	measure(200 * MS, 4000 * MS);
	check_shares(2, 4000 * MS, 5);
}

/* Nor does one that worked alone have to wait for as long when others come. */
static void idle_time_used_is_not_charged(void **state)
{
	start(2);
	add(256, 1);
	pass(5000 * MS);
	for (unsigned int i = 0; i < 3; i++)
		add(256, 0);
	measure(100 * MS, 2000 * MS);
	check_shares(2, 2000 * MS, 5);
}

static void who_sleeps_much_waits_little(void **state)
{
	for (unsigned int cpus = 1; cpus <= 4; cpus++) {
		struct worker *w;

		start(cpus);
		for (unsigned int i = 0; i < 2 * cpus + 1; i++)
			add(512, 0);
		w = add(128, 0);
		w->burst = MS / 2;
		w->nap = 17 * MS;
		measure(500 * MS, 3000 * MS);
		assert_in_range(w->slowest, 0, 2 * STEP);
		assert_true(w->got > 60 * MS);
		host_sched_stop();
	}
}

/* A slice of theirs is little virtual time; that must not make them coarser. */
static void heavy_ones_are_shared_as_finely(void **state)
{
	start(2);
	for (unsigned int i = 0; i < 3; i++)
		add(65535, 0);
	measure(500 * MS, 3000 * MS);
	check_shares(2, 3000 * MS, 2);
}

static void any_mix_that_never_sleeps(void **state)
{
	machine_seed();
	for (unsigned int round = 0; round < 150; round++) {
		unsigned int cpus = 1 + (unsigned int)rnd_below(4),
			     n = 1 + (unsigned int)rnd_below(MOST);

		unsigned int scale = 1U << rnd_below(6);

		start(cpus);
		for (unsigned int i = 0; i < n; i++)
			add((64 + (unsigned int)rnd_below(961)) * scale, 0);
		measure(1000 * MS, 8000 * MS);
		if (n >= cpus)
			check_shares(cpus, 8000 * MS, 5);
		host_sched_stop();
	}
}

/* Some sleep: at random, so that nothing keeps step with the slices. */
static void mixes_in_which_some_sleep(void)
{
	for (unsigned int round = 0; round < 60; round++) {
		unsigned int cpus = 1 + (unsigned int)rnd_below(4),
			     n = 2 * cpus + (unsigned int)rnd_below(MOST - 2 * cpus + 1);

		start(cpus);
		for (unsigned int i = 0; i < n; i++) {
			struct worker *w = add(64 + (unsigned int)rnd_below(961), 0);

			if (i >= cpus && rnd_below(2)) {
				w->burst = (stime_t)(STEP + rnd_below(20 * MS));
				w->nap = (stime_t)(MS + rnd_below(50 * MS));
			}
		}
		measure(1000 * MS, 8000 * MS);
		check_shares(cpus, 8000 * MS, 5);
		host_sched_stop();
	}
}

static void any_mix_in_which_some_sleep(void **state)
{
	machine_seed();
	mixes_in_which_some_sleep();
}

/*
 * In the first a vCPU that works for 0.6 ms and sleeps for 1.4 kept another from waiting when a slice of its CPU ended, for good: it was 15 % short
 * (the soak found it). In the second it was a quarter, when queues were compared as soon as somebody waits and not again for a slice.
 */
static void short_bursts_hold_nobody(void **state)
{
	rnd_set(0x78f5725ef38bf65b);
	mixes_in_which_some_sleep();
	rnd_set(2249);
	mixes_in_which_some_sleep();
}

/*
 * A sleeper whose nap keeps step with the slices left its CPU to the lightest of its queue each time, a third more than its share, while others
 * waited elsewhere that were behind it; in the second, those were a tenth short.
 */
static void what_sleepers_leave_is_for_all(void **state)
{
	rnd_set(2300);
	mixes_in_which_some_sleep();
	rnd_set(820729793022908690);
	mixes_in_which_some_sleep();
	rnd_set(4118769255192827852);
	mixes_in_which_some_sleep();
}

static int stop(void **state)
{
	host_sched_stop();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(three_equals_on_two_cpus, stop),
		cmocka_unit_test_teardown(one_weight_is_worth_more_than_a_cpu, stop),
		cmocka_unit_test_teardown(history_is_not_owed, stop),
		cmocka_unit_test_teardown(idle_time_used_is_not_charged, stop),
		cmocka_unit_test_teardown(who_sleeps_much_waits_little, stop),
		cmocka_unit_test_teardown(heavy_ones_are_shared_as_finely, stop),
		cmocka_unit_test_teardown(any_mix_that_never_sleeps, stop),
		cmocka_unit_test_teardown(short_bursts_hold_nobody, stop),
		cmocka_unit_test_teardown(what_sleepers_leave_is_for_all, stop),
		cmocka_unit_test_teardown(any_mix_in_which_some_sleep, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
