// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The word `fork`: what parent and forks see of each other's memory, which is nothing, on 48 MiB of a pattern that all of them overwrite; and what the
 * fork_op hypercall promises (include/tine/fork_op.h). Forks end with a code that says what they saw.
 *
 * With `many=100` there are so many forks at the same time besides, with `chain=16` forks of forks so deep; with `churn=1000` so many steps of making, running,
 * resetting and destroying some in no order, as chance has it from `seed=`. `exhaust` makes forks until there is no memory for another.
 */
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tiny_places.h"
#include "tiny_work.h"
#include <tine/fork_op.h>
#include <xen/memory.h>

#define PATTERN (tiny_places.pattern)
#define WORDS (48UL * 1024 * 1024 / sizeof(uint64_t))
#define SEED_FORK 0x5eed0001UL
#define SEED_PARENT 0x5eed0002UL
#define SEED_CHILD 0x5eed0003UL
#define MANY_MAX 200

enum code { CODE_FINE = 7, CODE_OLD_MEMORY, CODE_OWN_MEMORY, CODE_INPUT, CODE_GRANDCHILD };

static char input[300];

static long fork_op(uint64_t command, uint64_t a2, uint64_t a3, uint64_t a4)
{
	return hypercall4(TINE_FORK_HYPERCALL, command, a2, a3, a4);
}

static void __noreturn leave(enum code code)
{
	(void)fork_op(TINE_FORK_exit, code, 0, 0);
	for (;;)
		;
}

/* Each word differs, and so do those of different seeds. */
static uint64_t word(uint64_t seed, uint64_t i)
{
	return (seed << 32 | i) * 0x9e3779b97f4a7c15UL;
}

static void write_all(uint64_t seed)
{
	for (uint64_t i = 0; i < WORDS; i++)
		PATTERN[i] = word(seed, i);
}

static bool is_all(uint64_t seed)
{
	for (uint64_t i = 0; i < WORDS; i++) {
		if (PATTERN[i] != word(seed, i)) {
			printf("tiny: %p is %lx instead of %lx\n", (void *)&PATTERN[i], PATTERN[i],
			       word(seed, i));
			return false;
		}
	}
	return true;
}

static void expect(const char *what, long got, long wanted)
{
	if (got != wanted)
		tiny_fail("fork: %s: %lx instead of %lx", what, got, wanted);
	printf("tiny: fork: %s\n", what);
}

static long wait_for(long child)
{
	long result;

	do {
		result = fork_op(TINE_FORK_wait, child, 0, 0);
	} while (result == -XEN_EAGAIN);
	return result;
}

static long make(uint64_t flags)
{
	long id = fork_op(TINE_FORK_self, flags, 0, 0);

	if (id < 0)
		tiny_fail("fork: error %ld", -id);
	return id;
}

/* ---- What a fork does ---- */

static void __noreturn look_and_overwrite(const char *wanted_input)
{
	if (strcmp(input, wanted_input))
		leave(CODE_INPUT);
	if (!is_all(SEED_FORK))
		leave(CODE_OLD_MEMORY);
	write_all(SEED_CHILD);
	leave(is_all(SEED_CHILD) ? CODE_FINE : CODE_OWN_MEMORY);
}

static void __noreturn overwrite_memory(void)
{
	look_and_overwrite("");
}

static long reserve(uint64_t command, xen_pfn_t *frames, unsigned int count)
{
	struct xen_memory_reservation r = { .nr_extents = count, .domid = DOMID_SELF };

	set_xen_guest_handle(r.extent_start, frames);
	return hypercall2(__HYPERVISOR_memory_op, command, (uint64_t)&r);
}

