// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lookup in the exception table that the linker gathered: some dozen entries, in no order. And one
 * entry a CPU that is made at run time, for a self-test that jumps where it should not.
 */
#include <tine/extable.h>

extern const struct ex_entry ex_table_start[], ex_table_end[]; /* image.lds.S */

static DEFINE_PERCPU(unsigned long, expected_at);
static DEFINE_PERCPU(unsigned long, expected_fixup);

void extable_expect(unsigned long at, unsigned long fixup)
{
	this_cpu(expected_at) = at;
	this_cpu(expected_fixup) = fixup;
}

static unsigned long target(const s32 *word)
{
	return (unsigned long)word + (unsigned long)(long)*word;
}

unsigned long extable_lookup(unsigned long at)
{
	for (const struct ex_entry *e = ex_table_start; e < ex_table_end; e++)
		if (target(&e->from) == at)
			return target(&e->to);
	return at == this_cpu(expected_at) ? this_cpu(expected_fixup) : 0;
}
