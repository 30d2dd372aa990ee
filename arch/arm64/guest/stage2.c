// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stage 2 as the CPU sees it: what is said about it in VTCR_EL2 and VTTBR_EL2, and how translations are forgotten (DDI 0487, D8.13). They are remembered
 * under VMIDs, which are vmid.c's. No state.
 */
#include "internal.h"
#include <asm/irqflags.h>
#include <asm/stage2_codec.h>
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/domain.h>

#define VTTBR_VMID_SHIFT 48

/* VTCR_EL2: walks write-back and inner shareable, 4 KiB granule, from level 1. */
#define VTCR_BASE (1UL << 31 | 3 << 12 | 1 << 10 | 1 << 8 | 1 << 6)
#define VTCR_VMID_16BIT (1UL << 19)
#define VTCR_PS_SHIFT 16
#define ORDER_MAX 18

static bool vmid_is_16bit(void)
{
	return (read_sysreg(id_aa64mmfr1_el1) >> 4 & 0xf) == 2;
}

/* D17.2.64 ID_AA64MMFR0_EL1.PARange; what is above is no more than 48 bits to us. */
static unsigned int physical_bits(unsigned int range)
{
	static const u8 bits[] = { 32, 36, 40, 42, 44, 48 };

	return bits[min(range, (unsigned int)PARANGE_48)];
}

void stage2_cpu_init(void)
{
	unsigned int range = read_sysreg(id_aa64mmfr0_el1) & 0xf;
	u64 bits = min(physical_bits(range), (unsigned int)GUEST_SPACE_BITS);

	range = min(range, (unsigned int)PARANGE_48);
	write_sysreg(vtcr_el2, VTCR_BASE | (64 - bits) | (u64)range << VTCR_PS_SHIFT |
				       (vmid_is_16bit() ? VTCR_VMID_16BIT : 0));
	isb();
	vmid_cpu_init(vmid_is_16bit());
}

int stage2_create(struct domain *d)
{
	int rc = p2m_init(&d->arch.p2m, d, &stage2_codec, &domain_p2m_frames);

	d->arch.p2m.largest_order = ORDER_MAX;
	return rc;
}

/*
 * The instruction goes by the current VMID. What was written to tables is seen before it, and the old is used by no CPU after it. Whoever has no VMID in use
 * finds the new when it has one; if it loses its own meanwhile, somebody else has forgotten more than he needed.
 */
void stage2_forget(struct domain *d)
{
	unsigned long flags = local_irq_save();
	u64 before = read_sysreg(vttbr_el2), vmid;

	dsb_ishst();
	vmid = vmid_in_use(d);
	if (!vmid) {
		local_irq_restore(flags);
		return;
	}
	write_sysreg(vttbr_el2, vmid << VTTBR_VMID_SHIFT);
	isb();
	__asm__ volatile("tlbi vmalls12e1is" ::: "memory");
	dsb_ish();
	write_sysreg(vttbr_el2, before);
	isb();
	local_irq_restore(flags);
}

void arch_p2m_flush(struct p2m *p2m)
{
	stage2_forget(p2m->domain);
}

/*
 * Different vCPUs of a guest may use one ASID for different tables, as long as they have not agreed on ASIDs: what the last one left here is not for this
 * one.
 */
void stage2_load(struct vcpu *v)
{
	struct domain *d = v->domain;
	u8 *last = &d->arch.last_vcpu[smp_processor_id()];

	write_sysreg(vttbr_el2, paddr_x(mfn_to_paddr(d->arch.p2m.root)) |
					(u64)vmid_load(d) << VTTBR_VMID_SHIFT);
	isb();
	if (*last == v->id + 1)
		return;
	*last = (u8)(v->id + 1);
	__asm__ volatile("tlbi vmalle1\n"
			 "ic iallu"
			 :
			 :
			 : "memory");
	__asm__ volatile("dsb nsh" ::: "memory");
	isb();
}

void stage2_release(struct domain *d)
{
	stage2_forget(d);
	vmid_release(d);
}
