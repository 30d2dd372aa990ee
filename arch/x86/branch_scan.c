// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The search for call and jump opcodes in a kernel, 32 bytes a step: of tens of megabytes only one
 * byte in a hundred is one.
 */
#include <tine/arch.h>

#define STEP 32

static const struct {
	u8 mask[16], opcode[16];
} pattern __aligned(16) = {
	.mask = { [0 ... 15] = 0xfe },
	.opcode = { [0 ... 15] = 0xe8 },
};

/* SSE registers are the caller's to use: see tine/arch.h. */
size_t arch_no_branch(const u8 *data, size_t n)
{
	const u8 *at = data;
	size_t steps = n / STEP;
	u32 found, upper;

	if (!steps)
		return 0;
	__asm__ volatile(
		"1:\n"
		"movdqu 0(%[at]), %%xmm0\n"
		"movdqu 16(%[at]), %%xmm1\n"
		"pand %[mask], %%xmm0\n"
		"pand %[mask], %%xmm1\n"
		"pcmpeqb %[opcode], %%xmm0\n"
		"pcmpeqb %[opcode], %%xmm1\n"
		"pmovmskb %%xmm0, %[found]\n"
		"pmovmskb %%xmm1, %[upper]\n"
		"shl $16, %[upper]\n"
		"or %[upper], %[found]\n"
		"jnz 2f\n"
		"add $32, %[at]\n"
		"dec %[steps]\n"
		"jnz 1b\n"
		"2:\n"
		: [at] "+r"(at), [steps] "+r"(steps), [found] "=&r"(found), [upper] "=&r"(upper)
		: [mask] "m"(pattern.mask), [opcode] "m"(pattern.opcode)
		: "memory", "cc");
	return (size_t)(at - data) + (found ? (size_t)__builtin_ctz(found) : 0);
}
