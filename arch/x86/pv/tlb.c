// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flushing a PV domain's translations. A CPU holds some only while it is in the domain's active
 * set: it enters the set before it loads a table of the domain and leaves after it has loaded
 * another (switch.c). Entries are never global, so a CR3 load drops all.
 */
#include "tlb.h"
#include "internal.h"
#include <tine/arch.h>

u32 pv_tlb_clock;
DEFINE_PERCPU(u32, pv_tlb_flushed);

/*
 * The clock is read modulo 2^32. So that no CPU's last flush is ever half of that ago, all flush at every
 * quarter; a guest that does nothing but flush gets there within minutes.
 */
static void end_lap(u32 now)
{
	unsigned int cpu;

	arch_tlb_flush(&cpu_online_map);
	for_each_online_cpu (cpu)
		per_cpu(pv_tlb_flushed, cpu) = now;
}

void pv_tlb_flush_mask(const struct domain *d, const cpumask_t *cpus)
{
	const cpumask_t *active = &d->arch.pv.active_cpus;
	cpumask_t wanted = { { 0 } };
	bool self = false, any = false;
	unsigned int cpu;
	u32 now;

	for_each_cpu (cpu, cpus) {
		if (!cpumask_test(active, cpu))
			continue;
		if (cpu == smp_processor_id()) {
			self = true;
			continue;
		}
		cpumask_set(&wanted, cpu);
		any = true;
	}
	if (!self && !any)
		return;
	now = __atomic_add_fetch(&pv_tlb_clock, 1, __ATOMIC_ACQ_REL);
	if (self) {
		pv_tlb_flush_local();
		this_cpu(pv_tlb_flushed) = now;
	}
	if (any) {
		arch_tlb_flush(&wanted);
		for_each_cpu (cpu, &wanted)
			per_cpu(pv_tlb_flushed, cpu) = now;
	}
	if (unlikely(now % PV_TLB_LAP == 0))
		end_lap(now);
}

void pv_tlb_flush_since(const struct domain *d, u32 stamp)
{
	cpumask_t stale = { { 0 } };
	unsigned int cpu;
	bool any = false;

	for_each_cpu (cpu, &d->arch.pv.active_cpus) {
		if ((s32)(per_cpu(pv_tlb_flushed, cpu) - stamp) > 0)
			continue;
		cpumask_set(&stale, cpu);
		any = true;
	}
	if (any)
		pv_tlb_flush_mask(d, &stale);
}

void pv_tlb_flush_page(const struct domain *d, const cpumask_t *cpus, unsigned long va)
{
	cpumask_t others = *cpus;

	if (cpumask_test(cpus, smp_processor_id())) {
		__asm__ volatile("invlpg (%0)" : : "r"(va) : "memory");
		cpumask_clear(&others, smp_processor_id());
	}
	/* Elsewhere a whole flush is as cheap as the interrupt that asks for it. */
	if (bitmap_next_set(others.bits, MAX_CPUS, 0) < MAX_CPUS)
		pv_tlb_flush_mask(d, &others);
}
