// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The words `fork-bench count=N rounds=N`: what forks of this guest cost, in ticks of a clock that under icount counts instructions (TSC) or sixteen of
 * them (arm64), as it sees it itself. It forks, lets the child write, resets and destroys it; then it does the same without a pause, as who tries one
 * input after another would, and says what one round takes. `tine bench fork` reads the lines. Afterwards it idles, for forks made from the console.
 *
 * The child has the clock from before the call in its memory, which is a copy of its parent's: so it can say itself when it began.
 */
#include "tiny_fork_bench.h"
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tiny_places.h"
#include "tiny_work.h"
#include <tine/fork_op.h>
#include <xen/memory.h>

#define LEAF 0x200000UL
#define DIRTY ((volatile uint8_t *)tiny_places.pattern) /* 16 MiB that children write to */
#define LARGE (((uint64_t)DIRTY + 13 * LEAF) & -LEAF)   /* in a leaf of 2 MiB */
#define SMALL (LARGE - LEAF)                            /* among leaves of 4 KiB */
#define PARENTS_SMALL (LARGE + LEAF) /* the parent writes elsewhere: it splits leaves for good */
#define PARENTS_LARGE (LARGE + 2 * LEAF) /* the first of so many */
#define PARENTS_LEAVES 6UL
#define CODE_FINE 7
#define REST 100000000UL /* ns */
#define BATCH 100        /* rounds timed together, with what is put off and done between them */

/* What a child is to do; its parent fills it in before the fork or gives it with a reset. */
static struct order {
	uint64_t since, target, dirty;
	bool report;
} order;

static long fork_op(uint64_t command, uint64_t a2, uint64_t a3, uint64_t a4)
{
	return hypercall4(TINE_FORK_HYPERCALL, command, a2, a3, a4);
}

static void say(const char *metric, uint64_t value)
{
	printf("tiny: fork-bench: metric=%s ticks=%lu\n", metric, value);
}

static void __noreturn be_child(const struct bench_moments *m)
{
	bool small = order.target == SMALL;

	if (order.report) {
		say("first_instruction", m->begin - order.since);
		say(small ? "first_read" : "first_read_2m", m->read - m->begin);
		say(small ? "first_write" : "first_write_2m", m->written - m->read);
	}
	for (uint64_t i = 0; i < order.dirty; i++)
		DIRTY[i * PAGE_SIZE] = 1;
	(void)fork_op(TINE_FORK_exit, CODE_FINE, 0, 0);
	bench_idle();
}

static void wait_for(long child)
{
	long result;

	do {
		result = fork_op(TINE_FORK_wait, child, 0, 0);
	} while (result == -XEN_EAGAIN);
	if (result != CODE_FINE)
		tiny_fail("fork-bench: a child ended with %lx", result);
}

/* The child has written to as many pages as its order said; the next time it is DIRTY. */
static void reset(long child, const char *metric, uint64_t dirty)
{
	uint64_t since;
	long ret;

	order.dirty = dirty;
	order.report = false;
	since = bench_ticks();
	ret = fork_op(TINE_FORK_reset, child, (uint64_t)&order, sizeof(order));
	since = bench_ticks() - since;
	if (ret)
		tiny_fail("fork-bench: reset: error %ld", -ret);
	say(metric, since);
	wait_for(child);
}

/* Leaves the CPU for a while: what destroys left to do is done then, and frames are cleaned; else later calls would pay for it. */
static void rest(void)
{
	struct sched_poll poll = { .nr_ports = 0, .timeout = bench_time() + REST };

	if (hv_sched_op(SCHEDOP_poll, &poll))
		tiny_fail("fork-bench: it cannot rest");
}

/* The call only. The remainder is done while the CPU has nothing else to do, or in small steps. */
static void destroy(long child, const char *metric)
{
	uint64_t since = bench_ticks();
	long ret = fork_op(TINE_FORK_destroy, child, 0, 0);

	since = bench_ticks() - since;
	if (ret)
		tiny_fail("fork-bench: destroy: error %ld", -ret);
	say(metric, since);
	rest();
}

/* Each of the two reads and writes one byte: the child at TARGET, the parent at PARENTS. */
static long make(uint64_t flags, uint64_t target, uint64_t parents, struct bench_moments *m)
{
	struct bench_places places = { (volatile uint8_t *)target, (volatile uint8_t *)parents };
	long child;

	order = (struct order){ .target = target, .dirty = 1, .report = true };
	order.since = bench_ticks();
	child = bench_fork(flags, places, m);
	if (!child)
		be_child(m);
	if (child < 0)
		tiny_fail("fork-bench: error %ld", -child);
	return child;
}

