// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forgetting translations. Arm's instructions for it reach all CPUs that share memory, so nobody is interrupted and CPUS matters only when it is
 * empty. Complete means: no CPU uses an old translation any more after the DSB (DDI 0487, D8.13.5).
 */
#include <asm/sysreg.h>
#include <tine/arch.h>
#include <tine/bitmap.h>

static bool is_empty(const cpumask_t *cpus)
{
	return bitmap_next_set(cpus->bits, MAX_CPUS, 0) == MAX_CPUS;
}

/* The hypervisor's own, and both stages of all guests. */
void arch_tlb_flush(const cpumask_t *cpus)
{
	if (is_empty(cpus))
		return;
	dsb_ishst();
	__asm__ volatile("tlbi alle2is\n"
			 "tlbi alle1is"
			 :
			 :
			 : "memory");
	dsb_ish();
	isb();
}

void arch_tlb_flush_page(const cpumask_t *cpus, const void *va)
{
	if (is_empty(cpus))
		return;
	dsb_ishst();
	__asm__ volatile("tlbi vae2is, %0" : : "r"((unsigned long)va >> PAGE_SHIFT) : "memory");
	dsb_ish();
	isb();
}
