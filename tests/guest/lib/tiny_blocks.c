// SPDX-License-Identifier: GPL-2.0-or-later
/* memset and memcpy on x86. */
#include "tiny_lib.h"

void *memset(void *to, int byte, size_t bytes)
{
	void *start = to;

	asm volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(byte) : "memory");
	return start;
}

void *memcpy(void *to, const void *from, size_t bytes)
{
	void *start = to;

	asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
	return start;
}
