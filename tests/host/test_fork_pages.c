// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pages that a forked guest has with the hypervisor in common: where the fork finds them, also when the guest has moved them or put something else in
 * their places, and what a reset writes to them. The linker leads copies here (the makefile's --wrap).
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <asm/percpu.h>
#include <tine/console.h>
#include <tine/domain_fork.h>
#include <tine/domain_physmap.h>
#include <tine/errno.h>
#include <tine/evtchn.h>
#include <tine/vcpu.h>
#include <tine/xenstore.h>
#include <xen/io/console.h>
#include <xen/io/xs_wire.h>
#include <xen/memory.h>
#include "../../sched/internal.h"
#include "host_fork.h"
#include "host_log.h"
#include "host_translated.h"

#define CPUS 3
#define FRAMES 64
#define INFO_FRAME 7
#define PLACE 30 /* of shared info */
#define CONSOLE_FRAME 40
#define STORE_FRAME 41

static struct domain *parent, *child;

void arch_p2m_flush(struct p2m *p2m)
{
}

static void *at(struct domain *d, unsigned long gfn)
{
	mfn_t mfn = p2m_lookup(host_p2m(d), _gfn(gfn), NULL, NULL);

	assert_false(mfn_eq(mfn, INVALID_MFN));
	return mfn_to_virt(mfn);
}

static int start(void **state)
{
	struct domain_config config = { .vcpus = 1, .memory = MiB(1), .type = DOMAIN_PVH };
	u32 port;

	host_sched_start(CPUS);
	host_translated();
	host_in_the_making = host_at_memory = NULL;
	strcpy(config.name, "parent");
	parent = domain_create(&config);
	assert_non_null(parent);
	assert_int_equal(p2m_populate(host_p2m(parent), _gfn(0), FRAMES), 0);
	assert_int_equal(console_ring_connect(parent, CONSOLE_FRAME, &port), 0);
	assert_int_equal(xenstore_connect(parent, STORE_FRAME, &port), 0);
	return 0;
}

static int stop(void **state)
{
	host_sched_stop();
	return 0;
}

static void fork_it(void)
{
	assert_int_equal(domain_fork_later(parent), 0);
	host_settle();
	child = domain_of_id(parent->id + 1);
}

/* ---- Where they are ---- */

static void its_own_is_where_its_parents_is(void **state)
{
	assert_int_equal(domain_physmap_add(parent, XENMAPSPACE_shared_info, 0, _gfn(PLACE)), 0);
	fork_it();
	assert_ptr_equal(at(parent, PLACE), parent->shared_info);
	assert_ptr_equal(at(child, PLACE), child->shared_info);
}

/* The guest has memory there again. */
static void nothing_is_put_where_something_else_is(void **state)
{
	assert_int_equal(domain_physmap_add(parent, XENMAPSPACE_shared_info, 0, _gfn(PLACE)), 0);
	assert_int_equal(domain_physmap_forget(parent, _gfn(PLACE)), 0);
	assert_int_equal(domain_physmap_populate(parent, _gfn(PLACE), 0), 0);
	strcpy(at(parent, PLACE), "memory");
	fork_it();
	assert_string_equal(at(child, PLACE), "memory");
	assert_ptr_equal(at(child, PLACE), at(parent, PLACE));
	/* It can be put there once more. */
	assert_int_equal(domain_physmap_add(child, XENMAPSPACE_shared_info, 0, _gfn(PLACE + 1)), 0);
	assert_string_equal(at(child, PLACE), "memory");
	assert_ptr_equal(at(child, PLACE + 1), child->shared_info);
}

static void register_info(struct domain *d)
{
	struct vcpu *v = d->vcpus[0];
	struct page *pg;
	void *va;

	assert_int_equal(arch_map_guest_frame(d, INFO_FRAME, &pg, &va), 0);
	v->info_frame = INFO_FRAME;
	assert_int_equal(vcpu_move_info(v, va, pg), 0);
}

/* What is saved of the page would go over what is there instead. */
static void no_fork_of_what_has_lost_its_place(void **state)
{
	register_info(parent);
	assert_int_equal(domain_physmap_remove(parent, _gfn(INFO_FRAME), 0), 0);
	assert_int_equal(domain_physmap_populate(parent, _gfn(INFO_FRAME), 0), 0);
	fork_it();
	assert_null(child);
	assert_log("not at frame 7, where it was registered");
}

static void no_fork_of_what_was_moved(void **state)
{
	register_info(parent);
	assert_int_equal(domain_physmap_add(parent, XENMAPSPACE_gmfn, INFO_FRAME,
					    _gfn(INFO_FRAME + 1)),
			 0);
	fork_it();
	assert_null(child);
	assert_log("not at frame 7, where it was registered");
}

/* ---- What a reset writes ---- */

DECLARE_PERCPU(u32, locks_held);
static const void *watched[2];
static unsigned int written[2], written_without[2];

void *__real_memcpy(void *to, const void *from, size_t n);
void *__wrap_memcpy(void *to, const void *from, size_t n);
void *__wrap_memcpy(void *to, const void *from, size_t n)
{
	for (unsigned int i = 0; i < 2; i++) {
		if (to == watched[i] && n == PAGE_SIZE) {
			written[i]++;
			written_without[i] += !(this_cpu(locks_held) & BIT(LOCK_GUEST_RING));
		}
	}
	return __real_memcpy(to, from, n);
}

/* Another CPU may be moving bytes. What the last run has said, and nobody has taken yet, is said before. */
static void rings_are_as_they_were(void **state)
{
	struct xencons_interface *console;
	struct xenstore_domain_interface *store;

	console = at(parent, CONSOLE_FRAME);
	console->out_prod = console->out_cons = 100;
	fork_it();
	console = at(child, CONSOLE_FRAME);
	store = at(child, STORE_FRAME);
	assert_ptr_not_equal(console, at(parent, CONSOLE_FRAME));
	watched[0] = console;
	watched[1] = store;
	for (unsigned int round = 0; round < 2; round++) {
		memcpy(&console->out[100], "last words\n", 11);
		console->out_prod = 111;
		store->req_prod = 12;
		host_log_clear();
		assert_int_equal(host_fork_reset(child), 0);
		assert_log("last words");
		assert_int_equal(console->out_prod, 100);
		assert_int_equal(console->out_cons, 100);
		assert_int_equal(store->req_prod, 0);
	}
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(written[i], 2);
		assert_int_equal(written_without[i], 0);
	}
}

