// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * VMIDs, of which a CPU has 255 or 65,535 and a machine may have more domains: each domain gets one when it runs. When all are given out, a new generation
 * begins: who is loaded on a CPU keeps his, all others' are void, and all CPUs forget all translations.
 *
 * vmid_lock (LOCK_MAPPING; interrupts off) guards all of it. A domain whose generation is not the present one has no translations anywhere, and
 * gets none before it is loaded again.
 */
#include "internal.h"
#include <asm/sysreg.h>
#include <tine/bitmap.h>
#include <tine/cpu.h>
#include <tine/domain.h>
#include <tine/spinlock.h>
#include <tine/string.h>

#define VMIDS_MAX 65536U
#define NONE 0 /* nobody's: what VTTBR_EL2 has before any domain */

static struct spinlock vmid_lock = SPINLOCK_INIT(LOCK_MAPPING);
static unsigned long taken[BITS_TO_LONGS(VMIDS_MAX)] = { BIT(NONE) };
static u64 generation = 1;
static unsigned int nr_vmids = VMIDS_MAX; /* of the CPU that has fewest */
static DEFINE_PERCPU(struct domain *, loaded);

static void take(struct domain *d, unsigned long vmid)
{
	taken[vmid / BITS_PER_LONG] |= BIT(vmid % BITS_PER_LONG);
	d->arch.vmid = (u32)vmid;
	d->arch.vmid_generation = generation;
}

/* There are more VMIDs than CPUs. */
static void new_generation(void)
{
	unsigned int cpu;

	memset(taken, 0, sizeof(taken));
	taken[0] = BIT(NONE);
	generation++;
	for_each_online_cpu (cpu) {
		struct domain *d = per_cpu(loaded, cpu);

		if (d)
			take(d, d->arch.vmid);
	}
	dsb_ishst();
	__asm__ volatile("tlbi alle1is\n"
			 "ic ialluis" ::
				 : "memory");
	dsb_ish();
	isb();
}

static void give(struct domain *d)
{
	unsigned long vmid = bitmap_next_clear(taken, nr_vmids, 0);

	if (vmid >= nr_vmids) {
		new_generation();
		vmid = bitmap_next_clear(taken, nr_vmids, 0);
	}
	take(d, vmid);
}

void vmid_cpu_init(bool is_16bit)
{
	unsigned long flags = spin_lock_irqsave(&vmid_lock);

	nr_vmids = min(nr_vmids, is_16bit ? VMIDS_MAX : 256U);
	spin_unlock_irqrestore(&vmid_lock, flags);
}

u32 vmid_load(struct domain *d)
{
	unsigned long flags = spin_lock_irqsave(&vmid_lock);
	u32 vmid;

	if (d->arch.vmid_generation != generation)
		give(d);
	vmid = d->arch.vmid;
	this_cpu(loaded) = d;
	spin_unlock_irqrestore(&vmid_lock, flags);
	return vmid;
}

u32 vmid_in_use(const struct domain *d)
{
	unsigned long flags = spin_lock_irqsave(&vmid_lock);
	u32 vmid = d->arch.vmid_generation == generation ? d->arch.vmid : NONE;

	spin_unlock_irqrestore(&vmid_lock, flags);
	return vmid;
}

void vmid_release(struct domain *d)
{
	unsigned long flags = spin_lock_irqsave(&vmid_lock);
	u32 vmid = d->arch.vmid;
	unsigned int cpu;

	for_each_online_cpu (cpu) {
		if (per_cpu(loaded, cpu) == d)
			per_cpu(loaded, cpu) = NULL;
	}
	if (d->arch.vmid_generation == generation)
		taken[vmid / BITS_PER_LONG] &= ~BIT(vmid % BITS_PER_LONG);
	d->arch.vmid_generation = 0;
	spin_unlock_irqrestore(&vmid_lock, flags);
}
