// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A domain ends while the last reference on one of its frames goes elsewhere, and the frame is another domain's at once: the end must not take it from that
 * one. The moment is made by a lock: domain_pages_reap() asks for the frame's where others map it, and this test has that.
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <pthread.h>
#include <string.h>
#include <cmocka.h>
#include <asm/barrier.h>
#include <asm/percpu.h>
#include <tine/errno.h>
#include <tine/heap.h>
#include <tine/p2m.h>
#include "host_machine.h"
#include "../../sched/internal.h"

#define MEMORY MiB(16)

static struct domain *make(const char *name)
{
	struct domain_config config = { .vcpus = 1, .memory = MEMORY };
	struct domain *d;

	strcpy(config.name, name);
	d = domain_create(&config);
	assert_non_null(d);
	d->max_pages = MEMORY >> PAGE_SHIFT;
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

/* A frame of D's that only trees of others still refer to. */
static struct page *given_up_but_mapped(struct domain *d)
{
	struct page *pg;
	mfn_t mfn;

	assert_int_equal(domain_p2m_frames.alloc(d, 0, false, &mfn), 0);
	pg = mfn_to_page(mfn);
	assert_true(page_give_up(pg));
	assert_int_equal(pg->count_info & PAGE_COUNT_MASK, 1);
	return pg;
}

static void *reap(void *arg)
{
	host_cpu = 1;
	return domain_pages_reap(arg, 8) ? arg : NULL;
}

static void wait_until_unlisted(struct domain *d)
{
	u32 first;

	do {
		cpu_relax();
		spin_lock(&d->page_lock);
		first = d->pages;
		spin_unlock(&d->page_lock);
	} while (first != PAGE_LINK_END);
}

/* True: PG came back to the heap and is D's now. */
static bool get_that(struct domain *d, const struct page *pg)
{
	mfn_t mfn;

	while (!domain_alloc_pages(d, 0, HEAP_DIRTY_OK, &mfn)) {
		if (mfn_to_page(mfn) == pg)
			return true;
	}
	return false;
}

static void a_frame_is_not_taken_from_its_next_owner(void **state)
{
	struct domain *ends = make("ends"), *next = make("next");
	struct page *pg = given_up_but_mapped(ends);
	struct spinlock *lock = p2m_frame_lock(page_to_mfn(pg));
	unsigned long cow = domain_cow_pages();
	pthread_t thread;
	void *reaped;
	bool reused;

	/* The last tree forgets the frame while the reaper waits to see whether any has it. */
	spin_lock(lock);
	assert_int_equal(pthread_create(&thread, NULL, reap, ends), 0);
	wait_until_unlisted(ends);
	(void)__atomic_fetch_and(&pg->count_info, ~PAGE_MAPPED, __ATOMIC_RELAXED);
	page_put(pg);
	reused = get_that(next, pg);
	spin_unlock(lock);
	assert_int_equal(pthread_join(thread, &reaped), 0);
	assert_ptr_equal(reaped, ends);
	assert_int_equal(ends->nr_pages, 0);
	assert_int_equal(domain_cow_pages(), cow);
	if (reused) {
		assert_int_equal(pg->owner, next->id);
		assert_true(pg->count_info & PAGE_ALLOCATED);
	}
	assert_false(reused); /* who looks at it has a reference */
	assert_false(pg->owner == next->id || pg->owner == ends->id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_frame_is_not_taken_from_its_next_owner, start,
						stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
