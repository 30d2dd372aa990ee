// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The words `fork-bench count=N`: what forks of this guest cost, in ticks of the TSC (under icount, instructions), as it sees it itself. It forks,
 * lets the child write, resets and destroys it; `tine bench fork` reads the lines. Afterwards it idles, for forks made from the console.
 *
 * The child has the TSC from before the call in its memory, which is a copy of its parent's: so it can say itself when it began.
 */
#include "tiny_hypercall.h"
#include "tiny_lib.h"
#include "tinypvh.h"
#include <tine/fork_op.h>
#include <xen/memory.h>
#include <xen/vcpu.h>

#define DIRTY ((volatile uint8_t *)0x1000000UL) /* 16 MiB that children write to */
#define SMALL 0x2800000UL                       /* among leaves of 4 KiB */
#define LARGE 0x2a00000UL                       /* in a leaf of 2 MiB */
#define CODE_FINE 7
#define REST 100000000UL /* ns after the vCPU last began to run */

/* What a child is to do; its parent fills it in before the fork or gives it with a reset. */
static struct order {
	uint64_t since, target, dirty;
	bool report;
} order;

static uint64_t ticks(void)
{
	uint32_t low, high;

	asm volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

static long fork_op(uint64_t command, uint64_t a2, uint64_t a3, uint64_t a4)
{
	return hypercall4(TINE_FORK_HYPERCALL, command, a2, a3, a4);
}

/* Nothing is written between the fork and the write that is timed: registers hold it all. */
static long fork_and_write(uint64_t flags, uint64_t target, uint64_t *first, uint64_t *written)
{
	register uint64_t begin asm("r8"), end asm("r9");
	register long id asm("r11");
	uint64_t command = TINE_FORK_self, nr = TINE_FORK_HYPERCALL;

	asm volatile(HYPERCALL_INSN "\n"
				    "mov %%rax, %%r11\n"
				    "rdtsc\n"
				    "shl $32, %%rdx\n"
				    "lea (%%rax,%%rdx), %%r8\n"
				    "movb $1, (%%rbx)\n"
				    "rdtsc\n"
				    "shl $32, %%rdx\n"
				    "lea (%%rax,%%rdx), %%r9\n"
		     : "=r"(begin), "=r"(end), "=r"(id), "+a"(nr), "+D"(command), "+S"(flags)
		     : "b"(target)
		     : "rdx", "r10", "cc", HYPERCALL_CLOBBERS);
	*first = begin;
	*written = end;
	return id;
}

static void say(const char *metric, uint64_t value)
{
	printf("tiny: fork-bench: metric=%s ticks=%lu\n", metric, value);
}

static void __noreturn idle(void)
{
	for (;;)
		(void)hv_sched_op(SCHEDOP_block, NULL);
}

static void __noreturn be_child(uint64_t first, uint64_t written)
{
	if (order.report) {
		say("first_instruction", first - order.since);
		say(order.target == SMALL ? "first_write" : "first_write_2m", written - first);
	}
	for (uint64_t i = 0; i < order.dirty; i++)
		DIRTY[i * PAGE_SIZE] = 1;
	(void)fork_op(TINE_FORK_exit, CODE_FINE, 0, 0);
	idle();
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
	since = ticks();
	ret = fork_op(TINE_FORK_reset, child, (uint64_t)&order, sizeof(order));
	since = ticks() - since;
	if (ret)
		tiny_fail("fork-bench: reset: error %ld", -ret);
	say(metric, since);
	wait_for(child);
}

/* Leaves the CPU for a while: what destroys left to do is done then, and frames are cleaned; else later calls would pay for it. */
static void rest(void)
{
	struct vcpu_runstate_info now;
	struct sched_poll poll = { .nr_ports = 0 };

	if (hypercall3(__HYPERVISOR_vcpu_op, VCPUOP_get_runstate_info, 0, (uint64_t)&now))
		tiny_fail("fork-bench: no run state");
	poll.timeout = now.state_entry_time + REST;
	if (hv_sched_op(SCHEDOP_poll, &poll))
		tiny_fail("fork-bench: it cannot rest");
}

/* The call only. The remainder is done while the CPU has nothing else to do, or in small steps. */
static void destroy(long child, const char *metric)
{
	uint64_t since = ticks();
	long ret = fork_op(TINE_FORK_destroy, child, 0, 0);

	since = ticks() - since;
	if (ret)
		tiny_fail("fork-bench: destroy: error %ld", -ret);
	say(metric, since);
	rest();
}

static long make(uint64_t flags, uint64_t target, uint64_t *first, uint64_t *written)
{
	long child;

	order = (struct order){ .target = target, .dirty = 1, .report = true };
	order.since = ticks();
	child = fork_and_write(flags, target, first, written);
	if (!child)
		be_child(*first, *written);
	if (child < 0)
		tiny_fail("fork-bench: error %ld", -child);
	return child;
}

/* The child waits, so that it takes no time between the fork and the parent's next instruction. */
static void fork_and_look_at_parent(uint64_t target)
{
	uint64_t first, written, since;
	long child = make(TINE_FORK_WAITS, target, &first, &written);

	since = order.since;
	say("self_fork", first - since);
	say("parent_first_write", written - first);
	destroy(child, "destroy_waiting");
}

static void fork_and_look_at_child(uint64_t target)
{
	uint64_t first, written;
	long child = make(0, target, &first, &written);

	wait_for(child);
	reset(child, "reset_1", 64);
	reset(child, "reset_64", 4096);
	reset(child, "reset_4096", 1);
	destroy(child, "destroy");
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

void tinypvh_fork_bench(const char *line)
{
	uint64_t count = cmdline_number(line, "count", 40);

	split(SMALL + 8 * PAGE_SIZE);
	for (uint64_t i = 0; i < count; i++) {
		fork_and_look_at_parent(i % 2 ? SMALL : LARGE);
		fork_and_look_at_child(SMALL);
		fork_and_look_at_child(LARGE);
	}
	printf("tiny: fork-bench: idle\n");
	idle();
}
