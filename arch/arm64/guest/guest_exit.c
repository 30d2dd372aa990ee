// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Why a guest stopped running, and what is done about it. Interrupts are the hypervisor's; what the guest itself did is in ESR_EL2, and goes to a handler
 * that changes this guest only. What the guest has not is its kernel's to judge. Any other class is something that guests have no reason for: it ends the
 * domain, with its name and registers.
 *
 * On the CPU's stack from its top, which sched_run() never leaves.
 */
#include "internal.h"
#include <asm/irqflags.h>
#include <asm/setup.h>
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/domain.h>
#include <tine/sched.h>

#define ESR_CLASS(esr) ((unsigned int)((esr) >> 26 & 0x3f))
#define ESR_IL (1UL << 25)
#define HVC_IMMEDIATE(esr) ((esr)&0xffff)
#define HVC_XEN 0xea1
#define WFX_IS_WFE(esr) ((esr)&1)

enum exception_class {
	CLASS_UNKNOWN = 0x00,
	CLASS_WFX = 0x01,
	CLASS_CP15 = 0x03,
	CLASS_CP15_PAIR = 0x04,
	CLASS_CP14 = 0x05,
	CLASS_CP14_MEMORY = 0x06,
	CLASS_FP = 0x07,
	CLASS_VMRS = 0x08,
	CLASS_PAUTH = 0x09,
	CLASS_LS64 = 0x0a,
	CLASS_CP14_PAIR = 0x0c,
	CLASS_HVC = 0x16,
	CLASS_SMC = 0x17,
	CLASS_SYSREG = 0x18,
	CLASS_SVE = 0x19,
	CLASS_SME = 0x1d,
	CLASS_FETCH_ABORT = 0x20,
	CLASS_DATA_ABORT = 0x24,
};

#define INSTRUCTION_SIZE 4

/*
 * Instructions that the guest has not, by its ID registers: some of them trap to us without asking EL1 first, so a program at EL0 can try them. Those of
 * coprocessors are 32-bit programs', at debug registers, counters and what is the implementation's.
 */
#define CLASSES_ABSENT                                                                             \
	(BIT(CLASS_UNKNOWN) | BIT(CLASS_CP15) | BIT(CLASS_CP15_PAIR) | BIT(CLASS_CP14) |           \
	 BIT(CLASS_CP14_MEMORY) | BIT(CLASS_FP) | BIT(CLASS_VMRS) | BIT(CLASS_PAUTH) |             \
	 BIT(CLASS_LS64) | BIT(CLASS_CP14_PAIR) | BIT(CLASS_SVE) | BIT(CLASS_SME))

void arm64_guest_advance(struct vcpu *v)
{
	v->arch.regs.pc += INSTRUCTION_SIZE;
}

/* Its offset in EL1's vector table, by where it comes from (D1.3.1). */
static u64 vector_offset(u64 pstate)
{
	if (pstate & PSTATE_AARCH32)
		return 0x600;
	if ((pstate & PSTATE_MODE) == PSTATE_EL0)
		return 0x400;
	return (pstate & PSTATE_MODE) == PSTATE_EL1T ? 0 : 0x200;
}

/* As the CPU takes an exception to EL1. `current` only: the registers are in the CPU. */
void arm64_guest_undefined(struct vcpu *v)
{
	struct cpu_regs *r = &v->arch.regs;

	write_sysreg(elr_el1, r->pc);
	write_sysreg(spsr_el1, r->pstate);
	write_sysreg(esr_el1, (u64)CLASS_UNKNOWN << 26 | ESR_IL);
	r->pc = read_sysreg(vbar_el1) + vector_offset(r->pstate);
	r->pstate = PSTATE_EL1H_MASKED;
}

/* An interrupt ends it, masked or not. Those of the controller are no events: look after it is marked, as senders look after they raised. */
static void wait(struct vcpu *v)
{
	vcpu_block();
	if (vgic_waits(v))
		vcpu_unblock(v);
}

static void wfx(struct vcpu *v, u64 esr)
{
	arm64_guest_advance(v);
	if (WFX_IS_WFE(esr))
		sched_give_way();
	else
		wait(v);
}

