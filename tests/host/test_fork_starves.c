// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forks of domains with memory, when it is refused: by every allocation in turn, of frames and of small objects, one after the other, a fork is made until
 * one comes to its end. Those before it are -ENOMEM and nothing else: not a frame and not an object is left of them, and parent and sibling
 * have, and go on with, what they had. The linker leads the hypervisor's own calls here (the makefile's --wrap).
 */
#include "host_sched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <asm/percpu.h>
#include <tine/domain_fork.h>
#include <tine/errno.h>
#include <tine/evtchn.h>
#include <tine/fork.h>
#include <tine/grant.h>
#include <tine/console.h>
#include <tine/heap.h>
#include <tine/translated_memory.h>
#include <tine/xenstore.h>
#include <xen/sched.h>
#include "host_fork.h"
#include "host_log.h"
#include "host_translated.h"

#define CPUS 8
#define MEMORY MiB(8)
#define SMALL_FROM 512 /* after a 2 MiB leaf */
#define SMALL 40
#define INFO_FRAME (SMALL_FROM + 7)
#define RING_FRAME (SMALL_FROM + 20) /* and one more */
#define MOST 400                     /* allocations of a fork */

static struct domain *parent, *sibling;

/* ---- Refusing ---- */

static unsigned long until; /* so many are granted, and then one is refused; 0: all are */
static unsigned long refused;
static long objects; /* small ones that are there */

static bool refuse(void)
{
	if (!until || --until)
		return false;
	refused++;
	return true;
}

mfn_t __real_heap_alloc(unsigned int order, nodeid_t node, unsigned int bits, unsigned int flags);
mfn_t __wrap_heap_alloc(unsigned int order, nodeid_t node, unsigned int bits, unsigned int flags);
mfn_t __wrap_heap_alloc(unsigned int order, nodeid_t node, unsigned int bits, unsigned int flags)
{
	return refuse() ? INVALID_MFN : __real_heap_alloc(order, node, bits, flags);
}

void *__real_heap_alloc_pages(unsigned int order, unsigned int flags);
void *__wrap_heap_alloc_pages(unsigned int order, unsigned int flags);
void *__wrap_heap_alloc_pages(unsigned int order, unsigned int flags)
{
	return refuse() ? NULL : __real_heap_alloc_pages(order, flags);
}

/* Not from pages of the heap: then its free frames are exact, and the sanitizer knows each object. */
void *__wrap_kzalloc(size_t size);
void *__wrap_kzalloc(size_t size)
{
	if (refuse())
		return NULL;
	objects++;
	return calloc(1, size);
}

void __wrap_kfree(void *obj);
void __wrap_kfree(void *obj)
{
	objects -= obj != NULL;
	free(obj);
}

/* ---- Domains ---- */

void arch_p2m_flush(struct p2m *p2m)
{
}

static bool runs(const struct domain *d)
{
	return d->vcpus[0]->running && d->vcpus[1]->running;
}

static u64 *word(struct domain *d, unsigned long gfn)
{
	mfn_t mfn = p2m_lookup(host_p2m(d), _gfn(gfn), NULL, NULL);

	assert_false(mfn_eq(mfn, INVALID_MFN));
	return mfn_to_virt(mfn);
}

