// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How domains end: every frame comes back to the heap, also late ones, also from a domain that was
 * never complete; and the machine ends with its last domain, with the verdict that the domains'
 * ends add up to.
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <xen/sched.h>
#include "host_log.h"
#include "host_machine.h"

#define SECOND NSEC_PER_SEC
#define CHILD_CODE 40 /* sanitizers have codes of their own */

static struct domain_config config;

static struct domain *make(const char *name)
{
	struct domain *d;

	config = (struct domain_config){ .vcpus = 2,
					 .memory = MiB(16),
					 .on_reboot = ACTION_RESTART };
	strcpy(config.name, name);
	d = domain_create(&config);
	if (d)
		domain_unpause(d);
	return d;
}

static int start(void **state)
{
	host_sched_start(2);
	return 0;
}

static int stop(void **state)
{
	host_sched_stop();
	return 0;
}

static struct page *give(struct domain *d, unsigned int order)
{
	mfn_t mfn;

	assert_int_equal(domain_alloc_pages(d, order, 0, &mfn), 0);
	return mfn_to_page(mfn);
}

static void all_frames_come_back(void **state)
{
	unsigned long before = heap_free_total();

	for (unsigned int round = 0; round < 50; round++) {
		struct domain *d = make("d");

		for (unsigned int i = 0; i < 300; i++)
			give(d, i % 4);
		assert_int_equal(d->nr_pages, 75 * 15);
		host_run_until(host_time + SECOND / 100);
		domain_destroy(d);
		domain_destroy(d); /* twice is once */
		host_run_until(host_time + SECOND);
		assert_null(domain_get(1));
	}
	assert_in_range(heap_free_total(), before - 12, before);
}

static void a_frame_that_others_hold_comes_back_with_them(void **state)
{
	struct domain *d = make("d");
	struct page *held = give(d, 0);
	unsigned long before;

	assert_true(page_get(held, d));
	domain_destroy(d);
	host_run_until(host_time + SECOND);
	assert_log("others still hold 1 of its frames");
	before = heap_free_total();
	page_put(held);
	host_run_until(host_time + SECOND);
	assert_true(heap_free_total() > before);
	assert_null(domain_of_id(1));
}

static void a_given_up_frame_cannot_be_taken(void **state)
{
	struct domain *d = make("d"), *other = make("other");
	struct page *pg = give(d, 0);

	assert_false(page_get(pg, other));
	assert_true(page_get(pg, d));
	assert_true(page_give_up(pg));
	assert_false(page_give_up(pg));
	assert_int_equal(d->nr_pages, 1);
	page_put(pg);
	assert_int_equal(d->nr_pages, 0);
	assert_false(page_get(pg, d));
}

static void a_domain_gets_no_more_than_its_maximum(void **state)
{
	struct domain *d = make("d");
	mfn_t mfn;

	give(d, 11);
	assert_int_equal(domain_alloc_pages(d, 11, 0, &mfn), 0);
	assert_int_equal(domain_alloc_pages(d, 0, 0, &mfn), -E2BIG);
	domain_destroy(d);
	assert_int_equal(domain_alloc_pages(d, 0, 0, &mfn), -EINVAL);
}

/* Who ended may still be remembered by others, by its number. */
static void ids_come_again_when_all_were_given(void **state)
{
	struct domain *a = make("a"), *b = make("b"), *c;

	assert_int_equal(a->id, 1);
	assert_int_equal(b->id, 2);
	domain_destroy(a);
	host_run_until(host_time + SECOND);
	c = make("c");
	assert_int_equal(c->id, 3);
	assert_ptr_equal(domain_of_id(3), c);
	assert_null(domain_of_id(1));
	assert_null(domain_of_id(DOMID_SELF));
	for (unsigned int id = 4; id < DOMID_FIRST_RESERVED; id++) {
		domain_destroy(c);
		host_run_until(host_time + SECOND);
		c = make("c");
		assert_int_equal(c->id, id);
	}
	host_spent += DOMID_FIRST_RESERVED * sizeof(c) / PAGE_SIZE; /* to find each by its number */
	/* Those that others have still are passed over. */
	a = make("a");
	assert_int_equal(a->id, 1);
	a = make("a");
	assert_int_equal(a->id, 3);
}

static void a_reference_keeps_the_structure(void **state)
{
	struct domain *d = make("d");

	assert_ptr_equal(domain_get(1), d);
	domain_destroy(d);
	host_run_until(host_time + SECOND);
	assert_null(domain_get(1)); /* dying: nobody gets it any more */
	assert_ptr_equal(domain_of_id(1), d);
	domain_put(d);
	host_settle();
	assert_null(domain_of_id(1));
}

static void pauses_nest(void **state)
{
	struct domain *d = make("d");

	host_settle();
	domain_pause_nowait(d);
	domain_pause_nowait(d);
	host_settle();
	assert_false(d->vcpus[0]->running);
	domain_unpause(d);
	host_settle();
	assert_false(d->vcpus[0]->running);
	domain_unpause(d);
	host_settle();
	assert_true(d->vcpus[0]->running);
	assert_false(d->vcpus[1]->running); /* still down */
}

/* ---- The machine's end, once a process ---- */

static unsigned int rebuilt;

static int rebuild(const struct domain_config *c)
{
	return ++rebuilt < 3 && make(c->name) ? 0 : -ENOMEM;
}

/*
 * What became of the machine after FN has had its way with domain A and, if it wants one, others.
 */
static enum host_end machine_after(void (*fn)(struct domain *a))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct domain *a = make("a");

		domain_boot_done(true);
		host_run_until(host_time + SECOND);
		if (host_end != HOST_UP)
			_exit(98);
		fn(a);
		host_run_until(host_time + SECOND);
		_exit(CHILD_CODE + host_end);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status) - CHILD_CODE;
}