/* Pages all over the pattern, some of which share a table, are given back and got anew: they are empty then. */
static bool allocates(void)
{
	static xen_pfn_t frames[64];
	bool fine;

	for (uint64_t i = 0; i < ARRAY_SIZE(frames); i++)
		frames[i] = ((uint64_t)PATTERN / PAGE_SIZE) + i * 190;
	fine = reserve(XENMEM_decrease_reservation, frames, ARRAY_SIZE(frames)) ==
		       ARRAY_SIZE(frames) &&
	       reserve(XENMEM_populate_physmap, frames, ARRAY_SIZE(frames)) == ARRAY_SIZE(frames);
	for (uint64_t i = 0; i < ARRAY_SIZE(frames) && fine; i++) {
		uint64_t *page = (uint64_t *)(frames[i] * PAGE_SIZE);

		fine = !page[0] && !page[511];
		page[0] = i;
	}
	return fine;
}

/* It forks and ends; what it made lives on, and reads what neither has touched. */
static void __noreturn leave_an_orphan(void)
{
	if (make(0))
		leave(CODE_FINE);
	for (unsigned int i = 0; i < 1000; i++)
		(void)hv_sched_op(SCHEDOP_yield, NULL);
	if (!is_all(SEED_FORK))
		tiny_fail("fork: an orphan has other memory than at its fork");
	write_all(SEED_CHILD);
	if (!is_all(SEED_CHILD))
		tiny_fail("fork: an orphan cannot write");
	if (!allocates())
		tiny_fail("fork: an orphan gets no fresh memory");
	printf("tiny: fork: an orphan reads and writes\n");
	tiny_succeed();
}

static void __noreturn fork_again(void)
{
	long child = make(0);

	if (!child)
		overwrite_memory();
	if (wait_for(child) != CODE_FINE || !is_all(SEED_FORK))
		leave(CODE_GRANDCHILD);
	leave(CODE_FINE);
}

static void __noreturn crash(void)
{
	*(volatile uint32_t *)tiny_places.hole = 0;
	leave(CODE_OWN_MEMORY);
}

/* ---- What the parent does ---- */

static void run(const char *what, void (*child_does)(void), long wanted)
{
	long child = make(0);

	if (!child)
		child_does();
	expect(what, wait_for(child), wanted);
	expect("the parent's memory is as it was", is_all(SEED_FORK), true);
	expect("destroy", fork_op(TINE_FORK_destroy, child, 0, 0), 0);
}

/* The child first runs when the parent has overwritten all; then again and again from where it began. */
static void run_after_overwriting(void)
{
	long child = make(TINE_FORK_WAITS);

	if (!child)
		look_and_overwrite("given");
	write_all(SEED_PARENT);
	for (unsigned int round = 0; round < 3; round++) {
		memcpy(input, "given", sizeof("given"));
		expect("reset with input",
		       fork_op(TINE_FORK_reset, child, (uint64_t)input, sizeof(input)), 0);
		input[0] = 0;
		expect("a fork whose parent has overwritten all", wait_for(child), CODE_FINE);
		expect("the parent has its own", is_all(SEED_PARENT), true);
	}
	expect("an address that is not there",
	       fork_op(TINE_FORK_reset, child, (uint64_t)tiny_places.unmapped, 8), -XEN_EFAULT);
	expect("too much input", fork_op(TINE_FORK_reset, child, 0, TINE_FORK_INPUT_MAX + 1),
	       -XEN_EINVAL);
	expect("destroy", fork_op(TINE_FORK_destroy, child, 0, 0), 0);
	expect("gone", wait_for(child), -XEN_ESRCH);
	write_all(SEED_FORK);
}

static void run_many(unsigned int count)
{
	static long children[MANY_MAX];

	count = count < MANY_MAX ? count : MANY_MAX;
	for (unsigned int i = 0; i < count; i++) {
		children[i] = make(i % 2 ? TINE_FORK_WAITS : 0);
		if (!children[i]) {
			PATTERN[i * 512] = i;
			leave(PATTERN[i * 512] == i &&
					      PATTERN[i * 512 + 1] == word(SEED_FORK, i * 512 + 1)
				      ? CODE_FINE
				      : CODE_OWN_MEMORY);
		}
	}
	printf("tiny: fork: %u at the same time\n", count);
	for (unsigned int i = 1; i < count; i += 2)
		expect("reset", fork_op(TINE_FORK_reset, children[i], 0, 0), 0);
	for (unsigned int i = 0; i < count; i++)
		expect("one of many", wait_for(children[i]), CODE_FINE);
	for (unsigned int i = 0; i < count; i++)
		expect("destroy", fork_op(TINE_FORK_destroy, children[i], 0, 0), 0);
	expect("the parent's memory is as it was", is_all(SEED_FORK), true);
}

