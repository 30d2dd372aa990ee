/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What start of day calls of arch/arm64/guest, once the interrupt controller is up. */
#ifndef ASM_GUEST_SETUP_H
#define ASM_GUEST_SETUP_H

void arm64_guests_init(void);     /* CPU 0 */
void arm64_guests_cpu_init(void); /* any other */

#endif
