// SPDX-License-Identifier: GPL-2.0-or-later
/* The frames of a real domain in a p2m: who holds how many references, and that every frame comes back to the heap. */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <asm/npt.h>
#include <tine/errno.h>
#include <tine/fork.h>
#include <tine/heap.h>
#include "host_machine.h"

#define MEMORY MiB(16)
#define FRAMES (MEMORY >> PAGE_SHIFT)
#define HOARD (MiB(64) >> PAGE_SHIFT)

static struct domain *d;
static struct p2m p2m;
static unsigned long before; /* free frames, when the domain had none */

void arch_p2m_flush(struct p2m *p)
{
}

static int start(void **state)
{
	struct domain_config config = { .vcpus = 1, .memory = MEMORY };

	host_sched_start(1);
	strcpy(config.name, "p2m");
	d = domain_create(&config);
	assert_non_null(d);
	d->max_pages = FRAMES;
	before = heap_free_total();
	assert_int_equal(p2m_init(&p2m, d, &svm_npt_codec, &domain_p2m_frames), 0);
	return 0;
}

static int stop(void **state)
{
	assert_int_equal(p2m_destroy(&p2m), 0);
	domain_destroy(d);
	host_run_until(host_time + NSEC_PER_SEC);
	assert_in_range(heap_free_total(), before,
			before + 12); /* and what the domain itself took */
	assert_int_equal(heap_check(), 0);
	host_sched_stop();
	return 0;
}

static struct page *page_at(unsigned long gfn)
{
	mfn_t mfn = p2m_lookup(&p2m, _gfn(gfn), NULL, NULL);

	assert_false(mfn_eq(mfn, INVALID_MFN));
	return mfn_to_page(mfn);
}

static void check_page(const struct page *pg, unsigned long count)
{
	assert_int_equal(pg->owner, d->id);
	assert_int_equal(pg->count_info & PAGE_COUNT_MASK, count);
	assert_true(pg->count_info & PAGE_ALLOCATED);
}

static void frames_are_the_domains_and_the_trees(void **state)
{
	struct page *pg;

	assert_int_equal(p2m_populate(&p2m, _gfn(0), 2000), 0);
	assert_int_equal(d->nr_pages, 2000);
	for (unsigned long i = 0; i < 2000; i++)
		check_page(page_at(i), 2);

	/* Out of the tree, still the domain's; given up, nobody's. */
	pg = page_at(700);
	assert_int_equal(p2m_clear(&p2m, _gfn(700), 0), 0);
	check_page(pg, 1);
	assert_true(page_give_up(pg));
	assert_int_equal(d->nr_pages, 1999);
	/* The other way round. */
	pg = page_at(3);
	assert_true(page_give_up(pg));
	assert_int_equal(d->nr_pages, 2000 - 1);
	assert_int_equal(p2m_clear(&p2m, _gfn(3), 0), 0);
	assert_int_equal(d->nr_pages, 2000 - 2);
	/* What was given up may be had again; more than it may have, not. */
	assert_int_equal(p2m_populate(&p2m, _gfn(3), 1), 0);
	assert_int_equal(p2m_populate(&p2m, _gfn(4096), FRAMES - 1999 + 1), -E2BIG);
	assert_true(d->nr_pages <= FRAMES);
}

static void the_hypervisors_pages_are_only_lent(void **state)
{
	struct page *pg = mfn_to_page(virt_to_mfn(d->shared_info));
	u64 count = pg->count_info & PAGE_COUNT_MASK;

	assert_true(page_get(pg, d));
	assert_int_equal(p2m_set(&p2m, _gfn(9), page_to_mfn(pg), 0, P2M_RAM), 0);
	assert_int_equal(p2m_populate(&p2m, _gfn(10), 100), 0);
	assert_int_equal(pg->count_info & PAGE_COUNT_MASK, count + 1);
	assert_int_equal(p2m_clear(&p2m, _gfn(0), 9), 0);
	assert_int_equal(pg->count_info & PAGE_COUNT_MASK, count);
	assert_int_equal(pg->count_info & PAGE_MAPPED, 0);
	assert_int_equal(d->nr_pages, 100);
}

/* No frame stays with the domain that the tree could not take. */
static void no_memory_for_tables(void **state)
{
	static mfn_t hoard[HOARD];
	unsigned long n = 0;

	while (n < HOARD) {
		hoard[n] = heap_alloc(0, 0, 0, HEAP_DIRTY_OK);
		if (mfn_eq(hoard[n], INVALID_MFN))
			break;
		n++;
	}
	for (unsigned long have = 1; have < 4; have++) {
		heap_free(hoard[--n], 0, true);
		assert_int_equal(p2m_populate(&p2m, _gfn(0), 1), -ENOMEM);
		assert_int_equal(d->nr_pages, 0);
		assert_int_equal(heap_free_total(), have);
	}
	heap_free(hoard[--n], 0, true);
	assert_int_equal(p2m_populate(&p2m, _gfn(0), 2), -ENOMEM);
	assert_int_equal(d->nr_pages, 1);
	while (n--)
		heap_free(hoard[n], 0, true);
}

