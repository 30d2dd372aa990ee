/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bit arrays of unsigned long. Plain ones need the owner's lock; the _atomic ones do not. */
#ifndef TINE_BITMAP_H
#define TINE_BITMAP_H

#include <tine/lib.h>

#define BITS_PER_LONG 64
#define BITS_TO_LONGS(n) DIV_ROUND_UP((n), BITS_PER_LONG)

static inline bool test_bit(const unsigned long *map, unsigned long n)
{
	return (READ_ONCE(map[n / BITS_PER_LONG]) >> (n % BITS_PER_LONG)) & 1;
}

static inline void set_bit(unsigned long *map, unsigned long n)
{
	map[n / BITS_PER_LONG] |= BIT(n % BITS_PER_LONG);
}

static inline void clear_bit(unsigned long *map, unsigned long n)
{
	map[n / BITS_PER_LONG] &= ~BIT(n % BITS_PER_LONG);
}

/* These return the bit's value from before; sequentially consistent. */
static inline bool test_and_set_bit_atomic(unsigned long *map, unsigned long n)
{
	unsigned long bit = BIT(n % BITS_PER_LONG);

	return __atomic_fetch_or(&map[n / BITS_PER_LONG], bit, __ATOMIC_SEQ_CST) & bit;
}

static inline bool test_and_clear_bit_atomic(unsigned long *map, unsigned long n)
{
	unsigned long bit = BIT(n % BITS_PER_LONG);

	return __atomic_fetch_and(&map[n / BITS_PER_LONG], ~bit, __ATOMIC_SEQ_CST) & bit;
}

/* The first set (clear) bit at or after FROM, or SIZE. lib/bitmap.c */
unsigned long bitmap_next_set(const unsigned long *map, unsigned long size, unsigned long from);
unsigned long bitmap_next_clear(const unsigned long *map, unsigned long size, unsigned long from);
unsigned long bitmap_count(const unsigned long *map, unsigned long size);

#endif
