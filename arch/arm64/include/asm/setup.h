/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of arch/arm64 call of one another at start of day and in traps. */
#ifndef ASM_SETUP_H
#define ASM_SETUP_H

#include <asm/regs.h>
#include <tine/compiler.h>
#include <tine/cpu.h>
#include <tine/types.h>

/* image.lds.S, boot/head.S */
extern const char image_start[], image_end[], rodata_start[], rodata_end[];
extern char boot_stack_guard[], boot_stack[], boot_stack_top[];
extern const char arm64_vectors[];
extern const char arm64_mmu_on[]; /* less than 256 bytes, aligned to that */

/* boot/start.c: the MMU is on, interrupts are off, CPU 0's boot stack; the device tree is at physical address FDT, the image at IMAGE. */
void arm64_start(unsigned long fdt, unsigned long image) __noreturn;
/* smp_boot.c: the same of another CPU, on its own stack and per-CPU area. */
void arm64_secondary_start(void) __noreturn;

/* percpu.c */
void percpu_save_template(void); /* before anything writes to a per-CPU variable */
void percpu_alloc(unsigned int cpu,
		  nodeid_t node); /* another CPU's area and stacks; panics without memory */
void *arm64_stack_top(unsigned int cpu);
bool arm64_stack_guards(unsigned long va); /* in the unmapped pages below a stack */

/* exceptions.c, called by vectors.S; interrupts are off */
void arm64_trap(struct cpu_regs *regs);
void arm64_stack_overflow(struct cpu_regs *regs) __noreturn;
void arm64_serror(struct cpu_regs *regs);
void arm64_bad_vector(struct cpu_regs *regs, unsigned int vector) __noreturn;
void arm64_dump_regs(const struct cpu_regs *regs);

/* gic/gic.c */
void arm64_interrupt(void);

#endif
