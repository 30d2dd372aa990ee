/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the word `fork-bench` needs of each kind of guest (translated/work_fork_bench.c). */
#ifndef TINY_FORK_BENCH_H
#define TINY_FORK_BENCH_H

#include "tiny_types.h"

/* When the first instruction after a fork came, and then a read and a write of the same place were done. In ticks. */
struct bench_moments {
	uint64_t begin, read, written;
};

void bench_init(void);      /* interrupts are off afterwards: they would come in between */
uint64_t bench_ticks(void); /* as instructions go */
uint64_t bench_time(
	void); /* nanoseconds, as the hypervisor counts; not after now, but later than when the vCPU last began to run, or then */

/* TINE_FORK_self; each of the two reads and writes its own place. Until the last of the moments nothing else is touched: registers hold it all. */
struct bench_places {
	volatile uint8_t *child, *parent;
};
long bench_fork(uint64_t flags, struct bench_places places, struct bench_moments *moments);

/* Sleeps for good; whoever forks it meanwhile makes more of that. */
void __noreturn bench_idle(void);

#endif
