/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that may fault, and where to go on when they do. A #PF, #GP, #NP or #SS that the
 * hypervisor takes at FROM continues at TO. Entries are pairs of 32-bit distances from their own
 * place, gathered in .ex_table.
 */
#ifndef ASM_EXTABLE_H
#define ASM_EXTABLE_H

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

/* What happened at FROM; good at TO until interrupts may come. */
DECLARE_PERCPU(u32, x86_fixup_vector);
DECLARE_PERCPU(u32, x86_fixup_error_code);

/* Where to go on after a fault at RIP; 0 when nothing says that RIP may fault. */
unsigned long x86_extable_lookup(unsigned long rip);

/* For self-tests: until the next call, a fault of this CPU at RIP goes on at FIXUP. RIP 0: none. */
void x86_expect_fault(unsigned long rip, unsigned long fixup);

#endif
#endif
