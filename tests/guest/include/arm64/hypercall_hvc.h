/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hypercalls on arm64 (abi page 8.1): HVC #0xEA1, the number in X16, arguments in X0 to X4. And firmware's: HVC #0, the function in X0 (8.6). */
#ifndef TINY_HYPERCALL_HVC_H
#define TINY_HYPERCALL_HVC_H

#include <stdint.h>

static inline long hypercall4(unsigned long number, uint64_t a1, uint64_t a2, uint64_t a3,
			      uint64_t a4)
{
	register uint64_t x0 asm("x0") = a1, x1 asm("x1") = a2, x2 asm("x2") = a3,
			     x3 asm("x3") = a4, x16 asm("x16") = number;

	asm volatile("hvc #0xea1" : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3), "+r"(x16) : : "memory");
	return (long)x0;
}

static inline long hypercall3(unsigned long number, uint64_t a1, uint64_t a2, uint64_t a3)
{
	return hypercall4(number, a1, a2, a3, 0);
}

static inline long hypercall2(unsigned long number, uint64_t a1, uint64_t a2)
{
	return hypercall4(number, a1, a2, 0, 0);
}

static inline long hypercall1(unsigned long number, uint64_t a1)
{
	return hypercall4(number, a1, 0, 0, 0);
}

static inline long hypercall0(unsigned long number)
{
	return hypercall4(number, 0, 0, 0, 0);
}

static inline long firmware_call(uint64_t function, uint64_t a1, uint64_t a2, uint64_t a3)
{
	register uint64_t x0 asm("x0") = function, x1 asm("x1") = a1, x2 asm("x2") = a2,
			     x3 asm("x3") = a3;

	asm volatile("hvc #0"
		     : "+r"(x0), "+r"(x1), "+r"(x2), "+r"(x3)
		     :
		     : "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
		       "x16", "x17", "memory");
	return (long)x0;
}

#endif
