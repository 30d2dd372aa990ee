// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The other CPUs, started one at a time by CPU 0 through PSCI. What the CPU that is starting needs lies in arm64_secondary; it is written with caches on
 * and read with caches on, after the MMU. One that does not answer is reported and left out, with the number and stack it was given: it may still come.
 */
#include <asm/gic.h>
#include <asm/guest_setup.h>
#include <asm/paging.h>
#include <asm/psci.h>
#include <asm/setup.h>
#include <asm/smp.h>
#include <asm/sysreg.h>
#include <asm/time.h>
#include <asm/timer.h>
#include <tine/arch.h>
#include <tine/boot_info.h>
#include <tine/lib.h>
#include <tine/numa.h>
#include <tine/printk.h>
#include <tine/sched.h>

#define ANSWER_NS (2 * NSEC_PER_SEC) /* generous: QEMU's CPUs share a host's */

extern const char secondary_entry[]; /* boot/head.S, which knows the order of these */
struct arm64_secondary {
	void *stack;
	unsigned long percpu_offset;
} arm64_secondary;

cpumask_t cpu_online_map = { { 1 } };
unsigned int nr_cpus = 1;
DEFINE_PERCPU(u32, cpu_hw_id);

static bool wait_online(unsigned int cpu)
{
	stime_t until = system_time() + ANSWER_NS;

	while (!cpu_online(cpu)) {
		if (system_time() > until)
			return false;
		cpu_relax();
	}
	return true;
}

/* The first one's, where firmware does not say. */
static nodeid_t node_of(const struct boot_cpu *firmware)
{
	nodeid_t node = numa_node_of_proximity(firmware->proximity);

	return node == NUMA_NO_NODE ? 0 : node;
}

static bool start_cpu(unsigned int cpu, const struct boot_cpu *firmware)
{
	nodeid_t node = node_of(firmware);
	int rc;

	numa_set_cpu_node(cpu, node);
	percpu_alloc(cpu, node);
	per_cpu(cpu_hw_id, cpu) = firmware->hw_id;
	arm64_secondary.stack = arm64_stack_top(cpu);
	arm64_secondary.percpu_offset = percpu_offset[cpu];
	dsb_sy();
	rc = psci_cpu_on(arm64_mpidr_of(firmware->hw_id), arm64_image_paddr(secondary_entry), 0);
	if (!rc && wait_online(cpu))
		return true;
	pr_warn("CPU with affinity %#x %s (error %d): left out", firmware->hw_id,
		rc ? "is refused by firmware" : "does not answer", rc);
	return false;
}

void arch_start_cpus(const struct boot_info *bi)
{
	unsigned int limit = min(opt_maxcpus, (unsigned int)MAX_CPUS), cpu = 1, running = 1;

	for (unsigned int i = 0; i < bi->nr_cpus && cpu < limit; i++) {
		if (bi->cpus[i].hw_id == arm64_own_hw_id()) {
			numa_set_cpu_node(0, node_of(&bi->cpus[i]));
			continue;
		}
		nr_cpus = cpu + 1;
		running += start_cpu(cpu++, &bi->cpus[i]);
	}
	pr_info("CPUs: %u running, %u reported by firmware", running, max(bi->nr_cpus, 1U));
}

void arm64_secondary_start(void)
{
	unsigned int cpu = smp_processor_id();

	gic_cpu_init();
	arm64_guests_cpu_init();
	arm64_timer_cpu_init();
	sched_cpu_init(cpu);
	cpumask_set(&cpu_online_map, cpu);
	sched_run();
	__builtin_unreachable();
}
