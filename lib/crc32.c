// SPDX-License-Identifier: GPL-2.0-or-later
/* CRC-32, a byte at a time by a table that is made when first needed. */
#include <tine/crc32.h>

static u32 table[256];

static void make_table(void)
{
	for (unsigned int i = 0; i < 256; i++) {
		u32 rest = i;

		for (unsigned int bit = 0; bit < 8; bit++)
			rest = (rest >> 1) ^ (rest & 1 ? CRC32_POLYNOMIAL : 0);
		table[i] = rest;
	}
}

u32 crc32_update(u32 state, const void *data, size_t n)
{
	const u8 *at = data;

	if (!table[1])
		make_table();
	while (n--)
		state = (state >> 8) ^ table[(u8)state ^ *at++];
	return state;
}
