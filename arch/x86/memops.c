// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memcpy and its kin for x86-64, on the string instructions: no SSE state is touched, they are what
 * current CPUs make fastest for more than a few words, and they cost one instruction a word where
 * instructions are counted.
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

/* Words anywhere, of whatever type is really there. */
typedef u64 any_u64 __attribute__((aligned(1), may_alias));
typedef u32 any_u32 __attribute__((aligned(1), may_alias));
typedef u16 any_u16 __attribute__((aligned(1), may_alias));

/*
 * Below two words a string instruction costs more to start: the first and the last part, which may
 * overlap.
 */
#define COPY_ENDS(type)                                                                            \
	do {                                                                                       \
		type first_ = *(const type *)src;                                                  \
		type last_ = *(const type *)((const u8 *)src + n - sizeof(type));                  \
		*(type *)dst = first_;                                                             \
		*(type *)((u8 *)dst + n - sizeof(type)) = last_;                                   \
	} while (0)

static __always_inline void copy_short(void *dst, const void *src, size_t n)
{
	if (n >= sizeof(u64))
		COPY_ENDS(any_u64);
	else if (n >= sizeof(u32))
		COPY_ENDS(any_u32);
	else if (n >= sizeof(u16))
		COPY_ENDS(any_u16);
	else if (n)
		*(u8 *)dst = *(const u8 *)src;
}

static void *copy_long(void *dst, const void *src, size_t n)
{
	void *at = dst;
	size_t words = n / 8;

	n %= 8;
	__asm__ volatile("rep movsq" : "+D"(at), "+S"(src), "+c"(words) : : "memory");
	__asm__ volatile("rep movsb" : "+D"(at), "+S"(src), "+c"(n) : : "memory");
	return dst;
}

void *memcpy(void *dst, const void *src, size_t n)
{
	if (n <= 2 * sizeof(u64)) {
		copy_short(dst, src, n);
		return dst;
	}
	return copy_long(dst, src, n);
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
