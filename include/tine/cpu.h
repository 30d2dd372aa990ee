/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs by number (0 .. nr_cpus - 1; 0 booted the machine), sets of them, and per-CPU variables.
 *
 * A per-CPU variable is declared with DECLARE_PERCPU(type, name), defined with DEFINE_PERCPU(type, name) and reached
 * with this_cpu(name) and per_cpu(name, cpu), both lvalues. Before a CPU's area exists (start of day) CPU 0's is the link-time one.
 */
#ifndef TINE_CPU_H
#define TINE_CPU_H

#include <asm/percpu.h> /* DEFINE_PERCPU, DECLARE_PERCPU, this_cpu(), per_cpu(), smp_processor_id() */
#include <tine/bitmap.h>

#define MAX_CPUS 64

typedef struct {
	unsigned long bits[BITS_TO_LONGS(MAX_CPUS)];
} cpumask_t;

extern cpumask_t cpu_online_map; /* CPUs that run the scheduler; only grows */
extern unsigned int nr_cpus;     /* CPUs that firmware reported and maxcpus= lets in */

extern unsigned int opt_maxcpus; /* maxcpus=: how many the architecture may start; sched/smp.c */

static inline bool cpumask_test(const cpumask_t *mask, unsigned int cpu)
{
	return test_bit(mask->bits, cpu);
}

static inline void cpumask_set(cpumask_t *mask, unsigned int cpu)
{
	(void)test_and_set_bit_atomic(mask->bits, cpu);
}

static inline void cpumask_clear(cpumask_t *mask, unsigned int cpu)
{
	(void)test_and_clear_bit_atomic(mask->bits, cpu);
}

static inline bool cpu_online(unsigned int cpu)
{
	return cpu < MAX_CPUS && cpumask_test(&cpu_online_map, cpu);
}

#define for_each_cpu(cpu, mask)                                                                    \
	for (cpu = (unsigned int)bitmap_next_set((mask)->bits, MAX_CPUS, 0); cpu < MAX_CPUS;       \
	     cpu = (unsigned int)bitmap_next_set((mask)->bits, MAX_CPUS, cpu + 1))
#define for_each_online_cpu(cpu) for_each_cpu (cpu, &cpu_online_map)

/* NUMA node of a CPU; node 0 when firmware says nothing. mm/numa.c */
nodeid_t cpu_to_node(unsigned int cpu);

#endif
