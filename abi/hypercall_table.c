// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hypercall table: every hypercall that Tine has, by number. The rest answers -ENOSYS and is
 * counted, as guests probe. What only one architecture has comes from <asm/hypercalls.h>.
 * docs/abi.md is made from here.
 */
#include <tine/hypercall.h>
#include <asm/hypercalls.h>
#include <tine/vcpu.h>
#include "internal.h"

#define HYPERCALLS(X)                                                                              \
	X(12, memory_op, 2)                                                                        \
	X(13, multicall, 2)                                                                        \
	X(15, set_timer_op, 1)                                                                     \
	X(17, xen_version, 2)                                                                      \
	X(18, console_io, 3)                                                                       \
	X(20, grant_table_op, 3)                                                                   \
	X(21, vm_assist, 2)                                                                        \
	X(24, vcpu_op, 3)                                                                          \
	X(29, sched_op, 2)                                                                         \
	X(32, event_channel_op, 2)                                                                 \
	X(55, fork_op, 4)

long hypercall_unknown(void)
{
	(void)__atomic_fetch_add(&current->domain->unknown_hypercalls, 1, __ATOMIC_RELAXED);
	return -ENOSYS;
}

static long unknown(unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
		    unsigned long a5)
{
	return hypercall_unknown();
}

/* Every number starts as unknown; the compiler is told that the second initialiser is meant. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"

#define ENTRY(number, name, args) [number] = do_##name,

hypercall_fn *const hypercall_table[NR_HYPERCALLS] = { [0 ... NR_HYPERCALLS - 1] = unknown,
						       HYPERCALLS(ENTRY) ARCH_HYPERCALLS(ENTRY) };

#define ARGS(number, name, args) [number] = args,

const u8 hypercall_args[NR_HYPERCALLS] = { HYPERCALLS(ARGS) ARCH_HYPERCALLS(ARGS) };

#pragma GCC diagnostic pop