/* The child waits, so that it takes no time between the fork and the parent's next instruction. */
static void fork_and_look_at_parent(uint64_t target, const char *read, const char *write)
{
	struct bench_moments m;
	long child = make(TINE_FORK_WAITS, SMALL, target, &m);

	say("self_fork", m.begin - order.since);
	say(read, m.read - m.begin);
	say(write, m.written - m.read);
	destroy(child, "destroy_waiting");
}

static void fork_and_look_at_child(uint64_t target)
{
	struct bench_moments m;
	long child = make(0, target, PARENTS_SMALL, &m);

	wait_for(child);
	reset(child, "reset_1", 64);
	reset(child, "reset_64", 4096);
	reset(child, "reset_4096", 1);
	destroy(child, "destroy");
}

/* From one fork to the next: it runs, writes to so many pages, ends, is waited for and destroyed. */
static void fork_round(uint64_t dirty)
{
	long child;

	order = (struct order){ .dirty = dirty };
	child = fork_op(TINE_FORK_self, 0, 0, 0);
	if (!child)
		be_child(NULL);
	if (child < 0)
		tiny_fail("fork-bench: error %ld", -child);
	wait_for(child);
	if (fork_op(TINE_FORK_destroy, child, 0, 0))
		tiny_fail("fork-bench: destroy failed");
}

/* The same with one child that is reset, and brings what it is to do along. */
static void reset_round(long child, uint64_t dirty)
{
	order.dirty = dirty;
	if (fork_op(TINE_FORK_reset, child, (uint64_t)&order, sizeof(order)))
		tiny_fail("fork-bench: reset failed");
	wait_for(child);
}

static void fork_rounds(const char *metric, uint64_t dirty, uint64_t count)
{
	uint64_t since = bench_ticks();

	for (uint64_t i = 0; i < count; i++)
		fork_round(dirty);
	say(metric, (bench_ticks() - since) / count);
	rest();
}

static void reset_rounds(const char *metric, long child, uint64_t dirty, uint64_t count)
{
	uint64_t since = bench_ticks();

	for (uint64_t i = 0; i < count; i++)
		reset_round(child, dirty);
	say(metric, (bench_ticks() - since) / count);
}

/* The first round of a child or a size is another's, so it is not timed. */
static void rounds(uint64_t count)
{
	struct bench_moments m;
	long child = make(0, SMALL, PARENTS_SMALL, &m);

	wait_for(child);
	order.report = false;
	for (uint64_t done = 0; done < count; done += BATCH) {
		uint64_t batch = count - done < BATCH ? count - done : BATCH;

		reset_round(child, 1);
		reset_rounds("reset_round_1", child, 1, batch);
		reset_round(child, 64);
		reset_rounds("reset_round_64", child, 64, batch);
		fork_rounds("fork_round_1", 1, batch);
		fork_rounds("fork_round_64", 64, batch);
	}
	destroy(child, "destroy_last");
}

/* A frame of it is given up and taken anew: then the leaf is split, and whatever is around it maps frames. */
static void split(uint64_t address)
{
	xen_pfn_t frame = address / PAGE_SIZE;
	struct xen_memory_reservation r = { .nr_extents = 1, .domid = DOMID_SELF };

	set_xen_guest_handle(r.extent_start, &frame);
	if (hypercall2(__HYPERVISOR_memory_op, XENMEM_decrease_reservation, (uint64_t)&r) != 1 ||
	    hypercall2(__HYPERVISOR_memory_op, XENMEM_populate_physmap, (uint64_t)&r) != 1)
		tiny_fail("fork-bench: a frame cannot be exchanged");
}

const char *work_fork_bench(const char *line)
{
	uint64_t count = cmdline_number(line, "count", 40),
		 nr_rounds = cmdline_number(line, "rounds", 200);

	bench_init();
	split(SMALL + 8 * PAGE_SIZE);
	split(PARENTS_SMALL + 8 * PAGE_SIZE);
	for (uint64_t i = 0; i < count; i++) {
		fork_and_look_at_parent(PARENTS_SMALL, "parent_first_read", "parent_first_write");
		if (i < PARENTS_LEAVES)
			fork_and_look_at_parent(PARENTS_LARGE + i * LEAF, "parent_first_read_2m",
						"parent_first_write_2m");
		fork_and_look_at_child(SMALL);
		fork_and_look_at_child(LARGE);
	}
	if (nr_rounds)
		rounds(nr_rounds);
	printf("tiny: fork-bench: idle\n");
	bench_idle();
}