/*
 * Forks of forks, all there at the same time: each has what those above it wrote before it was made, writes a page of its own and one that all of
 * them write, and finds both as it left them when those below it have ended.
 */
static enum code link_of_chain(unsigned int at, unsigned int depth)
{
	long child;

	for (unsigned int i = 0; i < at; i++) {
		if (PATTERN[i * 512] != i)
			return CODE_OLD_MEMORY;
	}
	if (at && PATTERN[depth * 512] != at - 1)
		return CODE_OLD_MEMORY;
	PATTERN[at * 512] = PATTERN[depth * 512] = at;
	if (at + 1 == depth)
		return CODE_FINE;
	child = make(0);
	if (!child)
		leave(link_of_chain(at + 1, depth));
	if (wait_for(child) != CODE_FINE || fork_op(TINE_FORK_destroy, child, 0, 0))
		return CODE_GRANDCHILD;
	return PATTERN[depth * 512] == at &&
			       PATTERN[(at + 1) * 512] == word(SEED_FORK, (at + 1) * 512)
		       ? CODE_FINE
		       : CODE_OWN_MEMORY;
}

static void run_chain(unsigned int depth)
{
	expect("a chain of forks", link_of_chain(0, depth), CODE_FINE);
	printf("tiny: fork: %u deep\n", depth);
	write_all(SEED_FORK);
}

/* ---- Many, in no order, until there is no memory ---- */

#define CHURN_MAX 24

static uint64_t dice = 20261130;

static unsigned int roll(unsigned int sides)
{
	dice = dice * 6364136223846793005UL + 1442695040888963407UL;
	return (unsigned int)(dice >> 33) % sides;
}

/* Each run of a fork: some pages are as at its fork, and become something else. */
static void __noreturn churn_child(void)
{
	unsigned int pages = 1 + (unsigned char)input[0] % 64, at = (unsigned char)input[1] * 40;

	for (unsigned int i = 0; i < pages; i++) {
		uint64_t index = (at + i * 7) % (WORDS / 512) * 512;

		if (PATTERN[index] != word(SEED_FORK, index))
			leave(CODE_OLD_MEMORY);
		PATTERN[index] = 0;
	}
	leave(CODE_FINE);
}

static void churn_run(long child)
{
	input[0] = (char)roll(256);
	input[1] = (char)roll(256);
	if (fork_op(TINE_FORK_reset, child, (uint64_t)input, sizeof(input)))
		tiny_fail("fork: reset");
	if (wait_for(child) != CODE_FINE)
		tiny_fail("fork: a fork that was reset has other memory than at its fork");
}

static void churn(unsigned int steps)
{
	static long children[CHURN_MAX];
	unsigned int forks = 0, resets = 0;

	for (unsigned int i = 0; i < steps; i++) {
		long *child = &children[roll(CHURN_MAX)];

		if (*child && roll(4)) {
			churn_run(*child);
			resets++;
		} else if (*child) {
			(void)fork_op(TINE_FORK_destroy, *child, 0, 0);
			*child = 0;
		} else {
			*child = make(TINE_FORK_WAITS);
			if (!*child)
				churn_child();
			forks++;
		}
	}
	for (unsigned int i = 0; i < CHURN_MAX; i++) {
		if (children[i])
			(void)fork_op(TINE_FORK_destroy, children[i], 0, 0);
	}
	expect("the parent's memory is as it was", is_all(SEED_FORK), true);
	printf("tiny: fork: %u forks and %u resets in no order\n", forks, resets);
}