static void hvc(struct vcpu *v, u64 esr)
{
	switch (HVC_IMMEDIATE(esr)) {
	case HVC_XEN:
		arm64_guest_hypercall(v);
		break;
	case 0:
		arm64_guest_psci(v);
		break;
	default:
		v->arch.regs.pc -= INSTRUCTION_SIZE; /* the exception is for the HVC itself */
		arm64_guest_undefined(v);
	}
}

static void other(struct vcpu *v, u64 esr)
{
	if (CLASSES_ABSENT >> ESR_CLASS(esr) & 1) {
		arm64_guest_undefined(v);
		return;
	}
	domain_crash(v->domain,
		     "vCPU %u: trap of class %#x (ESR %#lx), which no guest has a reason for",
		     v->id, ESR_CLASS(esr), (unsigned long)esr);
}

static void synchronous(struct vcpu *v, u64 hpfar)
{
	u64 esr = v->arch.regs.esr;

	switch (ESR_CLASS(esr)) {
	case CLASS_WFX:
		wfx(v, esr);
		break;
	case CLASS_HVC:
		hvc(v, esr);
		break;
	case CLASS_SMC:
		arm64_guest_advance(v);
		arm64_guest_psci(v);
		break;
	case CLASS_SYSREG:
		arm64_guest_sysreg(v, esr);
		break;
	case CLASS_FETCH_ABORT:
	case CLASS_DATA_ABORT:
		arm64_guest_abort(v, esr, v->arch.regs.far, hpfar);
		break;
	default:
		other(v, esr);
	}
}

void arm64_guest_exit(enum exit_kind kind, struct vcpu *v)
{
	u64 hpfar = read_sysreg(hpfar_el2);

	vgic_exit(v);
	if (kind == EXIT_IRQ)
		arm64_interrupt();
	local_irq_enable();
	if (kind == EXIT_SYNC)
		synchronous(v, hpfar);
	else if (kind == EXIT_SERROR)
		domain_crash(v->domain, "vCPU %u: the memory system reports an error (ESR %#lx)",
			     v->id, (unsigned long)v->arch.regs.esr);
	sched_run();
}

void arch_vcpu_dump(const struct vcpu *v)
{
	const struct cpu_regs *r = &v->arch.regs;
	const struct guest_sysregs *s = &v->arch.guest.sys;
	bool here = v == current;

	printk_always("vCPU %u: pc %016lx  pstate %08lx  lr %016lx  sp_el1 %016lx  sp_el0 %016lx",
		      v->id, r->pc, r->pstate, r->x[30], here ? read_sysreg(sp_el1) : s->sp_el1,
		      here ? read_sysreg(sp_el0) : s->sp_el0);
	for (unsigned int i = 0; i < 30; i += 3)
		printk_always("  x%-2u %016lx  x%-2u %016lx  x%-2u %016lx", i, r->x[i], i + 1,
			      r->x[i + 1], i + 2, r->x[i + 2]);
	printk_always("  last trap: ESR %#lx FAR %016lx", r->esr, r->far);
	printk_always("  sctlr %08lx  tcr %016lx  ttbr0 %016lx  ttbr1 %016lx",
		      here ? read_sysreg(sctlr_el1) : s->sctlr,
		      here ? read_sysreg(tcr_el1) : s->tcr,
		      here ? read_sysreg(ttbr0_el1) : s->ttbr0,
		      here ? read_sysreg(ttbr1_el1) : s->ttbr1);
	printk_always("  elr %016lx  spsr %08lx  esr %08lx  far %016lx  vbar %016lx",
		      here ? read_sysreg(elr_el1) : s->elr, here ? read_sysreg(spsr_el1) : s->spsr,
		      here ? read_sysreg(esr_el1) : s->esr, here ? read_sysreg(far_el1) : s->far,
		      here ? read_sysreg(vbar_el1) : s->vbar);
	printk_always("  interrupts: enabled %08x pending %08x listed %08x, events %s",
		      v->arch.guest.gic.enabled, v->arch.guest.gic.pending,
		      v->arch.guest.gic.listed,
		      v->info->evtchn_upcall_pending ? "pending" : "none");
}
