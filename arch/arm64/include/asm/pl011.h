/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The serial console, an Arm PL011 (DDI 0183). */
#ifndef ASM_PL011_H
#define ASM_PL011_H

void pl011_init(void);        /* registers it with printk, if the machine has one; again: nothing */
void pl011_last_resort(void); /* of a panic that nobody would hear else */
void pl011_start_input(void); /* interrupts work */

#endif
