/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The vectors of guests (vectors.S), as long as there are none: whoever comes here was never entered. */
#include <asm-offsets.h>

	.section .text, "ax"
	.globl arm64_guest_sync, arm64_guest_irq, arm64_guest_serror, arm64_guest_32bit
arm64_guest_sync:
arm64_guest_irq:
arm64_guest_serror:
arm64_guest_32bit:
	sub sp, sp, #REGS_SIZE
	mov x0, sp
	mov x1, #8
	bl arm64_bad_vector
