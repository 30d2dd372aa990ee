/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hypercall dispatch. One table (abi/hypercall_table.c) names every hypercall with its handler; docs/abi.md is made from
 * it. A handler gets the five argument words and returns the guest's result, or calls hypercall_continue().
 */
#ifndef TINE_HYPERCALL_H
#define TINE_HYPERCALL_H

#include <tine/errno.h>
#include <tine/guest_access.h>
#include <tine/types.h>

#define NR_HYPERCALLS 64

typedef long hypercall_fn(unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
			  unsigned long a5);

/* Indexed by number; never NULL: holes answer -ENOSYS and count. Assembly may index it after a bound check. */
extern hypercall_fn *const hypercall_table[NR_HYPERCALLS];
/* How many arguments it takes: registers of others are none of its business. */
extern const u8 hypercall_args[NR_HYPERCALLS];

/* The answer to what is not here, a hypercall or an operation of one: -ENOSYS, and the caller's domain counts it. */
long hypercall_unknown(void) __must_check;

/*
 * Makes the hypercall run again with these arguments when the vCPU next runs (RIP moved back over the call instruction; inside a multicall the
 * entry is rewritten). The caller returns its result at once.
 */
long hypercall_continue(unsigned int op, unsigned long a1, unsigned long a2, unsigned long a3,
			unsigned long a4, unsigned long a5);

#endif
