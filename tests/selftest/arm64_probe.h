/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses that may fault, for self-tests: true when they went through. */
#ifndef SELFTEST_ARM64_PROBE_H
#define SELFTEST_ARM64_PROBE_H

#include <asm/extable.h>
#include <tine/types.h>

static inline bool probe_read(const void *at)
{
	u64 ok = 0;
	u32 byte;

	__asm__ volatile("1: ldrb %w1, [%2]\n\t"
			 "mov %0, #1\n\t"
			 "2:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok), "=&r"(byte)
			 : "r"(at)
			 : "memory");
	return ok;
}

/* Writes back what is there, so that going through does no harm; other CPUs leave the place alone. */
static inline bool probe_write(void *at)
{
	u64 ok = 0;
	u32 byte;

	__asm__ volatile("1: ldrb %w1, [%2]\n\t"
			 "2: strb %w1, [%2]\n\t"
			 "mov %0, #1\n\t"
			 "3:\n\t" EX_TABLE("1b", "3b") EX_TABLE("2b", "3b")
			 : "+r"(ok), "=&r"(byte)
			 : "r"(at)
			 : "memory");
	return ok;
}

/* Calls AT, where `ret` must lie (PROBE_CODE). arm64_probe_exec.S */
bool arm64_probe_exec(const void *at);
#define PROBE_CODE 0xd65f03c0U

/* Fills all registers but SP with patterns, faults, and returns how many came back changed. arm64_probe_exec.S */
unsigned long arm64_probe_registers(void);

#endif
