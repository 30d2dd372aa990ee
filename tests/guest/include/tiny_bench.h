/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of the word `bench`. A row runs what it measures and says how long that took; most do one
 * thing BENCH_COUNT times in a tight loop (BENCH_ROW), from which the same loop around nothing is
 * taken off.
 */
#ifndef TINY_BENCH_H
#define TINY_BENCH_H

#include "tiny_event.h"
#include "tiny_types.h"

#define BENCH_COUNT 2000u

struct bench_row {
	const char *name;
	long (*run)(uint64_t *elapsed); /* negative: -errno; the row has failed */
	unsigned int
		count; /* how many things a run does; 0: BENCH_COUNT, in a loop whose own cost comes off */
};

/* One file's rows, and what they need: prepare says why it cannot be had, or NULL. */
struct bench_group {
	const char *(*prepare)(void);
	const struct bench_row *rows;
	unsigned int count;
};

extern const struct bench_group bench_traps, bench_memory, bench_grants, bench_vcpus;

/* A call that is inlined into its loop, so that nothing else is timed. Results are ored. */
#define BENCH_ROW(id, call)                                                                        \
	static long bench_##id(uint64_t *elapsed)                                                  \
	{                                                                                          \
		uint64_t start = tsc_now();                                                        \
		long rc = 0;                                                                       \
                                                                                                   \
		for (unsigned int i = 0; i < BENCH_COUNT; i++)                                     \
			rc |= (call);                                                              \
		*elapsed = tsc_now() - start;                                                      \
		return rc;                                                                         \
	}

#endif
