/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses that may fault, for self-tests: true when they went through. */
#ifndef SELFTEST_X86_PROBE_H
#define SELFTEST_X86_PROBE_H

#include <asm/extable.h>
#include <tine/types.h>

static inline bool probe_read(const void *at)
{
	u64 ok = 0;
	u8 byte;

	__asm__ volatile("1: movb %2, %1\n\t"
			 "mov $1, %0\n\t"
			 "2:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok), "=&q"(byte)
			 : "m"(*(const u8 *)at)
			 : "memory");
	return ok;
}

/* Writes back what is there, so that going through does no harm. */
static inline bool probe_write(void *at)
{
	u64 ok = 0;

	__asm__ volatile("1: lock orb $0, %1\n\t"
			 "mov $1, %0\n\t"
			 "2:\n\t" EX_TABLE("1b", "2b")
			 : "+r"(ok), "+m"(*(u8 *)at)
			 :
			 : "memory", "cc");
	return ok;
}

/* Jumps to AT, where `jmp *%rdx` must lie (PROBE_CODE). x86_probe_exec.S */
bool x86_probe_exec(const void *at);
#define PROBE_CODE                                                                                 \
	{                                                                                          \
		0xff, 0xe2                                                                         \
	}

/*
 * Fills all registers but RSP with patterns, faults, and returns how many came back changed.
 * x86_probe_exec.S
 */
unsigned long x86_probe_registers(void);

#endif
