/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a vCPU has beyond its general registers. While it is `current` EL1's system registers, floating point and the virtual timer are in the CPU;
 * guest_context.c puts them here when another comes. The interrupt controller's part is vgic.c's.
 */
#ifndef ASM_GUEST_VCPU_H
#define ASM_GUEST_VCPU_H

#include <asm/fp.h>
#include <tine/time.h>
#include <tine/types.h>

struct guest_sysregs {
	u64 sctlr, cpacr, ttbr0, ttbr1, tcr, mair, amair, vbar, contextidr;
	u64 esr, far, afsr0, afsr1, par, elr, spsr, sp_el0, sp_el1;
	u64 tpidr_el0, tpidrro_el0, tpidr_el1, csselr, cntkctl;
	u64 cntv_ctl, cntv_cval;
};

#define VGIC_PRIVATE 32 /* SGIs and PPIs; there is nothing else */
#define VGIC_LRS 16
#define VGIC_PRIORITY_REGS 4

/* Bits, as in a list register's state field. */
#define LR_EMPTY 0
#define LR_PENDING 1
#define LR_ACTIVE 2

struct vgic_lr {
	u8 intid, priority, state;
	u8 source; /* of an SGI of GICv2: the CPU */
	bool hw;   /* its end deactivates the physical interrupt (the timer's): vtimer_ended() */
	bool eoi;  /* its end is a maintenance interrupt */
	bool group1;
};

struct vgic_cpu {
	/* Others may set bits: atomic. */
	u32 enabled, pending, group, edge;
	u8 priority[VGIC_PRIVATE];
	u8 sources[16]; /* GICv2: CPUs that have sent the SGI; atomic */
	bool asleep;    /* GICR_WAKER */
	/* Its own, or at rest. */
	u32 listed; /* interrupts that are in a list register */
	struct vgic_lr lr[VGIC_LRS];
	u32 vmcr,
		priorities
			[2]
			[VGIC_PRIORITY_REGS]; /* active ones: ICH_AP0Rn, ICH_AP1Rn; GICH_APR in [1][0] */
};

struct guest_vcpu {
	void *stack; /* the CPU's, when it leaves the guest */
	struct guest_sysregs sys;
	struct arm64_fp fp;
	struct vgic_cpu gic;
	bool timer_active; /* the physical virtual-timer interrupt is active for it, or is to be when it next runs */
	bool continued;     /* the hypercall under way is to be made again */
	struct timer alarm; /* while it is off the CPU: when its virtual timer fires */
};

#endif
