// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Grants of and by domains that are forked and reset: nobody begins to use a frame while it becomes one of two domains', and a reset forgets what
 * the fork had mapped.
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <tine/domain_fork.h>
#include <tine/errno.h>
#include <tine/grant.h>
#include <tine/vcpu.h>
#include "host_fork.h"
#include "host_log.h"
#include "host_machine.h"

#define CPUS 4
#define REF GNTTAB_NR_RESERVED_ENTRIES

static struct domain *parent, *child, *x;
/* The CPU takes the part of D's; who it was. */
static struct vcpu *run_as(struct vcpu *v)
{
	struct vcpu *was = current;

	this_cpu(current_vcpu) = v;
	return was;
}

/* It does not run. */
static struct domain *make(const char *name)
{
	struct domain_config config = { .vcpus = 1, .memory = MiB(4), .type = DOMAIN_PVH };
	struct domain *d;

	strcpy(config.name, name);
	d = domain_create(&config);
	assert_non_null(d);
	return d;
}

static void fork_it(domid_t wanted)
{
	assert_int_equal(domain_fork_later(parent), 0);
	host_settle();
	child = domain_of_id(wanted);
}

static int start(void **state)
{
	host_sched_start(CPUS);
	host_reset_result = 0;
	host_in_the_making = host_at_memory = NULL;
	parent = make("parent");
	x = make("x");
	return 0;
}

static int stop(void **state)
{
	host_at_memory = NULL;
	host_sched_stop();
	return 0;
}

/* Entry REF of GRANTER's table lets USER use a frame. */
static void offer(struct domain *granter, const struct domain *user)
{
	volatile grant_entry_v1_t *e;
	mfn_t frame;

	assert_int_equal(domain_alloc_pages(granter, 0, 0, &frame), 0);
	assert_int_equal(grant_table_grow(granter, 1), 0);
	e = (grant_entry_v1_t *)mfn_to_virt(grant_table_frame(granter, 0)) + REF;
	e->domid = user->id;
	e->frame = (u32)mfn_x(frame);
	e->flags = GTF_permit_access;
}

static int map(struct domain *user, const struct domain *granter, u32 *handle)
{
	gnttab_map_grant_ref_t op = {
		.host_addr = 0x1000, .flags = GNTMAP_host_map, .ref = REF, .dom = granter->id
	};
	struct vcpu *was = run_as(user->vcpus[0]);
	int status = grant_map(&op);

	(void)run_as(was);
	*handle = op.handle;
	return status;
}

static void unmap(struct domain *user, u32 handle)
{
	gnttab_unmap_grant_ref_t op = { .host_addr = 0x1000, .handle = handle };
	struct vcpu *was = run_as(user->vcpus[0]);
	struct grant_unmapping u;

	assert_int_equal(grant_unmap_begin(&op, 0, &u), GNTST_okay);
	grant_unmap_end(&u);
	(void)run_as(was);
}

static int meanwhile;

static void try_to_map(struct domain *d)
{
	u32 handle;

	meanwhile = map(x, d, &handle);
}

static void nobody_begins_while_memory_is_shared(void **state)
{
	u32 handle;

	offer(parent, x);
	host_at_memory = try_to_map;
	fork_it(3);
	assert_int_equal(meanwhile, GNTST_eagain);
	assert_non_null(child);
	/* Whoever tries again may. Then it is no time for a fork. */
	assert_int_equal(map(x, parent, &handle), GNTST_okay);
	fork_it(4);
	assert_null(child);
	assert_log("1 of its frames are in use by others");
	unmap(x, handle);
	fork_it(5);
	assert_non_null(child);
}

static void no_reset_of_what_others_use(void **state)
{
	u32 handle;

	fork_it(3);
	offer(child, x);
	assert_int_equal(map(x, child, &handle), GNTST_okay);
	assert_int_equal(host_fork_reset(child), -EBUSY);
	assert_log("others use frames of it by 1 grants");
	assert_int_equal(domain_reset_later(child), 0);
	host_settle();
	assert_false(child->shutting_down);
	assert_int_equal(child->fork->resets, 0);
	unmap(x, handle);
	host_at_memory = try_to_map;
	assert_int_equal(host_fork_reset(child), 0);
	assert_int_equal(meanwhile, GNTST_eagain);
	assert_int_equal(child->fork->resets, 1);
}

static void nobody_uses_what_is_half_reset(void **state)
{
	u32 handle;

	fork_it(3);
	offer(child, x);
	host_reset_result = -ERESTART;
	assert_int_equal(host_fork_reset(child), -ERESTART);
	assert_int_equal(map(x, child, &handle), GNTST_eagain);
	host_reset_result = 0;
	assert_int_equal(host_fork_reset(child), 0);
	offer(child, x); /* it is as it was, and had none */
	assert_int_equal(map(x, child, &handle), GNTST_okay);
	unmap(x, handle);
}

static void a_reset_gives_back_what_was_mapped(void **state)
{
	u32 handle;

	fork_it(3);
	offer(x, child);
	for (unsigned int i = 0; i < 200; i++)
		assert_int_equal(map(child, x, &handle), GNTST_okay);
	assert_int_equal(grant_table_uses(x), 200);
	assert_int_equal(host_fork_reset(child), 0);
	assert_int_equal(grant_mappings(child), 0);
	assert_int_equal(grant_table_uses(x), 0);
	/* And may map again, all that can be. */
	for (unsigned int i = 0; i < 200; i++)
		assert_int_equal(map(child, x, &handle), GNTST_okay);
	assert_int_equal(handle < 256, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nobody_begins_while_memory_is_shared, start, stop),
		cmocka_unit_test_setup_teardown(no_reset_of_what_others_use, start, stop),
		cmocka_unit_test_setup_teardown(nobody_uses_what_is_half_reset, start, stop),
		cmocka_unit_test_setup_teardown(a_reset_gives_back_what_was_mapped, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
