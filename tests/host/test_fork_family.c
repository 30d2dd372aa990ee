// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Families of forks: how many guests may make, who ends with whom, and that what one family uses is not what another was promised.
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <tine/domain_fork.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/softirq.h>
#include <tine/vcpu.h>
#include "../../sched/fork_family.h"
#include "../../sched/internal.h"
#include "host_fork.h"
#include "host_machine.h"

#define CPUS 9
#define MAX_FORKS 3
#define PROMISE (MiB(16) / PAGE_SIZE / 64)
#define FLOOR 512 /* frames that are left by who is over */

static struct domain *a, *b;

static struct domain *make(const char *name)
{
	struct domain_config config = {
		.vcpus = 1, .memory = MiB(16), .may_fork = true, .max_forks = MAX_FORKS
	};
	struct domain *d;

	strcpy(config.name, name);
	d = domain_create(&config);
	assert_non_null(d);
	domain_unpause(d);
	host_settle();
	return d;
}

static int start(void **state)
{
	host_sched_start(CPUS);
	host_reset_result = 0;
	host_in_the_making = NULL;
	a = make("a");
	b = make("b");
	return 0;
}

static int stop(void **state)
{
	host_sched_stop();
	return 0;
}

static void let_it_end(struct domain *d)
{
	domain_destroy(d);
	host_run_until(host_time + NSEC_PER_SEC);
}

/* CPU 0, which forks what has stopped, comes after the others. */
static void settle_from_the_last(void)
{
	for (unsigned int cpu = CPUS; cpu--;) {
		host_be(cpu);
		softirq_process();
	}
	host_settle();
}

/* By D's own hypercall: the child, or NULL and the error. */
static struct domain *fork_self(struct domain *d, bool waits, long *error)
{
	assert_true(d->vcpus[0]->running);
	host_be(d->vcpus[0]->cpu);
	assert_ptr_equal(current, d->vcpus[0]);
	*error = domain_fork_self(waits);
	if (*error)
		return NULL;
	settle_from_the_last();
	assert_in_range(host_result[0], 1, DOMID_FIRST_RESERVED - 1);
	return domain_of_id((domid_t)host_result[0]);
}

static struct domain *child_of(struct domain *d, bool waits)
{
	long error;
	struct domain *child = fork_self(d, waits, &error);

	assert_int_equal(error, 0);
	return child;
}

static void expect_no_fork(struct domain *d, long wanted)
{
	long error;

	assert_null(fork_self(d, true, &error));
	assert_int_equal(error, wanted);
	assert_false(d->fork_busy);
}

/* The family has them together, however deep. */
static void guests_make_no_more_than_they_may(void **state)
{
	struct domain *child = child_of(a, false), *second = child_of(child, true);

	(void)child_of(a, true);
	assert_int_equal(a->nr_forks, MAX_FORKS);
	expect_no_fork(a, -ENOSPC);
	expect_no_fork(child, -ENOSPC);
	(void)child_of(b, true);
	let_it_end(second);
	(void)child_of(child, true);
	expect_no_fork(a, -ENOSPC);
}

/* Whose structure its forks need is still one. */
static void who_has_ended_counts_with_its_forks(void **state)
{
	struct domain *child = child_of(a, false), *second = child_of(child, false);

	let_it_end(child);
	assert_int_equal(a->nr_forks, 2);
	let_it_end(second);
	assert_int_equal(a->nr_forks, 0);
	assert_int_equal(a->own_forks, 0);
	for (unsigned int i = 0; i < MAX_FORKS; i++)
		(void)child_of(a, true);
	expect_no_fork(a, -ENOSPC);
}

/* Those made by hand are the administrator's affair. */
static void all_that_it_made_ends_with_it(void **state)
{
	struct domain *child = child_of(a, false), *second = child_of(child, false);
	struct domain *by_hand, *other = child_of(b, true);

	assert_int_equal(domain_fork_later(child), 0);
	settle_from_the_last();
	by_hand = domain_of_id(other->id + 1);
	assert_non_null(by_hand);
	assert_ptr_equal(by_hand->fork->parent, child);
	/* The one between has ended before. */
	let_it_end(child);
	assert_false(second->dying);
	domain_destroy(a);
	domain_destroy_own_forks(a);
	assert_true(second->dying);
	assert_false(by_hand->dying);
	assert_false(other->dying);
	assert_false(b->dying);
}

/* What a fork has made is none of what it was when it began. */
static void a_reset_ends_what_it_made(void **state)
{
	struct domain *child = child_of(a, false), *second = child_of(child, false);
	struct domain *third = child_of(second, true), *other = child_of(b, true);

	domain_pause_nowait(child);
	host_settle();
	assert_int_equal(domain_reset(child, NULL, NULL), 0);
	domain_unpause(child);
	assert_true(second->dying);
	assert_true(third->dying);
	assert_false(other->dying);
	host_run_until(host_time + NSEC_PER_SEC);
	assert_int_equal(a->nr_forks, 1);
	for (unsigned int i = 0; i < 5; i++) {
		host_be(0);
		(void)child_of(child, true);
		(void)child_of(child, true);
		domain_pause_nowait(child);
		host_settle();
		assert_int_equal(domain_reset(child, NULL, NULL), 0);
		domain_unpause(child);
		host_run_until(host_time + NSEC_PER_SEC);
	}
}

