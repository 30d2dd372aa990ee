// SPDX-License-Identifier: GPL-2.0-or-later
/* The arm64 guest's part of the word `fork-bench` (tiny_fork_bench.h): the virtual count is the clock. */
#include "tiny_event.h"
#include "tiny_fork_bench.h"
#include "tiny_hypercall.h"
#include "tinyarm.h"
#include <tine/fork_op.h>

void bench_init(void)
{
	timer_init();
	(void)events_off();
}

uint64_t bench_ticks(void)
{
	return tsc_now();
}

uint64_t bench_time(void)
{
	return time_now();
}

/* What comes before is done, and then the count is read. */
#define COUNT_TO(reg) "dsb sy; isb; mrs " reg ", cntvct_el0\n"

long bench_fork(uint64_t flags, struct bench_places places, struct bench_moments *moments)
{
	register uint64_t x0 asm("x0") = TINE_FORK_self, x1 asm("x1") = flags;
	register uint64_t x16 asm("x16") = TINE_FORK_HYPERCALL;
	uint64_t begin, read, written, byte;

	asm volatile("hvc #0xea1\n"
		     "cmp x0, #0\n"
		     "csel %7, %7, %8, eq\n" COUNT_TO("%0") "ldrb %w3, [%7]\n" COUNT_TO(
			     "%1") "strb %w3, [%7]\n" COUNT_TO("%2")
		     : "=&r"(begin), "=&r"(read), "=&r"(written), "=&r"(byte), "+r"(x0), "+r"(x1),
		       "+r"(x16), "+&r"(places.child)
		     : "r"(places.parent)
		     : "cc", "memory");
	*moments = (struct bench_moments){ begin, read, written };
	return (long)x0;
}

/* A fork is told to look at its events: it can. */
void __noreturn bench_idle(void)
{
	events_on();
	for (;;)
		(void)hv_sched_op(SCHEDOP_block, NULL);
}
