/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hypercalls that only arm64 has: X(number, name, arguments) with a handler do_NAME in arch/arm64/guest. abi/hypercall_table.c makes the table of them.
 */
#ifndef ASM_HYPERCALLS_H
#define ASM_HYPERCALLS_H

#include <tine/hypercall.h>

hypercall_fn do_hvm_op; /* guest/guest_hypercall.c */

#define ARCH_HYPERCALLS(X) X(34, hvm_op, 2)

/* The guest's program counter goes back over the HVC, registers become OP and arguments; returns what x0 must then be. */
long arch_hypercall_continue(unsigned int op, unsigned long a1, unsigned long a2, unsigned long a3,
			     unsigned long a4, unsigned long a5);

#endif
