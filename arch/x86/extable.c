// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lookup in the exception table that the linker gathered: some dozen entries, in no order. And one
 * entry a CPU that is made at run time, for a self-test that jumps where it should not.
 */
#include <asm/extable.h>
#include <tine/cpu.h>

extern const struct ex_entry ex_table_start[], ex_table_end[]; /* image.lds.S */

static DEFINE_PERCPU(unsigned long, expected_rip);
static DEFINE_PERCPU(unsigned long, expected_fixup);

void x86_expect_fault(unsigned long rip, unsigned long fixup)
{
	this_cpu(expected_rip) = rip;
	this_cpu(expected_fixup) = fixup;
}

static unsigned long target(const s32 *word)
{
	return (unsigned long)word + (unsigned long)(long)*word;
}

unsigned long x86_extable_lookup(unsigned long rip)
{
	for (const struct ex_entry *e = ex_table_start; e < ex_table_end; e++)
		if (target(&e->from) == rip)
			return target(&e->to);
	return rip == this_cpu(expected_rip) ? this_cpu(expected_fixup) : 0;
}
