/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Barriers on the host. A spinning thread lets others run: there may be more of them than CPUs. */
#ifndef ASM_BARRIER_H
#define ASM_BARRIER_H

#include <sched.h>

#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define cpu_relax() ((void)sched_yield())

#endif
