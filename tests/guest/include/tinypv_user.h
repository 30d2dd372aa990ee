/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs pieces of user-mode code and tells how they came back. */
#ifndef TINYPV_USER_H
#define TINYPV_USER_H

#include "tinypv_trap.h"

/* Called for whatever interrupts user mode: does not return if the run ends with it. */
void user_left(struct tiny_regs *regs);

/*
 * Enters user mode at `program` (a label in tinypv_userland.S) with RDI = argument, and returns
 * what brought it back: any exception or system call, or an event if `until_event`. The kernel
 * stack from stack_switch is in use meanwhile.
 */
void user_run(const char *program, uint64_t argument, bool until_event, struct tiny_regs *left);

/* As user_run, from a complete register set. */
void user_resume(struct tiny_regs *regs, bool until_event, struct tiny_regs *left);

/* Top of the kernel stack that user mode enters on. */
uint64_t user_kernel_stack_top(void);

/* Where on it the last registers were saved. */
uint64_t user_entry_sp(void);

#endif
