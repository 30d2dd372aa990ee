/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86 is strongly ordered: only store-then-load needs an instruction (Intel SDM vol. 3, 8.2; AMD APM vol. 2, 7.2). */
#ifndef ASM_BARRIER_H
#define ASM_BARRIER_H

#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __asm__ volatile("" ::: "memory")
#define smp_wmb() __asm__ volatile("" ::: "memory")
#define cpu_relax() __asm__ volatile("pause" ::: "memory")

#endif
