/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hypercalls that only x86 has: X(number, name, arguments) with a handler do_NAME in arch/x86/pv,
 * that of hvm_op in arch/x86/svm.
 * abi/hypercall_table.c makes the table of them.
 */
#ifndef ASM_HYPERCALLS_H
#define ASM_HYPERCALLS_H

#include <tine/hypercall.h>

#define ARCH_HYPERCALLS(X)                                                                         \
	X(0, set_trap_table, 1)                                                                    \
	X(1, mmu_update, 4)                                                                        \
	X(2, set_gdt, 2)                                                                           \
	X(3, stack_switch, 2)                                                                      \
	X(4, set_callbacks, 3)                                                                     \
	X(5, fpu_taskswitch, 1)                                                                    \
	X(7, platform_op, 1)                                                                       \
	X(8, set_debugreg, 2)                                                                      \
	X(9, get_debugreg, 1)                                                                      \
	X(10, update_descriptor, 2)                                                                \
	X(14, update_va_mapping, 3)                                                                \
	X(22, update_va_mapping_otherdomain, 4)                                                    \
	X(23, iret, 0)                                                                             \
	X(25, set_segment_base, 2)                                                                 \
	X(26, mmuext_op, 4)                                                                        \
	X(28, nmi_op, 2)                                                                           \
	X(30, callback_op, 2)                                                                      \
	X(33, physdev_op, 2)                                                                       \
	X(34, hvm_op, 2)                                                                           \
	X(40, xenpmu_op, 2)                                                                        \
	X(48, mca, 1)

#define DECLARE_ARCH_HYPERCALL(number, name, args) hypercall_fn do_##name;
ARCH_HYPERCALLS(DECLARE_ARCH_HYPERCALL)
#undef DECLARE_ARCH_HYPERCALL

/*
 * RIP goes back over the instruction that made the call, registers become OP and arguments; returns
 * what RAX must then be. guest_kind.c
 */
long arch_hypercall_continue(unsigned int op, unsigned long a1, unsigned long a2, unsigned long a3,
			     unsigned long a4, unsigned long a5);

#endif
