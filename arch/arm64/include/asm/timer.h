/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each CPU's timer. */
#ifndef ASM_TIMER_H
#define ASM_TIMER_H

void arm64_timer_cpu_init(void); /* the CPU that calls: one-shot timer, not set */

#endif
