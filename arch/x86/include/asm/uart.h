/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two console devices of a PC. */
#ifndef ASM_UART_H
#define ASM_UART_H

void x86_uart_init(void);        /* as com1= says; registers it with printk; again: nothing */
void x86_uart_start_input(void); /* interrupts and timers work */
void x86_serial_interrupt(void);

void x86_vga_init(void);  /* 80x25 text mode; below the boot page tables */
void x86_vga_remap(void); /* before the own page tables take over */

#endif
