// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CRC-32 by carry-less multiplication, 64 bytes a round. The message is a polynomial; a part of it
 * that is 128 bits wide and N bits ahead of the rest may be replaced by its product with x^N mod P,
 * which is as wide again and is added to what comes there. What is left at last, 16 bytes and a
 * tail, is summed in the ordinary way.
 *
 * (Bits are reflected: the lower half of a register is the part of higher degree, and the product
 * of two reflected numbers comes out one bit too low, hence the shift. The halves are 64 bits apart
 * and constants 32 bits wide, hence N + 32 and N - 32.)
 */
#include <asm/cpufeature.h>
#include <tine/arch.h>
#include <tine/crc32.h>

#define ROUND 64
#define PCLMULQDQ BIT(1) /* CPUID 1, ECX */

static u64 power_of_x(unsigned int n)
{
	u32 rest = 1U << 31;

	while (n--)
		rest = (rest >> 1) ^ (rest & 1 ? CRC32_POLYNOMIAL : 0);
	return (u64)rest << 1;
}

#define FOLD(reg, by)                                                                              \
	"movdqa %%xmm" reg ", %%xmm6\n"                                                            \
	"pclmulqdq $0x00, %%xmm" by ", %%xmm" reg "\n"                                             \
	"pclmulqdq $0x11, %%xmm" by ", %%xmm6\n"                                                   \
	"pxor %%xmm6, %%xmm" reg "\n"

#define FOLD_AND_ADD(reg, offset)                                                                  \
	FOLD(reg, "5")                                                                             \
	"movdqu " offset "(%[data]), %%xmm6\n"                                                     \
	"pxor %%xmm6, %%xmm" reg "\n"

/*
 * N bytes, a multiple of ROUND, come down to 16. SSE registers are the caller's to use: see
 * tine/arch.h.
 */
static const u8 *fold(u32 state, const u8 *data, size_t n, u8 rest[16])
{
	u64 by_512[2] = { power_of_x(512 + 32), power_of_x(512 - 32) };
	u64 by_128[2] = { power_of_x(128 + 32), power_of_x(128 - 32) };
	size_t rounds = n / ROUND - 1;

	__asm__ volatile(
		"movdqu 0(%[data]), %%xmm0\n"
		"movdqu 16(%[data]), %%xmm1\n"
		"movdqu 32(%[data]), %%xmm2\n"
		"movdqu 48(%[data]), %%xmm3\n"
		"movd %[state], %%xmm4\n"
		"pxor %%xmm4, %%xmm0\n"
		"movdqu %[by_512], %%xmm5\n"
		"add $64, %[data]\n"
		"test %[rounds], %[rounds]\n"
		"jz 2f\n"
		"1:\n" FOLD_AND_ADD("0", "0") FOLD_AND_ADD("1", "16") FOLD_AND_ADD("2", "32") FOLD_AND_ADD(
			"3",
			"48") "add $64, %[data]\n"
			      "dec %[rounds]\n"
			      "jnz 1b\n"
			      "2:\n"
			      "movdqu %[by_128], %%xmm5\n" FOLD(
				      "0",
				      "5") "pxor %%xmm0, %%xmm1\n" FOLD("1",
									"5") "pxor %%xmm1, "
									     "%%xmm2\n" FOLD(
										     "2",
										     "5") "pxor "
											  "%%xmm2, "
											  "%%xmm3\n"
											  "movdqu "
											  "%%xmm3, "
											  "(%[rest]"
											  ")\n"
		: [data] "+r"(data), [rounds] "+r"(rounds)
		: [state] "r"(state), [rest] "r"(rest), [by_512] "m"(by_512), [by_128] "m"(by_128)
		: "memory");
	return data;
}

u32 arch_crc32(u32 state, const void *data, size_t n)
{
	u8 rest[16];

	if (n < ROUND || !(cpuid(1, 0).ecx & PCLMULQDQ))
		return crc32_update(state, data, n);
	data = fold(state, data, n & ~(size_t)(ROUND - 1), rest);
	state = crc32_update(0, rest, sizeof(rest));
	return crc32_update(state, data, n % ROUND);
}
