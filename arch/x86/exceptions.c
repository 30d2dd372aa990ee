// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What becomes of an exception. A guest's goes to arch/x86/pv; the hypervisor's own is looked up in
 * the exception table, and when nothing says that the place may fault, that is the end. NMI, double
 * fault and machine check are always the hypervisor's. Interrupts are off on entry.
 */

#include <asm/debugreg.h>
#include <asm/extable.h>
#include <asm/msr.h>
#include <asm/power.h>
#include <asm/pv.h>
#include <asm/setup.h>
#include <asm/vectors.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>
#include <tine/vcpu.h>

#define EFLAGS_TF 0x100UL

static const char *trap_name(u32 vector)
{
	static const char *const names[] = {
		"divide error",
		"debug",
		"NMI",
		"breakpoint",
		"overflow",
		"bound range",
		"invalid opcode",
		"no FPU",
		"double fault",
		"coprocessor overrun",
		"invalid TSS",
		"segment not present",
		"stack fault",
		"general protection",
		"page fault",
		"reserved",
		"x87 error",
		"alignment check",
		"machine check",
		"SIMD error",
	};

	return vector < ARRAY_SIZE(names) ? names[vector] : "unknown exception";
}

void x86_dump_regs(const struct cpu_regs *r)
{
	printk_always("rip %04lx:%016lx  rsp %04lx:%016lx  rflags %08lx", r->cs & 0xffff, r->rip,
		      r->ss & 0xffff, r->rsp, r->rflags);
	printk_always("rax %016lx  rbx %016lx  rcx %016lx", r->rax, r->rbx, r->rcx);
	printk_always("rdx %016lx  rsi %016lx  rdi %016lx", r->rdx, r->rsi, r->rdi);
	printk_always("rbp %016lx  r8  %016lx  r9  %016lx", r->rbp, r->r8, r->r9);
	printk_always("r10 %016lx  r11 %016lx  r12 %016lx", r->r10, r->r11, r->r12);
	printk_always("r13 %016lx  r14 %016lx  r15 %016lx", r->r13, r->r14, r->r15);
	printk_always("cr2 %016lx  cr3 %016lx  cr4 %016lx", x86_read_cr2(), x86_read_cr3(),
		      x86_read_cr4());
}

/*
 * panic() prints a backtrace from here down, which the link frame of trap_entry.S leads past the
 * exception.
 */
static void fatal_trap(struct cpu_regs *regs)
{
	printk_panic_mode();
	x86_dump_regs(regs);
	if (regs->entry_vector == TRAP_PAGE_FAULT)
		panic("Page fault in the hypervisor: %s of %016lx, %s (error code %#x)",
		      regs->error_code & PF_FETCH   ? "execution"
		      : regs->error_code & PF_WRITE ? "write"
						    : "read",
		      x86_read_cr2(),
		      regs->error_code & PF_PRESENT ? "not permitted" : "not mapped",
		      regs->error_code);
	if (regs->entry_vector == TRAP_DOUBLE_FAULT && x86_stack_guards(x86_read_cr2()))
		panic("Stack overflow: %016lx is in the guard page below a stack", x86_read_cr2());
	panic("Exception %u (%s) in the hypervisor, error code %#x", regs->entry_vector,
	      trap_name(regs->entry_vector), regs->error_code);
}

static bool is_interrupt(const struct cpu_regs *regs)
{
	return regs->entry_vector >= VECTOR_FIRST_EXTERNAL &&
	       regs->entry_vector != VECTOR_GUEST_SYSCALL;
}

void x86_trap_from_guest(struct cpu_regs *regs)
{
	if (is_interrupt(regs))
		x86_interrupt(regs);
	else
		pv_guest_trap(current, regs);
}

DEFINE_PERCPU(u32, x86_fixup_vector);
DEFINE_PERCPU(u32, x86_fixup_error_code);

void x86_trap_from_hypervisor(struct cpu_regs *regs)
{
	unsigned long fixup;

	if (is_interrupt(regs)) {
		x86_interrupt(regs);
		return;
	}
	fixup = extable_lookup(regs->rip);
	if (!fixup)
		fatal_trap(regs);
	this_cpu(x86_fixup_vector) = regs->entry_vector;
	this_cpu(x86_fixup_error_code) = regs->error_code;
	regs->rip = fixup;
}

/* An NMI is how a panic stops the other CPUs; from elsewhere it is reported and survived. */
static void handle_nmi(const struct cpu_regs *regs)
{
	if (x86_stopping)
		arch_halt();
	pr_warn("NMI on CPU %u at %04lx:%016lx, ignored", smp_processor_id(), regs->cs & 0xffff,
		regs->rip);
}

DEFINE_PERCPU(u32, x86_debug_traps);

/*
 * In the hypervisor it is a guest's doing: its breakpoint on memory that a hypercall copies, or a
 * single step that the way in did not stop. Neither is of interest, and there is nothing to tell
 * the guest.
 */
static void handle_debug(struct cpu_regs *regs)
{
	regs->rflags &= ~EFLAGS_TF;
	this_cpu(x86_debug_traps)++;
	__asm__ volatile("mov %0, %%db6" : : "r"(DR6_NONE));
}

void x86_trap_ist(struct cpu_regs *regs)
{
	if (regs->entry_vector == TRAP_NMI)
		handle_nmi(regs);
	else if (regs->entry_vector == TRAP_DEBUG)
		handle_debug(regs);
	else
		fatal_trap(regs);
}
