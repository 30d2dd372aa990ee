// SPDX-License-Identifier: GPL-2.0-or-later
/* Finding a function by address: binary search in the table that the build made from the image itself. */
#include <tine/symbols.h>

extern const u32 symbol_count;
extern const u32 symbol_offsets[]; /* from image_start, ascending */
extern const u32 symbol_name_at[]; /* index of the name's first byte in symbol_names */
extern const char symbol_names[];
extern const char image_start[], text_start[], text_end[]; /* image.lds.S */

const char *symbol_lookup(unsigned long address, unsigned long *offset)
{
	unsigned long want = address - (unsigned long)image_start;
	u32 lo = 0, hi = symbol_count;

	if (address < (unsigned long)text_start || address >= (unsigned long)text_end || hi == 0 ||
	    want < symbol_offsets[0])
		return NULL;
	while (hi - lo > 1) { /* symbol_offsets[lo] <= want < symbol_offsets[hi] */
		u32 mid = lo + (hi - lo) / 2;

		if (symbol_offsets[mid] <= want)
			lo = mid;
		else
			hi = mid;
	}
	*offset = want - symbol_offsets[lo];
	return &symbol_names[symbol_name_at[lo]];
}
