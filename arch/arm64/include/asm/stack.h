/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks, as C and vectors.S must agree on them. A stack is the upper half of STACK_SLOT bytes, aligned to that; the lower half is not mapped. */
#ifndef ASM_STACK_H
#define ASM_STACK_H

#define STACK_BIT 15
#define STACK_SIZE 32768
#define STACK_SLOT 65536
#define OVERFLOW_STACK_SIZE 8192 /* what a panic needs */

#endif
