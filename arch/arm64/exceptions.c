// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exceptions that the hypervisor itself takes: looked up in the exception table, and when nothing says that the place may fault, that is the end. A
 * guest's are arch/arm64/guest's. Interrupts are off on entry.
 */
#include <asm/extable.h>
#include <asm/setup.h>
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/lib.h>
#include <tine/printk.h>

/* ESR_EL2 (DDI 0487, D17.2.37): class, and of aborts what was tried and what stood against it. */
#define ESR_CLASS(esr) ((unsigned int)((esr) >> 26 & 0x3f))
#define CLASS_FETCH_ABORT 0x21
#define CLASS_DATA_ABORT 0x25
#define ABORT_WRITE (1UL << 6)
#define ABORT_STATUS(esr) ((unsigned int)((esr)&0x3f))
#define STATUS_IS(esr, kind) ((ABORT_STATUS(esr) & 0x3c) == (kind))
#define STATUS_TRANSLATION 0x04
#define STATUS_ACCESS_FLAG 0x08
#define STATUS_PERMISSION 0x0c
#define STATUS_ALIGNMENT 0x21

static const char *class_name(u64 esr)
{
	static const char *const names[64] = {
		[0x00] = "unknown instruction",
		[0x07] = "floating point that is trapped",
		[0x0e] = "illegal execution state",
		[0x15] = "SVC",
		[0x16] = "HVC",
		[0x17] = "SMC",
		[0x18] = "system register that is trapped",
		[0x19] = "SVE that is trapped",
		[0x21] = "fetch abort",
		[0x22] = "PC alignment",
		[0x25] = "data abort",
		[0x26] = "SP alignment",
		[0x2f] = "SError",
		[0x31] = "breakpoint",
		[0x33] = "single step",
		[0x35] = "watchpoint",
		[0x3c] = "BRK",
	};

	return names[ESR_CLASS(esr)] ? names[ESR_CLASS(esr)] : "exception";
}

void arm64_dump_regs(const struct cpu_regs *r)
{
	printk_always("pc %016lx  sp %016lx  pstate %08lx  lr %016lx", r->pc, r->sp, r->pstate,
		      r->x[30]);
	for (unsigned int i = 0; i < 30; i += 3)
		printk_always("x%-2u %016lx  x%-2u %016lx  x%-2u %016lx", i, r->x[i], i + 1,
			      r->x[i + 1], i + 2, r->x[i + 2]);
	printk_always("esr %08lx  far %016lx  hcr %016lx  sctlr %08lx", r->esr, r->far,
		      read_sysreg(hcr_el2), read_sysreg(sctlr_el2));
}

static bool is_abort(const struct cpu_regs *regs)
{
	return ESR_CLASS(regs->esr) == CLASS_DATA_ABORT ||
	       ESR_CLASS(regs->esr) == CLASS_FETCH_ABORT;
}

static const char *abort_reason(u64 esr)
{
	if (STATUS_IS(esr, STATUS_TRANSLATION))
		return "not mapped";
	if (STATUS_IS(esr, STATUS_PERMISSION))
		return "not permitted";
	if (STATUS_IS(esr, STATUS_ACCESS_FLAG))
		return "access flag";
	return ABORT_STATUS(esr) == STATUS_ALIGNMENT ? "not aligned" : "the memory system says no";
}

/* panic() prints a backtrace from here down, which the link frame of vectors.S leads past the exception. */
static __noreturn void fatal_trap(struct cpu_regs *regs)
{
	printk_panic_mode();
	arm64_dump_regs(regs);
	if (is_abort(regs) && arm64_stack_guards(regs->far))
		panic("Stack overflow: %016lx is in the guard below a stack", regs->far);
	if (is_abort(regs))
		panic("Page fault in the hypervisor: %s of %016lx, %s (ESR %#lx)",
		      ESR_CLASS(regs->esr) == CLASS_FETCH_ABORT ? "execution"
		      : regs->esr & ABORT_WRITE                 ? "write"
								: "read",
		      regs->far, abort_reason(regs->esr), regs->esr);
	panic("Exception in the hypervisor: %s (ESR %#lx)", class_name(regs->esr), regs->esr);
}

/* An exception, of whatever kind, found no room for its registers. On the overflow stack. */
void arm64_stack_overflow(struct cpu_regs *regs)
{
	printk_panic_mode();
	arm64_dump_regs(regs);
	panic("Stack overflow: there is no room for an exception below %016lx", regs->sp);
}

void arm64_trap(struct cpu_regs *regs)
{
	unsigned long fixup = extable_lookup(regs->pc);

	if (!fixup)
		fatal_trap(regs);
	this_cpu(arm64_fixup_esr) = regs->esr;
	regs->pc = fixup;
}

DEFINE_PERCPU(u64, arm64_fixup_esr);

/* Nobody can tell what it was about: memory is not to be trusted any more. */
void arm64_serror(struct cpu_regs *regs)
{
	fatal_trap(regs);
}

void arm64_bad_vector(struct cpu_regs *regs, unsigned int vector)
{
	printk_panic_mode();
	arm64_dump_regs(regs);
	panic("Exception by vector %u, which nothing uses (ESR %#lx)", vector, regs->esr);
}
