// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forks and resets of domains without memory: who may run when, and that nobody else gets at a domain that is being made or reset.
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <tine/domain_fork.h>
#include <tine/errno.h>
#include <tine/softirq.h>
#include <tine/vcpu.h>
#include <xen/sched.h>
#include "host_fork.h"
#include "host_log.h"

#define CPUS 5  /* one for each vCPU and one more */
#define CHILD 2 /* its number */

static struct domain *parent;

static bool runs(const struct domain *d)
{
	return d->vcpus[0]->running;
}

static int start(void **state)
{
	struct domain_config config = { .vcpus = 2,
					.memory = MiB(16),
					.on_poweroff = ACTION_PRESERVE };

	host_sched_start(CPUS);
	host_reset_result = 0;
	host_in_the_making = NULL;
	strcpy(config.name, "parent");
	parent = domain_create(&config);
	assert_non_null(parent);
	vcpu_wake(parent->vcpus[1], VCPU_DOWN);
	domain_unpause(parent);
	host_settle();
	assert_true(runs(parent));
	return 0;
}

static int stop(void **state)
{
	host_on_ipi = NULL;
	host_sched_stop();
	return 0;
}

/* Its vCPUs are off the CPUs, as one thread that plays all of these cannot wait for it. */
static void rest(struct domain *d)
{
	domain_pause_nowait(d);
	host_settle();
	assert_false(runs(d));
}

static struct domain *fork_it(void)
{
	struct domain *child;

	rest(parent);
	assert_int_equal(domain_fork_later(parent), 0);
	host_settle();
	domain_unpause(parent);
	host_settle();
	child = domain_of_id(CHILD);
	assert_non_null(child);
	assert_true(runs(parent));
	assert_true(runs(child));
	assert_true(child->vcpus[1]->running);
	return child;
}

static void a_half_reset_fork_does_not_run(void **state)
{
	struct domain *child = fork_it();

	rest(child);
	host_reset_result = -ERESTART;
	assert_int_equal(domain_reset(child, NULL, NULL), -ERESTART);
	domain_unpause(child);
	host_settle();
	assert_false(runs(child));
	assert_false(child->vcpus[1]->running);
	/* The rest of it. */
	host_reset_result = 0;
	assert_int_equal(domain_reset(child, NULL, NULL), 0);
	host_settle();
	assert_true(runs(child));
	assert_true(child->vcpus[1]->running);
	assert_int_equal(child->fork->resets, 1);
}

static int reset_meanwhile;

static void reset_it(struct domain *child)
{
	reset_meanwhile = domain_reset(child, NULL, NULL);
}

/* The parent's other vCPUs run by then, and can guess its number. */
static void a_fork_in_the_making_is_not_reset(void **state)
{
	struct domain *child;

	reset_meanwhile = 1;
	host_in_the_making = reset_it;
	child = fork_it();
	assert_int_equal(reset_meanwhile, -EBUSY);
	assert_int_equal(child->fork->resets, 0);
	/* Once it is made it can be. */
	rest(child);
	assert_int_equal(domain_reset(child, NULL, NULL), 0);
}

static const struct domain *watched;
static unsigned int wakes, unclaimed_wakes;

/* A CPU is told of a vCPU of WATCHED that may run. */
static void look_at_claim(void)
{
	wakes++;
	unclaimed_wakes += !watched->fork_busy;
}

/* Shut down, not paused: so that it is the reset that lets its vCPUs go. */
static void end_and_watch(struct domain *child)
{
	domain_shutdown(child, SHUTDOWN_poweroff);
	host_settle();
	assert_false(runs(child));
	watched = child;
	wakes = unclaimed_wakes = 0;
	host_on_ipi = look_at_claim;
}

static void check_watched(struct domain *child, unsigned long resets)
{
	host_on_ipi = NULL;
	assert_int_equal(child->fork->resets, resets);
	assert_int_not_equal(wakes, 0);
	assert_int_equal(unclaimed_wakes, 0);
	assert_false(child->fork_busy);
	host_be(0);
	host_settle();
	assert_true(runs(child));
	assert_true(child->vcpus[1]->running);
}