/* A sender on another CPU may have read where to write before the reset, and write after any number of them. */
static void a_page_is_held_until_nobody_writes_to_it(void **state)
{
	struct page *pg;
	struct vcpu *v;
	u64 held;
	u32 port;

	assert_int_equal(evtchn_alloc_unbound(parent, DOMID_SELF, &port), 0);
	fork_it();
	v = child->vcpus[0];
	register_info(child);
	pg = v->info_page;
	v->info_users = 1;
	assert_int_equal(host_fork_reset(child), 0);
	assert_ptr_not_equal(v->info_page, pg);
	held = pg->count_info & PAGE_COUNT_MASK;
	assert_int_not_equal(held, 0);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(host_fork_reset(child), -ERESTART);
	assert_int_equal(pg->count_info & PAGE_COUNT_MASK, held);
	v->info_users = 0;
	assert_int_equal(host_fork_reset(child), 0);
	assert_int_equal(pg->count_info & PAGE_COUNT_MASK, held - 1);
	evtchn_raise(child, port, v);
	assert_int_equal(v->info_users, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(its_own_is_where_its_parents_is, start, stop),
		cmocka_unit_test_setup_teardown(nothing_is_put_where_something_else_is, start,
						stop),
		cmocka_unit_test_setup_teardown(no_fork_of_what_has_lost_its_place, start, stop),
		cmocka_unit_test_setup_teardown(no_fork_of_what_was_moved, start, stop),
		cmocka_unit_test_setup_teardown(a_page_is_held_until_nobody_writes_to_it, start,
						stop),
		cmocka_unit_test_setup_teardown(rings_are_as_they_were, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