/* Has contents that the hypervisor writes, too. */
static bool is_held(unsigned long gfn)
{
	return gfn == INFO_FRAME || gfn == RING_FRAME || gfn == RING_FRAME + 1;
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

static void make_parent(void)
{
	struct domain_config config = {
		.vcpus = 2, .memory = MEMORY, .may_fork = true, .on_poweroff = ACTION_PRESERVE
	};
	u32 port;

	strcpy(config.name, "parent");
	parent = domain_create(&config);
	assert_non_null(parent);
	assert_int_equal(p2m_populate(host_p2m(parent), _gfn(0), SMALL_FROM), 0);
	assert_int_equal(p2m_populate(host_p2m(parent), _gfn(SMALL_FROM), SMALL), 0);
	for (unsigned long gfn = 0; gfn < SMALL_FROM + SMALL; gfn++)
		*word(parent, gfn) = gfn;
	register_info(parent);
	assert_int_equal(evtchn_alloc_unbound(parent, DOMID_SELF, &port), 0);
	assert_int_equal(grant_table_grow(parent, 2), 0);
	*(u32 *)mfn_to_virt(grant_table_frame(parent, 1)) = 1; /* an entry */
	assert_int_equal(console_ring_connect(parent, RING_FRAME, &port), 0);
	assert_int_equal(xenstore_connect(parent, RING_FRAME + 1, &port), 0);
	vcpu_wake(parent->vcpus[1], VCPU_DOWN);
	domain_unpause(parent);
	host_settle();
	assert_true(runs(parent));
}

/* The vCPUs are taken off their CPUs: one thread plays all of these. */
static void rest(struct domain *d)
{
	domain_pause_nowait(d);
	host_settle();
	assert_false(d->vcpus[0]->running);
}

static void look(struct domain *d, void *found)
{
	if (d != parent && d != sibling && !d->dying)
		*(struct domain **)found = d;
}

static struct domain *newest(void)
{
	struct domain *found = NULL;

	domain_for_each(look, &found);
	return found;
}

/* Until all that has ended is gone. */
static void pass_time(void)
{
	host_run_until(host_time + NSEC_PER_SEC);
}

static int by_console(void)
{
	int ret = domain_fork_later(parent);

	host_settle();
	if (!ret && !newest()) { /* it was to be made, and was not */
		assert_log("could not be forked: error 12");
		ret = -ENOMEM;
	}
	return ret;
}

/* The result comes at once, or when the work is done. */
static int by_itself(void)
{
	struct vcpu *was = per_cpu(current_vcpu, 0);
	long ret;

	host_result[0] = 0;
	per_cpu(current_vcpu, 0) = parent->vcpus[0];
	ret = domain_fork_self(true);
	per_cpu(current_vcpu, 0) = was;
	host_settle();
	if (ret)
		return (int)ret;
	assert_int_not_equal(host_result[0], 0);
	return host_result[0] > 0 ? 0 : (int)host_result[0];
}

static int start(void **state)
{
	host_sched_start(CPUS);
	host_translated();
	until = 0;
	make_parent();
	return 0;
}

static int stop(void **state)
{
	host_sched_stop();
	sibling = NULL;
	return 0;
}

/* ---- What must be as it was ---- */

static void check(struct domain *d)
{
	struct p2m_stats stats;

	assert_int_equal(p2m_check(host_p2m(d), &stats), 0);
	for (unsigned long gfn = 0; gfn < SMALL_FROM + SMALL; gfn++) {
		if (!is_held(gfn))
			assert_int_equal(*word(d, gfn), gfn);
	}
	assert_true(runs(d));
	assert_false(d->fork_busy);
}

/* One more fork, of which the allocation after NR is refused. True: none was. */
static bool try(int (*make)(void), unsigned long nr)
{
	struct domain *child;
	int ret;

	rest(parent);
	host_log_clear();
	until = nr + 1;
	refused = 0;
	ret = make();
	until = 0;
	domain_unpause(parent);
	host_settle();
	child = newest();
	if (!refused) {
		assert_int_equal(ret, 0);
		assert_non_null(child);
		domain_destroy(child);
	} else {
		assert_int_equal(ret, -ENOMEM);
		assert_null(child);
	}
	pass_time();
	return !refused;
}

/* Pages of the parent's in pieces are not put together again, where a strategy makes pieces: the sibling has had them made. */
static void starve(int (*make)(void))
{
	unsigned long frames, nr = 0;
	long before;

	while (!try(make, MOST)) /* what stays for good, as tables of numbers, is there now */
		fail();
	frames = heap_free_total();
	before = objects;
	for (bool done = false; !done; nr++) {
		assert_true(nr < MOST);
		done = try(make, nr);
		if (heap_free_total() != frames || objects != before)
			fail_msg("refusal %lu: %ld frames and %ld objects less", nr,
				 (long)(frames - heap_free_total()), before - objects);
		check(parent);
		check(sibling);
	}
	printf("# %s: %lu allocations\n", p2m_fork_strategy(), nr - 1);
}

static void fork_is_refused_memory(void **state)
{
	assert_int_equal(p2m_fork_choose(*state), 0);
	rest(parent);
	assert_int_equal(by_console(), 0);
	domain_unpause(parent);
	host_settle();
	sibling = newest();
	check(sibling);
	starve(by_console);
	starve(by_itself);
	assert_int_equal(p2m_fork_choose("subtree"), 0);
}

/* ---- Copies to a guest ---- */

/* Virtual addresses are physical here. */
bool arch_translate(const struct vcpu *v, u64 va, bool write, u64 *at)
{
	*at = va;
	return true;
}

/* To a page in common with the sibling. Who runs ends as if it had written itself; for another one it is an error that says why. */
static void copies_are_refused_memory(void **state)
{
	struct vcpu *was, *v = parent->vcpus[0];
	const u64 value = 42, at = 5;
	gva_t to = _gva(at << PAGE_SHIFT);
	unsigned int refusals = 0;

	rest(parent);
	assert_int_equal(by_console(), 0);
	sibling = newest();
	was = per_cpu(current_vcpu, 0);
	per_cpu(current_vcpu, 0) = v;
	until = 1;
	assert_int_equal(translated_write(sibling, at << PAGE_SHIFT, &value, 8), -ENOMEM);
	for (int ret = -ENOMEM; ret; refusals++) {
		until = 1 + refusals % 2; /* what was had the last time is there */
		ret = translated_copy_across(sibling->vcpus[0], to, 8);
		assert_true(!ret || ret == -ENOMEM);
	}
	until = 0;
	assert_true(refusals > 3); /* tables and a page */
	assert_false(sibling->shutting_down);
	assert_int_equal(translated_write(sibling, MEMORY * 2, &value, 8), -EFAULT);
	assert_false(parent->shutting_down);
	until = 1;
	assert_int_equal(translated_copy_to(v, to, &value, 8), -ENOMEM);
	until = 0;
	per_cpu(current_vcpu, 0) = was;
	assert_int_equal(parent->shutdown_code, SHUTDOWN_crash);
	assert_log("for which there is no memory");
	assert_int_equal(*word(sibling, at), at);
	assert_int_equal(*word(parent, at), at);
}

/* ---- A reset ---- */

/* Of the sibling, which has written everywhere. It is whole again, or does not run. */
static void reset_is_refused_memory(void **state)
{
	int ret = -ENOMEM;

	rest(parent);
	assert_int_equal(by_console(), 0);
	domain_unpause(parent);
	host_settle();
	sibling = newest();
	for (unsigned long nr = 0; ret == -ENOMEM; nr++) {
		for (unsigned long gfn = 0; gfn < SMALL_FROM + SMALL; gfn++) {
			assert_int_equal(p2m_fault(host_p2m(sibling), _gfn(gfn), true), 0);
			if (!is_held(gfn))
				*word(sibling, gfn) = ~gfn;
		}
		rest(sibling);
		until = nr + 1;
		ret = domain_reset(sibling, NULL, NULL);
		until = 0;
		domain_unpause(sibling);
		host_settle();
		assert_int_equal(runs(sibling), !ret);
		check(parent);
	}
	assert_int_equal(ret, 0);
	check(sibling);
}

#define STRATEGY(name)                                                                             \
	{                                                                                          \
		"fork_is_refused_memory: " name, fork_is_refused_memory, start, stop,              \
			(void *)(unsigned long)name                                                \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		STRATEGY("subtree"),
		STRATEGY("run"),
		STRATEGY("frame"),
		cmocka_unit_test_setup_teardown(copies_are_refused_memory, start, stop),
		cmocka_unit_test_setup_teardown(reset_is_refused_memory, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