/* The fork that there is no memory for is an error and nothing else: those before it work, and so does one when there is room again. */
static void exhaust(void)
{
	static long children[4096];
	unsigned int n = 0;
	long id = 0;

	while (n < ARRAY_SIZE(children)) {
		id = fork_op(TINE_FORK_self, TINE_FORK_WAITS, 0, 0);
		if (!id)
			churn_child();
		if (id < 0)
			break;
		children[n++] = id;
	}
	expect("no memory for another", id, -XEN_ENOMEM);
	printf("tiny: fork: %u at the same time\n", n);
	expect("the parent's memory is as it was", is_all(SEED_FORK), true);
	for (unsigned int i = 2; i < n; i++)
		(void)fork_op(TINE_FORK_destroy, children[i], 0, 0);
	for (unsigned int i = 0; i < 10000; i++)
		(void)hv_sched_op(SCHEDOP_yield, NULL);
	for (unsigned int i = 0; i < 2 && i < n; i++)
		churn_run(children[i]);
	input[0] = 0;
	run("a fork when there is memory again", churn_child, CODE_FINE);
}

/* With max_forks=5: a fork that forks, and three more. Then all stay. */
static void __noreturn as_many_as_it_may(void)
{
	long child = make(0), id;
	unsigned int more = 0;

	if (!child) {
		if (!make(TINE_FORK_WAITS))
			leave(CODE_GRANDCHILD);
		leave(CODE_FINE);
	}
	if (wait_for(child) != CODE_FINE)
		tiny_fail("fork: a fork cannot fork");
	while ((id = fork_op(TINE_FORK_self, TINE_FORK_WAITS, 0, 0)) > 0)
		more++;
	expect("no more than it may", id, -XEN_ENOSPC);
	expect("those of its forks are among them", more, 3);
	for (;;)
		(void)hv_sched_op(SCHEDOP_block, NULL);
}

static void refusals(void)
{
	static multicall_entry_t list = { .op = TINE_FORK_HYPERCALL, .args = { TINE_FORK_self } };

	expect("exit of what is no fork", fork_op(TINE_FORK_exit, 0, 0, 0), -XEN_EPERM);
	expect("wait for nobody", fork_op(TINE_FORK_wait, 0x7000, 0, 0), -XEN_ESRCH);
	expect("reset of nobody", fork_op(TINE_FORK_reset, 1UL << 40, 0, 0), -XEN_ESRCH);
	expect("unknown flags", fork_op(TINE_FORK_self, 6, 0, 0), -XEN_EINVAL);
	expect("unknown operation", fork_op(99, 0, 0, 0), -XEN_ENOSYS);
	expect("a list of calls", hypercall2(__HYPERVISOR_multicall, (uint64_t)&list, 1), 0);
	expect("a fork in a list", (long)list.result, -XEN_EOPNOTSUPP);
}

static unsigned int number(const char *text)
{
	unsigned int n = 0;

	while (text && *text >= '0' && *text <= '9')
		n = n * 10 + (unsigned int)(*text++ - '0');
	return n;
}

const char *work_fork(const char *line)
{
	unsigned int many = number(cmdline_value(line, "many"));
	unsigned int deep = number(cmdline_value(line, "chain"));
	unsigned int steps = number(cmdline_value(line, "churn"));

	refusals();
	write_all(SEED_FORK);
	dice += number(cmdline_value(line, "seed"));
	if (steps)
		churn(steps);
	if (cmdline_has_word(line, "bound"))
		as_many_as_it_may();
	if (cmdline_has_word(line, "exhaust")) {
		input[0] = 0;
		exhaust();
		return NULL;
	}
	input[0] = 0;
	run("a fork", overwrite_memory, CODE_FINE);
	run("a fork of a fork", fork_again, CODE_FINE);
	run("a fork that crashes", crash, SHUTDOWN_crash << 8);
	run_after_overwriting();
	if (many)
		run_many(many);
	if (deep)
		run_chain(deep);
	run("a fork that leaves an orphan", leave_an_orphan, CODE_FINE);
	printf("tiny: fork: done\n");
	return NULL;
}

/* The word `may-not`: a guest without fork=1. */
const char *work_may_not(const char *line)
{
	(void)line;
	expect("a guest that may not", fork_op(TINE_FORK_self, 0, 0, 0), -XEN_EPERM);
	return NULL;
}
