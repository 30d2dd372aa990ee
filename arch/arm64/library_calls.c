// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A place where code compiled for user space may run inside the hypervisor: it uses floating-point registers, which hold a guest's values, so they are
 * put aside; its stack guard is a word of ours that never changes. Boot CPU only, one at a time.
 */
#include <asm/irqflags.h>
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/crc32.h>

unsigned long
	__stack_chk_guard; /* what the libraries compare; __stack_chk_fail() is in boot/unpack_libc.c */

static struct {
	u64 q[64];
	u64 fpsr, fpcr;
} fp __aligned(16);

/* STORE or LOAD of all 32 registers at x-register BASE. */
#define ALL_Q(op)                                                                                  \
	op " q0, q1, [%0, #32 * 0]\n" op " q2, q3, [%0, #32 * 1]\n" op                             \
	   " q4, q5, [%0, #32 * 2]\n" op " q6, q7, [%0, #32 * 3]\n" op                             \
	   " q8, q9, [%0, #32 * 4]\n" op " q10, q11, [%0, #32 * 5]\n" op                           \
	   " q12, q13, [%0, #32 * 6]\n" op " q14, q15, [%0, #32 * 7]\n" op                         \
	   " q16, q17, [%0, #32 * 8]\n" op " q18, q19, [%0, #32 * 9]\n" op                         \
	   " q20, q21, [%0, #32 * 10]\n" op " q22, q23, [%0, #32 * 11]\n" op                       \
	   " q24, q25, [%0, #32 * 12]\n" op " q26, q27, [%0, #32 * 13]\n" op                       \
	   " q28, q29, [%0, #32 * 14]\n" op " q30, q31, [%0, #32 * 15]\n"

unsigned long arch_library_begin(void)
{
	unsigned long flags = local_irq_save();

	__asm__ volatile(".arch_extension fp\n" ALL_Q("stp") : : "r"(fp.q) : "memory");
	fp.fpsr = read_sysreg(fpsr);
	fp.fpcr = read_sysreg(fpcr);
	return flags;
}

void arch_library_end(unsigned long flags)
{
	write_sysreg(fpsr, fp.fpsr);
	write_sysreg(fpcr, fp.fpcr);
	__asm__ volatile(".arch_extension fp\n" ALL_Q("ldp") : : "r"(fp.q) : "memory");
	local_irq_restore(flags);
}

u32 arch_crc32(u32 state, const void *data, size_t n)
{
	return crc32_update(state, data, n);
}

/* Kernels for x86 are not unpacked here but by mistake. */
size_t arch_no_branch(const u8 *data, size_t n)
{
	return 0;
}
