// SPDX-License-Identifier: GPL-2.0-or-later
/* memset and memcpy on arm64: words where both ends allow it, for nothing may be unaligned before the MMU is on. */
#include "tiny_lib.h"

#define WORD sizeof(uint64_t)
#define ALIGNED(x) ((uint64_t)(x) % WORD == 0)

void *memset(void *to, int byte, size_t bytes)
{
	uint64_t word = 0x0101010101010101ul * (unsigned char)byte;
	unsigned char *at = to;

	for (; bytes && !ALIGNED(at); bytes--)
		*at++ = (unsigned char)byte;
	for (; bytes >= WORD; bytes -= WORD, at += WORD)
		*(uint64_t *)(void *)at = word;
	while (bytes--)
		*at++ = (unsigned char)byte;
	return to;
}

void *memcpy(void *to, const void *from, size_t bytes)
{
	unsigned char *t = to;
	const unsigned char *f = from;

	if (ALIGNED(t) && ALIGNED(f))
		for (; bytes >= WORD; bytes -= WORD, t += WORD, f += WORD)
			*(uint64_t *)(void *)t = *(const uint64_t *)(const void *)f;
	while (bytes--)
		*t++ = *f++;
	return to;
}