static unsigned int cpu_without(const struct domain *d)
{
	unsigned int cpu = 0;

	while (cpu == d->vcpus[0]->cpu || cpu == d->vcpus[1]->cpu)
		cpu++;
	return cpu;
}

/* Whoever claims a domain relies on its vCPUs to stay where they are. */
static void claimed_until_all_vcpus_may_run(void **state)
{
	struct domain *child = fork_it();

	/* By hypercall, on a CPU that has none of them. */
	end_and_watch(child);
	host_be(cpu_without(child));
	assert_int_equal(domain_reset(child, NULL, NULL), 0);
	check_watched(child, 1);
	/* By the console, on CPU 0. */
	end_and_watch(child);
	assert_int_equal(domain_reset_later(child), 0);
	softirq_process();
	check_watched(child, 2);
}

/* As vCPU 0 of D, which runs. */
static void be_vcpu_of(struct domain *d)
{
	assert_true(runs(d));
	host_be(d->vcpus[0]->cpu);
	assert_ptr_equal(current, d->vcpus[0]);
}

/* CPU 0, which does the work when all vCPUs have stopped, comes after the others. */
static void settle_from_the_last(void)
{
	for (unsigned int cpu = CPUS; cpu--;) {
		host_be(cpu);
		softirq_process();
	}
	host_settle();
}

/* In a list of calls its result would be the list's in the child, and the entry's 0 in the parent. */
static void self_is_a_call_of_its_own(void **state)
{
	be_vcpu_of(parent);
	assert_int_equal(domain_fork_self(false), -EPERM);
	parent->config.may_fork = true;
	current->multicall.active = true;
	assert_int_equal(domain_fork_self(false), -EOPNOTSUPP);
	assert_false(parent->fork_busy);
	current->multicall.active = false;
	assert_int_equal(domain_fork_self(false), 0);
	settle_from_the_last();
	assert_int_equal(host_result[0], CHILD);
}

/* ---- A fork that fails ---- */

static struct domain *other;
static unsigned int steps, other_ended_at;

static int no_memory(struct domain *child, struct domain *from)
{
	return -ENOMEM;
}

/* In ten steps. Other work comes in between: the end of another domain, asked for in the first. */
static int take_apart(struct domain *d)
{
	if (d == other)
		other_ended_at = steps;
	if (d == other || d == parent || steps == 10)
		return 0;
	assert_false(runs(parent));
	if (!steps)
		domain_destroy(other);
	return ++steps < 10 ? -ERESTART : 0;
}

static int nothing(struct domain *d)
{
	return 0;
}

static void a_fork_that_fails_holds_nobody_up(void **state)
{
	static const struct host_memory memory = { .create = nothing,
						   .destroy = take_apart,
						   .fork = no_memory };

	struct domain_config config = { .vcpus = 1, .memory = MiB(16) };

	strcpy(config.name, "other");
	other = domain_create(&config);
	rest(parent);
	host_memory = &memory;
	steps = other_ended_at = 0;
	assert_int_equal(domain_fork_later(parent), 0);
	host_settle();
	host_memory = NULL;
	assert_in_range(other_ended_at, 1, 9);
	assert_log("could not be forked: error 12");
	domain_unpause(parent);
	host_settle();
	assert_true(runs(parent));
	assert_false(parent->fork_busy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_half_reset_fork_does_not_run, start, stop),
		cmocka_unit_test_setup_teardown(a_fork_in_the_making_is_not_reset, start, stop),
		cmocka_unit_test_setup_teardown(claimed_until_all_vcpus_may_run, start, stop),
		cmocka_unit_test_setup_teardown(self_is_a_call_of_its_own, start, stop),
		cmocka_unit_test_setup_teardown(a_fork_that_fails_holds_nobody_up, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
