// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memcpy and its kin for x86-64, on the string instructions: no SSE state is touched, they are what current CPUs make
 * fastest for more than a few words, and they cost one instruction a word where instructions are counted.
 */
#include <tine/string.h>

void *memset(void *dst, int c, size_t n)
{
	u64 pattern = 0x0101010101010101ULL * (u8)c;
	void *at = dst;
	size_t words = n / 8;

	n %= 8;
	__asm__ volatile("rep stosq" : "+D"(at), "+c"(words) : "a"(pattern) : "memory");
	__asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(c) : "memory");
	return dst;
}

void *memcpy(void *dst, const void *src, size_t n)
{
	void *at = dst;
	size_t words = n / 8;

	n %= 8;
	__asm__ volatile("rep movsq" : "+D"(at), "+S"(src), "+c"(words) : : "memory");
	__asm__ volatile("rep movsb" : "+D"(at), "+S"(src), "+c"(n) : : "memory");
	return dst;
}

/* Overlapping with the destination above the source: from the last byte down. */
static void copy_backwards(void *dst, const void *src, size_t n)
{
	u8 *to = (u8 *)dst + n - 1;
	const u8 *from = (const u8 *)src + n - 1;

	__asm__ volatile("std; rep movsb; cld" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

void *memmove(void *dst, const void *src, size_t n)
{
	if ((uintptr_t)dst - (uintptr_t)src >= n)
		return memcpy(dst, src, n);
	copy_backwards(dst, src, n);
	return dst;
}
