/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arm64 guest from the loader to C, and its exceptions. The image is entered as Linux's is (abi page 8.4): at EL1, MMU off, anywhere in RAM at a
 * multiple of 2 MiB, the device tree's address in x0. It is linked at 0 and moves itself; then it makes its tables and lives at its physical address.
 */
#include "tinyarm_layout.h"

#define FLAGS_4K 2
#define FLAGS_ANYWHERE 8
#define R_AARCH64_RELATIVE 1027

	.section .text.entry, "ax"
	.globl tinyarm_image
tinyarm_image:
	b	primary
	nop
	.quad	0			/* from a multiple of 2 MiB */
	.quad	tinyarm_end - tinyarm_image
	.quad	FLAGS_4K | FLAGS_ANYWHERE
	.quad	0, 0, 0
	.ascii	"ARM\x64"
	.long	0

primary:
	mov	x19, x0
	adrp	x20, tinyarm_image
	adrp	x0, tinyarm_bss
	adrp	x1, tinyarm_end
1:	stp	xzr, xzr, [x0], #16
	cmp	x0, x1
	b.lo	1b

	/* pointers in its data */
	adrp	x0, tinyarm_rela_start
	add	x0, x0, :lo12:tinyarm_rela_start
	adrp	x1, tinyarm_rela_end
	add	x1, x1, :lo12:tinyarm_rela_end
2:	cmp	x0, x1
	b.hs	3f
	ldp	x2, x3, [x0], #16
	ldr	x4, [x0], #8
	cmp	x3, #R_AARCH64_RELATIVE
	b.ne	2b
	add	x4, x4, x20
	str	x4, [x20, x2]
	b	2b

3:	adrp	x0, tinyarm_boot_stack + TINYARM_STACK
	mov	sp, x0
	mov	x29, xzr
	mov	x0, x20
	bl	tinyarm_make_tables
	bl	mmu_on
	mov	x0, x19
	bl	tinyarm_start
4:	wfi
	b	4b

/* What PSCI starts: the stack's end in x0, and what to call at the word below it. */
	.globl tinyarm_secondary
tinyarm_secondary:
	mov	x19, x0
	bl	mmu_on
	mov	sp, x19
	mov	x29, xzr
	ldr	x1, [x19, #-16]!
	mov	sp, x19
	blr	x1
5:	wfi
	b	5b

/* Caches and MMU on with the tables that there are; vectors. */
mmu_on:
	adrp	x0, tinyarm_level1
	ldr	x1, =TINYARM_MAIR
	ldr	x2, =TINYARM_TCR
	ldr	x3, =TINYARM_SCTLR
	ldr	x4, =TINYARM_CPACR
	adrp	x5, tinyarm_vectors
	msr	ttbr0_el1, x0
	msr	mair_el1, x1
	msr	tcr_el1, x2
	msr	cpacr_el1, x4
	msr	vbar_el1, x5
	tlbi	vmalle1
	ic	iallu
	dsb	nsh
	isb
	msr	sctlr_el1, x3
	isb
	ret
	.ltorg

/* ---- Exceptions: x0 to x30, then ELR and SPSR, as struct tinyarm_frame has them ---- */

	.macro	enter
	sub	sp, sp, #TINYARM_FRAME
	stp	x0, x1, [sp]
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	stp	x8, x9, [sp, #64]
	stp	x10, x11, [sp, #80]
	stp	x12, x13, [sp, #96]
	stp	x14, x15, [sp, #112]
	stp	x16, x17, [sp, #128]
	stp	x18, x19, [sp, #144]
	stp	x20, x21, [sp, #160]
	stp	x22, x23, [sp, #176]
	stp	x24, x25, [sp, #192]
	stp	x26, x27, [sp, #208]
	stp	x28, x29, [sp, #224]
	mrs	x0, elr_el1
	mrs	x1, spsr_el1
	stp	x30, x0, [sp, #240]
	str	x1, [sp, #256]
	mov	x0, sp
	.endm

	.macro	vector handler
	.balign	128
	enter
	bl	\handler
	b	leave
	.endm

	.section .text.vectors, "ax"
	.balign	4096
tinyarm_vectors:
	.rept	4
	vector	tinyarm_stray
	.endr
	vector	tinyarm_sync
	vector	tinyarm_irq
	.rept	10
	vector	tinyarm_stray
	.endr

leave:
	ldp	x30, x0, [sp, #240]
	ldr	x1, [sp, #256]
	msr	elr_el1, x0
	msr	spsr_el1, x1
	ldp	x0, x1, [sp]
	ldp	x2, x3, [sp, #16]
	ldp	x4, x5, [sp, #32]
	ldp	x6, x7, [sp, #48]
	ldp	x8, x9, [sp, #64]
	ldp	x10, x11, [sp, #80]
	ldp	x12, x13, [sp, #96]
	ldp	x14, x15, [sp, #112]
	ldp	x16, x17, [sp, #128]
	ldp	x18, x19, [sp, #144]
	ldp	x20, x21, [sp, #160]
	ldp	x22, x23, [sp, #176]
	ldp	x24, x25, [sp, #192]
	ldp	x26, x27, [sp, #208]
	ldp	x28, x29, [sp, #224]
	add	sp, sp, #TINYARM_FRAME
	eret

	.bss
	.balign	4096
tinyarm_boot_stack:
	.skip	TINYARM_STACK

	.section .note.GNU-stack, "", @progbits
