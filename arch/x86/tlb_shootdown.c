// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forgetting translations on other CPUs. Each CPU has a count of flushes asked of it and of flushes
 * done; who asks draws a number and waits until that many are done. While waiting it serves what
 * others ask of it, so two CPUs that flush each other with interrupts off do not hang. No lock.
 * Pages are not global, so reloading CR3 forgets everything.
 */
#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/setup.h>
#include <asm/vectors.h>
#include <tine/arch.h>

static DEFINE_PERCPU(u64, flush_asked);
static DEFINE_PERCPU(u64, flush_done);

static void flush_self(void)
{
	x86_write_cr3(x86_read_cr3());
}

/* Interrupts off. */
void x86_tlb_flush_handle(void)
{
	u64 asked = __atomic_load_n(&per_cpu(flush_asked, smp_processor_id()), __ATOMIC_SEQ_CST);

	if (asked == this_cpu(flush_done))
		return;
	flush_self();
	__atomic_store_n(&per_cpu(flush_done, smp_processor_id()), asked, __ATOMIC_SEQ_CST);
}

static bool flush_is_done(unsigned int cpu, u64 ticket)
{
	u64 done = __atomic_load_n(&per_cpu(flush_done, cpu), __ATOMIC_SEQ_CST);

	return (s64)(done - ticket) >= 0;
}

void arch_tlb_flush(const cpumask_t *cpus)
{
	unsigned long flags = local_irq_save();
	unsigned int cpu, self = smp_processor_id();
	u64 ticket[MAX_CPUS];
	cpumask_t asked = { { 0 } };

	if (cpumask_test(cpus, self))
		flush_self();
	for_each_cpu (cpu, cpus) {
		if (cpu == self || !cpu_online(cpu))
			continue;
		cpumask_set(&asked, cpu);
		ticket[cpu] = __atomic_add_fetch(&per_cpu(flush_asked, cpu), 1, __ATOMIC_SEQ_CST);
		apic_send_vector(per_cpu(apic_id_of, cpu), VECTOR_TLB_FLUSH);
	}
	for_each_cpu (cpu, &asked) {
		while (!flush_is_done(cpu, ticket[cpu])) {
			x86_tlb_flush_handle();
			cpu_relax();
		}
	}
	local_irq_restore(flags);
}

void arch_tlb_flush_page(const cpumask_t *cpus, const void *va)
{
	cpumask_t others = *cpus;

	if (cpumask_test(cpus, smp_processor_id())) {
		__asm__ volatile("invlpg %0" : : "m"(*(const char *)va) : "memory");
		cpumask_clear(&others, smp_processor_id());
	}
	arch_tlb_flush(&others);
}
