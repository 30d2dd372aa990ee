// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hypercall table: every hypercall that Tine has, by number. The rest answers -ENOSYS and is counted, as guests probe. What
 * only one architecture has comes from <asm/hypercalls.h>. docs/abi.md is made from here.
 */
#include <tine/hypercall.h>
#include <asm/hypercalls.h>
#include <tine/vcpu.h>
#include "internal.h"

#define HYPERCALLS(X)                                                                              \
	X(12, memory_op)                                                                           \
	X(13, multicall)                                                                           \
	X(15, set_timer_op)                                                                        \
	X(17, xen_version)                                                                         \
	X(18, console_io)                                                                          \
	X(21, vm_assist)                                                                           \
	X(24, vcpu_op)                                                                             \
	X(29, sched_op)                                                                            \
	X(32, event_channel_op)

static long unknown(unsigned long a1, unsigned long a2, unsigned long a3, unsigned long a4,
		    unsigned long a5)
{
	(void)__atomic_fetch_add(&current->domain->unknown_hypercalls, 1, __ATOMIC_RELAXED);
	return -ENOSYS;
}

/* Every number starts as unknown; the compiler is told that the second initialiser is meant. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"

#define ENTRY(number, name) [number] = do_##name,

hypercall_fn *const hypercall_table[NR_HYPERCALLS] = { [0 ... NR_HYPERCALLS - 1] = unknown,
						       HYPERCALLS(ENTRY) ARCH_HYPERCALLS(ENTRY) };

#pragma GCC diagnostic pop
