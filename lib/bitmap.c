// SPDX-License-Identifier: GPL-2.0-or-later
/* Searching and counting in bit arrays, a word at a time. */
#include <tine/bitmap.h>

/* First bit at or after FROM that differs from the matching bit of INVERT (all ones: look for clear bits). */
static unsigned long next_bit(const unsigned long *map, unsigned long size, unsigned long from,
			      unsigned long invert)
{
	unsigned long i, word;

	if (from >= size)
		return size;
	i = from / BITS_PER_LONG;
	word = (READ_ONCE(map[i]) ^ invert) & (~0UL << (from % BITS_PER_LONG));
	while (!word) {
		if (++i >= BITS_TO_LONGS(size))
			return size;
		word = READ_ONCE(map[i]) ^ invert;
	}
	return min(i * BITS_PER_LONG + lsb(word), size);
}

unsigned long bitmap_next_set(const unsigned long *map, unsigned long size, unsigned long from)
{
	return next_bit(map, size, from, 0);
}

unsigned long bitmap_next_clear(const unsigned long *map, unsigned long size, unsigned long from)
{
	return next_bit(map, size, from, ~0UL);
}

unsigned long bitmap_count(const unsigned long *map, unsigned long size)
{
	unsigned long n = 0, i;

	for (i = bitmap_next_set(map, size, 0); i < size; i = bitmap_next_set(map, size, i + 1))
		n++;
	return n;
}
