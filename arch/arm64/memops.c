// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memcpy and its kin for arm64, on general registers: guests' floating-point state is in the others. Unaligned accesses are fine in Normal memory, and
 * only that is what these are for. Zeros come by DC ZVA, a block of 64 bytes or more an instruction, where the CPU has it.
 */
#include <asm/sysreg.h>
#include <tine/lib.h>
#include <tine/string.h>

/* Words anywhere, of whatever type is really there. */
typedef u64 any_u64 __attribute__((aligned(1), may_alias));

#define DCZID_PROHIBITED 0x10
#define DCZID_SIZE(dczid) (4UL << ((dczid)&0xf))
#define ZERO_MIN 256

static u8 *fill(u8 *at, u64 pattern, size_t n)
{
	for (; n >= 16; n -= 16, at += 16) {
		((any_u64 *)at)[0] = pattern;
		((any_u64 *)at)[1] = pattern;
	}
	for (; n; n--)
		*at++ = (u8)pattern;
	return at;
}

/* Whole blocks of BLOCK bytes; how many bytes that were. */
static size_t zero_blocks(u8 *at, size_t n, size_t block)
{
	size_t done;

	for (done = 0; done + block <= n; done += block)
		__asm__ volatile("dc zva, %0" : : "r"(at + done) : "memory");
	return done;
}

void *memset(void *dst, int c, size_t n)
{
	u64 pattern = 0x0101010101010101ULL * (u8)c;
	u64 dczid = n >= ZERO_MIN && !c ? read_sysreg(dczid_el0) : DCZID_PROHIBITED;
	u8 *at = dst;

	if (!(dczid & DCZID_PROHIBITED)) {
		size_t block = DCZID_SIZE(dczid);
		size_t first = min(n, ROUND_UP((size_t)at, block) - (size_t)at), done;

		at = fill(at, 0, first);
		done = zero_blocks(at, n - first, block);
		at += done;
		n -= first + done;
	}
	(void)fill(at, pattern, n);
	return dst;
}

void *memcpy(void *dst, const void *src, size_t n)
{
	u8 *to = dst;
	const u8 *from = src;

	for (; n >= 32; n -= 32, to += 32, from += 32) {
		u64 a = ((const any_u64 *)from)[0], b = ((const any_u64 *)from)[1];
		u64 c = ((const any_u64 *)from)[2], d = ((const any_u64 *)from)[3];

		((any_u64 *)to)[0] = a;
		((any_u64 *)to)[1] = b;
		((any_u64 *)to)[2] = c;
		((any_u64 *)to)[3] = d;
	}
	for (; n >= 8; n -= 8, to += 8, from += 8)
		*(any_u64 *)to = *(const any_u64 *)from;
	for (; n; n--)
		*to++ = *from++;
	return dst;
}

/* Overlapping with the destination above the source: from the last byte down. */
static void copy_backwards(u8 *to, const u8 *from, size_t n)
{
	for (; n >= 8; n -= 8)
		*(any_u64 *)(to + n - 8) = *(const any_u64 *)(from + n - 8);
	while (n--)
		to[n] = from[n];
}

/* Destination below the source by less than memcpy() holds in registers. */
static void copy_forwards(u8 *to, const u8 *from, size_t n)
{
	for (; n >= 8; n -= 8, to += 8, from += 8)
		*(any_u64 *)to = *(const any_u64 *)from;
	for (; n; n--)
		*to++ = *from++;
}

void *memmove(void *dst, const void *src, size_t n)
{
	if ((uintptr_t)dst - (uintptr_t)src < n)
		copy_backwards(dst, src, n);
	else
		copy_forwards(dst, src, n);
	return dst;
}
