// SPDX-License-Identifier: GPL-2.0-or-later
/* List registers and the rest of a virtual CPU interface of GICv3: system registers of EL2 (IHI 0069, 12.4). */
#include "internal.h"
#include <asm/sysreg.h>

#define HCR_ENABLE 1
#define HCR_UNDERFLOW 2
#define VTR_LISTS(vtr) ((unsigned int)((vtr)&0x1f) + 1)
#define VTR_PRIORITY_BITS(vtr) ((unsigned int)((vtr) >> 26 & 7) + 1)
#define LR_STATE_SHIFT 62
#define LR_HW (1UL << 61)
#define LR_GROUP1 (1UL << 60)
#define LR_PRIORITY_SHIFT 48
#define LR_PHYSICAL_SHIFT 32
#define LR_EOI (1UL << 41)
#define SRE_ALL 7

static unsigned int nr_priority_regs; /* of active priorities, in each group */

static unsigned int init(void)
{
	u64 vtr = read_sysreg(ich_vtr_el2);

	nr_priority_regs = 1U << (VTR_PRIORITY_BITS(vtr) > 5 ? VTR_PRIORITY_BITS(vtr) - 5 : 0);
	nr_priority_regs = min(nr_priority_regs, (unsigned int)VGIC_PRIORITY_REGS);
	write_sysreg(ich_hcr_el2, 0);
	return VTR_LISTS(vtr);
}

#define EACH_LIST(OP)                                                                              \
	OP(0)                                                                                      \
	OP(1)                                                                                      \
	OP(2) OP(3) OP(4) OP(5) OP(6) OP(7) OP(8) OP(9) OP(10) OP(11) OP(12) OP(13) OP(14) OP(15)
#define CASE_WRITE(n)                                                                              \
	case n:                                                                                    \
		write_sysreg(ich_lr##n##_el2, raw);                                                \
		break;
#define CASE_READ(n)                                                                               \
	case n:                                                                                    \
		raw = read_sysreg(ich_lr##n##_el2);                                                \
		break;

static void list_write(unsigned int n, const struct vgic_lr *lr)
{
	u64 raw = 0;

	if (lr->state) {
		raw = (u64)lr->state << LR_STATE_SHIFT | (u64)lr->priority << LR_PRIORITY_SHIFT |
		      lr->intid;
		raw |= lr->group1 ? LR_GROUP1 : 0;
		if (lr->hw)
			raw |= LR_HW | (u64)lr->intid << LR_PHYSICAL_SHIFT;
		else
			raw |= lr->eoi ? LR_EOI : 0;
	}
	switch (n) {
		EACH_LIST(CASE_WRITE)
	}
}

static void list_read(unsigned int n, struct vgic_lr *lr)
{
	u64 raw = 0;

	switch (n) {
		EACH_LIST(CASE_READ)
	}
	lr->state = (u8)(raw >> LR_STATE_SHIFT);
}

static void control(bool on, bool underflow)
{
	write_sysreg(ich_hcr_el2, (on ? HCR_ENABLE : 0) | (underflow ? HCR_UNDERFLOW : 0));
	isb();
}

#define SAVE_PRIORITIES(n)                                                                         \
	if (n < nr_priority_regs) {                                                                \
		g->priorities[0][n] = (u32)read_sysreg(ich_ap0r##n##_el2);                         \
		g->priorities[1][n] = (u32)read_sysreg(ich_ap1r##n##_el2);                         \
	}
#define LOAD_PRIORITIES(n)                                                                         \
	if (n < nr_priority_regs) {                                                                \
		write_sysreg(ich_ap0r##n##_el2, g->priorities[0][n]);                              \
		write_sysreg(ich_ap1r##n##_el2, g->priorities[1][n]);                              \
	}

static void save(struct vgic_cpu *g)
{
	g->vmcr = (u32)read_sysreg(ich_vmcr_el2);
	SAVE_PRIORITIES(0)
	SAVE_PRIORITIES(1)
	SAVE_PRIORITIES(2)
	SAVE_PRIORITIES(3)
}

static void load(const struct vgic_cpu *g)
{
	write_sysreg(icc_sre_el1, SRE_ALL);
	isb(); /* how VMCR is taken depends on it */
	write_sysreg(ich_vmcr_el2, g->vmcr);
	LOAD_PRIORITIES(0)
	LOAD_PRIORITIES(1)
	LOAD_PRIORITIES(2)
	LOAD_PRIORITIES(3)
}

const struct vgic_list_ops vgic_list3 = {
	.init = init,
	.write = list_write,
	.read = list_read,
	.control = control,
	.save = save,
	.load = load,
};
