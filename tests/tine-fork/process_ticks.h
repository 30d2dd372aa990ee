/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of process-fork, as instructions go: the TSC, or on arm64 the virtual count. */
#ifndef PROCESS_TICKS_H
#define PROCESS_TICKS_H

#include <stdint.h>

static inline uint64_t ticks(void)
{
#ifdef __aarch64__
	uint64_t count;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(count) : : "memory");
	return count;
#else
	uint32_t low, high;

	__asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
#endif
}

#endif
