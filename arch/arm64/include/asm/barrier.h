/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arm is weakly ordered (DDI 0487, B2.3). CPUs and memory that is shared with them: inner shareable. What devices and the page-table walker
 * must see in order takes a DSB, which is spelled out where it is needed (asm/sysreg.h).
 */
#ifndef ASM_BARRIER_H
#define ASM_BARRIER_H

#define smp_mb() __asm__ volatile("dmb ish" ::: "memory")
#define smp_rmb() __asm__ volatile("dmb ishld" ::: "memory")
#define smp_wmb() __asm__ volatile("dmb ishst" ::: "memory")
#define cpu_relax() __asm__ volatile("yield" ::: "memory")

#endif
