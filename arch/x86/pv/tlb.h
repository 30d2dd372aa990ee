/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which CPUs may still hold translations of a frame's former use. A clock ticks with each flush
 * that a type change asks for; each CPU notes the time of its last full flush. A frame given up at
 * time T is out of a CPU's reach once that CPU has flushed at a time after T: so one flush serves
 * all frames that were given up before it.
 */
#ifndef PV_TLB_H
#define PV_TLB_H

#include <tine/cpu.h>
#include <tine/types.h>

struct domain;

extern u32 pv_tlb_clock;
DECLARE_PERCPU(u32, pv_tlb_flushed);

static inline u32 pv_tlb_now(void)
{
	return __atomic_load_n(&pv_tlb_clock, __ATOMIC_ACQUIRE);
}

#define PV_TLB_LAP (1U << 30) /* ticks after which all CPUs flush */

/* This CPU has loaded CR3 since NOW. */
static inline void pv_tlb_note(u32 now)
{
	this_cpu(pv_tlb_flushed) = now;
}

static inline void pv_tlb_flush_local(void)
{
	unsigned long cr3;

	__asm__ volatile("mov %%cr3, %0; mov %0, %%cr3" : "=r"(cr3) : : "memory");
}

/* CPUs of D that have not flushed since STAMP do so now. */
void pv_tlb_flush_since(const struct domain *d, u32 stamp);

/* Flushes those of CPUS that run D: all translations, or those of VA alone. */
void pv_tlb_flush_mask(const struct domain *d, const cpumask_t *cpus);
void pv_tlb_flush_page(const struct domain *d, const cpumask_t *cpus, unsigned long va);

#endif
