// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * vCPUs: how one begins, and what changes hands when a CPU runs another one. Entry and exit (guest_entry.S) save general registers only; all else stays
 * in the CPU until arch_context_switch(). The idle vCPU has none of it: after it a guest may find its own still there, but it is loaded anew.
 */
#include "internal.h"
#include <asm/guest_setup.h>
#include <asm/setup.h>
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/domain.h>

/* HCR_EL2 (D17.2.48): barriers and TLB maintenance reach all CPUs; WFI, WFE, SMC, ID registers, implementation-defined ones and ACTLR trap. */
#define HCR_PTW (1UL << 2)
#define HCR_SWIO (1UL << 1)
#define HCR_FB (1UL << 9)
#define HCR_BSU_INNER (1UL << 10)
#define HCR_TWI (1UL << 13)
#define HCR_TWE (1UL << 14)
#define HCR_TID3 (1UL << 18)
#define HCR_TSC (1UL << 19)
#define HCR_TIDCP (1UL << 20)
#define HCR_TACR (1UL << 21)
#define HCR_GUEST                                                                                  \
	(HCR_HYPERVISOR | HCR_VM | HCR_PTW | HCR_SWIO | HCR_FB | HCR_BSU_INNER | HCR_TWI |         \
	 HCR_TWE | HCR_TID3 | HCR_TSC | HCR_TIDCP | HCR_TACR)

/* MDCR_EL2: debug and performance registers trap, and are not there (guest_sysreg.c). */
#define MDCR_TRAPS (1UL << 11 | 1UL << 10 | 1UL << 9 | 1UL << 6 | 1UL << 5)

#define SCTLR_EL1_RESET 0x30d00800UL
#define MPIDR_RES1 (1UL << 31)

/* Like the machine's own: clusters of 16, as SGIs of GICv3 address them. */
u64 arm64_vcpu_mpidr(const struct vcpu *v)
{
	return MPIDR_RES1 | (u64)(v->id / 16) << 8 | v->id % 16;
}

void arm64_vcpu_reset(struct vcpu *v, u64 entry, u64 context)
{
	struct guest_vcpu *g = &v->arch.guest;

	v->arch.regs = (struct cpu_regs){ .pc = entry, .pstate = PSTATE_EL1H_MASKED };
	v->arch.regs.x[0] = context;
	g->sys = (struct guest_sysregs){ .sctlr = SCTLR_EL1_RESET };
	g->fp = (struct arm64_fp){ .fpcr = 0 };
	g->timer_active = false;
	vgic_vcpu_reset(v);
}

int arch_vcpu_create(struct vcpu *v)
{
	BUG_ON(!IS_ALIGNED((unsigned long)&v->arch.regs, 16));
	if (vcpu_is_idle(v))
		return 0;
	vtimer_vcpu_create(v);
	arm64_vcpu_reset(v, 0, 0);
	return 0;
}

void arch_vcpu_destroy(struct vcpu *v)
{
	timer_kill(&v->arch.guest.alarm);
}

/* ---- Coming and going ---- */

/* OP on each register that needs no more than to be copied. */
#define EACH_SYSREG(OP)                                                                            \
	OP(sctlr, sctlr_el1)                                                                       \
	OP(cpacr, cpacr_el1)                                                                       \
	OP(ttbr0, ttbr0_el1)                                                                       \
	OP(ttbr1, ttbr1_el1)                                                                       \
	OP(tcr, tcr_el1)                                                                           \
	OP(mair, mair_el1)                                                                         \
	OP(amair, amair_el1)                                                                       \
	OP(vbar, vbar_el1)                                                                         \
	OP(contextidr, contextidr_el1)                                                             \
	OP(esr, esr_el1)                                                                           \
	OP(far, far_el1)                                                                           \
	OP(afsr0, afsr0_el1)                                                                       \
	OP(afsr1, afsr1_el1)                                                                       \
	OP(par, par_el1)                                                                           \
	OP(elr, elr_el1)                                                                           \
	OP(spsr, spsr_el1)                                                                         \
	OP(sp_el0, sp_el0)                                                                         \
	OP(sp_el1, sp_el1)                                                                         \
	OP(tpidr_el0, tpidr_el0)                                                                   \
	OP(tpidrro_el0, tpidrro_el0)                                                               \
	OP(tpidr_el1, tpidr_el1)                                                                   \
	OP(csselr, csselr_el1)                                                                     \
	OP(cntkctl, cntkctl_el1)

#define SAVE(field, name) s->field = read_sysreg(name);
#define LOAD(field, name) write_sysreg(name, s->field);

static void save_sysregs(struct guest_sysregs *s)
{
	EACH_SYSREG(SAVE)
}

static void load_sysregs(const struct guest_sysregs *s)
{
	EACH_SYSREG(LOAD)
}

static void save(struct vcpu *v)
{
	vtimer_save(v);
	vgic_save(v);
	save_sysregs(&v->arch.guest.sys);
	arm64_fp_save(&v->arch.guest.fp);
}

static void load(struct vcpu *v)
{
	v->arch.guest.stack = arm64_stack_top(smp_processor_id());
	write_sysreg(hcr_el2, HCR_GUEST);
	write_sysreg(vmpidr_el2, arm64_vcpu_mpidr(v));
	load_sysregs(&v->arch.guest.sys);
	stage2_load(v);
	arm64_fp_load(&v->arch.guest.fp);
	vgic_load(v);
	vtimer_load(v);
}

void arch_context_switch(struct vcpu *prev, struct vcpu *next)
{
	if (!vcpu_is_idle(prev))
		save(prev);
	if (vcpu_is_idle(next)) {
		write_sysreg(hcr_el2, HCR_HYPERVISOR);
		isb();
	} else {
		load(next);
	}
}

void arch_vcpu_enter(struct vcpu *v)
{
	vgic_enter(v);
	arm64_guest_enter(v);
}

/* ---- The CPU ---- */

void arm64_guests_cpu_init(void)
{
	write_sysreg(mdcr_el2, read_sysreg(mdcr_el2) | MDCR_TRAPS);
	stage2_cpu_init();
	vgic_cpu_init();
	vtimer_cpu_init();
}

void arm64_guests_init(void)
{
	vtimer_init();
	arm64_guests_cpu_init();
}
