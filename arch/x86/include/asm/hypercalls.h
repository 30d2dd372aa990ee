/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hypercalls that only x86 has: X(number, name) with a handler do_NAME in arch/x86/pv. abi/hypercall_table.c makes the table of them. */
#ifndef ASM_HYPERCALLS_H
#define ASM_HYPERCALLS_H

#include <tine/hypercall.h>

#define ARCH_HYPERCALLS(X)                                                                         \
	X(0, set_trap_table)                                                                       \
	X(1, mmu_update)                                                                           \
	X(2, set_gdt)                                                                              \
	X(3, stack_switch)                                                                         \
	X(4, set_callbacks)                                                                        \
	X(5, fpu_taskswitch)                                                                       \
	X(8, set_debugreg)                                                                         \
	X(9, get_debugreg)                                                                         \
	X(10, update_descriptor)                                                                   \
	X(14, update_va_mapping)                                                                   \
	X(23, iret)                                                                                \
	X(25, set_segment_base)                                                                    \
	X(26, mmuext_op)                                                                           \
	X(30, callback_op)                                                                         \
	X(33, physdev_op)

#define DECLARE_ARCH_HYPERCALL(number, name) hypercall_fn do_##name;
ARCH_HYPERCALLS(DECLARE_ARCH_HYPERCALL)
#undef DECLARE_ARCH_HYPERCALL

/* RIP goes back over the instruction that made the call, registers become OP and arguments; returns what RAX must then be. pv/batch.c */
long arch_hypercall_continue(unsigned int op, unsigned long a1, unsigned long a2, unsigned long a3,
			     unsigned long a4, unsigned long a5);

#endif
