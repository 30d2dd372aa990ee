/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of arch/x86 call of one another at start of day and in traps. */
#ifndef ASM_SETUP_H
#define ASM_SETUP_H

#include <asm/regs.h>
#include <tine/compiler.h>
#include <tine/cpu.h>
#include <tine/types.h>

/* head.S */
extern u64 x86_boot_tsc; /* the TSC at the first instruction */
extern char boot_stack_guard[], boot_stack[], boot_stack_top[];

/*
 * boot/start.c: 64-bit, in the higher half, interrupts off, on CPU 0's boot stack. PROTOCOL as in
 * start_protocol.h.
 */
void x86_start(unsigned int protocol, unsigned long info, unsigned long load_base) __noreturn;

/* idt.c */
void x86_idt_init(void);    /* gates without IST */
void x86_idt_use_ist(void); /* CPU 0's IST stacks exist */
void x86_idt_load(void);

/* percpu.c */
void percpu_save_template(void); /* before anything writes to a per-CPU variable */
void percpu_alloc(unsigned int cpu, nodeid_t node); /* another CPU's area; panics without memory */
void x86_stacks_init(unsigned int cpu,
		     nodeid_t node);     /* IST stacks and, but for CPU 0, the main one */
bool x86_stack_guards(unsigned long va); /* in the unmapped page below a stack */

/* exceptions.c, called by trap_entry.S */
void x86_trap_from_guest(struct cpu_regs *regs);
void x86_trap_from_hypervisor(struct cpu_regs *regs);
void x86_trap_ist(struct cpu_regs *regs);
DECLARE_PERCPU(u32, x86_debug_traps); /* debug exceptions in the hypervisor */
void x86_dump_regs(const struct cpu_regs *regs);

/* interrupts.c */
void x86_interrupt(struct cpu_regs *regs);

/* tlb_shootdown.c: what other CPUs asked of this one; interrupts off */
void x86_tlb_flush_handle(void);

/* smp_boot.c */
void x86_trampoline_reserve(void); /* from bootmem */
void x86_ap_main(void) __noreturn;

#endif
