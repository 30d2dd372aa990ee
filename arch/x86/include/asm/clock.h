/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pieces that make up time on x86. */
#ifndef ASM_CLOCK_H
#define ASM_CLOCK_H

#include <tine/types.h>

void x86_timer_init(void);     /* CPU 0: measures the APIC timer, then as below */
void x86_timer_cpu_init(void); /* the CPU that calls: one-shot timer, not set */
void x86_timer_tick(void);     /* its interrupt */

void x86_wallclock_init(void); /* reads the CMOS clock */

void x86_delay_us(unsigned int us); /* busy; the TSC is calibrated */

#endif
