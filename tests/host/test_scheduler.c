// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler on CPUs that one thread plays in turn: a vCPU is always in exactly one place,
 * shares follow weights, affinity holds, nobody waits while a CPU that it may use idles, and waking
 * is prompt.
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

static struct domain *make(unsigned int vcpus, unsigned int weight, unsigned long affinity)
{
	struct domain_config config = {
		.name = "test",
		.vcpus = vcpus,
		.cpu_weight = weight,
		.memory = MiB(1),
		.type = DOMAIN_PVH, /* no periodic tick to disturb */
	};
	struct domain *d;

	config.affinity.bits[0] = affinity;
	d = domain_create(&config);
	assert_non_null(d);
	domain_unpause(d);
	for (unsigned int i = 1; i < vcpus; i++)
		vcpu_wake(d->vcpus[i], VCPU_DOWN);
	return d;
}

static u64 ran(struct vcpu *v)
{
	vcpu_runstate_info_t rec;

	vcpu_get_runstate(v, &rec);
	return rec.time[RUNSTATE_running];
}

static struct vcpu *on(unsigned int cpu)
{
	return per_cpu(current_vcpu, cpu);
}

/* Of the vCPUs of D: where the scheduler has them must be where their flags say they belong. */
static void check_places(struct domain *d)
{
	struct vcpu *v;
	unsigned int i;

	for_each_vcpu (d, v, i) {
		bool queued = !list_empty(&v->run_link);

		assert_int_equal(v->running, on(v->cpu) == v);
		assert_int_equal(vcpu_runnable(v), v->running || queued);
		assert_false(v->running && queued);
		assert_true(cpumask_test(&v->affinity, v->cpu));
		if (!queued)
			continue;
		for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
			assert_false(vcpu_is_idle(on(cpu)) && cpumask_test(&v->affinity, cpu));
	}
}

static void equal_weights_share_equally(void **state)
{
	struct domain *d;

	host_sched_start(1);
	d = make(3, 256, 0);
	host_run_until(host_time + 3000 * MS);
	check_places(d);
	for (unsigned int i = 0; i < 3; i++)
		assert_in_range(ran(d->vcpus[i]), 985 * MS, 1015 * MS);
}

static void weights_are_shares(void **state)
{
	struct domain *a, *b;

	host_sched_start(1);
	a = make(1, 512, 0);
	b = make(1, 128, 0);
	host_run_until(host_time + 5000 * MS);
	assert_in_range(ran(a->vcpus[0]), 3950 * MS, 4050 * MS);
	assert_in_range(ran(b->vcpus[0]), 950 * MS, 1050 * MS);
}

static void alone_it_runs_without_interrupts(void **state)
{
	struct domain *d;

	host_sched_start(1);
	d = make(1, 256, 0);
	host_settle();
	assert_ptr_equal(on(0), d->vcpus[0]);
	/* A standing interrupt may come once; then nobody asks for more. */
	host_run_until(host_time + 100 * MS);
	assert_true(host_timer[0] == STIME_MAX);
	host_be(0);
	sched_give_way();
	assert_false(softirq_waiting());
}

static void yield_lets_the_other_run(void **state)
{
	struct domain *d;
	struct vcpu *first;

	host_sched_start(1);
	d = make(2, 256, 0);
	host_settle();
	first = on(0);
	host_time += 1000;
	sched_give_way();
	host_settle();
	assert_ptr_not_equal(on(0), first);
	check_places(d);
}

static void affinity_holds(void **state)
{
	struct domain *a, *b;

	host_sched_start(4);
	a = make(4, 256, 1UL << 2);
	b = make(4, 256, 0);
	host_run_until(host_time + 1000 * MS);
	check_places(a);
	check_places(b);
	for (unsigned int i = 0; i < 4; i++) {
		assert_int_equal(a->vcpus[i]->cpu, 2);
		assert_true(ran(a->vcpus[i]) > 100 * MS);
		assert_true(ran(b->vcpus[i]) > 450 * MS);
	}
}

static void a_sleeper_gets_the_cpu_when_it_wakes(void **state)
{
	struct domain *hog, *d;
	struct vcpu *v;
	stime_t woken;

	host_sched_start(1);
	hog = make(1, 256, 0);
	d = make(1, 256, 0);
	v = d->vcpus[0];
	vcpu_stop(v, VCPU_BLOCKED);
	host_run_until(host_time + 500 * MS);
	assert_ptr_equal(on(0), hog->vcpus[0]);
	woken = host_time;
	vcpu_wake(v, VCPU_BLOCKED);
	host_settle();
	assert_ptr_equal(on(0), v);
	assert_int_equal(host_time, woken);
	/* It has saved up a credit, but not half a second of the hog's time. */
	host_run_until(host_time + 100 * MS);
	assert_in_range(ran(hog->vcpus[0]), 530 * MS, 560 * MS);
}