static void power_off(struct domain *a)
{
	domain_shutdown(a, SHUTDOWN_poweroff);
}

static void crash(struct domain *a)
{
	domain_crash(a, "test");
}

static void crash_preserved(struct domain *a)
{
	a->config.on_crash = ACTION_PRESERVE;
	domain_crash(a, "test");
}

static void destroy_by_hand(struct domain *a)
{
	domain_destroy(a);
}

static void one_of_two(struct domain *a)
{
	(void)make("b");
	domain_shutdown(a, SHUTDOWN_poweroff);
}

static void crash_then_power_off(struct domain *a)
{
	struct domain *b = make("b");

	domain_crash(a, "test");
	host_run_until(host_time + SECOND);
	domain_shutdown(b, SHUTDOWN_poweroff);
}

static void end_alive(struct domain *d, void *reason)
{
	if (!d->dying)
		domain_shutdown(d, *(u32 *)reason);
}

static void reboot_twice_then_power_off(struct domain *a)
{
	u32 reason = SHUTDOWN_reboot;

	domain_set_rebuilder(rebuild);
	for (unsigned int i = 0; i < 2; i++) {
		domain_for_each(end_alive, &reason);
		host_run_until(host_time + SECOND);
		if (host_end != HOST_UP || rebuilt != i + 1)
			_exit(97);
	}
	reason = SHUTDOWN_poweroff;
	domain_for_each(end_alive, &reason);
}

static void reboot_that_fails(struct domain *a)
{
	domain_shutdown(a, SHUTDOWN_reboot);
}

static void initial_reboots(struct domain *a)
{
	a->config.initial = true;
	domain_shutdown(a, SHUTDOWN_reboot);
}

static void not_watched(struct domain *a)
{
	if (domain_watchdog(a, 0, 1) != 1)
		_exit(96);
}

static void watched_for_a_while(struct domain *a)
{
	if (domain_watchdog(a, 0, 1) != 1)
		_exit(96);
	for (unsigned int i = 0; i < 4; i++) {
		host_run_until(host_time + SECOND / 2);
		if (domain_watchdog(a, 1, 1))
			_exit(96);
	}
	host_run_until(host_time + SECOND / 2);
	if (domain_watchdog(a, 1, 0))
		_exit(96);
	host_run_until(host_time + 3 * SECOND);
}

static void the_machine_ends_with_its_last_domain(void **state)
{
	assert_int_equal(machine_after(power_off), HOST_OFF_GOOD);
	assert_int_equal(machine_after(crash), HOST_OFF_BAD);
	assert_int_equal(machine_after(crash_preserved), HOST_OFF_BAD);
	assert_int_equal(machine_after(destroy_by_hand), HOST_OFF_BAD);
	assert_int_equal(machine_after(one_of_two), HOST_UP);
	assert_int_equal(machine_after(crash_then_power_off), HOST_OFF_BAD);
	assert_int_equal(machine_after(reboot_twice_then_power_off), HOST_OFF_GOOD);
	assert_int_equal(machine_after(reboot_that_fails), HOST_OFF_BAD);
	assert_int_equal(machine_after(initial_reboots), HOST_REBOOT);
	assert_int_equal(machine_after(not_watched), HOST_OFF_BAD);
	assert_int_equal(machine_after(watched_for_a_while), HOST_UP);
}

static void there_are_two_watchdogs(void **state)
{
	struct domain *a = make("a");

	assert_int_equal(domain_watchdog(a, 1, 5), -EINVAL);
	assert_int_equal(domain_watchdog(a, 0, 5), 1);
	assert_int_equal(domain_watchdog(a, 0, 5), 2);
	assert_int_equal(domain_watchdog(a, 0, 5), -ENOSPC);
	assert_int_equal(domain_watchdog(a, 3, 5), -EINVAL);
	assert_int_equal(domain_watchdog(a, ~0U, 5), -EINVAL);
	assert_int_equal(domain_watchdog(a, 1, 0), 0);
	assert_int_equal(domain_watchdog(a, 1, 0), -EINVAL);
	assert_int_equal(domain_watchdog(a, 1, 5), -EINVAL);
	assert_int_equal(domain_watchdog(a, 2, 1), 0);
	assert_int_equal(domain_watchdog(a, 0, 9), 1);
	a->config.on_watchdog = ACTION_PRESERVE;
	host_run_until(host_time + SECOND / 2);
	assert_int_equal(a->shutdown_code, SHUTDOWN_NONE);
	host_run_until(host_time + SECOND);
	assert_int_equal(a->shutdown_code, SHUTDOWN_watchdog);
	assert_false(a->dying);
	domain_destroy(a); /* with the other one still set */
	host_run_until(host_time + 20 * SECOND);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		/* First: a domain that another test destroyed would count in the verdict. */
		cmocka_unit_test_setup_teardown(the_machine_ends_with_its_last_domain, start, stop),
		cmocka_unit_test_setup_teardown(all_frames_come_back, start, stop),
		cmocka_unit_test_setup_teardown(a_frame_that_others_hold_comes_back_with_them,
						start, stop),
		cmocka_unit_test_setup_teardown(a_given_up_frame_cannot_be_taken, start, stop),
		cmocka_unit_test_setup_teardown(a_domain_gets_no_more_than_its_maximum, start,
						stop),
		cmocka_unit_test_setup_teardown(ids_come_again_when_all_were_given, start, stop),
		cmocka_unit_test_setup_teardown(a_reference_keeps_the_structure, start, stop),
		cmocka_unit_test_setup_teardown(pauses_nest, start, stop),
		cmocka_unit_test_setup_teardown(there_are_two_watchdogs, start, stop),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
