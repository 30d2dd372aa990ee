// SPDX-License-Identifier: GPL-2.0-or-later
/* Lookup in the exception table that the linker gathered: some dozen entries, in no order. */
#include <asm/extable.h>

extern const struct ex_entry ex_table_start[], ex_table_end[]; /* image.lds.S */

static unsigned long target(const s32 *word)
{
	return (unsigned long)word + (unsigned long)(long)*word;
}

unsigned long x86_extable_lookup(unsigned long rip)
{
	for (const struct ex_entry *e = ex_table_start; e < ex_table_end; e++)
		if (target(&e->from) == rip)
			return target(&e->to);
	return 0;
}