static void idle_cpus_take_work(void **state)
{
	struct domain *d;

	host_sched_start(4);
	d = make(4, 256, 0);
	host_run_until(host_time + 100 * MS);
	for (unsigned int cpu = 0; cpu < 4; cpu++)
		assert_false(vcpu_is_idle(on(cpu)));
	for (unsigned int i = 0; i < 4; i++)
		assert_true(ran(d->vcpus[i]) > 90 * MS);
}

static void wakes_between_pick_and_put_away_are_not_lost(void **state)
{
	struct domain *d;

	host_sched_start(1);
	d = make(1, 256, 0);
	host_settle();
	vcpu_stop(d->vcpus[0], VCPU_BLOCKED);
	vcpu_wake(d->vcpus[0], VCPU_BLOCKED); /* before the CPU has looked */
	host_settle();
	assert_ptr_equal(on(0), d->vcpus[0]);
}

static void another_ones_ticks_can_be_set_while_it_runs(void **state)
{
	struct domain *d;
	struct vcpu *v;
	stime_t begun;

	host_sched_start(2);
	d = make(2, 256, 0);
	host_settle();
	v = d->vcpus[on(1) == d->vcpus[1]]; /* the one on CPU 1 */
	assert_ptr_equal(on(1), v);
	begun = host_time;
	host_be(0);
	vcpu_set_periodic(v, 2 * MS);
	host_run_until(begun + 51 * MS);
	assert_ptr_equal(on(1), v);
	assert_in_range(v->periodic_last, begun + 46 * MS, begun + 51 * MS);
	vcpu_set_periodic(v, 0);
	host_run_until(begun + 100 * MS);
	assert_in_range(v->periodic_last, begun + 46 * MS, begun + 51 * MS);
}

/* It is between two queues when its domain ends, and somebody is about to lock one of them for it. */
static void a_domain_ends_after_its_vcpus_moves(void **state)
{
	struct domain *d;
	struct vcpu *v;

	host_sched_start(2);
	d = make(1, 256, 0);
	v = d->vcpus[0];
	vcpu_stop(v, VCPU_BLOCKED);
	host_settle();
	v->moving = true;
	domain_destroy(d);
	host_run_until(host_time + 100 * MS);
	assert_ptr_equal(domain_of_id(d->id), d);
	v->moving = false;
	host_run_until(host_time + 100 * MS);
	assert_null(domain_of_id(1));
}

static void chaos_keeps_everybody_in_one_place(void **state)
{
	struct domain *ds[6];

	machine_seed();
	host_sched_start(5);
	for (unsigned int i = 0; i < ARRAY_SIZE(ds); i++)
		ds[i] = make(4, 64 << (i % 4), i % 2 ? 0 : 1 + rnd_below(31));
	for (unsigned int step = 0; step < 100000; step++) {
		struct domain *d = ds[rnd_below(ARRAY_SIZE(ds))];
		struct vcpu *v = d->vcpus[rnd_below(4)];

		host_be((unsigned int)rnd_below(nr_cpus));
		switch (rnd_below(6)) {
		case 0:
			vcpu_stop(v, VCPU_BLOCKED);
			break;
		case 1:
		case 2:
			vcpu_wake(v, VCPU_BLOCKED);
			break;
		case 3:
			softirq_process(); /* this CPU only */
			break;
		case 4:
			if (!vcpu_is_idle(current))
				sched_give_way();
			break;
		case 5:
			host_run_until(host_time + (stime_t)rnd_below(15 * MS));
			host_settle();
			for (unsigned int i = 0; i < ARRAY_SIZE(ds); i++)
				check_places(ds[i]);
		}
	}
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
		cmocka_unit_test_teardown(equal_weights_share_equally, stop),
		cmocka_unit_test_teardown(weights_are_shares, stop),
		cmocka_unit_test_teardown(alone_it_runs_without_interrupts, stop),
		cmocka_unit_test_teardown(yield_lets_the_other_run, stop),
		cmocka_unit_test_teardown(affinity_holds, stop),
		cmocka_unit_test_teardown(a_sleeper_gets_the_cpu_when_it_wakes, stop),
		cmocka_unit_test_teardown(idle_cpus_take_work, stop),
		cmocka_unit_test_teardown(wakes_between_pick_and_put_away_are_not_lost, stop),
		cmocka_unit_test_teardown(another_ones_ticks_can_be_set_while_it_runs, stop),
		cmocka_unit_test_teardown(a_domain_ends_after_its_vcpus_moves, stop),
		cmocka_unit_test_teardown(chaos_keeps_everybody_in_one_place, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