/* A second domain forks the first one's memory; who owns what when they write and end in turn. */
static void a_fork_outlives_its_parent(void **state)
{
	struct domain_config config = { .vcpus = 1, .memory = MEMORY };
	unsigned long free = heap_free_total();
	struct domain *other;
	static struct p2m child;
	domid_t parent = d->id;
	mfn_t held;

	strcpy(config.name, "child");
	other = domain_create(&config);
	other->max_pages = FRAMES;
	assert_int_equal(p2m_init(&child, other, &svm_npt_codec, &domain_p2m_frames), 0);
	assert_int_equal(p2m_populate(&p2m, _gfn(0), 2000), 0);
	assert_int_equal(p2m_fork(&child, &p2m), 0);
	assert_int_equal(p2m_checkpoint(&child), 0);
	assert_int_equal(other->nr_pages, 0);
	/* The child copies: nothing of the parent's changes. The parent copies: the old frame is nobody's. */
	assert_int_equal(p2m_fault(&child, _gfn(1500), true), 0);
	assert_int_equal(other->nr_pages, 1);
	assert_int_equal(d->nr_pages, 2000);
	assert_int_equal(p2m_fault(&p2m, _gfn(1501), true), 0);
	assert_int_equal(d->nr_pages, 2000);
	assert_int_equal(mfn_to_page(p2m_lookup(&child, _gfn(1501), NULL, NULL))->owner, DOMID_COW);
	check_page(page_at(1501), 2);
	/* A reader has a reference, whoever owns the frame, and keeps it over the parent's end. */
	assert_int_equal(p2m_hold(&child, _gfn(700), false, &held), 0);
	assert_int_equal(mfn_to_page(held)->owner, d->id);
	assert_int_equal(p2m_destroy(&p2m), 0);
	domain_destroy(d);
	host_run_until(host_time + NSEC_PER_SEC);
	assert_non_null(domain_of_id(parent)); /* they count for it as long as they are there */
	assert_int_equal(mfn_to_page(held)->owner, DOMID_COW);
	page_put(mfn_to_page(held));
	/* The last one has a whole 2 MiB as its own by one write (without the checkpoint, which would have it, too). */
	assert_int_equal(p2m_reset(&child), 0);
	assert_int_equal(other->nr_pages, 0);
	assert_int_equal(p2m_unshare(&child, _gfn(3)), 0);
	assert_int_equal(other->nr_pages, 1);
	while (p2m_destroy(&child) == -ERESTART) /* the parent's structure is to be freed */
		host_settle();
	domain_destroy(other);
	host_run_until(host_time + NSEC_PER_SEC);
	assert_null(domain_of_id(parent));
	assert_true(heap_free_total() >= free);
	d = domain_create(&config); /* for stop() */
	assert_int_equal(p2m_init(&p2m, d, &svm_npt_codec, &domain_p2m_frames), 0);
	before = heap_free_total();
}

/*
 * The hypervisor holds a page (vcpu_info, a ring) that a fork then takes out of its memory while its checkpoint has it still: the count of who holds it
 * is not touched, and after a reset the page is the same one again, which the fork's writes go to in place.
 */
static void a_held_page_stays_the_forks(void **state)
{
	const gfn_t gfn = _gfn(5);
	struct page *held;

	assert_int_equal(p2m_populate(&p2m, _gfn(0), 100), 0);
	held = page_at(gfn_x(gfn));
	assert_int_equal(p2m_checkpoint(&p2m), 0);
	for (unsigned int round = 0; round < 2; round++) {
		assert_true(page_get(held, d));
		held->type_info = 1;
		assert_int_equal(p2m_clear(&p2m, gfn, 0), 0);
		assert_int_equal(held->type_info, 1);
		check_page(held, 3);
		assert_int_equal(d->nr_pages, 100);
		assert_int_equal(p2m_reset(&p2m), 0);
		assert_int_equal(p2m_fault(&p2m, gfn, true), 0);
		assert_ptr_equal(page_at(gfn_x(gfn)), held);
		check_page(held, 3);
		held->type_info = 0;
		page_put(held);
	}
	/* One that nobody holds is the checkpoint's alone. */
	assert_int_equal(p2m_clear(&p2m, gfn, 0), 0);
	assert_int_equal(held->owner, DOMID_COW);
	assert_int_equal(d->nr_pages, 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(frames_are_the_domains_and_the_trees, start, stop),
		cmocka_unit_test_setup_teardown(the_hypervisors_pages_are_only_lent, start, stop),
		cmocka_unit_test_setup_teardown(no_memory_for_tables, start, stop),
		cmocka_unit_test_setup_teardown(a_fork_outlives_its_parent, start, stop),
		cmocka_unit_test_setup_teardown(a_held_page_stays_the_forks, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
