/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The floating-point registers of a CPU, put aside and taken back. The hypervisor itself is compiled to use none. */
#ifndef ARM64_FP_H
#define ARM64_FP_H

#include <asm/sysreg.h>
#include <tine/types.h>

struct arm64_fp {
	u64 q[64];
	u64 fpsr, fpcr;
} __attribute__((aligned(16)));

/* stp or ldp of all 32 registers at x-register BASE. */
#define ARM64_ALL_Q(op)                                                                            \
	op " q0, q1, [%0, #32 * 0]\n" op " q2, q3, [%0, #32 * 1]\n" op                             \
	   " q4, q5, [%0, #32 * 2]\n" op " q6, q7, [%0, #32 * 3]\n" op                             \
	   " q8, q9, [%0, #32 * 4]\n" op " q10, q11, [%0, #32 * 5]\n" op                           \
	   " q12, q13, [%0, #32 * 6]\n" op " q14, q15, [%0, #32 * 7]\n" op                         \
	   " q16, q17, [%0, #32 * 8]\n" op " q18, q19, [%0, #32 * 9]\n" op                         \
	   " q20, q21, [%0, #32 * 10]\n" op " q22, q23, [%0, #32 * 11]\n" op                       \
	   " q24, q25, [%0, #32 * 12]\n" op " q26, q27, [%0, #32 * 13]\n" op                       \
	   " q28, q29, [%0, #32 * 14]\n" op " q30, q31, [%0, #32 * 15]\n"

static inline void arm64_fp_save(struct arm64_fp *fp)
{
	__asm__ volatile(".arch_extension fp\n" ARM64_ALL_Q("stp") : : "r"(fp->q) : "memory");
	fp->fpsr = read_sysreg(fpsr);
	fp->fpcr = read_sysreg(fpcr);
}

static inline void arm64_fp_load(const struct arm64_fp *fp)
{
	write_sysreg(fpsr, fp->fpsr);
	write_sysreg(fpcr, fp->fpcr);
	__asm__ volatile(".arch_extension fp\n" ARM64_ALL_Q("ldp") : : "r"(fp->q) : "memory");
}

#endif
