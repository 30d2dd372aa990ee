/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hypercalls on x86 (abi page 3): the number goes in RAX, arguments in RDI, RSI, RDX, R10, R8; they are written as in/out because
 * debug hypervisors overwrite them. The instruction is the kind's: PV or PVH.
 */
#ifndef TINY_HYPERCALL_X86_H
#define TINY_HYPERCALL_X86_H

#include <stdint.h>

#include "hypercall_insn.h"

static inline long hypercall0(unsigned long number)
{
	long result;

	asm volatile(HYPERCALL_INSN : "=a"(result) : "0"(number) : HYPERCALL_CLOBBERS);
	return result;
}

static inline long hypercall1(unsigned long number, uint64_t a1)
{
	long result;

	asm volatile(HYPERCALL_INSN : "=a"(result), "+D"(a1) : "0"(number) : HYPERCALL_CLOBBERS);
	return result;
}

static inline long hypercall2(unsigned long number, uint64_t a1, uint64_t a2)
{
	long result;

	asm volatile(HYPERCALL_INSN
		     : "=a"(result), "+D"(a1), "+S"(a2)
		     : "0"(number)
		     : HYPERCALL_CLOBBERS);
	return result;
}

static inline long hypercall3(unsigned long number, uint64_t a1, uint64_t a2, uint64_t a3)
{
	long result;

	asm volatile(HYPERCALL_INSN
		     : "=a"(result), "+D"(a1), "+S"(a2), "+d"(a3)
		     : "0"(number)
		     : HYPERCALL_CLOBBERS);
	return result;
}

static inline long hypercall4(unsigned long number, uint64_t a1, uint64_t a2, uint64_t a3,
			      uint64_t a4)
{
	long result;
	register uint64_t r10 asm("r10") = a4;

	asm volatile(HYPERCALL_INSN
		     : "=a"(result), "+D"(a1), "+S"(a2), "+d"(a3), "+r"(r10)
		     : "0"(number)
		     : HYPERCALL_CLOBBERS);
	return result;
}

#endif
