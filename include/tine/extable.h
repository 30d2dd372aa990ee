/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that may fault, and where to go on when they do: the architecture's exception handler
 * asks here. Entries are pairs of 32-bit distances from their own place, gathered in .ex_table.
 */
#ifndef TINE_EXTABLE_H
#define TINE_EXTABLE_H

#ifdef __ASSEMBLER__
/* clang-format off */
	.macro EX_TABLE from, to
	.pushsection .ex_table, "a"
	.balign 4
	.long (\from) - .
	.long (\to) - .
	.popsection
	.endm
/* clang-format on */
#else

#include <tine/cpu.h>
#include <tine/types.h>

#define EX_TABLE(from, to)                                                                         \
	".pushsection .ex_table, \"a\"\n"                                                          \
	".balign 4\n"                                                                              \
	".long (" from ") - .\n"                                                                   \
	".long (" to ") - .\n"                                                                     \
	".popsection\n"

struct ex_entry {
	s32 from, to;
};

/* Where to go on after a fault of the instruction at AT; 0 when nothing says that it may fault. */
unsigned long extable_lookup(unsigned long at);

/* For self-tests: until the next call, a fault of this CPU at AT goes on at FIXUP. AT 0: none. */
void extable_expect(unsigned long at, unsigned long fixup);

#endif
#endif