/* ---- Memory ---- */

static mfn_t hoard[MiB(64) / PAGE_SIZE];
static unsigned int hoarded;

static void hoard_until(unsigned long free)
{
	while (heap_free_total() > free)
		hoard[hoarded++] = heap_alloc(0, NUMA_NO_NODE, 0, HEAP_DIRTY_OK);
}

static void give_hoard_back(void)
{
	while (hoarded)
		heap_free(hoard[--hoarded], 0, true);
}

/* As many as it gets, which is in MFNS; the last answer is -ENOMEM. */
static unsigned long take_all(struct domain *d, mfn_t *mfns)
{
	unsigned long n = 0;
	int ret;

	while (!(ret = domain_alloc_unseen(d, &mfns[n])))
		n++;
	assert_int_equal(ret, -ENOMEM);
	return n;
}

static void give_up(const mfn_t *mfns, unsigned long n)
{
	while (n--)
		assert_true(page_give_up(mfn_to_page(mfns[n])));
}

static void one_takes_nothing_from_the_other(void **state)
{
	static mfn_t of_a[4096], of_b[4096], of_c[4096];
	struct domain *child = child_of(a, true), *other = child_of(b, true), *c = make("c");
	unsigned long n;

	hoard_until(3000);
	n = take_all(child, of_a);
	assert_int_equal(heap_free_total(), FLOOR + PROMISE);
	assert_int_equal(fork_family_used(a), n);
	/* A itself pays for copies as well, and so does who has no forks. */
	assert_int_equal(take_all(a, of_c), 0);
	assert_int_equal(take_all(c, of_c), 0);
	expect_no_fork(a, -ENOMEM);
	expect_no_fork(c, -ENOMEM);
	/* B has what it was promised. */
	assert_int_equal(take_all(other, of_b), PROMISE);
	assert_int_equal(heap_free_total(), FLOOR);
	/* What A gives back it may have again, and so may B. */
	give_up(of_a, 100);
	assert_int_equal(take_all(other, of_b + PROMISE), 100);
	give_up(of_a + 100, 100);
	assert_int_equal(take_all(child, of_a), 100);
	give_up(of_b, PROMISE + 100);
	give_up(of_a, 100);
	give_up(of_a + 200, n - 200);
	assert_int_equal(fork_family_used(a), 0);
	assert_int_equal(fork_family_used(b), 0);
	give_hoard_back();
	/* Without families there is no promise. */
	let_it_end(child);
	let_it_end(other);
	hoard_until(10);
	assert_int_equal(take_all(c, of_c), 10);
	give_up(of_c, 10);
	give_hoard_back();
}

/* Frames that nobody owns are what a snapshot costs. */
static void frames_in_common_count_for_whose_they_were(void **state)
{
	struct domain *child = child_of(a, true), *other = child_of(b, true);
	mfn_t mfn[3];

	for (unsigned int i = 0; i < 2; i++)
		assert_int_equal(domain_alloc_unseen(a, &mfn[i]), 0);
	assert_int_equal(domain_alloc_unseen(child, &mfn[2]), 0);
	assert_int_equal(fork_family_used(a), 1);
	for (unsigned int i = 0; i < 3; i++)
		domain_leave_page(mfn_to_page(mfn[i])->owner == a->id ? a : child,
				  mfn_to_page(mfn[i]));
	assert_int_equal(a->nr_pages, 0);
	assert_int_equal(fork_family_used(a), 3);
	/* The last that maps it: the first domain, a fork, another family by sharing on request. */
	assert_int_equal(domain_adopt_page(a, mfn_to_page(mfn[0])), 0);
	assert_int_equal(fork_family_used(a), 2);
	assert_int_equal(domain_adopt_page(child, mfn_to_page(mfn[1])), 0);
	assert_int_equal(fork_family_used(a), 2);
	assert_int_equal(domain_adopt_page(other, mfn_to_page(mfn[2])), 0);
	assert_int_equal(fork_family_used(a), 1);
	assert_int_equal(fork_family_used(b), 1);
	/* Or nobody does. */
	domain_leave_page(other, mfn_to_page(mfn[2]));
	let_it_end(other);
	let_it_end(b);
	assert_non_null(domain_of_id(b->id));
	give_up(mfn, 3);
	assert_int_equal(fork_family_used(a), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(guests_make_no_more_than_they_may, start, stop),
		cmocka_unit_test_setup_teardown(who_has_ended_counts_with_its_forks, start, stop),
		cmocka_unit_test_setup_teardown(all_that_it_made_ends_with_it, start, stop),
		cmocka_unit_test_setup_teardown(a_reset_ends_what_it_made, start, stop),
		cmocka_unit_test_setup_teardown(one_takes_nothing_from_the_other, start, stop),
		cmocka_unit_test_setup_teardown(frames_in_common_count_for_whose_they_were, start,
						stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
