/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the loader to C. The image is entered as Linux's Image is (Documentation/arm64/booting.rst): MMU off, anywhere in RAM at a multiple of 2 MiB,
 * the device tree's physical address in x0, at EL2. Nothing is known of what caches hold of the page tables' memory, so it is put out of them
 * before tables are written with caches off, and again after. Other CPUs come from PSCI in the same state but for x0.
 *
 * Between here and arm64_start(): x21 device tree, x22 where the image is, x23 the counter at the first instruction.
 */
#include <asm/memory.h>
#include <asm/paging.h>
#include <asm/sysreg.h>

#define FLAGS_4K 2
#define FLAGS_ANYWHERE 8
#define BOOT_BLOCK_RWX (PTE_NORMAL | PTE_VALID)
#define BOOT_BLOCK_RO (PTE_NORMAL | PTE_VALID | PTE_RO)
#define BLOCK_SHIFT 21

	.macro load_constant reg, value
	movz \reg, #((\value) & 0xffff)
	movk \reg, #(((\value) >> 16) & 0xffff), lsl #16
	movk \reg, #(((\value) >> 32) & 0xffff), lsl #32
	.endm

	.section .text.head, "ax"
	.globl image_header
image_header:
	.long 0xfa405a4d /* `ccmp x18, #0, #0xd, pl`: does nothing that matters, and begins as a PE file does, with "MZ" */
	b primary_entry
	.quad 0 /* from a multiple of 2 MiB */
	.quad image_size
	.quad FLAGS_4K | FLAGS_ANYWHERE
	.quad 0, 0, 0
	.ascii "ARM\x64"
	.long pe_header - image_header

#include "pe_header.S"

primary_entry:
	mrs x23, cntpct_el0
	mov x21, x0
	mrs x0, CurrentEL
	cmp x0, #(2 << 2)
	b.ne wrong_level
	adrp x22, image_start
	bl el2_setup
	bl drop_table_lines
	bl make_boot_tables
	bl drop_table_lines
	adrp x0, boot_l0
	mov w1, #SCTLR_BOOT & 0xffff
	movk w1, #SCTLR_BOOT >> 16, lsl #16
	ldr x30, =primary_high
	b mmu_on

primary_high:
	ldr x0, =arm64_vectors
	msr vbar_el2, x0
	isb
	msr daifclr, #4 /* SError: an error of the memory system is not to wait for a guest */
	ldr x0, =bss_start
	ldr x1, =image_end
1:	stp xzr, xzr, [x0], #16
	cmp x0, x1
	b.lo 1b
	ldr x0, =arm64_boot_count
	str x23, [x0]
	ldr x0, =boot_stack_top
	mov sp, x0
	msr tpidr_el2, xzr
	mov x29, xzr
	mov x0, x21
	mov x1, x22
	bl arm64_start
2:	b 2b

/* Another CPU: psci_cpu_on() got its physical address. What it needs lies in arm64_secondary (smp_boot.c). */
	.globl secondary_entry
secondary_entry:
	bl el2_setup
	adrp x0, arm64_l0
	load_constant x1, SCTLR_FINAL
	ldr x30, =secondary_high
	b mmu_on

secondary_high:
	ldr x0, =arm64_vectors
	msr vbar_el2, x0
	isb
	msr daifclr, #4 /* SError: an error of the memory system is not to wait for a guest */
	ldr x0, =arm64_secondary
	ldp x1, x2, [x0]
	mov sp, x1
	msr tpidr_el2, x2
	mov x29, xzr
	bl arm64_secondary_start
1:	b 1b

/*
 * arm64_switch_tables(top-level table, x1 its SCTLR_EL2, x2 where the image is): other tables for the same addresses, whose translations may differ in
 * size; so the MMU is off in between (D8.13.1), and this runs at its physical address. Nothing is loaded or stored meanwhile.
 */
	.globl arm64_switch_tables
arm64_switch_tables:
	adr x3, 1f
	load_constant x4, IMAGE_VIRT_START
	sub x3, x3, x4
	add x3, x3, x2
	dsb sy
	br x3
1:	load_constant x3, SCTLR_MMU_OFF
	msr sctlr_el2, x3
	isb
	b mmu_on

/* Table in x0, SCTLR_EL2 in x1; goes on at x30. The page that this is in is in all tables, at its physical address. */
	.balign 256
	.globl arm64_mmu_on
arm64_mmu_on:
mmu_on:
	load_constant x2, MAIR_VALUE
	msr mair_el2, x2
	load_constant x2, TCR_BASE
	mrs x3, id_aa64mmfr0_el1
	and x3, x3, #0xf
	cmp x3, #PARANGE_48
	mov x4, #PARANGE_48
	csel x3, x3, x4, lo
	orr x2, x2, x3, lsl #TCR_PS_SHIFT
	msr tcr_el2, x2
	msr ttbr0_el2, x0
	isb
	tlbi alle2
	ic iallu
	dsb nsh
	isb
	msr sctlr_el2, x1
	isb
	ret

/* What EL2 is to be like, whoever was here before; also with VHE, which stays unused (HCR_EL2.E2H clear). */
el2_setup:
	msr daifset, #0xf
	msr spsel, #1
	load_constant x0, SCTLR_MMU_OFF
	msr sctlr_el2, x0
	load_constant x0, HCR_HYPERVISOR
	msr hcr_el2, x0
	isb
	mov x0, #0x33ff /* SVE and SME trap, floating point does not */
	msr cptr_el2, x0
	mrs x0, mdcr_el2
	and x0, x0, #0x1f /* HPMN: all counters stay EL1's */
	msr mdcr_el2, x0
	mov x0, #1 /* EL1 may read the physical count, and not set the physical timer */
	msr cnthctl_el2, x0
	msr cntvoff_el2, xzr
	msr hstr_el2, xzr
	msr vttbr_el2, xzr
	mrs x0, midr_el1
	msr vpidr_el2, x0
	mrs x0, mpidr_el1
	msr vmpidr_el2, x0
	mrs x0, id_aa64mmfr0_el1 /* FGT: fine-grained traps, whose registers nobody may have cleared (QEMU 7.2 has none) */
	ubfx x0, x0, #56, #4
	cbz x0, 1f
	msr s3_4_c1_c1_4, xzr /* HFGRTR_EL2, HFGWTR_EL2, HFGITR_EL2, HDFGRTR_EL2, HDFGWTR_EL2 */
	msr s3_4_c1_c1_5, xzr
	msr s3_4_c1_c1_6, xzr
	msr s3_4_c3_c1_4, xzr
	msr s3_4_c3_c1_5, xzr
1:	mrs x0, id_aa64mmfr1_el1
	ubfx x0, x0, #40, #4
	cbz x0, 2f
	msr s3_4_c1_c2_2, xzr /* HCRX_EL2: what guests have not (guest_sysreg.c) stays off or traps */
2:	isb
	ret

/* No line of the boot tables is in a cache after this. */
drop_table_lines:
	adrp x0, boot_tables
	adrp x1, bss_start
	mrs x2, ctr_el0
	ubfx x2, x2, #16, #4
	mov x3, #4
	lsl x3, x3, x2
	dmb sy
1:	dc civac, x0
	add x0, x0, x3
	cmp x0, x1
	b.lo 1b
	dsb sy
	ret

	/* In TABLE, the entry for the address in x4 at bit SHIFT becomes x5. Uses x6. */
	.macro set_entry table, shift
	adrp x6, \table
	ubfx x7, x4, #\shift, #9
	str x5, [x6, x7, lsl #3]
	.endm

	.macro set_table table, shift, to
	adrp x5, \to
	orr x5, x5, #PTE_PAGE
	set_entry \table, \shift
	.endm

/* The first 2 MiB of the image at their physical address; the whole image at its own; the device tree. */
make_boot_tables:
	adrp x0, boot_tables
	adrp x1, bss_start
1:	stp xzr, xzr, [x0], #16
	cmp x0, x1
	b.lo 1b

	mov x4, x22
	set_table boot_l0, 39, boot_own_l1
	set_table boot_own_l1, 30, boot_own_l2
	load_constant x8, BOOT_BLOCK_RWX
	orr x5, x22, x8
	set_entry boot_own_l2, 21

	load_constant x4, IMAGE_VIRT_START
	set_table boot_l0, 39, boot_image_l1
	set_table boot_image_l1, 30, boot_image_l2
	orr x5, x22, x8
	ldr x9, =image_size
	add x9, x9, x5
2:	set_entry boot_image_l2, 21
	add x4, x4, #(1 << BLOCK_SHIFT)
	add x5, x5, #(1 << BLOCK_SHIFT)
	cmp x5, x9
	b.lo 2b

	/* A tree is at most 2 MiB long and 8-byte aligned; C code says so if it is not. */
	load_constant x4, FDT_VIRT_START
	set_table boot_image_l1, 30, boot_fdt_l2
	tst x21, #7
	b.ne 3f
	cbz x21, 3f
	load_constant x8, BOOT_BLOCK_RO
	bic x9, x21, #((1 << BLOCK_SHIFT) - 1)
	orr x5, x9, x8
	set_entry boot_fdt_l2, 21
	ldr w10, [x21, #4] /* totalsize, big-endian */
	rev w10, w10
	sub x11, x21, x9
	add x10, x10, x11
	cmp x10, #(1 << BLOCK_SHIFT)
	b.ls 3f
	add x4, x4, #(1 << BLOCK_SHIFT)
	add x5, x5, #(1 << BLOCK_SHIFT)
	set_entry boot_fdt_l2, 21
3:	ret

/* Not EL2, so there is no way on. The MMU is off and no device known: QEMU's `virt` has a PL011 here, elsewhere nobody hears it. */
wrong_level:
	mov x1, #0x09000000
	adr x0, wrong_level_text
1:	ldrb w2, [x0], #1
	cbz w2, 2f
	strb w2, [x1]
	b 1b
2:	wfi
	b 2b
wrong_level_text:
	.asciz "Tine must be started at EL2, and was not. On QEMU: -machine virt,virtualization=on\r\n"
	.balign 4
	.ltorg

	.section .bss.boot_tables, "aw", @nobits
	.balign 4096
boot_l0:
	.skip 4096
boot_own_l1:
	.skip 4096
boot_own_l2:
	.skip 4096
boot_image_l1:
	.skip 4096
boot_image_l2:
	.skip 4096
boot_fdt_l2:
	.skip 4096

	/* The stack that CPU 0 keeps; aligned so that bit 15 of SP tells the guard from the stack (vectors.S). */
	.section .bss.stack, "aw", @nobits
	.balign 65536
	.globl boot_stack_guard, boot_stack, boot_stack_top
boot_stack_guard:
	.skip 32768
boot_stack:
	.skip 32768
boot_stack_top:
